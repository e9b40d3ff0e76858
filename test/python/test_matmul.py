# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matmul on every engine against NumPy."""

import numpy as np
import pytest

from formulas import tensor as f
from support import graphs, table
from support.compare import assert_close
from support.dtypes import OPGRAPH, convert, is_float, round_to, widen

SHAPES = [
    ("plain", (1, 33, 40), (1, 40, 47)), ("size 1", (1, 1, 1), (1, 1, 1)),
    ("K = 1", (2, 5, 1), (2, 1, 7)), ("size 0", (1, 0, 4), (1, 4, 3)),
    ("K = 0", (1, 3, 0), (1, 0, 4)), ("tile + 1", (1, 65, 129), (1, 129, 33)),
    ("tile - 1", (1, 63, 127), (1, 127, 31)),
    ("batch broadcast", (3, 4, 8), (1, 8, 5)),
    ("batch broadcast left", (1, 4, 8), (3, 8, 5)),
    ("rank 2", (17, 9), (9, 21)), ("rank 4", (2, 3, 6, 5), (2, 1, 5, 4))]
TYPES = [("f32", "f32", "f32"), ("f64", "f64", "f64"), ("bf16", "f32", "bf16"),
         ("f16", "f32", "f32"), ("e4m3", "f32", "bf16"), ("e5m2", "f32", "f16"),
         ("i8", "i32", "i32"), ("i8", "f32", "f32"), ("u8", "i32", "i32")]


def data(rng, shape, dtype):
    if is_float(dtype):
        return round_to(rng.uniform(-1, 1, shape), dtype)
    return convert(rng.integers(0 if dtype == "u8" else -128, 128, shape), dtype)


def tolerance(out, compute, k):
    """One rounding to the result, and f32 sums of k products of magnitude 1."""
    if not is_float(out):
        return 0, 0
    unit = 2.0 ** -52 if compute == "f64" else 2.0 ** -23
    return 1, 2 * unit * max(k, 1)


def check(engine, a, b, compute, out_dtype, what):
    graph = graphs.new_graph("f32", "f32", compute)
    ta, tb = graphs.declare(graph, a), graphs.declare(graph, b)
    out = graph.matmul(ta, tb).set_data_type(OPGRAPH[out_dtype])
    got, = graphs.run(graph, {ta: a, tb: b}, [out], engine)
    want = convert(f.matmul(widen(a), widen(b)), out_dtype)
    magnitude = max(1.0, float(np.abs(widen(a)).max(initial=0)) ** 2)
    ulps, absolute = tolerance(out_dtype, compute, a.shape[-1])
    assert_close(got, want, ulps=ulps, absolute=absolute * magnitude, what=what)


@pytest.mark.parametrize("engine", graphs.ENGINES)
@pytest.mark.parametrize("dtype, compute, out_dtype", TYPES)
@pytest.mark.parametrize("edge, sa, sb", SHAPES)
def test_matmul(engine, dtype, compute, out_dtype, edge, sa, sb):
    rng = np.random.default_rng(len(edge) * 100 + len(dtype))
    with table.cell("matmul", dtype, edge):
        check(engine, data(rng, sa, dtype), data(rng, sb, dtype), compute,
              out_dtype, f"matmul {dtype} {edge} {graphs.ENGINES[engine]}")


@pytest.mark.parametrize("engine", graphs.ENGINES)
@pytest.mark.parametrize("layout_a", ["row", "column", "gapped"])
@pytest.mark.parametrize("layout_b", ["row", "column", "gapped"])
def test_layouts(engine, layout_a, layout_b):
    rng = np.random.default_rng(3)

    def laid_out(shape, layout):
        values = data(rng, shape, "f32")
        if layout == "column":
            return np.asfortranarray(values[0])[None]
        if layout == "gapped":
            room = np.zeros((shape[1], shape[2] + 5), np.float32)
            view = room[:, :shape[2]]
            view[...] = values[0]
            return view[None]
        return values
    with table.cell("matmul", "f32", "strided"):
        check(engine, laid_out((1, 19, 23), layout_a),
              laid_out((1, 23, 37), layout_b), "f32", "f32", "layouts")


@pytest.mark.parametrize("engine", graphs.ENGINES)
def test_nan_and_infinity(engine):
    a = np.ones((1, 4, 4), np.float32)
    a[0, 0, 1], a[0, 1, 2], a[0, 2, 3] = np.nan, np.inf, -np.inf
    with table.cell("matmul", "f32", "nan"):
        check(engine, a, np.ones((1, 4, 6), np.float32), "f32", "f32", "nan")


@pytest.mark.parametrize("sizes", [("M",), ("N",), ("K",), ("M", "N", "K")])
def test_overrides(sizes):
    """Per-batch true sizes; the judge serves them."""
    rng = np.random.default_rng(4)
    a, b = data(rng, (3, 6, 8), "f32"), data(rng, (3, 8, 5), "f32")
    limits = {"M": [0, 4, 6], "N": [5, 1, 9], "K": [8, 3, -2]}
    graph = graphs.new_graph()
    ta, tb = graphs.declare(graph, a), graphs.declare(graph, b)
    pack, arguments, formula = {ta: a, tb: b}, {}, {}
    whole = {"M": 6, "N": 5, "K": 8}
    for size in sizes:
        values = np.array(limits[size], np.int32).reshape(3, 1, 1)
        tensor = graphs.declare(graph, values)
        pack[tensor] = values
        arguments[size + "_override"] = tensor
        formula[size.lower()] = np.clip(values, 0, whole[size])
    out = graph.matmul(ta, tb, padding=0.5, **arguments)
    got, = graphs.run(graph, pack, [out], graphs.REFERENCE)
    want = f.matmul(widen(a), widen(b), padding=0.5, **formula)
    assert_close(got, convert(want, "f32"), ulps=1, absolute=1e-6)


@pytest.mark.parametrize("engine", graphs.ENGINES)
@pytest.mark.parametrize("activation", ["gelu", "relu", "swish"])
def test_epilogue(engine, activation):
    from formulas import pointwise
    rng = np.random.default_rng(6)
    x, w, b = (data(rng, s, "f32") for s in ((1, 45, 64), (1, 64, 50), (1, 1, 50)))
    graph = graphs.new_graph()
    tx, tw, tb = (graphs.declare(graph, t) for t in (x, w, b))
    out = getattr(graph, activation)(graph.bias(graph.matmul(tx, tw), tb))
    got, = graphs.run(graph, {tx: x, tw: w, tb: b}, [out], engine)
    want = getattr(pointwise, activation)(widen(x) @ widen(w) + widen(b))
    assert_close(got, convert(want, "f32"), ulps=8, absolute=2e-5)
