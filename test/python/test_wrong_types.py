# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments of the wrong Python type: a TypeError that names call, argument,
what was expected and what was given."""

import numpy as np
import opgraph
import pytest

T = opgraph.data_type
BEYOND = 2 ** 64


@pytest.fixture
def graph():
    return opgraph.pygraph(io_data_type=T.FLOAT)


@pytest.fixture
def x(graph):
    return graph.tensor([4, 8], name="x")


@pytest.mark.parametrize("value", ["text", None, 3, [1, None], [1.5], b"ab",
                                   [[1]]])
@pytest.mark.parametrize("field", ["dim", "stride"])
def test_extents_and_strides(graph, x, field, value):
    with pytest.raises(TypeError, match=f"tensor 'x': {field}: expected a"):
        getattr(x, "set_" + field)(value)
    if field == "stride" and value is None:
        return
    arguments = {"dim": [4, 8], field: value}
    with pytest.raises(TypeError, match=f"tensor 'a': {field}: expected a"):
        graph.tensor(name="a", **arguments)


def test_numbers_of_other_libraries_are_ints(graph):
    dims = np.array([4, 8])
    assert graph.tensor(dims).get_dim() == [4, 8]
    assert graph.tensor((np.int32(4), True)).get_dim() == [4, 1]


@pytest.mark.parametrize("call, text", [
    (lambda g, x: x.set_dim([1, BEYOND]), "dim: expected an int of 64 bits"),
    (lambda g, x: x.set_uid(BEYOND), "uid: expected an int of 64 bits"),
    (lambda g, x: g.gen_index(x, BEYOND), "'axis': expected an int of 64"),
    (lambda g, x: g.tensor_scalar(BEYOND), "value: expected an int of 64"),
    (lambda g, x: g.matmul(x, x, padding=10 ** 400), "range of a double"),
])
def test_numbers_out_of_range(graph, x, call, text):
    with pytest.raises(RuntimeError, match=text):
        call(graph, x)


@pytest.mark.parametrize("call, text", [
    (lambda g, x: g.gen_index(x, "x"), "gen_index: argument 'axis': expected "
     "an int, got 'x'"),
    (lambda g, x: g.gen_index(x, 1.0), "expected an int, got 1.0"),
    (lambda g, x: g.transpose(x, None), "attribute|permutation"),
    (lambda g, x: g.transpose(x, [0, "1"]), "transpose: argument "
     "'permutation': expected an int, got '1'"),
    (lambda g, x: g.relu(x, negative_slope="1"), "relu: argument "
     "'negative_slope': expected a number, got '1'"),
    (lambda g, x: g.reduction(x, mode=b"add"), "reduction: argument 'mode': "
     "expected a member"),
    (lambda g, x: g.reduction(x, mode=(1, "two")), "expected a member"),
    (lambda g, x: g.relu(x, name=3), "relu: argument 'name': expected a str"),
    (lambda g, x: g.relu(x, name=np.zeros(2)), "relu: argument 'name': expected "
     "a str"),
    (lambda g, x: g.concatenate(0, inputs=np.zeros(2)), "concatenate: expected "
     "inputs to be a list"),
    (lambda g, x: g.rmsnorm(x, None, None, x, np.zeros(2)), "rmsnorm: argument "
     "'norm_forward_phase': expected a member"),
    (lambda g, x: g.relu("x"), "relu: expected argument 'input' to be a "
     "tensor or an array, got str"),
    (lambda g, x: g.slice((1, 2), [slice(None)]), "slice: expected argument "
     "'input'"),
    (lambda g, x: g.slice(x, 3), "slice: expected a sequence of Python slices"),
    (lambda g, x: g.slice(x, [1, 2]), "slice: expected a sequence of Python"),
    (lambda g, x: x.set_uid("7"), "tensor 'x': uid: expected an int"),
    (lambda g, x: x.set_alignment(None), "alignment: expected an int"),
    (lambda g, x: x.set_reordering_type("F8"), "reordering_type: expected an"),
    (lambda g, x: x.set_name(None), "set_name: expected a str, got None"),
    (lambda g, x: g.tensor_scalar("1"), "tensor_scalar: value: expected an "
     "int, got '1'"),
    (lambda g, x: opgraph.pygraph(name=5), "pygraph: name: expected a str"),
])
def test_wrong_types(graph, x, call, text):
    with pytest.raises((TypeError, ValueError), match=text) as caught:
        call(graph, x)
    assert isinstance(caught.value, opgraph.Error)


@pytest.mark.parametrize("call, text", [
    (lambda g, x: g.relu(x, compute_data_type="half?"), "relu: argument "
     "'compute_data_type': expected an opgraph.data_type"),
    (lambda g, x: x.set_data_type(object), "tensor 'x': data_type: expected"),
    (lambda g, x: opgraph.pygraph(io_data_type="f"), "pygraph: io_data_type"),
])
def test_what_is_no_dtype(graph, x, call, text):
    with pytest.raises(opgraph.cudnnGraphNotSupportedError, match=text):
        call(graph, x)


def test_keys_and_overrides_of_a_call(graph, x):
    y = graph.relu(x).set_output(True)
    graph.build()
    a, b = np.ones((4, 8), np.float32), np.empty((4, 8), np.float32)
    graph.execute({x: a, y: b, BEYOND: a, -BEYOND: b})
    assert (b == 1).all()
    with pytest.raises(ValueError, match="keys, got tuple"):
        graph.execute({x: a, y: b, (1,): a})
    with pytest.raises(ValueError, match="override_uids: expected a sequence "
                       "of ints, got str"):
        graph.execute({x: a, y: b}, override_uids="ab", override_shapes=[],
                      override_strides=[])
    with pytest.raises(ValueError, match="override_shapes: expected a sequence "
                       "of lists of ints"):
        graph.execute({x: a, y: b}, override_uids=[1], override_shapes=[1],
                      override_strides=[[1]])
