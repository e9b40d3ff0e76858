# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where values round: once at each conversion, to nearest even, and to the
compute type where that is narrower than the operand."""

import numpy as np
import opgraph
import pytest

from support import graphs
from support.compare import assert_close
from support.dtypes import OPGRAPH, round_to, widen

#: dtype -> bits of its significand after the point.
NARROW = {"f16": 10, "bf16": 7, "e4m3": 3, "e5m2": 2}


def near_ties(bits):
    """Around the middle of two neighbours, nearer than an f32 can tell."""
    half = 2.0 ** -(bits + 1)
    middles = np.array([1 + half, 1 + 3 * half, 1 + 5 * half])
    values = np.concatenate([middles, middles - 2.0 ** -40,
                             middles + 2.0 ** -40])
    return np.concatenate([values, -values]).reshape(1, -1)


@pytest.mark.parametrize("engine", graphs.ENGINES)
@pytest.mark.parametrize("dtype", NARROW)
def test_narrowing_rounds_once(engine, dtype):
    """f64 to a narrow type by way of f32 would round twice."""
    x = near_ties(NARROW[dtype])
    graph = graphs.new_graph("f64", "f64", "f64")
    tx = graphs.declare(graph, x)
    out = graph.identity(tx).set_data_type(OPGRAPH[dtype])
    got, = graphs.run(graph, {tx: x}, [out], engine)
    assert_close(got, round_to(x, dtype), what=f"f64 to {dtype}")


@pytest.mark.parametrize("engine", graphs.ENGINES)
@pytest.mark.parametrize("dtype", ["f16", "bf16"])
def test_operands_round_to_a_narrower_compute_type(engine, dtype):
    x = round_to(near_ties(NARROW[dtype]), "f32")
    graph = graphs.new_graph("f32", "f32", dtype)
    tx = graphs.declare(graph, x)
    out = graph.identity(tx)
    try:
        got, = graphs.run(graph, {tx: x}, [out], engine)
    except graphs.Declined:
        # Only the judge must serve every compute type.
        assert engine != graphs.REFERENCE
        return
    assert_close(got, round_to(widen(round_to(widen(x), dtype)), "f32"),
                 what=f"compute type {dtype}")


def structured(graph, op, tensors):
    """`op` on the first tensors that it takes; its results as a list."""
    q, k, v, scale, epsilon = tensors
    if op == "matmul":
        k.set_dim([1, 2, 8, 6]).set_stride([96, 48, 6, 1])
        return [graph.matmul(q, k)]
    if op == "reduction":
        out = graph.reduction(q, mode=opgraph.reduction_mode.ADD)
        return [out.set_dim([1, 2, 6, 1]).set_stride([12, 6, 1, 1])]
    if op == "softmax":
        return graph.softmax(q)[:1]
    if op == "sdpa":
        return graph.sdpa(q, k, v, is_inference=True, attn_scale=0.5)[:1]
    return getattr(graph, op)(q, scale, None, epsilon,
                              opgraph.norm_forward_phase.INFERENCE)[:1]


@pytest.mark.parametrize("dtype", ["f16", "bf16"])
@pytest.mark.parametrize(
    "op", ["matmul", "reduction", "softmax", "layernorm", "rmsnorm", "sdpa"])
def test_engines_agree_on_a_narrower_compute_type(op, dtype):
    """f32 operands that the compute type does not hold: the judge rounds them
    first, and an engine that does not is off by far more than the bound."""
    rng = np.random.default_rng(7)
    arrays = [round_to(rng.uniform(1, 8, shape), "f32")
              for shape in [(1, 2, 6, 8)] * 3 + [(1, 1, 1, 8), (1, 1, 1, 1)]]
    got = []
    for engine in graphs.ENGINES:
        graph = graphs.new_graph("f32", "f32", dtype)
        tensors = [graphs.declare(graph, array) for array in arrays]
        pack = dict(zip(tensors, arrays))
        results = structured(graph, op, tensors)
        if op == "matmul":
            # B is K, described anew.
            pack[tensors[1]] = arrays[1].reshape(1, 2, 8, 6)
        got += graphs.run(graph, pack, results, engine)
    assert_close(got[1], got[0], ulps=64, absolute=1e-6, what=op)


@pytest.mark.parametrize("engine", graphs.ENGINES)
def test_attributes_round_to_the_compute_type(engine):
    """1e308 is infinite in f32, for every engine: 0 times it is NaN."""
    zeros = np.zeros((1, 1, 4, 8), np.float32)
    graph = graphs.new_graph("f32", "f32", "f32")
    x = graphs.declare(graph, zeros)
    scores, _ = graph.sdpa(x, x, x, attn_scale=1e308, is_inference=True)
    slope = graph.swish(x, swish_beta=1e308)
    for result in graphs.run(graph, {x: zeros}, [scores, slope], engine):
        assert np.isnan(result).all()
