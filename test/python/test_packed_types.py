# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""4-bit elements, scales of powers of two and the 128x4 layout: conversions of
every code, layouts, views, guards, and what is refused."""

import ml_dtypes
import numpy as np
import opgraph
import pytest

T = opgraph.data_type
REFERENCE = 10000
FP4, INT4, E8M0 = T.FP4_E2M1, T.INT4, T.FP8_E8M0
F8_128x4 = opgraph.tensor_reordering.F8_128x4


def new_graph(compute=T.FLOAT, **more):
    return opgraph.pygraph(io_data_type=T.FLOAT, intermediate_data_type=T.FLOAT,
                           compute_data_type=compute, **more)


def strides_of(dims, order=None):
    """Packed strides; `order` lists axes from the slowest."""
    strides, step = [0] * len(dims), 1
    for axis in reversed(order or range(len(dims))):
        strides[axis] = step
        step *= dims[axis]
    return strides


def execute(graph, pack, outputs):
    for tensor in outputs:
        tensor.set_output(True)
    graph.create_execution_plan(REFERENCE)
    graph.build_plans()
    size = graph.get_workspace_size()
    graph.execute(pack, np.full(size, 0xFF, np.uint8) if size else None)


def cast(x, dim, stride, from_type, to_type, out, out_stride=None,
         compute=T.FLOAT):
    """One identity from `x` into the buffer `out`."""
    graph = new_graph(compute)
    tx = graph.tensor(dim=dim, stride=stride, data_type=from_type)
    ty = graph.identity(tx).set_data_type(to_type)
    if out_stride is not None:
        ty.set_dim(dim).set_stride(out_stride)
    execute(graph, {tx: x, ty: out}, [ty])
    return out


def codes_of(values, dtype):
    return np.asarray(values).astype(dtype).view(np.uint8)


# --- conversions --------------------------------------------------------------

def test_every_fp4_code_reads_as_its_value():
    codes = np.arange(16, dtype=np.uint8).reshape(2, 8)
    x = codes[:, 0::2] | codes[:, 1::2] << 4
    y = cast(x, [2, 8], [8, 1], FP4, T.FLOAT, np.empty((2, 8), np.float32))
    want = codes.view(ml_dtypes.float4_e2m1fn).astype(np.float32)
    np.testing.assert_array_equal(y.view(np.uint32), want.view(np.uint32))


def test_every_int4_code_reads_as_its_value():
    values = np.arange(-8, 8, dtype=np.int8).reshape(2, 8)
    x = opgraph.pack_int4(values)
    for dtype, numpy in ((T.INT8, np.int8), (T.INT64, np.int64),
                         (T.FLOAT, np.float32)):
        y = cast(x, [2, 8], [8, 1], INT4, dtype, np.empty((2, 8), numpy))
        np.testing.assert_array_equal(y, values.astype(numpy))


def test_every_scale_code_reads_as_its_value():
    x = np.arange(256, dtype=np.uint8)
    want = x.view(ml_dtypes.float8_e8m0fnu).astype(np.float64)
    y = cast(x, [256], [1], E8M0, T.FLOAT, np.empty(256, np.float32))
    np.testing.assert_array_equal(y.astype(np.float64), want)
    # And every one comes back.
    back = cast(y, [256], [1], T.FLOAT, E8M0, np.empty(256, np.uint8))
    np.testing.assert_array_equal(back, x)
    # An ml_dtypes array is a buffer, too.
    z = cast(x.view(ml_dtypes.float8_e8m0fnu), [256], [1], E8M0, T.DOUBLE,
             np.empty(256, np.float64), compute=T.DOUBLE)
    np.testing.assert_array_equal(z, want)


FP4_INPUTS = np.concatenate([
    [0.0, 0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0, 6.0, 7.0, 1e30, np.inf],
    *(np.nextafter([0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0], side)
      for side in (-np.inf, np.inf)), np.linspace(0, 8, 38)])


@pytest.mark.parametrize("source", [T.FLOAT, T.DOUBLE])
def test_fp4_rounds_to_nearest_even_and_saturates(source):
    numpy = np.float32 if source is T.FLOAT else np.float64
    x = np.concatenate([FP4_INPUTS, -FP4_INPUTS]).astype(numpy)
    y = cast(x, [x.size], [1], source, FP4, np.zeros(x.size // 2, np.uint8),
             compute=source)
    np.testing.assert_array_equal(y, opgraph.pack_fp4(x))
    # ml_dtypes rounds doubles twice, by way of f32.
    if source is T.FLOAT:
        np.testing.assert_array_equal(
            y, opgraph.pack_fp4(x.astype(ml_dtypes.float4_e2m1fn)))


def test_fp4_takes_nan_to_six():
    x = np.array([np.nan, -np.nan], np.float32)
    x.view(np.uint32)[1] |= 0x80000000
    y = cast(x, [2], [1], T.FLOAT, FP4, np.zeros(1, np.uint8))
    assert y[0] == 0x77
    assert opgraph.pack_fp4(x)[0] == 0x77


def test_scales_round_up():
    powers = np.ldexp(1.0, np.arange(-130, 129))
    x = np.concatenate([
        powers, np.nextafter(powers, np.inf), np.nextafter(powers, 0),
        powers * 1.5, -powers, [0.0, -0.0, np.inf, -np.inf, np.nan, 1e300,
                                5e-324, 1e-310]])
    y = cast(x, [x.size], [1], T.DOUBLE, E8M0, np.empty(x.size, np.uint8),
             compute=T.DOUBLE)
    with np.errstate(all="ignore"):
        want = np.clip(np.ceil(np.log2(np.where(x > 0, x, 1))), -127, 127) + 127
        # log2 rounds; the exponent does not.
        mantissa, exponent = np.frexp(np.where(x > 0, x, 1))
        up = np.where(mantissa == 0.5, exponent - 1, exponent)
        want = np.where(np.isinf(x), 254, np.clip(up, -127, 127) + 127)
    want = np.where(np.isnan(x), 255, np.where(x > 0, want, 0))
    np.testing.assert_array_equal(y, want.astype(np.uint8))


def test_scales_round_up_from_f32():
    bits = np.array([0, 1, 0x3FFFFF, 0x400000, 0x400001, 0x7FFFFF, 0x800000,
                     0x800001, 0x3F800000, 0x3F800001, 0x7EFFFFFF, 0x7F000000,
                     0x7F000001, 0x7F7FFFFF, 0x7F800000, 0x7FC00000], np.uint32)
    y = cast(bits.view(np.float32), [16], [1], T.FLOAT, E8M0,
             np.empty(16, np.uint8))
    assert y.tolist() == [0, 0, 0, 0, 1, 1, 1, 2, 127, 128, 254, 254, 254, 254,
                          254, 255]


def test_int4_saturates_from_floats_and_wraps_from_integers():
    x = np.array([-100, -9, -8.9, -8, -0.9, 0.9, 7, 7.9, 8, 1e30, np.inf,
                  -np.inf, np.nan, 3.5], np.float32)
    y = cast(x, [14], [1], T.FLOAT, INT4, np.zeros(7, np.uint8))
    assert opgraph.unpack_int4(y).tolist() == [
        -8, -8, -8, -8, 0, 0, 7, 7, 7, 7, 7, -8, 0, 3]
    whole = np.arange(-128, 128, dtype=np.int8)
    z = cast(whole, [256], [1], T.INT8, INT4, np.zeros(128, np.uint8),
             compute=T.INT32)
    want = ((whole.astype(int) & 15) ^ 8) - 8
    np.testing.assert_array_equal(opgraph.unpack_int4(z), want)
    back = cast(z, [256], [1], INT4, T.INT8, np.empty(256, np.int8))
    np.testing.assert_array_equal(back, want)


# --- layouts ------------------------------------------------------------------

def pack_at(values, dim, stride, encode, fill):
    """The bytes of a 4-bit operand with any strides, and which halves are its
    own."""
    span = 1 + sum((d - 1) * s for d, s in zip(dim, stride))
    halves = np.full((span + 1) // 2 * 2, fill, np.uint8)
    own = np.zeros(halves.size, bool)
    for index in np.ndindex(*dim):
        offset = sum(i * s for i, s in zip(index, stride))
        halves[offset] = encode(values[index])
        own[offset] = True
    return halves[0::2] | halves[1::2] << 4, own


LAYOUTS = {
    "row_major": ([3, 5, 6], [30, 6, 1]),
    "transposed": ([3, 6, 5], [30, 1, 6]),
    "channels_last": ([2, 4, 3, 5], [60, 1, 20, 4]),
    "padded": ([3, 4], [10, 1]),
    "gaps": ([2, 3, 4], [64, 12, 1]),
    "column": ([6, 1, 1], [1, 1, 1]),
    "one": ([1, 1], [1, 1]),
    "vector": ([2], [1]),
}


@pytest.mark.parametrize("dtype", [FP4, INT4])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_read(layout, dtype):
    dim, stride = LAYOUTS[layout]
    codes = np.random.default_rng(7).integers(0, 16, dim).astype(np.uint8)
    x, _ = pack_at(codes, dim, stride, int, fill=0xB)
    numpy = np.float32 if dtype is FP4 else np.int8
    y = cast(x, dim, stride, dtype, T.FLOAT if dtype is FP4 else T.INT8,
             np.empty(dim, numpy), strides_of(dim))
    want = (codes.view(ml_dtypes.float4_e2m1fn).astype(np.float32)
            if dtype is FP4 else ((codes.astype(np.int8) ^ 8) - 8))
    np.testing.assert_array_equal(y, want)


@pytest.mark.parametrize("dtype", [FP4, INT4])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts_written_leave_other_halves_alone(layout, dtype):
    dim, stride = LAYOUTS[layout]
    values = np.random.default_rng(3).integers(-6, 7, dim)
    encode = (lambda v: codes_of(float(v), ml_dtypes.float4_e2m1fn) & 15
              ) if dtype is FP4 else (lambda v: int(v) & 15)
    want, own = pack_at(values, dim, stride, encode, fill=0x9)
    guarded = np.full(want.size + 16, 0x99, np.uint8)
    out = guarded[8:8 + want.size]
    graph = new_graph()
    tx = graph.tensor(dim=dim, stride=strides_of(dim), data_type=T.FLOAT)
    ty = graph.identity(tx).set_data_type(dtype).set_dim(dim)
    ty.set_stride(stride).set_alignment(1)
    # A bare address: the layout has halves of bytes between its elements.
    execute(graph, {tx: values.astype(np.float32), ty: out.ctypes.data}, [ty])
    assert (guarded[:8] == 0x99).all() and (guarded[-8:] == 0x99).all()
    halves = np.stack([out & 15, out >> 4], -1).reshape(-1)
    expected = np.stack([want & 15, want >> 4], -1).reshape(-1)
    np.testing.assert_array_equal(halves[own], expected[own])
    # With poison on, a dense output's last byte is the plan's to fill; halves
    # between elements never are.
    np.testing.assert_array_equal(halves[~own], 9)


def test_rows_of_bytes_keep_their_own_strides():
    values = np.arange(24).reshape(3, 8) % 7
    rows = np.full((3, 10), 0x99, np.uint8)
    rows[:, :4] = opgraph.pack_fp4(values)
    y = cast(rows[:, :4], [3, 8], [8, 1], FP4, T.FLOAT,
             np.empty((3, 8), np.float32))
    np.testing.assert_array_equal(y, opgraph.unpack_fp4(rows[:, :4]))
    out = np.full((3, 10), 0x99, np.uint8)
    cast(y, [3, 8], [8, 1], T.FLOAT, FP4, out[:, :4])
    np.testing.assert_array_equal(out, rows)


@pytest.mark.parametrize("shape", [(12,), (3, 4), (1, 12), (4, 3), (20,)])
def test_any_dense_buffer_of_enough_bytes(shape):
    x = np.zeros(shape, np.uint8)
    x.reshape(-1)[:12] = opgraph.pack_fp4(np.arange(24) % 7)
    y = cast(x, [3, 8], [8, 1], FP4, T.FLOAT, np.empty((3, 8), np.float32))
    want = opgraph.unpack_fp4(x.reshape(-1)[:12]).reshape(3, 8)
    np.testing.assert_array_equal(y, want)


def test_in_place():
    x = opgraph.pack_int4(np.arange(-8, 8))
    graph = new_graph(T.INT32)
    tx = graph.tensor(dim=[16], stride=[1], data_type=INT4)
    ty = graph.neg(tx).set_data_type(INT4)
    execute(graph, {tx: x, ty: x}, [ty])
    want = -np.arange(-8, 8)
    want[0] = -8
    assert opgraph.unpack_int4(x).tolist() == want.tolist()


def test_arithmetic_through_temporaries():
    rng = np.random.default_rng(5)
    a = opgraph.pack_fp4(rng.normal(size=(4, 6)))
    b = opgraph.pack_int4(rng.integers(-8, 8, (4, 6)))
    graph = new_graph()
    ta = graph.tensor(dim=[4, 6], stride=[6, 1], data_type=FP4)
    tb = graph.tensor(dim=[4, 6], stride=[6, 1], data_type=INT4)
    product = graph.mul(ta, tb).set_data_type(FP4)
    total = graph.add(product, tb).set_data_type(FP4)
    out = np.zeros((4, 3), np.uint8)
    execute(graph, {ta: a, tb: b, total: out}, [total])
    once = opgraph.unpack_fp4(a) * opgraph.unpack_int4(b)
    middle = once.astype(ml_dtypes.float4_e2m1fn).astype(np.float32)
    np.testing.assert_array_equal(
        out, opgraph.pack_fp4(middle + opgraph.unpack_int4(b)))


def test_views():
    codes = np.random.default_rng(11).integers(0, 16, (4, 12)).astype(np.uint8)
    x = codes[:, 0::2] | codes[:, 1::2] << 4

    def run(build, dims, stride=None):
        graph = new_graph()
        tx = graph.tensor(dim=[4, 12], stride=[12, 1], data_type=INT4)
        ty = build(graph, tx).set_data_type(INT4)
        if stride:
            ty.set_dim(dims).set_stride(stride)
        out = np.zeros(int(np.prod(dims)) // 2, np.uint8)
        execute(graph, {tx: x, ty: out}, [ty])
        return np.stack([out & 15, out >> 4], -1).reshape(-1)

    got = run(lambda g, t: g.slice(t, [slice(1, 3), slice(3, 9)]), [2, 6],
              [6, 1])
    np.testing.assert_array_equal(got, codes[1:3, 3:9].reshape(-1))
    got = run(lambda g, t: g.slice(t, [slice(0, 4), slice(1, 12, 3)]), [4, 4])
    np.testing.assert_array_equal(got, codes[:, 1::3].reshape(-1))
    got = run(lambda g, t: g.slice(t, [slice(0, 4), slice(5, 6)]), [4, 1])
    np.testing.assert_array_equal(got, codes[:, 5])
    got = run(lambda g, t: g.reshape(t, opgraph.reshape_mode.VIEW_ONLY),
              [2, 24], [24, 1])
    np.testing.assert_array_equal(got, codes.reshape(-1))
    got = run(lambda g, t: g.reshape(t, opgraph.reshape_mode.VIEW_ONLY),
              [12, 4], [1, 12])
    np.testing.assert_array_equal(got, codes.reshape(-1))
    got = run(lambda g, t: g.transpose(t, [1, 0]), [12, 4], [4, 1])
    np.testing.assert_array_equal(got, codes.T.reshape(-1))


def test_concatenate():
    a, b = np.arange(16).reshape(4, 4) % 7, np.arange(8).reshape(4, 2) - 4
    graph = new_graph()
    ta = graph.tensor(dim=[4, 4], stride=[4, 1], data_type=INT4)
    tb = graph.tensor(dim=[4, 2], stride=[2, 1], data_type=INT4)
    ty = graph.concatenate([ta, tb], 1).set_data_type(INT4)
    out = np.zeros((4, 3), np.uint8)
    execute(graph, {ta: opgraph.pack_int4(a), tb: opgraph.pack_int4(b),
                    ty: out}, [ty])
    np.testing.assert_array_equal(opgraph.unpack_int4(out),
                                  np.concatenate([a, b], 1))


def test_matmul_of_packed_operands():
    rng = np.random.default_rng(2)
    a, b = rng.integers(-8, 8, (3, 4)), rng.integers(-8, 8, (4, 5))
    graph = new_graph()
    ta = graph.tensor(dim=[1, 3, 4], stride=[12, 4, 1], data_type=INT4)
    # K is the axis of stride 1 of both.
    tb = graph.tensor(dim=[1, 4, 5], stride=[20, 1, 4], data_type=INT4)
    tc = graph.matmul(ta, tb).set_data_type(T.FLOAT)
    out = np.empty((1, 3, 5), np.float32)
    execute(graph, {ta: opgraph.pack_int4(a),
                    tb: opgraph.pack_int4(b.T.copy()), tc: out}, [tc])
    np.testing.assert_array_equal(out[0], a @ b)


@pytest.mark.parametrize("override", [False, True])
def test_dynamic_extents(override):
    """The axis that bytes cut stays as declared; others vary."""
    graph = new_graph(is_override_shape_enabled=override)
    tx = graph.tensor(dim=[2, 8], stride=[8, 1], data_type=FP4)
    ty = graph.identity(tx).set_data_type(T.FLOAT)
    ty.set_output(True)
    graph.create_execution_plan(REFERENCE)
    graph.build_plans()
    rows = 5 if override else 2
    x = opgraph.pack_fp4(np.arange(8 * rows).reshape(rows, 8) % 7)
    y = np.empty((rows, 8), np.float32)
    more = {"override_uids": [tx.get_uid(), ty.get_uid()],
            "override_shapes": [[rows, 8]] * 2,
            "override_strides": [[8, 1]] * 2} if override else {}
    graph.execute({tx: x, ty: y}, None, **more)
    np.testing.assert_array_equal(y, opgraph.unpack_fp4(x))


def test_symbolic_extents():
    graph = opgraph.parse("""
        graph.graph @g(%x: tensor<?x8xi4, #graph.layout<symbols = ["M", ""]>>
                           {graph.uid = 1 : i64, graph.name = "codes"})
            -> (tensor<8x?xf32, #graph.layout<symbols = ["", "M"]>>
                    {graph.uid = 2 : i64}) {
          %0 = graph.transpose %x [1, 0]
              : (tensor<?x8xi4, #graph.layout<symbols = ["M", ""]>>)
              -> tensor<8x?xi4, #graph.layout<order = [1, 0], symbols = ["", "M"]>>
          %1 = graph.identity %0
              : (tensor<8x?xi4, #graph.layout<order = [1, 0], symbols = ["", "M"]>>)
              -> tensor<8x?xf32, #graph.layout<symbols = ["", "M"]>>
          graph.return %1 : tensor<8x?xf32, #graph.layout<symbols = ["", "M"]>>
        }""")
    graph.create_execution_plan(REFERENCE)
    graph.build_plans()
    for rows in (0, 1, 3):
        values = np.arange(8 * rows).reshape(rows, 8) % 16 - 8
        x, y = opgraph.pack_int4(values), np.empty((8, rows), np.float32)
        graph.execute({1: x, 2: y}, np.zeros(4096, np.uint8))
        np.testing.assert_array_equal(y, values.T)
    with pytest.raises(ValueError, match="codes"):
        graph.execute({1: np.zeros((3, 3), np.uint8),
                       2: np.empty((8, 3), np.float32)},
                      np.zeros(4096, np.uint8))


class Pairs:
    """A framework's array of pairs of FP4_E2M1, as torch has them."""

    dtype = "torch.float4_e2m1fn_x2"

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **keywords):
        return self.array.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_tensor_like_pairs():
    graph = new_graph()
    x = Pairs(opgraph.pack_fp4(np.arange(24).reshape(4, 6) % 7))
    tx = graph.tensor_like(x)
    assert tx.get_data_type() is FP4
    assert tx.get_dim() == [4, 6] and tx.get_stride() == [6, 1]
    ty = graph.identity(tx).set_data_type(T.FLOAT)
    y = np.empty((4, 6), np.float32)
    execute(graph, {tx: x, ty: y}, [ty])
    np.testing.assert_array_equal(y, opgraph.unpack_fp4(x.array))
    swapped = Pairs(np.zeros((6, 2), np.uint8).T)
    tx = new_graph().tensor_like(swapped)
    assert tx.get_dim() == [4, 6] and tx.get_stride() == [1, 4]


# --- scales in tiles of 128x4 ---------------------------------------------------

SCALE_SHAPES = [([128, 4], False), ([256, 12], False), ([2, 3, 128, 8], False),
                ([4, 128], True), ([3, 8, 256], True)]


def scale_offset(row, column, columns):
    tile = (row // 128) * (columns // 4) + column // 4
    return tile * 512 + (row % 32) * 16 + (row // 32 % 4) * 4 + column % 4


@pytest.mark.parametrize("dtype", [E8M0, T.FP8_E4M3, T.INT8])
@pytest.mark.parametrize("dim,transpose", SCALE_SHAPES)
def test_scale_layout(dim, transpose, dtype):
    order = list(range(len(dim)))
    if transpose:
        order[-2:] = order[:-3:-1]
    stride = strides_of(dim, order)
    codes = np.random.default_rng(1).integers(0, 127, dim).astype(np.uint8)
    packed = opgraph.pack_scale_128x4(codes, transpose)
    assert list(packed.strides) == stride and list(packed.shape) == dim
    # By the formula, apart from the helper.
    logical = np.swapaxes(codes, -1, -2) if transpose else codes
    rows, columns = logical.shape[-2:]
    memory = (np.swapaxes(packed, -1, -2) if transpose else packed).reshape(
        -1, rows * columns)
    flat = logical.reshape(-1, rows, columns)
    for row in range(rows):
        for column in range(columns):
            offset = scale_offset(row, column, columns)
            assert (memory[:, offset] == flat[:, row, column]).all()

    def identity(x, out, x_tiled, y_tiled):
        graph = new_graph(T.INT32 if dtype is T.INT8 else T.FLOAT)
        tx = graph.tensor(dim=dim, stride=stride, data_type=dtype)
        ty = graph.identity(tx).set_data_type(dtype).set_dim(dim)
        ty.set_stride(stride)
        if x_tiled:
            tx.set_reordering_type(F8_128x4)
        if y_tiled:
            ty.set_reordering_type(F8_128x4)
        execute(graph, {tx: x, ty: out}, [ty])
        return out

    plain = np.empty_like(packed)
    plain[...] = codes
    got = identity(packed, np.zeros_like(packed), True, False)
    np.testing.assert_array_equal(got, codes)
    got = identity(plain, np.zeros_like(packed), False, True)
    np.testing.assert_array_equal(got, packed)
    got = identity(packed, np.zeros_like(packed), True, True)
    np.testing.assert_array_equal(got, packed)
    # A blob of any extents.
    blob = np.ascontiguousarray(
        np.swapaxes(packed, -1, -2) if transpose else packed).reshape(-1)
    got = identity(blob, np.zeros_like(packed), True, False)
    np.testing.assert_array_equal(got, codes)


def test_row_major_strides_of_which_only_the_transposed_reading_fits():
    """Scales along the first of the two axes, as the peers' programs declare
    them."""
    codes = np.random.default_rng(8).integers(0, 255, (2, 8, 128))
    codes = codes.astype(np.uint8)
    blob = np.swapaxes(opgraph.pack_scale_128x4(codes, transpose=True), -1, -2)
    graph = new_graph()
    tx = graph.tensor(dim=[2, 8, 128], stride=[1024, 128, 1], data_type=E8M0)
    tx.set_reordering_type(F8_128x4)
    ty = graph.identity(tx).set_data_type(T.FLOAT)
    ty.set_dim([2, 8, 128]).set_stride([1024, 128, 1])
    y = np.empty((2, 8, 128), np.float32)
    execute(graph, {tx: blob, ty: y}, [ty])
    np.testing.assert_array_equal(
        y, codes.view(ml_dtypes.float8_e8m0fnu).astype(np.float32))


def test_scale_batches_keep_their_strides():
    codes = np.random.default_rng(4).integers(0, 255, (2, 128, 4))
    codes = codes.astype(np.uint8)
    x = np.full((2, 256, 4), 0x55, np.uint8)
    x[:, :128] = opgraph.pack_scale_128x4(codes)
    graph = new_graph()
    tx = graph.tensor(dim=[2, 128, 4], stride=[1024, 4, 1], data_type=E8M0)
    tx.set_reordering_type(F8_128x4)
    ty = graph.identity(tx).set_data_type(T.FLOAT)
    ty.set_dim([2, 128, 4]).set_stride([512, 4, 1])
    y = np.empty((2, 128, 4), np.float32)
    execute(graph, {tx: x[:, :128], ty: y}, [ty])
    np.testing.assert_array_equal(
        y, codes.view(ml_dtypes.float8_e8m0fnu).astype(np.float32))


# --- helpers --------------------------------------------------------------------

@pytest.mark.parametrize("axis", [0, 1, -1])
def test_pack_axes(axis):
    values = np.arange(-8, 8).reshape(4, 4)
    for pack, unpack in ((opgraph.pack_int4, opgraph.unpack_int4),
                         (opgraph.pack_fp4, opgraph.unpack_fp4)):
        packed = pack(values, axis)
        assert packed.dtype == np.uint8 and packed.shape[axis] == 2
        want = values if pack is opgraph.pack_int4 else values.astype(
            ml_dtypes.float4_e2m1fn).astype(np.float32)
        np.testing.assert_array_equal(unpack(packed, axis), want)


def test_pack_ml_dtypes():
    values = np.arange(-8, 8)
    fp4 = values.astype(ml_dtypes.float4_e2m1fn)
    np.testing.assert_array_equal(opgraph.pack_fp4(fp4),
                                  opgraph.pack_fp4(values))
    int4 = values.astype(ml_dtypes.int4)
    np.testing.assert_array_equal(opgraph.pack_int4(int4),
                                  opgraph.pack_int4(values))


def test_pack_scales_pads():
    scale = np.arange(1, 131 * 5 + 1).reshape(131, 5).astype(
        np.uint8).view(ml_dtypes.float8_e8m0fnu)
    packed = opgraph.pack_scale_128x4(scale)
    assert packed.shape == (256, 8) and packed.dtype == scale.dtype
    padded = opgraph.unpack_scale_128x4(packed)
    assert not padded.view(np.uint8)[131:].any()
    assert not padded.view(np.uint8)[:, 5:].any()
    back = opgraph.unpack_scale_128x4(packed, rows=131, columns=5)
    np.testing.assert_array_equal(back.view(np.uint8), scale.view(np.uint8))


@pytest.mark.parametrize("call,text", [
    (lambda: opgraph.pack_fp4(np.zeros((2, 3))), "even extent along axis -1"),
    (lambda: opgraph.pack_fp4(np.zeros((2, 3)), 5), "expected axis in"),
    (lambda: opgraph.pack_fp4(1.0), "got a scalar"),
    (lambda: opgraph.pack_int4(np.array([8, 0])), "values from -8 to 7, got"),
    (lambda: opgraph.pack_int4(np.zeros(2)), "expected an integer dtype"),
    (lambda: opgraph.unpack_fp4(np.zeros(2)), "expected an array of bytes"),
    (lambda: opgraph.pack_scale_128x4(np.zeros((2, 2))), "one byte"),
    (lambda: opgraph.pack_scale_128x4(np.zeros(2, np.uint8)), "rank of at le"),
    (lambda: opgraph.unpack_scale_128x4(np.zeros((4, 128), np.uint8)),
     "multiple of 128 rows"),
])
def test_helpers_refuse(call, text):
    with pytest.raises(ValueError, match=text):
        call()


# --- what is refused --------------------------------------------------------------

@pytest.mark.parametrize("dim,stride,text", [
    ([4, 5], [5, 1], "extent of axis 1.*known and even, got 5"),
    ([5, 4], [1, 5], "extent of axis 0.*known and even, got 5"),
    ([4, 8], [9, 1], r"stride of axis 0 \(extent 4\).*even.*got 9"),
    ([4, 8], [16, 2], "axis of stride 1"),
])
@pytest.mark.parametrize("port", ["input", "output"])
def test_odd_layouts_are_refused(dim, stride, text, port):
    graph = new_graph()
    tx = graph.tensor(dim=dim, stride=strides_of(dim), data_type=T.FLOAT)
    if port == "input":
        tx = graph.tensor(dim=dim, stride=stride, data_type=FP4, name="codes")
    ty = graph.identity(tx)
    ty.set_data_type(T.FLOAT if port == "input" else FP4).set_output(True)
    if port == "output":
        ty.set_dim(dim).set_stride(stride).set_name("codes")
    with pytest.raises(RuntimeError, match="codes.*" + text):
        graph.validate()


@pytest.mark.parametrize("dim,stride,dtype,text", [
    ([128, 6], [6, 1], E8M0, "multiple of 4 columns"),
    ([64, 4], [4, 1], E8M0, "multiple of 128 rows on axis 0, got 64"),
    ([128, 4], [8, 1], E8M0, "strides 1 and 4 on axes 1 and 0.*got 1 and 8"),
    ([4, 128], [256, 1], E8M0, "strides 1 and 128.*got 1 and 256"),
    ([128], [1], E8M0, "rank of at least 2"),
    ([128, 4], [4, 1], T.HALF, "elements of 8 bits"),
])
def test_wrong_scale_layouts_are_refused(dim, stride, dtype, text):
    graph = new_graph()
    tx = graph.tensor(dim=dim, stride=stride, data_type=dtype, name="scales",
                      reordering_type=F8_128x4)
    graph.identity(tx).set_output(True)
    with pytest.raises(RuntimeError, match="scales.*" + text):
        graph.validate()


def built(dtype, dim=(4, 8)):
    graph = new_graph()
    tx = graph.tensor(dim=list(dim), data_type=dtype, name="codes")
    ty = graph.identity(tx).set_data_type(T.FLOAT).set_output(True)
    graph.create_execution_plan(REFERENCE)
    graph.build_plans()
    return graph, tx, ty


@pytest.mark.parametrize("dtype,array,helper", [
    (FP4, np.zeros((4, 8), ml_dtypes.float4_e2m1fn), "opgraph.pack_fp4"),
    (INT4, np.zeros((4, 8), ml_dtypes.int4), "opgraph.pack_int4"),
])
def test_one_element_per_byte_is_refused_with_a_hint(dtype, array, helper):
    graph, tx, ty = built(dtype)
    with pytest.raises(ValueError, match="one element per byte.*" + helper):
        graph.execute({tx: array, ty: np.empty((4, 8), np.float32)}, None)


def test_small_and_scattered_buffers_are_refused():
    graph, tx, ty = built(FP4)
    y = np.empty((4, 8), np.float32)
    with pytest.raises(ValueError, match="'codes'.*15 bytes.*16 bytes"):
        graph.execute({tx: np.zeros(15, np.uint8), ty: y}, None)
    with pytest.raises(ValueError, match="'codes'.*dense"):
        graph.execute({tx: np.zeros((4, 8), np.uint8)[:, ::2], ty: y}, None)


def test_host_fused_declines():
    for dtype, reordering in ((FP4, None), (INT4, None), (E8M0, None),
                              (T.INT8, F8_128x4)):
        graph = new_graph()
        tx = graph.tensor(dim=[128, 4], data_type=dtype, name="x")
        if reordering:
            tx.set_reordering_type(reordering)
        graph.identity(tx).set_data_type(T.FLOAT).set_output(True)
        with pytest.raises(opgraph.cudnnGraphNotSupportedError):
            graph.create_execution_plan(10100)


def test_by_value_and_constants():
    graph = new_graph()
    tx = graph.tensor(dim=[1], stride=[1], data_type=FP4,
                      is_pass_by_value=True)
    graph.identity(tx).set_output(True)
    with pytest.raises(RuntimeError, match="at least a byte"):
        graph.validate()
    for dtype, value in ((FP4, -1.5), (INT4, -8), (E8M0, 0.25),
                         (E8M0, float("nan"))):
        graph = new_graph()
        tx = graph.tensor(dim=[4], stride=[1], data_type=T.FLOAT)
        scalar = graph.tensor_scalar(
            value, opgraph.scalar_type.COMPILE_TIME_CONST)
        ty = graph.mul(tx, scalar.set_data_type(dtype))
        y = np.empty(4, np.float32)
        execute(graph, {tx: np.ones(4, np.float32), ty: y}, [ty])
        np.testing.assert_array_equal(y, np.full(4, value, np.float32))


CONSTANT = opgraph.scalar_type.COMPILE_TIME_CONST
#: No by-value operand is narrower than a byte.
BY_VALUE = opgraph.scalar_type.RUNTIME_PARAM


@pytest.mark.parametrize("dtype,value,kind", [
    (FP4, 7.0, CONSTANT), (FP4, 0.3, CONSTANT), (FP4, float("nan"), CONSTANT),
    (INT4, 8, CONSTANT), (INT4, -9, CONSTANT),
    *((E8M0, value, kind) for kind in (CONSTANT, BY_VALUE)
      for value in (3.0, 0.0, -1.0, float("inf")))])
def test_scalars_that_no_element_is(dtype, value, kind):
    graph = new_graph()
    tx = graph.tensor(dim=[4], stride=[1], data_type=T.FLOAT)
    scalar = graph.tensor_scalar(value, kind).set_data_type(dtype)
    graph.mul(tx, scalar).set_output(True)
    with pytest.raises(RuntimeError, match="to fit " + dtype.name):
        graph.validate()


@pytest.mark.parametrize("dtype,tiled", [(FP4, False), (T.FP8_E4M3, True)])
def test_ragged_rows_need_whole_bytes_at_their_strides(dtype, tiled):
    dim, stride = [2, 1, 128, 8], [1024, 1024, 8, 1]
    graph = new_graph()
    q, k, v = (graph.tensor(dim=dim, stride=stride, data_type=T.FLOAT)
               for _ in range(3))
    offsets = graph.tensor(dim=[3, 1, 1, 1], data_type=T.INT32)
    lengths = graph.tensor(dim=[2, 1, 1, 1], data_type=T.INT32)
    o, _ = graph.sdpa(q=q, k=k, v=v, is_inference=True, use_padding_mask=True,
                      seq_len_q=lengths, seq_len_kv=lengths)
    o.set_output(True).set_dim(dim).set_stride(stride).set_data_type(dtype)
    o.set_ragged_offset(offsets)
    if tiled:
        o.set_reordering_type(F8_128x4)
    with pytest.raises(opgraph.Error, match="ragged_offset_o.*whole bytes"):
        graph.validate()


def test_text_round_trip():
    graph, tx, ty = built(INT4)
    text = str(graph)
    assert "xi4" in text
    again = opgraph.parse(text)
    again.create_execution_plan(REFERENCE)
    again.build_plans()
    x = opgraph.pack_int4(np.arange(32).reshape(4, 8) % 16 - 8)
    y = np.empty((4, 8), np.float32)
    again.execute({tx.get_uid(): x, ty.get_uid(): y}, None)
    np.testing.assert_array_equal(y, opgraph.unpack_int4(x))
