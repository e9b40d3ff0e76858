# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sequences that tile-lower emits for math ops, computed with NumPy.

The hardware's approximations are taken as correctly rounded here; how large
the error is with those of a real GPU is measured by test/gpu/math, and
docs/dialects/DeviceMath.md says. Both are held against that page's table.
"""

import math
import re
import subprocess

import numpy as np
import pytest

KERNEL = """
#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>
!t = !tile.reg<1x32xf32, #d>
!v = !tile.view<1x32xf32, strides [32, 1], align 16>
tile.kernel @opgraph_f(%xp: !tile.ptr<f32, align 16>,
    %zp: !tile.ptr<f32, align 16>, %yp: !tile.ptr<f32, align 16>)
    warps(1) targets [sm_90a] {{
  %x = tile.view %xp : !tile.ptr<f32, align 16> -> !v
  %z = tile.view %zp : !tile.ptr<f32, align 16> -> !v
  %y = tile.view %yp : !tile.ptr<f32, align 16> -> !v
  %c0 = arith.constant 0 : i32
  %a = tile.load %x[%c0, %c0] : !v -> !t
  %b = tile.load %z[%c0, %c0] : !v -> !t
  %r = tile.map (%p = %a, %q = %b) : (!t, !t) -> !t {{
    %w = {line} : f32
    tile.yield %w : f32
  }}
  tile.store %r, %y[%c0, %c0] : !t, !v
}}
"""

DTYPES = {"f32": np.float32, "f64": np.float64, "i32": np.int32,
          "i64": np.int64, "i1": np.bool_}
UNSIGNED = {np.int32: np.uint32, np.int64: np.uint64}


def fma(a, b, c):
    """Rounded once: the sum of the exact product is rounded to odd first."""
    p, c = a.astype(np.float64) * b, c.astype(np.float64)
    s = p + c
    t = s - p
    e = (p - (s - t)) + (c - t)
    bits = s.view(np.int64)
    moves = np.isfinite(s) & (e != 0) & (bits & 1 == 0)
    bits = np.where(moves, bits + np.where((e > 0) == (s > 0), 1, -1), bits)
    return bits.view(np.float64).astype(np.float32)


def flushed(x):
    return np.where(np.abs(x) < np.float32(2.0**-126), np.copysign(0, x), x)


def approximation(name, x, *rest):
    """`name` without its prefix, as llvm.call_intrinsic has it."""
    functions = {"ex2": np.exp2, "lg2": np.log2, "rcp": lambda v: 1 / v,
                 "rsqrt": lambda v: 1 / np.sqrt(v), "div": np.divide}
    function = functions[name.split(".")[0]]
    flushes = "ftz" in name
    operands = [flushed(v) if flushes else v for v in (x, *rest)]
    result = function(*[v.astype(np.float64) for v in operands])
    result = result.astype(np.float32)
    return flushed(result).astype(np.float32) if flushes else result


COMPARES = {"eq": np.equal, "ne": np.not_equal, "lt": np.less,
            "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal}


def compare_floats(predicate, a, b):
    unordered = np.isnan(a) | np.isnan(b)
    if predicate == "uno":
        return unordered
    result = COMPARES[predicate[1:]](a, b)
    return (result | unordered if predicate[0] == "u"
            else result & ~unordered)


def compare_integers(predicate, a, b):
    if predicate[0] == "u":
        kind = UNSIGNED[a.dtype.type]
        a, b = a.view(kind), b.view(kind)
    return COMPARES[predicate[-2:]](a, b)


def shift_right(a, b):
    kind = UNSIGNED[a.dtype.type]
    return (a.view(kind) >> b.view(kind)).view(a.dtype)


def funnel(high, low, by):
    wide = (high.view(np.uint32).astype(np.uint64) << np.uint64(32)
            ) | low.view(np.uint32)
    by = by.astype(np.uint64)
    return (wide << by >> np.uint64(32)).astype(np.uint32).view(np.int32)


OPS = {
    "arith.addf": np.add, "arith.subf": np.subtract, "arith.mulf": np.multiply,
    "arith.divf": np.divide, "arith.negf": np.negative, "math.fma": fma,
    "math.absf": np.abs, "math.copysign": np.copysign, "math.trunc": np.trunc,
    "arith.minnumf": np.fmin, "arith.maxnumf": np.fmax,
    "arith.minimumf": np.minimum, "arith.maximumf": np.maximum,
    "arith.addi": np.add, "arith.subi": np.subtract, "arith.muli": np.multiply,
    "arith.andi": np.bitwise_and, "arith.ori": np.bitwise_or,
    "arith.xori": np.bitwise_xor, "arith.shli": np.left_shift,
    "arith.shrui": shift_right, "llvm.intr.fshl": funnel,
    "arith.select": np.where,
}


class Sequence:
    """The lowered function of a kernel from its loads to its store."""

    def __init__(self, text):
        lines = text.splitlines()
        first = next(i for i, l in enumerate(lines) if "llvm.load" in l)
        constants = [l for l in lines[:first] if "arith.constant" in l]
        self.lines = constants + lines[first:]

    def run(self, *inputs):
        self.values, self.inputs = {}, list(inputs)
        self.shape = inputs[0].shape
        return self.block(iter(self.lines))

    def block(self, lines):
        for line in lines:
            line = line.strip()
            if line.startswith("llvm.store"):
                return self.values[re.match(r"llvm.store (\S+),", line)[1]]
            if line.startswith(("scf.yield", "}")):
                return [self.values[v] for v in re.findall(r"%[\w#-]+", line)]
            if "scf.if" in line:
                self.branch(line, lines)
            elif " = " in line:
                target, text = line.split(" = ", 1)
                self.values[target] = self.op(text)

    def branch(self, line, lines):
        target, condition = re.match(
            r"(\S+?)(?::\d+)? = scf.if (\S+)", line).groups()
        yes = self.block(lines)
        assert "else" in next(lines)
        no = self.block(lines)
        assert next(lines).strip() == "}"
        for i, pair in enumerate(zip(yes, no)):
            name = f"{target}#{i}" if len(yes) > 1 else target
            self.values[name] = np.where(self.values[condition], *pair)

    def op(self, text):
        name = text.split(" ", 1)[0].split("(")[0]
        result = DTYPES.get(re.split(r" : | to |-> ", text)[-1])
        if name == "arith.constant":
            return self.constant(text.split()[1], result or np.bool_)
        if name == "llvm.load":
            return self.inputs.pop(0)
        operands = [self.values.get(v)
                    for v in re.findall(r"%[\w#-]+", text)]
        if any(operand is None for operand in operands):
            return None  # part of an address
        if name == "llvm.call_intrinsic":
            called = re.search(r'"llvm.nvvm.(.*?)"', text)[1]
            return approximation(called, *operands)
        if name == "arith.cmpf":
            return compare_floats(text.split()[1].rstrip(","), *operands)
        if name == "arith.cmpi":
            return compare_integers(text.split()[1].rstrip(","), *operands)
        if name == "arith.bitcast":
            return operands[0].view(result)
        if name == "arith.extui":
            x = operands[0]
            kind = UNSIGNED.get(x.dtype.type)
            return (x.view(kind) if kind else x).astype(result)
        if name in ("arith.sitofp", "arith.trunci", "arith.extsi",
                    "arith.truncf"):
            return operands[0].astype(result)
        return OPS[name](*operands)

    def constant(self, text, dtype):
        if text in ("true", "false"):
            return np.full(self.shape, text == "true")
        if text.startswith("0x"):
            bits = np.array(int(text, 16), UNSIGNED[
                {np.float32: np.int32, np.float64: np.int64}[dtype]])
            value = bits.view(dtype)
        else:
            value = np.array(float(text) if "." in text else int(text), dtype)
        return np.full(self.shape, value, dtype)


@pytest.fixture(scope="session")
def emitted(build_dir):
    def run(line, *inputs):
        done = subprocess.run(
            [build_dir / "bin/graph-opt", "-", "--tile-lower=target=sm_90a"],
            input=KERNEL.format(line=line), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        with np.errstate(all="ignore"):
            return Sequence(done.stdout).run(*inputs)
    return run


@pytest.fixture(scope="session")
def stated(root):
    """Rows of the page's table of f32: function -> largest error."""
    page = (root / "docs/dialects/DeviceMath.md").read_text()
    return {name: float(ulp) for name, ulp in
            re.findall(r"^\| `(\w+)` \| ([\d.]+) \|", page, re.M)}


