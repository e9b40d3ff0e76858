# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Formulas of matmul, reductions, norms, softmax and attention in float64."""

import numpy as np


def matmul(a, b, padding=0.0, m=None, n=None, k=None):
    """Batch axes broadcast; elements beyond m, n, k (per batch) are padding."""
    if m is not None or n is not None or k is not None:
        a, b = a.copy(), b.copy()
        rows, inner, columns = a.shape[-2], a.shape[-1], b.shape[-1]
        batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        a = np.broadcast_to(a, batch + a.shape[-2:]).copy()
        b = np.broadcast_to(b, batch + b.shape[-2:]).copy()
        for index in np.ndindex(*batch):
            def limit(values, whole):
                return whole if values is None else int(
                    np.broadcast_to(values, batch + (1, 1))[index][0, 0])
            a[index][limit(m, rows):, :] = padding
            a[index][:, limit(k, inner):] = padding
            b[index][:, limit(n, columns):] = padding
            b[index][limit(k, inner):, :] = padding
    return a @ b


def reduction(x, mode, axes):
    keep = dict(axis=axes, keepdims=True)
    magnitude = np.abs(x)
    with np.errstate(all="ignore"):
        if mode == "ADD":
            return x.sum(**keep)
        if mode == "MUL":
            return x.prod(**keep)
        if mode == "MIN":
            return x.min(initial=_top(x), **keep)
        if mode == "MAX":
            return x.max(initial=-_top(x) - (x.dtype.kind == "i"), **keep)
        if mode == "AMAX":
            return magnitude.max(initial=0, **keep)
        if mode == "AVG":
            count = np.prod([x.shape[a] for a in axes])
            return x.sum(**keep) / np.float64(count)
        if mode == "NORM1":
            return magnitude.sum(**keep)
        if mode == "NORM2":
            return np.sqrt((x * x).sum(**keep))
        return np.where(x == 0, 1, x).prod(**keep)


def _top(x):
    return np.inf if x.dtype.kind == "f" else np.iinfo(np.int64).max


def mean_over(values, axes):
    """The mean over `axes`, kept; NaN over no elements."""
    count = np.float64(np.prod([values.shape[a] for a in axes], initial=1))
    return values.sum(axis=axes, keepdims=True) / count


def layernorm(x, scale, bias, epsilon, axes):
    """(y, mean, 1/sqrt(var + eps)); biased variance."""
    mean = mean_over(x, axes)
    variance = mean_over((x - mean) ** 2, axes)
    inverse = 1 / np.sqrt(variance + epsilon)
    y = (x - mean) * inverse
    if scale is not None:
        y = y * scale
    return (y if bias is None else y + bias), mean, inverse


def rmsnorm(x, scale, bias, epsilon, axes):
    """(y, 1/sqrt(mean square + eps))."""
    inverse = 1 / np.sqrt(mean_over(x * x, axes) + epsilon)
    y = x * inverse
    if scale is not None:
        y = y * scale
    return (y if bias is None else y + bias), inverse


def softmax(x):
    """(softmax, log-sum-exp, max, sum of exp) of the last axis; a row of only
    minus infinity gives 0 and minus infinity."""
    top = x.max(axis=-1, keepdims=True, initial=-np.inf)
    masked = np.isneginf(top)
    with np.errstate(all="ignore"):
        e = np.where(masked, 0.0, np.exp(x - np.where(masked, 0.0, top)))
        total = e.sum(axis=-1, keepdims=True)
        p = np.where(masked, 0.0, e / np.where(masked, 1.0, total))
        stats = np.where(masked, -np.inf, top + np.log(np.where(masked, 1.0, total)))
    return p, stats, top, total


def sdpa(q, k, v, scale=None, bias=None, seq_q=None, seq_kv=None, left=None,
         right=None, bottom_right=False):
    """(O, log-sum-exp). Heads of k and v may divide those of q."""
    batch, heads, rows, _ = q.shape
    k = np.repeat(k, heads // k.shape[1], axis=1)
    v = np.repeat(v, heads // v.shape[1], axis=1)
    columns = k.shape[2]
    s = q @ k.transpose(0, 1, 3, 2)
    if scale is not None:
        s = s * scale
    if bias is not None:
        s = s + bias
    row, column = np.arange(rows)[:, None], np.arange(columns)[None, :]
    dead_rows = np.zeros((batch, 1, rows, 1), bool)
    for b in range(batch):
        nq = rows if seq_q is None else min(max(int(seq_q[b]), 0), rows)
        nk = columns if seq_kv is None else min(max(int(seq_kv[b]), 0), columns)
        shift = nk - nq if bottom_right else 0
        keep = np.broadcast_to(column < nk, (rows, columns)).copy()
        if right is not None:
            keep &= column <= row + shift + right
        if left is not None:
            keep &= column > row + shift - left
        s[b][:, ~keep] = -np.inf
        dead_rows[b, 0, nq:, 0] = True
    p, stats, _, _ = softmax(s)
    out = p @ v
    return np.where(dead_rows, 0.0, out), np.where(dead_rows, -np.inf, stats)
