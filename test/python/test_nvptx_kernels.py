# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that nvptx.pointwise generates, through the assembler for every GPU,
and against those that were green on a GPU.

A sample by default; OPGRAPH_NVPTX_KERNELS=all assembles the first case of every
operation and dtype for all targets."""

import concurrent.futures
import itertools
import json
import multiprocessing
import os
import warnings

import pytest

from support import device_kernels

pytestmark = pytest.mark.slow

WHOLE = os.environ.get("OPGRAPH_NVPTX_KERNELS") == "all"
VERIFIED = device_kernels.ROOT / "test/gpu/verified.json"
DTYPES_IN_SAMPLE = 2
#: Kernel names that may spill or use a stack, and how many bytes.
ALLOWED = {}


def served_cases():
    """[(id, MLIR)]: of each operation and dtype the first case that is served."""
    from conformance.case import all_cases
    by_op = {}
    for operation, case in all_cases("*"):
        by_dtype = by_op.setdefault(case.op, {})
        by_dtype.setdefault(case.dtype, []).append((operation, case))
    found = []
    for number, (op, by_dtype) in enumerate(by_op.items()):
        # In the sample two dtypes each, others from one operation to the next.
        groups = list(by_dtype.values())
        turn = number % len(groups)
        most = len(groups) if WHOLE else DTYPES_IN_SAMPLE
        served = filter(None, map(device_kernels.first_served,
                                 groups[turn:] + groups[:turn]))
        found += itertools.islice(served, most)
    return found


def assemble(work):
    """(kernels, what is wrong with them)."""
    (name, mlir), target = work
    try:
        kernels = device_kernels.compile_graph(mlir, target)
    except device_kernels.Failed as error:
        return 0, [f"{name} for {target}: {error}"]
    wrong = []
    for kernel in kernels:
        used = sum(kernel.resources[part]
                   for part in ("spill_stores", "spill_loads", "stack"))
        if used > ALLOWED.get(kernel.name, 0):
            wrong.append(f"{name}: {kernel.name} for {target}: {used} bytes of "
                         "spills and stack")
        if kernel.resources["registers"] == 0:
            wrong.append(f"{name}: {kernel.name} for {target}: no report")
    return len(kernels), wrong


def run_all(function, work):
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(
            os.cpu_count(), context) as pool:
        return list(pool.map(function, work))


def find_assembler():
    kernels = device_kernels.compile_graph(
        device_kernels.served_graph(*first_case()), "sm_90a")
    return kernels[0].resources["assembler"]


def first_case():
    from conformance.case import all_cases
    return next((operation, case) for operation, case in all_cases("relu")
                if device_kernels.served_graph(operation, case))


def test_generated_kernels_assemble_without_spills():
    if find_assembler() == "the driver":
        pytest.skip("neither ptxas nor nvJitLink is installed")
    cases = served_cases()
    # For the H200's and one other target each, in turn.
    others = [t for t in device_kernels.TARGETS if t != "sm_90a"]
    work = [(case, target) for i, case in enumerate(cases)
            for target in (device_kernels.TARGETS if WHOLE else
                           ("sm_90a", others[i % len(others)]))]
    found = run_all(assemble, work)
    wrong = [line for _, lines in found for line in lines]
    print(f"{len(cases)} cases, {sum(count for count, _ in found)} kernels")
    assert not wrong, "\n".join(wrong[:20])
    assert len(cases) > 30


def compile_verified(entry):
    """What differs from a case's entry of verified.json."""
    from conformance.case import all_cases
    name, want = entry
    op, case_id = name.split(" ", 1)
    owner = next(((operation, case) for operation, case in all_cases(op)
                  if case.id == case_id), None)
    mlir = owner and device_kernels.served_graph(*owner)
    if not mlir:
        return f"{name}: no longer a case that nvptx.pointwise serves"
    kernels = device_kernels.compile_graph(mlir, "sm_90a", assemble=False)
    found = {kernel.name: kernel.digest for kernel in kernels}
    return "" if found == want else f"{name}: {want} became {found}"


def test_kernels_are_those_that_ran_on_a_gpu():
    """Red after a change to a kernel: run it on a GPU, then write the file anew
    (test/gpu/README.md)."""
    if not VERIFIED.exists():
        pytest.skip("no run on a GPU is recorded in test/gpu/verified.json")
    recorded = json.loads(VERIFIED.read_text())
    assert recorded["target"] == "sm_90a"
    assert recorded["cases"]
    if recorded["pending"]:
        warnings.warn(f"{len(recorded['pending'])} cases await a run on a GPU")
    assert not set(recorded["pending"]) & set(recorded["cases"])
    found = run_all(compile_verified, recorded["cases"].items())
    assert not any(found), "\n".join(filter(None, found))
