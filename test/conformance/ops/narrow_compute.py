# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""f32 operands and a compute type that does not hold them: they round to it
once, and nothing inside does."""

import opgraph
from formulas import tensor as f
from support.dtypes import OPGRAPH, round_to, widen

from ..case import Operand, Operation, Want, operation, scalar

INFERENCE = opgraph.norm_forward_phase.INFERENCE
ONE = (1, 4, 1, 1)


class Narrow(Operation):
    """Subclasses: extents of the operands, and `run` and `formula` on them."""

    shapes = {"x": (2, 4, 3, 5)}
    epsilon = True

    def cases(self):
        for compute in ("bf16", "f16"):
            yield self.make("f32", edge="narrow compute", compute=compute)

    def operands(self, case, rng):
        found = {name: Operand(rng.uniform(1, 8, shape), "f32")
                 for name, shape in self.shapes.items()}
        if self.epsilon:
            found["epsilon"] = scalar(0.37, rank=4)
        return found

    def build(self, case, graph, t):
        results = self.run(graph, t)
        for result in results.values():
            result.set_data_type(OPGRAPH["f32"])
        return results

    def expected(self, case, v):
        rounded = {name: widen(round_to(x, case.compute))
                   for name, x in v.items()}
        return {port: Want(values, 1, 1e-12, engine=(64, 4e-6))
                for port, values in self.formula(rounded).items()}


@operation
class NarrowLayernorm(Narrow):
    op = "layernorm"
    shapes = {"x": (2, 4, 3, 5), "scale": (1, 4, 3, 5), "bias": (1, 4, 3, 5)}

    def run(self, graph, t):
        return {"Y": graph.layernorm(t["x"], t["scale"], t["bias"],
                                     t["epsilon"], INFERENCE)[0]}

    def formula(self, v):
        return {"Y": f.layernorm(v["x"], v["scale"], v["bias"],
                                 v["epsilon"].flat[0], (1, 2, 3))[0]}


@operation
class NarrowInstancenorm(NarrowLayernorm):
    op = "instancenorm"
    shapes = {"x": (2, 4, 3, 5), "scale": ONE, "bias": ONE}

    def run(self, graph, t):
        return {"Y": graph.instancenorm(t["x"], t["scale"], t["bias"],
                                        t["epsilon"], INFERENCE)[0]}

    def formula(self, v):
        return {"Y": f.layernorm(v["x"], v["scale"], v["bias"],
                                 v["epsilon"].flat[0], (2, 3))[0]}


@operation
class NarrowBatchnormInference(Narrow):
    op = "batchnorm_inference"
    shapes = {"x": (2, 4, 3, 5), "mean": ONE, "inverse": ONE, "scale": ONE,
              "bias": ONE}
    epsilon = False

    def run(self, graph, t):
        return {"Y": graph.batchnorm_inference(*t.values())}

    def formula(self, v):
        x, mean, inverse, scale, bias = v.values()
        return {"Y": (x - mean) * inverse * scale + bias}


@operation
class NarrowGenstats(Narrow):
    op = "genstats"
    epsilon = False

    def run(self, graph, t):
        return dict(zip(("SUM", "SQ_SUM"), graph.genstats(t["x"])))

    def formula(self, v):
        axes = dict(axis=(0, 2, 3), keepdims=True)
        return {"SUM": v["x"].sum(**axes), "SQ_SUM": (v["x"] ** 2).sum(**axes)}


@operation
class NarrowMatmul(Narrow):
    op = "matmul"
    shapes = {"a": (2, 6, 8), "b": (2, 8, 5)}
    epsilon = False

    def run(self, graph, t):
        return {"C": graph.matmul(t["a"], t["b"])}

    def formula(self, v):
        return {"C": v["a"] @ v["b"]}


@operation
class NarrowSoftmax(Narrow):
    op = "softmax"
    epsilon = False

    def run(self, graph, t):
        made = graph.softmax(t["x"])
        return {"S": made[0] if isinstance(made, list) else made}

    def formula(self, v):
        return {"S": f.softmax(v["x"])[0]}


@operation
class NarrowRmsnormBackward(Narrow):
    op = "rmsnorm_backward"
    shapes = {"dy": (6, 4), "x": (6, 4), "scale": (1, 4), "inverse": (6, 1)}
    epsilon = False

    def run(self, graph, t):
        return dict(zip(("DX", "Dscale"), graph.rmsnorm_backward(
            t["dy"], t["x"], t["scale"], t["inverse"], has_dbias=False)))

    def formula(self, v):
        hat = v["x"] * v["inverse"]
        g = v["dy"] * v["scale"]
        return {"DX": v["inverse"] * (g - hat * (g * hat).mean(
            1, keepdims=True)), "Dscale": (v["dy"] * hat).sum(0, keepdims=True)}
