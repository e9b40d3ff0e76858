# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Formulas of the 54 pointwise operations. Operands arrive as float64 or int64
arrays already converted to the compute type."""

import math

import numpy as np

_erf = np.vectorize(math.erf, otypes=[np.float64])
_erfc = np.vectorize(math.erfc, otypes=[np.float64])
SQRT_2_OVER_PI = math.sqrt(2 / math.pi)


def sigmoid(x):
    e = np.exp(-np.abs(x))
    return np.where(x >= 0, 1 / (1 + e), e / (1 + e))


def softplus(x, beta=1.0):
    z = beta * x
    return (np.maximum(z, 0) + np.log1p(np.exp(-np.abs(z)))) / beta


def relu(x, negative_slope=0.0, lower_clip=0.0, upper_clip=math.inf):
    low = lower_clip + negative_slope * (x - lower_clip)
    # A slope of 0 times minus infinity is no value: the clip is.
    low = np.where(negative_slope == 0, lower_clip, low)
    out = np.where(x < lower_clip, low, np.minimum(x, upper_clip))
    return np.where(np.isnan(x), x, out)


def relu_backward(dy, x, negative_slope=0.0, lower_clip=0.0,
                  upper_clip=math.inf):
    above = 1.0 if upper_clip == math.inf else np.where(x < upper_clip, 1.0, 0.0)
    return dy * np.where(x <= lower_clip, negative_slope, above)


def gelu(x):
    return np.where(np.isneginf(x), -0.0, 0.5 * x * _erfc(-x / math.sqrt(2)))


def gelu_backward(dy, x):
    phi = np.exp(-x * x / 2) / math.sqrt(2 * math.pi)
    tail = np.where(np.isinf(x), 0.0, x * phi)
    return dy * (0.5 * _erfc(-x / math.sqrt(2)) + tail)


def gelu_tanh(x):
    t = np.tanh(SQRT_2_OVER_PI * (x + 0.044715 * x ** 3))
    return np.where(np.isneginf(x), -0.0, 0.5 * x * (1 + t))


def gelu_tanh_backward(dy, x):
    t = np.tanh(SQRT_2_OVER_PI * (x + 0.044715 * x ** 3))
    inner = SQRT_2_OVER_PI * (1 + 3 * 0.044715 * x * x)
    slope = 0.5 * x * (1 - t * t) * inner
    slope = np.where(np.abs(t) == 1, 0.0, slope)
    return dy * (0.5 * (1 + t) + np.where(np.isnan(x), x, slope))


def swish(x, beta=1.0):
    return np.where(np.isneginf(beta * x), -0.0 * np.sign(beta), x * sigmoid(beta * x))


def swish_backward(dy, x, beta=1.0):
    s = sigmoid(beta * x)
    tail = np.where(np.isinf(x), 0.0, beta * x * s * (1 - s))
    return dy * (s + tail)


def add_square(a, b):
    """The square of a finite number is finite: only the sum may overflow."""
    if a.dtype.kind != "f":
        return a + b * b
    return np.where(np.isinf(a) & np.isfinite(b), a, a + b * b)


def elu(x, alpha=1.0):
    return np.where(x > 0, x, alpha * np.expm1(np.minimum(x, 0)))


def _divide(a, b):
    if a.dtype.kind == "f":
        return a / b
    out = np.zeros(np.broadcast(a, b).shape, np.int64)
    a, b = np.broadcast_arrays(a, b)
    safe = b != 0
    # C truncates towards zero; Python's integers cannot overflow here.
    out[safe] = [int(abs(int(p)) // abs(int(q))) * (1 if (p < 0) == (q < 0)
                                                    else -1)
                 for p, q in zip(a[safe], b[safe])]
    return out


def _mod(a, b):
    if a.dtype.kind == "f":
        return np.fmod(a, b)
    a, b = np.broadcast_arrays(a, b)
    return np.where(b == 0, 0, np.fmod(a, np.where(b == 0, 1, b)))


def _extreme(pick, zero_sign):
    def apply(a, b):
        out = pick(a, b)
        if out.dtype.kind == "f":
            both_zero = (a == 0) & (b == 0)
            out = np.where(both_zero, zero_sign(a, b), out)
        return out
    return apply


maximum = _extreme(np.maximum, lambda a, b: np.where(
    np.signbit(a) & np.signbit(b), -0.0, 0.0))
minimum = _extreme(np.minimum, lambda a, b: np.where(
    np.signbit(a) | np.signbit(b), -0.0, 0.0))

#: op -> (arity, formula, takes integers, exact, domain). `exact`: the result
#: before rounding is exact in float64, so engines must agree to the bit.
#: domain: None, or (low, high) of the random operands.
UNARY = {
    "identity": (lambda x: x, True, True, None),
    "neg": (lambda x: -x, True, True, None),
    "abs": (np.abs, True, True, None),
    "ceil": (lambda x: np.ceil(x) if x.dtype.kind == "f" else x, True, True, None),
    "floor": (lambda x: np.floor(x) if x.dtype.kind == "f" else x, True, True, None),
    "sin": (np.sin, False, False, (-6, 6)),
    "cos": (np.cos, False, False, (-6, 6)),
    "tan": (np.tan, False, False, (-1.4, 1.4)),
    "exp": (np.exp, False, False, (-5, 5)),
    "log": (np.log, False, False, (0.01, 20)),
    "sqrt": (np.sqrt, False, False, (0, 20)),
    "rsqrt": (lambda x: 1 / np.sqrt(x), False, False, (0.01, 20)),
    "reciprocal": (lambda x: 1 / x, False, False, None),
    "erf": (_erf, False, False, None),
    "tanh": (np.tanh, False, False, None),
    "sigmoid": (sigmoid, False, False, None),
    "elu": (elu, False, False, None),
    "gelu": (gelu, False, False, None),
    "gelu_approx_tanh": (gelu_tanh, False, False, None),
    "softplus": (softplus, False, False, None),
    "logical_not": (lambda x: (x == 0).astype(np.int64), True, True, None),
    "relu": (relu, False, False, None),
    "leaky_relu": (lambda x: relu(x, 0.25), False, False, None),
    "swish": (swish, False, False, None),
}

BINARY = {
    "add": (np.add, True, False, None),
    "sub": (np.subtract, True, False, None),
    "mul": (np.multiply, True, False, None),
    "div": (_divide, True, False, None),
    "add_square": (add_square, True, False, None),
    "logical_and": (lambda a, b: ((a != 0) & (b != 0)).astype(np.int64), True, True, None),
    "logical_or": (lambda a, b: ((a != 0) | (b != 0)).astype(np.int64), True, True, None),
    "max": (maximum, True, True, None),
    "min": (minimum, True, True, None),
    "mod": (_mod, True, True, None),
    "pow": (np.power, False, False, (0.1, 3)),
    "bias": (np.add, True, False, None),
    "scale": (np.multiply, True, False, None),
    "cmp_eq": (lambda a, b: (a == b).astype(np.int64), True, True, None),
    "cmp_neq": (lambda a, b: (a != b).astype(np.int64), True, True, None),
    "cmp_gt": (lambda a, b: (a > b).astype(np.int64), True, True, None),
    "cmp_ge": (lambda a, b: (a >= b).astype(np.int64), True, True, None),
    "cmp_lt": (lambda a, b: (a < b).astype(np.int64), True, True, None),
    "cmp_le": (lambda a, b: (a <= b).astype(np.int64), True, True, None),
    "relu_backward": (relu_backward, False, False, None),
    "leaky_relu_backward": (lambda dy, x: relu_backward(dy, x, 0.25), False, False, None),
    "tanh_backward": (lambda dy, x: dy * (1 / np.cosh(x)) ** 2, False, False, None),
    "sigmoid_backward": (lambda dy, x: dy * sigmoid(x) * sigmoid(-x), False, False, None),
    "elu_backward": (lambda dy, x: dy * np.where(x > 0, 1.0, np.exp(np.minimum(x, 0))), False, False, None),
    "gelu_backward": (gelu_backward, False, False, None),
    "softplus_backward": (lambda dy, x: dy * sigmoid(x), False, False, None),
    "gelu_approx_tanh_backward": (gelu_tanh_backward, False, False, None),
    "swish_backward": (swish_backward, False, False, None),
}

#: Attributes that make an op what its formula above computes.
ATTRIBUTES = {"leaky_relu": {"negative_slope": 0.25},
              "leaky_relu_backward": {"negative_slope": 0.25}}
#: Ops whose result is a truth value.
PREDICATES = {op for op in BINARY if op.startswith(("cmp_", "logical_"))} | {
    "logical_not"}
