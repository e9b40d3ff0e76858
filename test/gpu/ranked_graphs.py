# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs by a seed for rank_plans.py: 40 matmuls with an epilogue, 20 norms, 20
convolutions and 20 attentions a seed. A graph is described by a dict of plain
values; `build` makes it."""

import math
import random

import opgraph

T = opgraph.data_type
#: How many graphs of each family a hundred has.
COUNTS = {"matmul": 40, "norm": 20, "conv": 20, "sdpa": 20}
SIZES = [64, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144,
         8192]
EPILOGUES = ["bias", "relu", "bias_relu", "bias_gelu", "bias_silu", "add",
             "scale"]
NORMS = ["layernorm", "rmsnorm", "layernorm_train", "rmsnorm_train",
         "layernorm_backward", "rmsnorm_backward", "batchnorm"]
MOST_FLOPS = 6e11
MOST_ELEMENTS = 1 << 27


def matmul(draw):
    while True:
        b = 1 if draw.random() < 0.7 else draw.choice([2, 4, 8, 16])
        m, n, k = (draw.choice(SIZES) for _ in range(3))
        if 2 * b * m * n * k <= MOST_FLOPS and \
                b * max(m * n, m * k, n * k) <= MOST_ELEMENTS:
            return {"b": b, "m": m, "n": n, "k": k,
                    "epilogue": draw.choice(EPILOGUES)}


def norm(draw):
    kind = draw.choice(NORMS)
    while True:
        if kind == "batchnorm":
            shape = [draw.choice([8, 16, 32, 64]),
                     draw.choice([64, 128, 256, 512]),
                     *[draw.choice([7, 14, 28, 56])] * 2]
        else:
            shape = [draw.choice([512, 1024, 2048, 4096, 8192, 16384, 32768]),
                     draw.choice([256, 512, 768, 1024, 2048, 4096, 5120, 8192])]
        if math.prod(shape) <= MOST_ELEMENTS:
            return {"kind": kind, "shape": shape}


def conv(draw):
    while True:
        n, size = draw.choice([8, 16, 32, 64]), draw.choice([7, 14, 28, 56])
        c, k = (draw.choice([32, 64, 128, 256, 512]) for _ in range(2))
        r = draw.choice([1, 3, 3, 5])
        stride = draw.choice([1, 1, 2])
        out = (size - 1) // stride + 1
        if 2 * n * out * out * c * k * r * r <= MOST_FLOPS:
            return {"kind": draw.choice(["fprop", "fprop_relu", "fprop_bias",
                                         "dgrad", "wgrad"]),
                    "n": n, "size": size, "c": c, "k": k, "r": r,
                    "stride": stride, "out": out}


def sdpa(draw):
    while True:
        b, h = draw.choice([1, 2, 4, 8]), draw.choice([8, 16, 32])
        kv = h // draw.choice([1, 1, 4])
        s, d = draw.choice(SIZES[3:]), draw.choice([64, 128])
        keys = s if draw.random() < 0.8 else draw.choice(SIZES[3:])
        causal = s == keys and draw.random() < 0.6
        if 4 * b * h * s * keys * d <= MOST_FLOPS:
            return {"b": b, "h": h, "kv": kv, "s": s, "keys": keys, "d": d,
                    "causal": causal, "stats": draw.random() < 0.3}


DRAW = {"matmul": matmul, "norm": norm, "conv": conv, "sdpa": sdpa}


def draw(seed):
    """A hundred graphs."""
    source = random.Random(seed)
    found = []
    for family, count in COUNTS.items():
        for _ in range(count):
            type_name = source.choice(["BFLOAT16", "BFLOAT16", "HALF"])
            found.append({"family": family, "type": type_name,
                          **DRAW[family](source)})
    return found


#: One graph of each family, for printed lists.
EXAMPLES = [
    {"family": "matmul", "b": 1, "m": 4096, "n": 4096, "k": 4096,
     "epilogue": "bias_gelu"},
    {"family": "norm", "kind": "rmsnorm", "shape": [16384, 4096]},
    {"family": "conv", "kind": "fprop_relu", "n": 32, "size": 56, "c": 256,
     "k": 256, "r": 3, "stride": 1, "out": 56},
    {"family": "sdpa", "b": 4, "h": 16, "kv": 16, "s": 4096, "keys": 4096,
     "d": 128, "causal": True, "stats": False}]
EXAMPLES = [{"type": "BFLOAT16", **spec} for spec in EXAMPLES]


# --- making them --------------------------------------------------------------

def add_matmul(g, spec):
    b, m, n, k = (spec[key] for key in "bmnk")
    y = g.matmul(g.tensor([b, m, k], name="a"), g.tensor([b, k, n], name="b"))
    for step in spec["epilogue"].split("_"):
        if step == "bias":
            y = g.bias(y, g.tensor([1, 1, n], name="bias"))
        elif step == "add":
            y = g.add(y, g.tensor([b, m, n], name="other"))
        elif step == "scale":
            y = g.scale(y, g.tensor([1, 1, 1], data_type=T.FLOAT, name="scale"))
        else:
            y = {"relu": g.relu, "gelu": g.gelu, "silu": g.swish}[step](y)
    return [y]


def epsilon(g):
    return g.tensor_scalar(1e-5, opgraph.scalar_type.COMPILE_TIME_CONST)


def add_norm(g, spec):
    kind, shape = spec["kind"], spec["shape"]
    if kind == "batchnorm":
        n, c, h, w = shape
        x = g.tensor(shape, [c * h * w, 1, w * c, c], name="x")
        scale, bias = (g.tensor([1, c, 1, 1], data_type=T.FLOAT, name=name)
                       for name in ("scale", "bias"))
        return [t for t in g.batchnorm(x, scale, bias, epsilon=epsilon(g))
                if t is not None]
    x = g.tensor(shape, name="x")
    scale = g.tensor([1, shape[1]], name="scale")
    statistic = [shape[0], 1]
    is_layer = kind.startswith("layer")
    if kind.endswith("backward"):
        dy = g.tensor(shape, name="dy")
        deviation = g.tensor(statistic, data_type=T.FLOAT, name="deviation")
        found = g.layernorm_backward(
            dy, x, scale, g.tensor(statistic, data_type=T.FLOAT, name="mean"),
            deviation) if is_layer else g.rmsnorm_backward(dy, x, scale,
                                                           deviation)
    else:
        phase = opgraph.norm_forward_phase
        phase = phase.TRAINING if kind.endswith("train") else phase.INFERENCE
        found = g.layernorm(x, scale, g.tensor([1, shape[1]], name="bias"),
                            epsilon(g), phase) if is_layer \
            else g.rmsnorm(x, scale, None, epsilon(g), phase)
    return [t for t in found if t is not None]


def image(g, n, c, h, w, name):
    return g.tensor([n, c, h, w], [c * h * w, 1, w * c, c], name=name)


def add_conv(g, spec):
    n, size, c, k, r, out = (spec[key] for key in
                             ("n", "size", "c", "k", "r", "out"))
    window = {"padding": [r // 2] * 2, "stride": [spec["stride"]] * 2,
              "dilation": [1, 1]}
    kind = spec["kind"]
    if kind == "wgrad":
        dw = g.conv_wgrad(image(g, n, c, size, size, "x"),
                          image(g, n, k, out, out, "dy"), **window)
        return [dw.set_dim([k, c, r, r]).set_stride([c * r * r, 1, r * c, c])]
    weight = image(g, k, c, r, r, "w")
    if kind == "dgrad":
        dx = g.conv_dgrad(image(g, n, k, out, out, "dy"), weight, **window)
        return [dx.set_dim([n, c, size, size])
                .set_stride([c * size * size, 1, size * c, c])]
    y = g.conv_fprop(image(g, n, c, size, size, "x"), weight, **window)
    if kind == "fprop_bias":
        y = g.bias(y, image(g, 1, k, 1, 1, "bias"))
    return [g.relu(y) if kind == "fprop_relu" else y]


def add_sdpa(g, spec):
    b, h, kv, s, keys, d = (spec[key] for key in
                            ("b", "h", "kv", "s", "keys", "d"))
    o, stats = g.sdpa(
        g.tensor([b, h, s, d], name="q"), g.tensor([b, kv, keys, d], name="k"),
        g.tensor([b, kv, keys, d], name="v"), attn_scale=d ** -0.5,
        use_causal_mask=spec["causal"], generate_stats=spec["stats"])
    return [o] if stats is None else [o, stats]


ADD = {"matmul": add_matmul, "norm": add_norm, "conv": add_conv,
       "sdpa": add_sdpa}


def build(spec, device="cuda"):
    """The validated graph of `spec`."""
    g = opgraph.pygraph(spec["family"], T[spec["type"]], T.FLOAT, T.FLOAT,
                        device=device)
    results = ADD[spec["family"]](g, spec)
    for index, result in enumerate(results):
        result.set_output(True).set_name(f"result {index}")
        result.set_data_type(T.FLOAT if index else T[spec["type"]])
    g.validate()
    return g
