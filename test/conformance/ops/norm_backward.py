# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of layer norm and RMS norm, adaptive layer norm, instance norm."""

import numpy as np
import opgraph
from formulas import norm as g
from formulas import tensor as f
from support.dtypes import OPGRAPH

from ..case import Operand, Operation, Want, operation, scalar

#: edge -> (extents of x, extents of scale or None, normalised axes)
ROWS = {"plain": ((3, 20, 1, 1), (1, 20, 1, 1), (1,)),
        "rank 3": ((2, 3, 33), (1, 1, 33), (2,)),
        "lower rank": ((2, 3, 8), (8,), (2,)),
        "two axes": ((2, 5, 6), (1, 5, 6), (1, 2)),
        "scaled batch": ((4, 6), (4, 6), (0, 1)),
        "no scale": ((3, 4, 5), None, (1, 2)),
        "one row": ((1, 17), (1, 17), (1,)),
        "two elements": ((3, 2), (1, 2), (1,)),
        "one element": ((3, 1), (1, 1), ()),
        "many rows": ((1100, 12), (1, 12), (1,)),
        "no rows": ((0, 8), (1, 8), (1,)),
        "empty rows": ((3, 0), (1, 0), (1,))}
SAMPLES = {"plain": ((2, 5, 16), (2, 1, 16), (2,)),
           "rank 4": ((3, 6, 2, 2), (3, 6, 1, 1), (1,)),
           "shared": ((2, 5, 8), (1, 1, 8), (2,)),
           "two axes": ((2, 4, 5), (2, 4, 5), (1, 2)),
           "one sample": ((1, 3, 9), (1, 1, 9), (2,)),
           "rank 1": ((4,), (4,), ()),
           "no samples": ((0, 2, 8), (0, 1, 8), (2,))}
CHANNELS = {"plain": ((2, 3, 4, 5), (1, 3, 1, 1), (2, 3)),
            "rank 3": ((3, 4, 7), (1, 4, 1), (2,)),
            "rank 5": ((2, 3, 2, 3, 2), (1, 3, 1, 1, 1), (2, 3, 4)),
            "rank 2": ((3, 4), (1, 4), ()),
            "one channel": ((4, 1, 6), (1, 1, 1), (2,)),
            "one sample": ((1, 5, 9), (1, 5, 1), (2,)),
            "shared scale": ((2, 3, 8), (1,), (2,)),
            "no samples": ((0, 3, 4), (1, 3, 1), (2,)),
            "no space": ((2, 3, 0), (1, 3, 1), (2,))}
LAYOUTS = ("channels_last", "padded", "gapped", "odd_ones", "broadcast",
           "transposed")
#: dtype -> (ulps, absolute) of other engines
ENGINE = {"f64": (16, 1e-11), "f32": (16, 2e-5), "f16": (1, 2e-5),
          "bf16": (1, 2e-5)}


def want(values, dtype, terms=1):
    """`terms`: of the sum that an element is, whose rounding grows with them."""
    ulps, absolute = ENGINE[dtype]
    return Want(values, 8 if dtype == "f64" else 1, 1e-12,
                engine=(ulps, absolute * max(1, terms / 64)))


