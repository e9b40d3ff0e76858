# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of attention in the peers' signatures."""

from ._attention import _add_band, _add_scale, _flags, _score_extents
from ._enums import diagonal_alignment
from ._errors import InvalidValueError
from ._ops import OpMethods


class AttentionBackwardMethods(OpMethods):
    """The backward operations. `dBias`, `dSink_token` and `rng_dump` are
    tensors that the caller made and that become results."""

    def sdpa_backward(self, q, k, v, o, dO, stats, attn_scale=None, bias=None,
                      dBias=None, use_alibi_mask=False, use_padding_mask=False,
                      seq_len_q=None, seq_len_kv=None, max_total_seq_len_q=None,
                      max_total_seq_len_kv=None, use_causal_mask=False,
                      use_causal_mask_bottom_right=False,
                      sliding_window_length=None, diagonal_alignment=None,
                      diagonal_band_left_bound=None,
                      diagonal_band_right_bound=None, dropout=None,
                      rng_dump=None, use_deterministic_algorithm=False,
                      compute_data_type=None, name="", score_mod=None,
                      score_mod_bprop=None, sink_token=None, dSink_token=None,
                      *, cu_seq_len_q=None, cu_seq_len_kv=None,
                      stats_use_log2=False):
        """Gradients of `sdpa` -> [dQ, dK, dV].

        `score_mod(graph, S)` is the forward's, `score_mod_bprop(graph, dS)` its
        derivative, which may use tensors that the former made; None leaves the
        gradient as it is."""
        op = "sdpa_backward"
        operands = {"q": q, "k": k, "v": v, "o": o, "dO": dO, "stats": stats,
                    "bias": bias, "seq_len_q": seq_len_q,
                    "seq_len_kv": seq_len_kv, "cu_seq_len_q": cu_seq_len_q,
                    "cu_seq_len_kv": cu_seq_len_kv, "sink_token": sink_token}
        attributes = {
            "use_padding_mask": use_padding_mask,
            "use_alibi_mask": use_alibi_mask,
            "generate_dbias": dBias is not None,
            "generate_dsink_token": dSink_token is not None,
            "generate_rng_dump": rng_dump is not None,
            "stats_use_log2": stats_use_log2,
            "max_total_seq_len_q": max_total_seq_len_q,
            "max_total_seq_len_kv": max_total_seq_len_kv,
            "use_deterministic_algorithm": use_deterministic_algorithm}
        _add_scale(op, attn_scale, operands, attributes)
        left = _one_of(op, "sliding_window_length", sliding_window_length,
                       "diagonal_band_left_bound", diagonal_band_left_bound)
        _add_overlapping_band(
            op, attributes,
            *_flags(op, use_causal_mask, use_causal_mask_bottom_right),
            diagonal_alignment, left, diagonal_band_right_bound)
        _add_dropout(op, dropout, operands, attributes)
        region = self._score_mod_region(
            op, {"score_mod": score_mod, "score_mod_bprop": score_mod_bprop},
            _score_extents(q, k), None)
        return self._op(op, operands, attributes, name, compute_data_type,
                        outputs={"dBias": dBias, "DSINK_TOKEN": dSink_token,
                                 "RNG_DUMP": rng_dump}, region=region)[:3]

    #: The name this operation had before 1.32.
    scaled_dot_product_flash_attention_backward = sdpa_backward

    def sdpa_fp8_backward(self, q, k, v, o, dO, stats, descale_q, descale_k,
                          descale_v, descale_o, descale_dO, descale_s,
                          descale_dP, scale_s, scale_dQ, scale_dK, scale_dV,
                          scale_dP, attn_scale=None, use_padding_mask=False,
                          seq_len_q=None, seq_len_kv=None,
                          use_causal_mask=False,
                          use_causal_mask_bottom_right=False,
                          diagonal_alignment=None, left_bound=None,
                          right_bound=None, use_deterministic_algorithm=False,
                          dropout=None, compute_data_type=None, name="",
                          sink_token=None, dSink_token=None,
                          max_total_seq_len_q=None, max_total_seq_len_kv=None):
        """Gradients of `sdpa_fp8` -> [dQ, dK, dV, amax_dQ, amax_dK, amax_dV,
        amax_dP]."""
        operands = {
            "q": q, "k": k, "v": v, "o": o, "dO": dO, "stats": stats,
            "descale_q": descale_q, "descale_k": descale_k,
            "descale_v": descale_v, "descale_o": descale_o,
            "descale_dO": descale_dO, "descale_s": descale_s,
            "descale_dP": descale_dP, "scale_s": scale_s, "scale_dQ": scale_dQ,
            "scale_dK": scale_dK, "scale_dV": scale_dV, "scale_dP": scale_dP,
            "seq_len_q": seq_len_q, "seq_len_kv": seq_len_kv,
            "sink_token": sink_token}
        return self._narrow_backward(
            "sdpa_fp8_backward", operands, attn_scale, use_padding_mask,
            use_causal_mask, use_causal_mask_bottom_right, diagonal_alignment,
            left_bound, right_bound, use_deterministic_algorithm, dropout,
            compute_data_type, name, dSink_token, max_total_seq_len_q,
            max_total_seq_len_kv)[:7]

    def sdpa_mxfp8_backward(self, q, q_T, k, k_T, v, o_f16, dO_f16, dO, dO_T,
                            stats, descale_q, descale_q_T, descale_k,
                            descale_k_T, descale_v, descale_dO, descale_dO_T,
                            attn_scale=None, use_padding_mask=False,
                            seq_len_q=None, seq_len_kv=None,
                            use_causal_mask=False,
                            use_causal_mask_bottom_right=False,
                            diagonal_alignment=None, left_bound=None,
                            right_bound=None, use_deterministic_algorithm=False,
                            dropout=None, compute_data_type=None, name="",
                            sink_token=None, dSink_token=None,
                            max_total_seq_len_q=None,
                            max_total_seq_len_kv=None):
        """Gradients of `sdpa_mxfp8` -> [dQ, dK, dV, amax_dQ, amax_dK,
        amax_dV]."""
        operands = {
            "q": q, "q_T": q_T, "k": k, "k_T": k_T, "v": v, "o_f16": o_f16,
            "dO_f16": dO_f16, "dO": dO, "dO_T": dO_T, "stats": stats,
            "descale_q": descale_q, "descale_q_T": descale_q_T,
            "descale_k": descale_k, "descale_k_T": descale_k_T,
            "descale_v": descale_v, "descale_dO": descale_dO,
            "descale_dO_T": descale_dO_T, "seq_len_q": seq_len_q,
            "seq_len_kv": seq_len_kv, "sink_token": sink_token}
        return self._narrow_backward(
            "sdpa_mxfp8_backward", operands, attn_scale, use_padding_mask,
            use_causal_mask, use_causal_mask_bottom_right, diagonal_alignment,
            left_bound, right_bound, use_deterministic_algorithm, dropout,
            compute_data_type, name, dSink_token, max_total_seq_len_q,
            max_total_seq_len_kv)[:6]

    def _narrow_backward(self, op, operands, attn_scale, padding, causal,
                         bottom_right, alignment, left, right, deterministic,
                         dropout, compute_data_type, name, dSink_token,
                         max_total_seq_len_q, max_total_seq_len_kv):
        """What the fp8 and the mxfp8 operation have in common."""
        attributes = {
            "use_padding_mask": padding,
            "generate_dsink_token": dSink_token is not None,
            "max_total_seq_len_q": max_total_seq_len_q,
            "max_total_seq_len_kv": max_total_seq_len_kv,
            "use_deterministic_algorithm": deterministic}
        _add_scale(op, attn_scale, operands, attributes)
        _add_band(op, attributes, causal, bottom_right, ("", None), alignment,
                  ("left_bound", left), ("right_bound", right))
        _add_dropout(op, dropout, operands, attributes)
        return self._op(op, operands, attributes, name, compute_data_type,
                        outputs={"DSINK_TOKEN": dSink_token})


