"""Measures the rates of the host engines' rooflines (CostModel.cpp).

Usage: python3 test/benchmarks/calibrate_host.py [path of the opgraph tool]

Prints what one worker does in a nanosecond, per engine: bytes moved, simple
operations, transcendental calls, matrix flops; and the cost of a call.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

TOOL = sys.argv[1] if len(sys.argv) > 1 else "build/bin/opgraph"


def port(name, uid, shape):
    return f"%{name}: tensor<{shape}xf32> {{graph.uid = {uid} : i64}}"


def chain(op, length, shape, binary=False):
    """`length` pointwise ops in a row; binary ones also read the argument."""
    t = f"tensor<{shape}xf32>"
    types = f"({t}, {t}) -> {t}" if binary else f"({t}) -> {t}"
    lines = [f"%{i + 1} = graph.{op} %{i or 'x'}{', %x' if binary else ''} : "
             f"{types}" for i in range(length)]
    return (f"graph.graph @g({port('x', 1, shape)}) -> ({t} {{graph.uid = 2 : "
            f"i64}}) {{\n" + "\n".join(lines) +
            f"\ngraph.return %{length} : {t}\n}}")


def matmul(n):
    t = f"tensor<1x{n}x{n}xf32>"
    return (f"graph.graph @g({port('x', 1, f'1x{n}x{n}')}, "
            f"{port('w', 2, f'1x{n}x{n}')}) -> ({t} {{graph.uid = 3 : i64}}) "
            f"{{\n%0 = graph.matmul %x, %w : ({t}, {t}) -> {t}\n"
            f"graph.return %0 : {t}\n}}")


def attention(s, d):
    shape = f"1x4x{s}x{d}"
    t = f"tensor<{shape}xf32>"
    ports = ", ".join(port(n, i, shape) for i, n in enumerate("qkv", 1))
    return (f"graph.graph @g({ports}) -> ({t} {{graph.uid = 4 : i64}}) {{\n"
            f"%0 = graph.sdpa %q, %k, %v : ({t}, {t}, {t}) -> {t}\n"
            f"graph.return %0 : {t}\n}}")


def measure(text, engine, threads=1):
    """Median nanoseconds of an execution."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "g.mlir")
        path.write_text(text)
        out = subprocess.run(
            [TOOL, "run", str(path), "--engine", engine, "--threads",
             str(threads), "--repeat", "30", "--timing", "--json"],
            check=True, capture_output=True, text=True).stdout
    stages = json.loads(out)["times"]
    return next(s["ns"] for s in stages if s["stage"].startswith("execute"))


def main():
    for engine, mega, n, s in (("host.fused", 4, 512, 512),
                               ("host.reference", 1, 96, 64)):
        launch = measure(chain("relu", 1, "1"), engine)
        size = mega << 20
        copy = measure(chain("relu", 1, str(size)), engine) - launch
        small, length = 4096, 32
        ops = measure(chain("add", length, str(small), True), engine) - launch
        exps = measure(chain("exp", 1, "65536"), engine) - launch
        gemm = measure(matmul(n), engine) - launch
        sdpa = measure(attention(s, 64), engine) - launch
        print(f"{engine}: launch {launch} ns, bytes {8 * size / copy:.2f}/ns, "
              f"flops {small * length / ops:.2f}/ns, "
              f"transcendentals {65536 / exps:.3f}/ns, "
              f"gemm {2 * n ** 3 / gemm:.2f}/ns, "
              f"sdpa {4 * 4 * s * s * 64 / sdpa:.2f}/ns")


if __name__ == "__main__":
    main()
