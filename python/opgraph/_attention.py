# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention forward in the peers' signatures."""

from ._arguments import flag
from ._enums import diagonal_alignment as alignments
from ._errors import InvalidValueError
from ._ops import OpMethods
from ._tensor import Tensor


class AttentionMethods(OpMethods):
    """The forward operations. `score_max`, `score_sum_exp` and `rng_dump` are
    tensors that the caller made and that become results."""

    def sdpa(self, q, k, v, is_inference=None, attn_scale=None, bias=None,
             block_mask=None, use_alibi_mask=False, use_padding_mask=False,
             seq_len_q=None, seq_len_kv=None, use_causal_mask=False,
             use_causal_mask_bottom_right=False, sliding_window_length=None,
             diagonal_alignment=None, diagonal_band_left_bound=None,
             diagonal_band_right_bound=None, dropout=None, rng_dump=None,
             paged_attention_k_table=None, paged_attention_v_table=None,
             paged_attention_max_seq_len_kv=None, max_total_seq_len_q=None,
             max_total_seq_len_kv=None, compute_data_type=None, name="",
             score_mod=None, generate_stats=None, implementation=None,
             score_max=None, score_sum_exp=None, sink_token=None,
             unfuse_fma=False, cu_seq_len_q=None, cu_seq_len_kv=None,
             stats_use_log2=False, *, softmax_precision=None,
             attn_scale_prefolded=False, kv_mask=None, out_dims=None):
        """Attention -> [O, Stats], Stats None in inference.

        `attn_scale` is a float or a tensor, None for no scale; `dropout` is
        (probability, seed, offset) or (mask, scale); `score_mod(graph, S)`
        returns the scores in the place of S."""
        op = "sdpa"
        operands = {
            "q": q, "k": k, "v": v, "bias": bias, "block_mask": block_mask,
            "kv_mask": kv_mask, "seq_len_q": seq_len_q,
            "seq_len_kv": seq_len_kv, "cu_seq_len_q": cu_seq_len_q,
            "cu_seq_len_kv": cu_seq_len_kv,
            "paged_attention_k_table": paged_attention_k_table,
            "paged_attention_v_table": paged_attention_v_table,
            "sink_token": sink_token}
        attributes = {
            "use_padding_mask": use_padding_mask,
            "use_alibi_mask": use_alibi_mask,
            "attn_scale_prefolded": attn_scale_prefolded,
            "generate_stats": _wants_stats(op, is_inference, generate_stats),
            "stats_use_log2": stats_use_log2,
            "paged_attention_max_seq_len_kv": paged_attention_max_seq_len_kv,
            "max_total_seq_len_q": max_total_seq_len_q,
            "max_total_seq_len_kv": max_total_seq_len_kv,
            "softmax_precision": softmax_precision,
            "implementation": implementation, "unfuse_fma": unfuse_fma}
        _add_scale(op, attn_scale, operands, attributes)
        _add_band(op, attributes, use_causal_mask,
                  use_causal_mask_bottom_right,
                  ("sliding_window_length", sliding_window_length),
                  diagonal_alignment,
                  ("diagonal_band_left_bound", diagonal_band_left_bound),
                  ("diagonal_band_right_bound", diagonal_band_right_bound))
        _add_dropout(op, dropout, operands, attributes)
        outputs = _add_outputs(attributes, score_max, score_sum_exp, rng_dump)
        region = self._score_mod_region(
            op, {"score_mod": score_mod},
            _score_extents(q, k, paged_attention_k_table,
                           paged_attention_max_seq_len_kv), None)
        return self._op(op, operands, attributes, name, compute_data_type,
                        out_dims, outputs, region)[:2]

    #: The name this operation had before 1.32.
    scaled_dot_product_flash_attention = sdpa

    def sdpa_fp8(self, q, k, v, descale_q, descale_k, descale_v, descale_s,
                 scale_s, scale_o=None, is_inference=None, attn_scale=None,
                 bias=None, use_alibi_mask=False, use_padding_mask=False,
                 seq_len_q=None, seq_len_kv=None, use_causal_mask=False,
                 use_causal_mask_bottom_right=False, sliding_window=None,
                 diagonal_alignment=None, left_bound=None, right_bound=None,
                 dropout=None, rng_dump=None, paged_attention_k_table=None,
                 paged_attention_v_table=None,
                 paged_attention_max_seq_len_kv=None, max_total_seq_len_q=None,
                 max_total_seq_len_kv=None, compute_data_type=None, name="",
                 fn=None, generate_stats=None, score_max=None,
                 score_sum_exp=None, sink_token=None, unfuse_fma=False,
                 implementation=None, cu_seq_len_q=None, cu_seq_len_kv=None,
                 stats_use_log2=False, *, sf_o=None, out_dims=None):
        """Attention on scaled fp8 tensors -> [O, Stats or None, Amax_S,
        Amax_O]. `fn` is the score_mod of `sdpa`."""
        op = "sdpa_fp8"
        self._refuse_output_scales(op, sf_o)
        operands = {
            "q": q, "k": k, "v": v, "descale_q": descale_q,
            "descale_k": descale_k, "descale_v": descale_v,
            "descale_s": descale_s, "scale_s": scale_s, "scale_o": scale_o,
            "bias": bias, "seq_len_q": seq_len_q, "seq_len_kv": seq_len_kv,
            "cu_seq_len_q": cu_seq_len_q, "cu_seq_len_kv": cu_seq_len_kv,
            "paged_attention_k_table": paged_attention_k_table,
            "paged_attention_v_table": paged_attention_v_table,
            "sink_token": sink_token}
        attributes = {
            "use_padding_mask": use_padding_mask,
            "use_alibi_mask": use_alibi_mask,
            "generate_stats": _wants_stats(op, is_inference, generate_stats),
            "stats_use_log2": stats_use_log2,
            "paged_attention_max_seq_len_kv": paged_attention_max_seq_len_kv,
            "max_total_seq_len_q": max_total_seq_len_q,
            "max_total_seq_len_kv": max_total_seq_len_kv,
            "implementation": implementation, "unfuse_fma": unfuse_fma}
        _add_scale(op, attn_scale, operands, attributes)
        _add_band(op, attributes, use_causal_mask,
                  use_causal_mask_bottom_right,
                  ("sliding_window", sliding_window), diagonal_alignment,
                  ("left_bound", left_bound), ("right_bound", right_bound))
        _add_dropout(op, dropout, operands, attributes)
        outputs = _add_outputs(attributes, score_max, score_sum_exp, rng_dump)
        region = self._score_mod_region(
            op, {"fn": fn},
            _score_extents(q, k, paged_attention_k_table,
                           paged_attention_max_seq_len_kv), None)
        o, stats, _, _, _, amax_s, amax_o = self._op(
            op, operands, attributes, name, compute_data_type, out_dims,
            outputs, region)
        return [o, stats, amax_s, amax_o]

    def sdpa_mxfp8(self, q, k, v, descale_q, descale_k, descale_v,
                   attn_scale=None, use_causal_mask=False,
                   use_causal_mask_bottom_right=False, diagonal_alignment=None,
                   diagonal_band_left_bound=None,
                   diagonal_band_right_bound=None, compute_data_type=None,
                   name="", generate_stats=None, sink_token=None,
                   unfuse_fma=False, implementation=None,
                   use_padding_mask=False, seq_len_q=None, seq_len_kv=None,
                   max_total_seq_len_q=None, max_total_seq_len_kv=None,
                   cu_seq_len_q=None, cu_seq_len_kv=None,
                   paged_attention_k_table=None, paged_attention_v_table=None,
                   paged_attention_max_seq_len_kv=None, *, scale_o=None,
                   sf_o=None, out_dims=None):
        """Attention on block-scaled fp8 tensors -> [O, Stats or None,
        Amax_O]."""
        op = "sdpa_mxfp8"
        self._refuse_output_scales(op, sf_o)
        if not isinstance(generate_stats, bool):
            raise InvalidValueError(
                f"{op}: expected generate_stats to be a bool, got "
                f"{generate_stats!r}")
        operands = {
            "q": q, "k": k, "v": v, "descale_q": descale_q,
            "descale_k": descale_k, "descale_v": descale_v, "scale_o": scale_o,
            "seq_len_q": seq_len_q, "seq_len_kv": seq_len_kv,
            "cu_seq_len_q": cu_seq_len_q, "cu_seq_len_kv": cu_seq_len_kv,
            "paged_attention_k_table": paged_attention_k_table,
            "paged_attention_v_table": paged_attention_v_table,
            "sink_token": sink_token}
        attributes = {
            "use_padding_mask": use_padding_mask,
            "generate_stats": generate_stats,
            "paged_attention_max_seq_len_kv": paged_attention_max_seq_len_kv,
            "max_total_seq_len_q": max_total_seq_len_q,
            "max_total_seq_len_kv": max_total_seq_len_kv,
            "implementation": implementation, "unfuse_fma": unfuse_fma}
        _add_scale(op, attn_scale, operands, attributes)
        _add_band(op, attributes, use_causal_mask,
                  use_causal_mask_bottom_right, ("", None), diagonal_alignment,
                  ("diagonal_band_left_bound", diagonal_band_left_bound),
                  ("diagonal_band_right_bound", diagonal_band_right_bound))
        o, amax_o, stats = self._op(op, operands, attributes, name,
                                    compute_data_type, out_dims)
        return [o, stats, amax_o]

    def _refuse_output_scales(self, op, sf_o):
        if sf_o is not None:
            raise self._not_supported(
                f"{op}: argument 'sf_o' (block scales of O) is not served; "
                "quantise O with block_scale_quantize")


