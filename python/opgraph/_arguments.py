# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments of any Python type, as the C API takes them: what has the wrong
type is refused with the name of the call and of the argument."""

import operator
import sys

from ._enums import data_type
from ._errors import ArgumentError, GraphNotSupportedError, InvalidValueError
from ._types import library_type

# og_value_kind
NONE, I64, F64, BOOL, STRING, ARRAY, DTYPE = range(7)

_HERE = __file__.rpartition("/")[0] + "/"


def caller():
    """File and line of the first frame outside this package."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_HERE):
        frame = frame.f_back
    return ("", 0) if frame is None else (frame.f_code.co_filename,
                                          frame.f_lineno)


def integer(what, value):
    """An int of 64 bits."""
    try:
        number = operator.index(value)
    except TypeError:
        raise ArgumentError(
            f"{what}: expected an int, got {value!r}") from None
    if not -2 ** 63 <= number < 2 ** 63:
        raise InvalidValueError(
            f"{what}: expected an int of 64 bits, got {number}")
    return number


def integers(what, values):
    """A list of ints of 64 bits."""
    try:
        items = None if isinstance(values, (str, bytes)) else list(values)
    except TypeError:
        items = None
    if items is None:
        raise ArgumentError(
            f"{what}: expected a sequence of ints, got {values!r}")
    return [integer(what, item) for item in items]


def number(what, value):
    """A float."""
    try:
        if not isinstance(value, (str, bytes)):
            return float(value)
    except OverflowError:
        raise InvalidValueError(
            f"{what}: expected a number in the range of a double, got "
            f"{value!r}") from None
    except (TypeError, ValueError):
        pass
    raise ArgumentError(f"{what}: expected a number, got {value!r}")


def flag(what, value):
    """True or False, as int."""
    if isinstance(value, (str, bytes)) or not hasattr(type(value), "__bool__"):
        raise ArgumentError(f"{what}: expected a bool, got {value!r}")
    return int(bool(value))


def text(what, value):
    """A str."""
    if not isinstance(value, str):
        raise ArgumentError(f"{what}: expected a str, got {value!r}")
    return value


def dtype(what, value):
    """A data_type; None is NOT_SET."""
    try:
        return library_type(value)
    except GraphNotSupportedError as error:
        raise GraphNotSupportedError(f"{what}: {error}") from None


def _member(what, value):
    """The name of an enumeration's member, ours or another library's."""
    name = value if isinstance(value, str) else getattr(value, "name", None)
    if not isinstance(name, str):
        raise ArgumentError(
            f"{what}: expected a member of its enumeration, got {value!r}")
    return name


_CONVERSIONS = {
    "enum": (STRING, _member), "int": (I64, integer), "float": (F64, number),
    "bool": (BOOL, flag), "ints": (ARRAY, integers), "str": (STRING, text),
    "dtype": (DTYPE, lambda what, value: int(dtype(what, value)))}


def attribute_value(op, attribute, value):
    """(kind, payload) of an attribute's value, by its declared kind."""
    kind, convert = _CONVERSIONS[attribute.kind]
    return kind, convert(f"{op}: argument '{attribute.name}'", value)


def compute_values(op, known, compute_data_type):
    """The attributes, of those `known`, that a compute type stands for."""
    compute = dtype(f"{op}: argument 'compute_data_type'", compute_data_type)
    values = []
    if compute is data_type.FAST_FLOAT_FOR_FP8:
        compute = data_type.FLOAT
        if "fast_fp8_accumulation" in known:
            values.append(("fast_fp8_accumulation", (BOOL, 1)))
    if compute is not data_type.NOT_SET and "compute_type" in known:
        values.append(("compute_type", (DTYPE, int(compute))))
    return values
