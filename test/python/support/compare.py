# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Comparing results element by element; failures name the first wrong one."""

import numpy as np

from .dtypes import FORMAT, is_float, ulp_of, widen
from .graphs import NAME_OF


def assert_close(actual, expected, *, ulps=0.0, absolute=0.0, what=""):
    """|actual - expected| <= ulps * ulp(expected) + absolute, both of one
    dtype. NaN matches NaN, infinities their sign. With ulps = absolute = 0
    also the sign of zero must match."""
    assert actual.shape == expected.shape, \
        f"{what}: expected shape {expected.shape}, got {actual.shape}"
    assert actual.dtype == expected.dtype, \
        f"{what}: expected dtype {expected.dtype}, got {actual.dtype}"
    name = NAME_OF[expected.dtype]
    a, e = widen(actual), widen(expected)
    if not is_float(name):
        wrong = a != e
    else:
        both_nan = np.isnan(a) & np.isnan(e)
        with np.errstate(all="ignore"):
            near = np.abs(a - e) <= ulps * ulp_of(e, name) + absolute
        same = a == e
        if ulps == 0 and absolute == 0:
            same &= np.signbit(a) == np.signbit(e)
        finite = np.isfinite(e)
        wrong = ~(both_nan | same | (near & finite & np.isfinite(a)))
        # At the edge of the range a rounding may go to infinity.
        if ulps:
            with np.errstate(all="ignore"):
                edge = (np.isinf(a) != np.isinf(e)) & (
                    np.minimum(np.abs(a), np.abs(e)) >=
                    FORMAT[name][2] * (1 - 2.0 ** -3)) & (
                    np.sign(a) == np.sign(e))
            wrong &= ~edge
    if wrong.any():
        index = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise AssertionError(
            f"{what}: {int(wrong.sum())} of {wrong.size} elements wrong, first "
            f"at {index}: expected {expected[index]!r}, got {actual[index]!r}")
