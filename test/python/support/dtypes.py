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
}


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
    with np.errstate(all="ignore"):
        _, exponent = np.frexp(values)
        # Distance of neighbours at this magnitude, subnormals included.
        ulp = np.ldexp(1.0, np.maximum(exponent - 1, low) - (bits - 1))
        rounded = np.where(np.isfinite(values), np.rint(values / ulp) * ulp,
                           values)
        if dtype in ("e4m3", "e5m2"):
            rounded = np.where(np.isnan(rounded), rounded,
                               np.clip(rounded, -largest, largest))
        elif dtype == "bf16":
            rounded = np.where(np.abs(rounded) > largest,
                               np.copysign(np.inf, rounded), rounded)
        rounded = np.copysign(rounded, values)
        return rounded.astype(np.float32).astype(NUMPY[dtype])


def convert(values, dtype):
    """A formula's result (float64, int64 or bool) as stored in `dtype`."""
    values = np.asarray(values)
    if is_float(dtype):
        return round_to(values.astype(np.float64), dtype)
    if dtype == "bool":
        return values != 0
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
    if array.dtype.kind in "iub":
        return array.astype(np.int64)
    return array.astype(np.float64)
