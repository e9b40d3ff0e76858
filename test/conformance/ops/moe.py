# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Grouped matmuls of mixtures of experts, and reductions by groups of rows."""

import itertools

import numpy as np
import opgraph
from support.dtypes import FORMAT, OPGRAPH

from ..case import Operand, Operation, Want, operation
from .matmul import TF32

#: edge -> (experts, offsets, as boundaries) of groups of 12 rows.
GROUPS = {
    "plain": (3, [0, 5, 7, 12], True), "starts": (3, [0, 5, 7], False),
    "batches": (2, [0, 3, 3, 9, 12], True),
    "batch starts": (2, [0, 3, 3, 9], False),
    "empty groups": (4, [0, 0, 12, 12, 12], True),
    "one expert": (1, [0, 12], True), "one expert twice": (1, [2, 3, 9], True),
    "rows outside": (3, [2, 4, 5, 9], True),
    "decreasing": (3, [0, 8, 4, 12], True), "backwards": (2, [12, 6, 0], True),
    "beyond": (3, [-3, 5, 20, 99], True),
    "extreme": (2, [-2**31, 4, 2**31 - 1], True)}
ROWS = 12


def owners(edge, rows=ROWS):
    """The group of each row, None for none; the last where several have it."""
    _, offsets, is_bounds = GROUPS[edge]
    bounds = np.clip(offsets if is_bounds else [*offsets, rows], 0, rows)
    found = [None] * rows
    for group, (begin, end) in enumerate(zip(bounds, bounds[1:])):
        for row in range(begin, end):
            found[row] = group
    return found


def products(token, weight, rows_of, edge):
    """(results, their sums of magnitudes) of each row; 0 for rows of none."""
    experts = GROUPS[edge][0]
    shape = (len(rows_of), weight.shape[2])
    out, bound = np.zeros(shape, weight.dtype), np.zeros(shape)
    for row, (source, group) in enumerate(zip(rows_of, owners(edge))):
        if group is None or not 0 <= source < len(token):
            continue
        out[row] = token[source] @ weight[group % experts]
        bound[row] = np.abs(token[source]) @ np.abs(weight[group % experts])
    return out, bound


def offsets_operand(edge, rng, index):
    offsets = np.array(GROUPS[edge][1])
    shapes = ([-1], [-1, 1, 1], [1, -1], [1, 1, -1])
    return Operand(offsets.reshape(shapes[rng.integers(4)]), index)


def values(rng, shape, dtype):
    return rng.normal(size=shape) if dtype in FORMAT else \
        rng.integers(-100, 100, shape)


#: edge -> (token indices, slots) beside a permutation, of 12 rows to 4 tokens.
PLACES = {"permutation": {}, "twice": {3: (1, 1), 7: (1, 1), 9: (1, 1)},
          "outside": {0: (-1, 0), 4: (4, 0), 5: (2, 3), 6: (1, -7),
                      9: (2**31 - 1, 2**31 - 1)}}
SLOTS = 3


