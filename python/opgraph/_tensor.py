# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors of a graph: a view of what the graph knows, with chaining setters."""

import json

from . import _arguments as arguments
from ._enums import data_type, tensor_reordering
from ._errors import InvalidGraphError


class _Dropped:
    """In the place of the graph of a tensor whose region is gone."""

    def __getattr__(self, call):
        raise InvalidGraphError(
            "this tensor was made in a region that was dropped, because a "
            "callback or its operation failed")


class Tensor:
    """A tensor of one graph; made by the graph, never by a caller. Hashable by
    identity. Setters return the tensor; after planning they raise."""

    __slots__ = ("graph", "_native", "_index", "_uid_cache", "__weakref__")

    def __init__(self, graph, index):
        self.graph = graph
        self._native = graph._native
        self._index = index
        self._uid_cache = None

    def _drop(self):
        """Makes this a tensor of no graph: the region it was in is gone."""
        self._index, self._native = -2, _Dropped()

    # What the extension reads from a key of a variant pack.
    @property
    def _uid(self):
        if self._uid_cache is None:
            uid = self._info()["uid"]
            # Only a frozen graph's uids are final.
            if not self._native.is_frozen():
                return uid
            self._uid_cache = uid
        return self._uid_cache

    def _info(self):
        return self._native.tensor_info(self._index)

    def _what(self, field):
        """Names `field` in errors."""
        return f"tensor '{self._info()['name']}': {field}"

    def get_name(self):
        """The label; need not be unique."""
        return self._info()["name"]

    def set_name(self, name):
        """Sets the label."""
        self._native.set_name(self._index, arguments.text("set_name", name))
        return self

    def get_data_type(self):
        """The element type; NOT_SET while unknown."""
        return data_type(self._info()["dtype"])

    def set_data_type(self, value):
        """Sets the element type, which is where values round."""
        self._native.set_dtype(
            self._index, int(arguments.dtype(self._what("data_type"), value)))
        return self

    def get_dim(self):
        """Extents; [] while unset."""
        return self._info()["dim"] or []

    def set_dim(self, dim):
        """Sets the extents."""
        self._native.set_dim(
            self._index, arguments.integers(self._what("dim"), dim))
        return self

    def get_stride(self):
        """Strides in elements; [] while unset."""
        return self._info()["stride"] or []

    def set_stride(self, stride):
        """Sets the strides in elements, one per extent."""
        self._native.set_stride(
            self._index, arguments.integers(self._what("stride"), stride))
        return self

    def get_uid(self):
        """The key in variant packs: the one set, else an automatic one."""
        return self._info()["uid"]

    def set_uid(self, uid):
        """Sets the key in variant packs: at least 0, unique in the graph."""
        self._native.set_uid(
            self._index, arguments.integer(self._what("uid"), uid))
        return self

    def get_is_virtual(self):
        """Whether it is inside the graph: no operand of a call."""
        return self._info()["is_virtual"]

    def set_is_virtual(self, value):
        """The opposite of set_output."""
        self._native.set_virtual(self._index, bool(value))
        return self

    def set_output(self, value):
        """Makes it an output of the graph, or takes that back."""
        return self.set_is_virtual(not value)

    def get_is_pass_by_value(self):
        """Whether it is a scalar in host memory, read at each call."""
        return self._info()["by_value"]

    def set_is_pass_by_value(self, value):
        """Makes an input of one element a scalar in host memory."""
        self._native.set_by_value(self._index, bool(value))
        return self

    def get_has_compile_time_constant(self):
        """Whether it is a constant, fixed in the plan."""
        return self._info()["is_constant"]

    def get_reordering_type(self):
        """How blocks of elements are reordered in memory."""
        return tensor_reordering(self._info()["reordering"])

    def set_reordering_type(self, value):
        """Sets the reordering; engines without that rule decline."""
        what = self._what("reordering_type")
        self._native.set_reordering(self._index,
                                    arguments.integer(what, value))
        return self

    def get_alignment(self):
        """Bytes of pointer alignment promised; 16 unless set."""
        return self._info()["alignment"]

    def set_alignment(self, value):
        """Promises a power of two of bytes, at most 4096."""
        self._native.set_alignment(
            self._index, arguments.integer(self._what("alignment"), value))
        return self

    def get_vector_count(self):
        """Elements per vector of a vectorised layout: always 1."""
        return 1

    def get_vector_dimension(self):
        """The axis of a vectorised layout: always -1, none."""
        return -1

    @property
    def ragged_offset(self):
        """The tensor of where each packed sequence starts, or None."""
        return self.graph._tensor(self._info()["ragged_offset"])

    def set_ragged_offset(self, offset, multiplier=None):
        """Sets where each packed sequence starts: `offset`, times `multiplier`
        (the one set before, or 1). None makes the tensor dense."""
        if offset is not None:
            offset = self.graph._operand("set_ragged_offset", "offset", offset)
        if multiplier is None:
            multiplier = self.get_ragged_offset_multiplier()
        self._native.set_ragged_offset(
            self._index, -1 if offset is None else offset,
            arguments.integer(self._what("multiplier"), multiplier))
        return self

    def get_ragged_offset_multiplier(self):
        """What values of the ragged offset are multiplied by; 1 unless set."""
        return self._info()["ragged_multiplier"]

    def set_ragged_offset_multiplier(self, value):
        """Sets what values of the ragged offset are multiplied by."""
        self._native.set_ragged_offset(
            self._index, self._info()["ragged_offset"],
            arguments.integer(self._what("multiplier"), value))
        return self

    def get_alignment_value(self):
        """What every value stored is a multiple of; 1 unless set."""
        return self.graph._alignment_values.get(self._index, 1)

    def set_alignment_value(self, value):
        """The peers' hint on the values stored; no engine here needs it."""
        self.graph._alignment_values[self._index] = arguments.integer(
            self._what("alignment_value"), value)
        return self

    def __repr__(self):
        info = self._info()
        ragged = self.ragged_offset
        return json.dumps({
            "name": info["name"],
            "data_type": data_type(info["dtype"]).name,
            "dim": info["dim"], "stride": info["stride"], "uid": info["uid"],
            "is_virtual": info["is_virtual"],
            "is_pass_by_value": info["by_value"],
            "pass_by_value": info["value"],
            "reordering_type": tensor_reordering(info["reordering"]).name,
            "ragged_offset_uid": ragged and ragged.get_uid(),
            "ragged_offset_name": ragged and ragged.get_name(),
            "ragged_offset_multiplier": info["ragged_multiplier"],
            "alignment": info["alignment"]})


def require_same_graph(tensor, graph, op, argument):
    """Refuses a tensor of another graph, naming both."""
    if tensor.graph is not graph:
        raise InvalidGraphError(
            f"{op}: argument '{argument}' is tensor '{tensor.get_name()}' of "
            f"graph '{tensor.graph.name}', expected one of '{graph.name}'")
    if tensor._index < 0:
        raise InvalidGraphError(
            f"{op}: argument '{argument}' is a tensor of a region that was "
            "dropped, because a callback or its operation failed")
