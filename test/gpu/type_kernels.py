# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One small kernel for each operation of `tile` on each element type, and which of
them there are. CI runs them through verifier, lowering, assembler and interpreter
(test_tile_types.py); type_sweep.py compares the interpreter with a GPU."""

import re

SIZES = {"f64": 8, "f32": 4, "tf32": 4, "f16": 2, "bf16": 2, "f8E4M3FN": 1,
         "f8E5M2": 1, "f8E8M0FNU": 1, "i1": 1, "i8": 1, "ui8": 1, "i16": 2,
         "i32": 4, "i64": 8}
FILLS = ("zero", "one", "neg_inf", "pos_inf", "nan")
COMBINES = ("add", "mul", "min", "max", "amax", "min_nan", "max_nan", "bit_and",
            "bit_or", "bit_xor")

#: Parts of kernels' bodies: T is the element type, %x and %y are views of four rows
#: of 256 bytes.
LOAD = "%a = tile.load %x[%c0, %c0] : !v -> !t\n"
STORE = "tile.store %r, %y[%c0, %c0] : !t, !v\n"
SHARED = "%s = tile.shared : !s\n"
FENCE = "tile.fence_proxy async_shared\ntile.sync\n"
DONE = "tile.bulk_commit\ntile.bulk_wait pending(0)\n"


def bodies():
    yield "copy", LOAD + "tile.store %a, %y[%c0, %c0] : !t, !v\n"
    for fill in FILLS:
        yield f"fill_{fill}", (
            f"%r = tile.load %x[%c0, %c0] below [%c1, %c1] fill({fill}) : !v -> !t\n"
            + STORE)
    where = " {\n^bb0(%i: i32, %j: i32):\n%in = arith.cmpi slt, %i, %c1 : i32\n" \
            "tile.yield %i, %j, %in : i32, i32, i1\n}\n"
    yield "gather", "%r = tile.gather %x : !v -> !t" + where + STORE
    yield "scatter", LOAD + "tile.scatter %a, %y : !t, !v" + where
    for combine in COMBINES:
        yield f"scatter_{combine}", (
            LOAD + f"tile.scatter combine {combine} %a, %y : !t, !v" + where)
    yield "scalar_view", ("%a = tile.load_scalar %x[%c0, %c1] : !v -> T\n"
                          "%r = tile.splat %a : T -> !t\n" + STORE +
                          "tile.sync\n"
                          "tile.store_scalar %a, %y[%c1, %c0] : T, !v\n")
    yield "scalar_shared", (
        SHARED + "%a = tile.load_scalar %x[%c0, %c1] : !v -> T\n"
        "tile.store_scalar %a, %s[%c1, %c0] : T, !s\ntile.sync\n"
        "%b = tile.load_scalar %s[%c1, %c0] : !s -> T\n"
        "%r = tile.splat %b : T -> !t\n" + STORE)
    yield "argument", "%r = tile.splat %n : T -> !t\n" + STORE
    yield "extract", (LOAD + "%e = tile.extract %a[2, 0] : !t -> !half\n"
                      "tile.store %e, %y[%c1, %c0] : !half, !v\n")
    yield "relabel", LOAD + "%r = tile.relabel %a : !t -> !t\n" + STORE
    yield "convert", (SHARED + LOAD +
                      "%b = tile.convert %a through %s : !s : !t -> !u\n"
                      "tile.store %b, %y[%c0, %c0] : !u, !v\n")
    yield "select", (LOAD + "%r = tile.map (%e = %a) : (!t) -> !t {\n"
                     "%i = tile.coord rows\n"
                     "%p = arith.cmpi eq, %i, %c0 : i32\n"
                     "%q = arith.select %p, %e, %n : T\ntile.yield %q : T\n}\n" +
                     STORE)
    for combine in COMBINES:
        for level in ("warp", "thread"):
            to = "!one" if level == "warp" else "!lanes"
            yield f"reduce_{combine}_{level}", (
                LOAD + f"%b = tile.reduce {combine} %a along cols within {level} "
                f": !t -> {to}\n" + ("tile.store %b, %y[%c0, %c0] : !one, !v\n"
                                    if level == "warp" else ""))
    yield "reduce_with", (
        LOAD + "%b = tile.reduce_with %a along rows within warp : !t -> !row {\n"
        "^bb0(%l: T, %m: T):\ntile.yield %m : T\n}\n"
        "tile.store %b, %y[%c0, %c0] : !row, !v\n")
    yield "shared_plain", (
        SHARED + LOAD + "tile.store_shared %a, %s via plain : !t, !s\n"
        "tile.sync\n%r = tile.load_shared %s via plain : !s -> !t\n" + STORE)
    # Tiles of 8 x 8 blocks.
    for via, tile in (("matrix", "!fs"), ("matrix_trans transposed", "!fst")):
        yield f"shared_{via.split()[0]}", (
            f"%s = tile.shared : {tile}\n%f = tile.view %xp : !p -> !fv\n"
            "%g = tile.view %yp : !p -> !fv\n"
            "%a = tile.load %f[%c0, %c0] : !fv -> !f\n"
            f"tile.store_shared %a, %s via {via} : !f, {tile}\ntile.sync\n"
            f"%r = tile.load_shared %s via {via} : {tile} -> !f\n"
            "tile.store %r, %g[%c0, %c0] : !f, !fv\n")
    yield "shared_transposed", (
        "%s = tile.shared : !st\n" + LOAD +
        "tile.store_shared %a, %s via plain transposed : !t, !st\ntile.sync\n"
        "%r = tile.load_shared %s via plain transposed : !st -> !t\n" + STORE)
    yield "cp_async", (
        SHARED + "tile.cp_async %x[%c0, %c0] below [%c1, %c1] to %s bytes(16) "
        ": !v, !s\ntile.cp_commit\ntile.cp_wait pending(0)\ntile.sync\n"
        "%r = tile.load_shared %s via plain : !s -> !t\n" + STORE)
    on = "%m = tile.semaphore : !tile.semaphore<1>\n"
    wait = ("tile.await %m : !tile.semaphore<1>\n"
            "%r = tile.load_shared %s via plain : !s -> !t\n" + STORE)
    yield "bulk_load", (
        SHARED + on + "%c1024 = arith.constant 1024 : i32\n"
        "tile.fill %m bytes(1024) : !tile.semaphore<1>\n"
        "tile.bulk_load %xp[%z] size %c1024 to %s on %m : !p, !s, "
        "!tile.semaphore<1>\n" + wait)
    yield "tensor_load", (
        SHARED + on + "tile.fill %m bytes(1024) : !tile.semaphore<1>\n"
        "tile.tensor_load %X[%c0, %c0] to %s on %m : !map, !s, "
        "!tile.semaphore<1>\n" + wait)
    into = SHARED + LOAD + "tile.store_shared %a, %s via plain : !t, !s\n" + FENCE
    for combine in ("", *COMBINES):
        word = f"combine {combine} " if combine else ""
        suffix = f"_{combine}" if combine else ""
        yield f"bulk_store{suffix}", (
            into + "%c1024 = arith.constant 1024 : i32\n"
            f"tile.bulk_store {word}%s, %yp[%z] size %c1024 : !s, !p\n" + DONE)
        yield f"tensor_store{suffix}", (
            into + f"tile.tensor_store {word}%s, %Y[%c0, %c0] : !s, !map\n" + DONE)
    yield "fetch_add", ("%a = tile.fetch_add %yp, %n order relaxed : !p, T -> T\n"
                        "%r = tile.splat %a : T -> !t\n" + STORE)


BODIES = dict(bodies())


def header(element):
    """The types that the kernels of one element type share."""
    vector = 16 // SIZES[element]
    columns = 16 * vector
    spread = f"#tile.blocked<vector = {vector}, lanes = [2, 16], warps = [1, 1]>"
    blocks = "#tile.blocked<vector = 2, lanes = [8, 4], warps = [1, 1]>"
    other = "#tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>"
    return f"""
