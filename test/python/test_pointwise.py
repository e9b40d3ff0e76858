# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every pointwise op on every engine: the judge against NumPy formulas, the
others against the judge, over dtypes and edges."""

import numpy as np
import pytest

from formulas import pointwise as f
from support import graphs, table
from support.compare import assert_close
from support.dtypes import (FLOATS, FORMAT, INTEGERS, NUMPY, OPGRAPH, convert,
                            is_float, round_to, widen)

DTYPES = FLOATS + INTEGERS + ("bool",)
VALUE_EDGES = ("plain", "nan", "signed zero", "infinity", "range")
SHAPE_EDGES = ("size 1", "size 0", "strided", "broadcast of lower rank")
ALL_OPS = {**{op: (1, *row) for op, row in f.UNARY.items()},
           **{op: (2, *row) for op, row in f.BINARY.items()}}


def specials(dtype):
    """The values where formulas go wrong, as float64 or int64."""
    if dtype == "bool":
        return np.array([0, 1])
    if not is_float(dtype):
        info = np.iinfo(NUMPY[dtype])
        return np.array([0, 1, 2, 3, 7, info.max, info.min, info.max - 1])
    bits, low, largest = FORMAT[dtype]
    tiny = 2.0 ** (low - bits + 1)
    values = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, 3.0, tiny, -tiny,
              2.0 ** low, largest, -largest, np.nan]
    # e4m3 has no infinity.
    return np.array(values + ([] if dtype == "e4m3" else [np.inf, -np.inf]))


def value_operands(rng, dtype, arity, domain):
    """Random values of the domain, then (pairs of) specials."""
    low, high = domain or (-4, 4)
    special = specials(dtype)
    pairs = np.stack(np.meshgrid(*[special] * arity), -1).reshape(-1, arity)
    count = 61
    operands = []
    for i in range(arity):
        if is_float(dtype):
            random = rng.uniform(low, high, count)
        elif dtype == "bool":
            random = rng.integers(0, 2, count)
        else:
            info = np.iinfo(NUMPY[dtype])
            random = rng.integers(max(info.min, -50), 50, count)
        flat = np.concatenate([random, pairs[:, i]])
        operands.append(convert(flat, dtype).reshape(1, -1))
    return operands


def compute_type(dtype):
    if dtype == "f64":
        return "f64"
    if is_float(dtype):
        return "f32"
    return "i64" if dtype == "i64" else "i32"


def expected(op, operands, dtype, out_dtype, formula):
    """The formula on the operands, rounded once."""
    wide = [widen(o) for o in operands]
    if not is_float(dtype) and compute_type(dtype) == "i32":
        pass  # int64 holds every i32 result before it wraps.
    with np.errstate(all="ignore"):
        result = formula(*wide)
    if result.dtype.kind in "iu" and op not in f.PREDICATES:
        result = convert(result, compute_type(dtype)).astype(np.int64)
    return convert(result, out_dtype)


def run_op(op, operands, dtype, out_dtype, engine, **attributes):
    compute = compute_type(dtype)
    graph = graphs.new_graph(dtype, dtype, compute)
    tensors = [graphs.declare(graph, o) for o in operands]
    out = getattr(graph, op)(*tensors, **attributes)
    out.set_data_type(OPGRAPH[out_dtype])
    shape = np.broadcast_shapes(*[o.shape for o in operands])
    if all(o.shape != shape for o in operands):
        packed = np.empty(shape)
        out.set_dim(list(shape)).set_stride(
            [s // 8 for s in packed.strides] if 0 not in shape else
            graphs.strides_of(packed))
    return graphs.run(graph, dict(zip(tensors, operands)), [out], engine)[0]


def check_op(op, operands, dtype, arity, formula, exact):
    """Runs the engines and compares. NumPy, judge, then the others."""
    out_dtype = "bool" if op in f.PREDICATES else dtype
    attributes = f.ATTRIBUTES.get(op, {})
    judge = run_op(op, operands, dtype, out_dtype, graphs.REFERENCE,
                   **attributes)
    want = expected(op, operands, dtype, out_dtype, formula)
    if exact or not is_float(out_dtype):
        assert_close(judge, want, what=f"{op} {dtype}: judge against NumPy")
    else:
        tiny = 2.0 ** (FORMAT[dtype][1] - FORMAT[dtype][0] + 1)
        assert_close(judge, want, ulps=16 if dtype == "f64" else 1,
                     absolute=5e-14 if dtype == "f64" else tiny,
                     what=f"{op} {dtype}: judge against NumPy")
    fused = run_op(op, operands, dtype, out_dtype, graphs.FUSED, **attributes)
    if not is_float(out_dtype):
        assert_close(fused, judge, what=f"{op} {dtype}: host.fused")
    else:
        ulps, absolute = TOLERANCE[dtype]
        assert_close(fused, judge, ulps=ulps, absolute=absolute,
                     what=f"{op} {dtype}: host.fused against the judge")


#: dtype -> (ulps, absolute): one rounding of f32 arithmetic with math functions
#: of at most 8 ulps, and cancellation at magnitude 1 in the activations.
TOLERANCE = {"f64": (16, 1e-14), "f32": (32, 1e-6), "f16": (1, 1e-6),
             "bf16": (1, 1e-6), "e4m3": (1, 1e-6), "e5m2": (1, 1e-6)}


#: What `--quick` runs; the other element types are marked slow.
QUICK_DTYPES = ("f32", "bf16", "i32")


def cases():
    for op, row in ALL_OPS.items():
        for dtype in DTYPES:
            marks = [] if dtype in QUICK_DTYPES else [pytest.mark.slow]
            yield pytest.param(op, dtype, *row, id=f"{op}-{dtype}", marks=marks)


def inapplicable(op, dtype, takes_integers):
    """The rule by which (op, dtype) has no meaning, or None."""
    if dtype == "bool" and not (op in f.PREDICATES or op == "identity"):
        return "arithmetic on booleans has no compute type"
    if not is_float(dtype) and not takes_integers:
        return "needs a floating compute type"
    return None


@pytest.mark.parametrize(
    "op, dtype, arity, formula, takes_integers, exact, domain", cases())
def test_values(op, dtype, arity, formula, takes_integers, exact, domain):
    rule = inapplicable(op, dtype, takes_integers)
    if rule:
        for edge in VALUE_EDGES + SHAPE_EDGES:
            table.not_applicable(op, dtype, edge, rule)
        return
    rng = np.random.default_rng(sum(map(ord, op + dtype)))
    edges = VALUE_EDGES
    if not is_float(dtype):
        for edge in ("nan", "signed zero", "infinity"):
            table.not_applicable(op, dtype, edge, "integers have none")
        edges = ("plain", "range")
    operands = value_operands(rng, dtype, arity, domain)
    for edge in edges[:-1]:
        table.cells.setdefault((op, dtype, edge), (table.TESTED, ""))
    with table.cell(op, dtype, edges[-1]):
        check_op(op, operands, dtype, arity, formula, exact)


def shaped(rng, dtype, shape, domain):
    low, high = domain or (-4, 4)
    if is_float(dtype):
        return round_to(rng.uniform(low, high, shape), dtype)
    return convert(rng.integers(0, 2 if dtype == "bool" else 9, shape), dtype)


def strided(array):
    """The same elements as a transposed view with gaps."""
    room = np.zeros((array.shape[1], 2 * array.shape[0] + 3), array.dtype)
    view = room[:, 1:2 * array.shape[0]:2].T
    view[...] = array
    return view


@pytest.mark.parametrize("edge", SHAPE_EDGES)
@pytest.mark.parametrize(
    "op, dtype, arity, formula, takes_integers, exact, domain", cases())
def test_shapes(op, dtype, arity, formula, takes_integers, exact, domain, edge):
    if inapplicable(op, dtype, takes_integers):
        return
    if arity == 1 and edge == "broadcast of lower rank":
        table.not_applicable(op, dtype, edge, "one operand")
        return
    rng = np.random.default_rng(sum(map(ord, op + dtype + edge)))
    shapes = {"size 1": [(1, 1)] * 2, "size 0": [(0, 5)] * 2,
              "strided": [(9, 33)] * 2,
              "broadcast of lower rank": [(3, 1, 17), (4, 17)]}[edge]
    operands = [shaped(rng, dtype, s, domain) for s in shapes[:arity]]
    if edge == "strided":
        operands[0] = strided(operands[0])
    with table.cell(op, dtype, edge):
        check_op(op, operands, dtype, arity, formula, exact)


@pytest.mark.parametrize("engine", graphs.ENGINES)
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_gen_index(engine, axis):
    data = np.zeros((2, 3, 5), np.float32)
    graph = graphs.new_graph(compute="i32")
    x = graphs.declare(graph, data)
    out = graph.gen_index(x, axis).set_data_type(OPGRAPH["i32"])
    with table.cell("gen_index", "i32", "plain"):
        got, = graphs.run(graph, {x: data}, [out], engine)
        assert_close(got, np.indices(data.shape)[axis].astype(np.int32))


@pytest.mark.parametrize("engine", graphs.ENGINES)
@pytest.mark.parametrize("mask_dtype", ["bool", "i32", "i8", "f32"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_binary_select(engine, dtype, mask_dtype):
    rng = np.random.default_rng(5)
    a = shaped(rng, dtype, (4, 9), None)
    b = shaped(rng, dtype, (1, 9), None)
    mask = convert(rng.integers(-1 if mask_dtype != "bool" else 0, 2, (4, 9)),
                   mask_dtype)
    compute = compute_type(dtype) if dtype != "bool" else "i32"
    graph = graphs.new_graph(dtype, dtype, compute)
    ta, tb, tm = (graphs.declare(graph, x) for x in (a, b, mask))
    out = graph.binary_select(ta, tb, tm).set_data_type(OPGRAPH[dtype])
    with table.cell("binary_select", dtype, "plain"):
        got, = graphs.run(graph, {ta: a, tb: b, tm: mask}, [out], engine)
        assert_close(got, np.where(mask != 0, a, np.broadcast_to(b, a.shape)))


@pytest.mark.parametrize("engine", graphs.ENGINES)
@pytest.mark.parametrize("attributes", [
    dict(negative_slope=0.1), dict(lower_clip=-1.0), dict(upper_clip=2.0),
    dict(negative_slope=0.1, lower_clip=-1.0, upper_clip=2.0)])
@pytest.mark.parametrize("backward", [False, True])
def test_relu_attributes(engine, attributes, backward):
    x = np.linspace(-5, 5, 41, dtype=np.float32).reshape(1, 41)
    graph = graphs.new_graph()
    if backward:
        dy = np.linspace(1, 2, 41, dtype=np.float32).reshape(1, 41)
        td, tx = graphs.declare(graph, dy), graphs.declare(graph, x)
        out = graph.relu_backward(td, tx, **attributes)
        pack = {td: dy, tx: x}
        want = f.relu_backward(widen(dy), widen(x), **attributes)
    else:
        tx = graphs.declare(graph, x)
        out = graph.relu(tx, **attributes)
        pack = {tx: x}
        want = f.relu(widen(x), **attributes)
    got, = graphs.run(graph, pack, [out], engine)
    assert_close(got, round_to(want, "f32"), ulps=2, absolute=1e-7)


@pytest.mark.parametrize("engine", graphs.ENGINES)
def test_rounding_point_between_ops_survives(engine):
    """A bf16 intermediate rounds even where both ops fuse."""
    x = np.array([[1.0, 1.0 + 2 ** -8, 3.0, 1e-3]], np.float32)
    graph = graphs.new_graph("f32", "bf16", "f32")
    tx = graphs.declare(graph, x)
    mid = graph.add(tx, tx)
    out = graph.sub(mid, tx).set_data_type(OPGRAPH["f32"])
    got, = graphs.run(graph, {tx: x}, [out], engine)
    rounded = widen(round_to(widen(x) * 2, "bf16"))
    assert_close(got, round_to(rounded - widen(x), "f32"))


@pytest.mark.parametrize("engine", graphs.ENGINES)
@pytest.mark.parametrize("source", ["f32", "f64", "i32", "i64", "i8", "bool"])
@pytest.mark.parametrize("target", DTYPES)
def test_identity_converts(engine, source, target):
    if is_float(source):
        values = np.concatenate([specials(source), np.linspace(-300, 300, 50),
                                 [2.0 ** 31, -2.0 ** 31, 1e10, 448.5, 464.1,
                                  57344.0, 61440.0, 65519.0, 65520.0]])
        with np.errstate(all="ignore"):
            data = values.astype(NUMPY[source])
        compute = "f64" if source == "f64" else "f32"
    else:
        data = convert(specials(source), source)
        compute = "i64"
    data = data.reshape(1, -1)
    graph = graphs.new_graph(source, source, compute)
    tx = graphs.declare(graph, data)
    out = graph.identity(tx).set_data_type(OPGRAPH[target])
    with table.cell("identity", target, f"from {source}"):
        got, = graphs.run(graph, {tx: data}, [out], engine)
        assert_close(got, convert(widen(data), target))
