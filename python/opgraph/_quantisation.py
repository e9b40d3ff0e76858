# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Block scaling and the matmul of scaled fp8 matrices."""

from ._errors import InvalidGraphError
from ._ops import OpMethods


class QuantisationMethods(OpMethods):
    """Elements of 4 and 8 bits with a scale for each block."""

    def block_scale_quantize(self, input, group_offset=None, block_size=None,
                             axis=None, transpose=False, *, name="",
                             compute_data_type=None, out_dims=None):
        """-> [Y, scale]. Set the data types of both."""
        if isinstance(group_offset, int):
            # 1.23's order: block size, axis, transpose.
            if block_size is not None:
                axis, transpose = block_size, transpose or bool(axis)
            block_size, group_offset = group_offset, None
        if block_size is None:
            raise InvalidGraphError(
                "block_scale_quantize: block_size is not set")
        return self._op("block_scale_quantize", {
            "input": input, "group_offset": group_offset},
            {"block_size": block_size, "axis": axis,
             "transpose": bool(transpose)},
            name, compute_data_type, out_dims)

    def block_scale_dequantize(self, input, descale, block_size=None,
                               is_negative_scale=False, *, name="",
                               compute_data_type=None, out_dims=None):
        """-> Y, which stays virtual. `block_size` has an entry for each
        trailing axis; a number is that of the last one."""
        if block_size is None:
            raise InvalidGraphError(
                "block_scale_dequantize: block_size is not set")
        if isinstance(block_size, int):
            block_size = [block_size]
        return self._op("block_scale_dequantize", {
            "input": input, "descale": descale},
            {"block_size": block_size,
             "is_negative_scale": bool(is_negative_scale)},
            name, compute_data_type, out_dims)

    def matmul_fp8(self, A, B, descale_a, descale_b, scale_c, padding=0.0, *,
                   M_override=None, N_override=None, K_override=None, name="",
                   compute_data_type=None, out_dims=None):
        """-> [C, Amax_C]: acc = A B descale_a descale_b, Amax_C = max|acc|,
        C = acc * scale_c."""
        return self._op("matmul_fp8", {
            "A": A, "B": B, "descale_a": descale_a, "descale_b": descale_b,
            "scale_c": scale_c, "M_override": M_override,
            "N_override": N_override, "K_override": K_override},
            {"padding": padding}, name, compute_data_type, out_dims)
