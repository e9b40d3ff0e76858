# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Signatures, inference and errors of convolutions, resampling, random numbers
and rotary embedding; their numbers are checked by test/conformance."""

import inspect
import re

import numpy as np
import opgraph
import pytest

from conformance import philox
from formulas import conv, resample, rope
from support import graphs
from support.compare import assert_close
from support.dtypes import OPGRAPH, convert, widen

CONV = dict(padding=[1, 1], stride=[1, 1], dilation=[1, 1])
JUDGE = graphs.REFERENCE


def new(*shapes, dtype="f32", **more):
    graph = graphs.new_graph(dtype, **more)
    return [graph] + [graph.tensor(dim=list(s)) for s in shapes]


def test_signatures():
    """Positional order of the peers; the rest by keyword."""
    def positional(method):
        signature = inspect.signature(getattr(opgraph.pygraph, method))
        return [n for n, p in signature.parameters.items()
                if p.kind is p.POSITIONAL_OR_KEYWORD][1:]
    window = ["padding", "pre_padding", "post_padding", "stride", "dilation",
              "convolution_mode"]
    assert positional("conv_fprop") == ["image", "weight"] + window
    assert positional("conv_dgrad") == ["loss", "filter"] + window
    assert positional("conv_wgrad") == ["image", "loss"] + window
    assert positional("rope") == ["input", "freqs", "output_scale", "rope_dim"]
    assert positional("rope_backward") == ["dY", "freqs", "output_scale",
                                           "rope_dim"]


@pytest.mark.parametrize("x, w, attributes, want", [
    ((4, 16, 64, 64), (32, 16, 3, 3), CONV, [4, 32, 64, 64]),
    ((4, 16, 52, 54, 56), (32, 16, 3, 3, 3),
     dict(padding=[0, 1, 2], stride=[2, 3, 4], dilation=[1, 1, 1]),
     [4, 32, 25, 18, 15]),
    ((4, 64, 32, 32), (64, 8, 3, 3), CONV, [4, 64, 32, 32]),
    ((1, 1, 9), (1, 1, 3), dict(pre_padding=[2], post_padding=[1], stride=(2,),
                                dilation=[1]), [1, 1, 5])])
def test_fprop_extents(x, w, attributes, want):
    graph, tx, tw = new(x, w)
    y = graph.conv_fprop(tx, tw, **attributes).set_output(True)
    graph.validate()
    assert y.get_dim() == want
    order = [0, *range(2, len(want)), 1]
    stride, strides = 1, [0] * len(want)
    for axis in reversed(order):
        strides[axis] = stride
        stride *= want[axis]
    assert y.get_stride() == strides


def test_gradient_extents():
    graph, dy, w = new((2, 8, 5, 5), (8, 4, 3, 3))
    attributes = dict(padding=[1, 1], stride=[2, 2], dilation=[1, 1])
    dx = graph.conv_dgrad(dy, w, **attributes).set_output(True)
    # Grouped: declared.
    grouped = graph.conv_dgrad(dy, w, **attributes, out_dims=[2, 8, 10, 9])
    grouped.set_output(True)
    graph.validate()
    assert dx.get_dim() == [2, 4, 9, 9]
    assert grouped.get_dim() == [2, 8, 10, 9]


@pytest.mark.parametrize("missing", ["padding", "stride", "dilation"])
@pytest.mark.parametrize("op", ["conv_fprop", "conv_dgrad", "conv_wgrad"])
def test_missing_attributes_are_refused_at_validate(op, missing):
    graph, a, b = new((2, 4, 6, 6), (4, 4, 3, 3))
    given = {k: v for k, v in CONV.items() if k != missing}
    result = getattr(graph, op)(a, b, **given, out_dims=[2, 4, 6, 6])
    result.set_output(True)
    with pytest.raises(ValueError, match=f"{missing}.*to be set"):
        graph.validate()


def test_dims_that_are_required():
    for make in (lambda g, a, b: g.conv_wgrad(a, b, **CONV),
                 lambda g, a, b: g.rng(1, probability=0.5),
                 lambda g, a, b: g.resample_backward(
                     a, resample_mode="NEAREST", window=[1, 1], stride=[1, 1],
                     pre_padding=[0, 0], post_padding=[0, 0])):
        graph, a, b = new((2, 4, 6, 6), (2, 4, 6, 6))
        make(graph, a, b).set_output(True)
        with pytest.raises(ValueError, match="to be declared"):
            graph.validate()


@pytest.mark.parametrize("build, error, match", [
    (lambda g, x: g.conv_fprop(x, x, [1, 1], [1, 1], stride=[1, 1],
                               dilation=[1, 1]), ValueError, "exclude"),
    (lambda g, x: g.conv_fprop(x, x, 1, stride=[1, 1], dilation=[1, 1]),
     TypeError, "pre_padding"),
    (lambda g, x: g.conv_fprop(x, x, [1, 1], stride=[0, 1], dilation=[1, 1]),
     RuntimeError, "stride"),
    (lambda g, x: g.conv_fprop(x, x, [1], stride=[1, 1], dilation=[1, 1]),
     ValueError, "pre_padding"),
    (lambda g, x: g.conv_fprop(x, x, [2 ** 63 - 1] * 2, stride=[1, 1],
                               dilation=[1, 1]), RuntimeError, "pre_padding"),
    (lambda g, x: g.conv_fprop(x, x, [1, 1], stride=[1, 1], dilation=[1, 1],
                               convolution_mode="SIDEWAYS"), None, "SIDEWAYS"),
    (lambda g, x: g.conv_fprop(x, x, [1, 1], stride=[1, 1], dilation=[9, 9]),
     ValueError, "window"),
    (lambda g, x: g.resample(x, "MAXPOOL"), ValueError, "window"),
    (lambda g, x: g.resample(x, "BILINEAR", window=[3, 3], stride=[1, 1],
                             pre_padding=[0, 0], post_padding=[0, 0]),
     opgraph.cudnnGraphNotSupportedError, "window"),
    (lambda g, x: g.resample(x, "NEAREST", window=[1, 1], stride=[1, 1],
                             pre_padding=[0, 0], post_padding=[0, 0],
                             generate_index=True)[0], RuntimeError,
     "generate_index"),
    (lambda g, x: g.rng(None, probability=0.5, out_dims=[4]), ValueError,
     "Seed"),
    (lambda g, x: g.rng(1, probability=1.5, out_dims=[4]), RuntimeError,
     "probability"),
    (lambda g, x: g.rng(1, probability=float("nan"), out_dims=[4]),
     RuntimeError, "probability"),
    (lambda g, x: g.rng(2 ** 64, probability=0.5, out_dims=[4]), RuntimeError,
     "64 bits"),
    (lambda g, x: g.rope(x, x), ValueError, "FREQS"),
    (lambda g, x: g.rope(x, x, rope_dim=3), RuntimeError, "rope_dim"),
    (lambda g, x: g.conv_fprop(x, x, sideways=1), TypeError, "sideways"),
])
def test_errors(build, error, match):
    graph, x = new((2, 6, 4, 4))
    with pytest.raises(error or opgraph.Error, match=match):
        result = build(graph, x)
        (result[0] if isinstance(result, list) else result).set_output(True)
        graph.validate()


def test_index_type_follows_the_window():
    for window, want in (([8, 16], "i8"), ([16, 16], "i32")):
        graph, x = new((1, 1, 16, 16))
        y, index = graph.resample(x, "MAXPOOL", window=window, stride=[1, 1],
                                  pre_padding=[0, 0], post_padding=[0, 0],
                                  generate_index=True)
        for result in (y, index):
            result.set_output(True)
        graph.validate()
        assert index.get_data_type() is OPGRAPH[want]
        assert index.get_dim() == y.get_dim()


def test_conv_bias_relu():
    """The pattern of the peers, channels-last, on the CPU."""
    rng = np.random.default_rng(0)
    x, w = rng.normal(size=(2, 5, 5, 4)), rng.normal(size=(6, 3, 3, 4))
    x, w = (a.astype(np.float16).transpose(0, 3, 1, 2) for a in (x, w))
    b = rng.normal(size=(1, 6, 1, 1)).astype(np.float16)
    graph = graphs.new_graph("f16")
    tx, tw, tb = (graphs.declare(graph, a) for a in (x, w, b))
    y = graph.relu(graph.bias(graph.conv_fprop(tx, tw, **CONV), tb))
    got, = graphs.run(graph, {tx: x, tw: w, tb: b}, [y], JUDGE)
    want = conv.fprop(widen(x), widen(w), (1, 1), (1, 1), (1, 1), (1, 1))
    want = np.maximum(want + widen(b), 0)
    assert_close(got, convert(want, "f16"), ulps=1, absolute=1e-3)


def execute_with_overrides(graph, arrays):
    shapes = dict(
        override_uids=[t.get_uid() for t in arrays],
        override_shapes=[list(a.shape) for a in arrays.values()],
        override_strides=[graphs.strides_of(a) for a in arrays.values()])
    size = graph.get_workspace_size(**shapes)
    graph.execute(arrays, np.full(size, 0xFF, np.uint8), **shapes)


def test_batch_may_be_overridden():
    """One plan for several batches; channels and extents are fixed."""
    rng = np.random.default_rng(1)
    w = rng.normal(size=(4, 3, 3, 3)).astype(np.float32)
    graph = graphs.new_graph("f32", is_dynamic_shape_enabled=True)
    tx, tw = graph.tensor(dim=[2, 3, 5, 6]), graphs.declare(graph, w)
    y = graph.conv_fprop(tx, tw, **CONV).set_output(True)
    graph.validate()
    graph.create_execution_plan(JUDGE)
    graph.build_plans()
    for batch in (1, 2, 5):
        x = rng.normal(size=(batch, 3, 5, 6)).astype(np.float32)
        out = np.empty((batch, 5, 6, 4), np.float32).transpose(0, 3, 1, 2)
        execute_with_overrides(graph, {tx: x, tw: w, y: out})
        want = conv.fprop(widen(x), widen(w), (1, 1), (1, 1), (1, 1), (1, 1))
        assert_close(out, convert(want, "f32"), ulps=1, absolute=1e-6)


def test_an_image_that_is_its_own_filter():
    """Its first axis is batch and features at once, and stays a number."""
    graph = graphs.new_graph("f32", is_dynamic_shape_enabled=True)
    x = np.arange(18, dtype=np.float32).reshape(2, 3, 3)
    tx = graphs.declare(graph, x)
    y = graph.conv_fprop(tx, tx, padding=[1], stride=[1], dilation=[1])
    got, = graphs.run(graph, {tx: x}, [y], JUDGE)
    want = conv.fprop(widen(x), widen(x), (1,), (1,), (1,), (1,))
    assert_close(got, convert(want, "f32"))


def test_batch_of_a_gradient_may_be_overridden():
    graph = graphs.new_graph("f32", is_dynamic_shape_enabled=True)
    x, dy = graph.tensor(dim=[2, 3, 6]), graph.tensor(dim=[2, 3, 3])
    dx = graph.resample_backward(dy, x, None, "MAXPOOL", window=[2],
                                 stride=[2], pre_padding=[0],
                                 post_padding=[0]).set_output(True)
    graph.create_execution_plan(JUDGE)
    graph.build_plans()
    window = resample.Window("MAXPOOL", "ZERO_PAD", [2], [2], [0], [0])
    rng = np.random.default_rng(3)
    for batch in (1, 2, 5):
        arrays = {x: rng.normal(size=(batch, 3, 6)),
                  dy: rng.normal(size=(batch, 3, 3)),
                  dx: np.empty((batch, 6, 3)).transpose(0, 2, 1)}
        arrays = {t: a.astype(np.float32) for t, a in arrays.items()}
        execute_with_overrides(graph, arrays)
        want = resample.resample_backward(widen(arrays[dy]), window,
                                          (batch, 3, 6), widen(arrays[x]))
        assert_close(arrays[dx], convert(want, "f32"))


def test_rope_in_place():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(2, 3, 4, 8)).astype(np.float32)
    t = rng.normal(size=(4, 1, 1, 4)).astype(np.float32)
    want = rope.rope(widen(x), widen(t))
    graph = graphs.new_graph("f32")
    tx, tt = graphs.declare(graph, x), graphs.declare(graph, t)
    y = graph.rope(tx, tt, rope_dim=4).set_output(True)
    graph.create_execution_plan(JUDGE)
    graph.build_plans()
    size = graph.get_workspace_size()
    graph.execute({tx: x, tt: t, y: x}, np.empty(size, np.uint8))
    assert_close(x, convert(want, "f32"), ulps=1, absolute=1e-7)


@pytest.mark.parametrize("counter, seed, want", [
    ((0, 0, 0, 0), 0, "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ((2 ** 32 - 1,) * 4, 2 ** 64 - 1, "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ((0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344), 0x299f31d0a4093822,
     "d16cfe09 94fdcceb 5001e420 24126ea1")])
def test_known_answers_of_philox(counter, seed, want):
    words = philox.philox(seed, counter)
    assert " ".join(f"{w:08x}" for w in words) == want


def test_page_on_random_numbers(root):
    """The programs of docs/Random.md run, in one namespace, and agree with the
    generator of the conformance cases."""
    page = (root / "docs/Random.md").read_text()
    names = {}
    for program in re.findall(r"```python\n(.*?)```", page, re.S):
        exec(compile(program, "docs/Random.md", "exec"), names)
    mask = names["dropout_mask"](-5, 2 ** 33 + 1, 0.3, 2, 3, 5, 7)
    assert np.array_equal(
        mask, philox.dropout_keep(-5, 2 ** 33 + 1, (2, 3, 5, 7), 0.3))
    assert np.array_equal(names["rng_words"](-5, -7, (3, 5)).reshape(-1),
                          philox.linear_words(-5, -7, 15))
