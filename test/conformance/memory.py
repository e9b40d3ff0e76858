# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layouts, and operands in memory: elements of any width at given offsets,
poisoned gaps and guard bytes around them."""

import math

import numpy as np
from support.dtypes import (ANY_NUMPY, bits_of, convert, from_bits, to_bits,
                            widen)
from support.graphs import packed

#: Bytes before and after an operand that must survive.
GUARD = 64
#: What gaps of an input hold: NaN in every floating type that has one.
GAP_BYTE = 0xFF
#: What an output and its guards hold before the run.
POISON_BYTE = 0xA5


def _channels_last(rank):
    return [0, *range(2, rank), 1] if rank > 2 else list(range(rank))


def _swapped(rank):
    return [*range(rank - 2), rank - 1, rank - 2] if rank > 1 else [0] * rank


def strides_for(shape, layout):
    """Strides in elements of a layout by name (README.md lists them)."""
    rank = len(shape)
    rows = list(range(rank))
    if layout == "row_major":
        return packed(shape, rows)
    if layout == "channels_last":
        return packed(shape, _channels_last(rank))
    if layout == "transposed":
        return packed(shape, rows[::-1])
    if layout == "swapped":
        return packed(shape, _swapped(rank))
    if layout == "padded":
        return packed([e + 1 + axis % 2 for axis, e in enumerate(shape)], rows)
    if layout == "gapped":
        return [2 * s for s in packed([e + 1 for e in shape], rows)]
    if layout == "odd_ones":
        strides = packed(shape, rows)
        return [977 + axis if extent == 1 else strides[axis]
                for axis, extent in enumerate(shape)]
    if layout == "broadcast":
        strides = packed(shape, rows)
        wide = [a for a in rows if shape[a] > 1]
        if wide:
            strides[wide[0]] = 0
        return strides
    raise ValueError(f"unknown layout '{layout}'")


def offsets_for(shape, strides):
    """The memory offset, in elements, of each logical element."""
    offsets = np.zeros(shape, np.int64)
    for axis, (extent, stride) in enumerate(zip(shape, strides)):
        column = np.arange(extent, dtype=np.int64) * stride
        offsets += column.reshape([-1 if a == axis else 1
                                   for a in range(len(shape))])
    return offsets


def f8_128x4_offsets(shape, scale_axis=-1):
    """Offsets of scales in the F8_128x4 reordering: tiles of 128 rows x 4
    scales of 512 bytes, row tiles slowest; in a tile, row r and scale c lie at
    (r % 32) * 16 + (r / 32) * 4 + c. Axes before the last two are batch.
    `scale_axis`: the axis, -1 or -2, along which scales follow each other."""
    rows, columns = (shape[-2], shape[-1]) if scale_axis == -1 else \
        (shape[-1], shape[-2])
    assert rows % 128 == 0 and columns % 4 == 0, shape
    r, c = np.arange(rows)[:, None], np.arange(columns)[None, :]
    tile = (r // 128) * (columns // 4) + c // 4
    plane = tile * 512 + (r % 32) * 16 + (r % 128) // 32 * 4 + c % 4
    plane = plane if scale_axis == -1 else plane.T
    batch = math.prod(shape[:-2])
    return (np.arange(batch)[:, None, None] * rows * columns
            + plane).reshape(shape)


class Memory:
    """Room for the elements of `dtype` at `offsets`, guarded."""

    def __init__(self, dtype, offsets, fill, elements=None, misaligned=False):
        self.dtype, self.offsets = dtype, np.asarray(offsets)
        self.bits = bits_of(dtype)
        span = 1 + int(self.offsets.max()) if self.offsets.size else 0
        self.elements = span if elements is None else max(elements, span)
        self.size = -(-self.elements * self.bits // 8)
        shift = max(self.bits // 8, 1) if misaligned else 0
        self.raw = np.full(self.size + 2 * GUARD + 32, POISON_BYTE, np.uint8)
        self.start = GUARD + (-(self.raw.ctypes.data + GUARD)) % 16 + shift
        self.body = self.raw[self.start:self.start + self.size]
        self.body[:] = fill
        self.alignment = max(self.bits // 8, 1) if misaligned else 16

    def write(self, values):
        """Stores logical values (float64 or int64), rounded to the dtype."""
        stored = to_bits(convert(values, self.dtype), self.dtype)
        if self.bits >= 8:
            self.body.view(f"u{self.bits // 8}")[self.offsets] = stored
            return self
        nibbles = self._nibbles()
        nibbles[self.offsets] = stored
        if nibbles.size % 2:
            nibbles = np.append(nibbles, 15)
        pairs = nibbles.reshape(-1, 2)
        self.body[:] = pairs[:, 0] | pairs[:, 1] << 4
        return self

    def _nibbles(self):
        both = np.stack([self.body & 15, self.body >> 4], -1)
        return both.reshape(-1)[:self.elements]

    def stored(self):
        """The elements as bits, in logical order."""
        flat = self.body.view(f"u{self.bits // 8}") if self.bits >= 8 else \
            self._nibbles()
        return flat[self.offsets]

    def read(self):
        """The elements in their NumPy type, in logical order."""
        return from_bits(self.stored(), self.dtype).astype(
            ANY_NUMPY[self.dtype], copy=False)

    def values(self):
        """The elements as float64 or int64."""
        return widen(self.read())

    def damage(self):
        """None, or which byte outside the elements changed (`fill` POISON)."""
        touched = np.zeros(self.raw.size, bool)
        begin = self.offsets.reshape(-1) * self.bits // 8 + self.start
        for byte in range(max(self.bits // 8, 1)):
            touched[begin + byte] = True
        wrong = np.flatnonzero((self.raw != POISON_BYTE) & ~touched)
        return None if wrong.size == 0 else (
            f"{wrong.size} bytes outside the elements were written, first at "
            f"byte {int(wrong[0]) - self.start}")
