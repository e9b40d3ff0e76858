# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The graph API: lifecycle, plan list, filters, variant packs, errors."""

import threading

import numpy as np
import opgraph
import pytest

T = opgraph.data_type
A = opgraph.heur_mode.A
NS = opgraph.cudnnGraphNotSupportedError


def relu_graph(**more):
    graph = opgraph.pygraph(io_data_type=T.FLOAT, compute_data_type=T.FLOAT,
                            intermediate_data_type=T.FLOAT, **more)
    x = graph.tensor(dim=[4, 8], name="X")
    y = graph.relu(x, name="act").set_output(True)
    return graph, x, y


def linear_graph():
    graph = opgraph.pygraph(io_data_type=T.FLOAT)
    x = graph.tensor(dim=[1, 8, 16])
    w = graph.tensor(dim=[1, 16, 4])
    y = graph.gelu(graph.matmul(x, w)).set_output(True)
    return graph, x, w, y


def workspace_of(graph):
    return np.empty(graph.get_workspace_size(), np.uint8)


def sample():
    return np.linspace(-2, 2, 32, dtype=np.float32).reshape(4, 8)


def run_relu(graph, x, y, **more):
    data, out = sample(), np.full((4, 8), np.nan, np.float32)
    graph.execute({x: data, y: out, **more}, workspace_of(graph))
    assert (out == np.maximum(data, 0)).all()


# --- lifecycle ---------------------------------------------------------------


def test_step_by_step():
    graph, x, y = relu_graph()
    graph.validate()
    graph.build_operation_graph()
    graph.create_execution_plans([A, opgraph.heur_mode.FALLBACK])
    graph.check_support()
    graph.build_plans(opgraph.build_plan_policy.HEURISTICS_CHOICE)
    run_relu(graph, x, y)


def test_build_operation_graph_may_come_first():
    graph, x, y = relu_graph()
    graph.build_operation_graph()
    graph.create_execution_plans()
    graph.build_plans()
    run_relu(graph, x, y)


def test_build_and_execute():
    graph, x, y = relu_graph()
    graph.build([A])
    run_relu(graph, x, y)


def test_execute_plans_and_builds_first():
    graph, x, y = relu_graph()
    data, out = sample(), np.empty((4, 8), np.float32)
    graph.execute({x: data, y: out}, np.empty(1 << 16, np.uint8))
    assert (out == np.maximum(data, 0)).all()


def test_planning_is_one_shot():
    graph, _, _ = relu_graph()
    graph.create_execution_plans([A])
    with pytest.raises(RuntimeError):
        graph.create_execution_plans([A])


def test_everything_is_frozen_after_planning():
    graph, x, y = relu_graph()
    graph.create_execution_plans([A])
    for change in (lambda: graph.relu(x), lambda: graph.tensor(dim=[1]),
                   lambda: x.set_dim([1, 2]), lambda: y.set_output(False),
                   lambda: x.set_name("Z"), lambda: x.set_uid(77),
                   lambda: x.set_stride([1, 1]),
                   lambda: x.set_data_type(T.HALF)):
        with pytest.raises(RuntimeError):
            change()
    assert x.get_dim() == [4, 8] and x.get_name() == "X"


def test_before_a_build():
    graph, x, y = relu_graph()
    with pytest.raises(RuntimeError):
        graph.get_workspace_size()
    with pytest.raises(RuntimeError):
        graph.serialize()


# --- plan list ---------------------------------------------------------------


def test_plan_list():
    graph, x, y = relu_graph()
    graph.create_execution_plans([A, opgraph.heur_mode.FALLBACK])
    count = graph.get_execution_plan_count()
    assert count >= 2
    names = [graph.get_plan_name_at_index(i) for i in range(count)]
    assert len(set(names)) == count
    engines = {plan.engine_name for plan in graph.plans}
    assert {"host.fused", "host.reference"} <= engines
    times = [plan.predicted_time_ns for plan in graph.plans]
    assert all(t > 0 for t in times)
    with pytest.raises(IndexError):
        graph.get_plan_name_at_index(count)
    with pytest.raises(IndexError):
        graph.get_plan_name_at_index(-1)


