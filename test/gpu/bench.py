# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Speed of nvptx.pointwise plans on the device that is here, as ratios in one run.

`copy` is the time of a copy of the same bytes over ours (1 = the speed of a copy),
`read` that of a read of the same bytes, for works with small results (read.mlir);
`eager` and `inductor` PyTorch's time over ours. Calls of all contestants are
interleaved in random order over rotating buffers; medians. One JSON line per row.

Run in an unpacked bundle: PYTHONPATH=python python3 test/gpu/bench.py
"""

import argparse
import json
import random
import time

import numpy as np
import opgraph
import torch
from peers import build_cudnn, reads

DT = opgraph.data_type
#: nvptx.pointwise.
ENGINE = 30000
SHAPES = [(16384, 4096), (8192, 8192), (65536, 1024), (4096, 16384)]


def build(make, tensors, dtype=DT.BFLOAT16,
          plan=lambda graph: graph.create_execution_plan(ENGINE)):
    """`dtype` of the result; None: results in f32, but those of x's extents.
    `plan` settles the engine; where it returns False there is no graph."""
    graph = opgraph.pygraph(io_data_type=DT.BFLOAT16, device="cuda",
                            intermediate_data_type=DT.FLOAT,
                            compute_data_type=DT.FLOAT)
    ports = [graph.tensor_like(t) for t in tensors]
    SCALARS.clear()
    start = time.perf_counter()
    result = make(graph, *ports)
    results = result if isinstance(result, (list, tuple)) else [result]
    for one in results:
        whole = dtype or one.get_dim() == ports[0].get_dim()
        one.set_output(True).set_data_type(DT.BFLOAT16 if whole else DT.FLOAT)
    graph.validate()
    graph.build_operation_graph()
    if plan(graph) is False:
        return None
    graph.build_plans()
    return graph, ports, result, (time.perf_counter() - start) * 1e3


#: By-value operands of the graph that is being built: tensor -> value.
SCALARS = {}


def make_epsilon(graph):
    scalar = graph.tensor(dim=[1, 1], stride=[1, 1], data_type=DT.FLOAT,
                          is_pass_by_value=True)
    SCALARS[scalar] = torch.full((1, 1), 1e-5)
    return scalar


def rms(graph, x, scale):
    y, _ = graph.rmsnorm(
        norm_forward_phase=opgraph.norm_forward_phase.INFERENCE, input=x,
        scale=scale, epsilon=make_epsilon(graph))
    return y


def layer(graph, x, scale, bias):
    y, _, _ = graph.layernorm(
        norm_forward_phase=opgraph.norm_forward_phase.INFERENCE, input=x,
        scale=scale, bias=bias, epsilon=make_epsilon(graph))
    return y


F = torch.nn.functional
#: Works that cuDNN has plans for.
NORMS = ("rmsnorm", "layernorm")
#: name -> (graph, PyTorch, number of row vectors)
WORK = {
    "bias_gelu": (lambda g, x, b: g.gelu_approx_tanh(g.add(x, b)),
                  lambda x, b: F.gelu(x + b, approximate="tanh"), 1),
    "silu": (lambda g, x: g.swish(x), F.silu, 0),
    "softmax": (lambda g, x: softmax(g, x), lambda x: x.softmax(-1), 0),
    "rmsnorm": (rms, lambda x, w: F.rms_norm(x, w.shape[-1:], w[0], 1e-5), 1),
    "layernorm": (layer, lambda x, w, b: F.layer_norm(
        x, w.shape[-1:], w[0], b[0], 1e-5), 2),
    "row_sum": (lambda g, x: g.reduction(
        x, mode=opgraph.reduction_mode.ADD).set_dim([x.get_dim()[0], 1])
        .set_stride([1, 1]), lambda x: x.sum(-1, keepdim=True), 0),
    "column_sum": (lambda g, x: g.reduction(
        x, mode=opgraph.reduction_mode.ADD).set_dim([1, x.get_dim()[1]])
        .set_stride([x.get_dim()[1], 1]), lambda x: x.sum(0, keepdim=True), 0),
}




def reduce(g, x, axes, mode="ADD"):
    dim = [1 if axis in axes else extent
           for axis, extent in enumerate(x.get_dim())]
    stride = [int(np.prod(dim[axis + 1:])) for axis in range(len(dim))]
    return g.reduction(x, mode=getattr(opgraph.reduction_mode, mode)) \
        .set_dim(dim).set_stride(stride)


def square(g, x):
    return g.mul(x, x).set_dim(x.get_dim()).set_stride(x.get_stride())


def sums(g, x):
    return [reduce(g, x, [0]), reduce(g, square(g, x), [0])]


def statistics(g, x):
    mean, squares = (reduce(g, t, [0, 2, 3]) for t in (x, square(g, x)))
    return [mean, squares]


#: Reductions with few results: name -> (graph, PyTorch, shapes).
REDUCTIONS = {
    "columns": (lambda g, x: [reduce(g, x, [0])], lambda x: [x.sum(0)],
                [(16384, 4096), (8192, 8192), (65536, 1024), (4096, 16384),
                 (2 ** 20, 64), (2 ** 23, 8), (2 ** 25, 2), (20000000, 3),
                 (670000, 100), (4096, 1024)]),
    "columns_f32": (lambda g, x: [reduce(g, x, [0])], lambda x: [x.sum(0)],
                    [(16384, 2048), (2 ** 20, 32), (2 ** 23, 4)]),
    "scalar": (lambda g, x: [reduce(g, x, [0, 1])], lambda x: [x.sum()],
               [(2 ** 13, 2 ** 13), (2 ** 10, 2 ** 10), (8191, 8191)]),
    "scalar_max": (lambda g, x: [reduce(g, x, [0, 1], "MAX")],
                   lambda x: [x.max()], [(2 ** 13, 2 ** 13)]),
    "rows": (lambda g, x: [reduce(g, x, [1])], lambda x: [x.sum(1)],
             [(16, 2 ** 22), (200, 2 ** 18), (1000, 65536), (3, 20000001)]),
    "two_sums": (sums, lambda x: [x.sum(0), (x * x).sum(0)],
                 [(16384, 4096), (65536, 1024)]),
    "statistics": (statistics, lambda x: [x.sum((0, 2, 3)),
                                          (x * x).sum((0, 2, 3))],
                   [(64, 256, 64, 64), (64, 256, 56, 56), (256, 64, 64, 64)]),
    "statistics_last": (statistics, lambda x: [x.sum((0, 2, 3)),
                                               (x * x).sum((0, 2, 3))],
                        [(64, 256, 64, 64), (256, 64, 64, 64)]),
}


def reduction_row(name, shape):
    make, peer, _ = REDUCTIONS[name]
    dtype = torch.float32 if name.endswith("f32") else torch.bfloat16
    form = torch.channels_last if name.endswith("_last") else \
        torch.contiguous_format
    xs = [torch.randn(shape, device="cuda", dtype=dtype).to(memory_format=form)
          for _ in range(3)]
    graph, ports, results, cold = build(make, xs[:1], None)
    outs = []
    for _ in range(3):
        made = {}
        for result in results:
            kind = torch.float32 if result.get_data_type() == DT.FLOAT else \
                torch.bfloat16
            made[result] = torch.empty(
                result.get_dim(), device="cuda", dtype=kind).as_strided(
                    result.get_dim(), result.get_stride())
        outs.append(made)
    workspace = torch.empty(max(1, graph.get_workspace_size()), device="cuda",
                            dtype=torch.uint8)
    packs = [dict(zip(ports, [x])) | made
             for x, made in zip(xs, outs)]
    graph.execute(packs[0], workspace)
    error = 0
    for result, want in zip(results, peer(xs[0].double())):
        got = outs[0][result].double().flatten()
        want = want.expand(result.get_dim()) if want.dim() > 1 else want
        want = want.flatten()
        error = max(error, ((got - want).norm() / want.norm()).item())
    moved = xs[0].numel() * xs[0].element_size() + sum(
        t.numel() * t.element_size() for t in outs[0].values())
    moved = -(-moved // 512) * 512  # halves that copy as fast as any
    halves = [torch.empty(2, moved // 4, device="cuda", dtype=torch.bfloat16)
              for _ in range(3)]
    calls = {
        "ours": lambda i: graph.execute(packs[i % 3], workspace),
        "copy": lambda i: halves[i % 3][1].copy_(halves[i % 3][0]),
        "eager": lambda i: peer(xs[i % 3])}
    if is_read(moved, xs[0]):
        calls |= reads(halves, moved)
    times = measure(calls, repeats=5)
    return {"work": name, "shape": "x".join(map(str, shape)),
            "us": round(times["ours"], 1),
            "GB/s": round(moved / times["ours"] / 1e3),
            "copy": round(times["copy"] / times["ours"], 3), **read_share(times),
            "eager": round(times["eager"] / times["ours"], 2),
            "error": float(f"{error:.2e}"), "cold_ms": round(cold, 1)}


def is_read(moved, x):
    """Whether next to nothing of what moves is written."""
    return moved < 1.1 * x.numel() * x.element_size()


def read_share(times):
    found = [time for name, time in times.items() if name.startswith("read")]
    return {"read": round(min(found) / times["ours"], 3)} if found else {}


def softmax(g, x):
    found = g.softmax(x)
    return found[0] if isinstance(found, (tuple, list)) else found


def measure(calls, repeats=7, inner=8):
    """Median microseconds of each."""
    times = {name: [] for name in calls}
    for call in calls.values():
        for i in range(3):
            call(i)
    torch.cuda.synchronize()
    for _ in range(repeats):
        names = list(calls)
        random.shuffle(names)
        for name in names:
            begin, end = (torch.cuda.Event(enable_timing=True)
                          for _ in range(2))
            for i in range(2):  # a busy GPU: no host's start counts
                calls[name](i)
            begin.record()
            for i in range(inner):
                calls[name](i)
            end.record()
            end.synchronize()
            times[name].append(begin.elapsed_time(end) * 1e3 / inner)
    return {name: sorted(v)[len(v) // 2] for name, v in times.items()}


def cudnn_call(name, xs, extra, ys):
    """The same graph through cuDNN: {"cudnn": call}, or {} where it takes none."""
    made = build(WORK[name][0], [xs[0], *extra], plan=build_cudnn)
    if not made:
        return {}
    graph, ports, result, _ = made
    workspace = torch.empty(max(1, graph.get_workspace_size()), device="cuda",
                            dtype=torch.uint8)
    packs = [dict(zip([*ports, result], [x, *extra, y])) | SCALARS
             for x, y in zip(xs, ys)]
    return {"cudnn": lambda i: graph.execute(packs[i % 3], workspace)}


def row(name, shape, compare_inductor):
    make, peer, vectors = WORK[name]
    m, n = shape
    xs = [torch.randn(m, n, device="cuda", dtype=torch.bfloat16)
          for _ in range(3)]
    extra = [torch.randn(1, n, device="cuda", dtype=torch.bfloat16)
             for _ in range(vectors)]
    graph, ports, result, cold = build(make, [xs[0], *extra])
    dim = result.get_dim()
    ys = [torch.full(dim, float("nan"), device="cuda", dtype=torch.bfloat16)
          for _ in range(3)]
    workspace = torch.empty(max(1, graph.get_workspace_size()), device="cuda",
                            dtype=torch.uint8)
    packs = [dict(zip([*ports, result], [x, *extra, y])) | SCALARS
             for x, y in zip(xs, ys)]
    graph.execute(packs[0], workspace)
    want = peer(*(t.double() for t in (xs[0], *extra)))
    error = ((ys[0].double() - want).norm() / want.norm()).item()
    moved = xs[0].numel() + ys[0].numel()
    halves = [torch.empty(2, moved // 2, device="cuda", dtype=torch.bfloat16)
              for _ in range(3)]
    calls = {
        "ours": lambda i: graph.execute(packs[i % 3], workspace),
        "copy": lambda i: halves[i % 3][1].copy_(halves[i % 3][0]),
        "eager": lambda i: peer(xs[i % 3], *extra)}
    if compare_inductor:
        compiled = torch.compile(peer, dynamic=False)
        calls["inductor"] = lambda i: compiled(xs[i % 3], *extra)
    if is_read(moved * 2, xs[0]):
        calls |= reads(halves, moved * 2)
    if name in NORMS:
        calls |= cudnn_call(name, xs, extra, ys)
    times = measure(calls)
    start = time.perf_counter()
    for i in range(200):
        graph.execute(packs[i % 3], workspace)
    host = (time.perf_counter() - start) / 200 * 1e6
    torch.cuda.synchronize()
    return {"work": name, "shape": f"{m}x{n}", "us": round(times["ours"], 1),
            "GB/s": round(moved * 2 / times["ours"] / 1e3),
            "copy": round(times["copy"] / times["ours"], 3), **read_share(times),
            **{other: round(times[other] / times["ours"], 2)
               for other in ("eager", "inductor", "cudnn") if other in times},
            "error": float(f"{error:.2e}"), "cold_ms": round(cold, 1),
            "host_us": round(host, 1)}


def show(found, path):
    """Prints a row, and appends it to the file `path` where one is given."""
    print("  ".join(f"{k} {v}" for k, v in found.items()), flush=True)
    if path:
        with open(path, "a") as file:
            file.write(json.dumps(found) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "work", nargs="*", help=f"of {', '.join([*WORK, *REDUCTIONS])}; "
        "'reductions' for all of those with few results")
    parser.add_argument("--inductor", action="store_true",
                        help="compare with torch.compile too")
    parser.add_argument("--json", metavar="FILE", help="append the rows there")
    chosen = parser.parse_args()
    torch.manual_seed(0)
    names = chosen.work or [*WORK, *REDUCTIONS]
    if names == ["reductions"]:
        names = list(REDUCTIONS)
    for name in names:
        for shape in SHAPES if name in WORK else REDUCTIONS[name][2]:
            try:
                found = row(name, shape, chosen.inductor) if name in WORK \
                    else reduction_row(name, shape)
            except Exception as error:  # show the others
                found = {"work": name, "shape": shape,
                         "failed": f"{type(error).__name__}: {error}"[:300]}
            show(found, chosen.json)


if __name__ == "__main__":
    main()