def _one_of(op, first, first_value, second, second_value):
    """The one that is given; not both."""
    if first_value is not None and second_value is not None:
        raise InvalidValueError(
            f"{op}: {first} and {second} exclude each other")
    return second_value if first_value is None else first_value


def _add_overlapping_band(op, attributes, causal, bottom_right, alignment,
                          left, right):
    """The peers' several spellings of a band. sdpa_backward lets them overlap:
    an explicit right bound wins over the flags, bottom right over causal."""
    for argument, value in (("the left bound", left),
                            ("the right bound", right)):
        if value is not None and (not isinstance(value, int)
                                  or isinstance(value, bool)):
            raise InvalidValueError(
                f"{op}: expected {argument} to be an int, got {value!r}")
    if right is None and (causal or bottom_right):
        right = 0
    if bottom_right:
        alignment = diagonal_alignment.BOTTOM_RIGHT
    attributes.update(diagonal_alignment=alignment,
                      diagonal_band_left_bound=left,
                      diagonal_band_right_bound=right)


def _add_dropout(op, dropout, operands, attributes):
    """(probability, seed, offset) or (mask, scale, inverse of the scale)."""
    if dropout is None:
        return
    if not isinstance(dropout, (tuple, list)) or len(dropout) != 3:
        raise InvalidValueError(
            f"{op}: expected dropout to be (probability, seed, offset) or "
            f"(mask, scale, scale_inv), got {dropout!r}")
    first, second, third = dropout
    if isinstance(first, (int, float)) and not isinstance(first, bool):
        attributes["dropout_probability"] = first
        operands.update(dropout_seed=second, dropout_offset=third)
    else:
        operands.update(dropout_mask=first, dropout_scale=second,
                        dropout_scale_inv=third)
