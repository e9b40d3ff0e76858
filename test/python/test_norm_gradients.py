# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Signatures, errors, defaults and identities of the norms beyond the forward
layer and RMS norm. Their values are checked in test/conformance."""

import numpy as np
import opgraph
import pytest

from formulas import norm as g
from formulas import tensor as f
from support import graphs

JUDGE = graphs.REFERENCE
INFERENCE = opgraph.norm_forward_phase.INFERENCE
TRAINING = opgraph.norm_forward_phase.TRAINING
FLOAT, HALF = opgraph.data_type.FLOAT, opgraph.data_type.HALF


class Program:
    """A graph in f64 with its operands, run on the judge."""

    def __init__(self, dtype="f64"):
        self.graph = graphs.new_graph(dtype, dtype,
                                      "f64" if dtype == "f64" else "f32")
        self.pack = {}

    def __call__(self, array, **more):
        tensor = graphs.declare(self.graph, array, **more)
        self.pack[tensor] = array
        return tensor

    def run(self, *outputs):
        return graphs.run(self.graph, self.pack, list(outputs), JUDGE)


def shape_graph(io=HALF):
    """A graph for what needs no arrays, and its maker of tensors."""
    graph = opgraph.pygraph(io_data_type=io, intermediate_data_type=FLOAT,
                            compute_data_type=FLOAT)
    return graph, lambda *dim: graph.tensor(dim=list(dim), data_type=FLOAT)


def channel(*values):
    return np.array(values, np.float64).reshape(1, -1, 1, 1)


# --- identities --------------------------------------------------------------

def numeric_gradient(function, at, step=1e-6):
    """Central differences of a scalar function of an array."""
    gradient = np.zeros_like(at)
    for index in np.ndindex(*at.shape):
        moved = at.copy()
        moved[index] += step
        above = function(moved)
        moved[index] -= 2 * step
        gradient[index] = (above - function(moved)) / (2 * step)
    return gradient


BACKWARD = {
    "layernorm": ((3, 4, 2), (1, 4, 2), (1, 2), "layernorm_backward"),
    "adalayernorm": ((2, 3, 4), (2, 1, 4), (2,), "adalayernorm_backward"),
    "instancenorm": ((2, 3, 4), (1, 3, 1), (2,), "instancenorm_backward"),
    "batchnorm": ((3, 2, 4), (1, 2, 1), (0, 2), "batchnorm_backward"),
    "rmsnorm": ((3, 5), (1, 5), (1,), "rmsnorm_backward")}


@pytest.mark.parametrize("forward", BACKWARD)
def test_gradients_are_derivatives(forward):
    shape, affine, axes, backward = BACKWARD[forward]
    rng = np.random.default_rng(7)
    x, dy = rng.normal(1, 2, shape), rng.normal(0, 1, shape)
    scale, bias = rng.uniform(0.5, 2, affine), rng.normal(0, 1, affine)
    norm = f.rmsnorm if forward == "rmsnorm" else f.layernorm

    def loss(x, scale, bias):
        return (norm(x, scale, bias, 1e-3, axes)[0] * dy).sum()
    statistics = norm(x, scale, bias, 1e-3, axes)[1:]
    p = Program()
    more = {"has_dbias": True} if forward == "rmsnorm" else {}
    got = p.run(*getattr(p.graph, backward)(
        p(dy), p(x), p(scale), *map(p, statistics), **more))
    want = (numeric_gradient(lambda v: loss(v, scale, bias), x),
            numeric_gradient(lambda v: loss(x, v, bias), scale),
            numeric_gradient(lambda v: loss(x, scale, v), bias))
    for a, b in zip(got, want):
        np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-6)


def test_dbn_weight_is_batchnorm_backward():
    rng = np.random.default_rng(3)
    x, dy = rng.normal(1, 2, (3, 2, 4, 5)), rng.normal(0, 1, (3, 2, 4, 5))
    scale, mean, inverse = (channel(*rng.uniform(0.5, 2, 2)) for _ in range(3))
    p = Program()
    t = [p(a) for a in (dy, x, scale, mean, inverse)]
    dx, dscale, dbias = p.graph.batchnorm_backward(*t)
    weights = p.graph.dbn_weight(*t)
    for weight in weights[2:]:
        weight.set_data_type(opgraph.data_type.DOUBLE)
    form = p.graph.add(p.graph.add(p.graph.mul(weights[2], t[0]),
                                   p.graph.mul(weights[3], t[1])), weights[4])
    got = p.run(dx, dscale, dbias, form, weights[0], weights[1])
    np.testing.assert_allclose(got[3], got[0], rtol=1e-11, atol=1e-12)
    np.testing.assert_array_equal(got[4], got[1])
    np.testing.assert_array_equal(got[5], got[2])


def test_bn_finalize_of_genstats_is_batchnorm():
    rng = np.random.default_rng(4)
    x = rng.normal(1, 2, (3, 2, 4, 5))
    scale, bias, mean, variance = (channel(*rng.uniform(0.5, 2, 2))
                                   for _ in range(4))
    p = Program()
    tx, *t = (p(a) for a in (x, scale, bias, mean, variance))
    epsilon = p(np.full((1,), 1e-3), is_pass_by_value=True)
    momentum = p(np.full((1,), 0.1), is_pass_by_value=True)
    count = p(np.full((1,), 60, np.int64), is_pass_by_value=True)
    norm = p.graph.batchnorm(tx, *t, epsilon, momentum)
    sums = p.graph.genstats(tx)
    steps = p.graph.bn_finalize(*sums, t[0], t[1], epsilon, count, t[2], t[3],
                                momentum)
    for tensor in (*norm[1:], *sums, *steps):
        tensor.set_data_type(opgraph.data_type.DOUBLE)
    y = p.graph.add(p.graph.mul(tx, steps[0]), steps[1])
    got = p.run(*norm, y, *steps[2:])
    for a, b in zip(got[:5], got[5:]):
        np.testing.assert_allclose(b, a, rtol=1e-12, atol=1e-12)


def test_peers_are_the_whole_batch():
    """Two halves that know each other compute what the whole does."""
    rng = np.random.default_rng(5)
    x, dy = rng.normal(1, 2, (6, 2, 3)), rng.normal(0, 1, (6, 2, 3))
    scale, bias = rng.uniform(0.5, 2, (2, 1, 2, 1))

    def train(part, peers):
        p = Program()
        results = p.graph.batchnorm(
            p(part), p(scale), p(bias), epsilon=p(np.full((1,), 1e-3)),
            peer_stats=[p(a) for a in peers])[:3]
        for statistic in results[1:]:
            statistic.set_data_type(opgraph.data_type.DOUBLE)
        return p.run(*results)

    def moments(part):
        mean = part.mean(axis=(0, 2), keepdims=True)
        squares = ((part - mean) ** 2).sum(axis=(0, 2), keepdims=True)
        return np.concatenate([np.full_like(mean, part.shape[0] * 3), mean,
                               squares])
    whole = train(x, [])
    part = train(x[:2], [moments(x[2:3]), moments(x[3:])])
    np.testing.assert_allclose(part[0], whole[0][:2], rtol=1e-11)
    np.testing.assert_allclose(part[1], whole[1], rtol=1e-12)
    np.testing.assert_allclose(part[2], whole[2], rtol=1e-12)

    def differentiate(part, gradient, peers):
        p = Program()
        return p.run(*p.graph.batchnorm_backward(
            p(gradient), p(part), p(scale), p(whole[1]), p(whole[2]),
            peer_stats=[p(a) for a in peers]))
    everything = differentiate(x, dy, [])
    first, rest = (differentiate(x[a:b], dy[a:b], [])
                   for a, b in ((0, 2), (2, 6)))
    np.testing.assert_allclose(first[1] + rest[1], everything[1], rtol=1e-11)
    peer = np.concatenate([np.full_like(rest[2], 12), rest[2], rest[1]])
    got = differentiate(x[:2], dy[:2], [peer])
    np.testing.assert_allclose(got[0], everything[0][:2], rtol=1e-10,
                               atol=1e-12)
    np.testing.assert_array_equal(got[1], first[1])


# --- in place ----------------------------------------------------------------

def run_running(op, in_place, read_twice=False):
    """The running statistics that `op` leaves behind."""
    rng = np.random.default_rng(6)
    graph = graphs.new_graph()
    pack = {}

    def operand(array, **more):
        tensor = graphs.declare(graph, array, **more)
        pack[tensor] = array
        return tensor
    rows = [rng.uniform(0.5, 2, (1, 3, 1)).astype(np.float32)
            for _ in range(6)]
    mean, variance = operand(rows[0]), operand(rows[1])
    scale, bias = operand(rows[2]), operand(rows[3])
    epsilon, momentum = (operand(np.full((1,), v, np.float32),
                                 is_pass_by_value=True) for v in (1e-3, 0.1))
    if op == "batchnorm":
        x = operand(rng.normal(0, 1, (2, 3, 4)).astype(np.float32))
        results = graph.batchnorm(x, scale, bias, mean, variance, epsilon,
                                  momentum)
    else:
        count = operand(np.full((1,), 8, np.float32), is_pass_by_value=True)
        results = graph.bn_finalize(
            operand(rows[4]), operand(rows[5] + 4), scale, bias, epsilon,
            count, mean, variance, momentum)
    outputs = [results[0], *results[-2:]]
    if read_twice:
        outputs.append(graph.neg(mean))
    for tensor in outputs:
        tensor.set_output(True)
    graph.create_execution_plan(JUDGE)
    graph.build_plans()
    for tensor in outputs:
        pack[tensor] = np.zeros(tensor.get_dim(), np.float32)
    if in_place:
        pack[results[-2]], pack[results[-1]] = rows[0], rows[1]
    size = graph.get_workspace_size()
    graph.execute(pack, np.zeros(size, np.uint8) if size else None)
    return [pack[tensor].copy() for tensor in outputs]


@pytest.mark.parametrize("op", ["batchnorm", "bn_finalize"])
def test_running_statistics_in_place(op):
    for a, b in zip(run_running(op, True), run_running(op, False)):
        np.testing.assert_array_equal(a, b)


def test_a_statistic_that_is_read_twice_is_not_updated_in_place():
    with pytest.raises((ValueError, RuntimeError)):
        run_running("batchnorm", True, read_twice=True)


# --- other extents -----------------------------------------------------------

def test_one_plan_serves_overridden_extents():
    """A channel norm's gradient, planned for one batch and run for another."""
    graph = graphs.new_graph(is_override_shape_enabled=True)
    x, c = [2, 3, 4], [1, 3, 1]
    t = [graph.tensor(dim=d, data_type=FLOAT) for d in (x, x, c, c, c)]
    results = [*graph.batchnorm_backward(*t), *graph.dbn_weight(*t)[2:]]
    for tensor in results:
        tensor.set_output(True)
    graph.create_execution_plan(JUDGE)
    graph.build_plans()
    rng = np.random.default_rng(8)
    for shape in ((5, 2, 3), (1, 7, 1), (2, 3, 4)):
        affine = (1, shape[1], 1)
        arrays = [rng.uniform(0.5, 2, s).astype(np.float32)
                  for s in (shape, shape, affine, affine, affine)]
        outs = [np.zeros(s, np.float32)
                for s in (shape, affine, affine, affine, affine, affine)]
        pack = dict(zip([*t, *results], [*arrays, *outs]))
        more = dict(override_uids=[tensor.get_uid() for tensor in pack],
                    override_shapes=[list(a.shape) for a in pack.values()],
                    override_strides=[graphs.strides_of(a)
                                      for a in pack.values()])
        graph.execute(pack, np.zeros(1 << 16, np.uint8), **more)
        dy, x, scale, mean, inverse = (a.astype(np.float64) for a in arrays)
        want = [*g.batchnorm_backward(dy, x, scale, mean, inverse),
                *g.dbn_weight(dy, x, scale, mean, inverse)[2:]]
        for a, b in zip(outs, want):
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-5)


