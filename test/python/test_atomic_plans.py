# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans whose reductions combine portions by atomics: their place in the list, and
that deterministic planning drops those whose bits depend on an order."""

import pathlib

import opgraph
import pytest

DT = opgraph.data_type
REDUCTION_MODE = opgraph.knob_type.REDUCTION_MODE
NONDETERMINISTIC = opgraph.numerical_note.NONDETERMINISTIC
DEVICE = (pathlib.Path(__file__).resolve().parents[2] /
          "lib/Devices/h200.json").read_text()


def make(mode, dtype=DT.FLOAT):
    graph = opgraph.pygraph(io_data_type=DT.BFLOAT16,
                            intermediate_data_type=DT.FLOAT,
                            compute_data_type=DT.FLOAT,
                            device_property=DEVICE)
    x = graph.tensor(dim=[4096, 4096], stride=[4096, 1])
    y = graph.reduction(x, mode=mode).set_dim([1, 1]).set_stride([1, 1])
    y.set_output(True).set_data_type(dtype)
    graph.validate()
    graph.build_operation_graph()
    return graph


def plans(graph):
    """[(reduction mode or None, numerical notes)] of the generated plans."""
    found = []
    for index in range(graph.get_execution_plan_count()):
        engine, knobs = graph.get_engine_and_knobs_at_index(index)
        if engine == 30000:
            found.append((knobs.get(REDUCTION_MODE),
                          graph.get_numeric_notes_for_plan_at_index(index)))
    return found


@pytest.mark.parametrize("deterministic", [False, True])
def test_sums(deterministic):
    graph = make(opgraph.reduction_mode.ADD)
    graph.create_execution_plans([opgraph.heur_mode.A],
                                 deterministic=deterministic)
    both = [(0, []), (1, [NONDETERMINISTIC])]
    assert plans(graph) == (both[:1] if deterministic else both)


def test_notes_select():
    graph = make(opgraph.reduction_mode.ADD)
    graph.create_execution_plans([opgraph.heur_mode.A])
    graph.deselect_numeric_notes([NONDETERMINISTIC])
    graph.check_support()
    assert graph.get_engine_and_knobs_at_index(0)[1][REDUCTION_MODE] == 0


def test_what_no_order_changes_is_deterministic():
    graph = make(opgraph.reduction_mode.AMAX)
    graph.create_execution_plans([opgraph.heur_mode.A], deterministic=True)
    assert plans(graph) == [(0, []), (1, [])]


def test_what_atomics_cannot():
    for graph in (make(opgraph.reduction_mode.MAX),
                  make(opgraph.reduction_mode.AVG),
                  make(opgraph.reduction_mode.ADD, DT.BFLOAT16)):
        graph.create_execution_plans([opgraph.heur_mode.A])
        assert plans(graph) == [(None, [])]
        with pytest.raises(opgraph.Error, match="has no knob"):
            graph.create_execution_plan(30000, {REDUCTION_MODE: 1})
