# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rotary embedding as a matrix on the channels of each position."""

import numpy as np


def matrices(freqs, channels, scale):
    """[S, D, D]: what rope multiplies the channels of each position with."""
    positions, rotated = freqs.shape[0], freqs.shape[3]
    half, start = rotated // 2, channels - rotated
    matrix = np.zeros((positions, channels, channels))
    lead = np.arange(start)
    matrix[:, lead, lead] = 1
    angle = freqs[:, 0, 0, :]
    for i in range(half):
        low, high = start + i, start + half + i
        matrix[:, low, low] = np.cos(angle[:, i])
        matrix[:, low, high] = -np.sin(angle[:, i])
        matrix[:, high, high] = np.cos(angle[:, half + i])
        matrix[:, high, low] = np.sin(angle[:, half + i])
    return scale * matrix


def rope(x, freqs, scale=1.0):
    return _apply(matrices(freqs, x.shape[3], scale), x)


def rope_backward(dy, freqs, scale=1.0):
    return _apply(matrices(freqs, dy.shape[3], scale).transpose(0, 2, 1), dy)


def _apply(matrix, x):
    # Only what a channel takes part in: 0 * inf is no term.
    y = np.zeros(x.shape)
    for s in range(x.shape[2]):
        for i, row in enumerate(matrix[s]):
            for j in np.flatnonzero((row != 0) | np.isnan(row)):
                y[:, :, s, i] += row[j] * x[:, :, s, j]
    return y
