# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations whose signature in the peers' API is not the regular one (tensors,
then attributes, `name` and `compute_data_type` by keyword)."""

from ._enums import diagonal_alignment, norm_forward_phase
from ._errors import ArgumentError, InvalidGraphError, InvalidValueError
from ._ops import OpMethods
from ._tensor import Tensor


def _norm_phase(op, phase):
    if phase is None or phase == norm_forward_phase.NOT_SET:
        raise InvalidGraphError(
            f"{op}: norm_forward_phase is not set, expected INFERENCE or "
            "TRAINING")
    return phase


def _padded(results, count):
    """A list of `count` results; what the phase rules out is None."""
    results = results if isinstance(results, list) else [results]
    return results + [None] * (count - len(results))


class StructuredMethods(OpMethods):
    """Overrides of the generated methods."""

    def matmul(self, A, B, compute_data_type=None, padding=0.0, name="", *,
               M_override=None, N_override=None, K_override=None):
        """C = A B on the last two axes; the others are batch and broadcast."""
        return self._op("matmul", {
            "A": A, "B": B, "M_override": M_override, "N_override": N_override,
            "K_override": K_override}, {"padding": padding}, name,
            compute_data_type)

    def reduction(self, input, group_offset=None, mode=None, *, name="",
                  compute_data_type=None, out_dims=None):
        """Reduces the axes whose result extent is 1. Set the result's dims."""
        if group_offset is not None:
            raise InvalidValueError(
                "reduction: group_offset is not served by this version")
        return self._op("reduction", {"input": input}, {"mode": mode}, name,
                        compute_data_type, out_dims)

    def reshape(self, input, reshape_mode=None, *, name="", out_dims=None):
        """The same elements under other extents. Set the result's dims."""
        return self._op("reshape", {"input": input},
                        {"reshape_mode": reshape_mode}, name, None, out_dims)

    def transpose(self, input, permutation, *, name="", compute_data_type=None):
        """Axis i of the result is axis permutation[i] of the input."""
        return self._op("transpose", {"input": input},
                        {"permutation": permutation}, name)

    def slice(self, input, slices, *, name="", compute_data_type=None):
        """A sub-box by one Python slice for each axis."""
        slices = tuple(slices)
        dims = _extents(input)
        if dims is None:
            # Of a result that is not inferred yet: validate checks the bounds.
            dims = [_upper_bound(axis, part)
                    for axis, part in enumerate(slices)]
        if len(slices) != len(dims):
            raise InvalidGraphError(
                f"slice: expected {len(dims)} slices for an input of rank "
                f"{len(dims)}, got {len(slices)}")
        bounds = []
        for axis, (part, extent) in enumerate(zip(slices, dims)):
            if part.step is not None and part.step <= 0:
                raise InvalidValueError(
                    f"slice: expected a positive step on axis {axis}, got "
                    f"{part.step}")
            start, stop, step = part.indices(extent)
            bounds.append((start, max(start, stop), step))
        start, stop, step = (list(column) for column in zip(*bounds)) \
            if bounds else ([], [], [])
        return self._op("slice", {"input": input},
                        {"start": start, "stop": stop, "step": step}, name)

    def concatenate(self, axis=None, in_place_index=None, *, inputs=None,
                    name="", out_dims=None):
        """Joins `inputs` along `axis`."""
        if inputs is None and isinstance(axis, (list, tuple)):
            # 1.23's order: inputs first.
            inputs, axis, in_place_index = axis, in_place_index, None
        if not inputs:
            raise InvalidValueError("concatenate: expected inputs, got none")
        if axis is None:
            raise InvalidGraphError("concatenate: axis is not set")
        return self._op("concatenate", {"inputs": list(inputs)},
                        {"axis": axis, "in_place_index": in_place_index}, name,
                        None, out_dims)

    def layernorm(self, input, scale=None, bias=None, epsilon=None,
                  norm_forward_phase=None, *, name="", compute_data_type=None):
        """-> [Y, MEAN, INV_VARIANCE]; the last two None in inference."""
        phase = _norm_phase("layernorm", norm_forward_phase)
        return _padded(self._op("layernorm", {
            "input": input, "scale": scale, "bias": bias, "epsilon": epsilon},
            {"norm_forward_phase": phase}, name, compute_data_type), 3)

    def rmsnorm(self, input, scale=None, bias=None, epsilon=None,
                norm_forward_phase=None, *, name="", compute_data_type=None):
        """-> [Y, INV_VARIANCE]; the last None in inference."""
        phase = _norm_phase("rmsnorm", norm_forward_phase)
        return _padded(self._op("rmsnorm", {
            "input": input, "scale": scale, "bias": bias, "epsilon": epsilon},
            {"norm_forward_phase": phase}, name, compute_data_type), 2)

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
             stats_use_log2=False):
        """Attention -> [O, Stats], Stats None in inference."""
        later = dict(
            block_mask=block_mask, dropout=dropout, rng_dump=rng_dump,
            paged_attention_k_table=paged_attention_k_table,
            paged_attention_v_table=paged_attention_v_table,
            paged_attention_max_seq_len_kv=paged_attention_max_seq_len_kv,
            max_total_seq_len_q=max_total_seq_len_q,
            max_total_seq_len_kv=max_total_seq_len_kv, score_mod=score_mod,
            score_max=score_max, score_sum_exp=score_sum_exp,
            sink_token=sink_token, cu_seq_len_q=cu_seq_len_q,
            cu_seq_len_kv=cu_seq_len_kv,
            use_alibi_mask=use_alibi_mask or None,
            stats_use_log2=stats_use_log2 or None)
        for argument, value in later.items():
            if value is not None:
                raise self._not_supported(
                    f"sdpa: argument '{argument}' is not served by this "
                    "version")
        stats = _wants_stats(is_inference, generate_stats)
        alignment, left, right = _diagonal_band(
            use_causal_mask, use_causal_mask_bottom_right,
            sliding_window_length, diagonal_alignment,
            diagonal_band_left_bound, diagonal_band_right_bound)
        operands = {"q": q, "k": k, "v": v, "bias": bias,
                    "seq_len_q": seq_len_q, "seq_len_kv": seq_len_kv}
        attributes = {
            "use_padding_mask": bool(use_padding_mask), "generate_stats": stats,
            "diagonal_alignment": alignment, "diagonal_band_left_bound": left,
            "diagonal_band_right_bound": right}
        if isinstance(attn_scale, float):
            attributes["attn_scale_value"] = attn_scale
        elif isinstance(attn_scale, int):
            raise InvalidValueError(
                f"sdpa: expected attn_scale to be a float or a tensor, got the "
                f"int {attn_scale}")
        else:
            operands["attn_scale"] = attn_scale
        return _padded(self._op("sdpa", operands, attributes, name,
                                compute_data_type), 2)

    #: The name this operation had before 1.32.
    scaled_dot_product_flash_attention = sdpa


