# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""im2col tensor copies: the interpreter against NumPy, and the lowering through the
assembler. test/gpu/im2col.py runs the same kernels on a GPU."""

import subprocess

import numpy as np
import pytest

from gpu import im2col


@pytest.mark.parametrize("case", im2col.CASES, ids=lambda case: case.name)
def test_im2col(build_dir, tmp_path, case):
    (tmp_path / "k.mlir").write_text(im2col.kernel(case))
    np.save(tmp_path / "x.npy", im2col.images(case))

    def text(numbers):
        return "x".join(map(str, numbers))
    rows = len(case.taps) * case.rows
    done = subprocess.run(
        [build_dir / "bin/graph-opt", tmp_path / "k.mlir",
         f"--tile-interpret=grid={case.rows // case.pixels},{len(case.taps)} "
         f"schedules=2 args={tmp_path}/x.npy:lower={text(case.lower)}"
         f":upper={text(case.upper)}:steps={text(case.strides)},"
         f"{rows}x{case.channels}xbf16:out={tmp_path}/y.npy",
         "--nvptx-emit=refuse-spills=true", "-o", "/dev/null"],
        capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert im2col.wrong(case, np.load(tmp_path / "y.npy").view(np.uint16)) is None