def samples(rng, low, high):
    """Every exponent and sign, the function's own range, special values."""
    anything = rng.integers(0, 2**32, 40000, dtype=np.uint32).view(np.float32)
    inside = rng.uniform(low, high, 40000).astype(np.float32)
    special = np.array([0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 0.5, 2, 1e-45,
                        -1e-45, 1.1754942e-38, 1.17549435e-38, 3.4028235e38,
                        -3.4028235e38, 88.72284, -87.33655, -103.97208, 128,
                        -149, -150, 9.0, 10.5, 105615.0, 1e5], np.float32)
    return np.concatenate([anything, inside, special])


def errors(got, expected):
    """In units of the last place; infinite for another special value."""
    with np.errstate(over="ignore"):
        rounded = expected.astype(np.float32)
    unit = np.spacing(np.maximum(np.abs(np.where(
        np.isfinite(rounded), rounded, np.float32(3.4e38))),
        np.float32(2.0**-126))).astype(np.float64)
    limited = np.clip(expected, -2.0**128, 2.0**128)
    distance = np.abs(np.clip(got.astype(np.float64), -2.0**128, 2.0**128)
                      - limited) / unit
    same = ((got == rounded) & (np.signbit(got) == np.signbit(rounded))) | (
        np.isnan(got) & np.isnan(rounded))
    differs = np.isnan(got) != np.isnan(rounded)
    differs |= (got == 0) & (np.signbit(got) != np.signbit(rounded))
    return np.where(same, 0, np.where(differs, np.inf, distance))


