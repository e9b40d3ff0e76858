# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pooling and interpolation, and their gradients."""

import numpy as np
from formulas import resample as f
from support.dtypes import ANY_OPGRAPH, is_float

from ..case import Operand, Operation, Want, operation
from ..memory import strides_for

POOLS = ("MAXPOOL", "AVGPOOL_INCLUDE_PADDING", "AVGPOOL_EXCLUDE_PADDING")
PADDINGS = {"MAXPOOL": ("NEG_INF_PAD", "ZERO_PAD", "EDGE_VAL_PAD"),
            "AVGPOOL_INCLUDE_PADDING": ("ZERO_PAD", "EDGE_VAL_PAD"),
            "AVGPOOL_EXCLUDE_PADDING": ("ZERO_PAD",),
            "BILINEAR": ("ZERO_PAD", "EDGE_VAL_PAD"),
            "NEAREST": ("ZERO_PAD",)}
#: edge -> (extents, window, stride, pre, post)
POOL = {
    "plain": ((2, 3, 6, 6), (2, 2), (2, 2), (0, 0), (0, 0)),
    "overlapping": ((2, 2, 7, 5), (3, 3), (2, 1), (1, 1), (1, 1)),
    "asymmetric": ((1, 2, 5, 6), (3, 2), (2, 2), (2, 0), (0, 1)),
    "one dimension": ((2, 2, 9), (4,), (3,), (1,), (2,)),
    "three dimensions": ((1, 2, 4, 3, 5), (2, 3, 2), (2, 1, 2), (0, 1, 1),
                         (0, 1, 0)),
    "gaps between windows": ((1, 2, 8, 8), (2, 2), (3, 4), (0, 0), (0, 0)),
    "whole image": ((2, 3, 4, 5), (4, 5), (1, 1), (0, 0), (0, 0)),
    "one element": ((1, 1, 1, 1), (1, 1), (1, 1), (0, 0), (0, 0)),
    "windows in the padding": ((1, 2, 3, 3), (2, 2), (2, 2), (4, 3), (3, 4)),
    "no batch": ((0, 3, 6, 6), (2, 2), (2, 2), (0, 0), (0, 0)),
    "no channels": ((2, 0, 6, 6), (2, 2), (2, 2), (0, 0), (0, 0)),
}
EMPTY_IMAGE = ((1, 2, 0, 3), (2, 2), (1, 1), (1, 1), (2, 1))
#: edge -> (extents, stride, pre, post, denominator); the window is the mode's
INTERPOLATE = {
    "plain": ((2, 3, 4, 5), (1, 1), (0, 0), (0, 0), 1),
    "double": ((1, 2, 4, 5), (2, 2), (1, 1), (6, 6), 4),
    "thirds": ((1, 2, 5, 4), (2, 1), (1, 0), (3, 2), 3),
    "half": ((2, 2, 8, 7), (2, 2), (0, 0), (1, 1), 1),
    "negative padding": ((1, 2, 9, 8), (4, 3), (-1, -3), (-2, 0), 2),
    "far outside": ((1, 1, 2, 2), (3, 3), (12, 9), (9, 12), 2),
    "one dimension": ((2, 2, 5), (3,), (2,), (4,), 5),
    "three dimensions": ((1, 1, 3, 2, 3), (1, 1, 1), (1, 0, 1), (1, 1, 2), 2),
    "one element": ((1, 1, 1, 1), (1, 1), (1, 1), (2, 2), 2),
}


def window_of(case):
    if case.mode in POOLS:
        _, window, stride, pre, post = \
            EMPTY_IMAGE if case.edge == "no image" else POOL[case.edge]
        return f.Window(case.mode, case.padding, window, stride, pre, post)
    shape, stride, pre, post, den = INTERPOLATE[case.edge]
    taps = [2 if case.mode == "BILINEAR" else 1] * (len(shape) - 2)
    return f.Window(case.mode, case.padding, taps, stride, pre, post, den)


def shape_of(case):
    if case.edge == "no image":
        return EMPTY_IMAGE[0]
    return (POOL if case.mode in POOLS else INTERPOLATE)[case.edge][0]


