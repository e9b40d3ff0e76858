# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a conformance case is made of, and the registry of operations."""

import dataclasses
import importlib
import pathlib
import zlib
from typing import Any, Dict, Optional, Sequence, Tuple

import numpy as np
from support.dtypes import FORMAT


@dataclasses.dataclass(frozen=True)
class Case:
    """Parameters of one run. `params` are the op's own and print into the id;
    attribute access reaches them: `case.axis`."""

    op: str
    dtype: str
    layout: str = "row_major"
    edge: str = "plain"
    params: Tuple[Tuple[str, Any], ...] = ()
    #: Element types of the graph; None: chosen from `dtype`.
    io: Optional[str] = None
    intermediate: str = "f32"
    compute: Optional[str] = None

    def __getattr__(self, name):
        if not name.startswith("__"):
            for key, value in object.__getattribute__(self, "params"):
                if key == name:
                    return value
        raise AttributeError(name)

    def get(self, name, default=None):
        return dict(self.params).get(name, default)

    @property
    def id(self):
        """Names the case: dtype/layout/edge[/param=value ...]."""
        parts = [self.dtype, self.layout, self.edge]
        parts += [f"{k}={_short(v)}" for k, v in self.params]
        if self.compute:
            parts.append(f"compute={self.compute}")
        return "/".join(parts)

    @property
    def seed(self):
        return zlib.crc32(f"{self.op}/{self.id}".encode())

    @property
    def compute_type(self):
        if self.compute:
            return self.compute
        if self.dtype in FORMAT:
            return "f64" if self.dtype == "f64" else "f32"
        return "i64" if self.dtype == "i64" else "i32"


def _short(value):
    if isinstance(value, (list, tuple)):
        return "x".join(map(str, value)) if all(
            isinstance(v, (int, np.integer)) for v in value) else \
            ",".join(map(str, value))
    return str(value)


def make(op, dtype, layout="row_major", edge="plain", *, io=None,
         intermediate="f32", compute=None, **params):
    """A Case with `params` as keywords."""
    return Case(op, dtype, layout, edge, tuple(params.items()), io,
                intermediate, compute)


@dataclasses.dataclass
class Operand:
    """An input: logical `values` (any shape; rounded to `dtype` on storing) in
    a layout, by name or by `strides`.

    offsets: memory offsets of the elements in elements, where strides cannot
    say (a reordering). storage: instead of all that, the memory as a flat array
    for a tensor declared with `dim` and `strides` (ragged, paged, padded).
    """

    values: Any
    dtype: str
    layout: str = "row_major"
    strides: Optional[Sequence[int]] = None
    by_value: bool = False
    misaligned: bool = False
    offsets: Optional[np.ndarray] = None
    dim: Optional[Sequence[int]] = None
    storage: bool = False
    reordering: Optional[str] = None
    #: Name of the operand that holds the ragged offsets, and its multiplier.
    ragged: Optional[str] = None
    ragged_multiplier: int = 1


def scalar(value, dtype="f32", rank=1):
    """A by-value operand of `rank` axes of extent 1."""
    kind = np.float64 if dtype in FORMAT else np.int64
    return Operand(np.full([1] * rank, value, kind), dtype, by_value=True)


@dataclasses.dataclass
class Output:
    """A result with more to say than its tensor knows. elements: room in
    memory beyond the declared span or instead of it (ragged). offsets: as in
    Operand."""

    tensor: Any
    offsets: Optional[np.ndarray] = None
    elements: Optional[int] = None


@dataclasses.dataclass
class Want:
    """An expected result: float64 or int64 `values`, before the last rounding.

    |judge - values| <= ulps * ulp + absolute, in the result's dtype. With both
    0 the bits must match, the sign of zero included. engine: (ulps, absolute)
    of other engines against the judge; None: the same, at least 1 ulp where
    not exact. tf32: added to that where an engine reads f32 operands as tf32.
    unspecified: mask of elements that may hold anything.
    rounded: `values` are in the result's dtype already (no rounding here).
    """

    values: Any
    ulps: float = 0.0
    absolute: Any = 0.0
    engine: Optional[Tuple[float, Any]] = None
    tf32: Any = 0.0
    unspecified: Optional[np.ndarray] = None

    def engine_bound(self, tf32=False):
        ulps, absolute = (self.ulps, self.absolute) if self.engine is None \
            else self.engine
        return ulps, absolute + self.tf32 if tf32 else absolute


class Operation:
    """Base of a registered operation. Subclasses define:

    cases() -> Case ...                        all cases
    operands(case, rng) -> {name: Operand}     the inputs
    build(case, graph, t) -> {port: tensor or Output}
        adds the op; t: {name: tensor}. Results may get dims, strides, dtypes.
    expected(case, v) -> {port: Want}
        from v: {name: float64/int64 values as stored}
    """

    op = ""

    def make(self, dtype, layout="row_major", edge="plain", **params):
        return make(self.op, dtype, layout, edge, **params)


#: op -> list of Operation (an op may have several sets of cases).
REGISTRY: Dict[str, list] = {}


def operation(cls):
    """Class decorator: registers the Operation under its `op`."""
    REGISTRY.setdefault(cls.op, []).append(cls())
    return cls


def load_all():
    """Imports every file of ops/, so that REGISTRY is full."""
    folder = pathlib.Path(__file__).parent / "ops"
    for path in sorted(folder.glob("[a-z]*.py")):
        importlib.import_module(f"conformance.ops.{path.stem}")
    return REGISTRY


def all_cases(pattern="*"):
    """[(Operation, Case)] of the ops that match; ids are unique within an op."""
    import fnmatch
    found = []
    for op, owners in sorted(load_all().items()):
        if not fnmatch.fnmatch(op, pattern):
            continue
        seen = set()
        for owner in owners:
            for case in owner.cases():
                if case.id in seen:
                    raise ValueError(f"{op}: two cases are '{case.id}'")
                seen.add(case.id)
                found.append((owner, case))
    return found
