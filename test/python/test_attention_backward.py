# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The gradients of attention: the formula against finite differences, and the
Python signatures and their errors."""

import inspect

import numpy as np
import opgraph
import pytest

from formulas import attention_backward as f
from support import graphs

SOFTCAP = (lambda s: 1.5 * np.tanh(s / 1.5),
           lambda s, ds: ds * (1 - np.tanh(s / 1.5) ** 2))
#: name -> (extents, keywords of the mask, keywords of the formula)
PROBLEMS = {
    "plain": ({}, {}, {}),
    "scale": ({}, {}, dict(scale=0.4)),
    "groups": (dict(hq=4, hk=2, hv=1, dv=2), {}, dict(scale=0.4)),
    "causal": ({}, dict(right=0), {}),
    "bottom right": (dict(sq=3, skv=5), dict(right=0, bottom_right=True), {}),
    "window": ({}, dict(right=1, left=2), {}),
    "no visible key": (dict(sq=5, skv=3), dict(right=0, bottom_right=True), {}),
    "padding": ({}, dict(seq_q=[2, 4], seq_kv=[5, 1]), {}),
    "bias": ({}, {}, dict(bias=(1, 2, 4, 5))),
    "bias of one row": ({}, {}, dict(bias=(2, 1, 1, 5), scale=0.3)),
    "alibi": (dict(hq=3, hk=3, hv=3), dict(right=0), dict(alibi=True)),
    "sink": ({}, {}, dict(sink=True)),
    "sink of a masked row": (dict(sq=5, skv=3), dict(
        right=0, bottom_right=True), dict(sink=True)),
    "dropout": ({}, {}, dict(dropout=True)),
    "dropout and sink": ({}, dict(right=0), dict(dropout=True, sink=True)),
    "score_mod": ({}, {}, dict(scale=0.7, score_mod=SOFTCAP)),
    "score_mod and bias": ({}, {}, dict(scale=0.7, score_mod=SOFTCAP,
                                        bias=(1, 2, 4, 5))),
    "log2": ({}, {}, dict(log2=True)),
}


def make(name, b=2, hq=2, hk=2, hv=2, sq=4, skv=5, d=3, dv=3):
    """The operands, mask and formula keywords of a problem."""
    rng = np.random.default_rng(11)
    extents, mask, given = PROBLEMS[name]
    e = dict(b=b, hq=hq, hk=hk, hv=hv, sq=sq, skv=skv, d=d, dv=dv)
    e.update(extents)
    b, hq, sq, skv = e["b"], e["hq"], e["sq"], e["skv"]
    operands = {"q": rng.normal(size=(b, hq, sq, e["d"])),
                "k": rng.normal(size=(b, e["hk"], skv, e["d"])),
                "v": rng.normal(size=(b, e["hv"], skv, e["dv"]))}
    given, keep, times = dict(given), 1.0, 1.0
    if given.pop("dropout", False):
        keep, times = (rng.uniform(size=(b, hq, sq, skv)) < 0.7) * 1.0, 1 / 0.7
    if "bias" in given:
        operands["bias"] = rng.normal(size=given.pop("bias"))
    if given.pop("sink", False):
        operands["sink"] = rng.normal(size=(1, hq, 1, 1))
    do = rng.normal(size=(b, hq, sq, e["dv"]))
    return operands, f.Mask(b, sq, skv, **mask), given, keep, times, do


@pytest.mark.parametrize("name", PROBLEMS)
def test_formula_is_the_gradient(name):
    """Central differences of sum(dO * O) in every operand's every element."""
    operands, mask, given, keep, times, do = make(name)

    def loss(**changed):
        out, _ = f.forward(mask=mask, factor=keep * times, **given,
                           **{**operands, **changed})
        return (do * out).sum()

    out, stats = f.forward(mask=mask, factor=keep * times, **given, **operands)
    shape = operands["bias"].shape if "bias" in operands else None
    got = f.backward(o=out, do=do, stats=stats, mask=mask, keep=keep,
                     times=times, times_inv=1 / times, bias_shape=shape,
                     **given, **operands)
    ports = {"q": "dQ", "k": "dK", "v": "dV", "bias": "dBias",
             "sink": "DSINK_TOKEN"}
    step = 1e-6
    for operand, value in operands.items():
        want = np.zeros(value.shape)
        for index in np.ndindex(*value.shape):
            up, down = value.copy(), value.copy()
            up[index] += step
            down[index] -= step
            want[index] = (loss(**{operand: up}) - loss(**{operand: down})) \
                / (2 * step)
        np.testing.assert_allclose(got[ports[operand]], want, rtol=1e-6,
                                   atol=1e-8, err_msg=operand)


