# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""paged_cache_load and diagonal_band_mask."""

import numpy as np
import opgraph
from formulas import attention as f
from support.dtypes import OPGRAPH

from ..case import Operand, Operation, Want, operation
from ..memory import strides_for

#: edge -> (blocks, heads, block, width), lengths, positions (None: declared by
#: nobody), values of the table.
PAGES = {
    "plain": ((5, 2, 4, 6), [7, 0, 3], 7, (0, 5)),
    "whole pages": ((5, 2, 4, 6), [8, 1, 5], None, (0, 5)),
    "blocks of 1": ((9, 1, 1, 3), [5, 2], 5, (0, 9)),
    "one block": ((3, 2, 8, 2), [8, 4], 8, (0, 3)),
    "entries beyond": ((5, 2, 3, 6), [7, 2, 3], 7, (-50, 50)),
    "lengths beyond": ((5, 2, 3, 6), [70, -2, 3], 7, (0, 5)),
    "one position": ((5, 2, 3, 6), [1, 0], 1, (0, 5)),
    "no positions": ((5, 2, 3, 6), [1, 0], 0, (0, 5)),
    "no batch": ((5, 2, 3, 6), [], 7, (0, 5)),
    "one element": ((1, 1, 1, 1), [1], 1, (0, 1)),
}


@operation
class PagedCacheLoad(Operation):
    op = "paged_cache_load"

    def cases(self):
        for dtype in ("f32", "f16", "bf16", "e4m3", "i8"):
            for edge in PAGES:
                yield self.make(dtype, edge=edge)
        for dtype in ("f64", "e5m2", "u8", "i32", "i64", "bool"):
            yield self.make(dtype, edge="plain")
        for layout in ("channels_last", "transposed", "padded", "gapped",
                       "odd_ones"):
            yield self.make("bf16", layout, "plain")
        yield self.make("f32", edge="plain", index="i64")
        yield self.make("f32", edge="plain", declared=True)

    def operands(self, case, rng):
        shape, lengths, positions, entries = PAGES[case.edge]
        pages = 2 if positions is None else max(1, -(-positions // shape[2]))
        index = case.get("index", "i32")
        values = rng.integers(0, 2 if case.dtype == "bool" else 100, shape) \
            if case.dtype in ("i8", "u8", "i32", "i64", "bool") else \
            rng.normal(size=shape)
        lengths = np.array(lengths, np.int64).reshape(-1, 1, 1, 1)
        return {"cache": Operand(values, case.dtype, case.layout),
                "lengths": Operand(lengths, index),
                "table": Operand(rng.integers(
                    *entries, (len(lengths), 1, pages, 1)), index)}

    def build(self, case, graph, t):
        shape, lengths, positions, _ = PAGES[case.edge]
        if case.get("declared"):
            y = graph.paged_cache_load(t["cache"], t["lengths"], t["table"])
            dim = [len(lengths), shape[1], positions, shape[3]]
            y.set_dim(dim).set_stride(strides_for(dim, "channels_last"))
        else:
            y = graph.paged_cache_load(t["cache"], t["lengths"], t["table"],
                                       max_seq_len_kv=positions)
        return {"Y": y}

    def expected(self, case, v):
        shape, lengths, positions, _ = PAGES[case.edge]
        if positions is None:
            positions = v["table"].shape[2] * shape[2]
        y = f.gather_pages(v["cache"], v["table"], positions)
        for batch, n in enumerate(lengths):
            y[batch, :, max(n, 0):] = 0
        if np.issubdtype(v["cache"].dtype, np.integer):
            y = y.astype(np.int64)
        return {"Y": Want(y)}


#: edge -> (extents, bounds, bottom right, lengths)
BANDS = {
    "causal": ((2, 3, 5, 7), (None, 0), False, None),
    "bottom right": ((2, 3, 5, 7), (None, 0), True, None),
    "rows beyond columns": ((2, 3, 7, 5), (None, 0), True, None),
    "window": ((2, 3, 5, 7), (2, 1), False, None),
    "left alone": ((2, 3, 5, 7), (3, None), True, None),
    "nothing kept": ((2, 3, 5, 7), (0, 0), False, None),
    "no bounds": ((2, 3, 5, 7), (None, None), False, None),
    "bounds beyond all": ((2, 3, 5, 7), (2 ** 63 - 1, 2 ** 63 - 1), True, None),
    "lengths": ((3, 2, 5, 7), (2, 0), True, ([5, 2, 0], [7, 3, 4])),
    "lengths, top left": ((3, 2, 5, 7), (2, 0), False, ([5, 2, 0], [7, 3, 4])),
    "lengths beyond": ((3, 2, 5, 7), (2, 0), True, ([50, -2, 0], [70, 3, -4])),
    "rank 2": ((5, 7), (2, 0), False, None),
    "rank 3": ((2, 5, 7), (2, 0), True, None),
    "rank 5": ((2, 1, 2, 3, 4), (None, 0), True, None),
    "one element": ((1, 1), (None, 0), False, None),
    "size 0": ((2, 0, 3), (None, 0), False, None),
}


@operation
class DiagonalBandMask(Operation):
    op = "diagonal_band_mask"

    def cases(self):
        for edge in BANDS:
            for dtype in ("f32", "bf16"):
                yield self.make(dtype, edge=edge)
        for dtype in ("f16", "f64", "e5m2"):
            yield self.make(dtype, edge="window", value=-3.0)
        for layout in ("channels_last", "transposed", "padded", "gapped",
                       "odd_ones"):
            yield self.make("f32", layout, "lengths")
        for value in (0.0, -1e30, 1 / 3):
            yield self.make("f32", edge="causal", value=value)

    def operands(self, case, rng):
        shape, _, _, lengths = BANDS[case.edge]
        x = rng.normal(size=shape)
        if x.size > 4:
            x.flat[1], x.flat[2] = np.nan, -0.0
        found = {"x": Operand(x, case.dtype, case.layout)}
        for name, values in zip("qk", lengths or ()):
            found[name] = Operand(np.array(values).reshape(-1, 1, 1, 1), "i32")
        return found

    def build(self, case, graph, t):
        _, (left, right), bottom_right, _ = BANDS[case.edge]
        y = graph.diagonal_band_mask(
            t["x"], t.get("q"), t.get("k"),
            diagonal_alignment=opgraph.diagonal_alignment.BOTTOM_RIGHT
            if bottom_right else None, diagonal_band_left_bound=left,
            diagonal_band_right_bound=right, mask_value=case.get("value"))
        y.set_data_type(OPGRAPH[case.dtype])
        return {"Y": y}

    def expected(self, case, v):
        shape, (left, right), bottom_right, lengths = BANDS[case.edge]
        rows, columns = shape[-2:]
        keep = np.zeros(shape, bool)
        if lengths is None:
            keep[...] = f.band(rows, columns,
                               columns - rows if bottom_right else 0, left,
                               right)
        for b in range(shape[0] if lengths else 0):
            nq = f.length(lengths[0], b, rows)
            nk = f.length(lengths[1], b, columns)
            keep[b] = f.band(rows, columns, nk - nq if bottom_right else 0,
                             left, right)
        return {"Y": Want(np.where(keep, v["x"], case.get("value", -np.inf)))}
