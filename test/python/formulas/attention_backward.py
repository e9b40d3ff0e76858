# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention and its gradients in float64, for operands that lie densely as
[B, H, S, D]; written from op_surface 6.13.3 to 6.13.5b.

A score_mod is a pair of functions: `forward(s)` and `bprop(s, ds)`."""

import numpy as np


def alibi_slopes(heads):
    """A head's slope: 2^(-8(i+1)/n), then every other one of twice as many."""
    if heads == 0:
        return np.zeros(0)
    n = 2 ** int(np.floor(np.log2(heads)))
    first = [2.0 ** (-8.0 * (i + 1) / n) for i in range(n)]
    return np.array(first + [2.0 ** (-4.0 * (2 * j + 1) / n)
                             for j in range(heads - n)])


class Mask:
    """Which rows and scores count; lengths are clamped to the extents."""

    def __init__(self, batch, rows, columns, seq_q=None, seq_kv=None, left=None,
                 right=None, bottom_right=False):
        row, column = np.arange(rows)[:, None], np.arange(columns)[None, :]
        # Bounds beyond all scores, without overflow.
        left, right = (x if x is None else min(x, 2 ** 40)
                       for x in (left, right))
        self.rows = np.zeros((batch, 1, rows, 1), bool)
        self.columns = np.zeros((batch, 1, columns, 1), bool)
        self.scores = np.zeros((batch, 1, rows, columns), bool)
        for b in range(batch):
            def length(lengths, extent):
                return extent if lengths is None else int(
                    np.clip(np.ravel(lengths)[b], 0, extent))
            nq, nk = length(seq_q, rows), length(seq_kv, columns)
            shift = nk - nq if bottom_right else 0
            keep = (row < nq) & (column < nk)
            if right is not None:
                keep &= column <= row + shift + right
            if left is not None:
                keep &= column > row + shift - left
            self.scores[b, 0] = keep
            self.rows[b, 0, :nq] = True
            self.columns[b, 0, :nk] = True