def test_every_plan_runs():
    graph, x, y = relu_graph()
    graph.create_execution_plans()
    graph.build_plans(opgraph.build_plan_policy.ALL)
    for index in range(graph.get_execution_plan_count()):
        data, out = sample(), np.empty((4, 8), np.float32)
        size = graph.get_workspace_size_plan_at_index(index)
        graph.execute_plan_at_index({x: data, y: out},
                                    np.empty(size, np.uint8), index)
        assert (out == np.maximum(data, 0)).all()


def test_engine_and_knobs_replay():
    graph, *_ = linear_graph()
    graph.create_execution_plans([A])
    for index in range(graph.get_execution_plan_count()):
        engine, knobs = graph.get_engine_and_knobs_at_index(index)
        again, *_ = linear_graph()
        again.create_execution_plan(engine, knobs)
        assert again.get_plan_name_at_index(0) == \
            graph.get_plan_name_at_index(index)


def test_unknown_engine_and_peer_engine():
    graph, *_ = relu_graph()
    with pytest.raises((ValueError, RuntimeError, NS)) as error:
        graph.create_execution_plan(12345, {})
    assert "12345" in str(error.value)
    graph, *_ = relu_graph()
    with pytest.raises((ValueError, RuntimeError, NS)) as error:
        graph.create_execution_plan(20517, {})
    assert "20517" in str(error.value) or "sm90" in str(error.value)


def test_deselect_engines():
    graph, x, y = relu_graph()
    graph.create_execution_plans()
    assert graph.deselect_engines(["fused"]) is graph
    graph.check_support()
    graph.build_plans()
    assert graph.selected_engine == "host.reference"
    run_relu(graph, x, y)


def test_all_barred():
    graph, *_ = relu_graph()
    graph.create_execution_plans()
    graph.deselect_engines(["host"])
    with pytest.raises(NS):
        graph.check_support()
    with pytest.raises(NS):
        graph.build_plans()
    with pytest.raises(ValueError):
        graph.build_plan_at_index(0)


def test_notes():
    graph, *_ = relu_graph()
    graph.create_execution_plans()
    note = opgraph.behavior_note.RUNTIME_COMPILATION
    assert note in graph.get_behavior_notes_for_plan_at_index(0)
    graph.deselect_behavior_notes([note])
    with pytest.raises(NS):
        graph.check_support()


def test_select_plan_is_a_strict_pin():
    graph, x, y = relu_graph()
    with pytest.raises(RuntimeError):
        graph.select_plan(0)
    graph.create_execution_plans()
    last = graph.get_execution_plan_count() - 1
    graph.select_plan(last)
    graph.build_plans()
    assert graph.selected_engine == graph.plans[last].engine_name
    with pytest.raises(IndexError):
        graph.select_plan(last + 1)


def test_explain():
    graph, *_ = linear_graph()
    graph.create_execution_plans()
    assert "host.fused" in graph.explain()
    import json
    assert json.loads(graph.explain(as_json=True))


# --- tensors -----------------------------------------------------------------


def test_setters_chain_and_read_back():
    graph = opgraph.pygraph()
    x = graph.tensor(dim=(2, 3), stride=(3, 1), data_type=T.HALF, name="x", uid=9)
    assert (x.get_dim(), x.get_stride(), x.get_uid()) == ([2, 3], [3, 1], 9)
    assert x.get_data_type() is T.HALF and x.get_name() == "x"
    y = graph.neg(x)
    assert y.get_is_virtual()
    same = y.set_name("y").set_data_type(T.FLOAT).set_output(True)
    assert same is y and not y.get_is_virtual() and y.get_name() == "y"
    assert len({x, y}) == 2


def test_uids_are_numbered_around_chosen_ones():
    graph, x, y = relu_graph()
    y.set_uid(1)
    graph.validate()
    assert y.get_uid() == 1 and x.get_uid() not in (0, 1)


def test_equal_uids_are_refused():
    graph, x, y = relu_graph()
    x.set_uid(5)
    with pytest.raises((ValueError, RuntimeError)):
        y.set_uid(5)
        graph.validate()


def test_default_types():
    graph = opgraph.pygraph(io_data_type=T.HALF, intermediate_data_type=T.FLOAT)
    x = graph.tensor(dim=[2, 2])
    mid = graph.exp(x)
    out = graph.log(mid).set_output(True)
    graph.validate()
    assert x.get_data_type() is T.HALF
    assert mid.get_data_type() is T.FLOAT
    assert out.get_data_type() is T.HALF


