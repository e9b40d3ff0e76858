# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Speed of norms and softmax over what does not fit a block, and of their backward
passes, as ratios in one run.

`copy` is the time of a copy of what must move at least (each tensor once) over ours,
`floor_copy` of what must move where the data do not fit on the chip (inputs twice,
results once). `eager` is PyTorch's time over ours. One JSON line per row.

Run in an unpacked bundle: PYTHONPATH=python python3 test/gpu/bench_norms.py
"""

import argparse
import dataclasses
import time

import numpy as np
import opgraph
import torch
from bench import DT, ENGINE, measure, show

F = torch.nn.functional
aten = torch.ops.aten
EPSILON = 1e-5
BF16, F32 = torch.bfloat16, torch.float32


def rows_of(x):
    """Extents of one number for each row of `x`."""
    return (*x.shape[:-1], 1)


def channels_of(x):
    return (1, x.shape[1], *[1] * (x.dim() - 2))


#: By-value operands of the graph that is being built: tensor -> value.
SCALARS = {}


def scalar(g, rank):
    port = g.tensor(dim=[1] * rank, stride=[1] * rank, data_type=DT.FLOAT,
                    is_pass_by_value=True)
    SCALARS[port] = torch.full((1,) * rank, EPSILON)
    return port


@dataclasses.dataclass
class Work:
    #: (graph, ports) -> results; the first one has the extents of x.
    make: object
    #: (tensors) -> results.
    peer: object
    shapes: list
    #: Whole tensors: x, and of a gradient dy before it.
    wholes: int = 1
    #: x -> small tensors.
    extra: object = lambda x: []
    #: Whether the elements that are combined do not fit on the chip.
    is_long: bool = False
    form: object = torch.contiguous_format


def of_columns(count):
    return lambda x: [torch.randn(1, x.shape[-1], device="cuda", dtype=BF16)
                      for _ in range(count)]


def row_statistics(x):
    mean = x.float().mean(-1, keepdim=True)
    inverse = (x.float().var(-1, unbiased=False, keepdim=True)
               + EPSILON).rsqrt()
    return mean, inverse


def channel_statistics(x):
    axes = [axis for axis in range(x.dim()) if axis != 1]
    mean = x.float().mean(axes, keepdim=True)
    inverse = (x.float().var(axes, unbiased=False, keepdim=True)
               + EPSILON).rsqrt()
    return mean, inverse


def layer(g, x, scale, bias):
    return g.layernorm(x, scale, bias, scalar(g, 2), norm_forward_phase=opgraph
                       .norm_forward_phase.INFERENCE)[:1]


def rms(g, x, scale):
    return g.rmsnorm(x, scale, None, scalar(g, 2), norm_forward_phase=opgraph
                     .norm_forward_phase.INFERENCE)[:1]


def softmax(g, x):
    found = g.softmax(x)
    return [found[0] if isinstance(found, (tuple, list)) else found]


def softmax_gradient(g, dy, y):
    sums = g.reduction(g.mul(dy, y), mode=opgraph.reduction_mode.ADD)
    sums.set_dim([*y.get_dim()[:-1], 1]).set_stride([1, 1])
    return [g.mul(y, g.sub(dy, sums))]


def layer_gradient(dy, x, w, mean, inverse):
    found = aten.native_layer_norm_backward(
        dy, x, [x.shape[-1]], mean, inverse, w[0], w[0], [True] * 3)
    return found


def rms_gradient(dy, x, w, inverse):
    return aten._fused_rms_norm_backward(dy, x, [x.shape[-1]], inverse, w[0],
                                         [True, True])


def batch_gradient(dy, x, w, mean, inverse):
    return aten.native_batch_norm_backward(
        dy, x, w.flatten(), None, None, mean.flatten(), inverse.flatten(), True,
        EPSILON, [True] * 3)


def channel_extra(x):
    return [torch.rand(channels_of(x), device="cuda", dtype=F32)
            for _ in range(2)]


IMAGES = [(64, 256, 64, 64), (256, 64, 64, 64)]
LONG = [(16, 2 ** 22), (200, 2 ** 18)]
SHARED = [(2048, 32768), (1024, 65536), (512, 131072)]
ROWS = [(16384, 4096), (8192, 8192), (4096, 16384)]


def batch(form):
    return Work(
        lambda g, x, w, b: g.batchnorm(x, w, b, None, None, scalar(g, 4))[:3],
        lambda x, w, b: [F.batch_norm(x, None, None, w.flatten(), b.flatten(),
                                      True, .1, EPSILON)],
        IMAGES, extra=channel_extra, is_long=True, form=form)


def batch_backward(form):
    return Work(
        lambda g, *ports: g.batchnorm_backward(*ports), batch_gradient, IMAGES,
        wholes=2, is_long=True, form=form,
        extra=lambda x: [channel_extra(x)[0], *channel_statistics(x)])


def over_rows(make, peer, extra, shapes, is_long=False, wholes=1):
    return Work(make, peer, shapes, wholes=wholes, extra=extra, is_long=is_long)


FORWARD = {
    "softmax": (softmax, lambda x: [x.softmax(-1)], lambda x: []),
    "layernorm": (layer, lambda x, w, b: [F.layer_norm(
        x, w.shape[-1:], w[0], b[0], EPSILON)], of_columns(2)),
    "rmsnorm": (rms, lambda x, w: [F.rms_norm(x, w.shape[-1:], w[0], EPSILON)],
                of_columns(1)),
}
BACKWARD = {
    "softmax": (softmax_gradient, lambda dy, y: [aten._softmax_backward_data(
        dy, y, -1, BF16)], lambda x: []),
    "layernorm": (lambda g, *ports: g.layernorm_backward(*ports), layer_gradient,
                  lambda x: [of_columns(1)(x)[0], *row_statistics(x)]),
    "rmsnorm": (lambda g, *ports: [
        one for one in g.rmsnorm_backward(*ports, has_dbias=False) if one],
        rms_gradient,
        lambda x: [of_columns(1)(x)[0], row_statistics(x)[1]]),
}
LAST = torch.channels_last
WORK = {"batchnorm": batch(torch.contiguous_format),
        "batchnorm_last": batch(LAST),
        "batchnorm_backward": batch_backward(torch.contiguous_format),
        "batchnorm_backward_last": batch_backward(LAST)}
for _name, _parts in FORWARD.items():
    WORK[f"{_name}_shared"] = over_rows(*_parts, SHARED)
    WORK[f"{_name}_long"] = over_rows(*_parts, LONG, is_long=True)
for _name, _parts in BACKWARD.items():
    WORK[f"{_name}_backward"] = over_rows(*_parts, ROWS, wholes=2)
    WORK[f"{_name}_backward_shared"] = over_rows(*_parts, SHARED[-1:], wholes=2)
    WORK[f"{_name}_backward_long"] = over_rows(*_parts, LONG[:1], True, 2)


def build(work, tensors):
    """(graph, ports, results, by-value operands, ms)."""
    g = opgraph.pygraph(io_data_type=DT.BFLOAT16, device="cuda",
                        intermediate_data_type=DT.FLOAT,
                        compute_data_type=DT.FLOAT)
    SCALARS.clear()
    ports = [g.tensor_like(t) for t in tensors]
    start = time.perf_counter()
    results = list(work.make(g, *ports))
    for number, result in enumerate(results):
        result.set_output(True).set_data_type(
            DT.FLOAT if number else DT.BFLOAT16)
    results[0].set_dim(ports[0].get_dim()).set_stride(ports[0].get_stride())
    g.validate()
    g.build_operation_graph()
    g.create_execution_plan(ENGINE)
    g.build_plans()
    return g, ports, results, dict(SCALARS), (time.perf_counter() - start) * 1e3


def differ(results, wants):
    """The largest relative error of the results that the peer has too."""
    error = 0
    for got, want in zip(results, wants):
        want = want.double().flatten()
        error = max(error, ((got.double().flatten() - want).norm()
                            / want.norm()).item())
    return error


def in_f32(work, tensors):
    """The peer's results; in the tensors' own types where it takes no others."""
    try:
        return work.peer(*(t.float() for t in tensors))
    except RuntimeError:
        return work.peer(*tensors)


def run(name, shape):
    work = WORK[name]
    sets = []
    for _ in range(3):
        wholes = [torch.randn(shape, device="cuda", dtype=BF16).to(
            memory_format=work.form) for _ in range(work.wholes)]
        if name.startswith("softmax_backward"):
            wholes[-1] = wholes[-1].softmax(-1)
        sets.append([*wholes, *work.extra(wholes[-1])])
    graph, ports, results, scalars, cold = build(work, sets[0])
    outs = [[torch.empty(result.get_dim(), device="cuda",
                         dtype=F32 if number else BF16).as_strided(
                             result.get_dim(), result.get_stride())
             for number, result in enumerate(results)] for _ in range(3)]
    workspace = torch.empty(max(1, graph.get_workspace_size()), device="cuda",
                            dtype=torch.uint8)
    packs = [dict(zip(ports, tensors)) | dict(zip(results, made)) | scalars
             for tensors, made in zip(sets, outs)]
    graph.execute(packs[0], workspace)
    error = differ(outs[0], in_f32(work, sets[0]))
    read = work.wholes * 2 * int(np.prod(shape))
    written = 2 * int(np.prod(shape))
    halves = [torch.empty(2, (read + written) // 4, device="cuda", dtype=BF16)
              for _ in range(3)]
    times = measure({
        "ours": lambda i: graph.execute(packs[i % 3], workspace),
        "copy": lambda i: halves[i % 3][1].copy_(halves[i % 3][0]),
        "eager": lambda i: work.peer(*sets[i % 3])}, repeats=5)
    copy = times["copy"] / times["ours"]
    floor = (2 * read + written) / (read + written)
    return {"work": name, "shape": "x".join(map(str, shape)),
            "us": round(times["ours"], 1),
            "GB/s": round((read + written) / times["ours"] / 1e3),
            "copy": round(copy, 3),
            **({"floor_copy": round(copy * floor, 3)} if work.is_long else {}),
            "eager": round(times["eager"] / times["ours"], 2),
            "error": float(f"{error:.2e}"), "cold_ms": round(cold, 1)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("work", nargs="*", help=f"of {', '.join(WORK)}")
    parser.add_argument("--json", metavar="FILE", help="append the rows there")
    chosen = parser.parse_args()
    torch.manual_seed(0)
    for name in chosen.work or WORK:
        for shape in WORK[name].shapes:
            try:
                found = run(name, shape)
            except Exception as error:  # show the others
                found = {"work": name, "shape": shape,
                         "failed": f"{type(error).__name__}: {error}"[:300]}
            torch.cuda.empty_cache()
            show(found, chosen.json)


if __name__ == "__main__":
    main()
