# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Symbolic extents and shape overrides on every engine: one plan, many shapes."""

import os
import subprocess
import sys

import numpy as np
import opgraph
import pytest

from formulas import pointwise, tensor as f
from support import graphs, table
from support.compare import assert_close
from support.dtypes import convert, widen

LINEAR = """
graph.graph @linear(
    %x: tensor<?x24xf32, #graph.layout<symbols = ["M", ""]>> {graph.uid = 1 : i64},
    %w: tensor<24x?xf32, #graph.layout<symbols = ["", "N"]>> {graph.uid = 2 : i64},
    %b: tensor<1x?xf32, #graph.layout<symbols = ["", "N"]>> {graph.uid = 3 : i64})
    -> (tensor<?x?xf32, #graph.layout<symbols = ["M", "N"]>> {graph.uid = 4 : i64})
    attributes {dynamic} {
  %0 = graph.matmul %x, %w : (tensor<?x24xf32, #graph.layout<symbols = ["M", ""]>>, tensor<24x?xf32, #graph.layout<symbols = ["", "N"]>>) -> tensor<?x?xf32, #graph.layout<symbols = ["M", "N"]>>
  %1 = graph.bias %0, %b : (tensor<?x?xf32, #graph.layout<symbols = ["M", "N"]>>, tensor<1x?xf32, #graph.layout<symbols = ["", "N"]>>) -> tensor<?x?xf32, #graph.layout<symbols = ["M", "N"]>>
  %2 = graph.gelu %1 : (tensor<?x?xf32, #graph.layout<symbols = ["M", "N"]>>) -> tensor<?x?xf32, #graph.layout<symbols = ["M", "N"]>>
  graph.return %2 : tensor<?x?xf32, #graph.layout<symbols = ["M", "N"]>>
}
"""

SOFTMAX = """
graph.graph @softmax(
    %x: tensor<?x?xf32, #graph.layout<symbols = ["M", "N"]>> {graph.uid = 1 : i64})
    -> (tensor<?x?xf32, #graph.layout<symbols = ["M", "N"]>> {graph.uid = 2 : i64})
    attributes {dynamic} {
  %0 = graph.softmax %x : (tensor<?x?xf32, #graph.layout<symbols = ["M", "N"]>>) -> tensor<?x?xf32, #graph.layout<symbols = ["M", "N"]>>
  graph.return %0 : tensor<?x?xf32, #graph.layout<symbols = ["M", "N"]>>
}
"""


def built(text, engine):
    graph = opgraph.parse(text)
    graph.create_execution_plan(engine)
    graph.build_plans()
    return graph


def overrides_of(pack):
    """The extents of the arrays, as the overrides that a size query takes."""
    return dict(override_uids=list(pack),
                override_shapes=[list(a.shape) for a in pack.values()],
                override_strides=[graphs.strides_of(a) for a in pack.values()])


def execute(graph, pack):
    size = graph.get_workspace_size(**overrides_of(pack))
    graph.execute(pack, np.full(size, 0xFF, np.uint8))


@pytest.mark.parametrize("engine", graphs.ENGINES)
def test_one_plan_serves_many_shapes(engine):
    graph = built(LINEAR, engine)
    rng = np.random.default_rng(0)
    for m, n in ((1, 1), (5, 7), (64, 33), (0, 3), (129, 1)):
        x, w, b = (rng.standard_normal(s).astype(np.float32)
                   for s in ((m, 24), (24, n), (1, n)))
        y = np.full((m, n), np.nan, np.float32)
        with table.cell("matmul", "f32", "dynamic"):
            execute(graph, {1: x, 2: w, 3: b, 4: y})
            want = pointwise.gelu(widen(x) @ widen(w) + widen(b))
            assert_close(y, convert(want, "f32"), ulps=8, absolute=1e-5)


@pytest.mark.parametrize("engine", graphs.ENGINES)
def test_softmax_of_any_shape(engine):
    graph = built(SOFTMAX, engine)
    rng = np.random.default_rng(1)
    for shape in ((1, 1), (3, 17), (70, 5), (2, 4000), (0, 4)):
        x = rng.standard_normal(shape).astype(np.float32)
        y = np.full(shape, np.nan, np.float32)
        with table.cell("softmax", "f32", "dynamic"):
            execute(graph, {1: x, 2: y})
            assert_close(y, convert(f.softmax(widen(x))[0], "f32"), ulps=16,
                         absolute=1e-6)


