# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reshape, transpose, slice and concatenate on every engine: pure copies, so
every bit must match."""

import numpy as np
import opgraph
import pytest

from support import graphs, table
from support.compare import assert_close
from support.dtypes import NUMPY

DTYPES = list(NUMPY)


def values(shape, dtype):
    rng = np.random.default_rng(len(shape))
    size = int(np.prod(shape))
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    bits = rng.integers(0, 127, size * np.dtype(NUMPY[dtype]).itemsize,
                        dtype=np.uint8)
    if np.dtype(NUMPY[dtype]).kind in "iu":
        return bits.view(NUMPY[dtype]).reshape(shape)
    return rng.integers(-8, 8, shape).astype(np.float32).astype(NUMPY[dtype])


def run(engine, array, build, dtype):
    graph = graphs.new_graph(dtype, dtype, "f32")
    tx = graphs.declare(graph, array)
    out = build(graph, tx)
    return graphs.run(graph, {tx: array}, [out], engine)[0]


@pytest.mark.parametrize("engine", graphs.ENGINES)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("permutation", [[0, 1, 2], [0, 2, 1], [2, 0, 1]])
def test_transpose(engine, dtype, permutation):
    x = values((3, 5, 4), dtype)
    with table.cell("transpose", dtype, "plain"):
        got = run(engine, x, lambda g, t: g.transpose(t, permutation), dtype)
        assert_close(got, x.transpose(permutation))


@pytest.mark.parametrize("engine", graphs.ENGINES)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("slices", [
    (slice(1, 4), slice(None), slice(0, 6, 2)), (slice(0, 1), slice(2, 3), slice(-2, None)),
    (slice(2, 2), slice(None), slice(None))])
def test_slice(engine, dtype, slices):
    x = values((5, 4, 7), dtype)
    edge = "size 0" if slices[0] == slice(2, 2) else "plain"
    with table.cell("slice", dtype, edge):
        got = run(engine, x, lambda g, t: g.slice(t, slices), dtype)
        assert_close(got, x[slices])


@pytest.mark.parametrize("engine", graphs.ENGINES)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("dims", [[6, 10], [60], [2, 2, 15], [1, 60, 1]])
def test_reshape_logical(engine, dtype, dims):
    x = values((3, 4, 5), dtype)

    def build(graph, tensor):
        out = graph.reshape(tensor, opgraph.reshape_mode.LOGICAL)
        return out.set_dim(dims).set_stride(
            graphs.strides_of(np.empty(dims, np.int8)))
    with table.cell("reshape", dtype, "plain"):
        assert_close(run(engine, x, build, dtype), x.reshape(dims))


@pytest.mark.parametrize("engine", graphs.ENGINES)
def test_reshape_logical_of_a_transposed_input(engine):
    x = values((4, 6), "f32").T

    def build(graph, tensor):
        out = graph.reshape(tensor, opgraph.reshape_mode.LOGICAL)
        return out.set_dim([3, 8]).set_stride([8, 1])
    with table.cell("reshape", "f32", "strided"):
        assert_close(run(engine, x, build, "f32"), x.reshape(3, 8))


@pytest.mark.parametrize("engine", graphs.ENGINES)
def test_reshape_view_only_keeps_memory_order(engine):
    x = values((4, 6), "f32").T

    def build(graph, tensor):
        out = graph.reshape(tensor, opgraph.reshape_mode.VIEW_ONLY)
        return out.set_dim([3, 8]).set_stride([8, 1])
    with table.cell("reshape", "f32", "view"):
        assert_close(run(engine, x, build, "f32"), x.T.reshape(3, 8))


@pytest.mark.parametrize("engine", graphs.ENGINES)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_concatenate(engine, dtype, axis):
    parts = []
    for extent in (2, 5, 1):
        shape = [2, 3, 4]
        shape[axis] = extent
        parts.append(values(tuple(shape), dtype))
    graph = graphs.new_graph(dtype, dtype, "f32")
    tensors = [graphs.declare(graph, p) for p in parts]
    out = graph.concatenate(axis=axis, inputs=tensors)
    with table.cell("concatenate", dtype, "plain"):
        got, = graphs.run(graph, dict(zip(tensors, parts)), [out], engine)
        assert_close(got, np.concatenate(parts, axis))


@pytest.mark.parametrize("op, dims", [
    (lambda g, x, **k: g.matmul(x, x, **k), [4, 4]),
    (lambda g, x, **k: g.transpose(x, [1, 0], **k), [4, 4]),
    (lambda g, x, **k: g.slice(x, [slice(1, 3), slice(None)], **k), [2, 4]),
    (lambda g, x, **k: g.reshape(x, **k), [2, 8]),
    (lambda g, x, **k: g.concatenate(1, inputs=[x, x], **k), [4, 8])],
    ids=["matmul", "transpose", "slice", "reshape", "concatenate"])
def test_keywords_of_structured_operations(op, dims):
    """out_dims declares the result's extents, which validate checks."""
    for out_dims, is_right in (dims, True), ([3, *dims], False):
        graph = graphs.new_graph()
        result = op(graph, graph.tensor([4, 4]), name="n", out_dims=out_dims,
                    compute_data_type=opgraph.data_type.FLOAT)
        result.set_output(True)
        assert result.get_dim() == out_dims
        if is_right:
            graph.validate()
        else:
            with pytest.raises(opgraph.Error, match="n"):
                graph.validate()