@operation
class Moe(Operation):
    op = "moe_grouped_matmul"

    def cases(self):
        for edge, mode in itertools.product(GROUPS, ("NONE", "GATHER")):
            yield self.make("f32", edge=edge, mode=mode)
        for places_, edge, mode in itertools.product(
                PLACES, ("plain", "batches", "rows outside", "decreasing"),
                ("GATHER", "SCATTER", "COMBINE")):
            yield self.make("bf16", edge=edge, mode=mode, places=places_)
        for dtype, mode in itertools.product(
                ("f64", "f16", "e4m3", "e5m2"), ("NONE", "SCATTER", "COMBINE")):
            yield self.make(dtype, edge="plain", mode=mode, io="f32" if dtype in
                            ("e4m3", "e5m2") else dtype)
        for mode in ("NONE", "GATHER", "SCATTER"):
            yield self.make("i8", edge="plain", mode=mode, io="i32",
                            compute="i32")
        for layout, mode in itertools.product(
                ("padded", "gapped", "swapped", "transposed", "odd_ones",
                 "channels_last", "broadcast"), ("NONE", "COMBINE")):
            yield self.make("f32", layout, "batches", mode=mode, index="i64")
        for k, n in ((1, 1), (0, 3), (5, 0), (33, 17)):
            yield self.make("f32", edge="batches", mode="NONE", k=k, n=n)
            yield self.make("f32", edge="batches", mode="COMBINE", k=k, n=n)

    def operands(self, case, rng):
        k, n = case.get("k", 6), case.get("n", 5)
        index = case.get("index", "i32")
        gathers = case.mode == "GATHER"
        found = {
            "token": Operand(values(rng, (1, 4 if gathers else ROWS, k),
                                    case.dtype), case.dtype, case.layout),
            "weight": Operand(values(rng, (GROUPS[case.edge][0], k, n),
                                     case.dtype), case.dtype,
                              "swapped" if case.layout == "row_major"
                              else case.layout),
            "offsets": offsets_operand(case.edge, rng, index)}
        if case.mode == "NONE":
            return found
        flat = rng.permutation(ROWS)
        tokens, slots = flat // SLOTS, flat % SLOTS
        for row, place in PLACES[case.get("places", "permutation")].items():
            tokens[row], slots[row] = place
        found["index"] = Operand(tokens.reshape(1, -1, 1), index)
        if not gathers:
            found["ks"] = Operand(slots.reshape(1, -1, 1), index)
        if case.mode == "COMBINE":
            found["scores"] = Operand(rng.uniform(0, 1, (1, 4, SLOTS)), "f32")
        return found

    def build(self, case, graph, t):
        return {"OUT": graph.moe_grouped_matmul(
            t["token"], t["weight"], t["offsets"], t.get("index"), t.get("ks"),
            opgraph.moe_grouped_matmul_mode[case.mode],
            SLOTS if case.mode == "SCATTER" else 0,
            top_k_scores=t.get("scores"),
            compute_data_type=OPGRAPH[case.compute_type])}

    def expected(self, case, v):
        token, weight = v["token"][0], v["weight"]
        index = v["index"][0, :, 0] if "index" in v else None
        slots = v["ks"][0, :, 0] if "ks" in v else None
        gathers = case.mode == "GATHER"
        rows, bound = products(token, weight, index if gathers else range(ROWS),
                               case.edge)
        if case.mode in ("NONE", "GATHER"):
            return self.want(case, rows, bound)
        out = np.zeros((ROWS // (SLOTS if case.mode == "COMBINE" else 1),
                        weight.shape[2]), rows.dtype)
        limit = np.zeros(out.shape)
        for row, group in enumerate(owners(case.edge)):
            i, s = index[row], slots[row]
            if group is None or not (0 <= i < 4 and 0 <= s < SLOTS):
                continue
            if case.mode == "SCATTER":
                out[i * SLOTS + s] = rows[row]
                limit[i * SLOTS + s] = bound[row]
            else:
                out[i] += v["scores"][0, i, s] * rows[row]
                limit[i] += v["scores"][0, i, s] * bound[row]
        return self.want(case, out, limit)

    def want(self, case, out, bound):
        if case.dtype not in FORMAT:
            return {"OUT": Want(out[None])}
        bound = bound[None]
        return {"OUT": Want(
            out[None], 1, 1e-14 * bound,
            engine=(1, 2 * (case.get("k", 6) + SLOTS + 1) * bound
                    * 2.0 ** (-53 if case.dtype == "f64" else -23)),
            tf32=TF32 * bound if case.dtype == "f32" else 0.0)}


@operation
class MoeBackward(Operation):
    op = "moe_grouped_matmul_bwd"

    def cases(self):
        for edge in GROUPS:
            yield self.make("f32", edge=edge, index="i32")
            yield self.make("bf16", edge=edge, index="i64")
        for dtype in ("f16", "f64", "e4m3"):
            yield self.make(dtype, edge="batches", io="f32" if dtype == "e4m3"
                            else dtype)
        yield self.make("i8", edge="batches", io="i32", compute="i32")
        for layout in ("padded", "gapped", "swapped", "transposed", "odd_ones",
                       "channels_last", "broadcast"):
            yield self.make("f32", layout, "batches")
        for k, n in ((1, 1), (0, 3), (5, 0), (33, 17)):
            yield self.make("f32", edge="plain", k=k, n=n)

    def operands(self, case, rng):
        k, n = case.get("k", 6), case.get("n", 5)
        return {"d": Operand(values(rng, (1, ROWS, n), case.dtype), case.dtype,
                             case.layout),
                "token": Operand(values(rng, (1, ROWS, k), case.dtype),
                                 case.dtype, case.layout),
                "offsets": offsets_operand(case.edge, rng,
                                           case.get("index", "i32"))}

    def build(self, case, graph, t):
        dw = graph.moe_grouped_matmul_bwd(
            t["d"], t["token"], t["offsets"],
            compute_data_type=OPGRAPH[case.compute_type])
        experts, offsets, _ = GROUPS[case.edge]
        if len(offsets) != experts:
            dw.set_dim([experts, case.get("k", 6), case.get("n", 5)])
        return {"DWEIGHT": dw}

    def expected(self, case, v):
        d, token = v["d"][0], v["token"][0]
        experts = GROUPS[case.edge][0]
        out = np.zeros((experts, token.shape[1], d.shape[1]), d.dtype)
        bound = np.zeros(out.shape)
        for row, group in enumerate(owners(case.edge)):
            if group is None:
                continue
            out[group % experts] += np.outer(token[row], d[row])
            bound[group % experts] += np.abs(np.outer(token[row], d[row]))
        if case.dtype not in FORMAT:
            return {"DWEIGHT": Want(out)}
        return {"DWEIGHT": Want(
            out, 1, 1e-14 * bound,
            engine=(1, 2 * ROWS * bound
                    * 2.0 ** (-53 if case.dtype == "f64" else -23)),
            tf32=TF32 * bound if case.dtype == "f32" else 0.0)}