@pytest.mark.parametrize("engine", graphs.ENGINES)
def test_equal_symbols_are_checked(engine):
    graph = built(LINEAR, engine)
    pack = {1: np.zeros((2, 24), np.float32), 2: np.zeros((24, 5), np.float32),
            3: np.zeros((1, 6), np.float32), 4: np.zeros((2, 5), np.float32)}
    with pytest.raises(ValueError, match="N"):
        graph.execute(pack, np.empty(1 << 20, np.uint8))


def batchnorm(**more):
    graph = graphs.new_graph(**more)
    x = graph.tensor([2, 3, 4], uid=1)
    channels = [graph.tensor([1, 3, 1], uid=uid) for uid in range(2, 6)]
    scalars = [graph.tensor([1, 1, 1], uid=uid) for uid in (6, 7)]
    results = graph.batchnorm(x, *channels, *scalars)
    for uid, result in enumerate(results, 8):
        result.set_output(True).set_uid(uid)
    return graph


def test_batchnorm_whose_batch_may_be_overridden():
    """The unbiased variance needs the number of samples, which host.fused takes
    from the declaration: it says so before it is asked to build."""
    batchnorm().create_execution_plan(graphs.FUSED)
    graph = batchnorm(is_override_shape_enabled=True)
    with pytest.raises(opgraph.cudnnGraphNotSupportedError,
                       match="running_statistics_of_unknown_count"):
        graph.create_execution_plan(graphs.FUSED)
    graph.create_execution_plan(graphs.REFERENCE)
    graph.build_plans()
    rng = np.random.default_rng(0)
    pack = {1: rng.normal(size=(5, 3, 4)).astype(np.float32)}
    pack.update({uid: np.ones((1, 3, 1), np.float32) for uid in range(2, 6)})
    pack.update({6: np.zeros((1, 1, 1), np.float32),
                 7: np.ones((1, 1, 1), np.float32),
                 8: np.empty((5, 3, 4), np.float32)})
    pack.update({uid: np.empty((1, 3, 1), np.float32) for uid in range(9, 13)})
    overrides = overrides_of(pack)
    size = graph.get_workspace_size(**overrides)
    graph.execute(pack, np.empty(size, np.uint8), **overrides)
    want = np.var(pack[1].astype(np.float64), axis=(0, 2), ddof=1)
    np.testing.assert_allclose(pack[12].reshape(3), want, rtol=1e-5)


@pytest.mark.parametrize("engine", graphs.ENGINES)
@pytest.mark.parametrize("dtype", ["i8", "f16"])
def test_strides_beyond_two_to_the_31(engine, dtype):
    """Extent times stride above 2^31 elements; the gap is never touched."""
    from support.dtypes import NUMPY, OPGRAPH
    row = 2 ** 31 + 64
    flat = np.zeros(row + 8, NUMPY[dtype])
    flat[:4], flat[row:row + 4] = [1, 2, 3, 4], [5, 6, 7, 8]
    x = np.lib.stride_tricks.as_strided(flat, (2, 4),
                                        (row * flat.itemsize, flat.itemsize))
    compute = "i32" if dtype == "i8" else "f32"
    graph = graphs.new_graph(dtype, dtype, compute)
    tx = graphs.declare(graph, x)
    y = graph.neg(tx).set_dim([2, 4]).set_stride([4, 1])
    y.set_data_type(OPGRAPH[dtype])
    with table.cell("neg", dtype, "2^31 elements of extent by stride"):
        got, = graphs.run(graph, {tx: x}, [y], engine)
        assert_close(got, -x)


@pytest.mark.parametrize("engine", graphs.ENGINES)
def test_bits_do_not_depend_on_the_thread_count(engine, build_dir):
    """The same bytes with 1, 2 and 5 threads."""
    code = f"""
import hashlib, numpy as np, opgraph
T = opgraph.data_type
g = opgraph.pygraph(io_data_type=T.FLOAT)
x, w = g.tensor(dim=[1, 300, 130]), g.tensor(dim=[1, 130, 200])
s = g.softmax(g.matmul(x, w))
s = s[0] if isinstance(s, list) else s
s.set_output(True)
g.create_execution_plan({engine}); g.build_plans()
r = np.random.default_rng(0)
X, W = (r.standard_normal(d).astype(np.float32) for d in ((1, 300, 130), (1, 130, 200)))
Y = np.empty((1, 300, 200), np.float32)
g.execute({{x: X, w: W, s: Y}}, np.empty(g.get_workspace_size(), np.uint8))
print(hashlib.sha256(Y.tobytes()).hexdigest())
"""
    digests = set()
    for threads in ("1", "2", "5"):
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True,
            env={**os.environ, "OPGRAPH_NUM_THREADS": threads,
                 "PYTHONPATH": str(build_dir / "python")})
        assert done.returncode == 0, done.stderr
        digests.add(done.stdout)
    assert len(digests) == 1