def _grouped(x, heads):
    return np.repeat(x, heads // x.shape[1], axis=1) if x.shape[1] else x


def _ungrouped(x, heads):
    """Sums the query heads that share one of `heads`."""
    b, h, s, d = x.shape
    return x.reshape(b, heads, h // heads, s, d).sum(axis=2) if heads else \
        np.zeros((b, 0, s, d))


def _scores(q, k, mask, scale, bias, alibi, score_mod):
    """(scores before score_mod, scores; both -inf where masked)."""
    with np.errstate(all="ignore"):
        plain = q @ k.transpose(0, 1, 3, 2)
        if scale is not None:
            plain = plain * scale
        s = plain if score_mod is None else score_mod[0](plain)
        if bias is not None:
            s = s + bias
    if alibi:
        row, column = np.arange(s.shape[2])[:, None], np.arange(s.shape[3])
        s = s + alibi_slopes(s.shape[1])[:, None, None] * (column - row)
    return plain, np.where(mask.scores, s, -np.inf)


def forward(q, k, v, mask, *, scale=None, bias=None, alibi=False, factor=1.0,
            sink=None, score_mod=None, log2=False):
    """(O, Stats). `factor`: what dropout multiplies P by."""
    heads = q.shape[1]
    q = np.where(mask.rows, q, 0.0)
    k, v = (np.where(mask.columns, _grouped(x, heads), 0.0) for x in (k, v))
    _, s = _scores(q, k, mask, scale, bias, alibi, score_mod)
    top = s.max(axis=-1, keepdims=True, initial=-np.inf)
    if sink is not None:
        top = np.maximum(top, sink)
    with np.errstate(all="ignore"):
        safe = np.where(np.isneginf(top), 0.0, top)
        e = np.exp(s - safe)
        total = e.sum(axis=-1, keepdims=True)
        if sink is not None:
            total = total + np.exp(sink - safe)
        p = np.where(total == 0, 0.0, e / np.where(total == 0, 1.0, total))
        stats = safe + np.log(total)
    dead = ~np.broadcast_to(mask.rows, stats.shape)
    stats = np.where(dead, -np.inf, stats)
    out = np.where(mask.rows, (p * factor) @ v, 0.0)
    return out, stats / np.log(2.0) if log2 else stats


def probabilities(q, k, stats, mask, *, scale=None, bias=None, alibi=False,
                  score_mod=None, log2=False):
    """(scores before score_mod, P, which elements count), from q and k with
    equal heads."""
    plain, s = _scores(q, k, mask, scale, bias, alibi, score_mod)
    stats = stats * np.log(2.0) if log2 else stats
    live = ~np.isneginf(s) & ~np.isneginf(stats)
    with np.errstate(all="ignore"):
        return plain, np.where(live, np.exp(s - stats), 0.0), live


def backward(q, k, v, o, do, stats, mask, *, scale=None, bias=None,
             alibi=False, keep=1.0, times=1.0, times_inv=1.0, sink=None,
             score_mod=None, log2=False, bias_shape=None):
    """{port: gradient}. Dropout: P is multiplied by keep * times, and
    `times_inv` is meant to be 1 / times."""
    heads, kv_heads, value_heads = q.shape[1], k.shape[1], v.shape[1]
    q, o, do = (np.where(mask.rows, x, 0.0) for x in (q, o, do))
    k, v = (np.where(mask.columns, _grouped(x, heads), 0.0) for x in (k, v))
    stats = np.where(mask.rows, stats, -np.inf)
    plain, p, live = probabilities(q, k, stats, mask, scale=scale, bias=bias,
                                   alibi=alibi, score_mod=score_mod, log2=log2)
    with np.errstate(all="ignore"):
        d = (do * o).sum(axis=-1, keepdims=True) * (times * times_inv)
        dp = (do @ v.transpose(0, 1, 3, 2)) * (keep * times)
        ds = np.where(live, p * (dp - d), 0.0)
        found = {"dV": _ungrouped((p * keep * times).transpose(0, 1, 3, 2) @ do,
                                  value_heads)}
        if bias_shape is not None:
            found["dBias"] = sum_to(ds, bias_shape)
        if score_mod is not None:
            ds = np.where(live, score_mod[1](plain, ds), 0.0)
        if scale is not None:
            ds = ds * scale
    found["dQ"] = ds @ k
    found["dK"] = _ungrouped(ds.transpose(0, 1, 3, 2) @ q, kv_heads)
    if sink is not None:
        natural = stats * np.log(2.0) if log2 else stats
        with np.errstate(all="ignore"):
            share = np.where(np.isneginf(natural), 0.0,
                             np.exp(sink - natural)) * d
        found["DSINK_TOKEN"] = -share.sum(axis=(0, 2), keepdims=True)
    return found


def sum_to(x, shape):
    """x summed over the axes that are 1 in `shape` (right-aligned)."""
    full = (1,) * (x.ndim - len(shape)) + tuple(shape)
    axes = tuple(a for a, e in enumerate(full) if e == 1)
    return x.sum(axis=axes, keepdims=True).reshape(shape)


def fp8_backward(q, k, v, o, do, stats, mask, scales, rounding, *, scale=1.0,
                 keep=1.0, times=1.0, times_inv=1.0, sink=None):
    """{port: value before its last rounding}. `scales`: {"descale_q": float,
    ...}; `rounding(x, name)` rounds P ("P") and dS ("dS") to fp8."""
    at = scales
    heads = q.shape[1]
    q, o, do = (np.where(mask.rows, x, 0.0) for x in (q, o, do))
    k_heads, v_heads = k.shape[1], v.shape[1]
    k, v = (np.where(mask.columns, _grouped(x, heads), 0.0) for x in (k, v))
    stats = np.where(mask.rows, stats, -np.inf)
    _, p, live = probabilities(
        q, k, stats, mask, scale=at["descale_q"] * at["descale_k"] * scale)
    d = (do * o).sum(axis=-1, keepdims=True) * (
        at["descale_dO"] * at["descale_o"] * times * times_inv)
    dp = (do @ v.transpose(0, 1, 3, 2)) * (
        at["descale_dO"] * at["descale_v"] * keep * times)
    ds = np.where(live, p * (dp - d), 0.0) * scale
    p8 = rounding(p * keep * times * at["scale_s"], "P")
    ds8 = rounding(ds * at["scale_dP"], "dS")
    grads = {
        "dQ": ds8 @ k * (at["descale_dP"] * at["descale_k"]),
        "dK": _ungrouped(ds8.transpose(0, 1, 3, 2) @ q, k_heads)
        * (at["descale_dP"] * at["descale_q"]),
        "dV": _ungrouped(p8.transpose(0, 1, 3, 2) @ do, v_heads)
        * (at["descale_s"] * at["descale_dO"])}
    found = {"Amax_" + port: amax(x) for port, x in grads.items()}
    found["Amax_dP"] = amax(ds)
    found.update({port: x * at["scale_" + port] for port, x in grads.items()})
    if sink is not None:
        share = np.where(np.isneginf(stats), 0.0, np.exp(sink - stats)) * d
        found["DSINK_TOKEN"] = -share.sum(axis=(0, 2), keepdims=True)
    return found


def amax(x):
    return np.abs(x).max(initial=0.0).reshape(1, 1, 1, 1)


def mxfp8_backward(q, q_t, k, k_t, v, o, do_f16, do, do_t, stats, mask, *,
                   scale=1.0, keep=1.0, times=1.0, times_inv=1.0, sink=None):
    """{port: value}; all operands dequantised."""
    heads, k_heads, v_heads = q.shape[1], k.shape[1], v.shape[1]
    q, q_t, o, do_f16, do, do_t = (np.where(mask.rows, x, 0.0) for x in
                                   (q, q_t, o, do_f16, do, do_t))
    k, k_t, v = (np.where(mask.columns, _grouped(x, heads), 0.0)
                 for x in (k, k_t, v))
    stats = np.where(mask.rows, stats, -np.inf)
    _, p, live = probabilities(q, k, stats, mask, scale=scale)
    d = (do_f16 * o).sum(axis=-1, keepdims=True) * (times * times_inv)
    dp = (do @ v.transpose(0, 1, 3, 2)) * (keep * times)
    ds = np.where(live, p * (dp - d), 0.0) * scale
    found = {
        "dQ": ds @ k_t,
        "dK": _ungrouped(ds.transpose(0, 1, 3, 2) @ q_t, k_heads),
        "dV": _ungrouped((p * keep * times).transpose(0, 1, 3, 2) @ do_t,
                         v_heads)}
    found.update({"Amax_" + port: amax(found[port])
                  for port in ("dQ", "dK", "dV")})
    if sink is not None:
        share = np.where(np.isneginf(stats), 0.0, np.exp(sink - stats)) * d
        found["DSINK_TOKEN"] = -share.sum(axis=(0, 2), keepdims=True)
    return found
