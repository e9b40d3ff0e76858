# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of attention on ragged, fp8 and block-scaled tensors."""

import numpy as np
from formulas import attention_backward as f
from support.dtypes import OPGRAPH, convert, widen
from support.graphs import packed

from ..case import Operand, Operation, Output, operation, scalar
from ..memory import f8_128x4_offsets
from .attention_backward import (bound, common_keywords, common_operands,
                                 dropout_of, mask_of, shape_of, sink_result)


def ragged_rows(x, lengths):
    """[B, H, S, D] -> [total, H, D], batch after batch."""
    parts = [x[b, :, :n].transpose(1, 0, 2) for b, n in enumerate(lengths)]
    return np.concatenate(parts) if parts else x.reshape(0, *x.shape[1::2])


#: edge -> as in attention_backward.EDGES; `room`: rows beyond those in use;
#: `capacity`: all rows there are; `unit`: what offsets count in, "element" or
#: "row" (by multiplier).
RAGGED = {
    "ragged": dict(seq_q=[3, 5], seq_kv=[7, 4], scale=0.375),
    "ragged, causal": dict(seq_q=[3, 5], seq_kv=[7, 4], right=0),
    "ragged, empty batch": dict(seq_q=[3, 0, 2], seq_kv=[7, 4, 0], b=3),
    "ragged, room": dict(seq_q=[3, 4], seq_kv=[2, 4], room=3, sink=True),
    "ragged, multiplier": dict(seq_q=[3, 5], seq_kv=[7, 4], unit="row"),
    "ragged, capacity": dict(seq_q=[3, 5], seq_kv=[7, 4], capacity=64),
}
#: tensor -> (whose rows, head count, width)
PORTS = {"q": ("q", "hq", "d"), "k": ("kv", "hk", "d"), "v": ("kv", "hv", "dv"),
         "o": ("q", "hq", "dv"), "do": ("q", "hq", "dv"),
         "stats": ("q", "hq", None), "dQ": ("q", "hq", "d"),
         "dK": ("kv", "hk", "d"), "dV": ("kv", "hv", "dv")}


@operation
class RaggedBackward(Operation):
    """Tokens of all batches behind one another, [T, H, D]."""

    op = "sdpa_backward"

    def cases(self):
        for edge in RAGGED:
            for dtype in ("f32", "bf16", "f16"):
                yield self.make(dtype, edge=edge)

    def _port(self, edge, port):
        """(lengths, extents, strides, elements of a row) of a tensor."""
        side, heads, width = PORTS[port]
        e = shape_of(edge)
        d = e[width] if width else 1
        h, s = e[heads], e["sq" if side == "q" else "skv"]
        return (edge["seq_" + side], [e["b"], h, s, d],
                [s * h * d, d, h * d, 1],
                h * d)

    def _room(self, edge, lengths):
        return edge["capacity"] - sum(lengths) if "capacity" in edge else \
            edge.get("room", 0)

    def _offsets(self, edge, port):
        lengths, _, _, row = self._port(edge, port)
        sums = np.concatenate([[0], np.cumsum(lengths)])
        return sums * (1 if edge.get("unit") == "row" else row), row

    def operands(self, case, rng):
        edge = RAGGED[case.edge]
        e, mask = shape_of(edge), mask_of(edge)

        def values(port, dtype=case.dtype):
            return widen(convert(rng.normal(size=self._port(edge, port)[1]),
                                 dtype))
        dense = {port: values(port) for port in ("q", "k", "v", "do")}
        found = common_operands(edge, rng)
        sink = widen(convert(found["sink"].values, "f32")) \
            if "sink" in found else None
        dense["o"], dense["stats"] = f.forward(
            dense["q"], dense["k"], dense["v"], mask, scale=edge.get("scale"),
            sink=sink)
        for port in PORTS:
            offsets, row = self._offsets(edge, port)
            found["offsets_" + port] = Operand(offsets, "i64")
            if port not in dense:
                continue
            lengths, dim, strides, _ = self._port(edge, port)
            flat = ragged_rows(dense[port], lengths).reshape(-1)
            room = np.full(self._room(edge, lengths) * row, np.nan)
            found[port] = Operand(
                np.concatenate([flat, room]),
                "f32" if port == "stats" else case.dtype, storage=True, dim=dim,
                strides=strides, ragged="offsets_" + port,
                ragged_multiplier=row if edge.get("unit") == "row" else 1)
        assert e["b"] == len(edge["seq_q"])
        return found

    def build(self, case, graph, t):
        edge = RAGGED[case.edge]
        capacity = {key: edge["capacity"] for key in (
            "max_total_seq_len_q", "max_total_seq_len_kv")} \
            if "capacity" in edge else {}
        sink = sink_result(graph, edge)
        keywords = common_keywords(
            edge, {key: x for key, x in t.items() if "offsets" not in key},
            ("diagonal_band_left_bound", "diagonal_band_right_bound"))
        grads = graph.sdpa_backward(t["q"], t["k"], t["v"], t["o"], t["do"],
                                    t["stats"], dSink_token=sink, **capacity,
                                    **keywords)
        found = {}
        for port, tensor in zip(("dQ", "dK", "dV"), grads):
            lengths, dim, strides, row = self._port(edge, port)
            tensor.set_dim(dim).set_stride(strides)
            tensor.set_ragged_offset(
                t["offsets_" + port], row if edge.get("unit") == "row" else 1)
            rows = sum(lengths) + self._room(edge, lengths)
            found[port] = Output(
                tensor, np.arange(sum(lengths) * row).reshape(-1, dim[1],
                                                              dim[3]),
                rows * row)
        return found if sink is None else {**found, "DSINK_TOKEN": sink}

    def expected(self, case, v):
        edge = RAGGED[case.edge]
        dense = {}
        for port in ("q", "k", "v", "o", "do", "stats"):
            lengths, dim, _, row = self._port(edge, port)
            dense[port] = np.zeros(dim)
            rows = v[port][:sum(lengths) * row].reshape(-1, dim[1], dim[3])
            starts = np.concatenate([[0], np.cumsum(lengths)])
            for b, n in enumerate(lengths):
                dense[port][b, :, :n] = rows[
                    starts[b]:starts[b] + n].transpose(1, 0, 2)
        found = f.backward(
            dense["q"], dense["k"], dense["v"], dense["o"], dense["do"],
            dense["stats"], mask_of(edge), scale=edge.get("scale"),
            sink=v.get("sink"))
        wants = {}
        for port, x in found.items():
            if port != "DSINK_TOKEN":
                x = ragged_rows(x, self._port(edge, port)[0])
            wants[port] = bound(x, "f32" if port == "DSINK_TOKEN"
                                else case.dtype)
        return wants


