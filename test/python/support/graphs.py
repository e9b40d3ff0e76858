# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a graph through a named engine on NumPy arrays."""

import numpy as np
import opgraph

from .dtypes import NUMPY, OPGRAPH

REFERENCE, FUSED = 10000, 10100
ENGINES = {REFERENCE: "host.reference", FUSED: "host.fused"}
NAME_OF = {np.dtype(v): k for k, v in NUMPY.items()}


class Declined(Exception):
    """The engine declined the graph; the text says why."""


def strides_of(array):
    """Strides in elements."""
    return [s // array.itemsize for s in array.strides]


def packed(shape, order):
    """Strides of `shape` packed in `order`, slowest axis first."""
    strides, step = [0] * len(shape), 1
    for axis in reversed(order):
        strides[axis] = step
        step *= max(shape[axis], 1)
    return strides


def declare(graph, array, name="", **more):
    """A graph input that describes `array` with its own strides, and promises
    no more alignment than it has (a view may start anywhere)."""
    tensor = graph.tensor(dim=list(array.shape), stride=strides_of(array),
                          data_type=OPGRAPH[NAME_OF[array.dtype]], name=name,
                          **more)
    address = array.ctypes.data
    return tensor.set_alignment(min(16, address & -address or 16))


def new_graph(io="f32", intermediate="f32", compute="f32", **more):
    return opgraph.pygraph(io_data_type=OPGRAPH[io],
                           intermediate_data_type=OPGRAPH[intermediate],
                           compute_data_type=OPGRAPH[compute], **more)


def empty_like_tensor(tensor, slack=7):
    """A poisoned array with the tensor's extents and strides, inside a larger
    buffer whose other bytes must survive: (array, guard check)."""
    dim, stride = tensor.get_dim(), tensor.get_stride()
    dtype = NUMPY[next(k for k, v in OPGRAPH.items()
                       if v is tensor.get_data_type())]
    span = 0 if 0 in dim else 1 + sum((d - 1) * s for d, s in zip(dim, stride))
    itemsize = np.dtype(dtype).itemsize
    # The base is aligned to the 16 bytes that a declaration promises.
    raw = np.full((span + 2 * slack) * itemsize + 64, 0xA5, np.uint8)
    start = (-(raw.ctypes.data + slack * itemsize) % 16) + slack * itemsize
    # Strided as plain bytes of that size: NumPy cannot stride ml_dtypes types.
    flat = raw[start:start + span * itemsize].view(f"u{itemsize}")
    array = np.lib.stride_tricks.as_strided(
        flat, dim, [s * itemsize for s in stride]).view(dtype) if span else \
        np.empty(dim, dtype)
    untouched = np.ones(raw.size, bool)
    if span:
        marks = np.zeros(span, bool)
        np.lib.stride_tricks.as_strided(marks, dim, stride)[...] = True
        untouched[start:start + span * itemsize] = ~np.repeat(marks, itemsize)

    def check():
        assert (raw[untouched] == 0xA5).all(), \
            f"bytes outside the elements of '{tensor.get_name()}' were written"
    return array, check


def run(graph, inputs, outputs, engine):
    """Executes `graph` on `engine`. inputs: {tensor: array}; outputs: list of
    tensors. Returns their arrays. Raises Declined."""
    for tensor in outputs:
        tensor.set_output(True)
    try:
        graph.create_execution_plan(engine)
    except opgraph.cudnnGraphNotSupportedError as error:
        raise Declined(str(error)) from error
    graph.build_plans()
    pack, results, checks = dict(inputs), [], []
    for tensor in outputs:
        array, check = empty_like_tensor(tensor)
        pack[tensor] = array
        results.append(array)
        checks.append(check)
    size = graph.get_workspace_size()
    workspace = np.full(size, 0xFF, np.uint8) if size else None
    graph.execute(pack, workspace)
    for check in checks:
        check()
    return results
