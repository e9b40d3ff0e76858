# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs whose extents and strides a call gives, and calls of them: what the
judge, generated kernels in the interpreter and a GPU are asked to agree on."""

import dataclasses
from collections.abc import Callable

import numpy as np
import opgraph

from . import graphs
from .dtypes import NUMPY, OPGRAPH


@dataclasses.dataclass
class Operand:
    dtype: str
    shape: Callable
    #: In elements; packed row-major without.
    strides: Callable = None
    is_output: bool = False


@dataclasses.dataclass
class Case:
    name: str
    #: {uid: Operand}
    operands: dict
    #: Sizes of calls, the declared ones first: positional to the callables.
    calls: list
    #: (graph, {uid: tensor}) -> the outputs, in the order of their uids.
    build: Callable = None
    #: Or the graph as text.
    text: str = None
    ulps: float = 4
    absolute: float = 1e-6

    def declare(self, **more):
        """The graph at its declared sizes."""
        if self.text:
            return opgraph.parse(self.text, **more)
        graph = graphs.new_graph(is_override_shape_enabled=True, **more)
        tensors = {}
        for uid, operand in self.operands.items():
            if not operand.is_output:
                dim, stride = self.describe(operand, self.calls[0])
                tensors[uid] = graph.tensor(
                    dim=dim, stride=stride, uid=uid,
                    data_type=OPGRAPH[operand.dtype])
        outputs = [uid for uid, o in self.operands.items() if o.is_output]
        for uid, tensor in zip(outputs, self.build(graph, tensors)):
            dim, stride = self.describe(self.operands[uid], self.calls[0])
            tensor.set_output(True).set_uid(uid).set_dim(dim)
            tensor.set_stride(stride)
            tensor.set_data_type(OPGRAPH[self.operands[uid].dtype])
        return graph

    @staticmethod
    def describe(operand, sizes):
        dim = list(operand.shape(*sizes))
        if operand.strides:
            return dim, list(operand.strides(*sizes))
        return dim, graphs.packed(dim, range(len(dim)))

    def arrays(self, sizes, seed=0):
        """{uid: array} of a call; outputs hold a pattern. Arrays are views of
        memory that is as long as their last element."""
        rng = np.random.default_rng(seed)
        found = {}
        for uid, operand in self.operands.items():
            dim, stride = self.describe(operand, sizes)
            dtype = np.dtype(NUMPY[operand.dtype])
            span = 0 if 0 in dim else 1 + sum(
                (d - 1) * s for d, s in zip(dim, stride))
            flat = np.zeros(max(span, 1), dtype)
            if operand.is_output:
                flat.view(np.uint8)[:] = 0xA5
            else:
                values = rng.standard_normal(flat.size) if \
                    operand.dtype[0] in "fb" else rng.integers(-9, 9, flat.size)
                flat[:] = values.astype(dtype)
            raw = flat.view(f"u{dtype.itemsize}")
            found[uid] = np.lib.stride_tricks.as_strided(
                raw, dim, [s * dtype.itemsize for s in stride]).view(dtype)
        return found


def overrides_of(pack):
    """The extents and strides of the arrays, as the arguments of a call."""
    return dict(override_uids=list(pack),
                override_shapes=[list(a.shape) for a in pack.values()],
                override_strides=[graphs.strides_of(a) for a in pack.values()])


def run_host(case, pack, engine=graphs.REFERENCE):
    graph = case.declare(device="host")
    graph.create_execution_plan(engine)
    graph.build_plans()
    overrides = overrides_of(pack)
    size = graph.get_workspace_size(**overrides)
    graph.execute(pack, np.full(size, 0xFF, np.uint8), **overrides)


def rows(m, n):
    return [m, n]


def row(m, n):
    return [1, n]


def column(m, n):
    return [m, 1]


def norm(graph, t):
    epsilon = graph.tensor_scalar(
        1e-5, opgraph.scalar_type.COMPILE_TIME_CONST)
    y, mean, inverse = graph.layernorm(
        norm_forward_phase=opgraph.norm_forward_phase.TRAINING, input=t[1],
        scale=t[2], bias=t[3], epsilon=epsilon)
    return [y, mean, inverse]


SIZES = [(64, 768), (1, 1), (3, 5), (65, 768), (64, 770), (2, 776), (7, 1000),
         (130, 8), (1, 4104), (5, 3), (0, 16), (4, 0)]
LONG = [(8, 8192), (3, 8192), (2, 8200), (2, 9001), (1, 33000), (5, 64), (2, 1)]
TALL = [(4096, 96), (5000, 96), (33, 96), (1, 96), (4096, 97), (777, 5),
        (9000, 3), (2, 1), (0, 8)]

SOFTMAX = """
graph.graph @softmax(
    %x: tensor<?x?xf32, #graph.layout<symbols = ["M", "N"]>> {graph.uid = 1 : i64})
    -> (tensor<?x?xf32, #graph.layout<symbols = ["M", "N"]>> {graph.uid = 2 : i64})
    attributes {dynamic} {
  %0 = graph.softmax %x : (tensor<?x?xf32, #graph.layout<symbols = ["M", "N"]>>) -> tensor<?x?xf32, #graph.layout<symbols = ["M", "N"]>>
  graph.return %0 : tensor<?x?xf32, #graph.layout<symbols = ["M", "N"]>>
}
"""

#: A batch and a sequence of any length, channels as declared, and a stride that
#: only a call knows.
CHANNELS = """
graph.graph @channels(
    %x: tensor<?x?x64xbf16, #graph.layout<strides = [?, ?, 1], symbols = ["B", "S", ""]>> {graph.uid = 1 : i64})
    -> (tensor<?x64x?xbf16, #graph.layout<symbols = ["B", "", "S"]>> {graph.uid = 2 : i64})
    attributes {dynamic, compute_type = f32} {
  %0 = graph.relu %x : (tensor<?x?x64xbf16, #graph.layout<strides = [?, ?, 1], symbols = ["B", "S", ""]>>) -> tensor<?x?x64xbf16, #graph.layout<symbols = ["B", "S", ""]>>
  %1 = graph.transpose %0 [0, 2, 1] : (tensor<?x?x64xbf16, #graph.layout<symbols = ["B", "S", ""]>>) -> tensor<?x64x?xbf16, #graph.layout<symbols = ["B", "", "S"]>>
  graph.return %1 : tensor<?x64x?xbf16, #graph.layout<symbols = ["B", "", "S"]>>
}
"""


def elementwise(dtype):
    return Case(
        f"add_{dtype}",
        {1: Operand(dtype, rows), 2: Operand(dtype, row),
         3: Operand(dtype, column), 9: Operand(dtype, rows, is_output=True)},
        SIZES, lambda g, t: [g.mul(g.add(t[1], t[2]), t[3])])


def reduction(name, mode, sizes, shape, dtype="f32"):
    return Case(
        name, {1: Operand(dtype, rows), 9: Operand("f32", shape, is_output=True)},
        sizes, lambda g, t: [g.reduction(t[1], mode=mode)], ulps=64,
        absolute=1e-3)


def slices(graph, t):
    return [graph.slice(t[1], slices=[slice(None), slice(4, 12), slice(None)])]


def joined(graph, t):
    return [graph.concatenate(axis=1, inputs=[t[1], graph.relu(t[2])])]


MODE = opgraph.reduction_mode
CASES = [
    elementwise("f32"), elementwise("bf16"), elementwise("i8"),
    Case("padded",
         {1: Operand("bf16", rows, lambda m, n: [n + 8, 1]),
          9: Operand("bf16", rows, lambda m, n: [n + 16, 1], is_output=True)},
         [(64, 768), (5, 760), (5, 761), (1, 1), (300, 24)],
         lambda g, t: [g.relu(t[1])]),
    Case("layernorm",
         {1: Operand("bf16", rows), 2: Operand("f32", row),
          3: Operand("f32", row), 7: Operand("bf16", rows, is_output=True),
          8: Operand("f32", column, is_output=True),
          9: Operand("f32", column, is_output=True)},
         SIZES[:-1] + LONG, norm, ulps=4, absolute=2e-2),
    reduction("row_sums", MODE.ADD, LONG + [(3, 0)], column, "bf16"),
    reduction("column_sums", MODE.ADD, TALL, row),
    reduction("column_averages", MODE.AVG, TALL[:-1], row, "bf16"),
    reduction("all_max", MODE.MAX, [(512, 2048), (3, 7), (1000, 999), (1, 1)],
              lambda m, n: [1, 1]),
    Case("transpose",
         {1: Operand("bf16", lambda b, m, n: [b, m, n]),
          9: Operand("bf16", lambda b, m, n: [b, n, m], is_output=True)},
         [(2, 64, 128), (1, 1, 1), (3, 65, 31), (5, 40, 8), (2, 200, 136)],
         lambda g, t: [g.transpose(t[1], permutation=[0, 2, 1])]),
    Case("slice",
         {1: Operand("f32", lambda b, n: [b, 16, n]),
          9: Operand("f32", lambda b, n: [b, 8, n], is_output=True)},
         [(4, 64), (1, 1), (3, 17), (9, 68)], slices),
    Case("concatenate",
         {1: Operand("f32", lambda b, n: [b, 3, n]),
          2: Operand("f32", lambda b, n: [b, 5, n]),
          9: Operand("f32", lambda b, n: [b, 8, n], is_output=True)},
         [(4, 64), (1, 1), (3, 17), (9, 68)], joined),
    Case("softmax",
         {1: Operand("f32", rows), 2: Operand("f32", rows, is_output=True)},
         [(3, 17), (1, 1), (70, 5), (2, 4000), (2, 4096), (1, 4100), (3, 9001),
          (0, 4)], text=SOFTMAX, ulps=16),
    Case("channels",
         {1: Operand("bf16", lambda b, s: [b, s, 64],
                     lambda b, s: [s * 72, 72, 1]),
          2: Operand("bf16", lambda b, s: [b, 64, s], is_output=True)},
         [(2, 128), (1, 1), (3, 33), (2, 200)], text=CHANNELS),
]