class Family(Operation):
    """Cases over SHAPES, element types, layouts and special values."""

    shapes, has_statistics = ROWS, True

    def cases(self):
        for dtype in ("f32", "bf16", "f16", "f64"):
            for edge in self.shapes:
                yield self.make(dtype, edge=edge)
        for layout in LAYOUTS:
            for dtype in ("f32", "bf16"):
                yield self.make(dtype, layout, "plain")
                yield self.make(dtype, layout, "two axes" if "two axes" in
                                self.shapes else "rank 3")
        for special in (np.nan, np.inf, -np.inf, 0.0, 1e15):
            yield self.make("f32", edge="plain", special=special)
        yield self.make("f32", edge="plain", compute="f64")
        yield self.make("bf16", edge="plain", affine="bf16")

    def dtype_of(self, case, port):
        """The result types asked for; None: the graph's default."""
        if case.dtype == "f64":
            return "f64"
        if port in ("Y", "DX"):
            return case.dtype
        return case.get("affine", "f32")

    def draw(self, case, rng):
        """x, dy, scale, with one special value in x."""
        shape, scale, _ = self.shapes[case.edge]
        x, dy = rng.normal(0.5, 2, shape), rng.normal(0, 1, shape)
        if case.get("special") is not None and x.size:
            x.flat[x.size // 2] = case.special
        found = {"dy": Operand(dy, case.dtype, case.layout),
                 "x": Operand(x, case.dtype, case.layout)}
        if scale is not None:
            found["scale"] = Operand(rng.uniform(0.5, 2, scale), "f32")
        return found

    def finish(self, case, results):
        """Types of the results as `dtype_of` says."""
        for port, result in results.items():
            dtype = self.dtype_of(case, port)
            if port not in ("Y", "DX") and dtype != case.dtype:
                result.set_data_type(OPGRAPH[dtype])
        return results


class Backward(Family):
    """Statistics are those of x, stored in f32 (f64 for f64)."""

    names = ("DX", "DSCALE", "DBIAS")
    centred = True

    def operands(self, case, rng):
        found = self.draw(case, rng)
        axes = self.shapes[case.edge][2]
        x = np.asarray(found["x"].values, np.float64)
        kind = "f64" if case.dtype == "f64" else "f32"
        with np.errstate(all="ignore"):
            if self.centred:
                _, mean, inverse = f.layernorm(x, None, None, 1e-5, axes)
                found["mean"] = Operand(mean, kind)
            else:
                _, inverse = f.rmsnorm(x, None, None, 1e-5, axes)
        return {**found, "inverse": Operand(inverse, kind)}

    def build(self, case, graph, t):
        results = getattr(graph, self.op)(
            t["dy"], t["x"], t.get("scale"), t["mean"], t["inverse"])
        return self.finish(case, {
            port: result for port, result in zip(self.names, results)
            if result is not None})

    def affine_of(self, case, v):
        return v["scale"].shape if "scale" in v else None

    def gradients(self, case, v):
        axes = self.shapes[case.edge][2]
        return g.centred_backward(v["dy"], v["x"], v.get("scale"), v["mean"],
                                  v["inverse"], axes, self.affine_of(case, v))

    def expected(self, case, v):
        with np.errstate(all="ignore"):
            results = self.gradients(case, v)
        return {port: want(values, self.dtype_of(case, port),
                           v["x"].size / max(np.size(values), 1))
                for port, values in zip(self.names, results)
                if values is not None}


@operation
class LayernormBackward(Backward):
    op = "layernorm_backward"


@operation
class RmsnormBackward(Backward):
    op, centred = "rmsnorm_backward", False

    def cases(self):
        yield from super().cases()
        for edge in ("plain", "lower rank", "no scale", "no rows"):
            yield self.make("f32", edge=edge, has_dbias=True)

    def build(self, case, graph, t):
        dbias = case.get("has_dbias", False)
        results = graph.rmsnorm_backward(t["dy"], t["x"], t.get("scale"),
                                         t["inverse"], dbias)
        assert (results[2] is not None) == (dbias and "scale" in t)
        return self.finish(case, {
            port: result for port, result in zip(self.names, results)
            if result is not None})

    def gradients(self, case, v):
        dx, dscale, dbias = g.rmsnorm_backward(
            v["dy"], v["x"], v.get("scale"), v["inverse"],
            self.shapes[case.edge][2])
        return dx, dscale, dbias if case.get("has_dbias") else None


@operation
class AdalayernormBackward(Backward):
    op, shapes = "adalayernorm_backward", SAMPLES


@operation
class InstancenormBackward(Backward):
    op, shapes = "instancenorm_backward", CHANNELS

    def affine_of(self, case, v):
        x = v["x"]
        return (1, x.shape[1]) + (1,) * (x.ndim - 2)


class Forward(Family):
    """A norm by mean and variance, with scale and bias."""

    names = ("Y", "MEAN", "INV_VARIANCE")

    def cases(self):
        for case in super().cases():
            yield case
        for dtype in ("f32", "bf16", "e4m3", "e5m2"):
            yield self.make(dtype, edge="plain", phase="INFERENCE")

    def operands(self, case, rng):
        found = self.draw(case, rng)
        del found["dy"]
        shape, scale, _ = self.shapes[case.edge]
        if case.get("bias", True):
            found["bias"] = Operand(rng.uniform(-1, 1, scale), "f32")
        return {**found, "epsilon": scalar(1e-3, rank=len(shape))}

    def build(self, case, graph, t):
        phase = opgraph.norm_forward_phase[case.get("phase", "TRAINING")]
        results = getattr(graph, self.op)(t["x"], t["scale"], t.get("bias"),
                                          t["epsilon"], phase)
        found = {port: result for port, result in zip(self.names, results)
                 if result is not None}
        if case.get("affine"):
            for port in self.names[1:]:
                found[port].set_data_type(OPGRAPH[case.affine])
            return found
        if case.dtype == "f64":
            return self.finish(case, found)
        return found

    def expected(self, case, v):
        axes = self.shapes[case.edge][2]
        with np.errstate(all="ignore"):
            results = f.layernorm(v["x"], v["scale"], v.get("bias"),
                                  v["epsilon"].flat[0], axes)
        if case.get("phase") == "INFERENCE":
            results = results[:1]
        return {port: Want(values, 8 if case.dtype == "f64" else 1, 1e-12,
                           engine=ENGINE.get(self.dtype_of(case, port), (1, 0)))
                for port, values in zip(self.names, results)}


@operation
class Adalayernorm(Forward):
    op, shapes = "adalayernorm", SAMPLES

    def cases(self):
        yield from super().cases()
        for edge in SAMPLES:
            yield self.make("f32", edge=edge, bias=False)


@operation
class Instancenorm(Forward):
    op, shapes = "instancenorm", CHANNELS
