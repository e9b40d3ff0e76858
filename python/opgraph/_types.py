# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Data types of frameworks, by name, so that no framework is imported."""

from ._enums import data_type
from ._errors import GraphNotSupportedError

# Names as torch ("torch.float16"), NumPy and ml_dtypes ("bfloat16") spell them.
_BY_NAME = {
    "float16": data_type.HALF,
    "bfloat16": data_type.BFLOAT16,
    "float32": data_type.FLOAT,
    "float64": data_type.DOUBLE,
    "int8": data_type.INT8,
    "uint8": data_type.UINT8,
    "int32": data_type.INT32,
    "int64": data_type.INT64,
    "bool": data_type.BOOLEAN,
    "float8_e4m3fn": data_type.FP8_E4M3,
    "float8_e5m2": data_type.FP8_E5M2,
    "float8_e8m0fnu": data_type.FP8_E8M0,
    "float4_e2m1fn_x2": data_type.FP4_E2M1,
    "float4_e2m1fn": data_type.FP4_E2M1,
    "int4": data_type.INT4,
}


def library_type(value):
    """The `data_type` that `value` names: one of ours, a torch or NumPy dtype,
    or a scalar type. None stays NOT_SET. Anything else is refused by name."""
    if isinstance(value, data_type):
        return value
    if value is None:
        return data_type.NOT_SET
    name = getattr(value, "name", None) or getattr(value, "__name__", None)
    found = _BY_NAME.get(name) if isinstance(name, str) else None
    if found is None:
        text = str(value)
        found = _BY_NAME.get(text.removeprefix("torch."))
    if found is None:
        raise GraphNotSupportedError(
            f"expected an opgraph.data_type or a framework's dtype, got {value!r}")
    return found
