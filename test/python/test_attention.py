# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Signatures and errors of the forward attention methods; test/conformance has
their numbers."""

import inspect

import numpy as np
import opgraph
import pytest

from formulas import attention as f
from support import graphs
from support.compare import assert_close
from support.dtypes import OPGRAPH, convert, round_to, widen

FLOAT, HALF = opgraph.data_type.FLOAT, opgraph.data_type.HALF
INT32 = opgraph.data_type.INT32
#: Positional order of 1.32 (op_surface 6.13.2).
SDPA = ("q k v is_inference attn_scale bias block_mask use_alibi_mask "
        "use_padding_mask seq_len_q seq_len_kv use_causal_mask "
        "use_causal_mask_bottom_right sliding_window_length diagonal_alignment "
        "diagonal_band_left_bound diagonal_band_right_bound dropout rng_dump "
        "paged_attention_k_table paged_attention_v_table "
        "paged_attention_max_seq_len_kv max_total_seq_len_q "
        "max_total_seq_len_kv compute_data_type name score_mod generate_stats "
        "implementation score_max score_sum_exp sink_token unfuse_fma "
        "cu_seq_len_q cu_seq_len_kv stats_use_log2 softmax_precision "
        "attn_scale_prefolded kv_mask out_dims").split()
FP8 = ("q k v descale_q descale_k descale_v descale_s scale_s scale_o "
       "is_inference attn_scale bias use_alibi_mask use_padding_mask seq_len_q "
       "seq_len_kv use_causal_mask use_causal_mask_bottom_right sliding_window "
       "diagonal_alignment left_bound right_bound dropout rng_dump "
       "paged_attention_k_table paged_attention_v_table "
       "paged_attention_max_seq_len_kv max_total_seq_len_q "
       "max_total_seq_len_kv compute_data_type name fn generate_stats "
       "score_max score_sum_exp sink_token unfuse_fma implementation "
       "cu_seq_len_q cu_seq_len_kv stats_use_log2 sf_o out_dims").split()
MXFP8 = ("q k v descale_q descale_k descale_v attn_scale use_causal_mask "
         "use_causal_mask_bottom_right diagonal_alignment "
         "diagonal_band_left_bound diagonal_band_right_bound "
         "compute_data_type name generate_stats sink_token unfuse_fma "
         "implementation use_padding_mask seq_len_q seq_len_kv "
         "max_total_seq_len_q max_total_seq_len_kv cu_seq_len_q cu_seq_len_kv "
         "paged_attention_k_table paged_attention_v_table "
         "paged_attention_max_seq_len_kv scale_o sf_o out_dims").split()


@pytest.mark.parametrize("method, names", [
    ("sdpa", SDPA), ("scaled_dot_product_flash_attention", SDPA),
    ("sdpa_fp8", FP8), ("sdpa_mxfp8", MXFP8)])
def test_signature(method, names):
    parameters = inspect.signature(getattr(opgraph.pygraph, method)).parameters
    assert list(parameters)[1:] == names


def declare(dtype=HALF, skv=6):
    graph = opgraph.pygraph(io_data_type=dtype, compute_data_type=FLOAT,
                            intermediate_data_type=FLOAT)
    q, k, v = (graph.tensor(dim=[2, 4, rows, 8], data_type=dtype)
               for rows in (5, skv, skv))
    return graph, q, k, v


def lengths(graph, count=2):
    return [graph.tensor(dim=[count, 1, 1, 1], data_type=INT32)
            for _ in range(2)]


def test_results():
    graph, q, k, v = declare()
    o, stats = graph.sdpa(q, k, v, is_inference=True)
    assert stats is None
    largest = graph.tensor(dim=[2, 4, 5, 1], data_type=FLOAT)
    o, stats = graph.sdpa(o, k, v, generate_stats=True, score_max=largest)
    assert stats.get_name().endswith("::Stats")
    o.set_output(True), stats.set_output(True)
    graph.validate()
    assert o.get_dim() == [2, 4, 5, 8] and stats.get_dim() == [2, 4, 5, 1]
    assert not largest.get_is_virtual()


#: Keywords of sdpa -> what the call raises.
AT_CALL = [
    (dict(), RuntimeError, "exactly one of is_inference and generate_stats"),
    (dict(is_inference=True, generate_stats=True), RuntimeError, "exactly one"),
    (dict(generate_stats=1), RuntimeError, "to be a bool"),
    (dict(is_inference=True, attn_scale=1), RuntimeError, "float or a tensor"),
    (dict(is_inference=True, use_causal_mask=True,
          use_causal_mask_bottom_right=True), RuntimeError, "exclude"),
    (dict(is_inference=True, use_causal_mask=True,
          diagonal_band_right_bound=1), RuntimeError, "exclude"),
    (dict(is_inference=True, sliding_window_length=2,
          diagonal_band_left_bound=2), RuntimeError, "exclude"),
    (dict(is_inference=True, use_causal_mask="no"), TypeError,
     "use_causal_mask"),
    (dict(is_inference=True, diagonal_band_left_bound=2.0), RuntimeError,
     "to be an int"),
    (dict(is_inference=True, dropout=0.5), RuntimeError, "dropout to be"),
    (dict(is_inference=True, dropout=("a", 1, 2)), RuntimeError,
     "dropout to be"),
    (dict(is_inference=True, score_mod=3), TypeError, "callable"),
    (dict(is_inference=True, score_mod=lambda graph, s: None), TypeError,
     "to return a tensor"),
    (dict(is_inference=True, nonsense=1), TypeError, "nonsense"),
]


@pytest.mark.parametrize("keywords, error, text", AT_CALL)
def test_errors_at_the_call(keywords, error, text):
    graph, q, k, v = declare()
    with pytest.raises(error, match=text):
        graph.sdpa(q, k, v, **keywords)


#: What validate raises: (keywords made from the graph, error, text).
AT_VALIDATE = [
    (lambda g: dict(use_padding_mask=True), ValueError, "no lengths"),
    (lambda g: dict(zip(("seq_len_q", "seq_len_kv"), lengths(g))), ValueError,
     "lengths without it"),
    (lambda g: dict(use_alibi_mask=True), opgraph.cudnnGraphNotSupportedError,
     "right_bound"),
    (lambda g: dict(diagonal_band_left_bound=-1), RuntimeError, "at least 0"),
    (lambda g: dict(dropout=(1.0, *(g.tensor(dim=[1, 1, 1, 1],
                                             data_type=INT32)
                                    for _ in range(2)))), ValueError,
     "less than 1"),
    (lambda g: dict(paged_attention_max_seq_len_kv=6),
     opgraph.cudnnGraphNotSupportedError, "expected page tables"),
    (lambda g: dict(max_total_seq_len_q=6),
     opgraph.cudnnGraphNotSupportedError, "expected ragged offsets"),
    (lambda g: dict(bias=g.tensor(dim=[1, 1, 5, 7], data_type=FLOAT)),
     ValueError, "to broadcast"),
    (lambda g: dict(softmax_precision=INT32),
     opgraph.cudnnGraphNotSupportedError, "softmax_precision"),
    (lambda g: dict(sink_token=g.tensor(dim=[1, 1, 1, 1], data_type=FLOAT)),
     ValueError, "SINK_TOKEN"),
]


@pytest.mark.parametrize("make, error, text", AT_VALIDATE)
def test_errors_at_validate(make, error, text):
    graph, q, k, v = declare()
    with pytest.raises(error, match=text):
        graph.sdpa(q, k, v, is_inference=True,
                   **make(graph))[0].set_output(True)
        graph.validate()


def test_fp8_and_mxfp8():
    graph, q, k, v = declare(opgraph.data_type.FP8_E4M3)
    one = graph.tensor(dim=[1, 1, 1, 1], data_type=FLOAT)
    results = graph.sdpa_fp8(q, k, v, one, one, one, one, one, one,
                             is_inference=True)
    assert len(results) == 4 and results[1] is None
    for result in results:
        if result is not None:
            result.set_output(True)
    graph.validate()
    assert results[2].get_dim() == results[3].get_dim() == [1, 1, 1, 1]
    with pytest.raises(opgraph.cudnnGraphNotSupportedError, match="sf_o"):
        graph.sdpa_fp8(q, k, v, one, one, one, one, one, one,
                       is_inference=True, sf_o=one)
    with pytest.raises(RuntimeError, match="sliding_window and left_bound"):
        graph.sdpa_fp8(q, k, v, one, one, one, one, one, one,
                       is_inference=True, sliding_window=3, left_bound=3)
    with pytest.raises(RuntimeError, match="generate_stats"):
        graph.sdpa_mxfp8(q, k, v, one, one, one)


def test_mxfp8_wants_block_scales():
    graph, q, k, v = declare(opgraph.data_type.FP8_E4M3)
    one = graph.tensor(dim=[1, 1, 1, 1], data_type=FLOAT)
    graph.sdpa_mxfp8(q, k, v, one, one, one,
                     generate_stats=False)[0].set_output(True)
    with pytest.raises(ValueError, match="f8E8M0FNU"):
        graph.validate()


def test_score_mod_of_another_graph():
    graph, q, k, v = declare()
    other = declare()[1]
    with pytest.raises(TypeError, match="tensor of graph"):
        graph.sdpa(q, k, v, is_inference=True, score_mod=lambda g, s: other)
    with pytest.raises(ZeroDivisionError):
        graph.sdpa(q, k, v, is_inference=True, score_mod=lambda g, s: 1 / 0)
    # The graph is as before.
    graph.sdpa(q, k, v, is_inference=True)[0].set_output(True)
    graph.validate()


def test_score_mod_of_another_shape():
    graph, q, k, v = declare()
    with pytest.raises(ValueError):
        graph.sdpa(q, k, v, is_inference=True, score_mod=lambda g, s: g.add(
            s, g.tensor(dim=[7, 1, 1, 1], data_type=FLOAT)))[0].set_output(True)
        graph.validate()


def test_ragged_batches_in_the_style_of_the_peers():
    """THD buffers of fewer tokens than the declared extents."""
    rng = np.random.default_rng(3)
    counts, heads, width, most = [3, 1, 5], 2, 8, 5
    total = sum(counts)
    flat = [round_to(rng.normal(size=(total, heads, width)), "f16")
            for _ in range(3)]
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    graph = opgraph.pygraph(io_data_type=HALF, compute_data_type=FLOAT,
                            intermediate_data_type=FLOAT)
    dim, stride = [3, heads, most, width], [most * heads * width, width,
                                            heads * width, 1]
    offsets = graph.tensor(dim=[4, 1, 1, 1], stride=[1, 1, 1, 1],
                           data_type=INT32)
    qkv = [graph.tensor(dim=dim, stride=stride, data_type=HALF)
           for _ in range(3)]
    for tensor in qkv:
        tensor.set_ragged_offset(offsets)
    seq = graph.tensor(dim=[3, 1, 1, 1], stride=[1, 1, 1, 1], data_type=INT32)
    o, _ = graph.sdpa(*qkv, is_inference=True, attn_scale=0.3,
                      use_causal_mask=True, use_padding_mask=True,
                      seq_len_q=seq, seq_len_kv=seq)
    o.set_output(True).set_dim(dim).set_stride(stride)
    o.set_ragged_offset(offsets)
    got = np.zeros_like(flat[0])
    pack = {offsets: (starts * heads * width).reshape(-1, 1, 1, 1),
            seq: np.array(counts, np.int32).reshape(-1, 1, 1, 1), o: got,
            **dict(zip(qkv, flat))}
    graph.build([opgraph.heur_mode.A])
    graph.execute(pack, np.zeros(max(graph.get_workspace_size(), 1), np.uint8))
    for start, count in zip(starts, counts):
        dense = [widen(x[start:start + count]).transpose(1, 0, 2)[None]
                 for x in flat]
        want = f.attention(*dense, scale=0.3, right=0)["O"][0]
        assert_close(got[start:start + count],
                     convert(want.transpose(1, 0, 2), "f16"), ulps=1)
