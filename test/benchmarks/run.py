#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Benchmarks: each prints a line with figure, bar and verdict, and appends a
JSON record to build/results/benchmarks.jsonl.

usage: run.py [--json] [NAME ...]     (names: run.py --list)
Exit code: 0 when every bar holds, 1 when one is missed, 2 for a wrong name.
"""

import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("OPGRAPH_BUILD_DIR", ROOT / "build"))
BENCHMARKS = {}


def benchmark(bar, unit):
    """Registers a function that returns (value, details); it holds when
    value <= bar."""
    def register(function):
        BENCHMARKS[function.__name__] = (function, bar, unit)
        return function
    return register


def run_python(code, **environment):
    """The last line that a fresh interpreter prints, as JSON."""
    env = {**os.environ, "PYTHONPATH": str(BUILD / "python"), **environment}
    done = subprocess.run([sys.executable, "-c", code], env=env, check=True,
                          capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def spread(samples):
    return {"samples": len(samples), "min": min(samples),
            "max": max(samples)}


@benchmark(20, "ms over the bare interpreter")
def import_time():
    """`import opgraph`, interleaved with starts of the bare interpreter."""
    def start(code):
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True,
                       env={**os.environ, "PYTHONPATH": str(BUILD / "python")})
        return (time.perf_counter() - begin) * 1e3
    pairs = [(start("import opgraph"), start("pass")) for _ in range(20)]
    value = statistics.median(a - b for a, b in pairs)
    return value, spread([a - b for a, b in pairs])


GRAPHS = """
import json, statistics, time
import opgraph
T = opgraph.data_type

def linear():
    g = opgraph.pygraph(io_data_type=T.FLOAT)
    x, w = g.tensor(dim=[1, 256, 256]), g.tensor(dim=[1, 256, 256])
    b = g.tensor(dim=[1, 1, 256])
    g.gelu(g.bias(g.matmul(x, w), b)).set_output(True)
    return g

def attention():
    g = opgraph.pygraph(io_data_type=T.BFLOAT16, intermediate_data_type=T.FLOAT)
    q, k, v = (g.tensor(dim=[2, 4, 128, 64]) for _ in range(3))
    o, s = g.sdpa(q, k, v, attn_scale=0.125, use_causal_mask=True, is_inference=True)
    o.set_output(True)
    return g

def timed(f):
    begin = time.perf_counter()
    f()
    return (time.perf_counter() - begin) * 1e3
"""


@benchmark(5, "ms")
def rank_time():
    """Ranking one graph: create_execution_plans on a validated graph."""
    samples = run_python(GRAPHS + """
samples = []
for make in (linear, attention) * 10:
    g = make()
    g.validate()
    samples.append(timed(g.create_execution_plans))
print(json.dumps(samples[2:]))
""")
    return statistics.median(samples), spread(samples)


@benchmark(1, "ms")
def validate_time():
    """Checks and inference of a graph of 12 operations: validate on a graph
    whose results have neither extents, strides nor element types."""
    samples = run_python(GRAPHS + """
def block():
    g = opgraph.pygraph(io_data_type=T.BFLOAT16, intermediate_data_type=T.FLOAT)
    x, scale = g.tensor(dim=[1, 256, 512]), g.tensor(dim=[1, 1, 512])
    w1, w2, w3 = (g.tensor(dim=[1, a, b]) for a, b in ((512, 1024), (512, 1024), (1024, 512)))
    b1, b2 = g.tensor(dim=[1, 1, 1024]), g.tensor(dim=[1, 1, 512])
    eps = g.tensor(dim=[1, 1, 1], is_pass_by_value=True, data_type=T.FLOAT)
    y, _ = g.rmsnorm(x, scale, None, eps, opgraph.norm_forward_phase.INFERENCE)
    gate = g.swish(g.bias(g.matmul(y, w1), b1))
    hidden = g.mul(gate, g.matmul(y, w2))
    out = g.add(g.bias(g.matmul(hidden, w3), b2), x)
    top = g.reduction(g.abs(out), mode=opgraph.reduction_mode.MAX, out_dims=[1, 1, 1])
    g.scale(out, g.reciprocal(top)).set_output(True)
    assert len(g.nodes) >= 12, len(g.nodes)
    return g

samples = []
for _ in range(40):
    g = block()
    samples.append(timed(g.validate))
print(json.dumps(samples[5:]))
""")
    return statistics.median(samples), spread(samples)


@benchmark(400, "ms")
def cold_build_time():
    """matmul + bias + GELU from graph to loaded plan; the compiler library is
    loaded, nothing is cached."""
    samples = run_python(GRAPHS + """
opgraph.pygraph()
samples = []
for _ in range(7):
    g = linear()
    samples.append(timed(g.build))
