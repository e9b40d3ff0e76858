# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Speed of nvptx.pointwise plans that change the order of memory, as bench.py.

Run in an unpacked bundle: PYTHONPATH=python:test/gpu python3 test/gpu/bench_layouts.py
"""

import argparse
import time

import opgraph
import torch
from bench import measure, show

DT = opgraph.data_type
F = torch.nn.functional
TYPES = {"bf16": (torch.bfloat16, DT.BFLOAT16), "f32": (torch.float32, DT.FLOAT),
         "f16": (torch.float16, DT.HALF), "i8": (torch.int8, DT.INT8)}


def packed(dims):
    strides, step = [], 1
    for extent in reversed(dims):
        strides.insert(0, step)
        step *= extent
    return strides


def permuted(axes):
    return (lambda g, x: g.transpose(x, axes),
            lambda x: x.permute(axes).contiguous())


def rotate(graph, x, angles):
    return graph.rope(x, angles, 1.0, x.get_dim()[3])


def rotate_peer(x, angles):
    t = angles[:, 0, 0, :]
    half = x.shape[3] // 2
    lo, hi = x[..., :half], x[..., half:]
    return torch.cat([lo * t[:, :half].cos() - hi * t[:, :half].sin(),
                      hi * t[:, half:].cos() + lo * t[:, half:].sin()],
                     -1).to(x.dtype)


def join(graph, x, y):
    return graph.concatenate(1, inputs=[x, y])


def gate(graph, x):
    rows, columns = x.get_dim()
    low, high = (graph.slice(x, [slice(0, rows), slice(
        i * columns // 2, (i + 1) * columns // 2)]) for i in (0, 1))
    return graph.mul(graph.swish(low), high)


#: name -> (graph and PyTorch, shapes of the inputs by shape)
WORK = {
    "transpose": (*permuted([1, 0]), [
        (8192, 8192), (16384, 4096), (4096, 16384), (65536, 1024),
        (8200, 8192), (8191, 8191), (1000, 70000)]),
    "batched": (*permuted([0, 2, 1]), [(64, 1024, 1024), (64, 2048, 512)]),
    "to_last": (*permuted([0, 2, 3, 1]), [(64, 256, 56, 56), (64, 64, 112, 112)]),
    "from_last": (*permuted([0, 3, 1, 2]), [(64, 56, 56, 256)]),
    "heads": (*permuted([0, 2, 1, 3]), [(16, 2048, 16, 128)]),
    "bias_turned": (lambda g, x, b: g.relu(g.add(g.transpose(x, [1, 0]), b)),
                    lambda x, b: torch.relu(x.t() + b).contiguous(),
                    [(8192, 8192)]),
    "added_turned": (lambda g, x, y: g.add(g.transpose(x, [1, 0]), y),
                     lambda x, y: x.t() + y, [(8192, 8192)]),
    "concatenate": (join, lambda x, y: torch.cat([x, y], 1), [(8192, 4096)]),
    "gate": (gate, lambda x: F.silu(x[:, :x.shape[1] // 2]) *
             x[:, x.shape[1] // 2:], [(8192, 8192)]),
    "rope": (rotate, rotate_peer, [(4, 32, 4096, 128)]),
}


def extra_of(name, x):
    if name == "bias_turned":
        return [torch.randn(1, x.shape[0], device="cuda").to(x.dtype)]
    if name == "added_turned":
        return [torch.randn(x.shape[1], x.shape[0], device="cuda").to(x.dtype)]
    if name == "concatenate":
        return [torch.randn_like(x)]
    if name == "rope":
        half = torch.rand(x.shape[2], 1, 1, x.shape[3] // 2, device="cuda") * 9
        return [torch.cat([half, half], -1)]
    return []


def build(name, dtype, tensors):
    graph = opgraph.pygraph(io_data_type=TYPES[dtype][1], device="cuda",
                            intermediate_data_type=DT.FLOAT,
                            compute_data_type=DT.FLOAT)
    ports = [graph.tensor_like(t) for t in tensors]
    result = WORK[name][0](graph, *ports)
    result.set_output(True).set_data_type(TYPES[dtype][1])
    graph.validate()
    dims = result.get_dim()
    result.set_stride(packed(dims))
    graph.validate()
    graph.build_operation_graph()
    graph.create_execution_plans([opgraph.heur_mode.A])
    graph.build_plans()
    return graph, ports, result, dims


def row(name, dtype, shape, inductor, repeats):
    torch_type = TYPES[dtype][0]
    xs = [torch.randint(-100, 100, shape, device="cuda", dtype=torch_type)
          if dtype == "i8" else
          torch.randn(shape, device="cuda").to(torch_type) for _ in range(3)]
    extra = extra_of(name, xs[0])
    start = time.perf_counter()
    graph, ports, result, dims = build(name, dtype, [xs[0], *extra])
    cold = (time.perf_counter() - start) * 1e3
    ys = [torch.empty(dims, device="cuda", dtype=torch_type).fill_(77)
          for _ in range(3)]
    workspace = torch.empty(max(1, graph.get_workspace_size()), device="cuda",
                            dtype=torch.uint8)
    packs = [dict(zip([*ports, result], [x, *extra, y]))
             for x, y in zip(xs, ys)]
    graph.execute(packs[0], workspace)
    peer = WORK[name][1]
    want = peer(xs[0], *extra)
    error = "equal" if torch.equal(ys[0], want) else float("%.2e" % (
        (ys[0].double() - want.double()).norm() / want.double().norm()))
    moved = ys[0].nbytes + xs[0].nbytes + sum(t.nbytes for t in extra)
    halves = [torch.empty(2, moved // 2, device="cuda", dtype=torch.uint8)
              for _ in range(3)]
    calls = {"ours": lambda i: graph.execute(packs[i % 3], workspace),
             "copy": lambda i: halves[i % 3][1].copy_(halves[i % 3][0]),
             "eager": lambda i: peer(xs[i % 3], *extra)}
    if inductor:
        torch._dynamo.reset()  # else the ninth shape runs eagerly
        compiled = torch.compile(peer, dynamic=False)
        calls["inductor"] = lambda i: compiled(xs[i % 3], *extra)
    times = measure(calls, repeats=repeats)
    return {"work": name, "dtype": dtype, "shape": "x".join(map(str, shape)),
            "us": round(times["ours"], 1),
            "GB/s": round(moved / times["ours"] / 1e3),
            **{who: round(time_of / times["ours"], 3)
               for who, time_of in times.items() if who != "ours"},
            "error": error, "cold_ms": round(cold, 1)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("work", nargs="*", help=f"of {', '.join(WORK)}")
    parser.add_argument("--dtypes", default="bf16,f32")
    parser.add_argument("--inductor", action="store_true",
                        help="compare with torch.compile too")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--first", action="store_true",
                        help="the first shape of each only")
    parser.add_argument("--json", metavar="FILE", help="append the rows there")
    chosen = parser.parse_args()
    torch.manual_seed(0)
    for name in chosen.work or WORK:
        for dtype in chosen.dtypes.split(","):
            for shape in WORK[name][2][:1 if chosen.first else None]:
                try:
                    found = row(name, dtype, shape, chosen.inductor,
                                chosen.repeats)
                except Exception as error:  # show the others
                    found = {"work": name, "dtype": dtype, "shape": shape,
                             "failed": f"{type(error).__name__}: {error}"[:300]}
                show(found, chosen.json)


if __name__ == "__main__":
    main()