def test_fp8_formula_without_rounding_is_the_gradient():
    """With scales that cancel and no rounding, fp8 is the plain gradient."""
    operands, mask, _, _, _, do = make("causal")
    out, stats = f.forward(mask=mask, scale=0.4, **operands)
    want = f.backward(o=out, do=do, stats=stats, mask=mask, scale=0.4,
                      **operands)
    scales = {"descale_q": 2.0, "descale_k": 0.5, "descale_v": 4.0,
              "descale_o": 0.25, "descale_dO": 0.125, "descale_s": 0.5,
              "descale_dP": 4.0, "scale_s": 2.0, "scale_dP": 0.25,
              "scale_dQ": 3.0, "scale_dK": 5.0, "scale_dV": 7.0}
    got = f.fp8_backward(operands["q"] / 2, operands["k"] / 0.5,
                         operands["v"] / 4, out / 0.25, do / 0.125, stats, mask,
                         scales, lambda x, name: x, scale=0.4)
    for port in ("dQ", "dK", "dV"):
        np.testing.assert_allclose(got[port] / scales["scale_" + port],
                                   want[port], rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(got["Amax_" + port].flat[0],
                                   np.abs(want[port]).max(), rtol=1e-9)


def test_mxfp8_formula_of_equal_copies_is_the_gradient():
    operands, mask, _, _, _, do = make("groups")
    q, k, v = operands["q"], operands["k"], operands["v"]
    out, stats = f.forward(q, k, v, mask, scale=0.4)
    want = f.backward(q, k, v, out, do, stats, mask, scale=0.4)
    got = f.mxfp8_backward(q, q, k, k, v, out, do, do, do, stats, mask,
                           scale=0.4)
    for port in ("dQ", "dK", "dV"):
        np.testing.assert_allclose(got[port], want[port], rtol=1e-9, atol=1e-12)


T = opgraph.data_type


def declare(dims=(2, 4, 8, 16), keys=(2, 2, 6, 16), dtype=T.HALF):
    """A graph and the tensors that every backward call takes."""
    graph = opgraph.pygraph(io_data_type=dtype, intermediate_data_type=T.FLOAT,
                            compute_data_type=T.FLOAT)
    tensors = {"q": graph.tensor(dims), "k": graph.tensor(keys),
               "v": graph.tensor(keys), "o": graph.tensor(dims),
               "dO": graph.tensor(dims),
               "stats": graph.tensor([*dims[:3], 1], data_type=T.FLOAT)}
    return graph, tensors


def test_results_are_like_their_operands():
    graph, t = declare()
    found = graph.sdpa_backward(**t, attn_scale=0.25, use_causal_mask=True)
    assert len(found) == 3
    for result in found:
        result.set_output(True)
    graph.validate()
    assert [r.get_dim() for r in found] == [t[n].get_dim() for n in "qkv"]
    assert [r.get_name().rpartition("::")[2] for r in found] == \
        ["dQ", "dK", "dV"]
    assert all(r.get_data_type() == T.HALF for r in found)


def test_gradients_made_by_the_caller():
    """dBias, dSink_token and rng_dump become results and keep their names."""
    graph, t = declare()
    seed = graph.tensor([1, 1, 1, 1], data_type=T.INT64)
    bias = graph.tensor([1, 4, 1, 6])
    sink = graph.tensor([1, 4, 1, 1], data_type=T.FLOAT)
    made = {"dBias": graph.tensor([1, 4, 1, 6], name="db"),
            "dSink_token": graph.tensor([1, 4, 1, 1], name="ds"),
            "rng_dump": graph.tensor([2, 4, 8, 6], name="dump")}
    for result in graph.sdpa_backward(**t, bias=bias, sink_token=sink, **made,
                                      dropout=(0.5, seed, seed)):
        result.set_output(True)
    graph.validate()
    node = graph.nodes[0]
    assert node.outputs["dBias"].get_name() == "db"
    assert node.outputs["DSINK_TOKEN"].get_name() == "ds"
    assert node.outputs["RNG_DUMP"].get_name() == "dump"


@pytest.mark.parametrize("keywords, error", [
    (dict(attn_scale=1), RuntimeError),
    (dict(sliding_window_length=3, diagonal_band_left_bound=3), RuntimeError),
    (dict(diagonal_band_right_bound=0.5), RuntimeError),
    (dict(diagonal_band_left_bound=True), RuntimeError),
    (dict(dropout=0.5), RuntimeError),
    (dict(dropout=(0.5, 1)), RuntimeError),
    (dict(score_mod=3), TypeError),
    (dict(score_mod_bprop=lambda g, ds: None), TypeError),
    (dict(no_such_argument=1), TypeError),
])
def test_errors_at_the_call(keywords, error):
    graph, t = declare()
    with pytest.raises(error):
        graph.sdpa_backward(**t, **keywords)
    assert not graph.nodes


def test_flags_may_overlap():
    """The peers' sdpa_backward does not check the causal flags."""
    graph, t = declare()
    graph.sdpa_backward(**t, use_causal_mask=True,
                        use_causal_mask_bottom_right=True,
                        diagonal_band_right_bound=1)
    attributes = graph.nodes[0].attributes
    assert attributes["diagonal_band_right_bound"] == 1
    assert "BOTTOM_RIGHT" in str(attributes["diagonal_alignment"]).upper()


NOT_SUPPORTED = opgraph.cudnnGraphNotSupportedError


@pytest.mark.parametrize("keywords, error, text", [
    (dict(use_padding_mask=True), ValueError, "SEQ_LEN_Q"),
    (dict(diagonal_band_left_bound=-1), RuntimeError, "left_bound"),
    (dict(use_alibi_mask=True), NOT_SUPPORTED, "right_bound"),
    (dict(max_total_seq_len_q=64), NOT_SUPPORTED, "max_total_seq_len_q"),
    (dict(attn_scale=[3]), ValueError, "one element"),
    (dict(bias=[2, 4, 8, 5]), ValueError, "broadcast to the scores"),
    (dict(dSink_token=[1, 4, 1, 1]), ValueError, "DSINK_TOKEN"),
    (dict(dBias=[1, 4, 8, 7]), ValueError, "dBias"),
    (dict(rng_dump=[2, 4, 8, 6]), ValueError, "dropout_probability"),
    (dict(seq_len_q=[2, 1, 1, 1]), ValueError, "lengths without it"),
])
def test_errors_at_validate(keywords, error, text):
    graph, t = declare()
    keywords = {key: graph.tensor(value) if isinstance(value, list) else value
                for key, value in keywords.items()}
    for result in graph.sdpa_backward(**t, **keywords):
        result.set_output(True)
    with pytest.raises(error, match=text):
        graph.validate()


@pytest.mark.parametrize("what", ["another graph", "another shape", "raises"])
def test_bad_score_mod(what):
    """A callback that misbehaves leaves the graph as it was, or fails at
    validate."""
    graph, t = declare()
    other, _ = declare()

    def bprop(g, ds):
        if what == "raises":
            raise KeyError("mine")
        if what == "another graph":
            return g.mul(ds, other.tensor([1, 1, 1, 1]))
        return graph.tensor([2, 4, 8, 7], data_type=T.FLOAT)

    def build():
        for result in graph.sdpa_backward(
                **t, score_mod=lambda g, s: g.relu(s), score_mod_bprop=bprop):
            result.set_output(True)
        graph.validate()

    with pytest.raises(KeyError if what == "raises" else Exception):
        build()
    if what != "another shape":
        assert not graph.nodes


def test_narrow_signatures():
    """Leading tensors by position, in the reference's order."""
    names = list(inspect.signature(
        opgraph.pygraph.sdpa_fp8_backward).parameters)[1:]
    assert names[:19] == [
        "q", "k", "v", "o", "dO", "stats", "descale_q", "descale_k",
        "descale_v", "descale_o", "descale_dO", "descale_s", "descale_dP",
        "scale_s", "scale_dQ", "scale_dK", "scale_dV", "scale_dP",
        "attn_scale"]
    names = list(inspect.signature(
        opgraph.pygraph.sdpa_mxfp8_backward).parameters)[1:]
    assert names[:18] == [
        "q", "q_T", "k", "k_T", "v", "o_f16", "dO_f16", "dO", "dO_T", "stats",
        "descale_q", "descale_q_T", "descale_k", "descale_k_T", "descale_v",
        "descale_dO", "descale_dO_T", "attn_scale"]
    for op in ("sdpa_fp8_backward", "sdpa_mxfp8_backward"):
        parameters = inspect.signature(getattr(opgraph.pygraph, op)).parameters
        assert list(parameters)[-2:] == ["max_total_seq_len_q",
                                         "max_total_seq_len_kv"]


def test_fp8_conflicts_and_results():
    graph, t = declare(dtype=T.FP8_E4M3)
    scale = graph.tensor([1, 1, 1, 1], data_type=T.FLOAT)
    scales = {name: scale for name in (
        "descale_q", "descale_k", "descale_v", "descale_o", "descale_dO",
        "descale_s", "descale_dP", "scale_s", "scale_dQ", "scale_dK",
        "scale_dV", "scale_dP")}
    for keywords in (dict(use_causal_mask=True,
                          use_causal_mask_bottom_right=True),
                     dict(use_causal_mask=True, right_bound=0),
                     dict(left_bound=1.0)):
        with pytest.raises(RuntimeError):
            graph.sdpa_fp8_backward(**t, **scales, **keywords)
    found = graph.sdpa_fp8_backward(**t, **scales, attn_scale=0.5)
    assert len(found) == 7
    for result in found:
        result.set_output(True)
    graph.validate()
    assert found[0].get_data_type() == T.FP8_E4M3
    assert found[6].get_dim() == [1, 1, 1, 1]
    assert found[6].get_data_type() == T.FLOAT


def test_training_step_in_one_graph():
    """O and Stats stay inside the graph between forward and backward."""
    rng = np.random.default_rng(5)
    q, k, v, do = (rng.normal(size=(2, 2, 6, 4)).astype(np.float32)
                   for _ in range(4))
    graph = graphs.new_graph()
    pack = {graphs.declare(graph, x): x for x in (q, k, v, do)}
    tensors = list(pack)
    keywords = dict(attn_scale=0.5, use_causal_mask=True)
    out, stats = graph.sdpa(*tensors[:3], generate_stats=True, **keywords)
    grads = graph.sdpa_backward(*tensors[:3], out, tensors[3], stats,
                                use_deterministic_algorithm=True, **keywords)
    got = graphs.run(graph, pack, grads, graphs.REFERENCE)
    mask = f.Mask(2, 6, 6, right=0)
    q, k, v, do = (x.astype(np.float64) for x in (q, k, v, do))
    out, stats = f.forward(q, k, v, mask, scale=0.5)
    want = f.backward(q, k, v, out, do, stats, mask, scale=0.5)
    for array, port in zip(got, ("dQ", "dK", "dV")):
        np.testing.assert_allclose(array, want[port], rtol=1e-5, atol=1e-5)


SYMBOLIC = """
!q = tensor<?x2x?x4xf32, #graph.layout<symbols = ["B", "", "S", ""]>>
!k = tensor<?x1x?x4xf32, #graph.layout<symbols = ["B", "", "T", ""]>>
!l = tensor<?x2x?x1xf32, #graph.layout<symbols = ["B", "", "S", ""]>>
graph.graph @gradients(
    %q: !q {graph.uid = 1 : i64}, %k: !k {graph.uid = 2 : i64},
    %v: !k {graph.uid = 3 : i64}, %o: !q {graph.uid = 4 : i64},
    %do: !q {graph.uid = 5 : i64}, %stats: !l {graph.uid = 6 : i64})
    -> (!q {graph.uid = 7 : i64}, !k {graph.uid = 8 : i64},
        !k {graph.uid = 9 : i64}) attributes {dynamic} {
  %0:3 = graph.sdpa_backward %q, %k, %v, %o, %do, %stats
      {attn_scale_value = 0.5 : f64, diagonal_band_right_bound = 0 : i64}
      : (!q, !k, !k, !q, !q, !l) -> !q, !k, !k
  graph.return %0#0, %0#1, %0#2 : !q, !k, !k
}
"""


@pytest.mark.parametrize("shape", [(1, 3, 5), (3, 6, 2), (2, 1, 1)])
def test_symbolic_extents(shape):
    batch, rows, columns = shape
    rng = np.random.default_rng(rows)
    q, do = (rng.normal(size=(batch, 2, rows, 4)) for _ in range(2))
    k, v = (rng.normal(size=(batch, 1, columns, 4)) for _ in range(2))
    mask = f.Mask(batch, rows, columns, right=0)
    out, stats = f.forward(q, k, v, mask, scale=0.5)
    want = f.backward(q, k, v, out, do, stats, mask, scale=0.5)
    pack = {uid: x.astype(np.float32)
            for uid, x in enumerate((q, k, v, out, do, stats), 1)}
    pack.update({7: np.full(q.shape, np.nan, np.float32),
                 8: np.full(k.shape, np.nan, np.float32),
                 9: np.full(v.shape, np.nan, np.float32)})
    graph = opgraph.parse(SYMBOLIC)
    graph.create_execution_plan(graphs.REFERENCE)
    graph.build_plans()
    size = graph.get_workspace_size(
        override_uids=list(pack),
        override_shapes=[list(x.shape) for x in pack.values()],
        override_strides=[graphs.strides_of(x) for x in pack.values()])
    graph.execute(pack, np.full(size, 0xFF, np.uint8))
    for uid, port in ((7, "dQ"), (8, "dK"), (9, "dV")):
        np.testing.assert_allclose(pack[uid], want[port], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("offsets", [
    [0, 2 ** 40, -2 ** 40], [-7, -7, -7], [10 ** 18, 3, 0], [0, 1, 2]])
def test_offsets_that_lead_nowhere(offsets):
    """Whatever offsets and lengths say, no access leaves an operand."""
    graph = graphs.new_graph()
    dim, strides, room = [2, 2, 3, 4], [24, 4, 8, 1], 64
    index = graph.tensor([3, 1, 1, 1], data_type=T.INT64)
    lengths = graph.tensor([2, 1, 1, 1], data_type=T.INT32)
    tensors = [graph.tensor(dim, strides, ragged_offset=index)
               for _ in range(5)]
    stats = graph.tensor([2, 2, 3, 1], [6, 1, 2, 1], ragged_offset=index)
    grads = graph.sdpa_backward(*tensors, stats, use_padding_mask=True,
                                seq_len_q=lengths, seq_len_kv=lengths)
    for result in grads:
        result.set_output(True).set_dim(dim).set_stride(strides)
        result.set_ragged_offset(index)
    graph.create_execution_plan(graphs.REFERENCE)
    graph.build_plans()
    raw = {t: np.full(48 + 2 * room, 0.5, np.float32)
           for t in (*tensors, stats, *grads)}
    pack = {t: x[room:-room] for t, x in raw.items()}
    pack[stats] = raw[stats][room:room + 12]
    pack[index] = np.array(offsets, np.int64).reshape(3, 1, 1, 1)
    pack[lengths] = np.array([2 ** 31 - 1, -1], np.int32).reshape(2, 1, 1, 1)
    size = graph.get_workspace_size()
    graph.execute(pack, np.full(size, 0xFF, np.uint8))
    for result in grads:
        assert (raw[result][:room] == 0.5).all()
        assert (raw[result][-room:] == 0.5).all()