# --- signatures and defaults -------------------------------------------------

def test_absent_results_are_none():
    graph, t = shape_graph()
    x, row, stat = t(6, 4), t(1, 4), t(6, 1)
    e = t(1)
    assert graph.layernorm_backward(x, x, None, stat, stat)[1:] == [None, None]
    assert None not in graph.layernorm_backward(x, x, row, stat, stat)
    dx, dscale, dbias = graph.rmsnorm_backward(x, x, row, stat)
    assert dscale is not None and dbias is None
    assert None not in graph.rmsnorm_backward(x, x, row, stat, True)
    assert graph.rmsnorm_backward(x, x, None, stat, True)[1:] == [None, None]
    assert graph.adalayernorm(t(2, 3, 4), t(2, 1, 4), None, e,
                              INFERENCE)[1:] == [None, None]
    assert None not in graph.instancenorm(t(2, 3, 4), t(1, 3, 1), t(1, 3, 1),
                                          e, TRAINING)
    c = t(1, 3, 1)
    results = graph.batchnorm(t(2, 3, 4), c, c, epsilon=e)
    assert results[3:] == [None, None] and None not in results[:3]
    assert None not in graph.batchnorm(t(2, 3, 4), c, c, c, c, e, e)


def test_defaults_of_results():
    graph, t = shape_graph()
    channels = t(1, 5, 1, 1)
    x = graph.tensor(dim=[2, 5, 3, 4], data_type=HALF)
    sums = graph.genstats(x)
    y, mean, inverse, _, _ = graph.batchnorm(x, channels, channels,
                                             epsilon=t(1))
    dx, dscale, dbias = graph.batchnorm_backward(x, x, channels, mean, inverse)
    row = t(1, 5, 3, 4)
    lx, lscale, lbias = graph.layernorm_backward(x, x, row, t(2, 1, 1, 1),
                                                 t(2, 1, 1, 1))
    for tensor in (*sums, y, mean, inverse, dx, dscale, dbias, lx, lscale,
                   lbias):
        tensor.set_output(True)
    graph.validate()
    for tensor in (*sums, mean, inverse):
        assert tensor.get_dim() == [1, 5, 1, 1]
        assert tensor.get_data_type() is FLOAT
    assert sums[0].get_stride() == [5, 1, 5, 5]
    assert mean.get_stride() == [5, 1, 1, 1]
    for tensor in (y, dx, lx):
        assert tensor.get_stride() == x.get_stride()
        assert tensor.get_data_type() is HALF
    assert dscale.get_dim() == [1, 5, 1, 1]
    assert dbias.get_data_type() is HALF
    assert lscale.get_dim() == [1, 5, 3, 4]
    assert lbias.get_stride() == [60, 1, 20, 5]


