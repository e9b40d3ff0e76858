# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matmul of scaled fp8 matrices."""

import itertools

import numpy as np
from support.dtypes import ANY_OPGRAPH

from ..case import Operand, Operation, Want, operation

#: edge -> (extents of A, of B, overrides)
PRODUCTS = {"plain": ((1, 6, 32), (1, 32, 5), {}),
            "rank 2": ((6, 32), (32, 5), {}),
            "batch": ((2, 1, 4, 16), (1, 3, 16, 5), {}),
            "size 0": ((1, 0, 16), (1, 16, 4), {}),
            "no k": ((1, 4, 0), (1, 0, 4), {}),
            "size 1": ((1, 1, 1), (1, 1, 1), {}),
            "overrides": ((2, 6, 8), (2, 8, 5), {
                "M_override": [4, 6], "N_override": [5, 9],
                "K_override": [-1, 7]})}


@operation
class MatmulFp8(Operation):
    op = "matmul_fp8"

    def cases(self):
        for edge, (a, b) in itertools.product(PRODUCTS, (
                ("e4m3", "e4m3"), ("e4m3", "e5m2"), ("f16", "bf16"))):
            for c in ("f32", "e4m3", "bf16"):
                yield self.make(a, edge=edge, b=b, c=c, io="f32")
        for layout in ("padded", "gapped", "swapped", "transposed", "odd_ones",
                       "broadcast"):
            yield self.make("e4m3", layout, "batch", b="e4m3", c="f16",
                            io="f32")
        yield self.make("e4m3", edge="batch", b="e4m3", c="e5m2", io="f32",
                        by_value=True)
        for value, a in itertools.product((np.nan, np.inf, 6e4),
                                          ("e5m2", "f16")):
            yield self.make(a, edge="plain", b="e4m3", c="e4m3", io="f32",
                            value=value)

    def operands(self, case, rng):
        a, b, overrides = PRODUCTS[case.edge]
        found = {"a": Operand(rng.normal(0, 2, a), case.dtype, case.layout),
                 "b": Operand(rng.normal(0, 2, b), case.b, case.layout)}
        for name, value in (("da", 0.25), ("db", 3.0), ("sc", -1.5)):
            found[name] = Operand(np.full([1] * len(a), value), "f32",
                                  by_value=case.get("by_value", False))
        if case.get("value"):
            found["a"].values.flat[0] = case.value
        for name, sizes in overrides.items():
            found[name] = Operand(np.reshape(sizes, (2, 1, 1)), "i32")
        return found

    def build(self, case, graph, t):
        overrides = {n: t[n] for n in PRODUCTS[case.edge][2]}
        c, amax = graph.matmul_fp8(t["a"], t["b"], t["da"], t["db"], t["sc"],
                                   padding=0.5 if overrides else 0.0,
                                   **overrides)
        c.set_data_type(ANY_OPGRAPH[case.c])
        return {"C": c, "Amax_C": amax}

    def expected(self, case, v):
        a, b = v["a"].copy(), v["b"].copy()
        _, _, overrides = PRODUCTS[case.edge]
        for batch in range(2 if overrides else 0):
            m, n, k = (max(overrides[f"{axis}_override"][batch], 0)
                       for axis in "MNK")
            a[batch, m:], a[batch, :, k:] = 0.5, 0.5
            b[batch, :, n:], b[batch, k:] = 0.5, 0.5
        acc = a @ b * 0.25 * 3
        bound = 1e-14 * (np.abs(a) @ np.abs(b))
        bound = np.where(np.isfinite(bound), bound, 0)
        amax = np.max(np.abs(acc), initial=0).reshape([1] * acc.ndim)
        return {"C": Want(acc * -1.5, 1, 2 * bound),
                "Amax_C": Want(amax, 1, np.max(bound, initial=0))}
