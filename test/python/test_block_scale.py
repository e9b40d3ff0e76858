# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Block scaling in Python: programs as the peers write them, signatures, what
is inferred, and what is raised at which step. Values over all formats are the
conformance suite's."""

import ml_dtypes
import numpy as np
import opgraph as cudnn
import pytest

T = cudnn.data_type
F8_128x4 = cudnn.tensor_reordering.F8_128x4
NOT_SUPPORTED = cudnn.cudnnGraphNotSupportedError


def new_graph():
    return cudnn.pygraph(io_data_type=T.FLOAT, intermediate_data_type=T.FLOAT,
                         compute_data_type=T.FLOAT)


def build(graph, pack, engine=None):
    graph.validate()
    if engine is None:
        graph.build_operation_graph()
        graph.create_execution_plans([cudnn.heur_mode.A,
                                      cudnn.heur_mode.FALLBACK])
        graph.check_support()
    else:
        graph.create_execution_plan(engine)
    graph.build_plans()
    graph.execute(pack, np.empty(max(graph.get_workspace_size(), 1), np.uint8))


# --- programs -----------------------------------------------------------------

def blocks(values, block, axis):
    """amax of each block of float64 `values`."""
    cut = np.split(values, range(block, values.shape[axis], block), axis)
    return np.concatenate([np.max(np.abs(c), axis, keepdims=True) for c in cut],
                          axis)


def quantise(values, block, axis, dtype, scale_dtype):
    """(elements, scales, their product), made with NumPy."""
    largest = float(ml_dtypes.finfo(dtype).max)
    scale = blocks(values, block, axis) / largest
    if scale_dtype == ml_dtypes.float8_e8m0fnu:
        scale = np.exp2(np.ceil(np.log2(scale)))
    scale = scale.astype(scale_dtype)
    wide = np.repeat(scale.astype(np.float64), block, axis)
    wide = np.take(wide, range(values.shape[axis]), axis)
    elements = np.clip(values / wide, -largest, largest).astype(dtype)
    return elements, scale, elements.astype(np.float64) * wide


FORMATS = {"MXFP8": (ml_dtypes.float8_e4m3fn, 32, ml_dtypes.float8_e8m0fnu),
           "MXFP4": (ml_dtypes.float4_e2m1fn, 32, ml_dtypes.float8_e8m0fnu),
           "NVFP4": (ml_dtypes.float4_e2m1fn, 16, ml_dtypes.float8_e4m3fn)}
TYPES = {ml_dtypes.float8_e4m3fn: T.FP8_E4M3,
         ml_dtypes.float4_e2m1fn: T.FP4_E2M1,
         ml_dtypes.float8_e8m0fnu: T.FP8_E8M0}


