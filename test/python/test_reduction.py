# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions on every engine against NumPy."""

import numpy as np
import opgraph
import pytest

from formulas import tensor as f
from support import graphs, table
from support.compare import assert_close
from support.dtypes import NUMPY, OPGRAPH, convert, is_float, round_to, widen

MODES = ["ADD", "MUL", "MIN", "MAX", "AMAX", "AVG", "NORM1", "NORM2",
         "MUL_NO_ZEROS"]
SHAPES = {"plain": ((5, 33, 7), (1,)), "last axis": ((5, 33, 70), (2,)),
          "all axes": ((3, 4, 5), (0, 1, 2)), "outer axes": ((6, 5, 8), (0, 1)),
          "size 1": ((1, 1, 1), (0, 1, 2)), "none reduced": ((2, 3, 4), ()),
          "long row": ((2, 1, 1025), (2,))}


def check(engine, x, axes, mode, compute, out_dtype, what):
    graph = graphs.new_graph("f32", "f32", compute)
    tx = graphs.declare(graph, x)
    dims = [1 if i in axes else d for i, d in enumerate(x.shape)]
    out = graph.reduction(tx, mode=opgraph.reduction_mode[mode])
    out.set_dim(dims).set_stride(graphs.strides_of(np.empty(dims, np.int8)))
    out.set_data_type(OPGRAPH[out_dtype])
    got, = graphs.run(graph, {tx: x}, [out], engine)
    want = f.reduction(widen(x), mode, axes)
    if want.dtype.kind == "i":
        want = convert(want, compute).astype(np.int64)
    want = convert(want, out_dtype)
    count = int(np.prod([x.shape[a] for a in axes])) if axes else 1
    wide = float(np.abs(np.nan_to_num(widen(x), posinf=0, neginf=0)).max(initial=1.0))
    absolute = 0.0
    if is_float(out_dtype) and mode in ("ADD", "AVG", "NORM1"):
        absolute = count * wide * (2.0 ** -50 if compute == "f64" else 2.0 ** -22)
    ulps = 0 if not is_float(out_dtype) or mode in ("MIN", "MAX", "AMAX") \
        else max(4, count)
    assert_close(got, want, ulps=ulps, absolute=absolute, what=what)


@pytest.mark.parametrize("engine", graphs.ENGINES)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("edge", SHAPES)
def test_modes(engine, mode, edge):
    shape, axes = SHAPES[edge]
    rng = np.random.default_rng(len(edge))
    low, high = (0.9, 1.1) if mode.startswith("MUL") else (-2, 2)
    x = round_to(rng.uniform(low, high, shape), "f32")
    if mode == "MUL_NO_ZEROS":
        x.reshape(-1)[::3] = 0
    with table.cell(f"reduction {mode}", "f32", edge):
        check(engine, x, axes, mode, "f32", "f32", f"{mode} {edge}")


@pytest.mark.parametrize("engine", graphs.ENGINES)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype, compute, out_dtype", [
    ("f64", "f64", "f64"), ("bf16", "f32", "f32"), ("f16", "f32", "f16"),
    ("e4m3", "f32", "f32"), ("i8", "i32", "i32"), ("i32", "i32", "i32"),
    ("i64", "i64", "i64")])
def test_dtypes(engine, mode, dtype, compute, out_dtype):
    if not is_float(dtype) and mode in ("AVG", "NORM2"):
        table.not_applicable(f"reduction {mode}", dtype, "plain",
                             "needs a floating compute type")
        return
    rng = np.random.default_rng(7)
    if is_float(dtype):
        low, high = (0.9, 1.1) if mode.startswith("MUL") else (-2, 2)
        x = round_to(rng.uniform(low, high, (4, 37)), dtype)
    else:
        x = convert(rng.integers(-3, 4, (4, 37)), dtype)
    with table.cell(f"reduction {mode}", dtype, "plain"):
        check(engine, x, (1,), mode, compute, out_dtype, f"{mode} {dtype}")


@pytest.mark.parametrize("engine", graphs.ENGINES)
@pytest.mark.parametrize("mode", MODES)
def test_nan_propagates(engine, mode):
    x = np.ones((3, 40), np.float32)
    x[1, 17] = np.nan
    x[2, 5] = np.inf
    with table.cell(f"reduction {mode}", "f32", "nan"):
        check(engine, x, (1,), mode, "f32", "f32", f"{mode} nan")


@pytest.mark.parametrize("engine", graphs.ENGINES)
@pytest.mark.parametrize("mode, identity", [
    ("ADD", 0.0), ("MUL", 1.0), ("MIN", np.inf), ("MAX", -np.inf), ("AMAX", 0.0),
    ("AVG", np.nan), ("NORM1", 0.0), ("NORM2", 0.0), ("MUL_NO_ZEROS", 1.0)])
@pytest.mark.parametrize("dtype", ["f32", "f64"])
def test_empty(engine, mode, identity, dtype):
    x = np.empty((3, 0), NUMPY[dtype])
    graph = graphs.new_graph(dtype, dtype, dtype)
    tx = graphs.declare(graph, x)
    out = graph.reduction(tx, mode=opgraph.reduction_mode[mode])
    out.set_dim([3, 1]).set_stride([1, 1])
    with table.cell(f"reduction {mode}", dtype, "size 0"):
        got, = graphs.run(graph, {tx: x}, [out], engine)
        assert_close(got, np.full((3, 1), identity, x.dtype))


@pytest.mark.parametrize("engine", graphs.ENGINES)
def test_strided_input(engine):
    x = np.arange(60, dtype=np.float32).reshape(3, 20)[:, ::2].T
    with table.cell("reduction ADD", "f32", "strided"):
        check(engine, x, (0,), "ADD", "f32", "f32", "strided")


@pytest.mark.parametrize("engine", graphs.ENGINES)
@pytest.mark.parametrize("mode", ["ADD", "AVG", "NORM2", "MAX"])
def test_two_reductions_over_no_axis(engine, mode):
    """They must not share what they start from: each result is its own."""
    rng = np.random.default_rng(11)
    a, b = (round_to(rng.normal(size=(4, 6)), "f32") for _ in range(2))
    graph = graphs.new_graph()
    results = []
    pack = {}
    for array in (a, b):
        tensor = graphs.declare(graph, array)
        pack[tensor] = array
        results.append(graph.reduction(
            tensor, mode=opgraph.reduction_mode[mode], out_dims=[4, 6]))
    got = graphs.run(graph, pack, results, engine)
    for actual, array in zip(got, (a, b)):
        want = np.abs(array) if mode == "NORM2" else array
        assert_close(actual, want, ulps=1)
