# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pooling and interpolation in float64 or int64, one window at a time."""

import dataclasses
import itertools
import math
from fractions import Fraction
from typing import Sequence

import numpy as np


@dataclasses.dataclass
class Window:
    mode: str
    padding: str
    window: Sequence[int]
    stride: Sequence[int]
    pre: Sequence[int]
    post: Sequence[int]
    denominator: int = 1

    def outputs(self, image):
        """Extents of the result's spatial axes."""
        den = self.denominator
        return [1 + (i * den + a + b - w * den) // s for i, w, s, a, b in
                zip(image, self.window, self.stride, self.pre, self.post)]

    def along(self, axis, output, extent):
        """[(position or None for padding, weight)] of one axis."""
        start = Fraction(output * self.stride[axis] - self.pre[axis],
                         self.denominator)
        if self.mode == "NEAREST":
            at = math.floor(start + Fraction(1, 2))
            return [(min(max(at, 0), extent - 1), 1)]
        if self.mode == "BILINEAR":
            rest = start - math.floor(start)
            taps = [(math.floor(start), 1 - rest),
                    (math.floor(start) + 1, rest)]
        else:
            taps = [(math.floor(start) + t, 1)
                    for t in range(self.window[axis])]
        return [(self.resolve(at, extent), weight) for at, weight in taps]

    def resolve(self, at, extent):
        if 0 <= at < extent:
            return at
        if self.padding == "EDGE_VAL_PAD" and \
                self.mode != "AVGPOOL_EXCLUDE_PADDING":
            return 0 if at < 0 else extent - 1
        return None

    def taps(self, output, image):
        """[(spatial position or None, weight)] of a window, row-major."""
        per_axis = [self.along(axis, o, extent)
                    for axis, (o, extent) in enumerate(zip(output, image))]
        found = []
        for combination in itertools.product(*per_axis):
            position = tuple(at for at, _ in combination)
            weight = math.prod(w for _, w in combination)
            found.append((None if None in position else position, weight))
        if self.mode == "AVGPOOL_INCLUDE_PADDING":
            found = [(at, Fraction(1, len(found))) for at, _ in found]
        elif self.mode == "AVGPOOL_EXCLUDE_PADDING":
            inside = [at for at, _ in found if at is not None]
            found = [(at, Fraction(1, len(inside))) for at in inside]
        return found


def _windows(w, image):
    return itertools.product(*map(range, w.outputs(image)))


def resample(x, w):
    """(Y, Index); Index None but for MAXPOOL."""
    image = x.shape[2:]
    shape = x.shape[:2] + tuple(w.outputs(image))
    y = np.zeros(shape, x.dtype)
    index = np.zeros(shape, np.int64) if w.mode == "MAXPOOL" else None
    for output in _windows(w, image):
        place = (slice(None), slice(None)) + output
        taps = w.taps(output, image)
        if w.mode == "MAXPOOL":
            y[place], index[place] = _greatest(x, taps, w)
        elif w.mode == "NEAREST":
            # No sum: 0 plus -0 is not the element.
            y[place] = x[(slice(None), slice(None)) + taps[0][0]]
        elif w.mode == "AVGPOOL_EXCLUDE_PADDING" and not taps:
            y[place] = np.nan
        else:
            for at, weight in taps:
                if at is None or weight == 0:
                    continue
                value = x[(slice(None), slice(None)) + at]
                y[place] += value if weight == 1 else float(weight) * value
    return y, index


def _greatest(x, taps, w):
    """The first greatest tap, or first NaN, of each matrix."""
    lowest = -np.inf if x.dtype.kind == "f" else np.iinfo(np.int32).min
    best = np.full(x.shape[:2], lowest, x.dtype)
    chosen = np.full(x.shape[:2], -1)
    for number, (at, _) in enumerate(taps):
        if at is None and w.padding == "NEG_INF_PAD":
            continue
        value = np.zeros(x.shape[:2], x.dtype) if at is None else \
            x[(slice(None), slice(None)) + at]
        better = (chosen < 0) | (value > best) | (
            (value != value) & (best == best))
        best = np.where(better, value, best)
        chosen = np.where(better, number, chosen)
    return best, np.maximum(chosen, 0)


def resample_backward(dy, w, shape, x=None, index=None):
    """The gradient of an input of `shape`."""
    dx = np.zeros(shape, dy.dtype)
    image = shape[2:]
    if w.mode == "MAXPOOL" and index is None:
        index = resample(x, w)[1]
    for output in _windows(w, image):
        place = (slice(None), slice(None)) + output
        for number, (at, weight) in enumerate(w.taps(output, image)):
            if at is None or weight == 0:
                continue
            share = dy[place] if weight == 1 else float(weight) * dy[place]
            if w.mode == "MAXPOOL":
                last = math.prod(w.window) - 1
                share = np.where(np.clip(index[place], 0, last) == number,
                                 share, 0)
            dx[(slice(None), slice(None)) + at] += share
    return dx
