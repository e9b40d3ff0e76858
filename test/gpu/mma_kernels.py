# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One small tile kernel for each type and shape of matrix product that `tile` admits,
its data, and what it must give. CI runs them through the interpreter and ptxas
(test_tile_mma.py), mma.py runs them on a GPU."""

import dataclasses
import hashlib
import itertools

import ml_dtypes
import numpy as np

DTYPES = {
    "f16": np.float16, "bf16": ml_dtypes.bfloat16, "tf32": np.float32,
    "f32": np.float32, "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E5M2": ml_dtypes.float8_e5m2, "i8": np.int8, "ui8": np.uint8,
    "i32": np.int32}
#: Of the numbers that mma_digests.json is of.
SEED = 7
FLOAT8 = ("f8E4M3FN", "f8E5M2")
INT8 = ("i8", "ui8")


def size_of(element):
    return np.dtype(DTYPES[element]).itemsize


@dataclasses.dataclass(frozen=True)
class Case:
    """D = A B, or A B + C with `plus`; A is M x K, B is K x N."""
    kind: str  # "async" (wgmma) or "sync" (mma.sync)
    a: str
    b: str
    acc: str
    m: int
    n: int
    k: int
    a_in: str = "shared"  # or "registers"
    a_major: str = "k"
    b_major: str = "k"
    swizzle: int = 128
    plus: bool = False

    @property
    def name(self):
        parts = ["mma", self.kind, self.a, self.b, self.acc, self.m, self.n,
                 self.k, self.a_in, self.a_major, self.b_major,
                 f"sw{self.swizzle}", "plus" if self.plus else "zero"]
        return "_".join(map(str, parts)).lower()

    @property
    def shape_a(self):
        return (self.m, self.k) if self.a_major == "k" else (self.k, self.m)

    @property
    def is_b_tall(self):
        """Whether B lies as K x N: always for mma.sync."""
        return self.kind == "sync" or self.b_major == "mn"

    @property
    def shape_b(self):
        return (self.k, self.n) if self.is_b_tall else (self.n, self.k)


def pairs():
    """(A, B, accumulator) of W1."""
    for element in ("f16", "bf16", "tf32", "f32"):
        yield element, element, "f32"
    yield "f16", "f16", "f16"
    for a, b in itertools.product(FLOAT8, FLOAT8):
        yield a, b, "f32"
    for a, b in itertools.product(INT8, INT8):
        yield a, b, "i32"


def sync_cases():
    for a, b, acc in pairs():
        k = 64 // size_of(a)
        yield Case("sync", a, b, acc, 32, 32, k, "registers", plus=True)
        yield Case("sync", a, b, acc, 64, 16, 2 * k, "registers", plus=True)


def async_cases():
    halves = [(a, b, "f16") for a, b in itertools.product(FLOAT8, FLOAT8)]
    for a, b, acc in [*pairs(), *halves]:
        k = 256 // size_of(a)
        for place, plus in (("shared", False), ("registers", True)):
            yield Case("async", a, b, acc, 128, 64, k, place, plus=plus)
        for swizzle in (32, 64):
            yield Case("async", a, b, acc, 64, 32, swizzle // size_of(a),
                       swizzle=swizzle, plus=True)
    # Extents of N at the ends, and in between.
    for a, acc, n in [("bf16", "f32", 8), ("bf16", "f32", 256),
                      ("f16", "f16", 8), ("f16", "f16", 24), ("f16", "f16", 256),
                      ("f8E4M3FN", "f32", 40), ("f8E5M2", "f16", 40),
                      ("i8", "i32", 24), ("ui8", "i32", 48), ("tf32", "f32", 16)]:
        yield Case("async", a, a, acc, 64, n, 128 // size_of(a))
    # Only 16-bit types have the other major.
    for (a, acc), majors in itertools.product(
            [("bf16", "f32"), ("f16", "f32"), ("f16", "f16")],
            [("mn", "k"), ("k", "mn"), ("mn", "mn")]):
        yield Case("async", a, a, acc, 128, 128, 64, "shared", *majors)
    for a, acc in [("bf16", "f32"), ("f16", "f32"), ("f16", "f16")]:
        yield Case("async", a, a, acc, 64, 64, 64, "registers", "k", "mn",
                   plus=True)


def view(name, shape, element):
    return (f"!tile.ptr<{element}, align 16>",
            f"!tile.view<{shape[0]}x{shape[1]}x{element}, "
            f"strides [{shape[1]}, 1], align 16>",
            f"  %{name}v = tile.view %{name}")


def reg(shape, element, spread):
    return f"!tile.reg<{shape[0]}x{shape[1]}x{element}, {spread}>"


def to_shared(case, name, shape, element):
    """A matrix on its way through registers: 4 bytes a thread."""
    vector = 4 // size_of(element)
    lanes = min(32, shape[1] // vector)
    spread = (f"#tile.blocked<vector = {vector}, lanes = [{32 // lanes}, "
              f"{lanes}], warps = [4, 1]>")
    tile, (_, source, _) = reg(shape, element, spread), view(name, shape, element)
    shared = f"!tile.shared<{shape[0]}x{shape[1]}x{element}, sw{case.swizzle}>"
    return shared, [
        f"  %{name}t = tile.load %{name}v[%c0, %c0] : {source} -> {tile}",
        f"  tile.store_shared %{name}t, %{name}s via plain : {tile}, {shared}"]


def kernel(case, target):
    """The text of a case's kernel: arguments A, B, C and D."""
    shapes = {"a": (case.shape_a, case.a), "b": (case.shape_b, case.b),
              "c": ((case.m, case.n), case.acc),
              "d": ((case.m, case.n), case.acc)}
    views = {name: view(name, *each) for name, each in shapes.items()}
    body = ["  %c0 = arith.constant 0 : i32"]
    body += [f"{text} : {pointer} -> {type}"
             for pointer, type, text in views.values()]
    body += (sync_body if case.kind == "sync" else async_body)(case, views)
    arguments = ", ".join(f"%{name}: {each[0]}" for name, each in views.items())
    return (f"tile.kernel @{case.name}({arguments}) warps(4) targets [{target}] "
            "{\n" + "\n".join(body) + "\n}\n")


