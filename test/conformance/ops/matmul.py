# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matmul and reductions."""

import numpy as np
import opgraph
from formulas import tensor as f
from support.dtypes import OPGRAPH, convert, is_float

from ..case import Operand, Operation, Want, operation
from ..memory import strides_for

#: edge -> extents of A, B
SHAPES = {"plain": ((1, 9, 20), (1, 20, 13)), "size 1": ((1, 1, 1), (1, 1, 1)),
          "K = 1": ((2, 5, 1), (2, 1, 7)), "size 0": ((1, 0, 4), (1, 4, 3)),
          "K = 0": ((1, 3, 0), (1, 0, 4)), "one row": ((1, 1, 37), (1, 37, 5)),
          "tile + 1": ((1, 33, 17), (1, 17, 65)),
          "tile - 1": ((1, 31, 15), (1, 15, 63)),
          "batch broadcast": ((3, 4, 8), (1, 8, 5)),
          "batch broadcast left": ((1, 4, 8), (3, 8, 5)),
          "rank 2": ((7, 9), (9, 11)),
          "rank 4": ((2, 3, 6, 5), (2, 1, 5, 4)),
          "grouped heads": ((1, 4, 3, 5), (1, 2, 5, 4))}
#: operands, compute type, result
TYPES = (("f32", "f32", "f32"), ("f64", "f64", "f64"), ("bf16", "f32", "bf16"),
         ("f16", "f32", "f32"), ("f16", "f32", "f16"), ("e4m3", "f32", "bf16"),
         ("e5m2", "f32", "f16"), ("e4m3", "f32", "e5m2"), ("i8", "i32", "i32"),
         ("i8", "f32", "f32"), ("u8", "i32", "i32"), ("i32", "i64", "i64"))
EVERYWHERE = ("plain", "K = 0", "tile + 1", "rank 4")


def data(rng, shape, dtype):
    if is_float(dtype):
        return rng.uniform(-1, 1, shape)
    return rng.integers(0 if dtype == "u8" else -128, 128, shape)


#: Twice the unit roundoff: a product of two operands.
TF32 = 2.0 ** -10


def sum_bound(dtype, compute, length, magnitude=1.0):
    """Other engines: sums of `length` values of `magnitude` in `compute`."""
    if not is_float(dtype):
        return 0, 0
    unit = 2.0 ** -52 if compute == "f64" else 2.0 ** -23
    return 1, 2 * unit * max(length, 1) * magnitude


@operation
class Matmul(Operation):
    op = "matmul"

    def cases(self):
        for dtype, compute, out in TYPES:
            for edge in SHAPES if dtype in ("f32", "bf16") else EVERYWHERE:
                if edge != "grouped heads":
                    yield self.make(dtype, edge=edge, compute=compute, out=out)
        for a in ("row_major", "swapped", "gapped", "transposed"):
            for b in ("padded", "swapped", "gapped", "broadcast"):
                yield self.make("f32", a, "rank 4", out="f32", b=b)
        for a in ("channels_last", "odd_ones", "padded"):
            yield self.make("bf16", a, "rank 4", out="f32")
            yield self.make("bf16", a, "rank 4", out="bf16", result=a)
        yield self.make("f32", edge="nan and infinity", out="f32")
        for sizes in ("M", "N", "K", "MNK"):
            for padding in (0.0, 0.5):
                yield self.make("f32", edge="override", out="f32", sizes=sizes,
                                padding=padding)

    def operands(self, case, rng):
        if case.edge == "override":
            return self.with_overrides(case, rng)
        a, b = SHAPES.get(case.edge, SHAPES["plain"])
        a, b = data(rng, a, case.dtype), data(rng, b, case.dtype)
        if case.edge == "nan and infinity":
            a[0, 0, 1], a[0, 1, 2], a[0, 2, 3] = np.nan, np.inf, -np.inf
            b[0, 0, :] = 0
        return {"A": Operand(a, case.dtype, case.layout),
                "B": Operand(b, case.dtype, case.get("b", "row_major"))}

    def with_overrides(self, case, rng):
        limits = {"M": [0, 4, 6], "N": [5, 1, 9], "K": [8, 3, -2]}
        found = {"A": Operand(data(rng, (3, 6, 8), "f32"), "f32"),
                 "B": Operand(data(rng, (3, 8, 5), "f32"), "f32")}
        for size in case.sizes:
            found[size] = Operand(np.reshape(limits[size], (3, 1, 1)), "i32")
        return found

    def build(self, case, graph, t):
        more = {f"{s}_override": t[s] for s in case.get("sizes", "")}
        out = graph.matmul(t["A"], t["B"], padding=case.get("padding", 0.0),
                           **more).set_data_type(OPGRAPH[case.out])
        if case.get("result"):
            a, b = SHAPES[case.edge]
            dim = [*np.broadcast_shapes(a[:-2], b[:-2]), a[-2], b[-1]]
            out.set_dim(dim).set_stride(strides_for(dim, case.result))
        return {"C": out}

    def expected(self, case, v):
        a, b = v["A"], v["B"]
        if case.edge == "override":
            whole = {"M": 6, "N": 5, "K": 8}
            values = f.matmul(a, b, padding=case.padding, **{
                s.lower(): np.clip(v[s], 0, whole[s]) for s in case.sizes})
        else:
            values = f.matmul(a, b)
        if values.dtype.kind == "i":
            values = convert(values, case.compute_type).astype(np.int64)
        largest = max(1.0, float(np.abs(np.nan_to_num(
            a, posinf=0, neginf=0)).max(initial=0)) ** 2)
        bound = sum_bound(case.out, case.compute_type, a.shape[-1], largest)
        # NumPy may sum in another order than the judge.
        slack = bound[1] * 2.0 ** -20 if case.compute_type != "f64" else bound[1]
        return {"C": Want(values, bound[0], slack, engine=bound,
                          tf32=self.narrow_bound(case, a, b))}

    @staticmethod
    def narrow_bound(case, a, b):
        if case.dtype != "f32":
            return 0.0
        # Overridden extents drop or pad; the bound of the whole is near enough.
        most = (np.nan_to_num(np.abs(x), posinf=0.0) for x in (a, b))
        return TF32 * f.matmul(*most)


