# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The 54 pointwise operations."""

import numpy as np
from formulas import pointwise as f
from support.dtypes import (ANY_OPGRAPH, FLOATS, FORMAT, NUMPY, convert,
                            is_float)

from ..case import Operand, Operation, Want, operation
from ..memory import strides_for

#: Other engines: dtype -> (ulps, absolute): one rounding of f32 arithmetic with
#: functions of at most 8 ulps, and cancellation at magnitude 1.
ENGINE = {"f64": (16, 1e-14), "f32": (32, 1e-6), "f16": (1, 1e-6),
          "bf16": (1, 1e-6), "e4m3": (1, 1e-6), "e5m2": (1, 1e-6),
          "f4": (1, 1e-6), "e8m0": (1, 1e-6)}
#: Elements of half a byte, and scales: (operands, result).
NARROW = (("f4", "f32"), ("f4", "f4"), ("f32", "f4"), ("e8m0", "f32"),
          ("f32", "e8m0"), ("e8m0", "e8m0"), ("i4", "f32"), ("f32", "i4"),
          ("i4", "i8"), ("i8", "i4"), ("i4", "i4"), ("f4", "i4"), ("i4", "f4"))
NARROW_OPS = ("identity", "abs", "add", "sub", "mul", "max")
LAYOUTS = ("channels_last", "transposed", "padded", "gapped", "odd_ones",
           "broadcast")
#: edge -> extents of the operands
SHAPES = {"size 1": ((1, 1), (1, 1), (1, 1)),
          "size 0": ((0, 5), (0, 5), (0, 5)),
          "lower rank": ((3, 1, 17), (4, 17), (3, 4, 17)),
          "both broadcast": ((3, 1, 9), (1, 4, 1), (3, 4, 9)),
          "rank 1": ((31,), (31,), (31,)),
          "halves": ((3, 4, 1, 6), (4, 1, 6), (3, 4, 1, 6)),
          "rank 5": ((2, 1, 3, 2, 5), (2, 1, 3, 2, 5), (2, 1, 3, 2, 5)),
          "layout": ((2, 3, 1, 5), (2, 3, 1, 5), (2, 3, 1, 5))}


def specials(dtype):
    """Values where formulas go wrong."""
    if dtype == "bool":
        return np.array([0, 1])
    if not is_float(dtype):
        info = np.iinfo(NUMPY[dtype])
        return np.array([0, 1, 2, 3, 7, info.max, info.min, info.max - 1])
    bits, low, largest = FORMAT[dtype]
    tiny = 2.0 ** (low - bits + 1)
    values = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, 3.0, tiny, -tiny,
              2.0 ** low, largest, -largest, np.nan]
    # e4m3 has no infinity.
    return np.array(values + ([] if dtype == "e4m3" else [np.inf, -np.inf]))


def random_values(rng, dtype, shape, domain):
    low, high = domain or (-4, 4)
    if is_float(dtype):
        return rng.uniform(low, high, shape)
    if dtype == "i4":
        return rng.integers(-8, 8, shape)
    if dtype == "bool":
        return rng.integers(0, 2, shape)
    return rng.integers(max(np.iinfo(NUMPY[dtype]).min, -50), 50, shape)


def takes(op, dtype, integers):
    """Whether (op, dtype) has a meaning."""
    if dtype == "bool":
        return op in f.PREDICATES or op == "identity"
    return is_float(dtype) or integers