def load(name, views, tile):
    return f"  %{name}r = tile.load %{name}v[%c0, %c0] : {views[name][1]} -> {tile}"


def sync_body(case, views):
    warps = "warps = [2, 2]"
    bits = 8 * size_of(case.a)
    a = reg(case.shape_a, case.a, f"#tile.operand<0, bits = {bits}, {warps}>")
    b = reg(case.shape_b, case.b, f"#tile.operand<1, bits = {bits}, {warps}>")
    c = reg((case.m, case.n), case.acc, f"#tile.acc<{warps}>")
    return [load("a", views, a), load("b", views, b), load("c", views, c),
            f"  %d0 = tile.mma_sync %ar, %br plus %cr : {a}, {b}, {c}",
            f"  tile.store %d0, %dv[%c0, %c0] : {c}, {views['d'][1]}"]


def async_body(case, views):
    acc = f"{case.m}x{case.n}x{case.acc}, #tile.acc"
    pending, tile = f"!tile.pending<{acc}>", f"!tile.reg<{acc}>"
    shared_b, fill = to_shared(case, "b", case.shape_b, case.b)
    head, a = [f"  %bs = tile.shared : {shared_b}"], "%as"
    if case.a_in == "shared":
        type_a, moves = to_shared(case, "a", case.shape_a, case.a)
        head.append(f"  %as = tile.shared : {type_a}")
        fill = moves + fill
    else:
        a = "%ar"
        type_a = reg(case.shape_a, case.a,
                     f"#tile.operand<0, bits = {8 * size_of(case.a)}>")
        fill.append(load("a", views, type_a))
    start = ""
    if case.plus:
        fill.append(load("c", views, tile))
        start = f" plus %cr : {tile}"
    for name, major in (("a", case.a_major), ("b", case.b_major)):
        if major == "mn":
            start += f" {name}_major mn"
    # The prologue's order: scalars, views and shared tiles stand before the rest.
    return head + fill + [
        "  tile.fence_proxy async_shared", "  tile.sync", "  tile.mma_fence",
        f"  %p = tile.mma_async {a}, %bs{start} : {type_a}, {shared_b} -> {pending}",
        "  %g = tile.mma_commit",
        f"  %d0 = tile.mma_wait %g pending(0) retire(%p : {pending})",
        f"  tile.store %d0, %dv[%c0, %c0] : {tile}, {views['d'][1]}"]


