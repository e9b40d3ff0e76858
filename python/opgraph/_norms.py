# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Norms in the peers' signatures: tensors first, the phase last."""

from ._enums import norm_forward_phase
from ._errors import ArgumentError, InvalidGraphError
from ._ops import OpMethods


def _norm_phase(op, phase):
    if phase is None or phase is norm_forward_phase.NOT_SET:
        raise InvalidGraphError(
            f"{op}: norm_forward_phase is not set, expected INFERENCE or "
            "TRAINING")
    return phase


def _peers(op, peers):
    if peers is None:
        return []
    if not isinstance(peers, (list, tuple)):
        raise ArgumentError(
            f"{op}: expected peer_stats to be a list of tensors, got {peers!r}")
    return list(peers)


class NormMethods(OpMethods):
    """Forward norms return their statistics in TRAINING, None for them in
    INFERENCE."""

    def _norm(self, op, operands, phase, name, compute_data_type, out_dims):
        attributes = {"norm_forward_phase": _norm_phase(op, phase)}
        return self._op(op, operands, attributes, name, compute_data_type,
                        out_dims)

    def layernorm(self, input, scale=None, bias=None, epsilon=None,
                  norm_forward_phase=None, *, name="", compute_data_type=None,
                  out_dims=None):
        """-> [Y, MEAN, INV_VARIANCE]; the last two None in inference."""
        return self._norm("layernorm", {
            "input": input, "scale": scale, "bias": bias, "epsilon": epsilon},
            norm_forward_phase, name, compute_data_type, out_dims)

    def rmsnorm(self, input, scale=None, bias=None, epsilon=None,
                norm_forward_phase=None, *, name="", compute_data_type=None,
                out_dims=None):
        """-> [Y, INV_VARIANCE]; the last None in inference."""
        return self._norm("rmsnorm", {
            "input": input, "scale": scale, "bias": bias, "epsilon": epsilon},
            norm_forward_phase, name, compute_data_type, out_dims)

    def adalayernorm(self, input, scale, bias=None, epsilon=None,
                     norm_forward_phase=None, *, name="",
                     compute_data_type=None, out_dims=None):
        """-> [Y, MEAN, INV_VARIANCE]; the last two None in inference."""
        return self._norm("adalayernorm", {
            "input": input, "scale": scale, "bias": bias, "epsilon": epsilon},
            norm_forward_phase, name, compute_data_type, out_dims)

    def instancenorm(self, input, scale, bias, epsilon=None,
                     norm_forward_phase=None, *, name="",
                     compute_data_type=None, out_dims=None):
        """-> [Y, MEAN, INV_VARIANCE]; the last two None in inference."""
        return self._norm("instancenorm", {
            "input": input, "scale": scale, "bias": bias, "epsilon": epsilon},
            norm_forward_phase, name, compute_data_type, out_dims)

    def layernorm_backward(self, grad, input, scale=None, mean=None,
                           inv_variance=None, *, name="",
                           compute_data_type=None, out_dims=None):
        """-> [DX, DSCALE, DBIAS]; the last two None without scale."""
        return self._op("layernorm_backward", {
            "grad": grad, "input": input, "scale": scale, "mean": mean,
            "inv_variance": inv_variance}, {}, name, compute_data_type,
            out_dims)

    def rmsnorm_backward(self, grad, input, scale=None, inv_variance=None,
                         has_dbias=False, *, name="", compute_data_type=None,
                         out_dims=None):
        """-> [DX, DSCALE, DBIAS]; DBIAS None unless has_dbias, both None
        without scale."""
        return self._op("rmsnorm_backward", {
            "grad": grad, "input": input, "scale": scale,
            "inv_variance": inv_variance}, {"has_dbias": has_dbias}, name,
            compute_data_type, out_dims)

    def adalayernorm_backward(self, grad, input, scale, mean, inv_variance, *,
                              name="", compute_data_type=None, out_dims=None):
        """-> [DX, DSCALE, DBIAS]."""
        return self._op("adalayernorm_backward", {
            "grad": grad, "input": input, "scale": scale, "mean": mean,
            "inv_variance": inv_variance}, {}, name, compute_data_type,
            out_dims)

    def instancenorm_backward(self, grad, input, scale, mean=None,
                              inv_variance=None, *, name="",
                              compute_data_type=None, out_dims=None):
        """-> [DX, DSCALE, DBIAS]. The statistics are needed, since nothing
        else says what epsilon was."""
        for argument, value in (("mean", mean), ("inv_variance", inv_variance)):
            if value is None:
                raise InvalidGraphError(
                    f"instancenorm_backward: {argument} is not set, expected "
                    "the statistics of the forward pass (epsilon is unknown "
                    "here)")
        return self._op("instancenorm_backward", {
            "grad": grad, "input": input, "scale": scale, "mean": mean,
            "inv_variance": inv_variance}, {}, name, compute_data_type,
            out_dims)

    def batchnorm(self, input, scale, bias, in_running_mean=None,
                  in_running_var=None, epsilon=None, momentum=None, *,
                  peer_stats=None, name="", compute_data_type=None,
                  out_dims=None):
        """-> [Y, MEAN, INV_VARIANCE, NEXT_RUNNING_MEAN, NEXT_RUNNING_VAR]; the
        last two None unless running statistics and momentum are given."""
        return self._op("batchnorm", {
            "input": input, "scale": scale, "bias": bias,
            "in_running_mean": in_running_mean,
            "in_running_var": in_running_var, "epsilon": epsilon,
            "momentum": momentum,
            "peer_stats": _peers("batchnorm", peer_stats)}, {}, name,
            compute_data_type, out_dims)

    def batchnorm_inference(self, input, mean, inv_variance, scale, bias, *,
                            name="", compute_data_type=None, out_dims=None):
        """-> Y, from the inverse deviation, not the variance."""
        return self._op("batchnorm_inference", {
            "input": input, "mean": mean, "inv_variance": inv_variance,
            "scale": scale, "bias": bias}, {}, name, compute_data_type,
            out_dims)

    def batchnorm_backward(self, grad, input, scale, mean, inv_variance, *,
                           peer_stats=None, name="", compute_data_type=None,
                           out_dims=None):
        """-> [DX, DSCALE, DBIAS]."""
        return self._op("batchnorm_backward", {
            "grad": grad, "input": input, "scale": scale, "mean": mean,
            "inv_variance": inv_variance,
            "peer_stats": _peers("batchnorm_backward", peer_stats)}, {}, name,
            compute_data_type, out_dims)
