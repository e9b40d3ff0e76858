# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every type and shape of matrix product of `tile`: the interpreter against NumPy,
and the lowering through the assembler. test/gpu/mma.py runs the same kernels on a
GPU."""

import concurrent.futures
import json
import subprocess

import numpy as np
import pytest

from gpu import mma_kernels

CASES = [*mma_kernels.sync_cases(), *mma_kernels.async_cases()]


@pytest.fixture(scope="module")
def graph_opt(build_dir):
    def run(*arguments):
        done = subprocess.run([build_dir / "bin/graph-opt", *arguments, "-o",
                               "/dev/null"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    return run


def interpret(graph_opt, folder, case, is_exact):
    """(what is wrong, or None; digest)."""
    a, b, c, want, allowed = mma_kernels.make(case, mma_kernels.SEED, is_exact)
    stem = f"{case.name}.{is_exact}"
    files = {name: folder / f"{stem}.{name}.npy" for name in "abcd"}
    for name, array in zip("abc", (a, b, c)):
        np.save(files[name], array)
    kernel = folder / f"{stem}.mlir"
    kernel.write_text(mma_kernels.kernel(case, "sm_90a"))
    shape = f"{case.m}x{case.n}x{case.acc}"
    graph_opt(kernel, "--tile-interpret=schedules=1 args="
              f"{files['a']},{files['b']},{files['c']},{shape}:out={files['d']}")
    got = np.load(files["d"]).view(mma_kernels.DTYPES[case.acc])
    return (mma_kernels.wrong(case, got, want, allowed)[0],
            mma_kernels.digest(got))


@pytest.mark.parametrize("is_exact", [True, False])
def test_interpreter(graph_opt, tmp_path, root, is_exact):
    """Exact sums are exact, others bit by bit what an H200 gives."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = dict(zip(CASES, pool.map(
            lambda case: interpret(graph_opt, tmp_path, case, is_exact), CASES)))
    assert not [error for error, _ in found.values() if error]
    if not is_exact:
        digests = json.loads((root / "test/gpu/mma_digests.json").read_text())
        assert {case.name: digest for case, (_, digest) in found.items()} \
            == digests


@pytest.mark.parametrize("kind, target", [
    ("sync", "sm_80"), ("sync", "sm_89"), ("sync", "sm_90a"),
    ("async", "sm_90a")])
def test_assembler(graph_opt, tmp_path, kind, target):
    """ptxas takes each kernel, without spills and without a warning."""
    cases = [case for case in CASES if case.kind == kind and
             (target != "sm_80" or case.a not in mma_kernels.FLOAT8)]
    path = tmp_path / "kernels.mlir"
    path.write_text("".join(mma_kernels.kernel(case, target) for case in cases))
    graph_opt(path, f"--nvptx-emit=target={target} refuse-spills=true "
              f"ptx={tmp_path}/kernels.ptx")
    text = (tmp_path / "kernels.ptx").read_text()
    assert text.count(".entry") == len(cases)