class Pointwise(Operation):
    def __init__(self, op, arity, formula, integers, exact, domain):
        self.op, self.arity, self.formula = op, arity, formula
        self.integers, self.exact, self.domain = integers, exact, domain

    def cases(self):
        for dtype in FLOATS + ("i8", "u8", "i32", "i64", "bool"):
            if takes(self.op, dtype, self.integers):
                yield self.make(dtype, edge="special values")
        for edge in SHAPES:
            if edge != "layout" and (self.arity > 1 or "broadcast" not in edge
                                     and edge != "lower rank"):
                yield self.make("f32", edge=edge)
        for index, layout in enumerate(LAYOUTS):
            yield self.make(("f32", "bf16")[index % 2], layout, "layout")
        yield self.make("f32", "gapped", "layout", out="bf16")
        yield self.make("bf16", edge="size 1", out="f32", misaligned=True)
        if self.op not in NARROW_OPS:
            return
        for index, (dtype, out) in enumerate(NARROW):
            # Integers wrap when they are computed with, floats saturate.
            compute = "i32" if dtype[0] + out[0] == "ii" else "f32"
            yield self.make(dtype, edge="halves", out=out, compute=compute)
            yield self.make(dtype, ("channels_last", "swapped")[index % 2],
                            "halves", out=out, compute=compute)

    def operands(self, case, rng):
        if case.edge == "special values":
            grid = np.meshgrid(*[specials(case.dtype)] * self.arity)
            values = [np.concatenate([
                random_values(rng, case.dtype, 31, self.domain),
                axis.reshape(-1)]).reshape(1, -1) for axis in grid]
        else:
            values = [random_values(rng, case.dtype, shape, self.domain)
                      for shape in SHAPES[case.edge][:self.arity]]
        return {f"in{i}": Operand(
            v, case.dtype, case.layout if i == 0 else "row_major",
            misaligned=bool(case.get("misaligned")))
            for i, v in enumerate(values)}

    def result(self, case):
        return case.get("out") or (
            "bool" if self.op in f.PREDICATES else case.dtype)

    def build(self, case, graph, t):
        out = getattr(graph, self.op)(*t.values(),
                                      **f.ATTRIBUTES.get(self.op, {}))
        out.set_data_type(ANY_OPGRAPH[self.result(case)])
        if case.edge in SHAPES:
            shape = SHAPES[case.edge][2 if self.arity > 1 else 0]
            layout = "row_major" if case.layout == "broadcast" else case.layout
            out.set_dim(shape).set_stride(strides_for(shape, layout))
        return {"OUT_0": out}

    def expected(self, case, v):
        values, dtype = self.formula(*v.values()), self.result(case)
        if values.dtype.kind in "iu" and self.op not in f.PREDICATES:
            values = convert(values, case.compute_type).astype(np.int64)
        if not is_float(dtype):
            return {"OUT_0": Want(values)}
        if self.exact:
            return {"OUT_0": Want(values, engine=ENGINE[dtype])}
        tiny = 2.0 ** (FORMAT[case.dtype][1] - FORMAT[case.dtype][0] + 1) \
            if is_float(case.dtype) else 0.0
        wide = dtype == "f64"
        return {"OUT_0": Want(values, 16 if wide else 1,
                              5e-14 if wide else tiny, engine=ENGINE[dtype])}


def _register():
    for op, row in f.UNARY.items():
        _register_one(op, 1, row)
    for op, row in f.BINARY.items():
        _register_one(op, 2, row)


def _register_one(op, arity, row):
    operation(type(op.title(), (Pointwise,), {
        "op": op, "__init__": lambda self: Pointwise.__init__(
            self, op, arity, *row)}))


_register()


@operation
class GenIndex(Operation):
    op = "gen_index"

    def cases(self):
        for axis in range(3):
            for dtype in ("i32", "i64", "f32", "bf16"):
                yield self.make(dtype, edge="plain", axis=axis)
        for layout in LAYOUTS:
            yield self.make("i32", layout, "plain", axis=2)
        yield self.make("i32", edge="size 0", axis=1)
        yield self.make("i32", edge="size 1", axis=0)

    def operands(self, case, rng):
        shape = {"plain": (2, 3, 5), "size 0": (2, 0, 5),
                 "size 1": (1, 1, 1)}[case.edge]
        return {"x": Operand(np.full(shape, np.nan), "f32", case.layout)}

    def build(self, case, graph, t):
        out = graph.gen_index(t["x"], case.axis)
        out.set_data_type(ANY_OPGRAPH[case.dtype])
        if case.layout == "broadcast":
            dim = t["x"].get_dim()
            out.set_dim(dim).set_stride(strides_for(dim, "row_major"))
        return {"OUT_0": out}

    def expected(self, case, v):
        return {"OUT_0": Want(np.indices(v["x"].shape)[case.axis]
                              .astype(np.int64))}


