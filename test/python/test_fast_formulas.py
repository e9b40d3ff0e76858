# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Activations of every f16 and bf16 number as nvptx.pointwise computes them, in
the tile interpreter; test/gpu/math/activations.py runs the same on a GPU."""

import os
import pathlib
import subprocess

import numpy as np
import pytest
from support import activations
from support.dtypes import NUMPY

pytestmark = pytest.mark.slow

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("OPGRAPH_BUILD_DIR", ROOT / "build"))


@pytest.mark.parametrize("dtype", activations.DTYPES)
@pytest.mark.parametrize("op", activations.FORWARD + activations.BACKWARD)
def test_every_number(op, dtype, tmp_path):
    (tmp_path / "g.mlir").write_text(activations.graph_text(op, dtype))
    files = [tmp_path / f"{i}.bin" for i in range(3)]
    inputs = activations.operands(op, dtype)
    for file, values in zip(files, inputs):
        file.write_bytes(values.tobytes())
    files = files[:len(inputs) + 1]
    files[-1].write_bytes(bytes(65536 * 2))
    names = ",".join(map(str, files))
    subprocess.run(
        [BUILD / "bin/graph-opt", tmp_path / "g.mlir",
         "--graph-legalize-nvptx-pointwise",
         f"--tile-interpret-program=operands={names}", "-o", os.devnull],
        check=True)
    got = np.frombuffer(files[-1].read_bytes(), NUMPY[dtype])
    assert not activations.find_wrong(op, dtype, got)
