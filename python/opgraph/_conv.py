# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolution, resampling, random numbers and rotary embedding in the peers'
signatures."""

from ._errors import InvalidGraphError
from ._ops import OpMethods


def _arrays(**given):
    return {name: [] if entries is None else entries
            for name, entries in given.items()}


def _window(op, padding, pre_padding, post_padding, stride, dilation, mode):
    """The attributes of a convolution. What is missing is an array without
    entries, which validate refuses."""
    if padding is not None:
        if pre_padding is not None or post_padding is not None:
            raise InvalidGraphError(
                f"{op}: padding and pre_padding or post_padding exclude each "
                "other")
        pre_padding = post_padding = padding
    return {**_arrays(pre_padding=pre_padding, post_padding=post_padding,
                      stride=stride, dilation=dilation),
            "convolution_mode": mode}


class ConvMethods(OpMethods):
    """Overrides of the generated methods."""

    def conv_fprop(self, image, weight, padding=None, pre_padding=None,
                   post_padding=None, stride=None, dilation=None,
                   convolution_mode=None, *, name="", compute_data_type=None,
                   out_dims=None):
        """The convolution of `image` with `weight`; `padding` is both
        paddings."""
        return self._op("conv_fprop", {"image": image, "weight": weight},
                        _window("conv_fprop", padding, pre_padding,
                                post_padding, stride, dilation,
                                convolution_mode),
                        name, compute_data_type, out_dims)

    def conv_dgrad(self, loss, filter, padding=None, pre_padding=None,
                   post_padding=None, stride=None, dilation=None,
                   convolution_mode=None, *, name="", compute_data_type=None,
                   out_dims=None):
        """The gradient of the image. Dims are inferred for one group."""
        return self._op("conv_dgrad", {"loss": loss, "filter": filter},
                        _window("conv_dgrad", padding, pre_padding,
                                post_padding, stride, dilation,
                                convolution_mode),
                        name, compute_data_type, out_dims)

    def conv_wgrad(self, image, loss, padding=None, pre_padding=None,
                   post_padding=None, stride=None, dilation=None,
                   convolution_mode=None, *, name="", compute_data_type=None,
                   out_dims=None):
        """The gradient of the weight. Set the result's dims."""
        return self._op("conv_wgrad", {"image": image, "loss": loss},
                        _window("conv_wgrad", padding, pre_padding,
                                post_padding, stride, dilation,
                                convolution_mode),
                        name, compute_data_type, out_dims)

    def resample(self, input, resample_mode, padding_mode=None, *, window=None,
                 stride=None, pre_padding=None, post_padding=None,
                 denominator=1, generate_index=False, name="",
                 compute_data_type=None, out_dims=None):
        """-> [Y, Index]; Index None unless `generate_index`. Modes by name:
        "MAXPOOL", "NEG_INF_PAD". Stride and paddings count 1 / denominator
        elements."""
        attributes = {
            "resample_mode": resample_mode, "padding_mode": padding_mode,
            **_arrays(window=window, stride=stride, pre_padding=pre_padding,
                      post_padding=post_padding),
            "denominator": denominator, "generate_index": generate_index}
        return self._op("resample", {"input": input}, attributes, name,
                        compute_data_type, out_dims)

    def resample_backward(self, loss, input=None, index=None,
                          resample_mode=None, padding_mode=None, *,
                          window=None, stride=None, pre_padding=None,
                          post_padding=None, denominator=1, name="",
                          compute_data_type=None, out_dims=None):
        """The gradient of resample's input. Without `input` set the result's
        dims."""
        attributes = {
            "resample_mode": resample_mode, "padding_mode": padding_mode,
            **_arrays(window=window, stride=stride, pre_padding=pre_padding,
                      post_padding=post_padding),
            "denominator": denominator}
        return self._op("resample_backward",
                        {"loss": loss, "input": input, "index": index},
                        attributes, name, compute_data_type, out_dims)

    def rng(self, seed=None, offset=None, distribution="BERNOULLI",
            probability=None, *, name="", compute_data_type=None,
            out_dims=None):
        """Random numbers; docs/Random.md says which. `seed` is a tensor or an
        int of 64 bits, signed or not. Set the result's dims."""
        is_number = isinstance(seed, int)
        if is_number and 2 ** 63 <= seed < 2 ** 64:
            seed -= 2 ** 64
        return self._op("rng", {"seed": None if is_number else seed,
                                "offset": offset},
                        {"distribution": distribution,
                         "seed_value": seed if is_number else None,
                         "probability": probability},
                        name, compute_data_type, out_dims)

    def rope(self, input, freqs, output_scale=1.0, rope_dim=0, *, name="",
             compute_data_type=None, out_dims=None):
        """Rotates the trailing `rope_dim` channels (0: all) by `freqs`."""
        return self._op("rope", {"input": input, "freqs": freqs},
                        {"output_scale": output_scale, "rope_dim": rope_dim},
                        name, compute_data_type, out_dims)

    def rope_backward(self, dY, freqs, output_scale=1.0, rope_dim=0, *,
                      name="", compute_data_type=None, out_dims=None):
        """The gradient of rope's input."""
        return self._op("rope_backward", {"dY": dY, "freqs": freqs},
                        {"output_scale": output_scale, "rope_dim": rope_dim},
                        name, compute_data_type, out_dims)
