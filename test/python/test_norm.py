# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layer norm, RMS norm and softmax on every engine against NumPy."""

import numpy as np
import opgraph
import pytest

from formulas import tensor as f
from support import graphs, table
from support.compare import assert_close
from support.dtypes import OPGRAPH, convert, round_to, widen

INFERENCE = opgraph.norm_forward_phase.INFERENCE
TRAINING = opgraph.norm_forward_phase.TRAINING
EPSILON = 1e-5
#: edge -> (x, scale, normalised axes)
SHAPES = {"plain": ((6, 40, 1, 1), (1, 40, 1, 1), (1,)),
          "[B, S, D]": ((2, 3, 65), (1, 1, 65), (2,)),
          "several axes": ((4, 5, 6), (1, 5, 6), (1, 2)),
          "size 1": ((3, 1, 1), (1, 1, 1), None),
          "long row": ((2, 1025), (1, 1025), (1,)),
          "size 0": ((0, 8), (1, 8), (1,))}
#: result dtype -> (ulps, absolute)
TOLERANCE = {"f64": (8, 1e-13), "f32": (16, 4e-6), "f16": (1, 4e-6),
             "bf16": (1, 4e-6)}


def check(engine, op, x, scale, bias, axes, phase, dtype, compute):
    graph = graphs.new_graph(dtype, "f32", compute)
    tx = graphs.declare(graph, x)
    pack = {tx: x}

    def operand(array):
        if array is None:
            return None
        tensor = graphs.declare(graph, array)
        pack[tensor] = array
        return tensor
    ts, tb = operand(scale), operand(bias)
    eps = np.full([1] * x.ndim, EPSILON, np.float32)
    te = graphs.declare(graph, eps, is_pass_by_value=True)
    pack[te] = eps
    results = getattr(graph, op)(tx, ts, tb, te, phase)
    wanted = [r for r in results if r is not None]
    stats = "f64" if compute == "f64" else "f32"
    for stat in wanted[1:]:
        stat.set_data_type(OPGRAPH[stats])
    got = graphs.run(graph, pack, wanted, engine)
    with np.errstate(all="ignore"):
        want = getattr(f, op)(
            widen(x), None if scale is None else widen(scale),
            None if bias is None else widen(bias), np.float64(eps.flat[0]), axes)
    if phase is INFERENCE:
        assert len(got) == 1
        want = want[:1]
    for index, (a, w) in enumerate(zip(got, want)):
        name = dtype if index == 0 else stats
        ulps, absolute = TOLERANCE[name]
        assert_close(a, convert(w, name), ulps=ulps, absolute=absolute,
                     what=f"{op} result {index} {graphs.ENGINES[engine]}")


@pytest.mark.parametrize("engine", graphs.ENGINES)
@pytest.mark.parametrize("op", ["layernorm", "rmsnorm"])
@pytest.mark.parametrize("phase", [INFERENCE, TRAINING], ids=str)
@pytest.mark.parametrize("dtype", ["f32", "bf16", "f16", "f64"])
@pytest.mark.parametrize("edge", SHAPES)
def test_norm(engine, op, phase, dtype, edge):
    shape, scale_shape, axes = SHAPES[edge]
    if axes is None:
        table.not_applicable(op, dtype, edge, "no axis has an extent above 1")
        return
    rng = np.random.default_rng(len(edge))
    x = round_to(rng.normal(1, 2, shape), dtype)
    scale = round_to(rng.uniform(0.5, 2, scale_shape), "f32")
    bias = round_to(rng.uniform(-1, 1, scale_shape), "f32")
    with table.cell(op, dtype, edge):
        check(engine, op, x, scale, bias, axes, phase, dtype,
              "f64" if dtype == "f64" else "f32")


@pytest.mark.parametrize("engine", graphs.ENGINES)
@pytest.mark.parametrize("op", ["layernorm", "rmsnorm"])
@pytest.mark.parametrize("with_scale", [True, False])
def test_optional_operands(engine, op, with_scale):
    rng = np.random.default_rng(1)
    x = round_to(rng.normal(size=(5, 24)), "f32")
    scale = round_to(rng.uniform(0.5, 2, (1, 24)), "f32") if with_scale else None
    check(engine, op, x, scale, None, (1,), TRAINING, "f32", "f32")