SCALES = {"descale_q": 0.75, "descale_k": 1.25, "descale_v": 0.5,
          "descale_o": 0.375, "descale_dO": 0.0625, "descale_s": 1 / 240.0,
          "descale_dP": 0.125, "scale_s": 240.0, "scale_dQ": 3.0,
          "scale_dK": 5.0, "scale_dV": 7.0, "scale_dP": 6.0}
NARROW = {
    "plain": dict(scale=0.3125),
    "no scale": {},
    "scale tensor": dict(scale=0.3125, scale_tensor=True),
    "one head": dict(hq=1, hk=1, hv=1),
    "heads of K and V differ": dict(hq=6, hk=3, hv=2, scale=0.3125),
    "one query": dict(sq=1, scale=0.3125),
    "size 0": dict(b=0),
    "no queries": dict(sq=0),
    "no keys": dict(skv=0),
    "causal": dict(right=0, scale=0.3125),
    "bottom right": dict(right=0, bottom_right=True, scale=0.3125),
    "window": dict(right=1, left=2, scale=0.3125),
    "all masked": dict(left=0, right=0),
    "padding": dict(seq_q=[3, 0], seq_kv=[7, 4], scale=0.3125),
    "padding of zeros": dict(seq_q=[3, 5], seq_kv=[7, 4], beyond=0,
                             scale=0.3125),
    "sink": dict(sink=True, scale=0.3125),
    "dropout": dict(dropout=0.4, scale=0.3125),
    "dropout mask": dict(mask=(2, 4, 5, 7), scale=0.3125),
    "dropout, sink, padding": dict(dropout=0.6, sink=True, seq_q=[3, 5],
                                   seq_kv=[7, 4], scale=0.3125),
}


def edge_of(case):
    """With channels as libraries' kernels want them."""
    wide = case.get("wide")
    return {**NARROW[case.edge], **({"d": wide, "dv": wide} if wide else {})}


def wants(found, gradient):
    found = dict(sorted(found.items(), key=lambda item: len(item[0])))
    return {port: bound(x, gradient if port in ("dQ", "dK", "dV") else "f32")
            for port, x in found.items()}


def edge_operands(edge, rng):
    found = common_operands(edge, rng)
    if edge.get("scale_tensor"):
        found["scale"] = scalar(edge["scale"], "f32", 4)
    return found


def scale_of(edge, v):
    return float(np.ravel(v["scale"])[0]) if "scale" in v else \
        edge.get("scale", 1.0)


