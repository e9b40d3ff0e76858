# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Activations of every number of a 16-bit type, and how near results must be.

Shared by the test in the interpreter and the one on a GPU."""

import numpy as np
from formulas import pointwise as f

from support.dtypes import FORMAT, NUMPY, round_to, ulp_of

#: Their formulas are short where the rounding to 16 bits hides it.
FORWARD = ("sigmoid", "swish", "softplus", "elu", "gelu", "gelu_approx_tanh",
           "rsqrt", "sqrt", "tanh", "erf", "exp")
BACKWARD = ("sigmoid_backward", "tanh_backward", "swish_backward",
            "softplus_backward", "gelu_backward", "gelu_approx_tanh_backward")
DTYPES = ("bf16", "f16")
_MLIR = {"bf16": "bf16", "f16": "f16"}
#: Units of a result's last place, beyond the half that rounding takes.
SLACK = 0.14


def every_number(dtype):
    return np.arange(65536, dtype=np.uint16).view(NUMPY[dtype])


def losses(dtype):
    """Of magnitudes from 1/4 to 4."""
    rng = np.random.default_rng(5)
    return (rng.choice([-1, 1], 65536)
            * 2.0 ** rng.uniform(-2, 2, 65536)).astype(NUMPY[dtype])


def operands(op, dtype):
    x = every_number(dtype)
    return [losses(dtype), x] if op in BACKWARD else [x]


def graph_text(op, dtype):
    kind = f"tensor<256x256x{_MLIR[dtype]}>"
    count = 2 if op in BACKWARD else 1
    ports = ", ".join(f"%a{i}: {kind} {{graph.uid = {i + 1} : i64}}"
                      for i in range(count))
    uses = ", ".join(f"%a{i}" for i in range(count))
    types = ", ".join([kind] * count)
    return f"""graph.graph @{op}({ports})
    -> ({kind} {{graph.uid = {count + 1} : i64}}) {{
  %r = graph.{op} {uses} : ({types}) -> {kind}
  graph.return %r : {kind}
}}
"""


def gelu_tanh(x):
    """The formula of the tests cancels below -6."""
    gate = f.sigmoid(2 * f.SQRT_2_OVER_PI * (x + 0.044715 * x**3))
    return np.where(np.isneginf(x), -0.0, x * gate)


def formula_of(op):
    if op == "gelu_approx_tanh":
        return gelu_tanh
    return (f.UNARY.get(op) or f.BINARY[op])[0]


def find_wrong(op, dtype, got):
    """A line about elements that are too far from the formula; '' for none."""
    with np.errstate(all="ignore"):
        values = [v.astype(np.float64) for v in operands(op, dtype)]
        want = formula_of(op)(*values)
        got = got.astype(np.float64)
        rounded = round_to(want, dtype).astype(np.float64)
        # Factors below 2^-126 count as 0; slopes cross 0 where terms cancel.
        scale = np.maximum(1, np.abs(values[-1])) * (
            np.abs(values[0]) if op in BACKWARD else 1)
        least = 2.0**-125 * np.where(np.isfinite(scale), scale, 1)
        if op in BACKWARD:
            least += 2.0**-20 * np.abs(values[0])
        bound = (0.5 + SLACK) * ulp_of(want, dtype) + least
        near = np.abs(got - want) <= bound
        near |= got == rounded
        near |= np.isnan(got) & np.isnan(want)
        # At the edge of the range a rounding may go to infinity.
        near |= np.isinf(got) & (np.abs(want) >= FORMAT[dtype][2])
    if near.all():
        return ""
    worst = np.flatnonzero(~near)
    at = worst[len(worst) // 2]
    return (f"{op} {dtype}: {worst.size} wrong, one at "
            f"{[float(v[at]) for v in values]}: expected {want[at]!r}, "
            f"got {got[at]!r}")
