# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers of the tile interpreter, against NumPy's."""

import math
import subprocess

import ml_dtypes
import numpy as np
import pytest

bf16 = ml_dtypes.bfloat16


@pytest.fixture
def interpret(root, build_dir, tmp_path):
    """Runs a kernel of test/lit/codegen/TileInterpreter. Arrays are inputs; a
    (shape, dtype) is an output, and returned."""
    def run(kernel, grid, arguments, schedules=8):
        texts, outputs = [], []
        for i, argument in enumerate(arguments):
            if isinstance(argument, np.ndarray):
                np.save(tmp_path / f"{i}.npy", argument)
                texts.append(f"{tmp_path}/{i}.npy")
            elif isinstance(argument, tuple):
                shape, dtype = argument
                name = {bf16: "bf16", np.float32: "f32"}[dtype]
                extents = "x".join(str(e) for e in shape)
                texts.append(f"{extents}x{name}:out={tmp_path}/{i}.npy")
                outputs.append((tmp_path / f"{i}.npy", dtype))
            else:
                texts.append(str(argument))
        done = subprocess.run(
            [build_dir / "bin/graph-opt",
             root / f"test/lit/codegen/TileInterpreter/{kernel}.mlir",
             f"--tile-interpret=grid={grid} args={','.join(texts)} "
             f"schedules={schedules}", "-o", "/dev/null"],
            capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        arrays = [np.load(path).view(dtype) for path, dtype in outputs]
        return arrays[0] if len(arrays) == 1 else arrays
    return run


def test_softmax(interpret):
    x = (4 * np.random.default_rng(1).standard_normal((3, 1000))).astype(bf16)
    y = interpret("row-softmax", 2, [x, (x.shape, bf16), 3, 1000, 1000])
    e = np.exp(x.astype(np.float64))
    expected = e / e.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(y.astype(np.float64), expected, rtol=2 ** -8)


def test_bias_gelu(interpret):
    rng = np.random.default_rng(2)
    x = rng.standard_normal((40, 264)).astype(bf16)
    b = rng.standard_normal(264).astype(np.float32)
    y = interpret("bias-gelu", 3,
                  [x, b, (x.shape, bf16), 40, 264, 264, 264, 2, 2])
    s = x.astype(np.float64) + b
    expected = s / 2 * (1 + np.vectorize(math.erf)(s / math.sqrt(2)))
    np.testing.assert_allclose(y.astype(np.float64), expected, rtol=2 ** -8,
                               atol=1e-6)


def test_gemm(interpret):
    rng = np.random.default_rng(3)
    a = rng.standard_normal((200, 136)).astype(bf16)
    b = rng.standard_normal((264, 136)).astype(bf16)
    c = interpret("gemm", 2, [a, b, ((200, 264), bf16), 2, 2, 3], schedules=4)
    expected = a.astype(np.float64) @ b.astype(np.float64).T
    np.testing.assert_allclose(c.astype(np.float64), expected, rtol=2 ** -8,
                               atol=1e-4)


def test_attention(interpret):
    rng = np.random.default_rng(4)
    q, k, v = (rng.standard_normal((rows, 64)).astype(bf16)
               for rows in (64, 256, 256))
    y = interpret("attention", 1,
                  [q, k, v, ((64, 64), np.float32), 4, 0.18])
    s = q.astype(np.float64) @ k.astype(np.float64).T
    # P rounds to bf16 before it meets V, its sum does not.
    p = np.exp2(0.18 * (s - s.max(axis=1, keepdims=True)))
    expected = p @ v.astype(np.float64) / p.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(y, expected, rtol=2 ** -6, atol=2 ** -7)


@pytest.mark.parametrize("name, dtype", [
    ("bf16", bf16), ("f16", np.float16), ("f8E4M3FN", ml_dtypes.float8_e4m3fn),
    ("f8E5M2", ml_dtypes.float8_e5m2)])
def test_conversions(root, build_dir, tmp_path, name, dtype):
    """Every pattern of 16 high bits of an f32, rounded by the interpreter."""
    x = (np.arange(1 << 16, dtype=np.uint32) * 0x10001).view(np.float32)
    x = x.reshape(64, 1024)
    kernel = """
#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>
!v = !tile.view<64x1024xf32, strides [1024, 1], align 4>
!w = !tile.view<64x1024xTYPE, strides [1024, 1], align 1>
tile.kernel @k(%xp: !tile.ptr<f32, align 4>, %yp: !tile.ptr<TYPE, align 1>)
    warps(1) targets [sm_90a] {
  %x = tile.view %xp : !tile.ptr<f32, align 4> -> !v
  %y = tile.view %yp : !tile.ptr<TYPE, align 1> -> !w
  %c0 = arith.constant 0 : i32
  %t = tile.load %x[%c0, %c0] : !v -> !tile.reg<64x1024xf32, #d>
  %u = tile.map (%a = %t) : (!tile.reg<64x1024xf32, #d>)
      -> !tile.reg<64x1024xTYPE, #d> {
    %b = arith.truncf %a : f32 to TYPE
    tile.yield %b : TYPE
  }
  tile.store %u, %y[%c0, %c0] : !tile.reg<64x1024xTYPE, #d>, !w
}
""".replace("TYPE", name)
    np.save(tmp_path / "x.npy", x)
    (tmp_path / "k.mlir").write_text(kernel)
    subprocess.run(
        [build_dir / "bin/graph-opt", tmp_path / "k.mlir",
         f"--tile-interpret=args={tmp_path}/x.npy,"
         f"64x1024x{name}:out={tmp_path}/y.npy schedules=1",
         "-o", "/dev/null"], check=True)
    y = np.load(tmp_path / "y.npy").view(dtype).astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        expected = x.astype(dtype).astype(np.float64)
    if dtype not in (bf16, np.float16):
        # The hardware saturates, and so does the graph.
        largest = float(ml_dtypes.finfo(dtype).max)
        beyond = np.abs(x) >= largest
        expected = np.where(beyond, np.copysign(largest, x), expected)
    np.testing.assert_array_equal(y, np.where(np.isnan(x), np.nan, expected))