class FakeTorchDtype:
    def __str__(self):
        return "torch.bfloat16"


def test_framework_dtypes():
    graph = opgraph.pygraph(io_data_type=FakeTorchDtype())
    assert graph.tensor(dim=[1], data_type=np.float16).get_data_type() is T.HALF
    assert graph.tensor(
        dim=[1], data_type=np.dtype("int8")).get_data_type() is T.INT8
    with pytest.raises(NS):
        graph.tensor(dim=[1], data_type="complex")


def test_tensor_like():
    graph = opgraph.pygraph()
    x = graph.tensor_like(np.zeros((3, 4), np.float32).T)
    assert (x.get_dim(), x.get_stride()) == ([4, 3], [1, 4])
    y = graph.tensor_like(x, name="copy")
    assert y.get_dim() == [4, 3] and y.get_uid() != x.get_uid() or not y.get_uid()


@pytest.mark.parametrize("kind", list(opgraph.scalar_type))
def test_tensor_scalar(kind):
    graph = opgraph.pygraph(io_data_type=T.FLOAT)
    x = graph.tensor(dim=[4, 8])
    s = graph.tensor_scalar(2.5, kind)
    y = graph.mul(x, s).set_output(True)
    graph.build([A])
    data, out = sample(), np.empty((4, 8), np.float32)
    graph.execute({x: data, y: out}, workspace_of(graph))
    assert (out == data * 2.5).all()
    if kind is opgraph.scalar_type.RUNTIME_PARAM:
        graph.execute({x: data, y: out, s: np.array([3.0], np.float32)},
                      workspace_of(graph))
        assert (out == data * 3).all()


def test_arrays_as_arguments():
    """Framework tensors are described on the spot, their data bound."""
    graph = opgraph.pygraph(io_data_type=T.FLOAT)
    a, b = sample(), sample() + 1
    y = graph.add(a, b).set_output(True)
    graph.build([A])
    out = np.empty((4, 8), np.float32)
    graph.execute({y: out}, workspace_of(graph))
    assert (out == a + b).all()


# --- variant packs -----------------------------------------------------------


def test_keys():
    graph, x, y = relu_graph()
    graph.build([A])
    data, out = sample(), np.empty((4, 8), np.float32)
    for pack in ({x.get_uid(): data, y.get_uid(): out}, {"X": data, y: out},
                 {x: data, y: out, None: data, 999: data}):
        out.fill(np.nan)
        graph.execute(pack, workspace_of(graph))
        assert (out == np.maximum(data, 0)).all()
    graph.execute([data, out], workspace_of(graph),
                  tensor_uids=[x.get_uid(), y.get_uid()])
    with pytest.raises(ValueError):
        graph.execute({"no such name": data, y: out}, workspace_of(graph))


def test_bare_addresses():
    graph, x, y = relu_graph()
    graph.build([A])
    data, out = sample(), np.empty((4, 8), np.float32)
    graph.execute({x: data.ctypes.data, y: out.ctypes.data}, workspace_of(graph))
    assert (out == np.maximum(data, 0)).all()


def test_missing_operand():
    graph, x, y = relu_graph()
    graph.build([A])
    with pytest.raises(ValueError, match=str(x.get_uid())):
        graph.execute({y: np.empty((4, 8), np.float32)}, workspace_of(graph))


def test_small_buffer():
    graph, x, y = relu_graph()
    graph.build([A])
    with pytest.raises(ValueError, match="128"):
        graph.execute({x: np.empty(31, np.float32),
                       y: np.empty((4, 8), np.float32)}, workspace_of(graph))


def test_flat_buffer_is_read_as_declared():
    graph, x, y = relu_graph()
    graph.build([A])
    data, out = sample(), np.empty(32, np.float32)
    graph.execute({x: data.reshape(32), y: out}, workspace_of(graph))
    assert (out.reshape(4, 8) == np.maximum(data, 0)).all()


def test_read_only_arrays():
    graph, x, y = relu_graph()
    graph.build([A])
    data, out = sample(), np.empty((4, 8), np.float32)
    data.flags.writeable = False
    graph.execute({x: data, y: out}, workspace_of(graph))
    out.flags.writeable = False
    with pytest.raises((ValueError, RuntimeError, TypeError)):
        graph.execute({x: data, y: out}, workspace_of(graph))


