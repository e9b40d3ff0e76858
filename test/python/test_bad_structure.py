# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the operations with structure of their own are given by mistake:
lengths, offsets and page tables that do not go together, narrow types of odd
extent, group offsets out of order, callbacks that misbehave. Each is a clear
error or a defined result."""

import numpy as np
import opgraph
import pytest

from support import graphs

T = opgraph.data_type
REFUSED = (ValueError, RuntimeError, opgraph.cudnnGraphNotSupportedError)
STRIDE = [64, 8, 16, 1]


class Attention:
    """q, k, v [2, 2, 4, 8] of a new graph, and what sdpa may be given."""

    def __init__(self):
        self.graph = graphs.new_graph("f32")
        self.q, self.k, self.v = (self.tensor([2, 2, 4, 8], STRIDE, T.FLOAT, n)
                                  for n in "qkv")
        self.lengths = self.tensor([2, 1, 1, 1], None, T.INT32, "lengths")
        self.ragged = self.tensor([3, 1, 1, 1], None, T.INT32, "ragged")
        self.table = self.tensor([2, 1, 2, 1], None, T.INT32, "table")

    def tensor(self, dim, stride, dtype, name):
        return self.graph.tensor(dim=dim, stride=stride, data_type=dtype,
                                 name=name)

    def run(self, **arguments):
        out = self.graph.sdpa(self.q, self.k, self.v, is_inference=True,
                              **arguments)[0]
        out.set_output(True)
        self.graph.validate()
        return out


def cases_of_lengths():
    """name -> (arguments of sdpa by attribute of Attention or value, words that
    the error has)."""
    return {
        "padding without lengths": (dict(use_padding_mask=True), "SEQ_LEN"),
        "one length only": (dict(use_padding_mask=True, seq_len_q="lengths"),
                            "SEQ_LEN"),
        "lengths without padding": (dict(
            seq_len_q="lengths", seq_len_kv="lengths"), "padding"),
        "length of another batch": (dict(
            use_padding_mask=True, seq_len_q="ragged", seq_len_kv="lengths"),
            "SEQ_LEN_Q"),
        "pages without lengths": (dict(
            paged_attention_k_table="table", paged_attention_v_table="table"),
            "(?i)len"),
        "most pages without pages": (dict(
            paged_attention_max_seq_len_kv=4), "(?i)table|paged"),
        "most tokens without offsets": (dict(max_total_seq_len_q=64),
                                        "(?i)ragged"),
        "both kinds of lengths": (dict(
            use_padding_mask=True, seq_len_q="lengths", seq_len_kv="lengths",
            cu_seq_len_q="ragged"), "(?i)CU_SEQ_LEN"),
    }


@pytest.mark.parametrize("name", cases_of_lengths())
def test_lengths_that_do_not_go_together(name):
    given, words = cases_of_lengths()[name]
    attention = Attention()
    arguments = {k: getattr(attention, v) if isinstance(v, str) else v
                 for k, v in given.items()}
    with pytest.raises(REFUSED, match=words) as caught:
        attention.run(**arguments)
    assert "sdpa" in str(caught.value)


def test_ragged_without_lengths():
    attention = Attention()
    attention.q.set_ragged_offset(attention.ragged)
    with pytest.raises(REFUSED, match="(?i)ragged|padding"):
        attention.run()


def test_ragged_offsets_of_another_batch():
    attention = Attention()
    attention.q.set_ragged_offset(attention.lengths)
    with pytest.raises(REFUSED, match="(?i)ragged"):
        attention.run(use_padding_mask=True, seq_len_q=attention.lengths,
                      seq_len_kv=attention.lengths)


@pytest.mark.parametrize("dim, stride", [
    ([3, 5], [5, 1]), ([4, 7], [7, 1]), ([2, 3, 1, 9], [27, 9, 9, 1])])
@pytest.mark.parametrize("dtype", [T.FP4_E2M1, T.INT4], ids=str)
def test_odd_extents_of_packed_types(dim, stride, dtype):
    graph = graphs.new_graph("f32")
    x = graph.tensor(dim=dim, stride=stride, data_type=dtype, name="narrow")
    graph.identity(x).set_output(True).set_data_type(T.FLOAT)
    with pytest.raises(REFUSED, match="even"):
        graph.validate()


def moe(offsets, rows=6, experts=3, k=4, n=2):
    """The result on the judge, tokens 1..rows in every channel."""
    token = np.repeat(np.arange(1, rows + 1, dtype=np.float32), k)
    token = token.reshape(1, rows, k)
    weight = np.arange(1, experts + 1, dtype=np.float32)[:, None, None] * \
        np.ones((1, k, n), np.float32)
    starts = np.array(offsets, np.int32).reshape(-1, 1, 1)
    graph = graphs.new_graph("f32")
    t, w, f = (graphs.declare(graph, a) for a in (token, weight, starts))
    out = graph.moe_grouped_matmul(t, w, f)
    got, = graphs.run(graph, {t: token, w: weight, f: starts}, [out],
                      graphs.REFERENCE)
    return got[0, :, 0] / (4 * np.arange(1, rows + 1))


@pytest.mark.parametrize("offsets", [
    [0, 5, 2, 6], [0, 9, 9, 9], [0, -3, 2, 6], [3, 2, 1, 0],
    [2 ** 31 - 1] * 4, [-2 ** 31] * 4])
def test_group_offsets_out_of_order_stay_inside(offsets):
    """Clamped: which expert serves a row may be unspecified, but each row is
    written once, by one of them or as 0, and nothing is read outside."""
    served = moe(offsets)
    assert set(served.tolist()) <= {0.0, 1.0, 2.0, 3.0}


def test_group_offsets_in_order():
    assert moe([0, 2, 2, 6]).tolist() == [1, 1, 3, 3, 3, 3]


def test_page_numbers_out_of_range_stay_inside():
    """Clamped to the container: no access leaves it."""
    container = np.ones((3, 1, 2, 4), np.float32)
    lengths = np.array([[[[4]]]], np.int32)
    for page in (-5, 3, 2 ** 31 - 1):
        table = np.array([0, page], np.int32).reshape(1, 1, 2, 1)
        graph = graphs.new_graph("f32")
        c, s, t = (graphs.declare(graph, a) for a in (container, lengths, table))
        out = graph.paged_cache_load(c, s, t, max_seq_len_kv=4)
        got, = graphs.run(graph, {c: container, s: lengths, t: table}, [out],
                          graphs.REFERENCE)
        assert set(np.unique(got)) <= {0.0, 1.0}


# --- callbacks --------------------------------------------------------------

def test_score_mod_that_raises():
    attention = Attention()

    def failing(graph, score):
        graph.exp(score)
        raise KeyError("mine")
    nodes = len(attention.graph.nodes)
    with pytest.raises(KeyError, match="mine"):
        attention.run(score_mod=failing)
    # The graph is as before and goes on.
    assert len(attention.graph.nodes) == nodes
    attention.run()


@pytest.mark.parametrize("result", [None, 3, "text", [1]])
def test_score_mod_that_returns_no_tensor(result):
    attention = Attention()
    with pytest.raises(TypeError, match="sdpa.*score_mod.*tensor"):
        attention.run(score_mod=lambda graph, score: result)


@pytest.mark.parametrize("dim", [[1, 1, 1, 1], [2, 2, 4, 1], [3], [9, 2, 2, 4, 4]])
def test_score_mod_that_returns_another_shape(dim):
    attention = Attention()
    other = attention.tensor(dim, None, T.FLOAT, "other")
    with pytest.raises(REFUSED, match="sdpa") as caught:
        attention.run(score_mod=lambda graph, score: graph.abs(other))
    assert "2x2x4x4" in str(caught.value)


def test_score_mod_with_more_than_pointwise_operations():
    attention = Attention()
    with pytest.raises(REFUSED, match="pointwise.*reduction"):
        attention.run(score_mod=lambda graph, score: graph.reduction(
            score, mode=opgraph.reduction_mode.MAX, out_dims=[2, 2, 4, 1]))


def test_score_mod_that_captures_a_tensor_of_another_graph():
    attention = Attention()
    other = graphs.new_graph("f32").tensor(dim=[1, 1, 1, 1])
    with pytest.raises(REFUSED, match="graph"):
        attention.run(score_mod=lambda graph, score: graph.add(score, other))


def test_score_mod_that_returns_a_tensor_of_another_graph():
    attention = Attention()
    other = graphs.new_graph("f32").tensor(dim=[2, 2, 4, 4])
    with pytest.raises((TypeError, *REFUSED), match="graph"):
        attention.run(score_mod=lambda graph, score: other)


def test_score_mod_that_is_no_function():
    attention = Attention()
    with pytest.raises(TypeError, match="callable"):
        attention.run(score_mod="relu")


def test_a_tensor_of_a_dropped_region_is_refused():
    attention = Attention()
    kept = []

    def failing(graph, score):
        kept.append(graph.exp(score))
        raise KeyError("mine")
    with pytest.raises(KeyError):
        attention.run(score_mod=failing)
    with pytest.raises(REFUSED, match="dropped"):
        attention.graph.abs(kept[0])


def test_a_score_does_not_leave_its_region():
    attention = Attention()
    kept = []

    def leaking(graph, score):
        kept.append(graph.exp(score))
        return kept[0]
    attention.graph.sdpa(attention.q, attention.k, attention.v,
                         is_inference=True, score_mod=leaking)[0] \
        .set_output(True)
    with pytest.raises(REFUSED, match="region"):
        attention.graph.abs(kept[0]).set_output(True)
        attention.graph.validate()
