# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations whose signature in the peers' API is not the regular one (tensors,
then attributes, `name` and `compute_data_type` by keyword)."""

import builtins

from ._enums import reduction_mode
from ._errors import ArgumentError, InvalidGraphError, InvalidValueError
from ._ops import OpMethods
from ._tensor import Tensor


class StructuredMethods(OpMethods):
    """Overrides of the generated methods."""

    def matmul(self, A, B, compute_data_type=None, padding=0.0, name="", *,
               M_override=None, N_override=None, K_override=None,
               out_dims=None):
        """C = A B on the last two axes; the others are batch and broadcast."""
        return self._op("matmul", {
            "A": A, "B": B, "M_override": M_override, "N_override": N_override,
            "K_override": K_override}, {"padding": padding}, name,
            compute_data_type, out_dims)

    def reduction(self, input, group_offset=None, mode=None, *, name="",
                  compute_data_type=None, out_dims=None):
        """Reduces the axes whose result extent is 1; with `group_offset`, rows
        group by group. Set the result's dims."""
        if isinstance(group_offset, reduction_mode):
            # 1.23's order: the mode second.
            group_offset, mode = None, group_offset
        return self._op("reduction", {
            "input": input, "group_offset": group_offset}, {"mode": mode}, name,
            compute_data_type, out_dims)

    def reshape(self, input, reshape_mode=None, *, name="",
                compute_data_type=None, out_dims=None):
        """The same elements under other extents. Set the result's dims."""
        return self._op("reshape", {"input": input},
                        {"reshape_mode": reshape_mode}, name,
                        compute_data_type, out_dims)

    def transpose(self, input, permutation, *, name="", compute_data_type=None,
                  out_dims=None):
        """Axis i of the result is axis permutation[i] of the input."""
        return self._op("transpose", {"input": input},
                        {"permutation": permutation}, name,
                        compute_data_type, out_dims)

    def slice(self, input, slices, *, name="", compute_data_type=None,
              out_dims=None):
        """A sub-box by one Python slice for each axis."""
        dims = _extents(input)
        if not isinstance(slices, (list, tuple)) or not all(
                isinstance(part, builtins.slice) for part in slices):
            raise ArgumentError(
                f"slice: expected a sequence of Python slices, got {slices!r}")
        if dims is None:
            # Of a result that is not inferred yet: validate checks the bounds.
            dims = [_upper_bound(axis, part)
                    for axis, part in enumerate(slices)]
        if len(slices) != len(dims):
            raise InvalidGraphError(
                f"slice: expected {len(dims)} slices for an input of rank "
                f"{len(dims)}, got {len(slices)}")
        bounds = []
        for axis, (part, extent) in enumerate(zip(slices, dims)):
            if part.step is not None and part.step <= 0:
                raise InvalidValueError(
                    f"slice: expected a positive step on axis {axis}, got "
                    f"{part.step}")
            if extent < 0:
                raise InvalidValueError(
                    f"slice: expected extents of at least 0, got {extent} on "
                    f"axis {axis}")
            start, stop, step = part.indices(extent)
            bounds.append((start, max(start, stop), step))
        start, stop, step = (list(column) for column in zip(*bounds)) \
            if bounds else ([], [], [])
        return self._op("slice", {"input": input},
                        {"start": start, "stop": stop, "step": step}, name,
                        compute_data_type, out_dims)

    def concatenate(self, axis=None, in_place_index=None, *, inputs=None,
                    name="", compute_data_type=None, out_dims=None):
        """Joins `inputs` along `axis`."""
        if inputs is None and isinstance(axis, (list, tuple)):
            # 1.23's order: inputs first.
            inputs, axis, in_place_index = axis, in_place_index, None
        if inputs is not None and not isinstance(inputs, (list, tuple)):
            raise ArgumentError("concatenate: expected inputs to be a list of "
                                f"tensors, got {type(inputs).__name__}")
        if not inputs:
            raise InvalidValueError("concatenate: expected inputs, got none")
        if axis is None:
            raise InvalidGraphError("concatenate: axis is not set")
        return self._op("concatenate", {"inputs": list(inputs)},
                        {"axis": axis, "in_place_index": in_place_index}, name,
                        compute_data_type, out_dims)


def _extents(tensor):
    """The extents of a tensor or array; None while they are unset."""
    if isinstance(tensor, Tensor):
        return tensor._info()["dim"]
    if not hasattr(tensor, "shape"):
        raise ArgumentError(
            "slice: expected argument 'input' to be a tensor or an array, got "
            f"{type(tensor).__name__}")
    return list(tensor.shape)


def _upper_bound(axis, part):
    """The stop of a slice of an axis whose extent is unknown."""
    for bound, value in (("start", part.start or 0), ("stop", part.stop)):
        if value is None or value < 0:
            raise InvalidGraphError(
                f"slice: the input's extents are not set yet, so expected a "
                f"{bound} of at least 0 on axis {axis}, got {value}")
    return part.stop
