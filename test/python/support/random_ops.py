# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random uses of the operations that bring operands of their own: convolution,
norms and their gradients, resampling, attention and the rest."""

import math

import numpy as np
import opgraph
from opgraph._ops import OPS

TRAINING = opgraph.norm_forward_phase.TRAINING
#: maker -> the operations that it needs
MAKERS = {
    "conv_fprop": ("conv_fprop",), "conv_dgrad": ("conv_dgrad",),
    "conv_wgrad": ("conv_wgrad",), "resample": ("resample",),
    "resample_backward": ("resample_backward",),
    "more_norms": ("adalayernorm", "instancenorm"),
    "norm_backward": ("layernorm_backward", "rmsnorm_backward"),
    "channel_backward": ("instancenorm_backward", "batchnorm_backward"),
    "adalayernorm_backward": ("adalayernorm_backward",),
    "batchnorm": ("batchnorm",), "genstats": ("genstats",),
    "batchnorm_inference": ("batchnorm_inference",),
    "bn_finalize": ("bn_finalize",), "dbn_weight": ("dbn_weight",),
    "rope": ("rope", "rope_backward"), "random_numbers": ("rng",),
    "moe": ("moe_grouped_matmul",), "moe_bwd": ("moe_grouped_matmul_bwd",),
    "quantize": ("block_scale_quantize", "block_scale_dequantize"),
    "matmul_fp8": ("matmul_fp8",), "band_mask": ("diagonal_band_mask",),
    "paged_load": ("paged_cache_load",), "sdpa_more": ("sdpa_backward",),
    "sdpa_backward": ("sdpa_backward",), "sdpa_fp8": ("sdpa_fp8",),
}

#: What host.fused serves too, and where a last bit of the operands does not
#: decide about much more of the result.
EXPANDED = ("more_norms", "norm_backward", "channel_backward", "genstats",
            "adalayernorm_backward", "batchnorm", "batchnorm_inference")


def available(touchy):
    """The makers whose operations this build has; those of EXPANDED unless
    `touchy`."""
    return [maker for maker, ops in MAKERS.items() if set(ops) <= set(OPS)
            and (touchy or maker in EXPANDED)]


class RandomOps:
    """Makers; each returns whether it added something."""

    # --- operands -----------------------------------------------------------

    def small(self, low=1, high=5):
        return int(self.rng.integers(low, high + 1))

    def value(self, shape):
        """A known value of exactly `shape`, or a new input."""
        found = self.any(lambda s, d: s == list(shape) and d in self.floats) \
            if self.chance(0.5) else None
        return found or self.input(list(shape), self.pick(self.floats))

    def image(self):
        """A value or input [N, C, spatial...] and its extents."""
        found = self.any(lambda s, d: 3 <= len(s) <= 5 and 0 not in s
                         and math.prod(s) <= 600 and d in self.floats)
        if found is None or self.chance(0.5):
            shape = [self.small(1, 2), self.small(1, 4)] + [
                self.small(2, 6) for _ in range(self.small(1, 3))]
            found = self.input(shape, self.pick(self.floats))
        return found, self.kinds[found][0]

    def results(self, what, results, shapes, operands):
        """Records several results, the absent ones left out."""
        for index, (result, shape) in enumerate(zip(results, shapes)):
            if result is not None:
                self.define(f"{what} {index}", result, shape,
                            self.pick(self.floats), operands)
        return True

    def scalar(self, value):
        return self.given(np.full((1,), value), "f32")

    # --- convolution --------------------------------------------------------

    def window(self, spatial):
        """Random arguments of a convolution over `spatial`: (keywords, window
        extents, result extents), or None where the window does not fit."""
        arguments = {k: [] for k in ("pre_padding", "post_padding", "stride",
                                     "dilation")}
        sizes, out = [], []
        for extent in spatial:
            size, pre, post, stride, dilation = (
                self.small(1, 3), self.small(0, 2), self.small(0, 2),
                self.small(1, 3), self.small(1, 2))
            room = extent + pre + post - dilation * (size - 1) - 1
            if room < 0:
                return None
            for key, number in zip(arguments, (pre, post, stride, dilation)):
                arguments[key].append(number)
            sizes.append(size)
            out.append(room // stride + 1)
        return arguments, sizes, out

    def conv(self):
        """(image, weight, loss shape, weight shape, keywords) or None."""
        image, shape = self.image()
        found = self.window(shape[2:])
        if found is None:
            return None
        arguments, sizes, out = found
        groups = self.pick([g for g in range(1, shape[1] + 1)
                            if shape[1] % g == 0])
        filters = groups * self.small(1, 2)
        return (image, shape, [filters, shape[1] // groups, *sizes],
                [shape[0], filters, *out], arguments)

    def conv_fprop(self):
        found = self.conv()
        if found is None:
            return False
        image, _, weights, loss, arguments = found
        w = self.value(weights)
        return self.define("conv_fprop", self.graph.conv_fprop(
            image, w, **arguments), loss, None, (image, w))

    def conv_dgrad(self):
        found = self.conv()
        if found is None:
            return False
        _, image, weights, loss, arguments = found
        dy, w = self.value(loss), self.value(weights)
        dx = self.graph.conv_dgrad(dy, w, **arguments).set_dim(image)
        return self.define("conv_dgrad", dx, image, None, (dy, w))

    def conv_wgrad(self):
        found = self.conv()
        if found is None:
            return False
        image, _, weights, loss, arguments = found
        dy = self.value(loss)
        dw = self.graph.conv_wgrad(image, dy, **arguments).set_dim(weights)
        return self.define("conv_wgrad", dw, weights, None, (image, dy))

    # --- resampling ---------------------------------------------------------

    def pooling(self, spatial):
        """(arguments, result extents) or None."""
        found = self.window(spatial)
        if found is None:
            return None
        arguments, sizes, _ = found
        arguments.pop("dilation")
        out = [(e + p + q - w) // s + 1 for e, p, q, w, s in zip(
            spatial, arguments["pre_padding"], arguments["post_padding"],
            sizes, arguments["stride"])]
        if min(out) < 1:
            return None
        mode = self.pick(("MAXPOOL", "AVGPOOL_INCLUDE_PADDING",
                          "AVGPOOL_EXCLUDE_PADDING"))
        padding = "NEG_INF_PAD" if mode == "MAXPOOL" else "ZERO_PAD"
        return dict(arguments, window=sizes, resample_mode=mode,
                    padding_mode=padding), out

    def resample(self):
        image, shape = self.image()
        found = self.pooling(shape[2:])
        if found is None:
            return False
        arguments, out = found
        made = self.graph.resample(image, **arguments, generate_index=False)
        made = made if isinstance(made, list) else [made]
        return self.results("resample", made[:1], [[*shape[:2], *out]], (image,))

    def resample_backward(self):
        image, shape = self.image()
        found = self.pooling(shape[2:])
        if found is None:
            return False
        arguments, out = found
        dy = self.value([*shape[:2], *out])
        x = image if arguments["resample_mode"] == "MAXPOOL" else None
        dx = self.graph.resample_backward(dy, x, **arguments).set_dim(shape)
        return self.define("resample_backward", dx, shape, None,
                           (dy,) if x is None else (dy, x))

    # --- norms --------------------------------------------------------------

    def more_norms(self):
        x, shape = self.image()
        kind = self.pick(("adalayernorm", "instancenorm"))
        scale_shape = [shape[0], 1, *shape[2:]] if kind == "adalayernorm" else \
            [1, shape[1]] + [1] * (len(shape) - 2)
        stats = [*shape[:2]] + [1] * (len(shape) - 2)
        if kind == "adalayernorm":
            stats = [n if i == 0 or s == 1 else 1 for i, (n, s) in
                     enumerate(zip(shape, scale_shape))]
        scale, bias = self.value(scale_shape), self.value(scale_shape)
        made = getattr(self.graph, kind)(x, scale, bias, self.scalar(0.1),
                                         TRAINING)
        return self.results(kind, made, (shape, stats, stats), (x, scale, bias))

    def norm_backward(self):
        x, shape = self.image()
        dy = self.value(shape)
        scale_shape = [1, *shape[1:]]
        stats = [shape[0]] + [1] * (len(shape) - 1)
        scale, mean, inverse = (self.value(s) for s in (scale_shape, stats, stats))
        if self.chance(0.5):
            made = self.graph.layernorm_backward(dy, x, scale, mean, inverse)
        else:
            made = self.graph.rmsnorm_backward(dy, x, scale, inverse,
                                               has_dbias=self.chance(0.5))
        return self.results("norm_backward", made,
                            (shape, scale_shape, scale_shape), (dy, x, scale))

    def channel_backward(self):
        x, shape = self.image()
        kind = self.pick(("instancenorm_backward", "batchnorm_backward"))
        scale_shape = [1, shape[1]] + [1] * (len(shape) - 2)
        stats = scale_shape if kind == "batchnorm_backward" else \
            [shape[0]] + scale_shape[1:]
        dy, scale = self.value(shape), self.value(scale_shape)
        made = getattr(self.graph, kind)(dy, x, scale, self.value(stats),
                                         self.value(stats))
        return self.results(kind, made, (shape, scale_shape, scale_shape),
                            (dy, x, scale))

    def adalayernorm_backward(self):
        x, shape = self.image()
        scale_shape = [shape[0], 1, *shape[2:]]
        stats = [n if i == 0 or s == 1 else 1
                 for i, (n, s) in enumerate(zip(shape, scale_shape))]
        dy, scale = self.value(shape), self.value(scale_shape)
        made = self.graph.adalayernorm_backward(
            dy, x, scale, self.value(stats), self.value(stats))
        return self.results("adalayernorm_backward", made,
                            (shape, scale_shape, scale_shape), (dy, x, scale))

    def batchnorm(self):
        x, shape = self.image()
        one = [1, shape[1]] + [1] * (len(shape) - 2)
        scale, bias = self.value(one), self.value(one)
        more = {}
        if self.chance(0.5):
            more = dict(in_running_mean=self.value(one),
                        in_running_var=self.value(one),
                        momentum=self.scalar(0.25))
        made = self.graph.batchnorm(x, scale, bias, epsilon=self.scalar(0.1),
                                    **more)
        return self.results("batchnorm", made, [shape] + [one] * 4,
                            (x, scale, bias))

    def batchnorm_inference(self):
        x, shape = self.image()
        one = [1, shape[1]] + [1] * (len(shape) - 2)
        rest = [self.value(one) for _ in range(4)]
        return self.define("batchnorm_inference",
                           self.graph.batchnorm_inference(x, *rest), shape,
                           self.pick(self.floats), (x, *rest))

    def genstats(self):
        x, shape = self.image()
        one = [1, shape[1]] + [1] * (len(shape) - 2)
        return self.results("genstats", self.graph.genstats(x), (one, one), (x,))

    def bn_finalize(self):
        one = [1, self.small(1, 5), 1, 1]
        operands = [self.value(one) for _ in range(4)]
        made = self.graph.bn_finalize(*operands, self.scalar(0.1),
                                      self.scalar(6.0))
        return self.results("bn_finalize", made, [one] * 6, operands)

    def dbn_weight(self):
        x, shape = self.image()
        one = [1, shape[1]] + [1] * (len(shape) - 2)
        operands = [self.value(shape), x] + [self.value(one) for _ in range(3)]
        return self.results("dbn_weight", self.graph.dbn_weight(*operands),
                            [one] * 5, operands)

    # --- the rest -----------------------------------------------------------

    def rope(self):
        b, h, s, half = (self.small(1, 3) for _ in range(4))
        width = 2 * half + self.small(0, 2)
        x = self.value([b, h, s, width])
        angles = self.value([s, 1, 1, 2 * half])
        kind = self.pick(("rope", "rope_backward"))
        out = getattr(self.graph, kind)(x, angles, output_scale=1.5,
                                        rope_dim=2 * half)
        return self.define(kind, out, [b, h, s, width], None, (x, angles))

    def rng_seed(self):
        return self.given(self.rng.integers(0, 1 << 20, (1, 1, 1, 1)), "i64")

    def random_numbers(self):
        shape = [self.small(1, 3), self.small(1, 9)]
        out = self.graph.rng(self.rng_seed(), self.rng_seed(),
                             distribution="BERNOULLI", probability=0.5)
        return self.define("rng", out.set_dim(shape), shape,
                           self.pick(self.floats))

    def expert_offsets(self, experts, rows):
        cuts = np.sort(self.rng.integers(0, rows + 1, experts + 1))
        cuts[0] = 0
        return self.given(cuts.reshape(-1, 1, 1), "i32")

    def moe(self):
        experts, rows, k, n = (self.small(1, 4) for _ in range(4))
        token, weight = self.value([1, rows, k]), self.value([experts, k, n])
        out = self.graph.moe_grouped_matmul(
            token, weight, self.expert_offsets(experts, rows))
        return self.define("moe_grouped_matmul", out, [1, rows, n], None,
                           (token, weight))

    def moe_bwd(self):
        experts, rows, k, n = (self.small(1, 4) for _ in range(4))
        loss, token = self.value([1, rows, n]), self.value([1, rows, k])
        out = self.graph.moe_grouped_matmul_bwd(
            loss, token, self.expert_offsets(experts, rows))
        out.set_dim([experts, k, n])
        return self.define("moe_grouped_matmul_bwd", out, [experts, k, n], None,
                           (loss, token))

    def quantize(self):
        """To fp8 with a scale for each block, and back."""
        rows, blocks, size = self.small(1, 4), self.small(1, 3), 4
        shape = [1, rows, blocks * size]
        x = self.value(shape)
        y, scale = self.graph.block_scale_quantize(x, block_size=size)
        self.define("block_scale_quantize", y, shape, "e4m3", (x,))
        scale.set_data_type(opgraph.data_type.FP8_E8M0)
        self.read.add(y)
        back = self.graph.block_scale_dequantize(y, scale, block_size=[1, size])
        back.set_data_type(opgraph.data_type.FLOAT)
        out = self.graph.identity(back)
        return self.define("identity of block_scale_dequantize", out, shape, None)

    def matmul_fp8(self):
        m, k, n = (self.small(1, 6) for _ in range(3))
        a, b = self.input([1, m, k], "e4m3"), self.input([1, k, n], "e4m3")
        scales = [self.given(np.full((1, 1, 1), v), "f32")
                  for v in (0.5, 2.0, 1.5)]
        made = self.graph.matmul_fp8(a, b, *scales)
        return self.results("matmul_fp8", made, ([1, m, n], [1, 1, 1]), (a, b))

    def band_mask(self):
        shape = [self.small(1, 2), self.small(1, 3), self.small(), self.small()]
        x = self.value(shape)
        out = self.graph.diagonal_band_mask(
            x, diagonal_band_left_bound=self.small(1, 3),
            diagonal_band_right_bound=self.small(0, 2), mask_value=-4.0)
        return self.define("diagonal_band_mask", out, shape, None, (x,))

    def paged_load(self):
        b, h, d, size, pages = (self.small(1, 3) for _ in range(5))
        length = size * pages
        container = self.input([4, h, size, d], self.pick(self.floats))
        lengths = self.given(self.rng.integers(0, length + 1, (b, 1, 1, 1)), "i32")
        table = self.given(self.rng.integers(0, 4, (b, 1, pages, 1)), "i32")
        out = self.graph.paged_cache_load(container, lengths, table,
                                          max_seq_len_kv=length)
        return self.define("paged_cache_load", out, [b, h, length, d],
                           self.kinds[container][1], (container,))

    # --- attention ----------------------------------------------------------

    def heads(self):
        """(q, k, v, extents of q, of scores, of o) of fresh operands."""
        b, hk, group, sq, skv, d, dv = (self.small(1, n)
                                        for n in (2, 2, 2, 9, 9, 6, 6))
        dtype, h = self.pick(self.floats), hk * group
        q, k, v = (self.input(s, dtype) for s in (
            [b, h, sq, d], [b, hk, skv, d], [b, hk, skv, dv]))
        return q, k, v, [b, h, sq, d], [b, h, sq, skv], [b, h, sq, dv]

    def attention_arguments(self, scores):
        """Some of the optional arguments, and the tensors among them."""
        b, h, sq, skv = scores
        arguments = {"attn_scale": 0.4}
        if self.chance(0.3):
            arguments["bias"] = self.value([1, h, sq, skv])
        if self.chance(0.3):
            arguments.update(
                use_padding_mask=True,
                seq_len_q=self.given(self.rng.integers(
                    0, sq + 1, (b, 1, 1, 1)), "i32"),
                seq_len_kv=self.given(self.rng.integers(
                    0, skv + 1, (b, 1, 1, 1)), "i32"))
        if self.chance(0.3):
            arguments.update(use_causal_mask=True,
                             use_alibi_mask=self.chance(0.5))
        if self.chance(0.2):
            arguments["sink_token"] = self.input([1, h, 1, 1], "f32")
        if self.chance(0.2):
            arguments["dropout"] = (0.25, self.rng_seed(), self.rng_seed())
        return arguments

    def sdpa_more(self):
        q, k, v, _, scores, out = self.heads()
        o, stats = self.graph.sdpa(q, k, v, generate_stats=True,
                                   **self.attention_arguments(scores))
        return self.results("sdpa", (o, stats), (out, [*out[:3], 1]), (q, k, v))

    def sdpa_backward(self):
        q, k, v, wide, scores, out = self.heads()
        o, do = self.value(out), self.value(out)
        stats = self.input([*out[:3], 1], "f32")
        made = self.graph.sdpa_backward(q, k, v, o, do, stats,
                                        **self.attention_arguments(scores))
        shapes = [wide, self.kinds[k][0], self.kinds[v][0]]
        for result, shape in zip(made, shapes):
            result.set_dim(shape)
        return self.results("sdpa_backward", made, shapes, (q, k, v, o, do))

    def sdpa_fp8(self):
        b, h, sq, skv, d = (self.small(1, n) for n in (2, 2, 9, 9, 6))
        q, k, v = (self.input(s, "e4m3") for s in (
            [b, h, sq, d], [b, h, skv, d], [b, h, skv, d]))
        scales = [self.given(np.full((1, 1, 1, 1), x), "f32")
                  for x in (0.5, 0.5, 1.0, 1 / 64, 64.0, 2.0)]
        o, _, amax_s, amax_o = self.graph.sdpa_fp8(
            q, k, v, *scales, is_inference=True, attn_scale=0.5,
            use_causal_mask=self.chance(0.5))
        one = [1, 1, 1, 1]
        for tensor in (amax_s, amax_o):
            tensor.set_dim(one).set_stride(one)
        self.define("sdpa_fp8", o, [b, h, sq, d], "e4m3", (q, k, v))
        return self.define("amax_s", amax_s, one, "f32") and \
            self.define("amax_o", amax_o, one, "f32")
