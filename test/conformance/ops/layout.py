# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reshape, transpose, slice and concatenate: pure copies, equal to the bit."""

import math

import numpy as np
import opgraph
from support.dtypes import NUMPY, is_float

from ..case import Operand, Operation, Want, operation
from ..memory import strides_for

DTYPES = tuple(NUMPY)
#: Their extents along the axis of stride 1 are even.
NARROW = ("f4", "i4", "e8m0")
LAYOUTS = ("channels_last", "transposed", "swapped", "padded", "gapped",
           "odd_ones", "broadcast")


def values(rng, dtype, shape):
    """Numbers that every element type holds."""
    if is_float(dtype):
        return rng.integers(-8, 8, shape).astype(np.float64)
    return rng.integers(0, 2 if dtype == "bool" else 100, shape)


class Copy(Operation):
    shape = (3, 5, 1, 4)

    def operands(self, case, rng):
        return {"x": Operand(values(rng, case.dtype, case.get(
            "shape", self.shape)), case.dtype, case.layout)}


@operation
class Transpose(Copy):
    op = "transpose"

    def cases(self):
        for dtype in DTYPES + NARROW:
            for axes in ((0, 1, 3, 2), (3, 0, 2, 1)):
                yield self.make(dtype, axes=axes)
        for layout in LAYOUTS:
            yield self.make("f32", layout, axes=(2, 3, 1, 0))
        for shape, axes in (((0, 3), (1, 0)), ((7,), (0,)), ((1, 1), (1, 0)),
                            ((2, 1, 2, 1, 3), (4, 2, 0, 1, 3))):
            yield self.make("bf16", edge="shape", shape=shape, axes=axes)

    def build(self, case, graph, t):
        out = graph.transpose(t["x"], list(case.axes))
        if case.layout == "broadcast":
            shape = [self.shape[a] for a in case.axes]
            out.set_dim(shape).set_stride(strides_for(shape, "row_major"))
        return {"Y": out}

    def expected(self, case, v):
        return {"Y": Want(v["x"].transpose(case.axes))}


@operation
class Slice(Copy):
    op = "slice"
    shape = (5, 4, 1, 7)
    BOUNDS = {"plain": ((1, 4, 1), (0, 4, 1), (0, 1, 1), (0, 7, 1)),
              "steps": ((0, 5, 2), (1, 4, 3), (0, 1, 1), (1, 7, 2)),
              "one element": ((4, 5, 1), (3, 4, 1), (0, 1, 1), (6, 7, 1)),
              "whole": ((0, 5, 1), (0, 4, 1), (0, 1, 1), (0, 7, 1)),
              "size 0": ((2, 2, 1), (0, 4, 1), (0, 1, 1), (0, 7, 1))}
    #: Of an extent of 8: views at odd offsets, and every second half of a byte.
    HALVES = {"odd start": ((1, 4, 1), (0, 4, 1), (0, 1, 1), (1, 7, 1)),
              "steps of halves": ((0, 5, 2), (1, 4, 3), (0, 1, 1), (1, 8, 2)),
              "one half": ((0, 4, 1), (1, 2, 1), (0, 1, 1), (5, 6, 1))}

    def cases(self):
        for dtype in NARROW:
            for edge in self.HALVES:
                yield self.make(dtype, edge=edge, shape=(5, 4, 1, 8))
        for dtype in DTYPES:
            for edge in ("plain", "steps"):
                yield self.make(dtype, edge=edge)
        for edge in self.BOUNDS:
            yield self.make("f16", "gapped", edge)
        for layout in LAYOUTS:
            yield self.make("f32", layout, "steps")

    def slices(self, case):
        bounds = self.BOUNDS.get(case.edge) or self.HALVES[case.edge]
        return tuple(slice(*b) for b in bounds)

    def build(self, case, graph, t):
        out = graph.slice(t["x"], self.slices(case))
        if case.layout == "broadcast":
            shape = np.empty(self.shape, bool)[self.slices(case)].shape
            out.set_dim(shape).set_stride(strides_for(shape, "row_major"))
        return {"Y": out}

    def expected(self, case, v):
        return {"Y": Want(v["x"][self.slices(case)])}


@operation
class Reshape(Copy):
    op = "reshape"

    def cases(self):
        for dtype in DTYPES + NARROW:
            for dims in ((15, 4), (60,), (2, 1, 5, 6)):
                yield self.make(dtype, mode="LOGICAL", dims=dims)
        for layout in LAYOUTS:
            yield self.make("f32", layout, mode="LOGICAL", dims=(4, 15))
        for layout in ("channels_last", "padded", "transposed"):
            yield self.make("f32", edge="result layout", mode="LOGICAL",
                            dims=(4, 3, 5), out=layout)
        for dtype in NARROW:
            yield self.make(dtype, mode="VIEW_ONLY", dims=(6, 10))
            yield self.make(dtype, "transposed", mode="VIEW_ONLY", dims=(6, 10),
                            shape=(4, 5, 3))
        for dtype in ("f32", "bf16", "i8"):
            yield self.make(dtype, mode="VIEW_ONLY", dims=(6, 10))
            yield self.make(dtype, "transposed", mode="VIEW_ONLY", dims=(6, 10))
        yield self.make("f32", edge="size 0", mode="LOGICAL", shape=(0, 3),
                        dims=(5, 0))

    def build(self, case, graph, t):
        out = graph.reshape(t["x"], opgraph.reshape_mode[case.mode])
        return {"Y": out.set_dim(case.dims).set_stride(
            strides_for(case.dims, case.get("out", "row_major")))}

    def expected(self, case, v):
        x = v["x"]
        if case.mode == "VIEW_ONLY" and case.layout == "transposed":
            # The order of memory counts.
            x = x.transpose(range(x.ndim)[::-1])
        return {"Y": Want(x.reshape(case.dims))}


@operation
class Concatenate(Operation):
    op = "concatenate"
    shape = (2, 3, 1, 4)

    def cases(self):
        for dtype in DTYPES:
            for axis in (0, 1, 3):
                yield self.make(dtype, axis=axis, extents=(2, 5, 1))
        for dtype in NARROW:
            for axis, extents in ((0, (2, 1)), (1, (1, 3, 2)), (3, (2, 6, 4))):
                yield self.make(dtype, axis=axis, extents=extents)
        for layout in LAYOUTS:
            yield self.make("f32", layout, axis=1, extents=(3, 2))
        for extents in ((4,), (0, 3), (1,) * 7, (0, 0)):
            yield self.make("f32", edge="operands", axis=2, extents=extents)

    def operands(self, case, rng):
        found = {}
        for index, extent in enumerate(case.extents):
            shape = list(self.shape)
            shape[case.axis] = extent
            found[f"in{index}"] = Operand(
                values(rng, case.dtype, shape), case.dtype,
                case.layout if index == 0 else "row_major")
        return found

    def build(self, case, graph, t):
        out = graph.concatenate(case.axis, inputs=list(t.values()))
        shape = list(self.shape)
        shape[case.axis] = sum(case.extents)
        if math.prod(shape):
            out.set_dim(shape).set_stride(strides_for(shape, "row_major"))
        return {"Y": out}

    def expected(self, case, v):
        return {"Y": Want(np.concatenate(list(v.values()), case.axis))}
