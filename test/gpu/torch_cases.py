# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch as a second opinion: what it computes in double precision from the same
inputs, for the operations that it has, against nvptx.pointwise on this device.

Run in an unpacked bundle: PYTHONPATH=python python3 test/gpu/torch_cases.py
"""

import sys

import opgraph
import torch

DT = opgraph.data_type
F = torch.nn.functional
ENGINE = 30000
DTYPES = {"f32": (torch.float32, DT.FLOAT), "bf16": (torch.bfloat16, DT.BFLOAT16),
          "f16": (torch.float16, DT.HALF)}
#: One rounding of the result, and the device functions' own error.
ALLOWED = {"f32": 2.0 ** -20, "bf16": 2.0 ** -8, "f16": 2.0 ** -10}
SHAPES = [(257, 1000), (3, 4099)]


def positive(x):
    return x.abs() + 0.25


def norm_scalar(graph, x):
    return graph.tensor(dim=[1] * len(x.get_dim()), stride=[1] * len(x.get_dim()),
                        data_type=DT.FLOAT, is_pass_by_value=True,
                        name="epsilon")


def inference(graph, x, op, *operands):
    phase = opgraph.norm_forward_phase.INFERENCE
    names = ("scale", "bias")[:len(operands)]
    return getattr(graph, op)(norm_forward_phase=phase, input=x,
                              **dict(zip(names, operands)),
                              epsilon=norm_scalar(graph, x))[0]


def reduced(graph, x, axis, mode):
    dim = list(x.get_dim())
    dim[axis] = 1
    return graph.reduction(x, mode=getattr(opgraph.reduction_mode, mode)) \
        .set_dim(dim).set_stride([dim[1], 1])


def softmax(graph, x):
    found = graph.softmax(x)
    return found[0] if isinstance(found, (tuple, list)) else found


#: name -> (graph, PyTorch, what is done to each input); vectors are of a row.
UNARY = {name: (lambda g, x, op=op: getattr(g, op)(x), peer, [lambda x: x])
         for name, op, peer in [
             ("relu", "relu", torch.relu), ("neg", "neg", torch.neg),
             ("abs", "abs", torch.abs), ("exp", "exp", torch.exp),
             ("tanh", "tanh", torch.tanh), ("sigmoid", "sigmoid", torch.sigmoid),
             ("erf", "erf", torch.erf), ("gelu", "gelu", F.gelu),
             ("silu", "swish", F.silu), ("softplus", "softplus", F.softplus),
             ("sin", "sin", torch.sin), ("cos", "cos", torch.cos),
             ("ceil", "ceil", torch.ceil), ("floor", "floor", torch.floor)]}
POSITIVE = {name: (lambda g, x, op=name: getattr(g, op)(x), peer, [positive])
            for name, peer in [("log", torch.log), ("sqrt", torch.sqrt),
                               ("rsqrt", torch.rsqrt),
                               ("reciprocal", torch.reciprocal)]}
BINARY = {name: (lambda g, x, y, op=name: getattr(g, op)(x, y), peer,
                 [lambda x: x, lambda x: x])
          for name, peer in [("add", torch.add), ("sub", torch.sub),
                             ("mul", torch.mul), ("max", torch.maximum),
                             ("min", torch.minimum)]}
OTHERS = {
    "div": (lambda g, x, y: g.div(x, y), torch.div, [lambda x: x, positive]),
    "softmax": (softmax, lambda x: x.softmax(-1), [lambda x: x]),
    "rmsnorm": (lambda g, x, w: inference(g, x, "rmsnorm", w),
                lambda x, w: F.rms_norm(x, w.shape[-1:], w[0], 1e-5),
                [lambda x: x, "row"]),
    "layernorm": (lambda g, x, w, b: inference(g, x, "layernorm", w, b),
                  lambda x, w, b: F.layer_norm(x, w.shape[-1:], w[0], b[0], 1e-5),
                  [lambda x: x, "row", "row"]),
    "row_sum": (lambda g, x: reduced(g, x, 1, "ADD"),
                lambda x: x.sum(1, keepdim=True), [lambda x: x]),
    "row_mean": (lambda g, x: reduced(g, x, 1, "AVG"),
                 lambda x: x.mean(1, keepdim=True), [lambda x: x]),
    "row_max": (lambda g, x: reduced(g, x, 1, "MAX"),
                lambda x: x.amax(1, keepdim=True), [lambda x: x]),
    "column_sum": (lambda g, x: reduced(g, x, 0, "ADD"),
                   lambda x: x.sum(0, keepdim=True), [lambda x: x]),
    "column_norm": (lambda g, x: reduced(g, x, 0, "NORM2"),
                    lambda x: x.norm(dim=0, keepdim=True), [lambda x: x]),
    "bias_gelu": (lambda g, x, b: g.gelu_approx_tanh(g.add(x, b)),
                  lambda x, b: F.gelu(x + b, approximate="tanh"),
                  [lambda x: x, "row"]),
    "transpose": (lambda g, x: g.transpose(x, [1, 0]), lambda x: x.t(),
                  [lambda x: x]),
}
#: Terms of either sign, which may cancel: errors are of the terms' size.
SUMS = ("row_sum", "row_mean", "column_sum", "layernorm", "bias_gelu", "add",
        "sub")
CASES = {**UNARY, **POSITIVE, **BINARY, **OTHERS}


def run_case(name, dtype, shape):
    """(largest error over what is allowed, or None where it is declined)."""
    make, peer, kinds = CASES[name]
    kind, number = DTYPES[dtype]
    torch.manual_seed(7)
    operands = []
    for prepare in kinds:
        rows = 1 if prepare == "row" else shape[0]
        values = torch.randn(rows, shape[1], device="cuda")
        operands.append((values if prepare == "row" else prepare(values)).to(kind))
    graph = opgraph.pygraph(io_data_type=number, intermediate_data_type=DT.FLOAT,
                            compute_data_type=DT.FLOAT, device="cuda")
    ports = [graph.tensor_like(t) for t in operands]
    result = make(graph, *ports)
    result.set_output(True).set_data_type(number)
    try:
        graph.validate()
        graph.create_execution_plan(ENGINE)
        graph.build_plans()
    except opgraph.cudnnGraphNotSupportedError:
        return None
    out = torch.full(result.get_dim(), float("nan"), device="cuda", dtype=kind)
    out = out.as_strided(result.get_dim(), result.get_stride())
    space = torch.empty(max(1, graph.get_workspace_size()), device="cuda",
                        dtype=torch.uint8)
    pack = dict(zip([*ports, result], [*operands, out]))
    for scalar in graph.get_inputs():
        if scalar.get_name() == "epsilon":
            pack[scalar] = torch.full((1, 1), 1e-5)
    graph.execute(pack, space)
    torch.cuda.synchronize()
    want = peer(*(t.double() for t in operands))
    scale = want.abs().max() if name in SUMS else want.abs()
    error = ((out.double() - want).abs() / (scale + 1e-3)).max().item()
    assert error == error, f"{name} {dtype} {shape}: elements were not written"
    return error / ALLOWED[dtype]


#: Reductions of many elements that have a plan with atomics beside the one whose
#: bits are the same whatever order blocks end in: (extents, axis, mode, PyTorch).
MANY = [((30011, 96), 0, "ADD", torch.sum), ((30011, 3), 0, "ADD", torch.sum),
        ((3, 70001), 1, "ADD", torch.sum),
        ((30011, 96), 0, "AMAX", lambda x, dim: x.abs().amax(dim))]


def run_many(shape, axis, mode, peer, plan):
    """(largest error over what is allowed, whether 20 runs gave the same bits) of
    the plan of knob REDUCTION_MODE = `plan`."""
    torch.manual_seed(7)
    x = torch.randn(shape, device="cuda").to(torch.bfloat16)
    graph = opgraph.pygraph(io_data_type=DT.BFLOAT16, device="cuda",
                            intermediate_data_type=DT.FLOAT,
                            compute_data_type=DT.FLOAT)
    port = graph.tensor_like(x)
    result = reduced(graph, port, axis, mode)
    result.set_output(True).set_data_type(DT.FLOAT)
    graph.validate()
    graph.create_execution_plan(ENGINE,
                                {opgraph.knob_type.REDUCTION_MODE: plan})
    graph.build_plans()
    space = torch.empty(max(1, graph.get_workspace_size()), device="cuda",
                        dtype=torch.uint8)
    runs = []
    for _ in range(20):
        out = torch.full(result.get_dim(), float("nan"), device="cuda")
        graph.execute({port: x, result: out}, space)
        runs.append(out)
    torch.cuda.synchronize()
    want = peer(x.double(), axis).reshape(result.get_dim())
    error = max(((out.double() - want).abs().max() /
                 x.double().abs().sum(axis).max()).item() for out in runs)
    assert error == error, f"{mode} {shape}: elements were not written"
    return error / ALLOWED["f32"], all(torch.equal(out, runs[0])
                                       for out in runs)


def run_all_many():
    """(passed, failed)"""
    failed = 0
    for case in MANY:
        for plan in (0, 1):
            ratio, is_same = run_many(*case, plan)
            if ratio > 1 or not (is_same or (plan and case[2] == "ADD")):
                failed += 1
                print(f"FAILED {case[2]} {case[0]} of plan {plan}: {ratio:.2f} "
                      f"of the error allowed, same bits: {is_same}")
    return 2 * len(MANY) - failed, failed


def main():
    failed = passed = declined = 0
    for name in CASES:
        for dtype in DTYPES:
            for shape in SHAPES:
                ratio = run_case(name, dtype, shape)
                if ratio is None:
                    declined += 1
                elif ratio <= 1:
                    passed += 1
                else:
                    failed += 1
                    print(f"FAILED {name} {dtype} {shape}: {ratio:.2f} of the "
                          "error allowed")
    passed, failed = map(sum, zip((passed, failed), run_all_many()))
    print(f"against PyTorch: {passed} passed, {failed} failed, {declined} "
          "declined")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
