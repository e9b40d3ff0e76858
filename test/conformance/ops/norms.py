# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layer norm, RMS norm and softmax."""

import numpy as np
import opgraph
from formulas import tensor as f
from support.dtypes import OPGRAPH

from ..case import Operand, Operation, Want, operation, scalar
from ..memory import strides_for

TRAINING = opgraph.norm_forward_phase.TRAINING
INFERENCE = opgraph.norm_forward_phase.INFERENCE
#: edge -> (extents of x, extents of scale)
SHAPES = {"plain": ((3, 20, 1, 1), (1, 20, 1, 1)),
          "rank 3": ((2, 3, 33), (1, 1, 33)),
          "two axes": ((2, 5, 6), (1, 5, 6)),
          "one row": ((1, 17), (1, 17)),
          "two elements": ((3, 2), (1, 2)),
          "odd rows": ((5, 1031), (1, 1031)),
          "size 0": ((0, 8), (1, 8))}
#: Rows of more elements than a block of a GPU takes.
LONG = {"kept rows": ((3, 40001), (1, 40001)),
        "split rows": ((2, 70003), (1, 70003))}
#: dtype -> (ulps, absolute) of other engines
ENGINE = {"f64": (16, 1e-12), "f32": (16, 8e-6), "f16": (1, 8e-6),
          "bf16": (1, 8e-6)}


class Norm(Operation):
    """Training with scale and bias; the optional ones in turn."""

    def cases(self):
        for dtype in ("f32", "bf16", "f16", "f64"):
            for edge in SHAPES:
                yield self.make(dtype, edge=edge, phase="TRAINING")
        for layout in ("channels_last", "padded", "gapped", "odd_ones",
                       "broadcast"):
            for dtype in ("f32", "bf16"):
                yield self.make(dtype, layout, "plain", phase="TRAINING")
                yield self.make(dtype, layout, "two axes", phase="INFERENCE")
        for dtype in ("f32", "bf16", "f64"):
            for edge in LONG:
                yield self.make(dtype, edge=edge, phase="TRAINING")
        for given in ("x", "xs", "xb"):
            yield self.make("f32", edge="rank 3", phase="TRAINING", given=given)

    def operands(self, case, rng):
        shape, scale = (SHAPES | LONG)[case.edge]
        given = case.get("given", "xsb")
        found = {"x": Operand(rng.normal(1, 2, shape), case.dtype, case.layout)}
        if "s" in given:
            found["scale"] = Operand(rng.uniform(0.5, 2, scale), "f32")
        if "b" in given:
            found["bias"] = Operand(rng.uniform(-1, 1, scale), "f32")
        return {**found, "epsilon": scalar(1e-5, rank=len(shape))}

    def build(self, case, graph, t):
        phase = opgraph.norm_forward_phase[case.phase]
        results = getattr(graph, self.op)(
            t["x"], t.get("scale"), t.get("bias"), t["epsilon"], phase)
        found = dict(zip(self.ports, results))
        if phase is INFERENCE:
            return {"Y": found["Y"]}
        for port in self.ports[1:]:
            found[port].set_data_type(
                OPGRAPH["f64" if case.dtype == "f64" else "f32"])
        return found

    def expected(self, case, v):
        _, scale = (SHAPES | LONG)[case.edge]
        # Without scale all axes but the first are normalised.
        axes = tuple(a for a, e in enumerate(scale) if e > 1)
        if "scale" not in v:
            axes = tuple(range(1, len(scale)))
        results = getattr(f, self.op)(v["x"], v.get("scale"), v.get("bias"),
                                      v["epsilon"].flat[0], axes)
        wants = {}
        for port, values in zip(self.ports, results):
            dtype = case.dtype if port == "Y" or case.dtype == "f64" else "f32"
            # Rounding grows with a row's terms.
            ulps = max(8, v["x"].shape[-1] / 64) if dtype == "f64" else 1
            wants[port] = Want(values, ulps, 1e-13, engine=ENGINE[dtype])
        return {"Y": wants["Y"]} if case.phase == "INFERENCE" else wants


