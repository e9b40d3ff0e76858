# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random valid graphs of a few operations on random layouts."""

import math

import numpy as np

from . import graphs
from .dtypes import NUMPY, OPGRAPH, convert, is_float
from .graphs import packed
from .random_ops import RandomOps, available

#: Bounded where their operand is not: chains stay comparable.
BOUNDED = ("tanh", "sigmoid", "erf", "sin", "cos", "gelu_approx_tanh", "gelu",
           "softplus", "swish", "elu", "relu", "abs", "neg", "identity")
#: Only where both engines compute alike to the last bits.
TOUCHY = ("floor", "ceil", "sqrt", "rsqrt", "log", "reciprocal", "exp", "tan",
          "logical_not")
BACKWARD = ("tanh_backward", "sigmoid_backward", "relu_backward",
            "gelu_backward", "swish_backward", "elu_backward",
            "softplus_backward", "gelu_approx_tanh_backward")
BINARY = ("add", "sub", "mul", "max", "min", "bias", "scale")
COMPARE = ("cmp_eq", "cmp_neq", "cmp_gt", "cmp_ge", "cmp_lt", "cmp_le",
           "logical_and", "logical_or")
INTEGER = ("add", "sub", "mul", "max", "min", "div", "mod", "add_square")
#: Extents around the vector widths, and the small ones.
EXTENTS = (1, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33)


class Mode:
    """What a family of graphs computes in, and holds values in."""

    def __init__(self, compute, dtypes, touchy, whole_dialect=False):
        self.compute, self.dtypes, self.touchy = compute, dtypes, touchy
        self.whole_dialect = whole_dialect


#: In f64 both engines compute alike, so roundings fall alike, whatever the
#: element types in between; in f32 the approximations differ.
MODES = {
    "double": Mode("f64", ("f64", "f32", "f32", "bf16", "f16", "e4m3", "e5m2",
                           "i32", "i8", "u8", "bool"), True),
    "single": Mode("f32", ("f32",), False),
    "integer": Mode("i32", ("i32", "i32", "i8", "u8", "i64", "bool"), False),
    # Every operation; what is compared is one graph with its operations run
    # one at a time, both by the judge.
    "dialect": Mode("f32", ("f32", "f32", "bf16", "f16", "e4m3"), True, True),
    # Every operation whose engines compute alike to a few roundings of f32.
    "expanded": Mode("f32", ("f32",), False, True),
}