def numbers(rng, shape, element, is_exact):
    """Numbers of which sums are exact in every accumulator, or any of [-2, 2]."""
    dtype = DTYPES[element]
    if element in INT8:
        limits = np.iinfo(dtype)
        return rng.integers(limits.min, limits.max + 1, shape).astype(dtype)
    if element == "i32":
        return rng.integers(-2**20, 2**20, shape).astype(dtype)
    if is_exact:
        return rng.integers(-2, 3, shape).astype(np.float32).astype(dtype)
    values = rng.uniform(-2, 2, shape).astype(np.float32)
    if element in ("f32", "tf32"):
        # The hardware looks at the upper 19 bits of an f32, whatever the others.
        if element == "tf32":
            values = (values.view(np.uint32) & 0xffffe000).view(np.float32)
        return values
    return values.astype(dtype)


def factors(array, element):
    """A matrix as an MMA sees it."""
    if element in ("f32", "tf32"):
        return (array.view(np.uint32) & 0xffffe000).view(np.float32).astype(
            np.float64)
    return array.astype(np.int64 if element in INT8 else np.float64)


def make(case, seed, is_exact):
    """(A, B, C, D, error allowed in each element of D)."""
    rng = np.random.default_rng(seed)
    a = numbers(rng, case.shape_a, case.a, is_exact)
    b = numbers(rng, case.shape_b, case.b, is_exact)
    c = numbers(rng, (case.m, case.n), case.acc, is_exact)
    left, right = factors(a, case.a), factors(b, case.b)
    left = left.T if case.a_major == "mn" else left
    right = right if case.is_b_tall else right.T
    start = c.astype(left.dtype) if case.plus else np.zeros_like(c, left.dtype)
    d = left @ right + start
    if is_exact or case.acc == "i32":
        return a, b, c, d, np.zeros(d.shape)
    size = np.abs(left) @ np.abs(right) + np.abs(start)
    return a, b, c, d, size * tolerance(case)


def tolerance(case):
    """Relative to the sum of magnitudes. Tensor cores cut, not round, what lies
    below their accumulator's last bit; of 8-bit floats 14 bits are kept."""
    steps = case.k * size_of(case.a) / 32 + 1
    if case.acc == "f16":
        return steps * 2.0**-10
    return steps * (2.0**-13 if case.a in FLOAT8 else 2.0**-21)


def digest(array):
    return hashlib.sha256(array.tobytes()).hexdigest()[:16]


def wrong(case, got, want, allowed):
    """What is wrong with a result, or None; and its error in parts of that allowed."""
    error = np.abs(got.astype(np.float64) - want)
    is_bad = ~(error <= allowed)
    ratio = float(np.nanmax(error / np.maximum(allowed, 1e-30))) \
        if allowed.any() else 0.0
    if not is_bad.any():
        return None, ratio
    row, column = np.argwhere(is_bad)[0]
    return (f"{case.name}: {is_bad.sum()} of {is_bad.size} wrong, first [{row}, "
            f"{column}]: {got[row, column]}, expected {want[row, column]} +- "
            f"{allowed[row, column]}"), ratio
