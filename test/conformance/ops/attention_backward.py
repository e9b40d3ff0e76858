# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of attention."""

import numpy as np
import opgraph
from formulas import attention_backward as f
from support.dtypes import OPGRAPH, convert, widen

from ..case import Operand, Operation, Want, operation, scalar
from ..memory import strides_for
from ..philox import dropout_keep

SHAPE = dict(b=2, hq=4, hk=2, hv=4, sq=5, skv=7, d=8, dv=8)
SEED, OFFSET = 0x1234567890ABCDEF, 7
#: edge -> what differs from the plain case: extents, the band and lengths,
#: `scale`, `bias` and `dbias` (shapes), `dropout` (probability) and flags.
EDGES = {
    "plain": dict(scale=0.375),
    "no scale": {},
    "scale tensor": dict(scale=0.375, scale_tensor=True),
    "one head": dict(hq=1, hk=1, hv=1, scale=0.375),
    "heads of K and V differ": dict(hq=6, hk=3, hv=2, scale=0.375),
    "value width": dict(dv=3, scale=0.375),
    "width 1": dict(d=1, dv=1),
    "one query": dict(sq=1, scale=0.375),
    "one key": dict(skv=1, scale=0.375),
    "one score": dict(sq=1, skv=1, scale=0.375),
    "size 0": dict(b=0),
    "no queries": dict(sq=0),
    "no keys": dict(skv=0),
    "causal": dict(right=0, scale=0.375),
    "bottom right": dict(right=0, bottom_right=True),
    "rows beyond keys": dict(sq=9, right=0, bottom_right=True),
    "window": dict(right=0, left=3),
    "both bounds": dict(right=2, left=2, bottom_right=True),
    "all masked": dict(left=0, right=0),
    "bounds beyond all": dict(right=2 ** 63 - 1, left=2 ** 63 - 1),
    "padding": dict(seq_q=[3, 0], seq_kv=[7, 4], scale=0.375),
    "padding, no keys": dict(seq_q=[5, 2], seq_kv=[0, 1]),
    "lengths beyond extents": dict(seq_q=[99, -3], seq_kv=[7, 2 ** 30]),
    "padding and band": dict(seq_q=[3, 5], seq_kv=[7, 2], right=0, left=4,
                             bottom_right=True),
    "prefix sums": dict(seq_q=[3, 0], seq_kv=[7, 4], sums=True),
    "bias": dict(bias=(1, 4, 5, 7), dbias=True, scale=0.375),
    "bias of one row": dict(bias=(2, 1, 1, 7), dbias=True),
    "bias of lower rank": dict(bias=(5, 1), dbias=True),
    "bias, padding": dict(bias=(1, 4, 5, 7), dbias=True, seq_q=[3, 0],
                          seq_kv=[7, 4]),
    "bias of minus infinity": dict(bias=(1, 4, 5, 7), masked=True, dbias=True),
    "bias without its gradient": dict(bias=(1, 1, 5, 7)),
    "gradient of no bias": dict(dbias=(1, 4, 1, 7), scale=0.375),
    "alibi": dict(alibi=True, right=0, scale=0.375),
    "alibi of 6 heads": dict(alibi=True, right=0, hq=6, hk=2, hv=3),
    "sink": dict(sink=True, scale=0.375),
    "sink, padding": dict(sink=True, seq_q=[3, 0], seq_kv=[7, 4], right=0),
    "sink, rows beyond keys": dict(sink=True, sq=9, right=0, bottom_right=True),
    "sink without its gradient": dict(sink=True, dsink=False),
    "dropout": dict(dropout=0.3, scale=0.375),
    "dropout of 0": dict(dropout=0.0),
    "dropout, sink, padding": dict(dropout=0.6, sink=True, seq_q=[3, 5],
                                   seq_kv=[7, 4]),
    "padding of zeros": dict(seq_q=[3, 5], seq_kv=[7, 4], beyond=0,
                             scale=0.375),
    "padding of zeros, band": dict(seq_q=[3, 2], seq_kv=[7, 4], beyond=0,
                                   right=0, left=4, bottom_right=True),
    "dropout mask": dict(mask=(2, 4, 5, 7), scale=0.375),
    "dropout mask for all heads": dict(mask=(2, 1, 5, 7)),
    "soft cap": dict(mod="softcap", scale=0.6875),
    "soft cap, bias": dict(mod="softcap", scale=0.6875, bias=(1, 4, 5, 7),
                           dbias=True),
    "soft cap without its derivative": dict(mod="softcap alone"),
    "score_mod that masks": dict(mod="causal", scale=0.375),
    "log2": dict(log2=True, scale=0.375),
    "deterministic": dict(deterministic=True, right=0),
    "NaN": dict(nan=True, scale=0.375),
}
CAP = 1.5
#: dtype -> (ulps, absolute) of other engines.
ENGINE = {"f64": (64, 1e-10), "f32": (16, 1e-4), "f16": (2, 2e-2),
          "bf16": (2, 7e-2), "e4m3": (1, 0.1), "e5m2": (1, 0.1)}