@operation
class SdpaFp8Backward(Operation):
    op = "sdpa_fp8_backward"

    def cases(self):
        for edge in NARROW:
            yield self.make("e4m3", edge=edge)
        for edge in ("plain", "heads of K and V differ", "causal", "window",
                     "padding of zeros"):
            yield self.make("e4m3", edge=edge, gradient="e4m3", wide=128)
            yield self.make("e4m3", edge=edge, wide=128)
        for edge in ("plain", "causal", "padding", "sink", "dropout"):
            for gradient in ("e5m2", "f16", "bf16", "f32"):
                yield self.make("e4m3", edge=edge, gradient=gradient)
            yield self.make("e5m2", edge=edge, do="e4m3")
        for layout in ("channels_last", "padded", "swapped"):
            yield self.make("e4m3", layout, "plain")

    def operands(self, case, rng):
        edge = edge_of(case)
        e, mask, found = shape_of(edge), mask_of(edge), edge_operands(edge, rng)
        do = case.get("do", "e5m2")
        shapes = {"q": ("hq", "sq", "d"), "k": ("hk", "skv", "d"),
                  "v": ("hv", "skv", "dv"), "do": ("hq", "sq", "dv")}
        for name, (heads, rows, width) in shapes.items():
            shape = (e["b"], e[heads], e[rows], e[width])
            found[name] = Operand(rng.normal(0, 2, shape),
                                  do if name == "do" else case.dtype,
                                  case.layout)
        v = {name: widen(convert(x.values, x.dtype))
             for name, x in found.items()}
        keep, times, _ = dropout_of(edge, v.get("mask"))
        out, stats = f.forward(
            v["q"] * SCALES["descale_q"], v["k"] * SCALES["descale_k"],
            v["v"] * SCALES["descale_v"], mask, scale=edge.get("scale"),
            factor=keep * times, sink=v.get("sink"))
        found["o"] = Operand(out / SCALES["descale_o"], case.dtype, case.layout)
        found["stats"] = Operand(stats, "f32")
        for name, live in (("q", mask.rows), ("do", mask.rows),
                           ("o", mask.rows), ("k", mask.columns),
                           ("v", mask.columns)):
            found[name].values = np.where(live, found[name].values,
                                          edge.get("beyond", np.nan))
        for name, value in SCALES.items():
            by_value = "dP" in name and not case.get("wide")
            found[name] = scalar(value, "f32", 4) if by_value else \
                Operand(np.full((1, 1, 1, 1), value), "f32")
        return found

    def build(self, case, graph, t):
        edge = edge_of(case)
        sink = sink_result(graph, edge)
        grads = graph.sdpa_fp8_backward(
            t["q"], t["k"], t["v"], t["o"], t["do"], t["stats"],
            **{name: t[name] for name in SCALES}, dSink_token=sink,
            **common_keywords(edge, t))
        found = dict(zip(("dQ", "dK", "dV", "Amax_dQ", "Amax_dK", "Amax_dV",
                          "Amax_dP"), grads))
        for port in ("dQ", "dK", "dV"):
            found[port].set_data_type(
                OPGRAPH[case.get("gradient", case.dtype)])
        return found if sink is None else {**found, "DSINK_TOKEN": sink}

    def expected(self, case, v):
        edge = edge_of(case)
        keep, times, times_inv = dropout_of(edge, v.get("mask"))
        types = {"P": case.dtype, "dS": case.get("do", "e5m2")}
        # By-value scales are f32 too.
        scales = {name: float(np.ravel(v[name])[0]) for name in SCALES}
        found = f.fp8_backward(
            v["q"], v["k"], v["v"], v["o"], v["do"], v["stats"], mask_of(edge),
            scales, lambda x, name: widen(convert(x, types[name])),
            scale=scale_of(edge, v), keep=keep, times=times,
            times_inv=times_inv, sink=v.get("sink"))
        return wants(found, case.get("gradient", case.dtype))