def up(extent, multiple):
    return -(-extent // multiple) * multiple


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("m, k, n", [(6, 64, 10), (130, 96, 34)])
def test_block_scaled_matmul(name, m, k, n):
    """Two dequantised operands, scales in tiles, a matmul and a swish."""
    dtype, block, scale_dtype = FORMATS[name]
    rng = np.random.default_rng(m)
    a, sa, wide_a = quantise(rng.normal(size=(1, m, k)), block, 2, dtype,
                             scale_dtype)
    b, sb, wide_b = quantise(rng.normal(size=(1, k, n)), block, 1, dtype,
                             scale_dtype)
    # B is column-major: its packed axis is k.
    b = np.ascontiguousarray(np.swapaxes(b, 1, 2))
    if dtype is ml_dtypes.float4_e2m1fn:
        a, b = cudnn.pack_fp4(a), cudnn.pack_fp4(b)

    graph = new_graph()
    ta = graph.tensor(name="A", dim=[1, m, k], stride=[m * k, k, 1],
                      data_type=TYPES[dtype])
    tb = graph.tensor(name="B", dim=[1, k, n], stride=[k * n, 1, k],
                      data_type=TYPES[dtype])
    rows, columns, scales = up(m, 128), up(n, 128), up(-(-k // block), 4)
    tsa = graph.tensor(name="SFA", dim=[1, rows, scales],
                       stride=[rows * scales, scales, 1],
                       data_type=TYPES[scale_dtype], reordering_type=F8_128x4)
    tsb = graph.tensor(name="SFB", dim=[1, scales, columns],
                       stride=[columns * scales, 1, scales],
                       data_type=TYPES[scale_dtype], reordering_type=F8_128x4)
    da = graph.block_scale_dequantize(ta, tsa, block_size=[1, block])
    db = graph.block_scale_dequantize(tb, tsb, block_size=[block, 1])
    c = graph.matmul(da, db)
    y = graph.swish(c)
    for result in (c, y):
        result.set_output(True).set_data_type(T.FLOAT)
    got_c, got_y = (np.empty((1, m, n), np.float32) for _ in range(2))
    build(graph, {ta: a, tb: b, tsa: cudnn.pack_scale_128x4(sa),
                  tsb: cudnn.pack_scale_128x4(sb, transpose=True),
                  c: got_c, y: got_y})
    want = wide_a @ wide_b
    np.testing.assert_allclose(got_c, want, rtol=1e-6,
                               atol=1e-6 * np.abs(want).max())
    np.testing.assert_allclose(got_y, want / (1 + np.exp(-want)), rtol=1e-5,
                               atol=1e-6 * np.abs(want).max())


def test_norm_then_quantise():
    """rmsnorm + MXFP8 quantization, scales in tiles."""
    graph = new_graph()
    x = np.random.default_rng(0).normal(size=(1, 40, 64)).astype(np.float32)
    gamma = np.ones((1, 1, 64), np.float32)
    tx, tg = graph.tensor_like(x), graph.tensor_like(gamma)
    epsilon = graph.tensor_scalar(1e-5, cudnn.scalar_type.COMPILE_TIME_CONST)
    normed, _ = graph.rmsnorm(
        tx, tg, epsilon=epsilon,
        norm_forward_phase=cudnn.norm_forward_phase.INFERENCE)
    y, scale = graph.block_scale_quantize(normed, block_size=32, axis=2)
    y.set_output(True).set_data_type(T.FP8_E4M3)
    scale.set_output(True).set_data_type(T.FP8_E8M0)
    scale.set_reordering_type(F8_128x4)
    got = np.empty((1, 40, 64), ml_dtypes.float8_e4m3fn)
    got_scale = np.full((1, 128, 4), 0xA5, np.uint8)
    build(graph, {tx: x, tg: gamma, y: got, scale: got_scale})
    assert scale.get_dim() == [1, 128, 4]
    scales = cudnn.unpack_scale_128x4(
        got_scale.view(ml_dtypes.float8_e8m0fnu), 40, 2)
    back = got.astype(np.float64) * np.repeat(scales.astype(np.float64), 32, 2)
    want = x / np.sqrt(np.mean(np.square(x, dtype=np.float64), 2,
                               keepdims=True) + 1e-5)
    # Half a unit of three mantissa bits of values up to 448 scales.
    limit = np.maximum(np.abs(want) / 16, np.repeat(scales.astype(np.float64),
                                                    32, 2) / 1024) + 1e-6
    assert (np.abs(back - want) <= limit).all()
    assert (cudnn.unpack_scale_128x4(got_scale)[:, 40:] == 0).all()


def test_fp8_matmul():
    graph = new_graph()
    rng = np.random.default_rng(1)
    a, b = (rng.normal(size=s).astype(ml_dtypes.float8_e4m3fn)
            for s in ((2, 8, 16), (2, 16, 4)))
    ta = graph.tensor(dim=[2, 8, 16], data_type=T.FP8_E4M3)
    tb = graph.tensor(dim=[2, 16, 4], data_type=T.FP8_E4M3)
    scalars = [np.full((1, 1, 1), s, np.float32) for s in (0.5, 2.0, 4.0)]
    tensors = [graph.tensor_like(s) for s in scalars]
    c, amax = graph.matmul_fp8(ta, tb, *tensors)
    assert [t.get_name().split("::")[-1] for t in (c, amax)] == ["C", "Amax_C"]
    c.set_output(True).set_data_type(T.FP8_E4M3)
    amax.set_output(True)
    got, got_amax = (np.empty((2, 8, 4), ml_dtypes.float8_e4m3fn),
                     np.empty((1, 1, 1), np.float32))
    build(graph, {ta: a, tb: b, c: got, amax: got_amax,
                  **dict(zip(tensors, scalars))})
    acc = a.astype(np.float64) @ b.astype(np.float64)
    np.testing.assert_array_equal(
        got.astype(np.float64),
        (acc * 4).astype(ml_dtypes.float8_e4m3fn).astype(np.float64))
    np.testing.assert_allclose(got_amax.item(), np.abs(acc).max(), rtol=1e-7)
    assert amax.get_dim() == [1, 1, 1] and amax.get_data_type() is T.FLOAT


# --- signatures and inference -------------------------------------------------

def quantised(graph, *arguments, dim=(1, 128, 128), **keywords):
    x = graph.tensor(dim=list(dim), data_type=T.FLOAT)
    y, scale = graph.block_scale_quantize(x, *arguments, **keywords)
    y.set_data_type(T.FP8_E4M3).set_output(True)
    scale.set_data_type(T.FP8_E8M0).set_output(True)
    return y, scale


@pytest.mark.parametrize("arguments, keywords, scale_dim, y_stride", [
    ((), {"block_size": 32, "axis": 2}, [1, 128, 4], [16384, 128, 1]),
    ((), {"block_size": 32}, [1, 128, 4], [16384, 128, 1]),
    ((None, 32, -2), {}, [1, 4, 128], [16384, 128, 1]),
    ((None, 32, 1, True), {}, [1, 4, 128], [16384, 1, 128]),
    ((32, 1, True), {}, [1, 4, 128], [16384, 1, 128]),
    ((32,), {"axis": 1}, [1, 4, 128], [16384, 128, 1]),
    ((), {"block_size": 30}, [1, 128, 5], [16384, 128, 1])])
def test_quantise_inference(arguments, keywords, scale_dim, y_stride):
    graph = new_graph()
    y, scale = quantised(graph, *arguments, **keywords)
    graph.validate()
    assert scale.get_dim() == scale_dim
    assert y.get_dim() == [1, 128, 128] and y.get_stride() == y_stride
    assert [t.get_name().split("::")[-1] for t in (y, scale)] == ["Y", "SCALE"]


def test_quantise_keeps_the_memory_order():
    graph = new_graph()
    x = graph.tensor(dim=[2, 4, 32], stride=[256, 1, 8], data_type=T.FLOAT)
    y, scale = graph.block_scale_quantize(x, block_size=16)
    y.set_data_type(T.FP8_E5M2).set_output(True)
    scale.set_data_type(T.FLOAT).set_output(True)
    graph.validate()
    assert y.get_stride() == [128, 1, 4]
    assert scale.get_dim() == [2, 4, 2] and scale.get_stride() == [8, 1, 4]


def test_tiled_scales_are_padded():
    graph = new_graph()
    y, scale = quantised(graph, block_size=16, axis=1, dim=(3, 40, 10))
    scale.set_reordering_type(F8_128x4)
    graph.validate()
    assert scale.get_dim() == [3, 4, 128] and scale.get_stride() == [512, 1, 4]


# --- errors -------------------------------------------------------------------

def test_quantise_needs_a_block_size():
    graph = new_graph()
    x = graph.tensor(dim=[4, 32], data_type=T.FLOAT)
    with pytest.raises(ValueError, match="block_size is not set"):
        graph.block_scale_quantize(x)
    with pytest.raises(TypeError):
        graph.block_scale_quantize(x, block_size=32, unknown=1)


@pytest.mark.parametrize("forgotten", ["Y", "SCALE"])
def test_quantised_types_must_be_declared(forgotten):
    graph = new_graph()
    x = graph.tensor(dim=[4, 32], data_type=T.FLOAT)
    y, scale = graph.block_scale_quantize(x, block_size=32)
    y.set_output(True), scale.set_output(True)
    if forgotten == "Y":
        scale.set_data_type(T.FP8_E8M0)
    else:
        y.set_data_type(T.FP8_E4M3)
    with pytest.raises(ValueError, match=f"'{forgotten}' to be declared"):
        graph.validate()


@pytest.mark.parametrize("keywords, error, text", [
    ({"block_size": 0}, RuntimeError, "block_size"),
    ({"block_size": 2**62}, None, ""),
    ({"block_size": 32, "axis": 3}, RuntimeError, "axis"),
    ({"block_size": 32, "axis": -4}, RuntimeError, "axis"),
    ({"block_size": 32, "axis": -2**63}, RuntimeError, "axis")])
def test_quantise_attributes(keywords, error, text):
    graph = new_graph()
    quantised(graph, **keywords)
    if error is None:
        graph.validate()
        return
    with pytest.raises(error, match=text):
        graph.validate()


def dequantised(graph, block_size, scale_dim, **keywords):
    x = graph.tensor(dim=[1, 16, 64], data_type=T.FP8_E4M3)
    scale = graph.tensor(dim=scale_dim, data_type=T.FP8_E8M0)
    return graph.block_scale_dequantize(x, scale, block_size, **keywords)


def test_dequantised_stays_virtual():
    graph = new_graph()
    dequantised(graph, [1, 32], [1, 16, 2]).set_output(True)
    with pytest.raises(RuntimeError, match="'Y' to be virtual"):
        graph.validate()


@pytest.mark.parametrize("block_size, scale_dim, error", [
    (None, [1, 16, 2], ValueError), ([], [1, 16, 2], ValueError),
    ([1, 1, 1, 32], [1, 16, 2], ValueError), ([0], [1, 16, 2], RuntimeError),
    ([1, 32], [1, 16, 3], ValueError), ([1, 32], [16, 2], ValueError),
    ([1, -2**63], [1, 16, 2], RuntimeError),
    ([1, 32], [1, 128, 4], None), (32, [1, 16, 2], None),
    ([2**62, 2**62, 2**62], [1, 1, 1], None)])
def test_dequantise_attributes(block_size, scale_dim, error):
    graph = new_graph()

    def run():
        y = dequantised(graph, block_size, scale_dim, is_negative_scale=True)
        graph.identity(y).set_output(True)
        graph.validate()
        assert y.get_dim() == [1, 16, 64]
    if error is None:
        run()
    else:
        with pytest.raises(error):
            run()


def test_fp8_matmul_needs_scalars():
    graph = new_graph()
    a, b = (graph.tensor(dim=[1, 8, 8], data_type=T.FP8_E4M3) for _ in "ab")
    one = graph.tensor(dim=[1, 1, 1], data_type=T.FLOAT)
    two = graph.tensor(dim=[1, 1, 2], data_type=T.FLOAT)
    c, _ = graph.matmul_fp8(a, b, one, two, one)
    c.set_output(True)
    with pytest.raises(ValueError, match="Descale_B"):
        graph.validate()


def test_half_a_scale_is_not_supported():
    graph = new_graph()
    y, scale = quantised(graph, block_size=32)
    scale.set_data_type(T.INT8)
    with pytest.raises(NOT_SUPPORTED, match="SCALE"):
        graph.validate()
