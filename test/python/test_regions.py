# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Score modifiers: what callbacks may do, and what the graph is after one that
may not; outputs that the caller makes; ragged offsets."""

import json

import numpy as np
import opgraph
import pytest

T = opgraph.data_type
B, H, SQ, SKV, D = 2, 4, 8, 12, 16


def new_graph():
    graph = opgraph.pygraph(io_data_type=T.FLOAT, compute_data_type=T.FLOAT,
                            intermediate_data_type=T.FLOAT)
    q = graph.tensor([B, H, SQ, D], name="q")
    k = graph.tensor([B, H, SKV, D], name="k")
    v = graph.tensor([B, H, SKV, D], name="v")
    return graph, (q, k, v)


def attention(graph, operands, score_mod=None, **keywords):
    out, stats = graph.sdpa(*operands, is_inference=True, score_mod=score_mod,
                            **keywords)
    assert stats is None
    return out.set_output(True)


def state(graph):
    """What a failed call may not change."""
    return json.dumps(graph.inspect()), len(graph.tensors)


def soft_cap(cap):
    def modify(graph, scores):
        assert scores.get_dim() == [B, H, SQ, SKV]
        return graph.mul(cap, graph.tanh(graph.div(scores, cap)))
    return modify


# --- what works ---------------------------------------------------------------


def test_captures_are_operands_of_attention():
    graph, operands = new_graph()
    cap = graph.tensor([1, 1, 1, 1], name="cap")
    attention(graph, operands, soft_cap(cap))
    node, = graph.nodes
    assert node.op == "sdpa" and node.inputs["Captures"] == [cap]
    region = node.region
    assert [n.op for n in region.nodes] == ["div", "tanh", "mul"]
    assert region.captures == [cap] and len(region.arguments) == 1
    assert region.nodes[-1].outputs["OUT_0"] is region.results[0]
    assert graph.get_node("tanh.0").op == "tanh"
    text = str(graph)
    assert "graph.tanh" in text and "graph.yield" in text
    assert region.arguments[0].get_dim() == [B, H, SQ, SKV]
    assert cap in graph.get_inputs()
    assert region.arguments[0] not in graph.get_inputs()
    assert json.loads(repr(graph))["nodes"][0]["region"]["captures"] == ["cap"]


def test_text_reads_back_with_its_region():
    graph, operands = new_graph()
    attention(graph, operands, soft_cap(graph.tensor([1, 1, 1, 1])))
    parsed = opgraph.parse(str(graph))
    assert str(parsed) == str(graph)
    node, = parsed.nodes
    assert [n.op for n in node.region.nodes] == ["div", "tanh", "mul"]


def test_indices_and_selection_make_a_mask():
    graph, operands = new_graph()
    floor = graph.tensor_scalar(-1e9)

    def causal(graph, scores):
        row = graph.gen_index(scores, 2)
        column = graph.gen_index(scores, 3)
        keep = graph.cmp_ge(row, column)
        return graph.binary_select(scores, floor, keep)

    attention(graph, operands, causal)
    assert "graph.gen_index" in str(graph)


def test_identity_is_a_score_mod():
    graph, operands = new_graph()
    attention(graph, operands, lambda graph, scores: scores)
    assert "graph.yield" in str(graph)


def test_arrays_can_be_captured():
    graph, operands = new_graph()
    slopes = np.ones((1, H, 1, 1), np.float32)
    attention(graph, operands, lambda graph, s: graph.mul(s, slopes))
    graph.validate()
    captured, = graph.nodes[0].region.captures
    assert graph._bound[captured] is slopes


# --- callbacks that do not ----------------------------------------------------


class Mine(Exception):
    pass


def test_exception_passes_unchanged_and_the_graph_is_as_before():
    graph, operands = new_graph()
    cap = graph.tensor([1, 1, 1, 1])
    graph.relu(operands[0])
    before, error = state(graph), Mine("of the user")
    leaked = []

    def raises(graph, scores):
        leaked.append(graph.mul(scores, cap))
        graph.mul(scores, np.ones((1, 1, 1, 1), np.float32))
        graph.tensor([3], uid=1)
        raise error

    with pytest.raises(Mine) as caught:
        attention(graph, operands, raises)
    assert caught.value is error
    assert state(graph) == before
    assert not graph._bound and not graph._described
    with pytest.raises(ValueError, match="region that was dropped"):
        graph.relu(leaked[0])
    with pytest.raises(ValueError, match="region that was dropped"):
        leaked[0].get_dim()
    attention(graph, operands, soft_cap(cap))
    graph.validate()


def test_another_graphs_tensor():
    graph, operands = new_graph()
    other = opgraph.pygraph(name="other", io_data_type=T.FLOAT).tensor(
        [1, 1, 1, 1], name="theirs")
    before = state(graph)
    with pytest.raises(ValueError, match="'theirs' of graph 'other'"):
        attention(graph, operands, lambda g, s: g.mul(s, other))
    with pytest.raises(TypeError, match="score_mod to return a tensor of graph "
                       "'test_graph', got one of graph 'other'"):
        attention(graph, operands, lambda g, s: other)
    assert state(graph) == before


@pytest.mark.parametrize("result", [None, 3.0, [1]])
def test_no_tensor_returned(result):
    graph, operands = new_graph()
    before = state(graph)
    with pytest.raises(TypeError, match="score_mod to return a tensor, got "
                       + type(result).__name__):
        attention(graph, operands, lambda g, s: result)
    assert state(graph) == before


def test_not_callable():
    graph, operands = new_graph()
    with pytest.raises(TypeError, match="score_mod to be callable, got int"):
        attention(graph, operands, 3)


def test_other_operations_inside():
    graph, operands = new_graph()
    before = state(graph)
    with pytest.raises(opgraph.cudnnGraphNotSupportedError,
                       match="expected a pointwise operation in region 1, got "
                       "'matmul'"):
        attention(graph, operands, lambda g, s: g.matmul(s, operands[2]))
    with pytest.raises(RuntimeError, match="do not nest"):
        attention(graph, operands, lambda g, s: attention(
            g, operands, lambda g, s: s))
    with pytest.raises(RuntimeError, match="region 1 is open"):
        attention(graph, operands, lambda g, s: g.validate())
    assert state(graph) == before


def test_another_shape_returned():
    graph, operands = new_graph()
    small = graph.tensor([1, 1, 1, 1])
    attention(graph, operands, lambda g, s: g.relu(small))
    with pytest.raises(ValueError):
        graph.validate()


def test_tensors_inside_are_not_read_outside():
    graph, operands = new_graph()
    inside = []

    def modify(graph, scores):
        inside.append(graph.relu(scores))
        return inside[0]

    attention(graph, operands, modify)
    with pytest.raises(RuntimeError, match="is inside region 1"):
        graph.relu(inside[0])
    with pytest.raises(RuntimeError, match="cannot be an output"):
        inside[0].set_output(True)
    graph.validate()


def test_failing_operation_drops_its_region():
    graph, operands = new_graph()
    before = state(graph)
    q, k, _ = operands
    with pytest.raises(ValueError):
        graph.sdpa(q, k, None, is_inference=True,
                   score_mod=lambda g, s: g.relu(s))
    assert state(graph) == before
    attention(graph, operands).set_dim([B, H, SQ, D])
    graph.validate()


# --- outputs that the caller makes --------------------------------------------


def test_caller_made_outputs():
    graph, operands = new_graph()
    row_max = graph.tensor([B, H, SQ, 1], name="row_max", uid=50)
    attention(graph, operands, score_max=row_max)
    graph.validate()
    node, = graph.nodes
    assert node.outputs["Max"] is row_max and "Sum_exp" not in node.outputs
    assert row_max in graph.get_outputs() and row_max.get_uid() == 50
    assert '"row_max"' in str(graph)


def test_caller_made_output_that_is_taken():
    graph, operands = new_graph()
    row_max = graph.tensor([B, H, SQ, 1])
    attention(graph, operands, score_max=row_max)
    with pytest.raises(ValueError, match="made by no operation"):
        attention(graph, operands, score_max=row_max)
    with pytest.raises(RuntimeError, match="read by nothing"):
        attention(graph, operands, score_max=operands[0])
    other = opgraph.pygraph().tensor([B, H, SQ, 1])
    with pytest.raises(ValueError, match="'Max' is tensor"):
        attention(graph, operands, score_max=other)


# --- ragged offsets -----------------------------------------------------------


def ragged_graph():
    graph, operands = new_graph()
    offset = graph.tensor([B + 1, 1, 1, 1], data_type=T.INT32, name="starts")
    length = graph.tensor([B, 1, 1, 1], data_type=T.INT32)
    out = attention(graph, operands, use_padding_mask=True, seq_len_q=length,
                    seq_len_kv=length)
    for tensor in (*operands, out):
        tensor.set_ragged_offset(offset)
    return graph, operands, out, offset


def test_ragged_offsets_are_operands():
    graph, (q, _, _), out, offset = ragged_graph()
    graph.validate()
    assert q.ragged_offset is offset and offset in graph.get_inputs()
    node, = graph.nodes
    assert node.inputs["Ragged_offset_Q"] is offset
    assert node.inputs["Ragged_offset_O"] is offset
    text = str(graph)
    assert "ragged_offset_v" in text and "ragged_multipliers" not in text
    assert json.loads(repr(q))["ragged_offset_name"] == "starts"


def test_ragged_multipliers():
    graph, (q, k, _), out, offset = ragged_graph()
    k.set_ragged_offset_multiplier(H * D)
    q.set_ragged_offset_multiplier(3).set_ragged_offset(offset)
    assert q.get_ragged_offset_multiplier() == 3
    assert f"ragged_multipliers = array<i64: 3, {H * D}, 1, 1>" in str(graph)
    parsed = opgraph.parse(str(graph))
    assert parsed.tensors[1].get_ragged_offset_multiplier() == H * D
    assert parsed.tensors[1].ragged_offset.get_name() == "starts"


def test_ragged_from_the_constructor():
    graph = opgraph.pygraph(io_data_type=T.FLOAT)
    offset = graph.tensor([B + 1, 1, 1, 1], data_type=T.INT64,
                          alignment_value=8)
    q = graph.tensor([B, H, SQ, D], ragged_offset=offset,
                     ragged_offset_multiplier=5)
    assert q.ragged_offset is offset and q.get_ragged_offset_multiplier() == 5
    assert offset.get_alignment_value() == 8
    assert q.set_ragged_offset(None).ragged_offset is None
    with pytest.raises(ValueError, match="of graph 'other'"):
        q.set_ragged_offset(opgraph.pygraph(name="other").tensor([B + 1]))
    with pytest.raises(TypeError, match="'offset' to be a tensor"):
        q.set_ragged_offset(3)


def test_ragged_tensor_read_by_another_operation():
    graph, _, out, _ = ragged_graph()
    graph.relu(out).set_output(True)
    with pytest.raises(opgraph.cudnnGraphNotSupportedError,
                       match="expected port 'IN_0' to be dense"):
        graph.validate()
