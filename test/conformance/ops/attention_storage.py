# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention forward on ragged and paged tensors."""

import numpy as np
from formulas import attention as f
from support.dtypes import OPGRAPH

from ..case import Operand, Operation, Output, Want, operation
from ..memory import strides_for

#: Extents that all edges share but for what they name.
SHAPE = dict(b=3, hq=4, hk=2, hv=2, sq=6, skv=7, d=4, dv=5)
#: edge -> lengths, which tensors are ragged, and their memory.
RAGGED = {
    "all": dict(seq_q=[3, 0, 6], seq_kv=[7, 2, 5], ragged="qkvo"),
    "with statistics": dict(seq_q=[3, 1, 6], seq_kv=[7, 2, 5],
                            ragged="qkvosmx"),
    "queries": dict(seq_q=[3, 2, 6], seq_kv=[7, 2, 5], ragged="qo"),
    "keys": dict(seq_q=[3, 2, 6], seq_kv=[1, 2, 5], ragged="kv"),
    "full": dict(seq_q=[6, 6, 6], seq_kv=[7, 7, 7], ragged="qkvo"),
    "empty": dict(seq_q=[0, 0, 0], seq_kv=[0, 0, 0], ragged="qkvo"),
    "gaps": dict(seq_q=[3, 1, 4], seq_kv=[7, 2, 5], ragged="qkvos", gap=2),
    "multipliers": dict(seq_q=[3, 1, 4], seq_kv=[7, 2, 5], ragged="qkvos",
                        rows=True),
    "64-bit offsets": dict(seq_q=[3, 1, 4], seq_kv=[7, 2, 5], ragged="qkvo",
                           offsets="i64"),
    "rank 1 offsets": dict(seq_q=[3, 1, 4], seq_kv=[7, 2, 5], ragged="qkvo",
                           flat=True),
    "totals": dict(seq_q=[3, 1, 4], seq_kv=[7, 2, 5], ragged="qkvos",
                   totals=True),
    "prefix sums": dict(seq_q=[3, 1, 4], seq_kv=[7, 2, 5], ragged="qkvo",
                        sums=True),
    "overlapping batches": dict(seq_q=[3, 1, 4], seq_kv=[7, 2, 5],
                                ragged="qkvo", overlap=True),
    "heads apart": dict(seq_q=[3, 1, 4], seq_kv=[7, 2, 5], ragged="qkvo",
                        apart=True),
    "causal": dict(seq_q=[3, 1, 4], seq_kv=[7, 2, 5], ragged="qkvos", right=0,
                   bottom_right=True),
    "one batch": dict(b=1, seq_q=[3], seq_kv=[7], ragged="qkvo"),
    "beyond the memory": dict(seq_q=[3, 1, 4], seq_kv=[7, 2, 5], ragged="k",
                              totals=True, wild=[0, -1000, 2 ** 40]),
    "writes beyond the memory": dict(seq_q=[3, 1, 4], seq_kv=[7, 2, 5],
                                     ragged="o", totals=True,
                                     wild=[0, -1000, 2 ** 40]),
}
PORTS = {"s": "Stats", "m": "Max", "x": "Sum_exp"}


def shape_of(edge):
    return {key: edge.get(key, value) for key, value in SHAPE.items()}


def edge_of(case, edges):
    """With channels as libraries' kernels want them: multiples of 16 bytes."""
    wide = case.get("wide")
    return {**edges[case.edge], **({"d": wide, "dv": wide} if wide else {})}


#: dtype -> (ulps, absolute) of other engines.
ENGINE = {"f64": (64, 1e-6), "f32": (16, 1e-5), "f16": (2, 2e-3),
          "bf16": (2, 1.6e-2)}


def lengths_operands(edge):
    found = {}
    for name, key in (("seq_len_q", "seq_q"), ("seq_len_kv", "seq_kv")):
        lengths = np.array(edge[key], np.int64)
        if edge.get("sums"):
            found["cu_" + name] = Operand(
                np.concatenate([[0], np.cumsum(lengths)]), "i32")
        else:
            found[name] = Operand(lengths.reshape(-1, 1, 1, 1), "i32")
    return found