class RandomGraph(RandomOps):
    """`graph`, its `inputs` {tensor: array} and `outputs`; equal for equal
    seeds. `text` retells the operations."""

    def __init__(self, seed, mode, steps=None):
        self.rng = np.random.default_rng(seed)
        self.mode = MODES[mode]
        compute = self.mode.compute
        self.floats = [d for d in self.mode.dtypes if is_float(d)]
        self.graph = graphs.new_graph(self.mode.dtypes[0], self.mode.dtypes[0],
                                      compute)
        self.inputs, self.values, self.text = {}, [], []
        # tensor -> (shape, dtype); read ones need not be outputs.
        self.kinds, self.read = {}, set()
        self.input(self.shape(), self.mode.dtypes[0])
        steps = steps or int(self.rng.integers(2, 13))
        makers = ["unary"] * 3 + ["binary"] * 3 + ["layout", "reduction"]
        makers += ["matmul", "compare"] if mode == "integer" else \
            ["matmul", "norm", "softmax", "backward", "compare", "sdpa"]
        if self.mode.whole_dialect:
            makers += available(self.mode.touchy)
        while steps > 0:
            if getattr(self, self.pick(makers))():
                steps -= 1
        self.outputs = [v for v in self.values
                        if v not in self.read or self.chance(0.15)]
        for tensor in self.outputs:
            tensor.set_stride(self.strides(self.kinds[tensor][0], True))

    # --- choices ------------------------------------------------------------

    def pick(self, options):
        return options[int(self.rng.integers(len(options)))]

    def chance(self, probability):
        return self.rng.random() < probability

    def shape(self, rank=None):
        rank = rank or int(self.rng.integers(2, 5))
        shape = [self.pick(EXTENTS) for _ in range(rank)]
        while math.prod(shape) > 4096:
            shape[int(np.argmax(shape))] = 2
        if self.chance(0.03):
            shape[int(self.rng.integers(rank))] = 0
        return shape

    def strides(self, shape, distinct):
        """Packed, permuted or with gaps; of an input also broadcast."""
        order = list(range(len(shape)))
        if self.chance(0.4):
            self.rng.shuffle(order)
        if self.chance(0.25):
            padded = [e + int(self.rng.integers(0, 3)) for e in shape]
            strides = packed(padded, order)
            step = int(self.rng.integers(1, 3))
            return [s * step for s in strides]
        strides = packed(shape, order)
        if not distinct and self.chance(0.15):
            strides[int(self.rng.integers(len(shape)))] = 0
        return strides

    # --- values -------------------------------------------------------------

    def input(self, shape, dtype):
        strides = self.strides(shape, False)
        span = 0 if 0 in shape else \
            1 + sum((e - 1) * s for e, s in zip(shape, strides))
        if is_float(dtype):
            flat = self.rng.uniform(-2, 2, span)
            if self.mode.touchy and span and self.chance(0.1):
                flat[int(self.rng.integers(span))] = self.pick(
                    [np.nan, np.inf, -np.inf, -0.0, 1e30])
        else:
            flat = self.rng.integers(0, 2, span) if dtype in ("bool", "u8") \
                else self.rng.integers(-5, 6, span)
        size = np.dtype(NUMPY[dtype]).itemsize
        raw = convert(flat, dtype).astype(NUMPY[dtype]).view(f"u{size}")
        array = np.lib.stride_tricks.as_strided(
            raw, shape, [s * size for s in strides]).view(NUMPY[dtype]) \
            if span else np.empty(shape, NUMPY[dtype])
        return self.declare(array, shape, strides, dtype)

    def declare(self, array, shape, strides, dtype):
        tensor = self.graph.tensor(dim=shape, stride=strides,
                                   data_type=OPGRAPH[dtype])
        tensor.set_alignment(1)
        self.inputs[tensor] = array
        self.kinds[tensor] = (list(shape), dtype)
        self.text.append(f"%{tensor.get_uid()} = input {list(shape)} {dtype} "
                         f"strides {strides}")
        return tensor

    def given(self, values, dtype):
        """An input of given values (lengths, offsets, scales), packed. No
        operation takes it by chance."""
        array = np.ascontiguousarray(convert(values, dtype))
        tensor = self.declare(array, array.shape, packed(
            array.shape, range(array.ndim)), dtype)
        del self.kinds[tensor]
        return tensor

    def any(self, test=lambda shape, dtype: True):
        """A value that passes, later ones more often; None if there is none."""
        known = [t for t, kind in self.kinds.items() if test(*kind)]
        if not known:
            return None
        return self.pick(known[-3:] if self.chance(0.6) else known)

    def matching(self, shape, dtype=None):
        """A value of `shape` or one that broadcasts to it, mostly known."""
        dtype = dtype or self.pick(self.mode.dtypes)
        if self.chance(0.7):
            found = self.any(lambda s, d: len(s) == len(shape) and all(
                a in (1, b) for a, b in zip(s, shape)))
            if found is not None:
                return found
        mask = self.rng.random(len(shape)) < 0.25
        return self.input([1 if m else e for m, e in zip(mask, shape)], dtype)

    def define(self, what, tensor, shape, dtype=None, operands=()):
        """Records a result; its dtype is chosen unless it is given."""
        if dtype is None:
            dtype = self.pick(self.mode.dtypes)
        tensor.set_data_type(OPGRAPH[dtype])
        self.kinds[tensor] = (list(shape), dtype)
        self.values.append(tensor)
        self.read.update(operands)
        self.text.append(
            f"%{tensor.get_uid()} = {what} "
            + ", ".join(f"%{t.get_uid()}" for t in operands)
            + f" -> {list(shape)} {dtype}")
        return True

    # --- operations ---------------------------------------------------------

    def unary(self):
        names = ("abs", "neg", "identity", "floor") if \
            self.mode.compute == "i32" else \
            BOUNDED + (TOUCHY if self.mode.touchy else ())
        x, name = self.any(), self.pick(names)
        if self.chance(0.05):
            axis = int(self.rng.integers(len(self.kinds[x][0])))
            out = self.graph.gen_index(x, axis)
            return self.define(f"gen_index {axis}", out, self.kinds[x][0],
                               None, (x,))
        return self.define(name, getattr(self.graph, name)(x),
                           self.kinds[x][0], None, (x,))

    def broadcast(self, a, b):
        return [max(x, y) if 0 not in (x, y) else 0
                for x, y in zip(self.kinds[a][0], self.kinds[b][0])]

    def binary(self):
        x = self.any()
        y = self.matching(self.kinds[x][0])
        integer = self.mode.compute == "i32"
        name = self.pick(INTEGER if integer else BINARY)
        return self.define(name, getattr(self.graph, name)(x, y),
                           self.broadcast(x, y), None, (x, y))

    def backward(self):
        x = self.any()
        y = self.matching(self.kinds[x][0])
        name = self.pick(BACKWARD)
        return self.define(name, getattr(self.graph, name)(x, y),
                           self.broadcast(x, y), None, (x, y))

    def compare(self):
        """A comparison, or a choice by a mask."""
        x = self.any()
        y = self.matching(self.kinds[x][0])
        if self.mode.compute == "f32":
            # A near tie may fall to either side: choose by an input.
            mask = self.input(self.kinds[x][0], "bool")
            return self.define(
                "binary_select", self.graph.binary_select(x, y, mask),
                self.broadcast(x, y), None, (x, y, mask))
        name = self.pick(COMPARE)
        out = getattr(self.graph, name)(x, y)
        shape = self.broadcast(x, y)
        self.define(name, out, shape, "bool" if self.chance(0.7) else None,
                    (x, y))
        if self.chance(0.5):
            return self.define("binary_select",
                               self.graph.binary_select(x, y, out), shape,
                               None, (x, y, out))
        return True

    def reduction(self):
        import opgraph
        x = self.any()
        shape = self.kinds[x][0]
        mask = self.rng.random(len(shape)) < 0.5
        out = [1 if m else e for m, e in zip(mask, shape)]
        modes = ["ADD", "MIN", "MAX", "AMAX", "NORM1"]
        if self.mode.compute != "i32":
            modes += ["AVG", "NORM2"]
        if self.mode.touchy:
            modes += ["MUL", "MUL_NO_ZEROS"]
        mode = self.pick(modes)
        y = self.graph.reduction(
            x, mode=opgraph.reduction_mode[mode], out_dims=out)
        return self.define(f"reduction {mode}", y, out, None, (x,))

    def matmul(self):
        # Products of types narrower than f64 are exact there. Of f64 they are
        # not, and what a multiply-add leaves of a sum that cancels decides
        # the sign of an infinity later on.
        narrow = [d for d in self.mode.dtypes if d != "f64"]
        a = self.any(lambda s, d: len(s) >= 2 and d in narrow)
        if a is None:
            return False
        shape = self.kinds[a][0]
        n = self.pick(EXTENTS)
        batch = [1 if self.chance(0.3) else e for e in shape[:-2]]
        b = self.input(batch + [shape[-1], n], self.pick(narrow))
        return self.define("matmul", self.graph.matmul(a, b), shape[:-1] + [n],
                           None, (a, b))

    def layout(self):
        x = self.any()
        shape, dtype = self.kinds[x]
        kind = self.pick(("transpose", "slice", "reshape", "concatenate"))
        if kind == "transpose":
            axes = [int(a) for a in self.rng.permutation(len(shape))]
            return self.define(f"transpose {axes}",
                               self.graph.transpose(x, axes),
                               [shape[a] for a in axes], dtype, (x,))
        if kind == "slice":
            return self.slice(x, shape, dtype)
        if kind == "reshape":
            return self.reshape(x, shape, dtype)
        axis = int(self.rng.integers(len(shape)))
        other = list(shape)
        other[axis] = int(self.rng.integers(0, 6))
        parts = [x, self.input(other, dtype)]
        if self.chance(0.3):
            parts.append(x)
        out = list(shape)
        out[axis] = sum(self.kinds[p][0][axis] for p in parts)
        return self.define(f"concatenate {axis}",
                           self.graph.concatenate(axis, inputs=parts), out,
                           dtype, parts)

    def slice(self, x, shape, dtype):
        if any(e == 0 for e in shape):
            return False
        bounds, out = [], []
        for extent in shape:
            start = int(self.rng.integers(0, extent))
            stop = int(self.rng.integers(start + 1, extent + 1))
            step = int(self.rng.integers(1, 3))
            bounds.append(slice(start, stop, step))
            out.append(-(-(stop - start) // step))
        return self.define(f"slice {bounds}", self.graph.slice(x, bounds), out,
                           dtype, (x,))

    def reshape(self, x, shape, dtype):
        import opgraph
        size, out = math.prod(shape), []
        rest = size
        while rest > 1 and len(out) < 3:
            factor = self.pick([f for f in range(1, rest + 1) if rest % f == 0])
            out.append(factor)
            rest //= factor
        out = out + [rest] if size else [0, 3]
        y = self.graph.reshape(x, opgraph.reshape_mode.LOGICAL, out_dims=out)
        return self.define("reshape", y, out, dtype, (x,))

    def norm(self):
        import opgraph
        x = self.any(lambda s, d: len(s) > 1 and 0 not in s)
        if x is None:
            return False
        shape, _ = self.kinds[x]
        first = int(self.rng.integers(1, len(shape)))
        kind = self.pick(("layernorm", "rmsnorm"))
        scale, bias = (self.input([1] * first + shape[first:],
                                  self.mode.dtypes[0]) for _ in range(2))
        epsilon = self.input([1] * len(shape), self.mode.dtypes[0])
        self.inputs[epsilon] = np.full([1] * len(shape), 0.1,
                                       self.inputs[epsilon].dtype)
        train = self.chance(0.5)
        phase = opgraph.norm_forward_phase.TRAINING if train else \
            opgraph.norm_forward_phase.INFERENCE
        results = getattr(self.graph, kind)(
            x, scale, bias if self.chance(0.5) else None, epsilon, phase)
        self.define(kind, results[0], shape, None, (x,))
        for result in results[1:]:
            if result is not None:
                self.define(
                    "  statistic", result,
                    [1 if s != 1 else e for s, e in
                     zip(self.kinds[scale][0], shape)], self.mode.dtypes[0])
        return True

    def softmax(self):
        x = self.any()
        return self.define("softmax", self.graph.softmax(x)[0],
                           self.kinds[x][0], None, (x,))

    def sdpa(self):
        """On fresh operands, as its shapes are its own."""
        if self.chance(0.6):
            return False
        b, hk, group, sq, skv, d, dv = (int(self.rng.integers(1, n))
                                        for n in (3, 3, 3, 40, 40, 20, 20))
        dtype = self.mode.dtypes[0]
        q = self.input([b, hk * group, sq, d], dtype)
        k = self.input([b, hk, skv, d], dtype)
        v = self.input([b, hk, skv, dv], dtype)
        o, _ = self.graph.sdpa(q, k, v, is_inference=True, attn_scale=0.3,
                               use_causal_mask=self.chance(0.5))
        return self.define("sdpa", o, [b, hk * group, sq, dv], None, (q, k, v))