def test_sample_scales_have_sample_gradients():
    graph, t = shape_graph()
    results = graph.adalayernorm_backward(
        t(2, 3, 4), t(2, 3, 4), t(2, 1, 4), t(2, 3, 1), t(2, 3, 1))
    for tensor in results:
        tensor.set_output(True)
    graph.validate()
    assert results[1].get_dim() == results[2].get_dim() == [2, 1, 4]
    assert results[1].get_stride() == [4, 4, 1]


# --- errors ------------------------------------------------------------------

def test_phase_is_required():
    graph, t = shape_graph()
    for phase in (None, opgraph.norm_forward_phase.NOT_SET):
        with pytest.raises(ValueError, match="norm_forward_phase"):
            graph.instancenorm(t(2, 3), t(1, 3), t(1, 3), t(1), phase)
        with pytest.raises(ValueError, match="norm_forward_phase"):
            graph.adalayernorm(t(2, 3), t(2, 3), t(2, 3), t(1), phase)


def test_instancenorm_backward_needs_statistics():
    graph, t = shape_graph()
    x, c, s = t(2, 3, 4), t(1, 3, 1), t(2, 3, 1)
    with pytest.raises(ValueError, match="mean.*epsilon"):
        graph.instancenorm_backward(x, x, c)
    with pytest.raises(ValueError, match="inv_variance"):
        graph.instancenorm_backward(x, x, c, s)


