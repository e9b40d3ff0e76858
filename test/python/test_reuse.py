# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What graphs leave to those after them."""

import gc
import pathlib
import weakref

import opgraph
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

DT = opgraph.data_type
H200 = (pathlib.Path(__file__).resolve().parents[2] / "lib" / "Devices"
        / "h200.json").read_text()


def softmax(m, n, scale):
    graph = opgraph.pygraph(io_data_type=DT.BFLOAT16, device=H200,
                            intermediate_data_type=DT.FLOAT)
    x = graph.tensor(dim=[m, n])
    found = graph.softmax(graph.mul(x, graph.tensor(dim=[1, n]))
                          if scale else x)
    found[0].set_output(True).set_data_type(DT.BFLOAT16)
    graph.build()
    return graph


@pytest.mark.parametrize("scale", [False, True])
@pytest.mark.parametrize("n", [7, 128, 1000, 5120])
def test_plans_do_not_depend_on_earlier_graphs(monkeypatch, n, scale):
    softmax(3, n, scale)
    after_another = softmax(64, n, scale).serialize()
    monkeypatch.setenv("OPGRAPH_CLASS_CACHE", "0")
    assert softmax(64, n, scale).serialize() == after_another


EXTENTS = st.one_of(
    st.integers(1, 40), st.sampled_from([64, 96, 127, 128, 129, 250, 256, 384]),
    st.integers(1, 2100).map(lambda n: 8 * n), st.integers(200, 70000))
#: (axis order, slowest first; elements of padding after the fastest axis)
LAYOUTS = st.tuples(st.sampled_from([(0, 1, 2), (0, 2, 1), (1, 0, 2)]),
                    st.sampled_from([0, 0, 1, 8]))


def strides_of(dims, layout):
    order, padding = layout
    strides, step = [0, 0, 0], 1
    for axis in reversed(order):
        strides[axis] = step
        step = step * dims[axis] + (padding if step == 1 else 0)
    return strides


def add_work(graph, work, dims, layout):
    x = graph.tensor(dim=dims, stride=strides_of(dims, layout))
    row = graph.tensor(dim=[1, 1, dims[2]])
    if work == "chain":
        return graph.gelu(graph.add(x, row))
    if work == "softmax":
        return graph.softmax(x)[0]
    if work == "sum":
        return graph.reduction(x, mode=opgraph.reduction_mode.ADD,
                               out_dims=[dims[0], dims[1], 1])
    if work == "rows and elements":
        top = graph.reduction(x, mode=opgraph.reduction_mode.MAX,
                              out_dims=[1, dims[1], 1])
        return graph.mul(graph.sub(x, top), row)
    epsilon = graph.tensor(dim=[1, 1, 1], data_type=DT.FLOAT,
                           is_pass_by_value=True)
    return graph.layernorm(
        norm_forward_phase=opgraph.norm_forward_phase.INFERENCE, input=x,
        scale=row, bias=graph.tensor(dim=[1, 1, dims[2]]), epsilon=epsilon)[0]


def build(work, dims, layout, dtype):
    graph = opgraph.pygraph(io_data_type=dtype, device=H200,
                            intermediate_data_type=DT.FLOAT,
                            compute_data_type=DT.FLOAT)
    y = add_work(graph, work, dims, layout)
    y.set_output(True).set_data_type(dtype)
    graph.create_execution_plan(30000)
    graph.build_plans()
    return graph.serialize()


WORKS = ["chain", "softmax", "sum", "rows and elements", "layernorm"]


@pytest.mark.parametrize("work", WORKS)
def test_kernels_of_one_class_are_equal(monkeypatch, work):
    """Strict builds write every kernel and compare it with those of its
    class."""
    monkeypatch.setenv("OPGRAPH_STRICT", "1")
    monkeypatch.setenv("OPGRAPH_PTXAS", "none")
    monkeypatch.setenv("OPGRAPH_NVJITLINK", "none")

    @settings(max_examples=60, deadline=None, derandomize=True)
    @given(st.tuples(st.integers(1, 3), EXTENTS, EXTENTS), LAYOUTS,
           st.sampled_from([DT.FLOAT, DT.BFLOAT16, DT.INT8]))
    def check(dims, layout, dtype):
        if work in ("chain", "sum") or dtype != DT.INT8:
            build(work, list(dims), layout, dtype)
    check()


@pytest.mark.slow
def test_kernels_of_one_class_are_equal_in_the_conformance_list(monkeypatch):
    """A sixth of the cases."""
    from conformance import runner
    from conformance.case import all_cases
    for name, value in (("STRICT", "1"), ("PTXAS", "none"),
                        ("NVJITLINK", "none"), ("CUDNN", "none")):
        monkeypatch.setenv(f"OPGRAPH_{name}", value)
    built = 0
    for operation, case in list(all_cases("*"))[::6]:
        graph, *_ = runner.declare(operation, case, device_property=H200)
        try:
            graph.create_execution_plan(30000)
        except opgraph.cudnnGraphNotSupportedError:
            continue
        graph.build_plans()
        built += 1
    assert built > 400


@pytest.mark.parametrize("work", WORKS)
def test_plans_are_the_same_with_kernels_left_out(monkeypatch, work):
    monkeypatch.setenv("OPGRAPH_STRICT", "0")
    monkeypatch.setenv("OPGRAPH_PTXAS", "none")
    monkeypatch.setenv("OPGRAPH_NVJITLINK", "none")
    shapes = [[2, 24 * n + 8, 1024] for n in range(1, 8)]
    plans = [build(work, dims, ((0, 1, 2), 0), DT.BFLOAT16) for dims in shapes]
    # Another assembler, as far as is known without looking for it: kernels that
    # were left out have to be written after all.
    monkeypatch.setenv("CUDA_HOME", "/nowhere")
    assert build(work, shapes[-1], ((0, 1, 2), 0), DT.BFLOAT16) == plans[-1]
    monkeypatch.setenv("OPGRAPH_CLASS_CACHE", "0")
    for dims, plan in list(zip(shapes, plans))[-2:]:
        assert build(work, dims, ((0, 1, 2), 0), DT.BFLOAT16) == plan


def test_a_dropped_graph_is_gone_at_once():
    gc.collect()
    gc.disable()
    try:
        dropped = weakref.ref(softmax(8, 64, True))
        assert dropped() is None
    finally:
        gc.enable()


def test_tensors_are_the_same_while_somebody_has_them():
    graph = opgraph.pygraph(io_data_type=DT.FLOAT)
    x = graph.tensor(dim=[4], alignment_value=8, name="x")
    assert graph.tensors[0] is x
    del x
    assert graph.tensors[0].get_alignment_value() == 8
    assert graph.tensors[0].get_name() == "x"
