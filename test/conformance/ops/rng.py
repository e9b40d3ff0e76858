# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random numbers: the same bits as the NumPy generator of ../philox.py."""

import numpy as np
from support.dtypes import OPGRAPH

from ..case import Operand, Operation, Want, operation
from ..memory import strides_for
from ..philox import bernoulli, linear_words

SHAPES = {"plain": (3, 4, 7), "one element": (1, 1), "five": (5,),
          "size 0": (3, 0, 2), "even": (4, 8)}
SEEDS = {"small": (7, 0), "negative": (-2, 5), "wide": (0x123456789ABCDEF, 3),
         "far": (2 ** 63 - 1, 2 ** 40 + 1), "offset -1": (1, -1)}


@operation
class Rng(Operation):
    op = "rng"

    def cases(self):
        for edge in SHAPES:
            for dtype in ("f32", "bool", "i8", "bf16", "e4m3"):
                yield self.make(dtype, edge=edge, kind="BERNOULLI", p=0.3,
                                compute="f32")
        for p in (0.0, 1.0, 0.5, 2.0 ** -32, 2.0 ** -40, 1 - 2.0 ** -33):
            yield self.make("bool", edge="plain", kind="BERNOULLI", p=p,
                            compute="f32")
        for kind in ("UNIFORM", "NORMAL"):
            for dtype in ("f32", "f64", "f16", "bf16", "e5m2"):
                for edge in ("plain", "five", "size 0"):
                    yield self.make(dtype, edge=edge, kind=kind)
        for seed in SEEDS:
            for given in ("operand", "number", "i32"):
                yield self.make("f32", edge="plain", kind="UNIFORM", seed=seed,
                                given=given)
        for layout in ("padded", "swapped", "gapped", "channels_last"):
            yield self.make("f32", layout, "plain", kind="NORMAL")
            yield self.make("bool", layout, "plain", kind="BERNOULLI", p=0.5,
                            compute="f32")

    @staticmethod
    def stream(case):
        seed, offset = SEEDS[case.get("seed", "small")]
        if case.get("given") == "i32":
            def low(value):
                return (value + 2 ** 31) % 2 ** 32 - 2 ** 31
            return low(seed), low(offset)
        return seed, offset

    def operands(self, case, rng):
        seed, offset = self.stream(case)
        dtype = "i32" if case.get("given") == "i32" else "i64"
        found = {"seed": Operand(np.full((1, 1), seed), dtype),
                 "offset": Operand(np.full((1,), offset), dtype)}
        if case.get("given") == "number":
            del found["seed"]
        return found

    def build(self, case, graph, t):
        seed = t.get("seed", self.stream(case)[0])
        shape = list(SHAPES[case.edge])
        y = graph.rng(seed, t["offset"], case.kind, case.get("p"),
                      out_dims=shape)
        y.set_stride(strides_for(shape, case.layout))
        y.set_data_type(OPGRAPH[case.dtype])
        return {"Y": y}

    def expected(self, case, v):
        seed, offset = self.stream(case)
        shape = SHAPES[case.edge]
        if case.kind == "BERNOULLI":
            return {"Y": Want(bernoulli(seed, offset, shape, case.p)
                              .astype(np.int64 if case.dtype in ("bool", "i8")
                                      else np.float64))}
        count = int(np.prod(shape))
        if case.kind == "UNIFORM":
            words = linear_words(seed, offset, count).astype(np.float64)
            return {"Y": Want((words * 2.0 ** -32).reshape(shape))}
        # Pairs of words give pairs of elements.
        even = linear_words(seed, offset, count + count % 2).astype(np.float64)
        radius = np.sqrt(-2 * np.log((even[0::2] + 1) * 2.0 ** -32))
        angle = 2 * np.pi * even[1::2] * 2.0 ** -32
        pairs = np.stack([radius * np.cos(angle), radius * np.sin(angle)], -1)
        return {"Y": Want(pairs.reshape(-1)[:count].reshape(shape), 1,
                          2.0 ** -48, engine=(1, 2.0 ** -21))}
