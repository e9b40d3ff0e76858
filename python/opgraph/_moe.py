# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Grouped matmuls of mixtures of experts."""

from ._enums import data_type, moe_grouped_matmul_mode
from ._ops import OpMethods


class MoeMethods(OpMethods):
    """Rows sorted by expert, times the experts' matrices."""

    def moe_grouped_matmul(self, token, weight, first_token_offset,
                           token_index=None, token_ks=None, mode=None,
                           top_k=0, *, top_k_scores=None, name="",
                           compute_data_type=data_type.FLOAT, out_dims=None):
        """-> OUT. `mode`: NONE, GATHER, SCATTER or COMBINE."""
        if mode is None:
            mode = moe_grouped_matmul_mode.NONE
        return self._op("moe_grouped_matmul", {
            "token": token, "weight": weight,
            "first_token_offset": first_token_offset,
            "token_index": token_index, "token_ks": token_ks,
            "top_k_scores": top_k_scores},
            {"mode": mode, "top_k": top_k}, name, compute_data_type, out_dims)

    def moe_grouped_matmul_bwd(self, doutput, token, first_token_offset, *,
                               name="", compute_data_type=data_type.FLOAT,
                               out_dims=None):
        """-> DWEIGHT [experts, K, N]. Set its dims where first_token_offset
        holds boundaries, or the starts of several batches."""
        return self._op("moe_grouped_matmul_bwd", {
            "doutput": doutput, "token": token,
            "first_token_offset": first_token_offset}, {}, name,
            compute_data_type, out_dims)