def _wants_stats(op, is_inference, generate_stats):
    """Exactly one of the two must be given, and be a bool."""
    if (is_inference is None) == (generate_stats is None):
        raise InvalidValueError(
            f"{op}: expected exactly one of is_inference and generate_stats, "
            f"got {is_inference} and {generate_stats}")
    given = generate_stats if is_inference is None else is_inference
    if not isinstance(given, bool):
        raise InvalidValueError(
            f"{op}: expected is_inference or generate_stats to be a bool, got "
            f"{given!r}")
    return given if is_inference is None else not given


def _add_scale(op, attn_scale, operands, attributes):
    """A float is a value, anything else but an int a tensor."""
    if isinstance(attn_scale, float):
        attributes["attn_scale_value"] = attn_scale
    elif isinstance(attn_scale, int):
        raise InvalidValueError(
            f"{op}: expected attn_scale to be a float or a tensor, got the int "
            f"{attn_scale}")
    else:
        operands["attn_scale"] = attn_scale


def _flags(op, causal, bottom_right):
    return (flag(f"{op}: argument 'use_causal_mask'", causal),
            flag(f"{op}: argument 'use_causal_mask_bottom_right'",
                 bottom_right))


def _add_band(op, attributes, causal, bottom_right, window, alignment, left,
              right):
    """The peers' several spellings of a band, which exclude each other; window,
    left and right are (argument, value)."""
    causal, bottom_right = _flags(op, causal, bottom_right)
    for argument, value in (window, left, right):
        if value is not None and (not isinstance(value, int)
                                  or isinstance(value, bool)):
            raise InvalidValueError(
                f"{op}: expected {argument} to be an int, got {value!r}")
    if window[1] is not None and left[1] is not None:
        raise InvalidValueError(
            f"{op}: {window[0]} and {left[0]} exclude each other")
    if causal and bottom_right:
        raise InvalidValueError(
            f"{op}: use_causal_mask and use_causal_mask_bottom_right exclude "
            "each other")
    if (causal or bottom_right) and right[1] is not None:
        raise InvalidValueError(
            f"{op}: a causal mask and {right[0]} exclude each other")
    attributes.update(
        diagonal_alignment=(alignments.BOTTOM_RIGHT if bottom_right
                            else alignment),
        diagonal_band_left_bound=left[1] if window[1] is None else window[1],
        diagonal_band_right_bound=0 if causal or bottom_right else right[1])