def test_ml_dtypes_arrays():
    import ml_dtypes
    for name in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
        dtype = np.dtype(getattr(ml_dtypes, name))
        graph = opgraph.pygraph(io_data_type=dtype, compute_data_type=T.FLOAT)
        x = graph.tensor(dim=[2, 3])
        y = graph.neg(x).set_output(True)
        graph.build([A])
        data = np.array([[1, -2, 0.5], [4, 0, -8]], dtype)
        out = np.empty((2, 3), dtype)
        graph.execute({x: data, y: out}, workspace_of(graph))
        assert (out.astype(np.float32) == -data.astype(np.float32)).all()


def test_wrong_operand_kind():
    graph, x, y = relu_graph()
    graph.build([A])
    with pytest.raises(ValueError, match="str"):
        graph.execute({x: "data", y: np.empty((4, 8), np.float32)},
                      workspace_of(graph))


def test_overlap_is_refused():
    graph, x, w, y = linear_graph()
    graph.build([A])
    room = np.zeros(8 * 16 + 8 * 4, np.float32)
    with pytest.raises(ValueError, match="overlap"):
        graph.execute({x: room[:128].reshape(1, 8, 16),
                       w: np.zeros((1, 16, 4), np.float32),
                       y: room[100:132].reshape(1, 8, 4)}, workspace_of(graph))


def test_small_workspace():
    graph = opgraph.pygraph(io_data_type=T.FLOAT)
    x = graph.tensor(dim=[8, 16])
    total = graph.reduction(graph.exp(x), mode=opgraph.reduction_mode.ADD)
    total.set_dim([8, 1]).set_stride([1, 1])
    y = graph.div(graph.exp(x), total).set_output(True)
    graph.create_execution_plan(10000)
    graph.build_plans()
    assert graph.get_workspace_size() > 0
    pack = {x: np.zeros((8, 16), np.float32), y: np.empty((8, 16), np.float32)}
    with pytest.raises(ValueError, match="workspace"):
        graph.execute(pack, np.empty(1, np.uint8))
    with pytest.raises(ValueError, match="workspace"):
        graph.execute(pack)


def test_partial_overrides():
    graph, x, y = relu_graph()
    graph.build([A])
    with pytest.raises(ValueError, match="override"):
        graph.execute({x: sample(), y: np.empty((4, 8), np.float32)},
                      workspace_of(graph), override_uids=[x.get_uid()])


def test_override_shapes():
    graph, x, y = relu_graph(is_override_shape_enabled=True)
    graph.build([A])
    data = np.linspace(-1, 1, 7 * 8, dtype=np.float32).reshape(7, 8)
    out = np.empty_like(data)
    overrides = dict(override_uids=[x.get_uid(), y.get_uid()],
                     override_shapes=[[7, 8], [7, 8]],
                     override_strides=[[8, 1], [8, 1]])
    size = graph.get_workspace_size(**overrides)
    graph.execute({x: data, y: out}, np.empty(size, np.uint8), **overrides)
    assert (out == np.maximum(data, 0)).all()


def test_threads_share_a_plan():
    graph, x, w, y = linear_graph()
    graph.build([A])
    rng = np.random.default_rng(0)
    failures = []

    def work(seed):
        xs = rng.standard_normal((1, 8, 16)).astype(np.float32) + seed
        ws = np.ones((1, 16, 4), np.float32)
        first = np.empty((1, 8, 4), np.float32)
        graph.execute({x: xs, w: ws, y: first}, workspace_of(graph))
        for _ in range(50):
            out = np.full((1, 8, 4), np.nan, np.float32)
            graph.execute({x: xs, w: ws, y: out}, workspace_of(graph))
            if not (out == first).all():
                failures.append(seed)
    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


# --- plan files --------------------------------------------------------------


def test_serialize_and_deserialize():
    graph, x, y = relu_graph()
    graph.build([A])
    data = graph.serialize()
    assert isinstance(data, list)
    other = opgraph.pygraph()
    other.deserialize(opgraph.create_handle(), data)
    out = np.empty((4, 8), np.float32)
    other.execute({x.get_uid(): sample(), y.get_uid(): out},
                  np.empty(other.get_workspace_size(), np.uint8))
    assert (out == np.maximum(sample(), 0)).all()