UNARY = {
    "exp": (np.exp, -104, 89), "exp2": (np.exp2, -150, 128),
    "expm1": (np.expm1, -20, 89), "log": (np.log, 0.5, 2),
    "log2": (np.log2, 0.5, 2), "log10": (np.log10, 0.5, 2),
    "log1p": (np.log1p, -1, 2), "tanh": (np.tanh, -10, 10),
    "erf": (np.vectorize(math.erf), -4, 4),
    "erfc": (np.vectorize(math.erfc), -4, 10.5), "sin": (np.sin, -100, 100),
    "cos": (np.cos, -100, 100), "tan": (np.tan, -100, 100),
    "rsqrt": (lambda x: 1 / np.sqrt(x), 0, 10),
}


@pytest.mark.parametrize("name", UNARY)
def test_error_is_as_stated(emitted, stated, name):
    function, low, high = UNARY[name]
    x = samples(np.random.default_rng(7), low, high)
    with np.errstate(all="ignore"):
        expected = function(x.astype(np.float64))
    error = errors(emitted(f"math.{name} %p", x, x), expected)
    worst = int(np.argmax(error))
    assert error[worst] <= stated[name], (x[worst], expected[worst])


def power_samples(rng):
    moderate = np.exp(rng.uniform(-9, 9, 40000)), rng.uniform(-9, 9, 40000)
    near = 1 + rng.uniform(-.01, .01, 40000), rng.uniform(-9e3, 9e3, 40000)
    special = [0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 2, -2, 0.5, -0.5, 3, -3,
               2.5, 1e-45, 3.4e38, 16777217, 1e10]
    grid = np.meshgrid(special, special)
    columns = (np.concatenate([moderate[i], near[i], grid[i].ravel()])
               for i in range(2))
    return [column.astype(np.float32) for column in columns]


def test_power_is_as_stated(emitted, stated):
    x, y = power_samples(np.random.default_rng(7))
    with np.errstate(all="ignore"):
        expected = np.power(x.astype(np.float64), y.astype(np.float64))
    error = errors(emitted("math.powf %p, %q", x, y), expected)
    worst = int(np.argmax(error))
    assert error[worst] <= stated["pow"], (x[worst], y[worst])


@pytest.mark.parametrize("name, bound", [
    ("exp", 2**-17), ("exp2", 2**-20), ("erf", 2**-14), ("erfc", 2**-14),
    ("sin", 2**-15), ("cos", 2**-15), ("log", 2**-21), ("log1p", 2**-15),
    ("rsqrt", 2**-21),
])
def test_approximation_is_hidden_by_bf16(emitted, name, bound):
    """Relative, where neither operand nor result is subnormal."""
    function, low, high = UNARY[name]
    x = samples(np.random.default_rng(7), low, high)
    x = x[np.isfinite(x)]
    with np.errstate(all="ignore"):
        expected = function(x.astype(np.float64))
        got = emitted(f"math.{name} %p fastmath<afn>", x, x)
        normal = (np.abs(expected) > 2.0**-125) & (np.abs(expected) < 2.0**127)
        error = np.abs(got - expected) / np.abs(expected)
    assert error[normal].max() < bound


def test_approximate_quotient_of_large_numbers(emitted):
    x = np.array([3e38, 2.0**127, 1, -3e38], np.float32)
    y = np.array([2e38, 2.0**127, 3e38, 1e38], np.float32)
    got = emitted("arith.divf %p, %q fastmath<afn>", x, y)
    np.testing.assert_allclose(got, x / y, rtol=2e-7)
