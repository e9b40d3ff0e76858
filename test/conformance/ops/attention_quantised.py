# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention forward on fp8 tensors, with one scale for a tensor or one for a
block of 32 elements."""

import numpy as np
import opgraph
from formulas import attention as f
from support.dtypes import OPGRAPH, convert, widen

from ..case import Operand, Operation, Output, Want, operation, scalar
from ..memory import f8_128x4_offsets, strides_for
from .attention import (edge_of, formula_options, lengths_operands,
                        mask_operands, score_mod_of, shape_of)
from .attention_storage import SHAPE as shapes
from .attention_storage import Packed

#: Edges of `sdpa` that sdpa_fp8 has too.
FP8 = ("plain", "all results", "no keys", "no batch", "alibi", "sink",
       "sink, padding", "prefix sums", "lengths beyond", "all masked",
       "padding", "padding of zeros", "log2", "dropout", "dropout, padding, band", "dropout mask",
       "scale tensor", "soft cap", "soft cap, bias, causal", "relative bias",
       "width 1")
SCALES = {"descale_q": 0.5, "descale_k": 1.5, "descale_v": 0.75,
          "descale_s": 1 / 256, "scale_s": 256.0, "scale_o": 4.0}
#: dtype of O -> (ulps, absolute).
CLOSE = {"e4m3": (1, 1e-3), "e5m2": (1, 1e-3), "f16": (2, 1e-3),
         "bf16": (2, 1e-3), "f32": (4, 1e-4)}


def one(value):
    return Operand(np.full((1, 1, 1, 1), value), "f32")


def common(edge, t):
    """Keywords that both methods share."""
    found = {key: t[key] for key in t if "seq_len" in key}
    found.update(
        attn_scale=t.get("scale", edge.get("scale")),
        use_padding_mask="seq_q" in edge, sink_token=t.get("sink"),
        diagonal_alignment=opgraph.diagonal_alignment.BOTTOM_RIGHT
        if edge.get("bottom_right") else None)
    return found


@operation
class SdpaFp8(Operation):
    op = "sdpa_fp8"

    def cases(self):
        for edge in FP8:
            yield self.make("e4m3", edge=edge)
            yield self.make("e5m2", edge=edge, io="f16")
            yield self.make("e4m3", edge=edge, wide=16)
        for edge in ("plain", "padding", "all masked"):
            yield self.make("e5m2", edge=edge, wide=128)
        for layout in ("channels_last", "transposed", "padded", "gapped",
                       "odd_ones"):
            yield self.make("e4m3", layout, "sink, padding")
        for io in ("bf16", "f32", "e5m2"):
            yield self.make("e4m3", edge="plain", io=io, out=io)
        yield self.make("e4m3", edge="plain", out="none", io="f32",
                        scale_o=False)
        yield self.make("e4m3", edge="plain", saturated=True)

    def operands(self, case, rng):
        edge = edge_of(case)
        e = shape_of(edge)
        shapes = {"q": (e["b"], e["hq"], e["sq"], e["d"]),
                  "k": (e["b"], e["hk"], e["skv"], e["d"]),
                  "v": (e["b"], e["hv"], e["skv"], e["dv"])}
        found = {name: Operand(rng.normal(size=shape), case.dtype, case.layout)
                 for name, shape in shapes.items()}
        for name, value in SCALES.items():
            if name != "scale_o" or case.get("scale_o", True):
                found[name] = one(1e6 if case.get("saturated") and
                                  name in ("scale_s", "scale_o") else value)
        found.update(lengths_operands(edge))
        found.update(mask_operands(edge, rng))
        if edge.get("scale_tensor"):
            found["scale"] = scalar(edge["scale"], "f32", 4)
        if edge.get("mod") == "softcap":
            found["cap"] = scalar(1.5, "f32", 4)
        if edge.get("mod") == "relative":
            found["tenth"] = scalar(0.1, "f32", 4)
        return found

    def build(self, case, graph, t):
        edge = edge_of(case)
        e = shape_of(edge)
        more = common(edge, t)
        if "dropout" in edge:
            more["dropout"] = (edge["dropout"], t["seed"], t["offset"])
        if "mask" in edge:
            more["dropout"] = (t["mask"], t["times"])
        made = {}
        for port, argument, width in (
                ("Max", "score_max", 1), ("Sum_exp", "score_sum_exp", 1),
                ("RNG_DUMP", "rng_dump", e["skv"])):
            if port in edge.get("results", ()) or (port == "RNG_DUMP"
                                                   and edge.get("dump")):
                made[port] = more[argument] = graph.tensor(
                    dim=[e["b"], e["hq"], e["sq"], width],
                    data_type=OPGRAPH["f32"])
        out, stats, amax_s, amax_o = graph.sdpa_fp8(
            t["q"], t["k"], t["v"], t["descale_q"], t["descale_k"],
            t["descale_v"], t["descale_s"], t["scale_s"], t.get("scale_o"),
            generate_stats=True, bias=t.get("bias"),
            use_alibi_mask=edge.get("use_alibi", False),
            left_bound=edge.get("left"), right_bound=edge.get("right"),
            fn=score_mod_of(graph, edge, t),
            stats_use_log2=edge.get("log2", False), **more)
        out.set_data_type(OPGRAPH[case.io or case.dtype])
        return {"O": out, "Stats": stats, "Amax_S": amax_s, "Amax_O": amax_o,
                **made}

    def expected(self, case, v):
        edge = edge_of(case)
        more, keep = formula_options(edge, v)
        scale = {name: float(v[name].flat[0]) for name in SCALES if name in v}
        def narrow(p):
            return widen(convert(p * scale["scale_s"], case.dtype))
        values = f.attention(v["q"] * scale["descale_q"],
                             v["k"] * scale["descale_k"], v["v"],
                             weight=narrow, **more)
        out = values["O"] * scale["descale_s"] * scale["descale_v"]
        amax_s = np.abs(values["P"]).max(initial=0)
        amax_o = np.abs(out).max(initial=0)
        # A weight next to a tie may round the other way.
        step = 2.0 ** (-3 if case.dtype == "e4m3" else -2)
        slack = 1e-6 if not edge.get("mod") else step * amax_s * np.abs(
            v["v"]).max(initial=0) * scale["descale_v"]
        slack *= scale.get("scale_o", 1.0)
        size = 4e-6 if edge.get("mod") else 1e-8
        one_shape = (1, 1, 1, 1)
        # Engines with a running maximum round other weights.
        far = step * np.abs(v["v"]).max(initial=0) * scale["descale_v"]
        wants = {
            "O": Want(out * scale.get("scale_o", 1.0), 1, slack,
                      engine=(1, far * scale.get("scale_o", 1.0))),
            "Stats": Want(values["Stats"], 1, size,
                          engine=(16, self.stats_bound(v, scale, more))),
            "Amax_S": Want(np.full(one_shape, amax_s), 1, size,
                           engine=(1, amax_s * 2.0 ** -10)),
            "Amax_O": Want(np.full(one_shape, amax_o), 1, slack,
                           engine=(1, far))}
        for port in edge.get("results", ()):
            wants[port] = Want(values[port], 1, size * 10, engine=(16, 1e-5))
        if edge.get("dump"):
            wants["RNG_DUMP"] = Want(keep * 1.0)
        return wants


    @staticmethod
    def stats_bound(v, scale, more):
        """Of other engines, from the sums of magnitudes of the scores."""
        width, keys = v["k"].shape[-1], v["k"].shape[2]
        most = np.nan_to_num(np.abs(v["q"])).sum(-1).max(initial=0) * \
            np.nan_to_num(np.abs(v["k"])).max(initial=0)
        most *= scale["descale_q"] * scale["descale_k"] * (
            more["scale"] or 1.0)
        return (width * most + keys + 4) * 2.0 ** -23


#: edge -> what differs from the plain case.
BLOCKS = {
    "plain": {},
    "causal": dict(right=0),
    "bottom right": dict(right=0, bottom_right=True, skv=40),
    "window": dict(left=3, right=1),
    "sink": dict(sink=True),
    "padding": dict(seq_q=[3, 0], seq_kv=[33, 4]),
    "prefix sums": dict(seq_q=[3, 5], seq_kv=[33, 4], sums="qk"),
    "no scale": dict(scale=None),
    "scale tensor": dict(scale_tensor=True),
    "scaled output": dict(scale_o=2.5),
    "more than a tile": dict(b=1, hq=1, hk=1, hv=1, sq=130, skv=129, d=8, dv=4),
    "wide heads": dict(b=1, hq=1, hk=1, hv=1, sq=2, skv=3, d=136, dv=130),
    "one of each": dict(b=1, hq=1, hk=1, hv=1, sq=1, skv=1, d=1, dv=1),
    "scale of NaN": dict(nan=True),
    "without statistics": dict(stats=False),
    "paged": dict(paged=32, seq_q=[3, 5], seq_kv=[64, 4], skv=64),
    "pages of 3": dict(paged=3, seq_q=[3, 5], seq_kv=[9, 4], skv=9),
}


@operation
class SdpaMxfp8(Operation):
    op = "sdpa_mxfp8"
    SHAPE = dict(b=2, hq=2, hk=1, hv=2, sq=5, skv=35, d=40, dv=6, scale=0.3125)

    def cases(self):
        for edge in BLOCKS:
            yield self.make("e4m3", edge=edge, io="f32")
            yield self.make("e5m2", edge=edge, io="f16")
        for layout in ("transposed", "padded", "odd_ones"):
            yield self.make("e4m3", layout, "plain", io="bf16")

    def edge(self, case):
        return {**self.SHAPE, **BLOCKS[case.edge]}

    def operands(self, case, rng):
        e = self.edge(case)
        found = {}
        for name, heads, rows, width in (
                ("q", e["hq"], e["sq"], e["d"]),
                ("k", e["hk"], e["skv"], e["d"]),
                ("v", e["hv"], e["skv"], e["dv"])):
            batch = e["b"]
            if e.get("paged") and name != "q":
                batch, rows = 4, e["paged"]
                pages = -(-e["skv"] // rows)
                found["table_" + name] = Operand(
                    rng.integers(0, batch, (e["b"], 1, pages, 1)), "i32")
            found[name] = Operand(rng.normal(size=(batch, heads, rows, width)),
                                  case.dtype, case.layout)
            axis = -2 if name == "v" else -1
            blocks = lambda n: -(-(-(-n // 32)) // 4) * 4
            padded = lambda n: -(-n // 128) * 128
            shape = (batch, heads, blocks(rows), padded(width)) \
                if axis == -2 else (batch, heads, padded(rows), blocks(width))
            values = 2.0 ** rng.integers(-3, 3, shape)
            if e.get("nan") and name == "k":
                values[0, 0, 1, 0] = np.nan
            strides = strides_for(shape, "row_major")
            if axis == -2:
                strides[-2:] = [1, shape[-2]]
            found["descale_" + name] = Operand(
                values, "e8m0", strides=strides, reordering="F8_128x4",
                offsets=f8_128x4_offsets(shape, axis))
        found.update(lengths_operands(e))
        found.update(mask_operands(
            {key: e[key] for key in ("sink", "hq") if key in e}, rng))
        if e.get("scale_tensor"):
            found["scale"] = scalar(e["scale"], "f32", 4)
        if e.get("scale_o"):
            found["scale_o"] = one(e["scale_o"])
        return found

    def build(self, case, graph, t):
        e = self.edge(case)
        more = common(e, t)
        if e.get("paged"):
            more.update(paged_attention_k_table=t["table_k"],
                        paged_attention_v_table=t["table_v"],
                        paged_attention_max_seq_len_kv=e["skv"])
        out, stats, amax = graph.sdpa_mxfp8(
            t["q"], t["k"], t["v"], t["descale_q"], t["descale_k"],
            t["descale_v"], generate_stats=e.get("stats", True),
            diagonal_band_left_bound=e.get("left"),
            diagonal_band_right_bound=e.get("right"),
            scale_o=t.get("scale_o"), **more)
        out.set_data_type(OPGRAPH[case.io])
        found = {"O": out, "Amax_O": amax}
        if stats is not None:
            found["Stats"] = stats
        return found

    def expected(self, case, v):
        e = self.edge(case)
        dense = {}
        for name in "qkv":
            axis = -2 if name == "v" else -1
            scales = np.repeat(v["descale_" + name], 32, axis=axis)
            batch, heads, rows, width = v[name].shape
            with np.errstate(all="ignore"):
                dense[name] = v[name] * scales[:, :, :rows, :width]
            if "table_" + name in v:
                dense[name] = f.gather_pages(dense[name], v["table_" + name],
                                             e["skv"])
        scale = float(v["scale"].flat[0]) if "scale" in v else e["scale"]
        values = f.attention(
            dense["q"], dense["k"], dense["v"], scale=scale,
            seq_q=e.get("seq_q"), seq_kv=e.get("seq_kv"), left=e.get("left"),
            right=e.get("right"), bottom_right=e.get("bottom_right", False),
            sink=v.get("sink"))
        with np.errstate(all="ignore"):
            amax = np.abs(values["O"]).max(initial=0)
        times = e.get("scale_o", 1.0)
        wants = {"O": Want(values["O"] * times, 1, 1e-8),
                 "Amax_O": Want(np.full((1, 1, 1, 1), amax), 1, 1e-8)}
        if e.get("stats", True):
            wants["Stats"] = Want(values["Stats"], 1, 1e-8)
        return wants


@operation
class SdpaFp8Storage(Operation):
    """Ragged queries and outputs beside pages of keys and values."""

    op = "sdpa_fp8"
    LENGTHS = dict(seq_q=[3, 1, 4], seq_kv=[7, 2, 5])

    def cases(self):
        for edge in ("ragged and paged", "paged"):
            for dtype in ("e4m3", "e5m2"):
                yield self.make(dtype, edge=edge, set="storage")

    def dims(self):
        e = shapes
        return ({name: (e["b"], e["hq"], e["sq"], width)
                 for name, width in (("q", e["d"]), ("o", e["dv"]))})

    def operands(self, case, rng):
        e, dims = shapes, self.dims()
        found = lengths_operands(self.LENGTHS)
        found.update({name: one(value) for name, value in SCALES.items()})
        for name, heads, width in (("k", e["hk"], e["d"]),
                                   ("v", e["hv"], e["dv"])):
            found[name] = Operand(rng.normal(size=(5, heads, 2, width)),
                                  case.dtype)
            found["table_" + name] = Operand(
                rng.integers(0, 5, (e["b"], 1, 4, 1)), "i32")
        if case.edge == "paged":
            found["q"] = Operand(rng.normal(size=dims["q"]), case.dtype)
            return found
        for name in "qo":
            place = Packed({}, self.LENGTHS["seq_q"], dims[name])
            found["offsets_" + name] = place.operand({})
            if name == "q":
                found["q"] = Operand(
                    rng.normal(size=place.elements), case.dtype, storage=True,
                    dim=place.dim, strides=place.strides, ragged="offsets_q")
        return found

    def build(self, case, graph, t):
        out, _, amax_s, amax_o = graph.sdpa_fp8(
            t["q"], t["k"], t["v"], *(t[name] for name in SCALES),
            is_inference=True, attn_scale=0.5, use_padding_mask=True,
            seq_len_q=t["seq_len_q"], seq_len_kv=t["seq_len_kv"],
            paged_attention_k_table=t["table_k"],
            paged_attention_v_table=t["table_v"],
            paged_attention_max_seq_len_kv=shapes["skv"])
        out.set_data_type(OPGRAPH[case.dtype])
        place = Packed({}, self.LENGTHS["seq_q"], self.dims()["o"])
        out.set_dim(place.dim).set_stride(place.strides)
        found = {"O": out, "Amax_S": amax_s, "Amax_O": amax_o}
        if case.edge != "paged":
            out.set_ragged_offset(t["offsets_o"])
            found["O"] = Output(out, offsets=place.places,
                                elements=place.elements)
        return found

    def expected(self, case, v):
        scale = {name: float(v[name].flat[0]) for name in SCALES}
        keys, values = (f.gather_pages(v[name], v["table_" + name],
                                       shapes["skv"]) for name in "kv")
        q, place = v["q"], Packed({}, self.LENGTHS["seq_q"], self.dims()["o"])
        if case.edge != "paged":
            packed = Packed({}, self.LENGTHS["seq_q"], self.dims()["q"])
            q = f.unpack(q, v["offsets_q"], packed.dim, packed.strides)
        found = f.attention(
            q * scale["descale_q"], keys * scale["descale_k"], values,
            scale=0.5, **self.LENGTHS, weight=lambda p: widen(convert(
                p * scale["scale_s"], case.dtype)))
        out = found["O"] * scale["descale_s"] * scale["descale_v"]
        amax_s, amax_o = (np.full((1, 1, 1, 1), np.abs(x).max())
                          for x in (found["P"], out))
        out = out * scale["scale_o"]
        return {"O": Want(out if case.edge == "paged" else out[place.exists],
                          1, 1e-6),
                "Amax_S": Want(amax_s, 1, 1e-8),
                "Amax_O": Want(amax_o, 1, 1e-8)}