!p = !tile.ptr<{element}, align 16>
!v = !tile.view<4x{columns}x{element}, strides [{columns}, 1], align 16>
!t = !tile.reg<4x{columns}x{element}, {spread}>
!u = !tile.reg<4x{columns}x{element}, {other}>
!half = !tile.reg<2x{columns}x{element}, {spread}>
!row = !tile.reg<1x{columns}x{element}, {spread}>
!one = !tile.reg<4x1x{element}, {spread}>
!lanes = !tile.reg<4x16x{element}, #tile.partial<{spread}, cols, thread>>
!s = !tile.shared<4x{columns}x{element}>
!st = !tile.shared<{columns}x4x{element}>
!f = !tile.reg<8x{columns // 2}x{element}, {blocks}>
!fv = !tile.view<8x{columns // 2}x{element}, strides [{columns // 2}, 1], align 16>
!fs = !tile.shared<8x{columns // 2}x{element}>
!fst = !tile.shared<{columns // 2}x8x{element}>
!map = !tile.tensor_map<4x{columns}x{element}>
"""


def shape(element):
    return f"4x{16 * 16 // SIZES[element]}x{element}"


def kernel(name, element):
    body = re.sub(r"\bT\b", element, BODIES[name])
    return (f"tile.kernel @{name}(%X: !map, %Y: !map, %xp: !p, %yp: !p, "
            f"%n: {element}) warps(1) targets [sm_90a] {{\n"
            "%c0 = arith.constant 0 : i32\n%c1 = arith.constant 1 : i32\n"
            "%z = arith.constant 0 : i64\n"
            "%x = tile.view %xp : !p -> !v\n%y = tile.view %yp : !p -> !v\n" +
            body + "}\n")


FLOAT8 = {"f8E4M3FN", "f8E5M2", "f8E8M0FNU"}
FLOATS = {"f64", "f32", "f16", "bf16"}
INTEGERS = {"i1", "i8", "i16", "i32", "i64"}
HALVES = {"f16", "bf16", "i16"}
ATOMIC = {"add": FLOATS | {"i16", "i32", "i64"}}
ATOMIC["min"] = ATOMIC["max"] = ATOMIC["add"]
COPIED = {"add": {"i32", "i64", "f16", "bf16", "f32", "f64"},
          "min": {"i32", "i64", "f16", "bf16"}}
COPIED["max"] = COPIED["min"]
for bits in ("bit_and", "bit_or", "bit_xor"):
    ATOMIC[bits] = {"i16", "i32", "i64"}
    COPIED[bits] = {"i32", "i64"}


def admitted(name):
    """Types that the verifier has nothing against."""
    everything = set(SIZES)
    op, _, combine = name.partition("_")
    if op == "scatter" and combine:
        return ATOMIC.get(combine, set())
    if op in ("bulk", "tensor") and combine.startswith("store_"):
        how = combine.removeprefix("store_")
        is_signed_map = op == "tensor" and how not in ("min", "max")
        return COPIED.get(how, set()) - ({"i64"} if is_signed_map else set())
    if op == "reduce" and combine != "with":
        is_bits = combine.startswith("bit_")
        return everything - FLOAT8 - {"tf32"} - (FLOATS if is_bits else set())
    if name.startswith("shared_matrix"):
        return HALVES
    return {"i32", "i64"} if name == "fetch_add" else everything


def served(element):
    return [name for name in BODIES if element in admitted(name)]