print(json.dumps(samples))
""")
    return statistics.median(samples), spread(samples)


@benchmark(0.2, "ms")
def new_shape_time():
    """A graph of a class that has been built, with another shape, from its first
    call to a loaded plan for an H200 (none is needed): the slowest of bias +
    GELU, softmax and layernorm, from C++."""
    done = subprocess.run([BUILD / "test" / "benchmarks" / "NewShape",
                           ROOT / "lib" / "Devices" / "h200.json"], check=True,
                          capture_output=True, text=True)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    return max(row["whole"] for row in rows) / 1e3, {"works": rows}


@benchmark(3, "x OpenBLAS time, one thread, f32 1024^3 with bias and GELU")
def gemm_against_openblas():
    """host.fused against NumPy's OpenBLAS without the epilogue, interleaved."""
    environment = {"OPENBLAS_NUM_THREADS": "1", "OPGRAPH_NUM_THREADS": "1"}
    # A core type forced on OpenBLAS would slow the peer.
    os.environ.pop("OPENBLAS_CORETYPE", None)
    os.environ.pop("OPENBLAS_L2_SIZE", None)
    result = run_python("""
import json, time, statistics
import numpy as np
import opgraph
n = 1024
g = opgraph.pygraph(io_data_type=opgraph.data_type.FLOAT)
x, w, b = g.tensor(dim=[1, n, n]), g.tensor(dim=[1, n, n]), g.tensor(dim=[1, 1, n])
y = g.gelu(g.bias(g.matmul(x, w), b)).set_output(True)
g.build()
rng = np.random.default_rng(0)
X, W, B = (rng.standard_normal(s).astype(np.float32) for s in ((1, n, n), (1, n, n), (1, 1, n)))
Y = np.empty((1, n, n), np.float32)
ws = np.empty(g.get_workspace_size(), np.uint8)
pack = {x: X, w: W, b: B, y: Y}
def timed(f):
    begin = time.perf_counter(); f(); return time.perf_counter() - begin
def ours(): g.execute(pack, ws)
def peer(): X[0] @ W[0]
for f in (ours, peer): f()
pairs = [(timed(ours), timed(peer)) for _ in range(15)]
a, p = (statistics.median(c) for c in zip(*pairs))
flops = 2 * n ** 3
print(json.dumps({"ratio": a / p, "gflops": flops / a / 1e9, "peer_gflops": flops / p / 1e9, "plan": g.get_plan_name_at_index(0)}))
""", **environment)
    return result["ratio"], result


@benchmark(120, "MB stripped")
def compiler_library_size():
    """libopgraph_compiler.so, stripped."""
    target = BUILD / "results" / "stripped.so"
    target.parent.mkdir(exist_ok=True)
    subprocess.run(["strip", "-o", target,
                    BUILD / "lib" / "libopgraph_compiler.so"], check=True)
    size = target.stat().st_size / 1e6
    target.unlink()
    return size, {}


@benchmark(30, "s")
def incremental_build_time():
    """Rebuild of everything after one pass was touched."""
    source = ROOT / "passes" / "Transforms" / "RecognizeSoftmax.cpp"
    source.touch()
    begin = time.perf_counter()
    subprocess.run(["cmake", "--build", BUILD, "-j2"], check=True,
                   stdout=subprocess.DEVNULL,
                   env={**os.environ, "CCACHE_DISABLE": "1"})
    return time.perf_counter() - begin, {"file": str(source.relative_to(ROOT))}


def commit():
    done = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT,
                          capture_output=True, text=True)
    return done.stdout.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if options.list:
        for name, (function, bar, unit) in BENCHMARKS.items():
            print(f"{name}: at most {bar} {unit}. {function.__doc__}")
        return 0
    unknown = set(options.names) - set(BENCHMARKS)
    if unknown:
        print(f"unknown: {', '.join(sorted(unknown))}; known: "
              f"{', '.join(BENCHMARKS)}", file=sys.stderr)
        return 2
    missed = 0
    (BUILD / "results").mkdir(exist_ok=True)
    with open(BUILD / "results" / "benchmarks.jsonl", "a") as log:
        for name, (function, bar, unit) in BENCHMARKS.items():
            if options.names and name not in options.names:
                continue
            value, details = function()
            holds = value <= bar
            missed += not holds
            record = {"name": name, "value": value, "bar": bar, "unit": unit,
                      "holds": holds, "commit": commit(),
                      "machine": platform.processor() or platform.machine(),
                      "cores": os.cpu_count(), **details}
            log.write(json.dumps(record) + "\n")
            print(json.dumps(record) if options.json else
                  f"{name:26} {value:10.2f} {unit} (bar {bar}) "
                  f"{'holds' if holds else 'MISSED'}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
