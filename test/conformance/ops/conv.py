# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions: forward, gradient of the image, gradient of the filter."""

import numpy as np
from formulas import conv as f
from support.dtypes import is_float

from ..case import Operand, Operation, Want, operation
from ..memory import strides_for
from .matmul import TF32


def _shape(x, w, pre=0, post=None, stride=1, dilation=1, flip=False):
    """One value stands for all spatial axes."""
    axes = len(x) - 2

    def every(value):
        return list(value) if isinstance(value, tuple) else [value] * axes
    pre = every(pre)
    return {"x": x, "w": w, "pre": pre,
            "post": pre if post is None else every(post),
            "stride": every(stride), "dilation": every(dilation), "flip": flip}


#: edge -> shapes and attributes
EDGES = {
    "plain": _shape((2, 3, 6, 5), (4, 3, 3, 3), 1),
    "1x1": _shape((2, 5, 3, 4), (3, 5, 1, 1)),
    "one dimension": _shape((2, 3, 9), (4, 3, 3), 1, 2, 2),
    "three dimensions": _shape((1, 2, 4, 5, 3), (3, 2, 2, 3, 2), (0, 1, 1),
                               (1, 0, 1), (2, 1, 1)),
    "asymmetric": _shape((1, 2, 5, 6), (2, 2, 3, 2), (0, 3), (2, 1)),
    "stride": _shape((2, 2, 8, 7), (3, 2, 3, 3), 1, None, (2, 3)),
    "stride beyond window": _shape((1, 2, 9, 9), (2, 2, 2, 1), 0, None, 4),
    "dilation": _shape((1, 3, 9, 8), (2, 3, 3, 2), 2, None, 1, (2, 3)),
    "stride and dilation": _shape((1, 2, 10, 9), (2, 2, 3, 3), 2, 1, (3, 2),
                                  (1, 2)),
    "groups": _shape((2, 6, 4, 4), (9, 2, 3, 3), 1),
    "depthwise": _shape((2, 4, 5, 5), (4, 1, 3, 3), 1),
    "depthwise, two each": _shape((1, 3, 4, 4), (6, 1, 2, 2)),
    "flip": _shape((1, 2, 5, 6), (3, 2, 3, 2), 1, flip=True),
    "flip, groups, stride": _shape((1, 4, 6, 5), (4, 2, 3, 2), 1, 0, 2,
                                   flip=True),
    "all padding around": _shape((1, 2, 2, 2), (2, 2, 2, 2), 3),
    "window is the image": _shape((2, 3, 4, 3), (2, 3, 4, 3)),
    "one element": _shape((1, 1, 1, 1), (1, 1, 1, 1)),
    "rest of stride unread": _shape((1, 2, 8, 6), (2, 2, 3, 1), 0, None, 4),
}
EMPTY = {
    "no batch": _shape((0, 3, 6, 5), (4, 3, 3, 3), 1),
    "no channels": _shape((2, 0, 4, 4), (3, 0, 2, 2)),
    "no filters": _shape((2, 3, 4, 4), (0, 3, 2, 2)),
    "no image": _shape((2, 3, 0, 4), (4, 3, 2, 3), 1),
}
ALL = {**EDGES, **EMPTY}
LAYOUTS = ("channels_last", "padded", "gapped", "swapped", "odd_ones",
           "broadcast")
SPECIAL = ("nan and inf", "nan in the filter")


