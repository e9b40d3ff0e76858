# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Handles: the device and the stream that a graph runs on."""

from . import _device
from ._errors import ArgumentError, InvalidValueError


class Handle:
    """A device and a stream. Compared by identity."""

    __slots__ = ("_target", "_ordinal", "stream", "_alive")

    def __init__(self, target=_device.HOST):
        self._target = target
        # Of the CUDA device; -1 on the host.
        self._ordinal = -1 if target.ordinal is None else target.ordinal
        self.stream = 0
        self._alive = True

    @property
    def device(self):
        """"host" or "cuda:N"."""
        return self._target.name

    @property
    def backend_handle(self):
        """The library's own handle; none is needed yet."""
        return 0


def create_handle(device=None):
    """A handle of `device` ("host", "cuda:N", an ordinal); None takes
    OPGRAPH_DEVICE, else CUDA device 0 where there is one, else the host."""
    target = _device.default() if device is None \
        else _device.parse("create_handle", device)
    if target.ordinal is None and target is not _device.HOST:
        # A description has nothing to run on here.
        target = _device.HOST
    return Handle(target)


def _check(handle, call):
    if not isinstance(handle, Handle):
        raise ArgumentError(
            f"{call}: expected an opgraph Handle, got {type(handle).__name__}")


def destroy_handle(handle):
    """Ends a handle; a second call does nothing."""
    _check(handle, "destroy_handle")
    handle._alive = False


def stream_address(call, stream):
    """The address of a CUDA stream, given as that or as a framework's object
    (`__cuda_stream__`, or torch's `cuda_stream`)."""
    if isinstance(stream, int) and not isinstance(stream, bool):
        if not 0 <= stream < 1 << 64:
            raise InvalidValueError(
                f"{call}: expected the address of a stream, got {stream}")
        return stream
    if hasattr(stream, "__cuda_stream__"):
        return stream_address(call, stream.__cuda_stream__()[1])
    if hasattr(stream, "cuda_stream"):
        return stream_address(call, stream.cuda_stream)
    raise ArgumentError(
        f"{call}: expected a stream or its address, got "
        f"{type(stream).__name__}")


def graph_address(call, graph):
    """The address of a CUDA graph, given as that or as torch's CUDAGraph."""
    if hasattr(graph, "raw_cuda_graph"):
        graph = graph.raw_cuda_graph()
    if isinstance(graph, int) and not isinstance(graph, bool) and graph > 0:
        return graph
    raise ArgumentError(
        f"{call}: expected a CUDA graph or its address, got {graph!r}")


def set_stream(handle, stream):
    """Sets the stream that executions with this handle use: an address, or a
    framework's stream. 0 is the default stream, and the host's only one."""
    _check(handle, "set_stream")
    stream = stream_address("set_stream", stream)
    if stream != 0 and handle._ordinal < 0:
        raise InvalidValueError(
            f"set_stream: expected stream 0 on a host handle, got {stream}")
    handle.stream = stream


def get_stream(handle):
    """The stream of a handle, as an int."""
    _check(handle, "get_stream")
    return handle.stream
