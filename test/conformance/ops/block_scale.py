# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Block scaling: MXFP8, MXFP4, NVFP4 and whatever else scales its blocks."""

import itertools

import numpy as np
import opgraph
from support.dtypes import ANY_OPGRAPH, FORMAT, convert, widen

from ..case import Operand, Operation, Output, Want, operation
from ..memory import f8_128x4_offsets, strides_for

TILES = opgraph.tensor_reordering.F8_128x4


def spread(scale, blocks, shape):
    """The scale of each element of `shape`."""
    for axis, block in enumerate([1] * (len(shape) - len(blocks)) + blocks):
        index = np.arange(shape[axis]) // block
        scale = np.take(scale, index, axis)
    return scale


def count(extent, block):
    return -(-extent // block)


def up(extent, multiple):
    return count(extent, multiple) * multiple


def tiled_scale(values, dtype, axis):
    """An Operand of scales in tiles, `axis` -1 or -2 being the scales'; padding
    holds NaN, which nobody may read."""
    rows, columns = (values.shape[-2:])[::1 if axis == -1 else -1]
    shape = [up(rows, 128), up(columns, 4)][::1 if axis == -1 else -1]
    padded = np.full([*values.shape[:-2], *shape], np.nan)
    padded[tuple(slice(e) for e in values.shape)] = values
    return Operand(padded, dtype, offsets=f8_128x4_offsets(padded.shape, axis),
                   strides=strides_for(padded.shape, "row_major" if axis == -1
                                       else "swapped"),
                   reordering="F8_128x4")


def random_scale(rng, shape, dtype):
    low, high = (-20, 20) if dtype in ("e8m0", "f32") else (-5, 5)
    exponent = rng.integers(low, high, shape).astype(float)
    return np.exp2(exponent) * (1 if dtype == "e8m0"
                                else rng.uniform(1, 1.9, shape))


#: edge -> (extents of x, block size)
BLOCKS = {"plain": ([6, 64], [1, 32]), "short block": ([3, 70], [32]),
          "first axis": ([70, 6], [32, 1]), "both axes": ([20, 36], [8, 16]),
          "batch": ([2, 3, 4, 32], [1, 16]), "vector": ([64], [16]),
          "blocks of 1": ([4, 6], [1]), "one block": ([4, 6], [100, 100]),
          "middle axis": ([2, 40, 6], [16, 1]), "size 0": ([0, 32], [16]),
          "size 1": ([1, 2], [1, 16]), "big": ([9, 258], [1, 64])}


@operation
class Dequantize(Operation):
    """An identity takes the virtual result out of the graph."""

    op = "block_scale_dequantize"

    def cases(self):
        scales = {"e4m3": "e8m0", "e5m2": "e8m0", "f4": "e4m3", "i4": "f16",
                  "i8": "f32", "f16": "bf16", "f32": "e5m2"}
        for (dtype, scale), edge in itertools.product(scales.items(), BLOCKS):
            yield self.make(dtype, edge=edge, scale=scale, io="f32",
                            compute="f32")
        for layout, dtype in itertools.product(
                ("channels_last", "padded", "gapped", "swapped", "transposed",
                 "odd_ones", "broadcast"), ("e4m3", "bf16")):
            yield self.make(dtype, layout, "both axes", scale="f32", io="f32")
            yield self.make(dtype, layout, "batch", scale="e8m0", io="f32")
        for dtype, layout in itertools.product(("f4", "i4"),
                                               ("swapped", "transposed")):
            yield self.make(dtype, layout, "both axes", scale="e8m0", io="f32",
                            compute="f32")
        for dtype in ("bf16", "f16", "e4m3", "f64"):
            yield self.make("f32", edge="plain", scale="f32", io="f32", y=dtype)
        for scale in ("f16", "f32", "f64"):
            yield self.make("f64", edge="plain", scale=scale, io="f64",
                            y="f64")
        for scale, dtype in (("e8m0", "e4m3"), ("e4m3", "e5m2"),
                             ("f32", "f16")):
            yield self.make(dtype, edge="short block", scale=scale, io="f32",
                            values="special")
        for dtype in ("e4m3", "f4"):
            yield self.make(dtype, edge="one block", scale="f32", io="f32",
                            by_value=True)
        for edge in ("plain", "short block"):
            yield self.make("f4", edge=edge, scale="e4m3", io="f32",
                            values="negative")
        yield self.make("e4m3", edge="short block", scale="e8m0", io="f32",
                        padded=4)
        yield self.make("e4m3", edge="short block", scale="f32", io="f32",
                        padded=128)

    def operands(self, case, rng):
        shape, blocks = BLOCKS[case.edge]
        x = rng.uniform(-8, 8, shape) if case.dtype in FORMAT else \
            rng.integers(-8, 8, shape)
        cut = [1] * (len(shape) - len(blocks)) + blocks
        s = random_scale(rng, [count(e, b) for e, b in zip(shape, cut)],
                         case.scale)
        if case.get("values") == "special":
            x.flat[:4] = np.nan, np.inf, -np.inf, -0.0
            s.flat[:3] = 1, np.nan, np.inf if case.scale == "f32" else 1
        if case.get("values") == "negative":
            s = -s
            s.flat[-1] = 0
        if case.get("padded"):
            rows, columns = (up(e, case.padded) for e in s.shape)
            full = np.full((rows, columns), np.nan)
            full[:s.shape[0], :s.shape[1]] = s
            s = full
        return {"x": Operand(x, case.dtype, case.layout),
                "s": Operand(s, case.scale,
                             by_value=case.get("by_value", False))}

    def build(self, case, graph, t):
        y = graph.block_scale_dequantize(
            t["x"], t["s"], BLOCKS[case.edge][1],
            case.get("values") == "negative")
        if case.get("y"):
            y.set_data_type(ANY_OPGRAPH[case.y])
        return {"OUT": graph.identity(y)}

    def expected(self, case, v):
        y = v["x"] * spread(v["s"], BLOCKS[case.edge][1], v["x"].shape)
        return {"OUT": Want(widen(convert(y, case.get("y", "f32"))))}


@operation
class ScaledMatmul(Operation):
    """Two dequantised operands meet in a matmul."""

    op = "block_scale_dequantize"
    #: format -> (dtype, block, scale)
    FORMATS = {"mxfp8": ("e4m3", 32, "e8m0"), "mxfp4": ("f4", 32, "e8m0"),
               "nvfp4": ("f4", 16, "e4m3")}
    SHAPES = {"matmul": (1, 6, 64, 8), "matmul short": (2, 5, 70, 6),
              "matmul tiles": (1, 130, 160, 4)}

    def cases(self):
        for name, edge in itertools.product(self.FORMATS, self.SHAPES):
            yield self.make(self.FORMATS[name][0], edge=edge, format=name,
                            io="f32")

    def operands(self, case, rng):
        dtype, block, scale = self.FORMATS[case.format]
        b, m, k, n = self.SHAPES[case.edge]
        blocks = count(k, block)
        found = {"a": Operand(rng.normal(0, 2, (b, m, k)), dtype),
                 "b": Operand(rng.normal(0, 2, (b, k, n)), dtype, "swapped"),
                 "sa": tiled_scale(random_scale(rng, (b, m, blocks), scale),
                                   scale, -1),
                 "sb": tiled_scale(random_scale(rng, (b, blocks, n), scale),
                                   scale, -2)}
        return found

    def build(self, case, graph, t):
        block = self.FORMATS[case.format][1]
        a = graph.block_scale_dequantize(t["a"], t["sa"], [1, block])
        b = graph.block_scale_dequantize(t["b"], t["sb"], [block, 1])
        return {"C": graph.matmul(a, b)}

    def expected(self, case, v):
        block = self.FORMATS[case.format][1]
        a = v["a"] * spread(v["sa"], [1, block], v["a"].shape)
        b = v["b"] * spread(v["sb"], [block, 1], v["b"].shape)
        return {"C": Want(a @ b, 1, 1e-14 * (np.abs(a) @ np.abs(b)))}


def quantize(x, axis, block, y_dtype, s_dtype):
    """-> (y, scale) before they round, from float64 values."""
    x = np.moveaxis(np.asarray(x, np.float64), axis, -1)
    largest = FORMAT[y_dtype][2]
    pieces, scales = [], []
    for first in range(0, x.shape[-1], block):
        part = x[..., first:first + block]
        amax = np.max(np.abs(part), -1, keepdims=True, initial=0)
        scale = np.where(np.isfinite(amax), amax / largest, np.nan)
        stored = widen(convert(scale, s_dtype))
        y = np.where(stored == 0, 0.0, part / np.where(stored == 0, 1, stored))
        if y_dtype == "f4":
            y = np.where(np.isnan(y), largest, y)
        pieces.append(y)
        scales.append(scale)
    empty = [x[..., :0]]
    return tuple(np.moveaxis(np.concatenate(p or empty, -1), -1, axis)
                 for p in (pieces, scales))


def padded_to(values, shape):
    full = np.zeros(shape)
    full[tuple(slice(e) for e in values.shape)] = values
    return full


#: edge -> (extents, axis, block)
CUTS = {"plain": ([6, 64], 1, 32), "short block": ([3, 70], -1, 32),
        "first axis": ([70, 6], 0, 16), "batch": ([2, 3, 4, 32], 3, 16),
        "middle": ([2, 40, 6], 1, 16), "vector": ([64], None, 16),
        "blocks of 1": ([4, 6], 1, 1), "one block": ([4, 6], 1, 1000),
        "size 0": ([0, 32], 1, 16), "nothing to cut": ([4, 0], 1, 16),
        "size 1": ([1, 2], 1, 16)}
#: Y's type -> scale's types of interest
PAIRS = [("e4m3", "e8m0"), ("e5m2", "e8m0"), ("f4", "e8m0"), ("f4", "e4m3"),
         ("e4m3", "f32"), ("f4", "f16"), ("e5m2", "bf16"), ("e4m3", "e5m2")]


@operation
class Quantize(Operation):
    op = "block_scale_quantize"

    def cases(self):
        for (y, s), edge in itertools.product(PAIRS, CUTS):
            if (y, s) in PAIRS[:4] or edge in ("plain", "short block"):
                yield self.make("f32", edge=edge, y=y, s=s)
        for dtype, (y, s) in itertools.product(("f16", "bf16", "f64"),
                                               PAIRS[:4]):
            yield self.make(dtype, edge="short block", y=y, s=s)
        yield self.make("i8", edge="short block", y="e4m3", s="f32",
                        compute="f32")
        for layout in ("channels_last", "padded", "gapped", "swapped",
                       "transposed", "odd_ones", "broadcast"):
            yield self.make("f32", layout, "middle", y="e4m3", s="e8m0")
            yield self.make("bf16", layout, "batch", y="e5m2", s="f32")
        for values, (y, s) in itertools.product(
                ("zeros", "special", "tiny", "huge", "powers"), PAIRS):
            yield self.make("f32", edge="short block", y=y, s=s, values=values)
        for y, s in (("f4", "e4m3"), ("f4", "f16"), ("e4m3", "e5m2")):
            yield self.make("f32", edge="short block", y=y, s=s, values="ties")
        for edge, (y, s) in itertools.product(
                ("plain", "first axis", "middle", "batch"), PAIRS[:4]):
            yield self.make("f32", edge=edge, y=y, s=s, transpose=True)
        # Room for whole tiles without their layout.
        for padded, (y, s) in itertools.product((4, 128), PAIRS[2:5]):
            yield self.make("f32", edge="short block", y=y, s=s, padded=padded)

    def operands(self, case, rng):
        shape, _, block = CUTS[case.edge]
        if case.dtype not in FORMAT:
            return {"x": Operand(rng.integers(-100, 100, shape), case.dtype,
                                 case.layout)}
        x = rng.normal(size=shape) * np.exp2(
            rng.integers(-12, 12, [*shape[:-1], 1]))
        values = case.get("values")
        if values == "zeros":
            x[0] = 0
            x[1, :32] = -0.0
        if values == "special":
            x[0, 3], x[1, 40], x[2, 69] = np.nan, np.inf, -np.inf
        if values == "tiny":
            x = x * 2.0 ** -130
        if values == "huge":
            x = x * 2.0 ** 100
        if values == "powers":
            # At and beside the boundaries of the rounding up.
            edge = FORMAT[case.y][2] * np.exp2(rng.integers(-9, 9, shape))
            x = edge * rng.choice([1, 1 + 2.0 ** -23, 1 - 2.0 ** -24], shape)
        if values == "ties":
            x = self.ties(case, rng, shape, block)
        return {"x": Operand(x, case.dtype, case.layout)}

    @staticmethod
    def ties(case, rng, shape, block):
        """Halfway between two values of Y, and beside that by one bit of f32;
        the first element of a block makes its scale."""
        halves = [0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5] if case.y == "f4" else \
            (2 * rng.integers(8, 16, 50) + 1) * np.exp2(rng.integers(-6, 3, 50))
        x = rng.choice(halves, shape) * rng.choice([-1, 1], shape)
        # Of three bits, so that products are exact.
        scale = rng.integers(4, 8, [*shape[:-1], -(-shape[-1] // block)]) * \
            np.exp2(rng.integers(-4, 4, [*shape[:-1], 1]))
        x[..., ::block] = FORMAT[case.y][2]
        x = x * np.repeat(scale, block, -1)[..., :shape[-1]]
        beside = rng.choice([1, 1 + 2.0 ** -23, 1 - 2.0 ** -24], shape)
        beside[..., ::block] = 1
        return x * beside

    def build(self, case, graph, t):
        _, axis, block = CUTS[case.edge]
        y, s = graph.block_scale_quantize(
            t["x"], block_size=block, axis=axis,
            transpose=case.get("transpose", False))
        y.set_data_type(ANY_OPGRAPH[case.y])
        s.set_data_type(ANY_OPGRAPH[case.s])
        if case.get("padded"):
            s.set_dim([case.padded, case.padded])
        return {"Y": y, "SCALE": s}

    def expected(self, case, v):
        _, axis, block = CUTS[case.edge]
        y, s = quantize(v["x"], -1 if axis is None else axis, block, case.y,
                        case.s)
        if case.get("padded"):
            s = padded_to(s, [case.padded, case.padded])
        return {"Y": Want(y), "SCALE": Want(s)}


@operation
class QuantizeTiled(Operation):
    """Scales in tiles of 128 x 4, by groups of rows or not."""

    op = "block_scale_quantize"
    SHAPES = {"tiled": ([2, 5, 70], 2), "tiled exact": ([1, 128, 128], 2),
              "tiled two": ([1, 130, 140], 2), "tiled columns": ([1, 70, 6], 1),
              "tiled empty": ([1, 0, 32], 2)}
    #: edge -> offsets of groups of 20 rows.
    GROUPS = {"groups": [0, 3, 3, 20], "groups inside": [2, 7, 19],
              "groups decreasing": [0, 12, 5, 40], "groups beyond": [-5, 50],
              "no groups": [7], "groups of one": list(range(21))}

    def cases(self):
        for edge, (y, s) in itertools.product(self.SHAPES, PAIRS[:4]):
            yield self.make("f32", edge=edge, y=y, s=s)
        for edge, index in itertools.product(self.GROUPS, ("i32", "i64")):
            yield self.make("f32", edge=edge, y="e4m3", s="e8m0", index=index)
            yield self.make("bf16", edge=edge, y="f4", s="e4m3", index=index,
                            plain=True)
        # Room for one tile only: rows beyond it are not stored.
        yield self.make("f32", edge="groups", y="e4m3", s="e8m0", index="i32",
                        rows=128)

    def operands(self, case, rng):
        shape = self.SHAPES.get(case.edge, ([1, 20, 70],))[0]
        found = {"x": Operand(rng.normal(size=shape) * 100, case.dtype)}
        if case.edge in self.GROUPS:
            offsets = np.array(self.GROUPS[case.edge])
            found["g"] = Operand(offsets.reshape(1, -1, 1), case.index)
        return found

    def build(self, case, graph, t):
        _, axis = self.SHAPES.get(case.edge, (None, 2))
        y, s = graph.block_scale_quantize(t["x"], t.get("g"), 16, axis)
        y.set_data_type(ANY_OPGRAPH[case.y])
        s.set_data_type(ANY_OPGRAPH[case.s])
        if case.get("plain"):
            return {"Y": y, "SCALE": s}
        s.set_reordering_type(TILES)
        shape = self.scale_shape(case)
        if case.get("rows"):
            s.set_dim(shape)
        return {"Y": y, "SCALE": Output(
            s, offsets=f8_128x4_offsets(shape, -1 if axis == 2 else -2))}

    def scale_shape(self, case):
        shape, axis = self.SHAPES.get(case.edge, ([1, 20, 70], 2))
        groups = len(self.GROUPS.get(case.edge, [0])) - 1
        found = [shape[0], up(shape[1], 128), up(shape[2], 128)]
        found[axis] = up(count(shape[axis], 16), 4)
        if case.edge in self.GROUPS:
            found[1] = case.get("rows", (20 + 127 * groups) // 128 * 128)
        return found

    def expected(self, case, v):
        _, axis = self.SHAPES.get(case.edge, (None, 2))
        y, s = quantize(v["x"], axis, 16, case.y, case.s)
        if case.get("plain"):
            return {"Y": Want(y), "SCALE": Want(s)}
        shape = self.scale_shape(case)
        if case.edge not in self.GROUPS:
            return {"Y": Want(y), "SCALE": Want(padded_to(s, shape))}
        rows, first = np.zeros(shape), 0
        bounds = np.clip(self.GROUPS[case.edge], 0, 20)
        for begin, end in zip(bounds, bounds[1:]):
            group = s[:, begin:end]
            room = max(shape[1] - first, 0)
            rows[:, first:first + group.shape[1], :s.shape[2]] = group[:, :room]
            first += up(max(end - begin, 0), 128)
        return {"Y": Want(y), "SCALE": Want(rows)}


@operation
class QuantizeAndBack(Operation):
    """Both operations in one graph, the quantised values inside of it."""

    op = "block_scale_quantize"

    def cases(self):
        for y, s in PAIRS:
            yield self.make("f32", edge="and back", y=y, s=s, tiled=False)
            if s in ("e8m0", "e4m3", "e5m2"):
                yield self.make("bf16", edge="and back", y=y, s=s, tiled=True)

    def operands(self, case, rng):
        return {"x": Operand(rng.normal(size=(1, 6, 70)), case.dtype)}

    def build(self, case, graph, t):
        y, s = graph.block_scale_quantize(t["x"], block_size=16)
        y.set_data_type(ANY_OPGRAPH[case.y])
        s.set_data_type(ANY_OPGRAPH[case.s])
        if case.tiled:
            s.set_reordering_type(TILES)
        return {"OUT": graph.identity(
            graph.block_scale_dequantize(y, s, [1, 16]))}

    def expected(self, case, v):
        y, s = quantize(v["x"], 2, 16, case.y, case.s)
        y, s = widen(convert(y, case.y)), widen(convert(s, case.s))
        y = y * spread(s, [16], y.shape)
        return {"OUT": Want(widen(convert(y, "f32")))}