@operation
class BinarySelect(Operation):
    op = "binary_select"

    def cases(self):
        for dtype in FLOATS + ("i8", "u8", "i32", "i64", "bool"):
            for mask in ("bool", "i32", "f32"):
                yield self.make(dtype, edge="plain", mask=mask,
                                compute="i32" if dtype == "bool" else None)
        for layout in LAYOUTS:
            yield self.make("f32", layout, "plain", mask="i8")
        for edge in ("size 0", "all broadcast"):
            yield self.make("f32", edge=edge, mask="bool")

    def operands(self, case, rng):
        shapes = {"plain": ((4, 9), (1, 9), (4, 9)), "size 0": ((0, 3),) * 3,
                  "all broadcast": ((4, 1, 1), (1, 3, 1), (1, 1, 5))}[case.edge]
        a, b = (random_values(rng, case.dtype, s, None) for s in shapes[:2])
        if is_float(case.dtype) and a.size:
            # What is not chosen must not leak in.
            a.reshape(-1)[0] = np.nan
        low = 0 if case.mask == "bool" else -1
        return {"a": Operand(a, case.dtype, case.layout),
                "b": Operand(b, case.dtype),
                "mask": Operand(rng.integers(low, 2, shapes[2]), case.mask)}

    def build(self, case, graph, t):
        out = graph.binary_select(t["a"], t["b"], t["mask"])
        out.set_data_type(ANY_OPGRAPH[case.dtype])
        dim = list(np.broadcast_shapes(*(x.get_dim() for x in t.values())))
        out.set_dim(dim).set_stride(strides_for(dim, "row_major"))
        return {"OUT_0": out}

    def expected(self, case, v):
        return {"OUT_0": Want(np.where(v["mask"] != 0, v["a"], v["b"]))}


class ReluAttributes(Operation):
    #: Chosen so that no clip falls on a value of x.
    ATTRIBUTES = ({"negative_slope": 0.1}, {"lower_clip": -1.0},
                  {"upper_clip": 2.0}, {"lower_clip": 0.5, "upper_clip": 6.0},
                  {"negative_slope": 0.1, "lower_clip": -1.0, "upper_clip": 2.0})

    def cases(self):
        for attributes in self.ATTRIBUTES:
            for dtype in ("f32", "bf16", "f64"):
                yield self.make(dtype, edge="attributes", **attributes)

    def operands(self, case, rng):
        found = {"x": Operand(rng.uniform(-5, 5, (3, 41)), case.dtype)}
        if self.op == "relu_backward":
            found = {"dy": Operand(rng.uniform(1, 2, (3, 41)), case.dtype), **found}
        return found

    def build(self, case, graph, t):
        return {"OUT_0": getattr(graph, self.op)(*t.values(),
                                                 **dict(case.params))}

    def expected(self, case, v):
        values = getattr(f, self.op)(*v.values(), **dict(case.params))
        return {"OUT_0": Want(values, 1, 1e-15, engine=ENGINE[case.dtype])}


@operation
class ReluClips(ReluAttributes):
    op = "relu"


@operation
class ReluBackwardClips(ReluAttributes):
    op = "relu_backward"


@operation
class SwishBeta(Operation):
    op = "swish"

    def cases(self):
        for beta in (0.5, 2.0, -1.5, 0.0):
            yield self.make("f32", edge="beta", beta=beta)

    def operands(self, case, rng):
        return {"x": Operand(rng.uniform(-5, 5, (3, 41)), case.dtype)}

    def build(self, case, graph, t):
        return {"OUT_0": graph.swish(t["x"], case.beta)}

    def expected(self, case, v):
        return {"OUT_0": Want(f.swish(v["x"], case.beta), 1, 1e-12,
                              engine=ENGINE["f32"])}
