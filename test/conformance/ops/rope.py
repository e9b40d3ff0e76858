# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rotary embedding and its gradient."""

import numpy as np
from formulas import rope as f

from ..case import Operand, Operation, Want, operation
from ..memory import strides_for

#: edge -> (extents of x, rope_dim)
EDGES = {"plain": ((2, 3, 5, 8), 0), "partial": ((2, 3, 5, 8), 4),
         "one pair": ((1, 2, 3, 6), 2), "one position": ((2, 1, 1, 16), 0),
         "all by number": ((1, 1, 4, 4), 4), "two channels": ((1, 2, 3, 2), 0),
         "odd head size": ((1, 2, 3, 7), 6), "no batch": ((0, 2, 3, 4), 0),
         "no channels": ((1, 2, 3, 0), 0), "no position": ((1, 2, 0, 4), 2)}
#: So many heads that a GPU's thread turns several by one angle.
MANY = {"many heads": ((3, 11, 1056, 32), 0),
        "many heads, partial": ((3, 11, 2112, 20), 16)}
LAYOUTS = ("channels_last", "padded", "gapped", "swapped", "odd_ones",
           "broadcast", "transposed")
#: dtype -> unit of the compute type
UNIT = {"f64": 2.0 ** -53}


class Rotation(Operation):
    def cases(self):
        for edge in EDGES:
            for dtype in ("f32", "bf16", "f16"):
                yield self.make(dtype, edge=edge)
        for edge in ("plain", "partial"):
            yield self.make("f64", edge=edge)
            yield self.make("f64", edge=edge, halves="differ")
            yield self.make("e4m3", edge=edge)
            for dtype in ("f32", "bf16"):
                yield self.make(dtype, edge=edge, halves="differ")
                yield self.make(dtype, edge=edge, scale=0.75)
                yield self.make(dtype, edge=edge, freqs="bf16")
        for layout in LAYOUTS:
            for dtype in ("f32", "bf16"):
                yield self.make(dtype, layout, "partial")
        for edge in MANY:
            yield self.make("bf16", edge=edge)
        yield self.make("f32", "channels_last", "many heads", halves="differ")
        for special in (np.nan, np.inf):
            yield self.make("f32", edge="partial", special=special)
            yield self.make("f32", edge="plain", angle=special)
        # Beyond what a GPU reduces without a branch.
        yield self.make("f32", edge="many heads", angle=3e5)

    def operands(self, case, rng):
        shape, rotated = (EDGES | MANY)[case.edge]
        rotated = rotated or shape[3]
        x = rng.normal(size=shape)
        angles = rng.uniform(-8, 8, (shape[2], 1, 1, rotated))
        if case.get("halves") != "differ":
            angles[..., rotated // 2:] = angles[..., :rotated // 2]
        if case.get("special"):
            x.flat[rng.integers(x.size)] = case.special
        if case.get("angle"):
            angles.flat[rng.integers(angles.size)] = case.angle
        dtype = case.get("freqs", "f64" if case.dtype == "f64" else "f32")
        return {"x": Operand(x, case.dtype, case.layout),
                "freqs": Operand(angles, dtype)}

    def build(self, case, graph, t):
        shape, rotated = (EDGES | MANY)[case.edge]
        y = getattr(graph, self.op)(t["x"], t["freqs"],
                                    case.get("scale", 1.0), rotated)
        if case.layout != "broadcast":
            y.set_dim(list(shape))
            y.set_stride(strides_for(shape, case.layout))
        return {self.port: y}

    def expected(self, case, v):
        scale = case.get("scale", 1.0)
        values = getattr(f, self.op)(v["x"], v["freqs"], scale)
        size = np.max(np.abs(v["x"][np.isfinite(v["x"])]), initial=0.0)
        unit = UNIT.get(case.dtype, 2.0 ** -24)
        return {self.port: Want(values, 1, 2.0 ** -50 * size,
                                engine=(1, 32 * unit * scale * size))}


@operation
class Rope(Rotation):
    op = "rope"
    port = "Y"


@operation
class RopeBackward(Rotation):
    op = "rope_backward"
    port = "DX"
