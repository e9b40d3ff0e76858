# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Regions: operations that the user's callbacks add inside of another one."""

from . import _arguments as arguments
from ._errors import ArgumentError
from ._tensor import Tensor


class RegionMethods:
    """Part of `pygraph`."""

    def _score_mod_region(self, op, callbacks, dims=None, dtype=None):
        """Runs `callbacks`, {argument of op: callable or None}, in a region and
        returns its number for `_op`; None when all callbacks are None.

        Each is called as callback(graph, tensor), with its own tensor of the
        region, and returns the one in its place; None leaves it as it is.
        `dims` and `dtype` are set on those tensors unless None. When a callback
        raises, the graph is as before, and its exception goes on."""
        for argument, callback in callbacks.items():
            if callback is not None and not callable(callback):
                raise ArgumentError(
                    f"{op}: expected {argument} to be callable, got "
                    f"{type(callback).__name__}")
        if all(callback is None for callback in callbacks.values()):
            return None
        indices = self._native.begin_region(len(callbacks))
        try:
            results = []
            for index in indices:
                if dims is not None:
                    self._native.set_dim(
                        index, arguments.integers(f"{op}: dims", dims))
                if dtype is not None:
                    self._native.set_dtype(index, int(dtype))
            for index, (argument, callback) in zip(indices, callbacks.items()):
                tensor = self._tensor(index)
                result = tensor if callback is None else callback(self, tensor)
                results.append(self._returned(op, argument, result))
            return self._native.end_region(results)
        except BaseException:
            self._abandon_region()
            raise

    def _returned(self, op, argument, result):
        """The number of what a callback returned."""
        if not isinstance(result, Tensor):
            raise ArgumentError(
                f"{op}: expected {argument} to return a tensor, got "
                f"{type(result).__name__}")
        if result.graph is not self or result._index < 0:
            raise ArgumentError(
                f"{op}: expected {argument} to return a tensor of graph "
                f"'{self.name}', got one of graph '{result.graph.name}'"
                + (" that was dropped" if result.graph is self else ""))
        return result._index

    def _abandon_region(self):
        """Drops the last region, and the tensors made since it was begun."""
        self._native.abandon_region()
        count = self._native.num_tensors()
        for index, tensor in list(self._tensors.items()):
            if index >= count:
                del self._tensors[index]
                tensor._drop()
                self._alignment_values.pop(index, None)
        for array in [a for a, t in self._described.items() if t._index < 0]:
            self._bound.pop(self._described.pop(array), None)