class Resampling(Operation):
    def modes(self):
        """(mode, padding, edge), all that fit together."""
        for mode, paddings in PADDINGS.items():
            for padding in paddings:
                for edge in (POOL if mode in POOLS else INTERPOLATE):
                    yield mode, padding, edge
        for mode in POOLS:
            yield mode, "ZERO_PAD", "no image"

    def cases(self):
        for mode, padding, edge in self.modes():
            yield self.make("f32", edge=edge, mode=mode, padding=padding)
        for mode, paddings in PADDINGS.items():
            edge = "overlapping" if mode in POOLS else "thirds"
            for dtype in ("bf16", "f16", "f64", "e5m2"):
                yield self.make(dtype, edge=edge, mode=mode,
                                padding=paddings[0])
            for layout in ("channels_last", "padded", "gapped", "swapped",
                           "broadcast"):
                yield self.make("f32", layout, edge, mode=mode,
                                padding=paddings[-1])
            for special in ("nan and inf", "ties"):
                yield self.make("f32", edge=edge, mode=mode,
                                padding=paddings[0], special=special)
        for mode in ("MAXPOOL", "NEAREST"):
            edge = "overlapping" if mode in POOLS else "thirds"
            for dtype in ("i8", "u8", "i32", "i64"):
                yield self.make(dtype, edge=edge, mode=mode,
                                padding=PADDINGS[mode][0])

    def draw(self, case, rng, shape):
        if not is_float(case.dtype):
            return rng.integers(0 if case.dtype == "u8" else -100, 100, shape)
        values = rng.normal(size=shape)
        if case.get("special") == "ties":
            values = np.rint(values)
        elif case.get("special"):
            for bad in (np.nan, np.inf, -np.inf):
                values.flat[rng.integers(values.size)] = bad
        return values

    def attributes(self, case):
        w = window_of(case)
        return dict(resample_mode=w.mode, padding_mode=w.padding,
                    window=list(w.window), stride=list(w.stride),
                    pre_padding=list(w.pre), post_padding=list(w.post),
                    denominator=w.denominator)

    def finish(self, case, result, shape):
        if case.layout not in ("row_major", "broadcast"):
            result.set_dim(list(shape))
            result.set_stride(strides_for(shape, case.layout))
        return result

    def bounded(self, case, values, magnitude):
        if not is_float(case.dtype):
            return Want(values)
        if case.mode in ("MAXPOOL", "NEAREST") and self.op == "resample":
            return Want(values)
        size = np.max(magnitude[np.isfinite(magnitude)], initial=0.0)
        unit = 2.0 ** (-53 if case.dtype == "f64" else -24)
        return Want(values, 1, 2.0 ** -48 * size, engine=(1, 64 * unit * size))


@operation
class Resample(Resampling):
    op = "resample"

    def cases(self):
        yield from super().cases()
        for index in ("u8", "i32", "i64"):
            yield self.make("f32", edge="overlapping", mode="MAXPOOL",
                            padding="NEG_INF_PAD", index=index)

    def operands(self, case, rng):
        return {"x": Operand(self.draw(case, rng, shape_of(case)), case.dtype,
                             case.layout)}

    def build(self, case, graph, t):
        is_max = case.mode == "MAXPOOL"
        y, index = graph.resample(t["x"], **self.attributes(case),
                                  generate_index=is_max)
        shape = shape_of(case)[:2] + tuple(
            window_of(case).outputs(shape_of(case)[2:]))
        found = {"Y": self.finish(case, y, shape)}
        if is_max:
            # Inference chooses i8 for so few positions.
            if case.get("index"):
                index.set_data_type(ANY_OPGRAPH[case.index])
            found["Index"] = index
        return found

    def expected(self, case, v):
        y, index = f.resample(v["x"], window_of(case))
        found = {"Y": self.bounded(case, y, np.abs(v["x"]))}
        if index is not None:
            found["Index"] = Want(index)
        return found


@operation
class ResampleBackward(Resampling):
    """MAXPOOL by X, or by Index with entries out of range; the others without
    X, whose extents are declared then."""

    op = "resample_backward"

    def cases(self):
        yield from super().cases()
        for edge in POOL:
            yield self.make("f32", edge=edge, mode="MAXPOOL",
                            padding="NEG_INF_PAD", index="i8")
        for index in ("i32", "i64", "u8"):
            yield self.make("f32", edge="overlapping", mode="MAXPOOL",
                            padding="NEG_INF_PAD", index=index)
        yield self.make("f32", edge="overlapping", mode="MAXPOOL",
                        padding="EDGE_VAL_PAD", index="i8")
        yield self.make("f32", edge="thirds", mode="BILINEAR",
                        padding="ZERO_PAD", extents="x")

    def operands(self, case, rng):
        shape = shape_of(case)
        output = shape[:2] + tuple(window_of(case).outputs(shape[2:]))
        found = {"dy": Operand(self.draw(case, rng, output), case.dtype,
                               case.layout)}
        if case.get("index"):
            taps = int(np.prod(window_of(case).window))
            found["index"] = Operand(rng.integers(
                0 if case.index == "u8" else -2, taps + 2, output), case.index)
        elif case.mode == "MAXPOOL" or case.get("extents"):
            found["x"] = Operand(self.draw(case, rng, shape), case.dtype,
                                 case.layout)
        return found

    def build(self, case, graph, t):
        shape = shape_of(case)
        dx = graph.resample_backward(t["dy"], t.get("x"), t.get("index"),
                                     **self.attributes(case))
        if "x" not in t:
            dx.set_dim(list(shape))
        return {"DX": self.finish(case, dx, shape)}

    def expected(self, case, v):
        dx = f.resample_backward(v["dy"], window_of(case), shape_of(case),
                                 v.get("x"), v.get("index"))
        size = np.nan_to_num(np.abs(v["dy"]), posinf=0).sum()
        return {"DX": self.bounded(case, dx, np.asarray(size, np.float64))}