def _add_dropout(op, dropout, operands, attributes):
    """(probability, seed, offset) or (mask, scale)."""
    if dropout is None:
        return
    is_sequence = isinstance(dropout, (tuple, list))
    if is_sequence and len(dropout) == 3 and isinstance(
            dropout[0], (int, float)) and not isinstance(dropout[0], bool):
        attributes["dropout_probability"] = dropout[0]
        operands.update(dropout_seed=dropout[1], dropout_offset=dropout[2])
    elif is_sequence and len(dropout) == 2:
        operands.update(dropout_mask=dropout[0], dropout_scale=dropout[1])
    else:
        raise InvalidValueError(
            f"{op}: expected dropout to be (probability, seed, offset) or "
            f"(mask, scale), got {dropout!r}")


def _add_outputs(attributes, score_max, score_sum_exp, rng_dump):
    """{result: the caller's tensor}; each is made where it is given."""
    attributes.update(generate_max=score_max is not None,
                      generate_sum_exp=score_sum_exp is not None,
                      generate_rng_dump=rng_dump is not None)
    return {"Max": score_max, "Sum_exp": score_sum_exp, "RNG_DUMP": rng_dump}


def _score_extents(q, k, page_table=None, max_seq_len_kv=None):
    """[B, Hq, Sq, Skv], or None while they are not known."""
    dims = [t.get_dim() if isinstance(t, Tensor) else
            list(getattr(t, "shape", ())) for t in (q, k)]
    if any(len(d) != 4 for d in dims):
        return None
    keys = max_seq_len_kv if page_table is not None else dims[1][2]
    return None if keys is None else [*dims[0][:3], keys]
