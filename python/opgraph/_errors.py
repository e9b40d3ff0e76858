# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exceptions. Each derives from `opgraph.Error` and from the type that the
reference raises in the same case, so programs written for it catch them."""


class Error(Exception):
    """Base of all errors of opgraph. `status` is the C API's status name."""

    status = "INTERNAL"


class cudnnGraphNotSupportedError(Exception):
    """The reference's type for a graph that no engine takes."""


class GraphNotSupportedError(Error, cudnnGraphNotSupportedError):
    """No definition covers the graph, or every engine declined it."""

    status = "GRAPH_NOT_SUPPORTED"


class InvalidGraphError(Error, ValueError):
    """Something required is missing, or extents do not fit together."""

    status = "ATTRIBUTE_NOT_SET"


class InvalidValueError(Error, RuntimeError):
    """A value is outside its domain, or a step came at the wrong time."""

    status = "INVALID_VALUE"


class VariantPackError(Error, ValueError):
    """Operands, overrides or workspace do not fit the plan."""

    status = "INVALID_VARIANT_PACK"


class PlanIndexError(Error, IndexError):
    """A plan index outside the list."""

    status = "OUT_OF_RANGE"


class ArgumentError(Error, TypeError):
    """An argument of the wrong type."""

    status = "INVALID_ARGUMENT"


class PlanFileError(Error, ValueError):
    """A serialised plan is damaged or of another version."""

    status = "DATA_LOSS"


_BY_STATUS = {
    "ATTRIBUTE_NOT_SET": InvalidGraphError,
    "SHAPE_DEDUCTION": InvalidGraphError,
    "INVALID_VARIANT_PACK": VariantPackError,
    "ALREADY_EXISTS": InvalidGraphError,
    "PARSE_ERROR": InvalidGraphError,
    "DATA_LOSS": PlanFileError,
    "VERSION_MISMATCH": PlanFileError,
    "GRAPH_NOT_SUPPORTED": GraphNotSupportedError,
    "UNSUPPORTED": GraphNotSupportedError,
    "LIBRARY_MISSING": GraphNotSupportedError,
    "OUT_OF_RANGE": PlanIndexError,
}


def make_error(status, text):
    """The exception for a failed C call: `status` by name, its text."""
    error = _BY_STATUS.get(status, InvalidValueError)(text)
    error.status = status
    return error
