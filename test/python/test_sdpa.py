# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention forward on every engine against NumPy."""

import numpy as np
import opgraph
import pytest

from formulas import tensor as f
from support import graphs, table
from support.compare import assert_close
from support.dtypes import OPGRAPH, convert, round_to, widen

BOTTOM_RIGHT = opgraph.diagonal_alignment.BOTTOM_RIGHT
#: dtype of O -> (ulps, absolute): P may round to the operands' type.
TOLERANCE = {"f32": (16, 4e-6), "f16": (2, 2e-3), "bf16": (2, 1.6e-2)}

#: edge -> (shape dict, keywords of the graph call, keywords of the formula)
CASES = {
    "plain": ({}, {}, {}),
    "causal top-left": ({}, dict(use_causal_mask=True), dict(right=0)),
    "causal bottom-right": (dict(sq=9, skv=21), dict(
        use_causal_mask_bottom_right=True), dict(right=0, bottom_right=True)),
    "rows beyond keys": (dict(sq=21, skv=9), dict(
        use_causal_mask_bottom_right=True), dict(right=0, bottom_right=True)),
    "window": ({}, dict(use_causal_mask=True, sliding_window_length=4),
               dict(right=0, left=4)),
    "both bounds": ({}, dict(diagonal_band_left_bound=3,
                             diagonal_band_right_bound=2),
                    dict(left=3, right=2)),
    "bound beyond keys": (dict(sq=21, skv=9), dict(
        diagonal_band_right_bound=15, diagonal_alignment=BOTTOM_RIGHT),
        dict(right=15, bottom_right=True)),
    "bounds beyond all": ({}, dict(diagonal_band_left_bound=2 ** 63 - 1,
                                   diagonal_band_right_bound=2 ** 63 - 1), {}),
    "grouped heads": (dict(hq=6, hk=2), {}, {}),
    "value width": (dict(dv=16), {}, {}),
    "tile + 1": (dict(sq=65, skv=129, d=32, dv=32), dict(use_causal_mask=True),
                 dict(right=0)),
    "one query": (dict(sq=1, skv=40), {}, {}),
    "size 0": (dict(b=0), {}, {}),
}


def operands(dtype, b=2, hq=4, hk=4, sq=17, skv=23, d=8, dv=8):
    rng = np.random.default_rng(sq + skv)
    return [round_to(rng.normal(0, 1, shape), dtype) for shape in
            ((b, hq, sq, d), (b, hk, skv, d), (b, hk, skv, dv))]


def check(engine, arrays, dtype, keywords, formula, extra=None, scale=0.3):
    graph = graphs.new_graph(dtype, "f32", "f32")
    pack = {graphs.declare(graph, a): a for a in arrays}
    q, k, v = list(pack)
    arguments = dict(keywords)
    for name, array in (extra or {}).items():
        tensor = graphs.declare(graph, array)
        pack[tensor] = array
        arguments[name] = tensor
    out, stats = graph.sdpa(q, k, v, attn_scale=scale, generate_stats=True,
                            **arguments)
    stats.set_data_type(OPGRAPH["f32"])
    got = graphs.run(graph, pack, [out, stats], engine)
    want = f.sdpa(*map(widen, arrays), scale=scale, **formula)
    ulps, absolute = TOLERANCE[dtype]
    what = f"sdpa {graphs.ENGINES[engine]}"
    assert_close(got[0], convert(want[0], dtype), ulps=ulps, absolute=absolute,
                 what=what + " O")
    assert_close(got[1], convert(want[1], "f32"), ulps=16, absolute=1e-5,
                 what=what + " Stats")


@pytest.mark.parametrize("engine", graphs.ENGINES)
@pytest.mark.parametrize("dtype", ["f32", "bf16", "f16"])
@pytest.mark.parametrize("edge", CASES)
def test_sdpa(engine, dtype, edge):
    shape, keywords, formula = CASES[edge]
    with table.cell("sdpa", dtype, edge):
        check(engine, operands(dtype, **shape), dtype, keywords, formula)


@pytest.mark.parametrize("engine", graphs.ENGINES)
@pytest.mark.parametrize("bias_shape", [(1, 4, 17, 23), (2, 1, 1, 23), (1, 1, 17, 23)])
def test_bias(engine, bias_shape):
    bias = round_to(np.random.default_rng(1).normal(0, 1, bias_shape), "f32")
    with table.cell("sdpa", "f32", "bias"):
        check(engine, operands("f32"), "f32", {}, dict(bias=widen(bias)),
              dict(bias=bias))


@pytest.mark.parametrize("engine", graphs.ENGINES)
@pytest.mark.parametrize("causal", [None, "top_left", "bottom_right"])
def test_padding(engine, causal):
    """Lengths per batch, 0 and beyond the extent among them."""
    seq_q = np.array([5, 0, 17], np.int32)
    seq_kv = np.array([7, 23, 0], np.int32)
    lengths = dict(seq_len_q=seq_q.reshape(3, 1, 1, 1),
                   seq_len_kv=seq_kv.reshape(3, 1, 1, 1))
    keywords = dict(use_padding_mask=True)
    formula = dict(seq_q=seq_q, seq_kv=seq_kv)
    if causal == "top_left":
        keywords["use_causal_mask"], formula["right"] = True, 0
    if causal == "bottom_right":
        keywords["use_causal_mask_bottom_right"] = True
        formula.update(right=0, bottom_right=True)
    with table.cell("sdpa", "f32", "padding by lengths"):
        check(engine, operands("f32", b=3), "f32", keywords, formula, lengths)


@pytest.mark.parametrize("engine", graphs.ENGINES)
def test_fully_masked_rows(engine):
    bias = np.zeros((1, 1, 17, 23), np.float32)
    bias[0, 0, 3] = -np.inf
    with table.cell("sdpa", "f32", "fully masked rows"):
        check(engine, operands("f32"), "f32", {}, dict(bias=widen(bias)),
              dict(bias=bias))


@pytest.mark.parametrize("engine", graphs.ENGINES)
def test_bshd_layout(engine):
    """Heads between sequence and width, as packed projections have them."""
    arrays = [np.ascontiguousarray(a.transpose(0, 2, 1, 3)).transpose(0, 2, 1, 3)
              for a in operands("f32")]
    with table.cell("sdpa", "f32", "strided"):
        check(engine, arrays, "f32", {}, {})


@pytest.mark.parametrize("engine", graphs.ENGINES)
def test_scale_as_tensor_and_inference(engine):
    arrays = operands("f32")
    graph = graphs.new_graph()
    pack = {graphs.declare(graph, a): a for a in arrays}
    q, k, v = list(pack)
    scale = np.full((1, 1, 1, 1), 0.5, np.float32)
    ts = graphs.declare(graph, scale, is_pass_by_value=True)
    pack[ts] = scale
    out, stats = graph.sdpa(q, k, v, attn_scale=ts, is_inference=True)
    assert stats is None
    got, = graphs.run(graph, pack, [out], engine)
    want, _ = f.sdpa(*map(widen, arrays), scale=0.5)
    assert_close(got, convert(want, "f32"), ulps=16, absolute=4e-6)
