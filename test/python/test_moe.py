# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mixture-of-experts matmuls in Python: a program as the peers write it,
signatures, what is inferred, and what is raised at which step. Values over all
modes are the conformance suite's."""

import inspect

import ml_dtypes
import numpy as np
import opgraph as cudnn
import pytest

T = cudnn.data_type
MODE = cudnn.moe_grouped_matmul_mode


def new_graph():
    return cudnn.pygraph(io_data_type=T.BFLOAT16,
                         intermediate_data_type=T.FLOAT,
                         compute_data_type=T.FLOAT)


def build(graph, pack):
    graph.validate()
    graph.build_operation_graph()
    graph.create_execution_plans([cudnn.heur_mode.A, cudnn.heur_mode.FALLBACK])
    graph.check_support()
    graph.build_plans()
    graph.execute(pack, np.empty(max(graph.get_workspace_size(), 1), np.uint8))


def test_layer():
    """Gather to experts, SwiGLU, combine: the layer of a model."""
    tokens, slots, experts, hidden, inner = 10, 2, 3, 16, 24
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, tokens, hidden)).astype(ml_dtypes.bfloat16)
    w1, w3 = (rng.normal(size=(experts, hidden, inner)).astype(
        ml_dtypes.bfloat16) for _ in range(2))
    w2 = rng.normal(size=(experts, inner, hidden)).astype(ml_dtypes.bfloat16)
    chosen = np.stack([rng.permutation(experts)[:slots] for _ in range(tokens)])
    scores = rng.uniform(size=(1, tokens, slots)).astype(np.float32)
    order = np.argsort(chosen.reshape(-1), kind="stable")
    bounds = np.searchsorted(chosen.reshape(-1)[order],
                             np.arange(experts + 1)).astype(np.int32)
    index = (order // slots).astype(np.int32).reshape(1, -1, 1)
    ks = (order % slots).astype(np.int32).reshape(1, -1, 1)

    graph = new_graph()
    arrays = [x, w1, w3, w2, bounds.reshape(-1, 1, 1), index, ks, scores]
    types = [T.BFLOAT16] * 4 + [T.INT32] * 3 + [T.FLOAT]
    tx, t1, t3, t2, to, ti, tk, ts = tensors = [
        graph.tensor(dim=list(a.shape), data_type=t)
        for a, t in zip(arrays, types)]
    gate = graph.moe_grouped_matmul(tx, t1, to, ti, mode=MODE.GATHER,
                                    name="gate")
    up = graph.moe_grouped_matmul(tx, t3, to, ti, mode=MODE.GATHER)
    assert gate.get_name() == "gate::OUT"
    h = graph.mul(graph.swish(gate), up)
    out = graph.moe_grouped_matmul(h, t2, to, ti, tk, MODE.COMBINE,
                                   top_k_scores=ts)
    out.set_output(True).set_data_type(T.FLOAT)
    got = np.empty((1, tokens, hidden), np.float32)
    build(graph, {**dict(zip(tensors, arrays)), out: got})
    assert out.get_dim() == [1, tokens, hidden]

    want = np.zeros((tokens, hidden))
    wide = [a.astype(np.float64) for a in (x[0], w1, w3, w2)]
    for token in range(tokens):
        for slot, expert in enumerate(chosen[token]):
            g, u = (wide[0][token] @ w[expert] for w in wide[1:3])
            want[token] += scores[0, token, slot] * (
                (g / (1 + np.exp(-g)) * u) @ wide[3][expert])
    np.testing.assert_allclose(got[0], want, rtol=1e-5, atol=1e-4)


def test_gradient():
    graph = new_graph()
    rng = np.random.default_rng(1)
    d = rng.normal(size=(1, 9, 4)).astype(np.float32)
    token = rng.normal(size=(1, 9, 3)).astype(np.float32)
    offsets = np.array([0, 4, 4], np.int32).reshape(3, 1, 1)
    td, tt, to = (graph.tensor_like(a) for a in (d, token, offsets))
    dw = graph.moe_grouped_matmul_bwd(td, tt, to)
    dw.set_output(True).set_data_type(T.FLOAT)
    graph.validate()
    assert dw.get_dim() == [3, 3, 4] and dw.get_stride() == [12, 1, 3]
    got = np.empty((3, 4, 3), np.float32)
    build(graph, {td: d, tt: token, to: offsets, dw: got})
    want = [token[0, :4].T @ d[0, :4], np.zeros((3, 4)),
            token[0, 4:].T @ d[0, 4:]]
    np.testing.assert_allclose(np.swapaxes(got, 1, 2), want, rtol=1e-5,
                               atol=1e-6)


def test_extents_of_a_dynamic_graph_stay():
    """What may vary at a call is around the matmul, never its own."""
    graph = cudnn.pygraph(io_data_type=T.FLOAT, compute_data_type=T.FLOAT,
                          intermediate_data_type=T.FLOAT,
                          is_dynamic_shape_enabled=True)
    rng = np.random.default_rng(2)
    arrays = [rng.normal(size=(1, 12, 8)).astype(np.float32),
              rng.normal(size=(3, 8, 4)).astype(np.float32),
              np.array([0, 3, 5, 12], np.int32)]
    tensors = [graph.tensor_like(a) for a in arrays]
    out = graph.moe_grouped_matmul(graph.abs(tensors[0]), *tensors[1:])
    out.set_output(True)
    got = np.empty((1, 12, 4), np.float32)
    build(graph, {**dict(zip(tensors, arrays)), out: got})
    np.testing.assert_allclose(got[0, 3:5], np.abs(arrays[0][0, 3:5])
                               @ arrays[1][1], rtol=1e-5)


def test_signatures():
    def names(method):
        return list(inspect.signature(method).parameters)[1:]
    assert names(cudnn.pygraph.moe_grouped_matmul)[:8] == [
        "token", "weight", "first_token_offset", "token_index", "token_ks",
        "mode", "top_k", "top_k_scores"]
    assert names(cudnn.pygraph.moe_grouped_matmul_bwd)[:3] == [
        "doutput", "token", "first_token_offset"]
    keywords = inspect.signature(cudnn.pygraph.moe_grouped_matmul).parameters
    assert keywords["top_k_scores"].kind is inspect.Parameter.KEYWORD_ONLY


def inputs(graph, offsets=3, rows=12):
    return (graph.tensor(dim=[1, rows, 8], data_type=T.BFLOAT16),
            graph.tensor(dim=[3, 8, 16], stride=[128, 1, 8],
                         data_type=T.BFLOAT16),
            graph.tensor(dim=[offsets, 1, 1], data_type=T.INT32))


@pytest.mark.parametrize("mode, index, ks, scores, top_k, error", [
    (MODE.NONE, False, False, False, 1, None),
    (None, False, False, False, 0, None),
    (MODE.GATHER, True, False, False, 0, None),
    (MODE.SCATTER, True, True, False, 4, None),
    (MODE.COMBINE, True, True, True, 0, None),
    (MODE.GATHER, False, False, False, 0, ValueError),
    (MODE.SCATTER, True, False, False, 4, ValueError),
    (MODE.COMBINE, True, True, False, 0, ValueError),
    (MODE.SCATTER, True, True, False, 0, ValueError),
    (MODE.SCATTER, True, True, False, 5, ValueError),
    (MODE.SCATTER, True, True, False, -4, RuntimeError),
    (MODE.NONE, True, False, False, 0, RuntimeError)])
def test_modes(mode, index, ks, scores, top_k, error):
    graph = new_graph()
    rows = [graph.tensor(dim=[1, 12, 1], data_type=T.INT32) for _ in range(2)]
    score = graph.tensor(dim=[1, 6, 2], data_type=T.FLOAT)
    out = graph.moe_grouped_matmul(
        *inputs(graph), rows[0] if index else None, rows[1] if ks else None,
        mode, top_k, top_k_scores=score if scores else None)
    out.set_output(True)
    if error is None:
        graph.validate()
        assert out.get_dim() == [1, 6 if scores else 12, 16]
        assert out.get_stride()[1:] == [16, 1]
        return
    with pytest.raises(error, match="moe_grouped_matmul"):
        graph.validate()


@pytest.mark.parametrize("offsets, fits", [
    (1, False), (2, False), (3, True), (4, True), (5, False), (6, True),
    (7, True), (8, False)])
def test_number_of_offsets(offsets, fits):
    graph = new_graph()
    graph.moe_grouped_matmul(*inputs(graph, offsets)).set_output(True)
    if fits:
        graph.validate()
        return
    with pytest.raises(ValueError, match="FIRST_TOKEN_OFFSET"):
        graph.validate()


def test_reduction_by_groups():
    graph = new_graph()
    x = np.arange(24, dtype=np.float32).reshape(1, 12, 2)
    offsets = np.array([0, 5, 5, 12], np.int32)
    tx, to = graph.tensor_like(x), graph.tensor_like(offsets)
    y = graph.reduction(tx, to, cudnn.reduction_mode.ADD)
    y.set_output(True).set_data_type(T.FLOAT).set_dim([3, 1, 2])
    y.set_stride([2, 2, 1])
    got = np.empty((3, 1, 2), np.float32)
    build(graph, {tx: x, to: offsets, y: got})
    np.testing.assert_array_equal(
        got[:, 0], [x[0, :5].sum(0), [0, 0], x[0, 5:].sum(0)])


def test_reduction_by_groups_says_what_is_wrong():
    graph = new_graph()
    x = graph.tensor(dim=[1, 12, 2], data_type=T.FLOAT)
    offsets = graph.tensor(dim=[4], data_type=T.INT32)
    y = graph.reduction(x, offsets, cudnn.reduction_mode.ADD)
    y.set_output(True).set_dim([4, 1, 2])
    with pytest.raises(ValueError, match="3 groups to be 3x1x2"):
        graph.validate()
