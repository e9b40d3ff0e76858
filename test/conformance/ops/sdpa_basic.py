# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention forward with masks by position, bias and lengths; attention.py has
the rest of its arguments."""

import numpy as np
import opgraph
from formulas import tensor as f
from support.dtypes import OPGRAPH

from ..case import Operand, Operation, Want, operation

BOTTOM_RIGHT = opgraph.diagonal_alignment.BOTTOM_RIGHT
#: dtype of O -> (ulps, absolute): P rounds to the operands' type.
JUDGE = {"f32": (1, 1e-6), "f16": (2, 2e-3), "bf16": (2, 1.6e-2)}
ENGINE = {"f32": (16, 4e-6), "f16": (2, 2e-3), "bf16": (2, 1.6e-2)}
STATS = {"judge": (1, 1e-6), "engine": (16, 1e-5)}
#: edge -> (extents, arguments of the graph, arguments of the formula)
MASKS = {
    "plain": ({}, {}, {}),
    "causal": ({}, dict(use_causal_mask=True), dict(right=0)),
    "causal bottom-right": (dict(sq=5, skv=11), dict(
        use_causal_mask_bottom_right=True), dict(right=0, bottom_right=True)),
    "rows beyond keys": (dict(sq=11, skv=5), dict(
        use_causal_mask_bottom_right=True), dict(right=0, bottom_right=True)),
    "window": ({}, dict(use_causal_mask=True, sliding_window_length=4),
               dict(right=0, left=4)),
    "both bounds": ({}, dict(diagonal_band_left_bound=3,
                             diagonal_band_right_bound=2),
                    dict(left=3, right=2)),
    "bound beyond keys": (dict(sq=11, skv=5), dict(
        diagonal_band_right_bound=15, diagonal_alignment=BOTTOM_RIGHT),
        dict(right=15, bottom_right=True)),
    "bounds beyond all": ({}, dict(diagonal_band_left_bound=2 ** 63 - 1,
                                   diagonal_band_right_bound=2 ** 63 - 1), {}),
    "grouped heads": (dict(hq=6, hk=2), {}, {}),
    "value width": (dict(dv=16), {}, {}),
    "tile + 1": (dict(sq=33, skv=65, d=16, dv=16), dict(use_causal_mask=True),
                 dict(right=0)),
    "one query": (dict(sq=1, skv=40), {}, {}),
    "one key": (dict(sq=4, skv=1), {}, {}),
    "size 0": (dict(b=0), {}, {}),
}
BIASES = ((1, 4, 9, 13), (2, 1, 1, 13), (1, 1, 9, 13), (2, 4, 1, 1))


@operation
class Sdpa(Operation):
    op = "sdpa"

    def cases(self):
        for dtype in ("f32", "bf16", "f16"):
            for edge in MASKS:
                yield self.make(dtype, edge=edge)
        for layout in ("padded", "gapped", "swapped", "odd_ones", "bshd"):
            for dtype in ("f32", "bf16"):
                yield self.make(dtype, layout, "causal")
        for shape in BIASES:
            yield self.make("f32", edge="bias", bias=shape)
        for causal in ("", "top_left", "bottom_right"):
            for dtype in ("f32", "f16"):
                yield self.make(dtype, edge="lengths", causal=causal)
        yield self.make("f32", edge="masked rows")
        yield self.make("f32", edge="scale as tensor")
        yield self.make("f32", edge="no scale")
        yield self.make("bf16", edge="inference")

    def operands(self, case, rng):
        shape = dict(b=2, hq=4, hk=4, sq=9, skv=13, d=8, dv=8)
        shape.update(MASKS.get(case.edge, ({},))[0])
        if case.edge == "lengths":
            shape["b"] = 3
        b, hq, hk, sq, skv, d, dv = shape.values()
        found = {}
        for name, (h, s, w) in dict(q=(hq, sq, d), k=(hk, skv, d),
                                    v=(hk, skv, dv)).items():
            bshd = case.layout == "bshd"
            found[name] = Operand(
                rng.normal(0, 1, (b, h, s, w)), case.dtype,
                "row_major" if bshd else case.layout,
                strides=[s * h * w, w, h * w, 1] if bshd else None)
        if case.edge == "lengths":
            for name, lengths in dict(seq_len_q=[5, 0, 9],
                                      seq_len_kv=[7, 13, 0]).items():
                found[name] = Operand(np.reshape(lengths, (3, 1, 1, 1)), "i32")
        if case.edge in ("bias", "masked rows"):
            bias = rng.normal(0, 1, case.get("bias", (1, 1, 9, 13)))
            if case.edge == "masked rows":
                bias[0, 0, 3] = -np.inf
            found["bias"] = Operand(bias, "f32")
        if case.edge == "scale as tensor":
            found["attn_scale"] = Operand(np.full((1, 1, 1, 1), 0.5), "f32",
                                          by_value=True)
        return found

    def build(self, case, graph, t):
        arguments = dict(MASKS.get(case.edge, ({}, {}))[1])
        if case.edge == "lengths":
            arguments["use_padding_mask"] = True
            if case.causal:
                name = "use_causal_mask" + "_bottom_right" * (
                    case.causal == "bottom_right")
                arguments[name] = True
        if case.edge not in ("scale as tensor", "no scale"):
            arguments["attn_scale"] = 0.3125
        if case.edge == "inference":
            return {"O": graph.sdpa(*t.values(), is_inference=True,
                                    **arguments)[0]}
        q, k, v = (t[n] for n in "qkv")
        more = {n: x for n, x in t.items() if n not in "qkv"}
        out, stats = graph.sdpa(q, k, v, generate_stats=True, **arguments, **more)
        return {"O": out, "Stats": stats.set_data_type(OPGRAPH["f32"])}

    def expected(self, case, v):
        arguments = dict(MASKS.get(case.edge, ({}, {}, {}))[2])
        if case.edge == "lengths":
            arguments.update(seq_q=v["seq_len_q"].reshape(-1),
                             seq_kv=v["seq_len_kv"].reshape(-1))
            if case.causal:
                arguments["right"] = 0
            arguments["bottom_right"] = case.causal == "bottom_right"
        scale = {"no scale": None, "scale as tensor": 0.5}.get(case.edge, 0.3125)
        out, stats = f.sdpa(v["q"], v["k"], v["v"], scale=scale,
                            bias=v.get("bias"), **arguments)
        found = {"O": Want(out, *JUDGE[case.dtype], engine=ENGINE[case.dtype])}
        if case.edge != "inference":
            found["Stats"] = Want(stats, *STATS["judge"], engine=STATS["engine"])
        return found