def _extents(tensor):
    """The extents of a tensor or array; None while they are unset."""
    return tensor._info()["dim"] if isinstance(tensor, Tensor) else \
        list(tensor.shape)


def _upper_bound(axis, part):
    """The stop of a slice of an axis whose extent is unknown."""
    for bound, value in (("start", part.start or 0), ("stop", part.stop)):
        if value is None or value < 0:
            raise InvalidGraphError(
                f"slice: the input's extents are not set yet, so expected a "
                f"{bound} of at least 0 on axis {axis}, got {value}")
    return part.stop


def _wants_stats(is_inference, generate_stats):
    """Exactly one of the two must be given, and be a bool."""
    if (is_inference is None) == (generate_stats is None):
        raise InvalidValueError(
            "sdpa: expected exactly one of is_inference and generate_stats, "
            f"got {is_inference} and {generate_stats}")
    given = generate_stats if is_inference is None else is_inference
    if not isinstance(given, bool):
        raise InvalidValueError(
            "sdpa: expected is_inference or generate_stats to be a bool, got "
            f"{given!r}")
    return given if is_inference is None else not given


def _diagonal_band(causal, bottom_right, window, alignment, left, right):
    """(alignment, left bound, right bound) from the peers' several spellings,
    which exclude each other."""
    for argument, value in (("sliding_window_length", window),
                            ("diagonal_band_left_bound", left),
                            ("diagonal_band_right_bound", right)):
        if value is not None and (not isinstance(value, int)
                                  or isinstance(value, bool)):
            raise InvalidValueError(
                f"sdpa: expected {argument} to be an int, got {value!r}")
    if window is not None and left is not None:
        raise InvalidValueError(
            "sdpa: sliding_window_length and diagonal_band_left_bound exclude "
            "each other")
    if causal and bottom_right:
        raise InvalidValueError(
            "sdpa: use_causal_mask and use_causal_mask_bottom_right exclude "
            "each other")
    if (causal or bottom_right) and right is not None:
        raise InvalidValueError(
            "sdpa: a causal mask and diagonal_band_right_bound exclude each "
            "other")
    if causal or bottom_right:
        right = 0
    if bottom_right:
        alignment = diagonal_alignment.BOTTOM_RIGHT
    return alignment, window if left is None else left, right