@pytest.mark.parametrize("damage", ["truncate", "flip", "empty"])
def test_damaged_plan_files(damage):
    graph, *_ = relu_graph()
    graph.build([A])
    data = bytearray(graph.serialize(as_bytes=True))
    if damage == "truncate":
        data = data[:-5]
    elif damage == "flip":
        data[len(data) // 2] ^= 4
    else:
        data = b""
    with pytest.raises(ValueError):
        opgraph.load_plan(bytes(data))


# --- bad graphs --------------------------------------------------------------


def test_no_outputs():
    graph = opgraph.pygraph(io_data_type=T.FLOAT)
    graph.relu(graph.tensor(dim=[2]))
    with pytest.raises(ValueError, match="output"):
        graph.validate()


def test_no_operations():
    graph = opgraph.pygraph(io_data_type=T.FLOAT)
    graph.tensor(dim=[2])
    with pytest.raises(ValueError):
        graph.validate()


def test_broadcast_mismatch():
    graph = opgraph.pygraph(io_data_type=T.FLOAT)
    y = graph.add(graph.tensor(dim=[4, 3]), graph.tensor(dim=[2, 3]))
    y.set_output(True)
    with pytest.raises(ValueError, match="4"):
        graph.validate()


def test_matmul_k_mismatch():
    graph = opgraph.pygraph(io_data_type=T.FLOAT)
    y = graph.matmul(graph.tensor(dim=[1, 2, 3]), graph.tensor(dim=[1, 4, 5]))
    y.set_output(True)
    with pytest.raises(ValueError, match="3.*4"):
        graph.validate()


def test_strides_not_derivable():
    graph = opgraph.pygraph(io_data_type=T.FLOAT)
    graph.add(graph.tensor(dim=[4, 1, 64]),
              graph.tensor(dim=[1, 32, 64])).set_output(True)
    with pytest.raises(ValueError, match="stride"):
        graph.validate()


def test_reduction_needs_dims():
    graph = opgraph.pygraph(io_data_type=T.FLOAT)
    graph.reduction(graph.tensor(dim=[2, 3, 4]),
                    mode=opgraph.reduction_mode.ADD).set_output(True)
    with pytest.raises(ValueError, match="extents of result"):
        graph.validate()


def test_norm_phase_not_set():
    graph = opgraph.pygraph(io_data_type=T.FLOAT)
    x = graph.tensor(dim=[2, 8])
    with pytest.raises(ValueError):
        graph.layernorm(x, None, None, x, opgraph.norm_forward_phase.NOT_SET)


def test_transpose_dtype_change():
    graph = opgraph.pygraph(io_data_type=T.FLOAT)
    y = graph.transpose(graph.tensor(dim=[2, 3]), [1, 0])
    y.set_output(True).set_data_type(T.HALF)
    with pytest.raises(RuntimeError):
        graph.validate()


def test_slice_step():
    graph = opgraph.pygraph(io_data_type=T.FLOAT)
    with pytest.raises(RuntimeError):
        graph.slice(graph.tensor(dim=[4]), [slice(None, None, -1)])


def test_foreign_tensor():
    one, two = opgraph.pygraph(name="one"), opgraph.pygraph(name="two")
    with pytest.raises(ValueError, match="one"):
        two.relu(one.tensor(dim=[2]))


def test_wrong_argument_types():
    graph = opgraph.pygraph(io_data_type=T.FLOAT)
    x = graph.tensor(dim=[2, 2])
    with pytest.raises(TypeError):
        graph.relu("x")
    with pytest.raises(TypeError):
        graph.add(x)
    with pytest.raises(TypeError):
        graph.add(x, x, T.FLOAT)
    with pytest.raises(TypeError):
        graph.add(x, x, no_such_keyword=1)
    with pytest.raises(TypeError):
        opgraph.pygraph(handle=5)


@pytest.mark.parametrize("arguments", [
    dict(), dict(is_inference=True, generate_stats=True), dict(is_inference=1),
    dict(is_inference=True, attn_scale=1),
    dict(is_inference=True, use_causal_mask=True, use_causal_mask_bottom_right=True),
    dict(is_inference=True, use_causal_mask=True, diagonal_band_right_bound=1),
    dict(is_inference=True, sliding_window_length=2, diagonal_band_left_bound=2),
    dict(is_inference=True, diagonal_band_left_bound=1.5)])
def test_sdpa_call_conflicts(arguments):
    graph = opgraph.pygraph(io_data_type=T.HALF)
    q = graph.tensor(dim=[1, 2, 8, 8])
    with pytest.raises((RuntimeError, NS)):
        graph.sdpa(q, q, q, **arguments)


def test_errors_derive_from_both():
    graph = opgraph.pygraph(io_data_type=T.FLOAT)
    graph.add(graph.tensor(dim=[4]), graph.tensor(dim=[3])).set_output(True)
    with pytest.raises(opgraph.Error) as error:
        graph.validate()
    assert isinstance(error.value, ValueError)
    assert "test_api.py" in str(error.value), "the op's source line is missing"


# --- module ------------------------------------------------------------------


def test_worked_inference_examples():
    graph = opgraph.pygraph(io_data_type=T.FLOAT)
    a = graph.tensor(dim=[16, 32, 128])
    b = graph.tensor(dim=[16, 128, 64], stride=[128 * 64, 1, 128])
    c = graph.matmul(a, b)
    nhwc = graph.tensor(dim=[4, 16, 56, 56], stride=[16 * 56 * 56, 1, 16 * 56, 16])
    r = graph.relu(nhwc).set_output(True)
    x = graph.tensor(dim=[2, 3, 4])
    t = graph.transpose(x, [0, 2, 1]).set_output(True)
    s = graph.slice(graph.tensor(dim=[4, 10]), [slice(None), slice(0, 10, 2)])
    s.set_output(True)
    cat = graph.concatenate(axis=1, inputs=[graph.tensor(dim=[2, 3, 8]),
                                            graph.tensor(dim=[2, 5, 8])])
    cat.set_output(True)
    red = graph.reduction(graph.tensor(dim=[4, 32, 64, 64]),
                          mode=opgraph.reduction_mode.ADD)
    red.set_dim([4, 1, 64, 64]).set_output(True)
    c.set_output(True)
    graph.validate()
    assert (c.get_dim(), c.get_stride()) == ([16, 32, 64], [2048, 64, 1])
    assert r.get_stride() == nhwc.get_stride()
    assert (t.get_dim(), t.get_stride()) == ([2, 4, 3], [12, 1, 4])
    assert (s.get_dim(), s.get_stride()) == ([4, 5], [10, 2])
    assert (cat.get_dim(), cat.get_stride()) == ([2, 8, 8], [64, 8, 1])
    assert red.get_stride() == [4096, 1, 64, 1]


def test_introspection():
    graph, x, y = relu_graph()
    node, = graph.nodes
    assert (node.op, node.name) == ("relu", "act")
    assert node.inputs == {"IN_0": x} and node.outputs == {"OUT_0": y}
    assert y.get_name() == "act::OUT_0"
    assert graph.get_inputs() == [x] and graph.get_outputs() == [y]
    assert graph.find_tensor("X") is x and graph.get_node("act").op == "relu"
    assert "graph.relu" in str(graph)
    graph.validate()
    assert graph.query_tensor_attributes_of_uid(x.get_uid()) is x
    assert opgraph.parse(str(graph)).nodes[0].op == "relu"


def test_equal_graphs_have_equal_keys():
    assert relu_graph()[0].key() == relu_graph()[0].key()
    assert relu_graph()[0].key() != linear_graph()[0].key()


def test_handles():
    handle = opgraph.create_handle()
    opgraph.set_stream(handle=handle, stream=0)
    assert opgraph.get_stream(handle) == 0
    with pytest.raises(RuntimeError):
        opgraph.set_stream(handle=handle, stream=7)
    with pytest.raises(TypeError):
        opgraph.destroy_handle(3)
    opgraph.destroy_handle(handle)
    opgraph.destroy_handle(handle)


def test_enums():
    align = opgraph.diagonal_alignment.TOP_LEFT
    assert str(align) == repr(align) == "diagonal_alignment.TOP_LEFT"
    assert align.BOTTOM_RIGHT is opgraph.diagonal_alignment.BOTTOM_RIGHT
    assert int(T.BFLOAT16) == 10 and T(10) is T.BFLOAT16
    assert T.__module__.split(".")[0] == "opgraph"
    assert opgraph.backend_version() == 92700
    assert opgraph.is_frontend_knob_type(opgraph.knob_type.SPLIT_KV)
