# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types in NumPy's and opgraph's spelling, and conversions that follow
the rounding rules of the graph dialect, written apart from it."""

import ml_dtypes
import numpy as np
import opgraph

NUMPY = {
    "f32": np.float32, "f64": np.float64, "f16": np.float16,
    "bf16": ml_dtypes.bfloat16, "e4m3": ml_dtypes.float8_e4m3fn,
    "e5m2": ml_dtypes.float8_e5m2, "i8": np.int8, "u8": np.uint8,
    "i32": np.int32, "i64": np.int64, "bool": np.bool_,
}
T = opgraph.data_type
OPGRAPH = {
    "f32": T.FLOAT, "f64": T.DOUBLE, "f16": T.HALF, "bf16": T.BFLOAT16,
    "e4m3": T.FP8_E4M3, "e5m2": T.FP8_E5M2, "i8": T.INT8, "u8": T.UINT8,
    "i32": T.INT32, "i64": T.INT64, "bool": T.BOOLEAN,
}
#: The element types that only some operations read or write: scales, and those
#: that lie two in a byte, element 2i in the low half.
ANY_NUMPY = {**NUMPY, "e8m0": ml_dtypes.float8_e8m0fnu,
             "f4": ml_dtypes.float4_e2m1fn, "i4": ml_dtypes.int4}
ANY_OPGRAPH = {**OPGRAPH, "e8m0": T.FP8_E8M0, "f4": T.FP4_E2M1, "i4": T.INT4}
FLOATS = ("f64", "f32", "f16", "bf16", "e4m3", "e5m2")
INTEGERS = ("i8", "u8", "i32", "i64")
# Bits of precision (with the hidden one), smallest normal exponent, largest
# finite value.
FORMAT = {
    "f64": (53, -1022, np.finfo(np.float64).max),
    "f32": (24, -126, float(np.finfo(np.float32).max)),
    "f16": (11, -14, 65504.0),
    "bf16": (8, -126, float(ml_dtypes.finfo(ml_dtypes.bfloat16).max)),
    "e4m3": (4, -6, 448.0),
    "e5m2": (3, -14, 57344.0),
    "f4": (2, 0, 6.0),
    "e8m0": (1, -127, 2.0 ** 127),
}


def bits_of(dtype):
    """Bits an element takes in memory."""
    return 4 if dtype in ("f4", "i4") else 8 * np.dtype(NUMPY.get(
        dtype, np.uint8)).itemsize


def to_bits(array, dtype):
    """An array of `dtype` as unsigned integers."""
    array = np.ascontiguousarray(array)
    bits = array.view(f"u{array.itemsize}")
    return bits & 15 if bits_of(dtype) == 4 else bits


def from_bits(bits, dtype):
    """The inverse of to_bits."""
    if dtype == "i4":
        return ((bits.astype(np.int8) ^ 8) - 8).astype(ANY_NUMPY[dtype])
    return np.ascontiguousarray(bits).view(ANY_NUMPY[dtype])


def is_float(dtype):
    return dtype in FORMAT


def round_to(values, dtype):
    """float64 -> `dtype`, once, to nearest even: no detour over float32."""
    values = np.asarray(values, np.float64)
    if dtype == "f64":
        return values.copy()
    if dtype in ("f32", "f16"):
        with np.errstate(all="ignore"):
            return values.astype(NUMPY[dtype])
    bits, low, largest = FORMAT[dtype]
    if dtype == "e8m0":
        return _power_of_two(values)
    with np.errstate(all="ignore"):
        _, exponent = np.frexp(values)
        # Distance of neighbours at this magnitude, subnormals included.
        ulp = np.ldexp(1.0, np.maximum(exponent - 1, low) - (bits - 1))
        rounded = np.where(np.isfinite(values), np.rint(values / ulp) * ulp,
                           values)
        if dtype in ("e4m3", "e5m2", "f4"):
            rounded = np.where(np.isnan(rounded), rounded,
                               np.clip(rounded, -largest, largest))
        elif dtype == "bf16":
            rounded = np.where(np.abs(rounded) > largest,
                               np.copysign(np.inf, rounded), rounded)
        rounded = np.copysign(rounded, values)
        if dtype == "f4":
            # It has no NaN.
            rounded = np.where(np.isnan(values), largest, rounded)
        return rounded.astype(np.float32).astype(ANY_NUMPY[dtype])


def _power_of_two(values):
    """float64 -> e8m0: the next power of two above or equal, within 2^-127 (also
    of zero and negative numbers) and 2^127; NaN is kept."""
    with np.errstate(all="ignore"):
        mantissa, exponent = np.frexp(np.clip(values, 2.0 ** -127, 2.0 ** 127))
        up = np.where(mantissa == 0.5, exponent - 1, exponent)
        rounded = np.ldexp(1.0, np.where(np.isnan(values), 0, up))
        rounded = np.where(np.isnan(values), np.nan, rounded)
        return rounded.astype(ANY_NUMPY["e8m0"])


def convert(values, dtype):
    """A formula's result (float64, int64 or bool) as stored in `dtype`."""
    values = np.asarray(values)
    if is_float(dtype):
        return round_to(values.astype(np.float64), dtype)
    if dtype == "bool":
        return values != 0
    if dtype == "i4":
        if values.dtype.kind == "f":
            values = np.clip(np.trunc(np.nan_to_num(values, nan=0.0)), -8, 7)
        return ((values.astype(np.int64) & 15 ^ 8) - 8).astype(ANY_NUMPY[dtype])
    target = NUMPY[dtype]
    if values.dtype.kind == "f":
        info = np.iinfo(target)
        clipped = np.where(np.isnan(values), 0.0, np.trunc(values))
        low, high = float(info.min), float(info.max)
        inside = np.clip(clipped, low, high)
        with np.errstate(all="ignore"):
            out = inside.astype(target)
        out = np.where(clipped >= high, target(info.max), out)
        return np.where(clipped <= low, target(info.min), out).astype(target)
    return values.astype(np.int64).astype(target)


def ulp_of(values, dtype):
    """Distance between neighbours of `dtype` at each |value|."""
    bits, low, _ = FORMAT[dtype]
    with np.errstate(all="ignore"):
        _, exponent = np.frexp(np.abs(np.asarray(values, np.float64)))
    return np.ldexp(1.0, np.maximum(exponent - 1, low) - (bits - 1))


def widen(array):
    """Any array as float64 (floats) or int64 (integers, bool)."""
    array = np.asarray(array)
    if array.dtype.kind in "iub" or array.dtype == ANY_NUMPY["i4"]:
        return array.astype(np.int64)
    return array.astype(np.float64)