class Conv(Operation):
    """What the three share: `given` are the operands."""

    def cases(self):
        for edge in EDGES:
            for dtype in ("f32", "bf16", "i8"):
                yield self.make(dtype, edge=edge, **self.graph_of(dtype))
        for edge in EMPTY:
            yield self.make("f32", edge=edge)
        for edge in ("plain", "stride", "groups", "flip", "dilation"):
            for dtype in ("f16", "f64", "e4m3", "e5m2"):
                yield self.make(dtype, edge=edge, **self.graph_of(dtype))
        for layout in LAYOUTS:
            for edge in ("plain", "groups", "stride"):
                yield self.make("f32", layout, edge)
            yield self.make("bf16", layout, "three dimensions")
        for special in SPECIAL:
            yield self.make("f32", edge="plain", special=special)
            yield self.make("bf16", edge="stride", special=special)
        yield self.make("i32", edge="plain", wide=True)
        yield self.make("i64", edge="plain", wide=True)

    @staticmethod
    def graph_of(dtype):
        """Integer convolutions have a wide result."""
        return {"io": {"i8": "i32", "e4m3": "f32", "e5m2": "bf16"}.get(dtype)}

    def operands(self, case, rng):
        shapes = ALL[case.edge]
        output = f.output_extents(shapes["x"][2:], shapes["w"][2:],
                                  shapes["pre"], shapes["post"],
                                  shapes["stride"], shapes["dilation"])
        extents = {"x": shapes["x"], "w": shapes["w"],
                   "dy": (shapes["x"][0], shapes["w"][0], *output)}
        found = {}
        for name in self.given:
            if is_float(case.dtype):
                values = rng.normal(size=extents[name])
            else:
                bound = 2 ** 31 if case.get("wide") else 128
                values = rng.integers(-bound, bound, extents[name])
            found[name] = Operand(values, case.dtype, case.layout)
        self.poison(case, {n: o.values for n, o in found.items()}, rng)
        return found

    def poison(self, case, values, rng):
        first, second = (values[name] for name in self.given)
        if case.get("special") == "nan and inf":
            for array, bad in ((first, np.nan), (second, np.inf)):
                array.flat[rng.integers(array.size)] = bad
        elif case.get("special"):
            # A corner of the filter, which padding reads in part.
            second[0, 0, ..., 0] = np.nan

    def attributes(self, case):
        shapes = ALL[case.edge]
        return dict(pre_padding=shapes["pre"], post_padding=shapes["post"],
                    stride=shapes["stride"], dilation=shapes["dilation"],
                    convolution_mode="CONVOLUTION" if shapes["flip"] else None)

    def finish(self, case, result, shape):
        """The result's layout and type."""
        if case.layout != "row_major" and case.layout != "broadcast":
            result.set_dim(list(shape))
            result.set_stride(strides_for(shape, case.layout))
        return result

    def want(self, case, function, operands, count):
        """The formula's values, and bounds from the sum of magnitudes."""
        values = function(*operands)
        if not is_float(case.dtype):
            return Want(values)
        finite = (np.nan_to_num(np.abs(o), posinf=0.0) for o in operands)
        magnitude = 2 * (count + 2) * function(*finite)
        wide = case.dtype == "f64"
        products = magnitude / (2 * (count + 2))
        return Want(values, 1, magnitude * 2.0 ** -53,
                    engine=(1, magnitude * 2.0 ** (-53 if wide else -24)),
                    tf32=products * TF32 if case.dtype == "f32" else 0.0)


@operation
class ConvFprop(Conv):
    op = "conv_fprop"
    given = ("x", "w")

    def build(self, case, graph, t):
        shapes = ALL[case.edge]
        y = graph.conv_fprop(t["x"], t["w"], **self.attributes(case))
        out = f.output_extents(shapes["x"][2:], shapes["w"][2:], shapes["pre"],
                               shapes["post"], shapes["stride"],
                               shapes["dilation"])
        return {"Y": self.finish(case, y, (shapes["x"][0], shapes["w"][0],
                                           *out))}

    def expected(self, case, v):
        s = ALL[case.edge]

        def function(x, w):
            return f.fprop(x, w, s["pre"], s["post"], s["stride"],
                           s["dilation"], s["flip"])
        return {"Y": self.want(case, function, (v["x"], v["w"]),
                               np.prod(s["w"][1:]))}


@operation
class ConvDgrad(Conv):
    op = "conv_dgrad"
    given = ("dy", "w")

    def build(self, case, graph, t):
        shape = ALL[case.edge]["x"]
        dx = graph.conv_dgrad(t["dy"], t["w"], **self.attributes(case),
                              out_dims=list(shape))
        return {"DX": self.finish(case, dx, shape)}

    def expected(self, case, v):
        s = ALL[case.edge]

        def function(dy, w):
            return f.dgrad(dy, w, s["x"], s["pre"], s["stride"], s["dilation"],
                           s["flip"])
        return {"DX": self.want(case, function, (v["dy"], v["w"]),
                                s["w"][0] * np.prod(s["w"][2:]))}


@operation
class ConvWgrad(Conv):
    op = "conv_wgrad"
    given = ("x", "dy")

    def build(self, case, graph, t):
        shape = ALL[case.edge]["w"]
        dw = graph.conv_wgrad(t["x"], t["dy"], **self.attributes(case),
                              out_dims=list(shape))
        return {"DW": self.finish(case, dw, shape)}

    def expected(self, case, v):
        s = ALL[case.edge]

        def function(x, dy):
            return f.wgrad(x, dy, s["w"], s["pre"], s["stride"], s["dilation"],
                           s["flip"])
        return {"DW": self.want(case, function, (v["x"], v["dy"]),
                                s["x"][0] * np.prod(v["dy"].shape[2:]))}
