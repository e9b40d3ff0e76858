# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Handles: where a graph runs. Without CUDA there is the host's only, whose
one stream is 0."""

from ._errors import ArgumentError, InvalidValueError


class Handle:
    """A device and a stream. Compared by identity."""

    __slots__ = ("device", "stream", "_alive")

    def __init__(self):
        self.device = "host"
        self.stream = 0
        self._alive = True

    @property
    def backend_handle(self):
        """The library's own handle; the host has none."""
        return 0


def create_handle():
    """A handle of the default target."""
    return Handle()


def _check(handle, call):
    if not isinstance(handle, Handle):
        raise ArgumentError(
            f"{call}: expected an opgraph Handle, got {type(handle).__name__}")


def destroy_handle(handle):
    """Ends a handle; a second call does nothing."""
    _check(handle, "destroy_handle")
    handle._alive = False


def set_stream(handle, stream):
    """Sets the stream that executions with this handle use."""
    _check(handle, "set_stream")
    if stream != 0:
        raise InvalidValueError(
            f"set_stream: expected stream 0 on a host handle, got {stream}")
    handle.stream = 0


def get_stream(handle):
    """The stream of a handle, as an int."""
    _check(handle, "get_stream")
    return handle.stream
