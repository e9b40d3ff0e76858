# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layout ops of what is computed, and copies that change the order of memory.
Whole numbers, so that every result is exact."""

import numpy as np
import opgraph

from ..case import Operand, Operation, Want, operation
from ..memory import strides_for

FLOATS = ("f32", "bf16", "f16")


class LayoutGraph(Operation):
    #: edge -> (shapes, graph of the tensors, NumPy's of the arrays)
    GRAPHS = {}
    #: edge -> more element types
    MORE = {}

    def cases(self):
        for edge in self.GRAPHS:
            for dtype in FLOATS + self.MORE.get(edge, ()):
                yield self.make(dtype, edge=edge, intermediate=dtype)

    def operands(self, case, rng):
        shapes = self.GRAPHS[case.edge][0]
        return {f"in{i}": Operand(rng.integers(-4, 5, shape).astype(np.float64),
                                  case.dtype, layout)
                for i, (shape, layout) in enumerate(
                    s if isinstance(s[-1], str) else (s, "row_major")
                    for s in shapes)}

    def build(self, case, graph, t):
        _, make, numpy = self.GRAPHS[case.edge]
        found = make(graph, *t.values())
        found = found if isinstance(found, tuple) else (found,)
        shapes = self.results(case, [np.zeros(x.get_dim()) for x in t.values()])
        for out, like in zip(found, shapes):
            out.set_dim(like.shape).set_stride(
                strides_for(like.shape, "row_major"))
        return dict(zip(("Y", "Z"), found))

    def results(self, case, arrays):
        found = self.GRAPHS[case.edge][2](*arrays)
        return found if isinstance(found, tuple) else (found,)

    def expected(self, case, v):
        return {port: Want(value) for port, value in
                zip(("Y", "Z"), self.results(case, list(v.values())))}


def reshape(graph, x, dims):
    return graph.reshape(x, opgraph.reshape_mode.LOGICAL).set_dim(
        dims).set_stride(strides_for(dims, "row_major"))


@operation
class TransposeGraph(LayoutGraph):
    op = "transpose"
    MORE = {"odd extents": ("e4m3", "i8", "i64", "f64"),
            "batched": ("e4m3", "i32")}
    GRAPHS = {
        "odd extents": ([(67, 45)], lambda g, x: g.transpose(x, [1, 0]),
                        lambda x: x.T),
        "split sectors": ([(36, 44)], lambda g, x: g.transpose(x, [1, 0]),
                          lambda x: x.T),
        "pairs": ([(42, 38)], lambda g, x: g.transpose(x, [1, 0]),
                  lambda x: x.T),
        "batched": ([(2, 40, 72)], lambda g, x: g.transpose(x, [0, 2, 1]),
                    lambda x: x.transpose(0, 2, 1)),
        "far axes": ([(33, 2, 3, 34)],
                     lambda g, x: g.transpose(x, [3, 1, 2, 0]),
                     lambda x: x.transpose(3, 1, 2, 0)),
        "to channels last": ([(2, 40, 6, 8)],
                             lambda g, x: g.transpose(x, [0, 2, 3, 1]),
                             lambda x: x.transpose(0, 2, 3, 1)),
        "from channels last": ([((2, 40, 6, 8), "channels_last")],
                               lambda g, x: g.relu(x),
                               lambda x: np.maximum(x, 0)),
        "of a sum": ([(48, 80), (80,)],
                     lambda g, x, b: g.relu(g.transpose(g.add(x, b), [1, 0])),
                     lambda x, b: np.maximum((x + b).T, 0)),
        "and not": ([(48, 64), (64, 48), (64, 48)],
                    lambda g, x, y, z: g.add(
                        g.add(g.transpose(x, [1, 0]), y), z),
                    lambda x, y, z: x.T + y + z),
        "of two": ([(48, 64), (48, 64), (64, 1)],
                   lambda g, x, y, z: g.add(g.add(g.transpose(
                       x, [1, 0]), g.transpose(y, [1, 0])), z),
                   lambda x, y, z: x.T + y.T + z),
        "and kept": ([(40, 56), (40, 1)], lambda g, x, b: kept(g, x, b),
                     lambda x, b: (x + b, (x + b).T)),
        "of a row sum": ([(40, 3, 5)], lambda g, x: g.transpose(
            row_sum(g, x, (40, 3, 1)), [2, 1, 0]),
            lambda x: x.sum(-1, keepdims=True).transpose(2, 1, 0)),
    }


def kept(graph, x, b):
    y = graph.add(x, b)
    return y, graph.transpose(y, [1, 0])


def row_sum(graph, x, dims):
    return graph.reduction(x, mode=opgraph.reduction_mode.ADD).set_dim(
        dims).set_stride(strides_for(dims, "row_major"))


@operation
class ReshapeGraph(LayoutGraph):
    op = "reshape"
    GRAPHS = {
        "of a sum": ([(6, 8), (8,)],
                     lambda g, x, b: reshape(g, g.add(x, b), (4, 12)),
                     lambda x, b: (x + b).reshape(4, 12)),
        "inside": ([(6, 8), (8,), (4, 12)],
                   lambda g, x, b, c: g.sub(
                       reshape(g, g.add(x, b), (4, 12)), c),
                   lambda x, b, c: (x + b).reshape(4, 12) - c),
        "of a transpose": ([(6, 8)], lambda g, x: g.relu(reshape(
            g, g.transpose(x, [1, 0]), (4, 12))),
            lambda x: np.maximum(x.T.reshape(4, 12), 0)),
        "of a channels-last argument": (
            [((2, 4, 3, 5), "channels_last")],
            lambda g, x: g.relu(reshape(g, x, (8, 15))),
            lambda x: np.maximum(x.reshape(8, 15), 0)),
        "of a row sum": ([(6, 8), (2, 3)], lambda g, x, y: g.add(
            reshape(g, row_sum(g, x, (6, 1)), (2, 3)), y),
            lambda x, y: x.sum(1).reshape(2, 3) + y),
    }


@operation
class SliceGraph(LayoutGraph):
    op = "slice"
    GRAPHS = {
        "of a sum": ([(9, 16), (16,)],
                     lambda g, x, b: g.slice(g.add(x, b), [
                         slice(1, 8, 2), slice(3, 14, 1)]),
                     lambda x, b: (x + b)[1:8:2, 3:14]),
        "gate": ([(5, 32)], lambda g, x: g.mul(
            g.relu(g.slice(x, [slice(0, 5), slice(0, 16)])),
            g.slice(x, [slice(0, 5), slice(16, 32)])),
            lambda x: np.maximum(x[:, :16], 0) * x[:, 16:]),
        "of a reshape": ([(6, 8), (8,)], lambda g, x, b: g.slice(reshape(
            g, g.add(x, b), (4, 12)), [slice(1, 4), slice(2, 7)]),
            lambda x, b: (x + b).reshape(4, 12)[1:4, 2:7]),
        "of a column sum": ([(9, 16), (9, 4)], lambda g, x, y: g.add(g.slice(
            row_sum(g, x, (1, 16)), [slice(0, 1), slice(5, 9)]), y),
            lambda x, y: x.sum(0, keepdims=True)[:, 5:9] + y),
    }


def joined(axis, then=None):
    def make(graph, a, b, c):
        y = graph.concatenate(axis, inputs=[graph.relu(a), b, graph.add(c, c)])
        return then[0](graph, y) if then else y

    def numpy(a, b, c):
        y = np.concatenate([np.maximum(a, 0), b, c + c], axis)
        return then[1](y) if then else y
    return make, numpy


def rotate_half(graph, x, s):
    low = graph.slice(x, [slice(0, 6), slice(0, 16)])
    high = graph.slice(x, [slice(0, 6), slice(16, 32)])
    return graph.add(graph.mul(graph.concatenate(
        1, inputs=[graph.neg(high), low]), s), x)


@operation
class ConcatenateGraph(LayoutGraph):
    op = "concatenate"
    GRAPHS = {
        "rows": ([(5, 4, 6), (3, 4, 6), (9, 4, 6)], *joined(0)),
        "columns": ([(5, 3, 6), (5, 7, 6), (5, 2, 6)], *joined(1)),
        "elements": ([(5, 3, 6), (5, 3, 1), (5, 3, 9)], *joined(2)),
        "transposed": ([(40, 5), (40, 16), (40, 30)], *joined(
            1, (lambda g, y: g.transpose(y, [1, 0]), lambda y: y.T))),
        "inside": ([(5, 3), (5, 7), (5, 2)], *joined(
            1, (lambda g, y: g.relu(y), lambda y: np.maximum(y, 0)))),
        "summed": ([(5, 3), (5, 7), (5, 2)], *joined(
            1, (lambda g, y: row_sum(g, y, (5, 1)),
                lambda y: y.sum(1, keepdims=True)))),
        "sliced and reshaped": ([(9, 3), (9, 7), (9, 6)], *joined(1, (
            lambda g, y: g.relu(reshape(g, g.slice(
                y, [slice(1, 9), slice(2, 14)]), (12, 8))),
            lambda y: np.maximum(y[1:9, 2:14].reshape(12, 8), 0)))),
        "rotated halves": ([(6, 32), (6, 1)], rotate_half, lambda x, s:
                           np.concatenate([-x[:, 16:], x[:, :16]], 1) * s + x),
    }