class Packed:
    """Where a ragged tensor [B, H, S, D] lies: rows of heads, or each head's
    rows together."""

    def __init__(self, edge, lengths, dim):
        batch, heads, rows, width = dim
        starts = np.concatenate([[0], np.cumsum(
            np.array(lengths) + edge.get("gap", 0))])
        total = int(starts[-1])
        self.rows = total
        row = width if edge.get("apart") else heads * width
        head = total * width if edge.get("apart") else width
        self.elements = total * heads * width
        self.dim = list(dim)
        self.strides = [1 if edge.get("overlap") else rows * heads * width,
                        head, row, 1]
        self.multiplier = row if edge.get("rows") else 1
        self.offsets = starts * (row // self.multiplier)
        # Memory offsets of what exists, batch by batch.
        grid = np.indices(dim).reshape(4, -1)
        exists = grid[2] < np.array(lengths)[grid[0]]
        self.exists = exists.reshape(dim)
        self.batches = grid[0][exists]
        self.places = (starts[grid[0]] * row + grid[1] * head + grid[2] * row
                       + grid[3])[exists]

    def operand(self, edge):
        shape = (-1,) if edge.get("flat") else (-1, 1, 1, 1)
        return Operand(self.offsets.reshape(shape), edge.get("offsets", "i32"))


@operation
class SdpaRagged(Operation):
    op = "sdpa"

    def cases(self):
        for edge in RAGGED:
            for dtype in ("f32", "bf16"):
                yield self.make(dtype, edge=edge, set="ragged")
            yield self.make("bf16", edge=edge, set="ragged", wide=16)
        for dtype in ("f16", "f64"):
            yield self.make(dtype, edge="with statistics", set="ragged")

    def packed(self, edge):
        e = shape_of(edge)
        dims = {"q": (e["hq"], e["sq"], e["d"]),
                "k": (e["hk"], e["skv"], e["d"]),
                "v": (e["hv"], e["skv"], e["dv"]),
                "o": (e["hq"], e["sq"], e["dv"])}
        dims.update({port: (e["hq"], e["sq"], 1) for port in "smx"})
        return {port: Packed(edge, edge["seq_kv" if port in "kv" else "seq_q"],
                             (e["b"], *dim)) for port, dim in dims.items()}

    def operands(self, case, rng):
        edge = edge_of(case, RAGGED)
        found = {}
        for port, packed in self.packed(edge).items():
            is_ragged = port in edge["ragged"]
            if is_ragged:
                found["offsets_" + port] = packed.operand(edge)
                if edge.get("wild"):
                    wild = np.array([*edge["wild"], 5]).reshape(-1, 1, 1, 1)
                    found["offsets_" + port] = Operand(wild, "i64")
            if port not in "qkv":
                continue
            if not is_ragged:
                found[port] = Operand(rng.normal(size=packed.dim), case.dtype)
                continue
            found[port] = Operand(
                rng.normal(size=packed.elements), case.dtype, storage=True,
                dim=packed.dim, strides=packed.strides,
                ragged="offsets_" + port, ragged_multiplier=packed.multiplier)
        return {**found, **lengths_operands(edge)}

    def build(self, case, graph, t):
        edge = edge_of(case, RAGGED)
        packed = self.packed(edge)
        e = shape_of(edge)
        more = {key: t[key] for key in t if "seq_len" in key}
        if edge.get("totals"):
            more.update(max_total_seq_len_q=packed["q"].rows,
                        max_total_seq_len_kv=packed["k"].rows)
        made = {}
        for port, argument in (("m", "score_max"), ("x", "score_sum_exp")):
            if port in edge["ragged"]:
                made[port] = more[argument] = graph.tensor(
                    dim=[e["b"], e["hq"], e["sq"], 1],
                    data_type=OPGRAPH["f32"])
        made["o"], stats = graph.sdpa(
            t["q"], t["k"], t["v"], generate_stats="s" in edge["ragged"],
            attn_scale=0.5, use_padding_mask=True,
            use_causal_mask_bottom_right=edge.get("bottom_right", False),
            **more)
        if stats is not None:
            made["s"] = stats
        made["o"].set_data_type(OPGRAPH[case.dtype])
        results = {}
        for port, tensor in made.items():
            name = PORTS.get(port, "O")
            if port not in edge["ragged"]:
                results[name] = tensor
                continue
            place = packed[port]
            if edge.get("wild"):
                # Only the first batch is in memory.
                place.places = place.places[place.batches == 0]
            tensor.set_dim(place.dim).set_stride(place.strides)
            tensor.set_ragged_offset(t["offsets_" + port], place.multiplier)
            results[name] = Output(tensor, offsets=place.places,
                                   elements=max(place.elements, 1))
        return results

    def expected(self, case, v):
        edge = edge_of(case, RAGGED)
        packed = self.packed(edge)
        dense = {}
        for port in "qkv":
            place = packed[port]
            dense[port] = v[port].reshape(place.dim) if port not in \
                edge["ragged"] else f.unpack(
                    v[port], v["offsets_" + port] * place.multiplier,
                    place.dim, place.strides) if v[port].size else \
                np.zeros(place.dim)
        values = f.attention(
            dense["q"], dense["k"], dense["v"], scale=0.5, seq_q=edge["seq_q"],
            seq_kv=edge["seq_kv"], right=edge.get("right"),
            bottom_right=edge.get("bottom_right", False))
        wants = {}
        for port in "osmx":
            name = PORTS.get(port, "O")
            if port not in edge["ragged"] and port != "o":
                continue
            numbers = values[name]
            if port in edge["ragged"]:
                numbers = numbers[packed[port].exists]
                if edge.get("wild"):
                    numbers = numbers[packed[port].batches == 0]
            is_wide = port == "o" and case.dtype == "f64"
            wants[name] = Want(
                numbers, 64 if is_wide else 1, 1e-12 if is_wide else 1e-8,
                engine=ENGINE[case.dtype] if port == "o" else (16, 1e-5))
        return wants


#: edge -> container sizes and what the lengths and tables hold.
PAGED = {
    "both": dict(kb=2, vb=2),
    "blocks of 1": dict(kb=1, vb=1),
    "blocks of 3": dict(kb=3, vb=3),
    "different blocks": dict(kb=4, vb=3),
    "one block": dict(kb=7, vb=8),
    "keys": dict(kb=2),
    "values": dict(vb=2),
    "derived from the table": dict(kb=2, vb=2, skv=8, derived=True),
    "derived from the bias": dict(kb=2, vb=2, derived=True, bias=True),
    "entries beyond": dict(kb=2, vb=2, wild=True),
    "decode": dict(kb=2, vb=2, sq=1, right=0, bottom_right=True),
    "causal": dict(kb=2, vb=2, right=0, bottom_right=True),
    "64-bit table": dict(kb=2, vb=2, table="i64"),
    "slots before heads": dict(kb=2, vb=2, order="bshd"),
    "ragged table": dict(kb=2, vb=2, packed_table=True),
    "ragged queries": dict(kb=2, vb=2, ragged=True),
}


@operation
class SdpaPaged(Operation):
    op = "sdpa"

    def cases(self):
        for edge in PAGED:
            for dtype in ("f32", "bf16"):
                yield self.make(dtype, edge=edge, set="paged")
            yield self.make("bf16", edge=edge, set="paged", wide=16)
        yield self.make("f16", edge="both", set="paged")
        for layout in ("padded", "odd_ones"):
            yield self.make("f32", layout, "both", set="paged")

    LENGTHS = dict(seq_q=[3, 6, 0], seq_kv=[7, 2, 5])

    def edge(self, case):
        edge = {**self.LENGTHS, **edge_of(case, PAGED)}
        if edge.get("sq") == 1:
            edge["seq_q"] = [1, 1, 0]
        return edge

    def operands(self, case, rng):
        edge = self.edge(case)
        e = shape_of(edge)
        found = lengths_operands(edge)
        blocks = 5
        for port, heads, width in (("k", e["hk"], e["d"]),
                                   ("v", e["hv"], e["dv"])):
            size = edge.get(port + "b")
            if not size:
                found[port] = Operand(rng.normal(
                    size=(e["b"], heads, e["skv"], width)), case.dtype)
                continue
            shape = (blocks, heads, size, width)
            strides = [size * heads * width, width, heads * width, 1] \
                if edge.get("order") else None
            found[port] = Operand(rng.normal(size=shape), case.dtype,
                                  case.layout, strides=strides)
            pages = -(-e["skv"] // size)
            low, high = (-9, 99) if edge.get("wild") else (0, blocks)
            table = rng.integers(low, high, (e["b"], 1, pages, 1))
            kind = edge.get("table", "i32")
            if edge.get("packed_table"):
                # Batches in reverse order, one after the other.
                found["starts_" + port] = Operand(
                    np.array([2, 1, 0, 0]).reshape(4, 1, 1, 1) * pages, "i32")
                found["table_" + port] = Operand(
                    table[::-1].reshape(-1), kind, storage=True,
                    dim=table.shape, strides=[pages, pages, 1, 1],
                    ragged="starts_" + port)
            else:
                found["table_" + port] = Operand(table, kind)
        dim = (e["b"], e["hq"], e["sq"], e["d"])
        if edge.get("ragged"):
            place = Packed(edge, edge["seq_q"], dim)
            found["offsets_q"] = place.operand(edge)
            found["q"] = Operand(
                rng.normal(size=place.elements), case.dtype, storage=True,
                dim=place.dim, strides=place.strides, ragged="offsets_q")
        else:
            found["q"] = Operand(rng.normal(size=dim), case.dtype)
        if edge.get("bias"):
            found["bias"] = Operand(rng.normal(size=(1, 1, 1, e["skv"])), "f32")
        return found

    def build(self, case, graph, t):
        edge = self.edge(case)
        e = shape_of(edge)
        more = {key: t[key] for key in t if "seq_len" in key or key == "bias"}
        if not edge.get("derived"):
            more["paged_attention_max_seq_len_kv"] = e["skv"]
        out, stats = graph.sdpa(
            t["q"], t["k"], t["v"], generate_stats=True, attn_scale=0.5,
            use_padding_mask=True,
            use_causal_mask_bottom_right=edge.get("bottom_right", False),
            paged_attention_k_table=t.get("table_k"),
            paged_attention_v_table=t.get("table_v"), **more)
        out.set_data_type(OPGRAPH[case.dtype])
        dim = [e["b"], e["hq"], e["sq"], e["dv"]]
        out.set_dim(dim).set_stride(strides_for(dim, "row_major"))
        return {"O": out, "Stats": stats}

    def expected(self, case, v):
        edge = self.edge(case)
        e = shape_of(edge)
        dense = {}
        for port in "kv":
            dense[port] = v[port]
            if "table_" + port in v:
                pages = -(-e["skv"] // edge[port + "b"])
                table = v["table_" + port].reshape(e["b"], 1, pages, 1)
                if edge.get("packed_table"):
                    table = table[::-1]
                dense[port] = f.gather_pages(v[port], table, e["skv"])
        q = v["q"]
        if edge.get("ragged"):
            place = Packed(edge, edge["seq_q"],
                           (e["b"], e["hq"], e["sq"], e["d"]))
            q = f.unpack(q, v["offsets_q"], place.dim, place.strides)
        values = f.attention(
            q, dense["k"], dense["v"], scale=0.5, bias=v.get("bias"),
            seq_q=edge["seq_q"], seq_kv=edge["seq_kv"], right=edge.get("right"),
            bottom_right=edge.get("bottom_right", False))
        return {"O": Want(values["O"], 1, 1e-8, engine=ENGINE[case.dtype]),
                "Stats": Want(values["Stats"], 1, 1e-8, engine=(16, 1e-5))}
