# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention forward beyond masks by position: ALiBi, sinks, dropout, block and
kv masks, score_mod, Max and Sum_exp; attention_storage.py has ragged and paged
tensors."""

import numpy as np
import opgraph
from formulas import attention as f
from support.dtypes import OPGRAPH, convert, widen

from ..case import Operand, Operation, Want, operation, scalar
from ..philox import dropout_keep

SHAPE = dict(b=2, hq=4, hk=2, hv=4, sq=5, skv=7, d=8, dv=6)
SEED, OFFSET = -0x123456789ABCDEF, 2 ** 33 + 5
#: edge -> what differs from the plain case: extents, the formula's arguments,
#: and what the operands below read.
EDGES = {
    "plain": dict(scale=0.375),
    "all results": dict(scale=0.375, results=("Max", "Sum_exp")),
    "max alone": dict(results=("Max",), stats=False),
    "sum alone": dict(results=("Sum_exp",), stats=False),
    "width 1": dict(d=1, dv=1, results=("Max", "Sum_exp")),
    "no keys": dict(skv=0, results=("Max", "Sum_exp")),
    "no queries": dict(sq=0, results=("Max", "Sum_exp")),
    "no batch": dict(b=0, results=("Sum_exp",)),
    "no width": dict(d=0, results=("Max",)),
    "alibi": dict(use_alibi=True, right=0, scale=0.375),
    "alibi of 6 heads": dict(use_alibi=True, right=0, hq=6, hk=2, hv=3),
    "alibi of 1 head": dict(use_alibi=True, right=0, hq=1, hk=1, hv=1),
    "alibi, window, bottom right": dict(use_alibi=True, right=0, left=3,
                                        bottom_right=True),
    "sink": dict(sink=True, scale=0.375, results=("Max", "Sum_exp")),
    "sink of minus infinity": dict(sink="-inf", results=("Max", "Sum_exp")),
    "sink, padding": dict(sink=True, seq_q=[3, 0], seq_kv=[7, 4], right=0,
                          results=("Max", "Sum_exp")),
    "sink, rows beyond keys": dict(sink=True, sq=9, right=0, bottom_right=True,
                                   results=("Max", "Sum_exp")),
    "sink, one query": dict(sink=True, sq=1),
    "prefix sums": dict(seq_q=[3, 0], seq_kv=[7, 4], sums="qk"),
    "prefix sums, queries": dict(seq_q=[5, 2], seq_kv=[7, 4], sums="q"),
    "prefix sums, keys": dict(seq_q=[5, 2], seq_kv=[1, 4], sums="k",
                              bottom_right=True, right=0),
    "prefix sums of rank 1": dict(seq_q=[3, 0], seq_kv=[7, 4], sums="qk1"),
    "decreasing prefix sums": dict(seq_q=[3, -2], seq_kv=[-7, 4], sums="qk"),
    "prefix sums beyond": dict(seq_q=[300, 2], seq_kv=[7, 1000], sums="qk"),
    "lengths beyond": dict(seq_q=[99, -3], seq_kv=[7, 2 ** 30]),
    "all masked": dict(left=0, right=0, results=("Max", "Sum_exp")),
    "padding": dict(seq_q=[3, 5], seq_kv=[0, 4], results=("Max", "Sum_exp")),
    "padding of zeros": dict(seq_q=[3, 5], seq_kv=[7, 4], beyond=0),
    "padding of zeros, band": dict(seq_q=[3, 2], seq_kv=[7, 4], beyond=0,
                                   right=0, left=4, bottom_right=True),
    "Max and Sum_exp": dict(scale=0.375, results=("Max", "Sum_exp"),
                            stats=False),
    "sink, Stats alone": dict(sink=True, scale=0.375),
    "log2": dict(log2=True, scale=0.375, results=("Max", "Sum_exp")),
    "log2, padding": dict(log2=True, seq_q=[3, 0], seq_kv=[7, 4]),
    "dropout": dict(dropout=0.3, scale=0.375, dump=True),
    "dropout without dump": dict(dropout=0.5, scale=0.375),
    "dropout of 0": dict(dropout=0.0, dump=True),
    "dropout, nearly all": dict(dropout=0.99, dump=True),
    "dropout, padding, band": dict(dropout=0.4, seq_q=[3, 5], seq_kv=[7, 4],
                                   right=0, dump=True),
    "dropout, 32-bit seed": dict(dropout=0.4, seed_type="i32", dump=True),
    "dropout mask": dict(mask=(2, 4, 5, 7), scale=0.375),
    "dropout mask for all": dict(mask=(1, 1, 5, 7), mask_type="bool"),
    "kv mask": dict(kv_mask="bool", scale=0.375),
    "kv mask for all": dict(kv_mask="bool", mask_batch=1),
    "kv mask, none kept": dict(kv_mask="none", results=("Max", "Sum_exp")),
    "kv mask added": dict(kv_mask="f32", scale=0.375),
    "kv mask added, infinite": dict(kv_mask="-inf", mask_batch=1),
    "block mask": dict(block_mask=True, b=1, hq=2, hk=1, hv=2, sq=130, skv=260,
                       d=2, dv=1),
    "block mask, causal": dict(block_mask=True, b=2, hq=1, hk=1, hv=1, sq=129,
                               skv=129, d=1, dv=2, right=0),
    "block mask of 2 bytes": dict(block_mask=True, b=1, hq=1, hk=1, hv=1, sq=2,
                                  skv=1100, d=1, dv=1),
    "prefolded": dict(scale=0.375, prefolded=True),
    "prefolded tensor": dict(scale=0.375, scale_tensor=True, prefolded=True),
    "scale tensor": dict(scale=0.375, scale_tensor=True, use_alibi=True, right=0),
    "soft cap": dict(mod="softcap", scale=0.6875),
    "soft cap, bias, causal": dict(mod="softcap", bias=(1, 4, 5, 7), right=0),
    "relative bias": dict(mod="relative", scale=0.375),
    "causal by score_mod": dict(mod="causal", scale=0.375),
    "captured by head": dict(mod="head", scale=0.375),
    "captured scores": dict(mod="full", scale=0.375),
    "constant in score_mod": dict(mod="constant"),
    "narrow score_mod": dict(mod="narrow", scale=0.375),
    "score_mod of nothing": dict(mod="same", scale=0.375),
    "score_mod, padding": dict(mod="relative", seq_q=[3, 0], seq_kv=[7, 4]),
    "score_mod, lengths alone": dict(mod="relative", seq_q=[3, 5],
                                     seq_kv=[7, 4], unpadded=True),
    "NaN": dict(wild=np.nan, results=("Max", "Sum_exp")),
    "infinity": dict(wild=np.inf, results=("Max", "Sum_exp")),
    "NaN, masked": dict(wild=np.nan, seq_q=[5, 5], seq_kv=[0, 7], right=0),
    "everything": dict(scale=0.375, bias=(2, 1, 5, 7), use_alibi=True, right=0,
                       seq_q=[5, 2], seq_kv=[7, 3], sink=True, dropout=0.2,
                       dump=True, kv_mask="bool", mod="softcap",
                       results=("Max", "Sum_exp")),
}
PRECISIONS = {"f16": {}, "bf16": dict(sink=True), "f32": {}, "f64": {}}
CAP = 1.5


def shape_of(edge):
    return {key: edge.get(key, value) for key, value in SHAPE.items()}


#: Channels of libraries' kernels are multiples of 16 bytes.
def edge_of(case):
    edge = EDGES[case.edge]
    wide = case.get("wide")
    return {**edge, "d": wide, "dv": wide} if wide else edge


def options(edge):
    """The formula's arguments that an edge spells as they are."""
    return {key: edge[key] for key in (
        "use_alibi", "seq_q", "seq_kv", "left", "right", "bottom_right", "log2",
        "block_mask") if key in edge}