@operation
class Layernorm(Norm):
    op = "layernorm"
    ports = ("Y", "MEAN", "INV_VARIANCE")


@operation
class Rmsnorm(Norm):
    op = "rmsnorm"
    ports = ("Y", "INV_VARIANCE")


#: edge -> extents
ROWS = {"plain": (3, 13), "size 1": (1, 1), "size 0": (0, 3),
        "long row": (2, 257), "odd rows": (5, 1031), "rank 4": (2, 3, 4, 9), "one column": (5, 1),
        "masked": (5, 9)}
LONG_ROWS = {"kept rows": (4, 40001), "split rows": (3, 70003)}


@operation
class Softmax(Operation):
    op = "softmax"
    PORTS = ("generate_stats", "generate_max", "generate_sum_exp")

    def cases(self):
        for dtype in ("f32", "bf16", "f16", "f64"):
            for edge in ROWS:
                yield self.make(dtype, edge=edge, ports=("generate_stats",))
            for edge in LONG_ROWS if dtype != "f16" else ():
                yield self.make(dtype, edge=edge, ports=self.PORTS)
        for layout in ("channels_last", "padded", "gapped", "transposed",
                       "odd_ones", "broadcast"):
            yield self.make("f32", layout, "rank 4", ports=())
        for ports in ((), self.PORTS[1:2], self.PORTS[2:], self.PORTS):
            yield self.make("f32", edge="masked", ports=ports)
        for dtype in ("f32", "bf16", "f64"):
            for edge, each_row in (("rank 4", True), ("rank 4", False),
                                   ("masked", False)):
                yield self.make(dtype, edge=edge, ports=self.PORTS,
                                sink="of a row" if each_row else "shared")

    def operands(self, case, rng):
        x = rng.normal(0, 3, (ROWS | LONG_ROWS)[case.edge])
        if case.edge == "masked":
            largest = 6e4 if case.dtype == "f16" else 1e38
            x[0], x[1, 3:], x[2], x[3, 2] = -np.inf, -np.inf, largest, np.nan
        if case.edge in LONG_ROWS:
            x[0, :35000], x[1], x[2, -1] = -np.inf, -np.inf, 30
        found = {"x": Operand(x, case.dtype, case.layout)}
        if case.get("sink"):
            rows = [*x.shape[:-1], 1] if case.sink == "of a row" else [1]
            found["sink"] = Operand(rng.normal(size=rows), "f32")
        return found

    def build(self, case, graph, t):
        results = graph.softmax(t["x"], t.get("sink"),
                                **{p: True for p in case.ports})
        results = results if isinstance(results, list) else [results]
        results = [r for r in results if r is not None]
        if case.layout == "broadcast":
            dim = (ROWS | LONG_ROWS)[case.edge]
            results[0].set_dim(dim).set_stride(strides_for(dim, "row_major"))
        wide = OPGRAPH["f64" if case.dtype == "f64" else "f32"]
        for result in results[1:]:
            result.set_data_type(wide)
        return dict(zip(("S", *case.ports), results))

    def expected(self, case, v):
        x, columns = v["x"], v["x"].shape[-1]
        if "sink" in v:
            sink = np.broadcast_to(v["sink"], (*x.shape[:-1], 1))
            x = np.concatenate([x, sink], axis=-1)
        p, *statistics = f.softmax(x)
        values = dict(zip(("S", *self.PORTS), (p[..., :columns], *statistics)))
        wants = {}
        for port in ("S", *case.ports):
            dtype = "f64" if case.dtype == "f64" else \
                case.dtype if port == "S" else "f32"
            ulps = max(8, columns / 64) if dtype == "f64" else 1
            wants[port] = Want(values[port], ulps, 1e-13, engine=ENGINE[dtype])
        return wants