def test_peers_are_keywords():
    graph, t = shape_graph()
    c = t(1, 3, 1)
    with pytest.raises(TypeError):
        graph.batchnorm(t(2, 3, 4), c, c, c, c, t(1), t(1), [t(3, 3, 1)])
    with pytest.raises(TypeError):
        graph.batchnorm_backward(t(2, 3, 4), t(2, 3, 4), c, c, c, [])
    with pytest.raises(TypeError):
        graph.layernorm_backward(t(2, 3), t(2, 3), t(1, 3), t(2, 1), t(2, 1),
                                 unknown=1)


@pytest.mark.parametrize("given", range(1, 7))
def test_running_statistics_come_together(given):
    graph, t = shape_graph()
    c = t(1, 3, 1)
    mean, variance, momentum = (
        tensor if given >> bit & 1 else None
        for bit, tensor in enumerate((c, c, t(1))))
    y = graph.batchnorm(t(2, 3, 4), c, c, mean, variance, t(1), momentum)[0]
    y.set_output(True)
    with pytest.raises(ValueError, match="all or none of the running"):
        graph.validate()


@pytest.mark.parametrize("call", [
    lambda g, t: g.batchnorm(t(3), t(3), t(3), epsilon=t(1))[0],
    lambda g, t: g.genstats(t())[0],
    lambda g, t: g.layernorm_backward(t(2, 3), t(2, 4), None, t(2, 1),
                                      t(2, 1))[0],
    lambda g, t: g.adalayernorm_backward(t(2, 3), t(2, 3), t(3), t(2, 1),
                                         t(2, 1))[0],
    lambda g, t: g.dbn_weight(t(2, 3), t(2, 3), t(1, 2), t(1, 3), t(1, 3))[0],
    lambda g, t: g.batchnorm_backward(
        t(2, 3), t(2, 3), t(1, 3), t(1, 3), t(1, 3),
        peer_stats=[t(2, 3)])[0]])
def test_bad_extents_are_value_errors(call):
    graph, t = shape_graph()
    call(graph, t).set_output(True)
    with pytest.raises(ValueError):
        graph.validate()


def test_peer_types():
    graph, t = shape_graph()
    c = t(1, 3)
    peer = graph.tensor(dim=[3, 3], data_type=HALF)
    graph.batchnorm(t(2, 3), c, c, epsilon=t(1),
                    peer_stats=[peer])[0].set_output(True)
    with pytest.raises(opgraph.cudnnGraphNotSupportedError, match="f32 or f64"):
        graph.validate()