def lengths_operands(edge):
    found = {}
    for name, key in (("seq_len_q", "seq_q"), ("seq_len_kv", "seq_kv")):
        if key not in edge:
            continue
        lengths = np.array(edge[key], np.int64)
        if key[4] in edge.get("sums", ""):
            sums = np.concatenate([[0], np.cumsum(lengths)])
            if "1" not in edge["sums"]:
                sums = sums.reshape(-1, 1, 1, 1)
            found["cu_" + name] = Operand(sums, "i32" if key == "seq_q"
                                          else "i64")
        else:
            found[name] = Operand(lengths.reshape(-1, 1, 1, 1), "i32")
    return found


def mask_operands(edge, rng):
    e = shape_of(edge)
    found = {}
    if "dropout" in edge:
        found["seed"] = scalar(SEED if "seed_type" not in edge else -77,
                               edge.get("seed_type", "i64"), 4)
        found["offset"] = Operand(np.full((1, 1, 1, 1), OFFSET), "i64")
    if "mask" in edge:
        kept = rng.uniform(size=edge["mask"]) < 0.7
        found["mask"] = Operand(kept * 1, edge.get("mask_type", "f32"))
        found["times"] = Operand(np.full((1, 1, 1, 1), 1.25), "f32")
    if "sink" in edge:
        sink = rng.normal(size=(1, e["hq"], 1, 1))
        found["sink"] = Operand(sink if edge["sink"] is True else sink - np.inf,
                                "f32")
    if "kv_mask" in edge:
        shape = (edge.get("mask_batch", e["b"]), 1, 1, e["skv"])
        kept = rng.uniform(size=shape) < (0.6 if edge["kv_mask"] != "none"
                                          else 0)
        found["kv_mask"] = {
            "f32": Operand(rng.normal(size=shape), "f32"),
            "-inf": Operand(np.where(kept, 0.0, -np.inf), "f32")}.get(
                edge["kv_mask"], Operand(kept * 1, "bool"))
    if "block_mask" in edge:
        shape = (e["b"], e["hq"], -(-e["sq"] // 128),
                 -(-(-(-e["skv"] // 128)) // 8))
        found["block_mask"] = Operand(rng.integers(0, 256, shape), "u8")
    if "bias" in edge:
        found["bias"] = Operand(rng.normal(size=edge["bias"]), "f32")
    if edge.get("mod") in ("head", "full"):
        shape = (1, e["hq"], 1, 1) if edge["mod"] == "head" else \
            (e["b"], 1, e["sq"], e["skv"])
        found["captured"] = Operand(rng.normal(size=shape), "bf16")
    return found


def score_mod_of(graph, edge, t):
    """The callback of the graph method."""
    def relative(graph, s):
        row, column = (graph.gen_index(input=s, axis=a) for a in (2, 3))
        return graph.add(s, graph.mul(graph.sub(column, row), t["tenth"]))
    def causal(graph, s):
        row, column = (graph.gen_index(input=s, axis=a) for a in (2, 3))
        keep = graph.cmp_ge(row, column)
        keep.set_data_type(OPGRAPH["bool"])
        return graph.binary_select(s, t["masked"], keep)
    def narrow(graph, s):
        small = graph.identity(s)
        small.set_data_type(OPGRAPH["bf16"])
        return graph.add(small, t["tenth"])
    return {None: None, "same": lambda graph, s: s,
            "softcap": lambda graph, s: graph.mul(
                graph.tanh(graph.div(s, t["cap"])), t["cap"]),
            "relative": relative, "causal": causal, "narrow": narrow,
            "constant": lambda graph, s: graph.max(s, t["tenth"]),
            "head": lambda graph, s: graph.mul(s, t["captured"]),
            "full": lambda graph, s: graph.add(s, t["captured"]),
            }[edge.get("mod")]


def score_mod_numbers(edge, v):
    """The same in NumPy: (scores of a batch, batch) -> scores."""
    tenth = float(np.float32(0.1))
    def distance(s):
        return np.arange(s.shape[2])[None, :] - np.arange(s.shape[1])[:, None]
    def full(s, i):
        return v["captured"][i][:, :s.shape[1], :s.shape[2]]
    return {None: None, "same": lambda s, i: s,
            "softcap": lambda s, i: CAP * np.tanh(s / CAP),
            "relative": lambda s, i: s + distance(s) * tenth,
            "causal": lambda s, i: np.where(distance(s) <= 0, s, -np.inf),
            "narrow": lambda s, i: widen(convert(s, "bf16")) + tenth,
            "constant": lambda s, i: np.maximum(s, tenth),
            "head": lambda s, i: s * v["captured"].reshape(-1, 1, 1),
            "full": lambda s, i: s + full(s, i)}[edge.get("mod")]


def formula_options(edge, v):
    e, found = shape_of(edge), options(edge)
    found["bias"], found["sink"] = v.get("bias"), v.get("sink")
    if "kv_mask" in v:
        is_added = edge["kv_mask"] in ("f32", "-inf")
        found["kv_mask"] = v["kv_mask"] if is_added else v["kv_mask"] != 0
    found["block_mask"] = v.get("block_mask")
    found["scale"] = None if edge.get("prefolded") else edge.get("scale")
    if "scale" in v:
        found["scale"] = None if edge.get("prefolded") else \
            float(v["scale"].flat[0])
    found["score_mod"] = score_mod_numbers(edge, v)
    scores = (e["b"], e["hq"], e["sq"], e["skv"])
    keep = None
    if "dropout" in edge:
        keep = dropout_keep(int(v["seed"].flat[0]), int(v["offset"].flat[0]),
                            scores, edge["dropout"])
        found["factor"] = keep / (1 - edge["dropout"])
    if "mask" in v:
        found["factor"] = np.broadcast_to(v["mask"], scores) * 1.25
    return found, keep


def spoil(edge, name, values):
    """NaN in the rows that lengths hide, and the wild element of an edge."""
    if "wild" in edge and name != "v":
        values[0, 0, 0, 0] = edge["wild"]
    for i, n in enumerate(edge.get("seq_q" if name == "q" else "seq_kv", ())):
        values[i, :, min(max(n, 0), values.shape[2]):] = edge.get("beyond",
                                                                  np.nan)
    return values


@operation
class SdpaArguments(Operation):
    op = "sdpa"

    def cases(self):
        for edge in EDGES:
            for dtype in ("f32", "bf16"):
                yield self.make(dtype, edge=edge, set="arguments")
        for edge in ("all results", "alibi", "sink", "dropout", "soft cap",
                     "everything", "prefix sums", "kv mask"):
            for dtype in ("f16", "f64"):
                yield self.make(dtype, edge=edge, set="arguments")
        for layout in ("channels_last", "transposed", "swapped", "padded",
                       "gapped", "odd_ones"):
            yield self.make("bf16", layout, "everything", set="arguments")
        yield self.make("f32", "broadcast", "all results", set="arguments")
        for edge in EDGES:
            yield self.make("bf16", edge=edge, set="arguments", wide=16)
        for edge in ("all results", "sink", "padding", "dropout mask", "alibi"):
            yield self.make("f16", edge=edge, set="arguments", wide=64)
        for precision in PRECISIONS:
            yield self.make("f16", edge="plain", precision=precision)
        for dtype in ("e4m3", "e5m2"):
            yield self.make(dtype, edge="everything", io="f16")

    def operands(self, case, rng):
        edge = edge_of(case)
        e = shape_of(edge)
        shapes = {"q": (e["b"], e["hq"], e["sq"], e["d"]),
                  "k": (e["b"], e["hk"], e["skv"], e["d"]),
                  "v": (e["b"], e["hv"], e["skv"], e["dv"])}
        found = {name: Operand(spoil(edge, name, rng.normal(size=shape)),
                               case.dtype, case.layout)
                 for name, shape in shapes.items()}
        found.update(lengths_operands(edge))
        found.update(mask_operands(edge, rng))
        if edge.get("scale_tensor"):
            found["scale"] = scalar(edge["scale"], "f32", 4)
        if edge.get("mod") == "softcap":
            found["cap"] = scalar(CAP, "f32", 4)
        if edge.get("mod") in ("relative", "narrow", "constant"):
            found["tenth"] = scalar(0.1, "f32", 4)
        if edge.get("mod") == "causal":
            found["masked"] = scalar(-np.inf, "f32", 4)
        return found

    def build(self, case, graph, t):
        edge = edge_of(case)
        e = shape_of(edge)
        more = {key: t[key] for key in t if "seq_len" in key or key in (
            "bias", "kv_mask", "block_mask")}
        if "dropout" in edge:
            more["dropout"] = (edge["dropout"], t["seed"], t["offset"])
        if "mask" in edge:
            more["dropout"] = (t["mask"], t["times"])
        made = {}
        row, scores = ([e["b"], e["hq"], e["sq"], n] for n in (1, e["skv"]))
        wanted = [*edge.get("results", ()), *(["RNG_DUMP"] if edge.get("dump")
                                              else [])]
        for port in wanted:
            made[port] = graph.tensor(
                dim=scores if port == "RNG_DUMP" else row,
                data_type=OPGRAPH["f32"])
        out, stats = graph.sdpa(
            t["q"], t["k"], t["v"], generate_stats=edge.get("stats", True),
            attn_scale=t.get("scale", edge.get("scale")),
            use_alibi_mask=edge.get("use_alibi", False),
            use_padding_mask="seq_q" in edge and not edge.get("unpadded"),
            diagonal_band_left_bound=edge.get("left"),
            diagonal_band_right_bound=edge.get("right"),
            diagonal_alignment=opgraph.diagonal_alignment.BOTTOM_RIGHT
            if edge.get("bottom_right") else None,
            sink_token=t.get("sink"), score_mod=score_mod_of(graph, edge, t),
            score_max=made.get("Max"), score_sum_exp=made.get("Sum_exp"),
            rng_dump=made.get("RNG_DUMP"), stats_use_log2=edge.get("log2",
                                                                   False),
            attn_scale_prefolded=edge.get("prefolded", False),
            softmax_precision=OPGRAPH[case.precision]
            if case.get("precision") else None, **more)
        out.set_data_type(OPGRAPH[case.io or case.dtype])
        if case.layout == "broadcast":
            out.set_dim([e["b"], e["hq"], e["sq"], e["dv"]])
            out.set_stride([e["hq"] * e["sq"] * e["dv"], e["sq"] * e["dv"],
                            e["dv"], 1])
        found = {"O": out, **made}
        if stats is not None:
            found["Stats"] = stats
        return found

    def expected(self, case, v):
        edge = edge_of(case)
        more, keep = formula_options(edge, v)
        precision = case.get("precision")
        if precision and precision != "f64":
            more["rounded"] = (lambda x: widen(convert(x, precision))
                               ) if precision != "f32" else f.SAME
        values = f.attention(v["q"], v["k"], v["v"], **more)
        # Values of a score_mod round to f32 in the judge.
        size = 4e-6 if edge.get("mod") else 1e-9
        if edge.get("mod") == "narrow":
            size = 1e-2
        if precision in ("f16", "bf16"):
            size = 2e-3 if precision == "f16" else 2e-2
        engine = {"f64": (64, 1e-6), "f32": (16, 1e-5), "f16": (2, 2e-3),
                  "bf16": (2, 1.6e-2)}
        io = case.io or case.dtype
        wants = {"O": Want(values["O"], 64 if io == "f64" else 1,
                           size + (1e-12 if io == "f64" else 0),
                           engine=engine[io])}
        if edge.get("stats", True):
            wants["Stats"] = Want(values["Stats"], 1, size, engine=(16, 1e-5))
        for port in edge.get("results", ()):
            wants[port] = Want(values[port], 1, size * 10, engine=(16, 1e-5))
        if edge.get("dump"):
            wants["RNG_DUMP"] = Want(keep * 1.0)
        return wants
