# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Address arithmetic of generated kernels up to 2^42 bytes, in the interpreter:
operands whose strides are huge, of whose memory only the elements exist."""

import subprocess

import numpy as np
import pytest

FAR = 2 ** 39


def layout(shape, strides, element="f32"):
    return (f"tensor<{'x'.join(map(str, shape))}x{element}, "
            f"#graph.layout<strides = [{', '.join(map(str, strides))}]>>")


def run(build_dir, folder, graph, operands):
    """The contents of `operands`, each (array, bytes of a part, pitch), after the
    program of `graph`, whose results come last."""
    source, program = folder / "g.mlir", folder / "p.mlir"
    source.write_text(graph)
    tool = build_dir / "bin/graph-opt"
    subprocess.run([tool, source, "--graph-legalize-nvptx-pointwise", "-o",
                    program], check=True)
    files = [folder / f"{number}.bin" for number in range(len(operands))]
    for path, (array, _, _) in zip(files, operands):
        path.write_bytes(array.tobytes())
    lists = {"operands": files, "islands": [o[1] for o in operands],
             "pitches": [o[2] for o in operands]}
    option = " ".join(f"{name}={','.join(map(str, values))}"
                      for name, values in lists.items())
    done = subprocess.run([tool, program, f"--tile-interpret-program={option}",
                           "-o", "/dev/null"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return [np.frombuffer(path.read_bytes(), array.dtype).reshape(array.shape)
            for path, (array, _, _) in zip(files, operands)]


def whole(array):
    return array, 0, 0


def rows(array, pitch=FAR):
    """Of which each row is a part."""
    return array, array[0].nbytes, pitch * array.itemsize


@pytest.fixture
def random():
    return np.random.default_rng(3)


def unary(op, x, y, extra=""):
    return (f"graph.graph @far(%x: {x} {{graph.uid = 1 : i64}}) -> "
            f"({y} {{graph.uid = 2 : i64}}) {{\n"
            f"  %0 = graph.{op} %x{extra} : ({x}) -> {y}\n"
            f"  graph.return %0 : {y}\n}}\n")


def test_rows_of_operand_and_result(build_dir, tmp_path, random):
    x = random.normal(size=(3, 260)).astype(np.float32)
    far = layout(x.shape, (FAR, 1))
    found = run(build_dir, tmp_path, unary("neg", far, far),
                [rows(x), rows(np.zeros_like(x))])
    assert np.array_equal(found[1], -x)


def test_columns(build_dir, tmp_path, random):
    """Neighbours along the rows."""
    x = random.normal(size=(5, 64)).astype(np.float32)
    graph = unary("neg", layout(x.T.shape, (1, FAR)), "tensor<64x5xf32>")
    found = run(build_dir, tmp_path, graph,
                [rows(x), whole(np.zeros_like(x.T))])
    assert np.array_equal(found[1], -x.T)


def test_reductions(build_dir, tmp_path, random):
    x = random.integers(-8, 9, size=(37, 260)).astype(np.float32)
    far = layout(x.shape, (2 ** 36, 1))
    for axis, y in ((1, "tensor<37x1xf32>"), (0, "tensor<1x260xf32>")):
        want = x.sum(axis, keepdims=True)
        found = run(build_dir, tmp_path, unary("reduction add", far, y),
                    [rows(x, 2 ** 36), whole(np.zeros_like(want))])
        assert np.array_equal(found[1], want)


def test_norm(build_dir, tmp_path, random):
    x = random.normal(size=(6, 1030)).astype(np.float32)
    far = layout(x.shape, (2 ** 38, 1))
    found = run(build_dir, tmp_path, unary("softmax", far, far),
                [rows(x, 2 ** 38), rows(np.zeros_like(x), 2 ** 38)])
    want = np.exp(x - x.max(1, keepdims=True))
    assert np.allclose(found[1], want / want.sum(1, keepdims=True), rtol=1e-5)


def test_broadcast(build_dir, tmp_path, random):
    """One number a row, far from the next one."""
    x = random.normal(size=(8, 96)).astype(np.float32)
    b = random.normal(size=(8, 1)).astype(np.float32)
    far = layout(b.shape, (FAR, 1))
    graph = (f"graph.graph @far(%x: tensor<8x96xf32> {{graph.uid = 1 : i64}}, "
             f"%b: {far} {{graph.uid = 2 : i64}}) -> "
             "(tensor<8x96xf32> {graph.uid = 3 : i64}) {\n"
             f"  %0 = graph.add %x, %b : (tensor<8x96xf32>, {far}) -> "
             "tensor<8x96xf32>\n  graph.return %0 : tensor<8x96xf32>\n}\n")
    found = run(build_dir, tmp_path, graph,
                [whole(x), rows(b), whole(np.zeros_like(x))])
    assert np.array_equal(found[2], x + b)


def test_transpose(build_dir, tmp_path, random):
    x = random.normal(size=(40, 72)).astype(np.float32)
    graph = unary("transpose", layout(x.shape, (2 ** 36, 1)), "tensor<72x40xf32>",
                  " [1, 0]")
    found = run(build_dir, tmp_path, graph,
                [rows(x, 2 ** 36), whole(np.zeros_like(x.T))])
    assert np.array_equal(found[1], x.T)


def test_halves(build_dir, tmp_path, random):
    """4-bit elements: half as many bytes apart."""
    x = random.integers(0, 256, size=(4, 48)).astype(np.uint8)
    graph = unary("identity", layout((4, 96), (2 ** 41, 1), "i4"),
                  "tensor<4x96xi32>")
    found = run(build_dir, tmp_path, graph,
                [rows(x, 2 ** 40), whole(np.zeros((4, 96), np.int32))])
    pairs = np.stack([x & 15, x >> 4], -1).reshape(4, 96).astype(np.int32)
    assert np.array_equal(found[1], np.where(pairs > 7, pairs - 16, pairs))


def test_what_does_not_exist_is_outside(build_dir, tmp_path):
    """A pitch that is not the operand's: the check itself."""
    x = np.zeros((3, 64), np.float32)
    graph = unary("neg", layout(x.shape, (FAR, 1)), "tensor<3x64xf32>")
    with pytest.raises(AssertionError, match="of 'arg0', which has"):
        run(build_dir, tmp_path, graph, [rows(x, FAR + 256), whole(x)])
