# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that nvptx.pointwise generates, in the tile interpreter: every
conformance case that the engine serves against the judge, and no fault in their
synchronisation."""

import collections
import concurrent.futures
import multiprocessing
import os
import pathlib
import subprocess
import tempfile

import numpy as np
import opgraph
import pytest

pytestmark = pytest.mark.slow

ENGINE = 30000
ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("OPGRAPH_BUILD_DIR", ROOT / "build"))
DEVICE = (ROOT / "lib/Devices/h200.json").read_text()
#: Elements of a case's largest operand: the interpreter takes 0.1 us for each
#: and schedule.
MOST_ELEMENTS = 2000000


#: Knobs of plans that combine portions of reductions by atomics.
ATOMIC = {opgraph.knob_type.REDUCTION_MODE: 1}


def interpret(graph, inputs, outputs, folder, knobs=None):
    """{port: Memory} of the interpreter's run."""
    from conformance import runner
    memories = {}
    for name, tensor in inputs.tensors.items():
        memories[tensor.get_uid()] = inputs.memory[name]
    results = {}
    for port, output in outputs.items():
        results[port] = runner.result_memory(output)
        memories[output.tensor.get_uid()] = results[port]
    (folder / "g.mlir").write_text(graph.to_mlir())
    options = "=atomic=true" if knobs == ATOMIC else ""
    command = [BUILD / "bin/graph-opt", folder / "g.mlir",
               f"--graph-legalize-nvptx-pointwise{options}", "-o",
               folder / "p.mlir"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise runner.Wrong(f"legalization: {done.stderr[:500]}")
    # Operands in the program's order.
    uids = [int(line.split(" uid ")[1].split()[0])
            for line in (folder / "p.mlir").read_text().splitlines()
            if "plan.operand " in line]
    for uid in uids:
        (folder / f"{uid}.bin").write_bytes(memories[uid].body.tobytes())
    files = ",".join(str(folder / f"{uid}.bin") for uid in uids)
    done = subprocess.run(
        [BUILD / "bin/graph-opt", folder / "p.mlir",
         f"--tile-interpret-program=operands={files}", "-o", "/dev/null"],
        capture_output=True, text=True)
    if done.returncode:
        raise runner.Wrong(done.stderr[:1000])
    for uid in uids:
        memories[uid].body[:] = np.frombuffer(
            (folder / f"{uid}.bin").read_bytes(), np.uint8)
    runner.check_damage(results)
    return results


def run_case(operation, case, knobs=None, **more):
    """("passed" | "declined" | "failed" | "large", text); `more` for the
    graph that kernels are made of."""
    from conformance import runner
    try:
        graph, inputs, outputs = runner.declare(operation, case, device="host")
        if max(m.elements for m in inputs.memory.values()) > MOST_ELEMENTS:
            return "large", ""
        target, *_ = runner.declare(operation, case, device_property=DEVICE,
                                    **more)
        try:
            target.create_execution_plan(ENGINE, knobs)
            target.check_support()
        except opgraph.cudnnGraphNotSupportedError as error:
            return "declined", str(error)
        except opgraph.Error as error:
            if knobs and "has no knob" in str(error):
                return "declined", str(error)
            raise
        judge = runner.execute(graph, inputs, outputs, runner.JUDGE)
        with np.errstate(all="ignore"):
            wants = operation.expected(case, inputs.values)
        graph, inputs, outputs = runner.declare(operation, case, device="host",
                                                **more)
        with tempfile.TemporaryDirectory() as folder:
            found = interpret(graph, inputs, outputs, pathlib.Path(folder),
                              knobs)
        runner.compare_engine(found, judge, wants)
        return "passed", ""
    except runner.Wrong as error:
        return "failed", str(error)
    except Exception as error:  # a case must not end the others
        return "failed", f"{type(error).__name__}: {error}"


def run_op(name):
    """[(op, case, state, text)] of an operation's cases."""
    from conformance.case import all_cases
    served = 0
    found = []
    for operation, case in all_cases(name):
        state, text = run_case(operation, case)
        served += state in ("passed", "failed")
        found.append((case.op, case.id, state, text))
        # What an operation's first cases show is enough of a decline.
        if not served and len(found) >= 12:
            break
    return found


def run_overridable(name):
    """As run_op, of some cases as graphs whose shapes calls may override."""
    from conformance.case import all_cases
    cases = list(all_cases(name))
    return [(case.op, case.id,
             *run_case(operation, case, is_override_shape_enabled=True))
            for operation, case in cases[::max(1, len(cases) // 5)]]


def test_kernels_for_shapes_that_calls_override():
    from conformance.case import all_cases
    names = sorted({case.op for _, case in all_cases("*")})
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(2, context) as pool:
        found = [one for chunk in pool.map(run_overridable, names)
                 for one in chunk]
    states = collections.Counter(state for *_, state, _ in found)
    failed = [f"{op} {case}: {text}" for op, case, state, text in found
              if state == "failed"]
    print(dict(states))
    assert not failed, "\n".join(failed[:20])
    assert states["passed"] > 400, states


def test_generated_kernels_agree_with_the_judge():
    from conformance.case import all_cases
    names = sorted({case.op for _, case in all_cases("*")})
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(2, context) as pool:
        found = [one for chunk in pool.map(run_op, names) for one in chunk]
    states = collections.Counter(state for *_, state, _ in found)
    failed = [f"{op} {case}: {text}" for op, case, state, text in found
              if state == "failed"]
    print(dict(states))
    assert not failed, "\n".join(failed[:20])
    assert states["passed"] > 3000, states
    assert not states["large"], states


def test_atomic_plans_agree_with_the_judge():
    from conformance.case import all_cases
    found = [(case.id, *run_case(operation, case, ATOMIC))
             for operation, case in all_cases("reduction")]
    failed = [f"{case}: {text}" for case, state, text in found
              if state == "failed"]
    assert not failed, "\n".join(failed)
    assert sum(state == "passed" for _, state, _ in found) >= 15
