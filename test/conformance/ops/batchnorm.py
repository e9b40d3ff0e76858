# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Batch normalisation in training, inference and backward, and the ops that
compute it in steps."""

import numpy as np
from formulas import norm as g
from support.dtypes import OPGRAPH

from ..case import Operand, Operation, Want, operation, scalar

SHAPES = {"plain": (2, 3, 4, 5), "rank 2": (6, 4), "rank 3": (3, 4, 7),
          "rank 5": (2, 3, 2, 3, 2), "one channel": (4, 1, 6),
          "one sample": (1, 5, 9), "one element": (1, 3, 1, 1),
          "as many samples as values": (3, 4, 5),
          "no samples": (0, 3, 4), "no channels": (2, 0, 3),
          "many values": (8, 4, 160)}
#: Of more values than a block of a GPU takes.
LONG = {"long channels": (2, 2, 33000)}
EXTENTS = SHAPES | LONG
LAYOUTS = ("channels_last", "padded", "gapped", "odd_ones", "broadcast",
           "transposed")
#: dtype -> (ulps, absolute) of other engines
ENGINE = {"f64": (16, 1e-11), "f32": (16, 2e-5), "f16": (1, 2e-5),
          "bf16": (1, 2e-5), "e4m3": (1, 2e-5), "e5m2": (1, 2e-5)}


def channel_of(shape):
    return (1, shape[1]) + (1,) * (len(shape) - 2)


class Channels(Operation):
    """Cases over SHAPES; results but those of X's extents are f32, and f64 for
    f64 graphs."""

    def cases(self):
        for dtype in ("f32", "bf16", "f16", "f64"):
            for edge in SHAPES:
                yield self.make(dtype, edge=edge)
        for layout in LAYOUTS:
            for dtype in ("f32", "bf16"):
                yield self.make(dtype, layout, "plain")
                yield self.make(dtype, layout, "rank 3")
        for dtype in ("f32", "bf16"):
            yield self.make(dtype, "channels_last", "many values")
        for special in (np.nan, np.inf, -np.inf, 0.0, 1e15):
            yield self.make("f32", edge="plain", special=special)
        yield self.make("f32", edge="plain", compute="f64")

    def draw(self, case, rng):
        # Far from 0, squares cancel.
        mean, deviation = (10, 0.25) if case.get("far") else (0.5, 2)
        x = rng.normal(mean, deviation, EXTENTS[case.edge])
        if case.get("special") is not None and x.size:
            x.flat[x.size // 2] = case.special
        return x

    def per_channel(self, case, rng, low, high, dtype=None):
        kind = dtype or ("f64" if case.dtype == "f64" else "f32")
        shape = channel_of(EXTENTS[case.edge])
        return Operand(rng.uniform(low, high, shape), kind)

    def finish(self, case, results, whole=("Y", "DX")):
        for port, result in results.items():
            if case.dtype == "f64":
                result.set_data_type(OPGRAPH["f64"])
            elif port not in whole:
                result.set_data_type(OPGRAPH[case.get("affine", "f32")])
        return results

    def wants(self, case, names, results, whole=("Y", "DX")):
        found = {}
        for port, values in zip(names, results):
            if values is None:
                continue
            dtype = case.dtype if port in whole or case.dtype == "f64" else \
                case.get("affine", "f32")
            # Rounding grows with the terms of the channel's sums.
            terms = np.prod(EXTENTS.get(case.edge, ())) / max(np.size(values), 1)
            ulps = 8 * max(1, terms / 64) if dtype == "f64" else 1
            bound, absolute = ENGINE[dtype]
            if case.get("far"):
                absolute *= 8
            found[port] = Want(values, ulps, 1e-12, engine=(bound, absolute))
        return found


@operation
class Batchnorm(Channels):
    op = "batchnorm"
    names = ("Y", "MEAN", "INV_VARIANCE", "NEXT_RUNNING_MEAN",
             "NEXT_RUNNING_VAR")

    def cases(self):
        yield from super().cases()
        for dtype in ("f32", "bf16", "f64"):
            yield self.make(dtype, edge="long channels")
        yield self.make("f32", edge="long channels", far=True)
        yield self.make("f32", "channels_last", "many values", far=True)
        for edge in SHAPES:
            yield self.make("f32", edge=edge, running=True)
            yield self.make("f32", edge=edge, peers=1)
            yield self.make("bf16", "channels_last", edge, running=True,
                            peers=2)
        for momentum in (0.0, 1.0, 0.25):
            yield self.make("f32", edge="plain", running=True,
                            momentum=momentum)
        # Counts of 0, below 0 and NaN leave a peer out.
        for count in (0.0, -4.0, np.nan, 1.0):
            yield self.make("f32", edge="rank 3", running=True, peers=2,
                            count=count)
        yield self.make("f64", edge="plain", running=True, peers=2)
        yield self.make("e4m3", edge="plain")
        yield self.make("e5m2", edge="plain", running=True)

    def operands(self, case, rng):
        found = {"x": Operand(self.draw(case, rng), case.dtype, case.layout),
                 "scale": self.per_channel(case, rng, 0.5, 2),
                 "bias": self.per_channel(case, rng, -1, 1),
                 "epsilon": scalar(1e-3, rank=len(EXTENTS[case.edge]))}
        if case.get("running"):
            found["mean"] = self.per_channel(case, rng, -1, 1)
            found["variance"] = self.per_channel(case, rng, 0.5, 2)
            found["momentum"] = scalar(case.get("momentum", 0.1),
                                       rank=len(EXTENTS[case.edge]))
        for number in range(case.get("peers", 0)):
            other = g.moments(rng.normal(-1, 1, (number + 2,) + (
                max(EXTENTS[case.edge][1], 1),) + (2,)))[:, :SHAPES[
                    case.edge][1]]
            if number == 0 and case.get("count") is not None:
                other[0] = case.count
            other = other.reshape((3,) + channel_of(EXTENTS[case.edge])[1:])
            found[f"peer {number}"] = Operand(other, "f64" if case.dtype ==
                                              "f64" else "f32")
        return found

    def build(self, case, graph, t):
        results = graph.batchnorm(
            t["x"], t["scale"], t["bias"], t.get("mean"), t.get("variance"),
            t["epsilon"], t.get("momentum"),
            peer_stats=[t[k] for k in t if k.startswith("peer")])
        assert (results[3] is None) == (results[4] is None) == \
            (not case.get("running"))
        found = {port: result for port, result in zip(self.names, results)
                 if result is not None}
        # f32 by default.
        return self.finish(case, found) if case.dtype == "f64" else found

    def expected(self, case, v):
        running = (v["mean"], v["variance"]) if "mean" in v else None
        momentum = v["momentum"].flat[0] if running else None
        with np.errstate(all="ignore"):
            results = g.batchnorm(
                v["x"], v["scale"], v["bias"], v["epsilon"].flat[0], running,
                momentum, [v[k] for k in v if k.startswith("peer")])
        return self.wants(case, self.names, results)


@operation
class BatchnormInference(Channels):
    op = "batchnorm_inference"

    def cases(self):
        yield from super().cases()
        for dtype in ("e4m3", "e5m2"):
            yield self.make(dtype, edge="plain")
        for edge in ("plain", "rank 2"):
            yield self.make("f32", edge=edge, shared=True)

    def operands(self, case, rng):
        found = {"x": Operand(self.draw(case, rng), case.dtype, case.layout),
                 "mean": self.per_channel(case, rng, -1, 1),
                 "inverse": self.per_channel(case, rng, 0.5, 2),
                 "scale": self.per_channel(case, rng, 0.5, 2),
                 "bias": self.per_channel(case, rng, -1, 1)}
        if case.get("shared"):
            # Any input may be a by-value scalar.
            found["bias"] = scalar(0.5, rank=len(EXTENTS[case.edge]))
            found["mean"] = scalar(-0.25)
        return found

    def build(self, case, graph, t):
        return {"Y": graph.batchnorm_inference(
            t["x"], t["mean"], t["inverse"], t["scale"], t["bias"])}

    def expected(self, case, v):
        with np.errstate(all="ignore"):
            y = (v["x"] - v["mean"]) * v["inverse"] * v["scale"] + v["bias"]
        return self.wants(case, ("Y",), (y,))


class Backward(Channels):
    """Statistics need not be those of x."""

    def operands(self, case, rng):
        x = self.draw(case, rng)
        found = {"dy": Operand(rng.normal(0, 1, x.shape), case.dtype,
                               case.layout),
                 "x": Operand(x, case.dtype, case.layout),
                 "scale": self.per_channel(case, rng, 0.5, 2),
                 "mean": self.per_channel(case, rng, 0, 1),
                 "inverse": self.per_channel(case, rng, 0.25, 1)}
        for number in range(case.get("peers", 0)):
            shape = (3,) + channel_of(x.shape)[1:]
            other = rng.uniform(-5, 5, shape)
            other[0] = case.get("count", 7.0 + number) if number == 0 else 5.0
            found[f"peer {number}"] = Operand(other, "f32")
        return found


@operation
class BatchnormBackward(Backward):
    op = "batchnorm_backward"
    names = ("DX", "DSCALE", "DBIAS")

    def cases(self):
        yield from super().cases()
        for edge in SHAPES:
            yield self.make("f32", edge=edge, peers=1)
            yield self.make("f16", "channels_last", edge, peers=2)
        for count in (0.0, -1.0, np.nan):
            yield self.make("f32", edge="rank 3", peers=2, count=count)
        # The affine gradients have the graph's type by default.
        yield self.make("bf16", edge="plain", affine="bf16")

    def build(self, case, graph, t):
        results = graph.batchnorm_backward(
            t["dy"], t["x"], t["scale"], t["mean"], t["inverse"],
            peer_stats=[t[k] for k in t if k.startswith("peer")])
        found = dict(zip(self.names, results))
        return found if case.get("affine") else self.finish(case, found)

    def expected(self, case, v):
        with np.errstate(all="ignore"):
            results = g.batchnorm_backward(
                v["dy"], v["x"], v["scale"], v["mean"], v["inverse"],
                [v[k] for k in v if k.startswith("peer")])
        return self.wants(case, self.names, results)


@operation
class DbnWeight(Backward):
    op = "dbn_weight"
    names = ("DSCALE", "DBIAS", "EQ_SCALE_DY", "EQ_SCALE_X", "EQ_BIAS")

    def build(self, case, graph, t):
        results = graph.dbn_weight(t["dy"], t["x"], t["scale"], t["mean"],
                                   t["inverse"])
        return self.finish(case, dict(zip(self.names, results)))

    def expected(self, case, v):
        with np.errstate(all="ignore"):
            results = g.dbn_weight(v["dy"], v["x"], v["scale"], v["mean"],
                                   v["inverse"])
        return self.wants(case, self.names, results)


@operation
class Genstats(Channels):
    op = "genstats"
    names = ("SUM", "SQ_SUM")

    def cases(self):
        yield from super().cases()
        for dtype in ("e4m3", "e5m2", "i8", "i32"):
            yield self.make(dtype, edge="plain", compute="f32")

    def operands(self, case, rng):
        x = self.draw(case, rng)
        if case.dtype in ("i8", "i32"):
            x = np.rint(x * 8).astype(np.int64)
        return {"x": Operand(x, case.dtype, case.layout)}

    def build(self, case, graph, t):
        found = dict(zip(self.names, graph.genstats(t["x"])))
        # f32 by default.
        return self.finish(case, found) if case.dtype == "f64" else found

    def expected(self, case, v):
        x = v["x"].astype(np.float64)
        axes = g.beside_channel(x)
        with np.errstate(all="ignore"):
            sums = [t.sum(axis=axes, keepdims=True) for t in (x, x * x)]
        return self.wants(case, self.names, sums)


@operation
class BnFinalize(Operation):
    op = "bn_finalize"
    names = ("EQ_SCALE", "EQ_BIAS", "MEAN", "INV_VARIANCE",
             "NEXT_RUNNING_MEAN", "NEXT_RUNNING_VAR")
    shapes = {"plain": (1, 5, 1, 1), "rank 1": (7,), "one": (1, 1),
              "none": (1, 0, 1), "matrix": (3, 4)}

    def cases(self):
        for dtype in ("f32", "f64"):
            for edge in self.shapes:
                for running in (False, True):
                    yield self.make(dtype, edge=edge, running=running)
        for layout in ("channels_last", "padded", "gapped", "odd_ones",
                       "broadcast", "transposed"):
            for edge in ("plain", "matrix"):
                yield self.make("f32", layout, edge, running=True)
        for count in (0, 1, -1, 2):
            for kind in ("f32", "i32", "i64"):
                yield self.make("f32", edge="plain", running=True, count=count,
                                kind=kind)
        # Sums whose variance cancels to below 0 count as no variance.
        yield self.make("f32", edge="plain", running=True, cancels=True)
        for special in (np.nan, np.inf):
            yield self.make("f32", edge="plain", running=True, special=special)
        for affine in ("f16", "bf16"):
            yield self.make("f32", edge="plain", running=True, affine=affine)

    def operands(self, case, rng):
        shape = self.shapes[case.edge]
        count = case.get("count", 12)
        mean = rng.normal(0, 1, shape)
        squares = mean ** 2 + (-1e-3 if case.get("cancels") else
                               rng.uniform(0.5, 2, shape))
        if case.get("special") is not None:
            mean.flat[0] = case.special

        def operand(values):
            return Operand(values, case.dtype, case.layout)
        found = {"sum": operand(mean * count), "squares": operand(
                     squares * count),
                 "scale": operand(rng.uniform(0.5, 2, shape)),
                 "bias": operand(rng.uniform(-1, 1, shape)),
                 "epsilon": scalar(1e-3),
                 "count": scalar(count, case.get("kind", "f32"))}
        if case.running:
            found["mean"] = operand(rng.uniform(-1, 1, shape))
            found["variance"] = operand(rng.uniform(0.5, 2, shape))
            found["momentum"] = scalar(0.1)
        return found

    def build(self, case, graph, t):
        results = graph.bn_finalize(
            t["sum"], t["squares"], t["scale"], t["bias"], t["epsilon"],
            t["count"], t.get("mean"), t.get("variance"), t.get("momentum"))
        found = {port: result for port, result in zip(self.names, results)
                 if result is not None}
        kind = "f64" if case.dtype == "f64" else case.get("affine")
        for result in found.values():
            if kind:
                result.set_data_type(OPGRAPH[kind])
        return found

    def expected(self, case, v):
        running = (v["mean"], v["variance"]) if case.running else None
        momentum = v["momentum"].flat[0] if running else None
        with np.errstate(all="ignore"):
            results = g.bn_finalize(
                v["sum"], v["squares"], v["scale"], v["bias"],
                v["epsilon"].flat[0], v["count"].flat[0], running, momentum)
        dtype = "f64" if case.dtype == "f64" else case.get("affine", "f32")
        return {port: Want(values, 8 if dtype == "f64" else 1, 1e-12,
                           engine=ENGINE[dtype])
                for port, values in zip(self.names, results)
                if values is not None}