MODES = ("ADD", "MUL", "MIN", "MAX", "AMAX", "AVG", "NORM1", "NORM2",
         "MUL_NO_ZEROS")
#: edge -> extents, reduced axes
REDUCED = {"plain": ((3, 13, 5), (1,)), "last axis": ((3, 4, 35), (2,)),
           "all axes": ((3, 4, 5), (0, 1, 2)), "outer axes": ((6, 5, 4), (0, 1)),
           "outer and inner": ((3, 4, 5), (0, 2)),
           "size 1": ((1, 1, 1), (0, 1, 2)), "none reduced": ((2, 3, 4), ()),
           "long row": ((2, 1, 257), (2,)), "size 0": ((3, 0), (1,)),
           "no result": ((0, 3), (1,)), "special values": ((4, 20), (1,)),
           # Long enough for GPUs to combine portions.
           "long columns": ((1500, 7), (0,)),
           "long columns of vectors": ((1037, 2, 16), (0,)),
           "special columns": ((1030, 8), (0,)),
           "few long rows": ((2, 70001), (1,)),
           "scalar of many": ((5, 131, 101), (0, 1, 2)),
           "long channels": ((5, 2, 13200), (0, 2))}


@operation
class Reduction(Operation):
    op = "reduction"

    def cases(self):
        for mode in MODES:
            for edge in REDUCED:
                yield self.make("f32", edge=edge, mode=mode, out="f32")
            for dtype, compute, out in (
                    ("f64", "f64", "f64"), ("bf16", "f32", "f32"),
                    ("f16", "f32", "f16"), ("e4m3", "f32", "bf16"),
                    ("i8", "i32", "i32"), ("i64", "i64", "i64")):
                if is_float(compute) or mode not in ("AVG", "NORM2"):
                    yield self.make(dtype, compute=compute, mode=mode, out=out)
            for layout in ("transposed", "gapped", "broadcast"):
                yield self.make("f32", layout, "outer and inner", mode=mode,
                                out="f32")
            yield self.make("bf16", edge="long columns of vectors", mode=mode,
                            out="bf16")
            if mode not in ("AVG", "NORM2"):
                yield self.make("i32", edge="long columns", compute="i32",
                                mode=mode, out="i32")
                yield self.make("i8", edge="few long rows", compute="i64",
                                mode=mode, out="i64")

    def operands(self, case, rng):
        shape, _ = REDUCED[case.edge]
        low, high = (0.9, 1.1) if case.mode.startswith("MUL") else (-2, 2)
        x = rng.uniform(low, high, shape) if is_float(case.dtype) else \
            rng.integers(-3, 4, shape)
        if case.mode == "MUL_NO_ZEROS":
            x.reshape(-1)[::3] = 0
        if case.edge.startswith("special"):
            x[0, 3], x[1, 5], x[2, 7], x[3] = np.nan, np.inf, -np.inf, -0.0
        return {"x": Operand(x, case.dtype, case.layout)}

    def build(self, case, graph, t):
        shape, axes = REDUCED[case.edge]
        dim = [1 if a in axes else e for a, e in enumerate(shape)]
        out = graph.reduction(t["x"], mode=opgraph.reduction_mode[case.mode])
        return {"Y": out.set_dim(dim).set_data_type(OPGRAPH[case.out])
                .set_stride(strides_for(dim, "row_major"))}

    def expected(self, case, v):
        x, (shape, axes) = v["x"], REDUCED[case.edge]
        values = f.reduction(x, case.mode, axes)
        if values.dtype.kind == "i":
            values = convert(values, case.compute_type).astype(np.int64)
        exact = case.mode in ("MIN", "MAX", "AMAX") or not is_float(case.out)
        if exact:
            return {"Y": Want(values, engine=(0, 0))}
        count = int(np.prod([shape[a] for a in axes])) if axes else 1
        largest = float(np.abs(np.nan_to_num(x, posinf=0, neginf=0)).max(
            initial=1.0))
        bound = sum_bound(case.out, case.compute_type, count, largest)
        return {"Y": Want(values, 1, bound[1] * 2.0 ** -20 if case.out != "f64"
                          else bound[1], engine=(max(4, count), bound[1]))}
