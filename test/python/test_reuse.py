# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What graphs leave to those after them."""

import gc
import pathlib
import weakref

import opgraph
import pytest

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