@pytest.mark.parametrize("engine", graphs.ENGINES)
def test_variance_is_stable(engine):
    """A large mean must not eat the variance."""
    rng = np.random.default_rng(2)
    x = round_to(10000 + rng.normal(size=(3, 64)), "f32")
    graph = graphs.new_graph()
    tx = graphs.declare(graph, x)
    eps = np.full((1, 1), EPSILON, np.float32)
    te = graphs.declare(graph, eps, is_pass_by_value=True)
    results = graph.layernorm(tx, None, None, te, TRAINING)
    got = graphs.run(graph, {tx: x, te: eps}, results, engine)
    want = f.layernorm(widen(x), None, None, float(eps.flat[0]), (1,))
    assert_close(got[2], convert(want[2], "f32"), ulps=2 ** 12)


@pytest.mark.parametrize("engine", graphs.ENGINES)
@pytest.mark.parametrize("op", ["layernorm", "rmsnorm"])
def test_channels_last_input(engine, op):
    rng = np.random.default_rng(3)
    x = round_to(rng.normal(size=(2, 3, 4, 5)), "f32").transpose(0, 3, 1, 2)
    scale = round_to(rng.uniform(0.5, 2, (1, 5, 3, 4)), "f32")
    with table.cell(op, "f32", "strided"):
        check(engine, op, x, scale, None, (1, 2, 3), TRAINING, "f32", "f32")


def run_softmax(engine, x, dtype):
    graph = graphs.new_graph(dtype, "f32", "f64" if dtype == "f64" else "f32")
    tx = graphs.declare(graph, x)
    results = graph.softmax(tx, generate_stats=True)
    stats = results[1].set_data_type(
        OPGRAPH["f64" if dtype == "f64" else "f32"])
    return graphs.run(graph, {tx: x}, [results[0], stats], engine)


@pytest.mark.parametrize("engine", graphs.ENGINES)
@pytest.mark.parametrize("dtype", ["f32", "bf16", "f16", "f64"])
@pytest.mark.parametrize("edge, shape", [
    ("plain", (7, 33)), ("size 1", (1, 1)), ("size 0", (0, 3)),
    ("long row", (2, 1025)), ("rank 4", (2, 3, 4, 9))])
def test_softmax(engine, dtype, edge, shape):
    x = round_to(np.random.default_rng(4).normal(0, 3, shape), dtype)
    with table.cell("softmax", dtype, edge):
        got = run_softmax(engine, x, dtype)
        want = f.softmax(widen(x))
        for a, w, name in zip(got, want, (dtype, "f64" if dtype == "f64" else "f32")):
            ulps, absolute = TOLERANCE[name]
            assert_close(a, convert(w, name), ulps=ulps, absolute=absolute)


@pytest.mark.parametrize("engine", graphs.ENGINES)
def test_softmax_masked_rows(engine):
    x = np.zeros((4, 9), np.float32)
    x[0] = -np.inf
    x[1, 3:] = -np.inf
    x[2] = 1e38
    with table.cell("softmax", "f32", "fully masked rows"):
        p, stats = run_softmax(engine, x, "f32")
        want = f.softmax(widen(x))
        assert_close(p, convert(want[0], "f32"), ulps=2)
        assert_close(stats, convert(want[1], "f32"), ulps=2)


@pytest.mark.parametrize("engine", graphs.ENGINES)
def test_softmax_spelled_out(engine):
    """max, sub, exp, sum, div give what the one op gives."""
    x = round_to(np.random.default_rng(5).normal(0, 3, (6, 37)), "f32")
    graph = graphs.new_graph()
    tx = graphs.declare(graph, x)

    def row(tensor):
        return tensor.set_dim([6, 1]).set_stride([1, 1])
    top = row(graph.reduction(tx, mode=opgraph.reduction_mode.MAX))
    e = graph.exp(graph.sub(tx, top))
    total = row(graph.reduction(e, mode=opgraph.reduction_mode.ADD))
    got, = graphs.run(graph, {tx: x}, [graph.div(e, total)], engine)
    assert_close(got, convert(f.softmax(widen(x))[0], "f32"), ulps=16, absolute=1e-6)
