# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Philox4x32-10 in NumPy, written from the paper (Salmon et al., SC 2011):
what `rng` and dropout draw from, apart from the generator that is compiled.
docs/Random.md says what the key and the counters are."""

import numpy as np

_MULTIPLIERS = (np.uint64(0xD2511F53), np.uint64(0xCD9E8D57))
_WEYL = (0x9E3779B9, 0xBB67AE85)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


def philox(seed, counter):
    """The four words (uint32, last axis) of `counter`: four arrays of integers
    that broadcast, each taken modulo 2^32, under a 64-bit seed."""
    seed = int(seed) % 2 ** 64
    key = [seed % 2 ** 32, seed >> 32]
    c = [np.asarray(word).astype(np.uint64) & _LOW
         for word in np.broadcast_arrays(*counter)]
    for _ in range(10):
        product0, product1 = _MULTIPLIERS[0] * c[0], _MULTIPLIERS[1] * c[2]
        c = [(product1 >> _HALF) ^ c[1] ^ np.uint64(key[0]), product1 & _LOW,
             (product0 >> _HALF) ^ c[3] ^ np.uint64(key[1]), product0 & _LOW]
        key = [(k + w) % 2 ** 32 for k, w in zip(key, _WEYL)]
    return np.stack(c, axis=-1).astype(np.uint32)


def linear_words(seed, offset, count):
    """The words that `rng` draws for elements 0 to count - 1."""
    offset = int(offset) % 2 ** 64
    quads = np.arange((count + 3) // 4, dtype=np.uint64)
    words = philox(seed, (offset % 2 ** 32, offset >> 32, quads & _LOW,
                          quads >> _HALF))
    return words.reshape(-1)[:count]


def is_below(words, probability):
    """True where a word is below probability * 2^32."""
    return words.astype(np.float64) < probability * 2.0 ** 32


def bernoulli(seed, offset, shape, probability):
    """What rng with distribution BERNOULLI gives, as booleans."""
    words = linear_words(seed, offset, int(np.prod(shape)))
    return is_below(words, probability).reshape(shape)


def dropout_keep(seed, offset, shape, probability):
    """The scores that dropout keeps: booleans [batch, heads, rows, columns]."""
    batch, heads, rows, columns = shape
    head = np.arange(batch * heads).reshape(batch, heads, 1, 1)
    row = np.arange(rows).reshape(1, 1, rows, 1)
    quad = np.arange((columns + 3) // 4).reshape(1, 1, 1, -1)
    words = philox(seed, (int(offset) % 2 ** 32, head, row, quad))
    words = words.reshape(batch, heads, rows, -1)[..., :columns]
    return is_below(words, 1.0 - probability)
