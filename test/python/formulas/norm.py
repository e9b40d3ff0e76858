# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Formulas of the norms' gradients and of batch normalisation in float64."""

import numpy as np

from .tensor import mean_over


def sum_to(values, shape):
    """The sum of `values` over the axes that `shape` broadcasts along."""
    missing = values.ndim - len(shape)
    axes = tuple(range(missing)) + tuple(
        missing + axis for axis, extent in enumerate(shape) if extent == 1)
    return values.sum(axis=axes, keepdims=True).reshape(shape)


def centred_backward(dy, x, scale, mean, inverse, axes, affine):
    """(dx, dscale, dbias) of a norm by mean and variance over `axes`; the last
    two of extents `affine`, or None without."""
    xh = (x - mean) * inverse
    g = dy if scale is None else dy * scale
    dx = inverse * (g - mean_over(g, axes) - xh * mean_over(g * xh, axes))
    if affine is None:
        return dx, None, None
    return dx, sum_to(dy * xh, affine), sum_to(dy, affine)


def rmsnorm_backward(dy, x, scale, inverse, axes):
    """(dx, dscale, dbias); the last two None without scale."""
    xh = x * inverse
    g = dy if scale is None else dy * scale
    dx = inverse * (g - xh * mean_over(g * xh, axes))
    if scale is None:
        return dx, None, None
    return dx, sum_to(dy * xh, scale.shape), sum_to(dy, scale.shape)


def beside_channel(x):
    return tuple(axis for axis in range(x.ndim) if axis != 1)


def moments(x):
    """[3, C, 1...]: count, mean, sum of squared deviations of each channel."""
    axes = beside_channel(x)
    mean = mean_over(x, axes)
    squares = ((x - mean) ** 2).sum(axis=axes, keepdims=True)
    count = np.full_like(mean, x.size // max(x.shape[1], 1))
    return np.concatenate([count, mean, squares])


def _running(previous, current, momentum, count):
    following = (1 - momentum) * previous + momentum * current
    return np.where(count > 0, following, previous)


def batchnorm(x, scale, bias, epsilon, running=None, momentum=None, peers=()):
    """(y, mean, inverse, next mean, next variance); the last two None without
    `running`, (mean, variance). All participants' moments at once, not merged
    in pairs."""
    parts = [m for m in (moments(x), *peers)]
    parts = [np.where(m[:1] > 0, m, 0.0) for m in parts]
    count = sum(m[0:1] for m in parts)
    mean = sum(m[0:1] * m[1:2] for m in parts) / count
    squares = sum(
        m[2:3] + m[0:1] * (m[1:2] - np.where(m[0:1] > 0, mean, 0)) ** 2
        for m in parts)
    inverse = 1 / np.sqrt(squares / count + epsilon)
    y = (x - mean) * inverse * scale + bias
    if running is None:
        return y, mean, inverse, None, None
    unbiased = squares / np.maximum(count - 1, 1)
    return (y, mean, inverse,
            _running(running[0], mean, momentum, count),
            _running(running[1], unbiased, momentum, count))


def batchnorm_backward(dy, x, scale, mean, inverse, peers=()):
    """(dx, dscale, dbias); the last two of the local elements."""
    axes = beside_channel(x)
    xh = (x - mean) * inverse
    dscale = (dy * xh).sum(axis=axes, keepdims=True)
    dbias = dy.sum(axis=axes, keepdims=True)
    count, total, along = x.size // max(x.shape[1], 1), dbias, dscale
    for peer in peers:
        there = peer[0:1] > 0
        count = count + np.where(there, peer[0:1], 0)
        total = total + np.where(there, peer[1:2], 0)
        along = along + np.where(there, peer[2:3], 0)
    dx = scale * inverse * (dy - total / count - xh * along / count)
    return dx, dscale, dbias


def bn_finalize(total, squares, scale, bias, epsilon, count, running=None,
                momentum=None):
    """(eq_scale, eq_bias, mean, inverse, next mean, next variance)."""
    n = count if count > 0 else np.nan
    mean = total / n
    variance = np.maximum(squares / n - mean ** 2, 0)
    inverse = 1 / np.sqrt(variance + epsilon)
    eq_scale = scale * inverse
    results = eq_scale, bias - mean * eq_scale, mean, inverse
    if running is None:
        return (*results, None, None)
    unbiased = variance * count / max(count - 1, 1)
    return (*results, _running(running[0], mean, momentum, count),
            _running(running[1], unbiased, momentum, count))


def dbn_weight(dy, x, scale, mean, inverse):
    """(dscale, dbias, eq_scale_dy, eq_scale_x, eq_bias)."""
    axes = beside_channel(x)
    _, dscale, dbias = batchnorm_backward(dy, x, scale, mean, inverse)
    n = np.float64(np.prod([x.shape[axis] for axis in axes]))
    eq_dy = scale * inverse
    eq_x = -scale * inverse ** 2 * dscale / n
    eq_bias = scale * inverse * (inverse * mean * dscale - dbias) / n
    return dscale, dbias, eq_dy, eq_x, eq_bias
