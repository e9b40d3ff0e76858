# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Everything that runs on a GPU, under pytest: each conformance case against the
judge, PyTorch as a second opinion, the contract of execution, the examples, and
objects made ahead of time.

In an unpacked bundle (or a built tree) on a machine with a GPU:
    test/gpu/must_show pytest
which sets the paths and passes on what follows `--`, `-k softmax` say.
"""

import concurrent.futures
import multiprocessing
import os
import subprocess
import sys

import pytest

torch = pytest.importorskip("torch")
if not torch.cuda.is_available():
    pytest.skip("no CUDA device here: run test/gpu/must_show on a machine with "
                "one (test/gpu/README.md)", allow_module_level=True)

import aot_case  # noqa: E402
import runtime_cases  # noqa: E402
import torch_cases  # noqa: E402
from conformance.case import all_cases  # noqa: E402
from gpu_paths import BUILD, EXAMPLES, ROOT  # noqa: E402
from run_conformance import run_chunk  # noqa: E402

CASES = [f"{case.op} {case.id}" for _, case in all_cases("*")]
JOBS = min(12, os.cpu_count() or 1)


@pytest.fixture(scope="session")
def outcomes(request):
    """(state, text) of each chosen conformance case; all run at once, in
    processes, when the first is asked for."""
    chosen = sorted({item.callspec.params["number"]
                     for item in request.session.items
                     if item.originalname == "test_conformance"})
    size = max(1, min(40, len(chosen) // (JOBS * 4) + 1))
    chunks = [chosen[i:i + size] for i in range(0, len(chosen), size)]
    found = {}
    with concurrent.futures.ProcessPoolExecutor(
            JOBS, multiprocessing.get_context("spawn")) as pool:
        for numbers, results in zip(chunks, pool.map(run_chunk, chunks)):
            found.update((number, result[2:])
                         for number, result in zip(numbers, results))
    return found


@pytest.mark.parametrize("number", range(len(CASES)), ids=CASES)
def test_conformance(outcomes, number):
    state, text = outcomes[number]
    if state == "declined":
        pytest.skip(text.splitlines()[0])
    assert state == "passed", text


@pytest.mark.parametrize("shape", torch_cases.SHAPES, ids=str)
@pytest.mark.parametrize("dtype", torch_cases.DTYPES)
@pytest.mark.parametrize("name", torch_cases.CASES)
def test_against_pytorch(name, dtype, shape):
    ratio = torch_cases.run_case(name, dtype, shape)
    if ratio is None:
        pytest.skip("declined")
    assert ratio <= 1


@pytest.mark.parametrize("case", [name for name in dir(runtime_cases)
                                  if name.startswith("case_")])
def test_runtime(case):
    getattr(runtime_cases, case)()


@pytest.mark.parametrize("example", EXAMPLES)
def test_example(example):
    subprocess.run([BUILD / "bin/opgraph", "run", "--device", "cuda",
                    "--engine", "nvptx.pointwise", "--verify",
                    ROOT / f"docs/examples/{example}.mlir"], check=True)


def test_ahead_of_time():
    aot_case.main()


if __name__ == "__main__":
    sys.exit(pytest.main([__file__, *sys.argv[1:]]))
