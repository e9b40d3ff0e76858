# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions and their gradients in float64 or int64, one tap of the filter
at a time: for each, the windows whose tap is inside of the image."""

import itertools

import numpy as np


def output_extents(image, kernel, pre, post, stride, dilation):
    """Extents of the spatial axes."""
    return [1 + (i + a + b - d * (k - 1) - 1) // s for i, k, a, b, s, d in
            zip(image, kernel, pre, post, stride, dilation)]


def _taps(image, kernel, output, pre, stride, dilation, flip):
    """(index of the filter, windows, positions) for each tap, the last two one
    array for each spatial axis."""
    for tap in itertools.product(*map(range, kernel)):
        windows, positions = [], []
        for axis, t in enumerate(tap):
            p = np.arange(output[axis])
            at = p * stride[axis] + t * dilation[axis] - pre[axis]
            inside = (at >= 0) & (at < image[axis])
            windows.append(p[inside])
            positions.append(at[inside])
        entry = tuple(k - 1 - t for k, t in zip(kernel, tap)) if flip else tap
        yield entry, windows, positions


def _at(spatial):
    """The index of all of two leading axes and of the spatial positions."""
    return (slice(None), slice(None)) + np.ix_(*spatial)


def _groups(image_channels, filter_shape):
    own = filter_shape[1]
    groups = image_channels // own if own else 1
    outputs = filter_shape[0] // groups
    for g in range(groups):
        yield (slice(g * own, (g + 1) * own),
               slice(g * outputs, (g + 1) * outputs))


def fprop(x, w, pre, post, stride, dilation, flip=False):
    kernel = w.shape[2:]
    out = output_extents(x.shape[2:], kernel, pre, post, stride, dilation)
    y = np.zeros((x.shape[0], w.shape[0], *out), np.result_type(x, w))
    for entry, windows, positions in _taps(x.shape[2:], kernel, out, pre,
                                           stride, dilation, flip):
        for channels, features in _groups(x.shape[1], w.shape):
            taps = w[(features, slice(None)) + entry]
            read = x[:, channels][_at(positions)]
            part = np.einsum("nc...,kc->nk...", read, taps)
            y[:, features][_at(windows)] += part
    return y


def dgrad(dy, w, image, pre, stride, dilation, flip=False):
    """`image`: the shape of the result."""
    dx = np.zeros(image, np.result_type(dy, w))
    for entry, windows, positions in _taps(image[2:], w.shape[2:],
                                           dy.shape[2:], pre, stride, dilation,
                                           flip):
        for channels, features in _groups(image[1], w.shape):
            taps = w[(features, slice(None)) + entry]
            read = dy[:, features][_at(windows)]
            part = np.einsum("nk...,kc->nc...", read, taps)
            dx[:, channels][_at(positions)] += part
    return dx


def wgrad(x, dy, filter_shape, pre, stride, dilation, flip=False):
    """`filter_shape`: the shape of the result."""
    dw = np.zeros(filter_shape, np.result_type(x, dy))
    for entry, windows, positions in _taps(x.shape[2:], filter_shape[2:],
                                           dy.shape[2:], pre, stride, dilation,
                                           flip):
        for channels, features in _groups(x.shape[1], filter_shape):
            read = x[:, channels][_at(positions)]
            grad = dy[:, features][_at(windows)]
            summed = [0, *range(2, x.ndim)]
            dw[(features, slice(None)) + entry] = np.tensordot(
                grad, read, (summed, summed))
    return dw
