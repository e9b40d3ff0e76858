# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention forward in float64, for operands that lie densely as [B, H, S, D];
written from op_surface 6.13.3 and 6.13.4."""

import numpy as np

#: What stands for no mask, no factor, no rounding.
SAME = lambda x: x


def alibi(heads, rows, columns):
    """What ALiBi adds to the scores: slope times distance."""
    power = 2 ** int(np.floor(np.log2(max(heads, 1))))
    slopes = [2.0 ** (-8 * (h + 1) / power) if h < power else
              2.0 ** (-4 * (2 * (h - power) + 1) / power) for h in range(heads)]
    distance = np.arange(columns)[None, :] - np.arange(rows)[:, None]
    return np.array(slopes).reshape(-1, 1, 1) * distance


def band(rows, columns, shift=0, left=None, right=None):
    """Which (row, column) a diagonal band keeps."""
    row, column = np.ogrid[:rows, :columns]
    keep = np.ones((rows, columns), bool)
    if right is not None:
        keep &= column - row - shift <= right
    if left is not None:
        keep &= column - row - shift > -left
    return keep


def tiles(mask, rows, columns):
    """Block-mask bytes [..., ceil(rows/128), bytes] as booleans per score."""
    bits = np.unpackbits(mask.astype(np.uint8), axis=-1, bitorder="little")
    wide = np.repeat(np.repeat(bits, 128, axis=-1), 128, axis=-2)
    return wide[..., :rows, :columns].astype(bool)


def length(lengths, batch, extent):
    return extent if lengths is None else int(
        min(max(int(np.ravel(lengths)[batch]), 0), extent))


def attention(q, k, v, *, scale=None, score_mod=None, bias=None,
              use_alibi=False, kv_mask=None, block_mask=None, seq_q=None,
              seq_kv=None, left=None, right=None, bottom_right=False, sink=None,
              factor=None, rounded=SAME, weight=SAME, log2=False):
    """{port: values}, and the weights as "P" before `weight` is applied.
    `factor` is what dropout multiplies the weights by, `rounded` the rounding of
    the softmax, `weight` what becomes of a weight before the second product.
    `kv_mask` is boolean, or added."""
    b, heads, rows, _ = q.shape
    columns, width = k.shape[2], v.shape[3]
    out = {"O": np.zeros((b, heads, rows, width)),
           "Stats": np.full((b, heads, rows, 1), -np.inf),
           "Max": np.full((b, heads, rows, 1), -np.inf),
           "Sum_exp": np.zeros((b, heads, rows, 1)),
           "P": np.zeros((b, heads, rows, columns))}
    def spread(x):
        return np.repeat(x, heads // x.shape[1], axis=1) if x.shape[1] else x
    k, v = spread(k), spread(v)
    def full(x):
        return np.broadcast_to(x, (b, heads, rows, columns))
    for i in range(b):
        nq, nk = length(seq_q, i, rows), length(seq_kv, i, columns)
        if nq == 0:
            continue
        with np.errstate(all="ignore"):
            s = np.einsum("hqd,hkd->hqk", q[i, :, :nq], k[i, :, :nk])
            s = s if scale is None else s * scale
            s = s if score_mod is None else score_mod(s, i)
            if bias is not None:
                s = s + full(bias)[i, :, :nq, :nk]
            if use_alibi:
                s = s + alibi(heads, nq, nk)
        keep = np.broadcast_to(band(nq, nk, nk - nq if bottom_right else 0,
                                    left, right), s.shape).copy()
        if kv_mask is not None and kv_mask.dtype == bool:
            keep &= full(kv_mask)[i, :, :nq, :nk]
        elif kv_mask is not None:
            s = s + full(kv_mask)[i, :, :nq, :nk]
        if block_mask is not None:
            keep &= np.broadcast_to(
                tiles(block_mask, rows, columns),
                (b, heads, rows, columns))[i, :, :nq, :nk]
        s = np.where(keep, s, -np.inf)
        _softmax(out, i, nq, nk, s, sink, factor, rounded, log2)
        p = weight(out["P"][i, :, :nq, :nk])
        # What is masked adds nothing, not even 0 * NaN.
        for h in range(heads):
            for row in range(nq):
                seen = ~np.isneginf(s[h, row])
                with np.errstate(all="ignore"):
                    out["O"][i, h, row] = p[h, row, seen] @ v[i, h, :nk][seen]
    return out


def _softmax(out, i, nq, nk, s, sink, factor, rounded, log2):
    top = s.max(axis=-1, keepdims=True, initial=-np.inf)
    if sink is not None:
        top = np.maximum(top, sink.reshape(-1, 1, 1))
    with np.errstate(all="ignore"):
        e = np.where(np.isneginf(s), 0, rounded(np.exp(rounded(s - top))))
        total = e.sum(axis=-1, keepdims=True)
        if sink is not None:
            extra = sink.reshape(-1, 1, 1)
            total = total + np.where(np.isneginf(extra), 0,
                                     rounded(np.exp(rounded(extra - top))))
        p = np.where(e == 0, 0, rounded(e / total))
        stats = top + np.log(total)
    p = p if factor is None else p * factor[i, :, :nq, :nk]
    out["P"][i, :, :nq, :nk] = p
    out["Stats"][i, :, :nq] = stats / np.log(2) if log2 else stats
    out["Max"][i, :, :nq] = top
    out["Sum_exp"][i, :, :nq] = total


def gather_pages(container, table, keys):
    """[B, H, keys, D] from the pages of each batch, entries clamped."""
    blocks, heads, size, width = container.shape
    table = np.clip(table[:, 0, :, 0], 0, blocks - 1)
    found = np.zeros((table.shape[0], heads, keys, width))
    for position in range(min(keys, table.shape[1] * size)):
        page = table[:, position // size]
        found[:, :, position] = container[page, :, position % size]
    return found


def unpack(flat, offsets, dim, strides):
    """Dense [B, H, S, D] of a ragged tensor in memory `flat`; what lies beyond
    the memory is its last element."""
    grid = np.ogrid[tuple(slice(n) for n in dim)]
    place = np.ravel(offsets)[:dim[0]].reshape(-1, 1, 1, 1) + sum(
        grid[axis] * strides[axis] for axis in (1, 2, 3))
    return flat[np.clip(place, 0, flat.size - 1)]