def padded_scale(shape, axis):
    """Extents of the block scales of `shape` along `axis`, -1 or -2."""
    found = list(shape)
    other = -3 - axis
    found[axis] = -(-(-(-shape[axis] // 32)) // 4) * 4
    found[other] = -(-shape[other] // 128) * 128
    return tuple(found)


def dequantised(x, scale, axis):
    """x times its blocks' scales."""
    blocks = np.repeat(scale, 32, axis=axis)
    return x * blocks[..., :x.shape[-2], :x.shape[-1]]


#: data -> (heads, rows, width, axis of the blocks)
BLOCKED = {"q": ("hq", "sq", "d", -1), "q_T": ("hq", "sq", "d", -2),
           "k": ("hk", "skv", "d", -1), "k_T": ("hk", "skv", "d", -2),
           "v": ("hv", "skv", "dv", -1), "dO": ("hq", "sq", "dv", -1),
           "dO_T": ("hq", "sq", "dv", -2)}
#: More rows than a block, widths of more than one.
WIDE = {
    "two blocks": dict(sq=34, skv=37, hq=2, hk=1, hv=2, d=33, dv=8, scale=0.2),
    "several tiles": dict(b=1, sq=2, skv=130, hq=1, hk=1, hv=1, d=132, dv=8,
                          scale=0.1),
}


@operation
class SdpaMxfp8Backward(Operation):
    op = "sdpa_mxfp8_backward"

    def cases(self):
        for edge in NARROW:
            yield self.make("e4m3", edge=edge)
        for edge in ("plain", "causal", "padding", "sink", "dropout"):
            for gradient in ("f32", "bf16"):
                yield self.make("e4m3", edge=edge, gradient=gradient)
            yield self.make("e5m2", edge=edge, half="bf16")
        for edge in WIDE:
            yield self.make("e4m3", edge=edge)
        for layout in ("channels_last", "padded"):
            yield self.make("e4m3", layout, "plain")
        # Only one reading of such scales fits: rows are those of 128.
        yield self.make("e4m3", edge="plain", scales="row_major")

    @staticmethod
    def edge(case):
        return {**NARROW, **WIDE}[case.edge]

    def operands(self, case, rng):
        edge = self.edge(case)
        e, mask, found = shape_of(edge), mask_of(edge), edge_operands(edge, rng)
        for name, (heads, rows, width, axis) in BLOCKED.items():
            shape = (e["b"], e[heads], e[rows], e[width])
            found[name] = Operand(rng.normal(0, 1, shape), case.dtype,
                                  case.layout)
            found["descale_" + name] = self._scale(
                case, padded_scale(shape, axis), axis, rng)
        v = {name: widen(convert(x.values, x.dtype))
             for name, x in found.items()}
        q, k, value = (dequantised(v[n], v["descale_" + n], -1) for n in "qkv")
        keep, times, _ = dropout_of(edge, v.get("mask"))
        out, stats = f.forward(q, k, value, mask, scale=edge.get("scale"),
                               factor=keep * times, sink=v.get("sink"))
        half = case.get("half", "f16")
        found["o"] = Operand(out, half, case.layout)
        found["do_f16"] = Operand(rng.normal(size=out.shape), half, case.layout)
        found["stats"] = Operand(stats, "f32")
        for name in (*BLOCKED, "o", "do_f16"):
            live = mask.columns if name[0] in "kv" else mask.rows
            found[name].values = np.where(live, found[name].values, np.nan)
        return found

    @staticmethod
    def _scale(case, shape, axis, rng):
        values = 2.0 ** rng.integers(-2, 2, shape)
        is_row_major = axis == -1 or case.get("scales") == "row_major"
        order = [0, 1, 2, 3] if is_row_major else [0, 1, 3, 2]
        return Operand(values, "e8m0", strides=packed(shape, order),
                       offsets=f8_128x4_offsets(shape, axis),
                       reordering="F8_128x4")

    def build(self, case, graph, t):
        edge = self.edge(case)
        sink = sink_result(graph, edge)
        grads = graph.sdpa_mxfp8_backward(
            o_f16=t["o"], dO_f16=t["do_f16"], stats=t["stats"],
            **{name: t[name] for name in BLOCKED},
            **{"descale_" + name: t["descale_" + name] for name in BLOCKED},
            dSink_token=sink, **common_keywords(edge, t))
        found = dict(zip(("dQ", "dK", "dV", "Amax_dQ", "Amax_dK", "Amax_dV"),
                         grads))
        for port in ("dQ", "dK", "dV"):
            found[port].set_data_type(OPGRAPH[self._gradient(case)])
        return found if sink is None else {**found, "DSINK_TOKEN": sink}

    @staticmethod
    def _gradient(case):
        return case.get("gradient", case.get("half", "f16"))

    def expected(self, case, v):
        edge = self.edge(case)
        keep, times, times_inv = dropout_of(edge, v.get("mask"))
        data = {name: dequantised(v[name], v["descale_" + name], axis)
                for name, (*_, axis) in BLOCKED.items()}
        found = f.mxfp8_backward(
            data["q"], data["q_T"], data["k"], data["k_T"], data["v"], v["o"],
            v["do_f16"], data["dO"], data["dO_T"], v["stats"], mask_of(edge),
            scale=scale_of(edge, v), keep=keep, times=times,
            times_inv=times_inv, sink=v.get("sink"))
        return wants(found, self._gradient(case))