def bound(values, dtype, absolute=1e-9):
    """The judge holds everything in f64, so only the last rounding differs."""
    return Want(values, 64 if dtype == "f64" else 1,
                1e-12 if dtype == "f64" else absolute, engine=ENGINE[dtype])


def shape_of(edge):
    return {key: edge.get(key, value) for key, value in SHAPE.items()}


def mask_of(edge):
    e = shape_of(edge)
    return f.Mask(e["b"], e["sq"], e["skv"], **{
        key: edge[key] for key in ("seq_q", "seq_kv", "left", "right",
                                   "bottom_right") if key in edge})


def dropout_of(edge, given=None):
    """(keep, times, 1 / times) of an edge; `given`: the mask as stored."""
    e = shape_of(edge)
    scores = (e["b"], e["hq"], e["sq"], e["skv"])
    if "dropout" in edge:
        keep = dropout_keep(SEED, OFFSET, scores, edge["dropout"])
        times = 1 / (1 - edge["dropout"])
        return keep.astype(np.float64), times, 1 / times
    return (given, 2.0, 0.5) if "mask" in edge else (1.0, 1.0, 1.0)


def score_mod_of(edge):
    """NumPy's (forward, derivative)."""
    softcap = lambda s: CAP * np.tanh(s / CAP)
    slope = lambda s, ds: ds * (1 - np.tanh(s / CAP) ** 2)
    same = lambda s, ds: ds
    causal = lambda s: np.where(np.tri(*s.shape[-2:], dtype=bool), s, -np.inf)
    return {None: None, "softcap": (softcap, slope),
            "softcap alone": (softcap, same),
            "causal": (causal, same)}[edge.get("mod")]


def forward_options(edge, v):
    """What formula and judge read besides the tensors."""
    scale = float(np.ravel(v["scale"])[0]) if "scale" in v else \
        edge.get("scale")
    return dict(scale=scale, bias=v.get("bias"),
                alibi=edge.get("alibi", False), sink=v.get("sink"),
                score_mod=score_mod_of(edge), log2=edge.get("log2", False))


def common_operands(edge, rng):
    """Lengths, dropout and the sink."""
    found = {}
    for name, key in (("seq_len_q", "seq_q"), ("seq_len_kv", "seq_kv")):
        if key not in edge:
            continue
        if edge.get("sums"):
            sums = np.concatenate([[0], np.cumsum(edge[key])])
            found["cu_" + name] = Operand(sums, "i64")
        else:
            lengths = np.array(edge[key], np.int64)
            found[name] = Operand(lengths.reshape(-1, 1, 1, 1), "i32")
    if "dropout" in edge:
        found["seed"] = scalar(SEED, "i64", 4)
        found["offset"] = Operand(np.full((1, 1, 1, 1), OFFSET), "i32")
    if "mask" in edge:
        found["mask"] = Operand((rng.uniform(size=edge["mask"]) < 0.7) * 1.0,
                                "f32")
        found["times"] = Operand(np.full((1, 1, 1, 1), 2.0), "f32")
        found["times_inv"] = Operand(np.full((1, 1, 1, 1), 0.5), "f32")
    if edge.get("sink"):
        heads = shape_of(edge)["hq"]
        found["sink"] = Operand(rng.normal(size=(1, heads, 1, 1)), "f32")
    return found