REDUCE = {
    "ADD": (np.sum, 0), "MUL": (np.prod, 1),
    "MIN": (np.min, np.inf), "MAX": (np.max, -np.inf),
    "AMAX": (lambda x: np.max(np.abs(x)), 0),
    "AVG": (np.mean, np.nan), "NORM1": (lambda x: np.sum(np.abs(x)), 0),
    "NORM2": (lambda x: np.sqrt(np.sum(x * x)), 0),
    "MUL_NO_ZEROS": (lambda x: np.prod(x[x != 0]), 1)}


@operation
class GroupReduction(Operation):
    op = "reduction"
    EDGES = ("plain", "batches", "empty groups", "rows outside", "decreasing",
             "backwards", "beyond", "extreme")

    def cases(self):
        for edge, mode in itertools.product(self.EDGES, ("ADD", "AVG", "MAX")):
            yield self.make("f32", edge=f"groups {edge}", mode=mode, n=5)
        for mode in REDUCE:
            yield self.make("bf16", edge="groups empty groups", mode=mode, n=1)
            yield self.make("f32", edge="groups empty groups", mode=mode, n=5,
                            whole=True)
        for layout in ("padded", "gapped", "swapped", "transposed",
                       "channels_last"):
            yield self.make("f16", layout, "groups batches", mode="NORM2", n=5)
        for mode in ("ADD", "MAX", "AMAX", "MUL_NO_ZEROS"):
            yield self.make("i32", edge="groups plain", mode=mode, n=3)

    def operands(self, case, rng):
        edge = case.edge.removeprefix("groups ")
        x = rng.normal(size=(1, ROWS, case.n)) if case.dtype in FORMAT else \
            rng.integers(-4, 5, (1, ROWS, case.n))
        x[0, ::5] = 0
        return {"x": Operand(x, case.dtype, case.layout),
                "offsets": offsets_operand(edge, rng, "i32")}

    def build(self, case, graph, t):
        y = graph.reduction(t["x"], t["offsets"],
                            opgraph.reduction_mode[case.mode])
        edge = case.edge.removeprefix("groups ")
        columns = 1 if case.get("whole") else case.n
        shape = [len(GROUPS[edge][1]) - 1, 1, columns]
        y.set_dim(shape).set_stride([shape[2], shape[2], 1])
        return {"Y": y}

    def expected(self, case, v):
        _, offsets, _ = GROUPS[case.edge.removeprefix("groups ")]
        function, none = REDUCE[case.mode]
        bounds = np.clip(offsets, 0, ROWS)
        out, slack = [], []
        for begin, end in zip(bounds, bounds[1:]):
            rows = v["x"][0, begin:max(begin, end)]
            columns = [rows] if case.get("whole") else rows.T
            out.append([[function(c) if c.size else none for c in columns]])
            slack.append([[self.slack(case, c) for c in columns]])
        out = np.array(out)
        if case.dtype not in FORMAT:
            return {"Y": Want(out.astype(np.int64))}
        exact = case.mode in ("MIN", "MAX", "AMAX")
        return {"Y": Want(out.astype(np.float64), 1, 1e-13, engine=(
            0 if exact else 1, np.array(slack)))}

    @staticmethod
    def slack(case, x):
        """The op's tolerance beside the last rounding, computing in f32."""
        terms = {"MUL": lambda: np.abs(np.prod(x)),
                 "MUL_NO_ZEROS": lambda: np.abs(np.prod(x[x != 0])),
                 "NORM2": lambda: np.sqrt(np.sum(x * x)),
                 "AVG": lambda: np.mean(np.abs(x))}
        if case.mode in ("MIN", "MAX", "AMAX") or not x.size:
            return 0.0
        sums = terms.get(case.mode, lambda: np.sum(np.abs(x)))()
        return 2 * (x.size + 2) * 2.0 ** -24 * sums