def common_keywords(edge, t, bounds=("left_bound", "right_bound")):
    """Keywords of the graph method."""
    found = {key: t[key] for key in t if "seq_len" in key}
    found["use_padding_mask"] = "seq_q" in edge
    found[bounds[0]], found[bounds[1]] = edge.get("left"), edge.get("right")
    if edge.get("bottom_right"):
        found["diagonal_alignment"] = opgraph.diagonal_alignment.BOTTOM_RIGHT
    found["attn_scale"] = t.get("scale", edge.get("scale"))
    if "dropout" in edge:
        found["dropout"] = (edge["dropout"], t["seed"], t["offset"])
    if "mask" in edge:
        found["dropout"] = (t["mask"], t["times"], t["times_inv"])
    if edge.get("sink"):
        found["sink_token"] = t["sink"]
    return found


def sink_result(graph, edge):
    if not edge.get("sink") or edge.get("dsink") is False:
        return None
    return graph.tensor(dim=[1, shape_of(edge)["hq"], 1, 1],
                        data_type=OPGRAPH["f32"])


@operation
class SdpaBackward(Operation):
    """Dense tensors; rows and columns beyond the lengths hold NaN."""

    op = "sdpa_backward"

    def cases(self):
        for edge in EDGES:
            for dtype in ("f32", "bf16"):
                yield self.make(dtype, edge=edge)
        for edge in ("plain", "causal", "padding", "bias", "sink", "dropout",
                     "soft cap"):
            for dtype in ("f16", "f64"):
                yield self.make(dtype, edge=edge)
        for layout in ("channels_last", "transposed", "swapped", "padded",
                       "gapped", "odd_ones"):
            for edge in ("plain", "padding"):
                yield self.make("bf16", layout, edge)
        yield self.make("f32", "broadcast", "plain")
        yield self.make("bf16", edge="plain", gradient="f32")
        yield self.make("f32", edge="bias", gradient="f16")

    def operands(self, case, rng):
        edge = EDGES[case.edge]
        e, mask, dtype = shape_of(edge), mask_of(edge), case.dtype
        queries = (e["b"], e["hq"], e["sq"])
        found = {"q": (*queries, e["d"]),
                 "k": (e["b"], e["hk"], e["skv"], e["d"]),
                 "v": (e["b"], e["hv"], e["skv"], e["dv"]),
                 "do": (*queries, e["dv"])}
        found = {name: Operand(rng.normal(size=shape), dtype, case.layout)
                 for name, shape in found.items()}
        if edge.get("nan"):
            found["q"].values[0, 1, 2, 3] = np.nan
            found["do"].values[1, 2, 4, 0] = np.nan
        if "bias" in edge:
            bias = rng.normal(size=edge["bias"])
            if edge.get("masked"):
                bias[0, 1, 2], bias[..., 3] = -np.inf, -np.inf
            found["bias"] = Operand(bias, dtype)
        if edge.get("scale_tensor"):
            found["scale"] = scalar(edge["scale"], "f32", 4)
        if edge.get("mod"):
            found["cap"] = scalar(CAP, rank=4)
            found["masked"] = scalar(-np.inf, rank=4)
        found.update(common_operands(edge, rng))
        v = {name: widen(convert(operand.values, operand.dtype))
             for name, operand in found.items()}
        keep, times, _ = dropout_of(edge, v.get("mask"))
        out, stats = f.forward(v["q"], v["k"], v["v"], mask,
                               factor=keep * times, **forward_options(edge, v))
        found["o"] = Operand(out, dtype, case.layout)
        found["stats"] = Operand(stats, "f64" if dtype == "f64" else "f32")
        for name, live in (("q", mask.rows), ("o", mask.rows),
                           ("do", mask.rows), ("stats", mask.rows),
                           ("k", mask.columns), ("v", mask.columns)):
            values = found[name].values
            found[name].values = np.where(live, values,
                                          edge.get("beyond", np.nan))
        return found

    def build(self, case, graph, t):
        edge = EDGES[case.edge]
        keywords = common_keywords(
            edge, t, ("diagonal_band_left_bound", "diagonal_band_right_bound"))
        keywords.update(self._callbacks(edge, graph, t), bias=t.get("bias"))
        for flag, keyword in (("alibi", "use_alibi_mask"),
                              ("log2", "stats_use_log2"),
                              ("deterministic", "use_deterministic_algorithm")):
            keywords[keyword] = edge.get(flag, False)
        made = {"DSINK_TOKEN": sink_result(graph, edge)}
        if edge.get("dbias"):
            shape = edge["bias"] if edge["dbias"] is True else edge["dbias"]
            made["dBias"] = graph.tensor(dim=shape)
        e = shape_of(edge)
        if "dropout" in edge:
            made["RNG_DUMP"] = graph.tensor(
                dim=[e["b"], e["hq"], e["sq"], e["skv"]],
                data_type=OPGRAPH["f32"])
        grads = graph.sdpa_backward(
            t["q"], t["k"], t["v"], t["o"], t["do"], t["stats"],
            dBias=made.get("dBias"), dSink_token=made["DSINK_TOKEN"],
            rng_dump=made.get("RNG_DUMP"), **keywords)
        found = dict(zip(("dQ", "dK", "dV"), grads))
        for port, like in (("dQ", "q"), ("dK", "k"), ("dV", "v")):
            if case.layout not in ("row_major", "broadcast"):
                found[port].set_stride(strides_for(t[like].get_dim(),
                                                   case.layout))
            if case.get("gradient"):
                found[port].set_data_type(OPGRAPH[case.gradient])
        found.update((port, x) for port, x in made.items() if x is not None)
        return found

    def _callbacks(self, edge, graph, t):
        made = {}

        def softcap(g, s):
            made["inner"] = g.div(s, t["cap"])
            return g.mul(g.tanh(made["inner"]), t["cap"])

        def slope(g, ds):
            return g.tanh_backward(ds, made["inner"])

        def causal(g, s):
            row, column = g.gen_index(s, 2), g.gen_index(s, 3)
            for index in (row, column):
                index.set_data_type(opgraph.data_type.INT32)
            keep = g.cmp_ge(row, column,
                            compute_data_type=opgraph.data_type.INT32)
            keep.set_data_type(opgraph.data_type.BOOLEAN)
            return g.binary_select(s, t["masked"], keep)

        return {None: {},
                "softcap": dict(score_mod=softcap, score_mod_bprop=slope),
                "softcap alone": dict(score_mod=softcap),
                "causal": dict(score_mod=causal)}[edge.get("mod")]

    def expected(self, case, v):
        edge = EDGES[case.edge]
        keep, times, times_inv = dropout_of(edge, v.get("mask"))
        shape = edge.get("bias") if edge.get("dbias") is True else \
            edge.get("dbias")
        options = forward_options(edge, v)
        found = f.backward(
            v["q"], v["k"], v["v"], v["o"], v["do"], v["stats"], mask_of(edge),
            keep=keep, times=times, times_inv=times_inv, bias_shape=shape,
            **options)
        if edge.get("dsink") is False:
            del found["DSINK_TOKEN"]
        if "dropout" in edge:
            found["RNG_DUMP"] = np.array(keep)
        dtypes = {"DSINK_TOKEN": "f32", "RNG_DUMP": "f32", "dBias": case.dtype}
        # A score_mod's values round to f32.
        slack = 1e-5 if edge.get("mod") else 1e-9
        return {port: bound(x, dtypes.get(port, case.get("gradient",
                                                         case.dtype)), slack)
                for port, x in found.items()}
