# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conformance cases that are lowered to cuDNN: the real library takes each
operation graph (without a GPU, by a device description). Whether an engine then
runs it is the library's answer; here there is no device to ask about.

Needs libcudnn.so.9 (docs: OPGRAPH_CUDNN); skipped without."""

import collections
import json
import os
import pathlib
import subprocess
import sys

import opgraph
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEVICE = (ROOT / "lib/Devices/h200.json").read_text()
CASES_PER_OP = 16

#: Ops of which at least one case in the sample is an operation graph.
LOWERED = {
    "add", "relu", "softplus_backward", "matmul", "conv_fprop", "conv_dgrad",
    "conv_wgrad", "reduction", "layernorm", "rmsnorm", "layernorm_backward",
    "rmsnorm_backward", "batchnorm", "batchnorm_backward", "instancenorm",
    "batchnorm_inference", "genstats", "dbn_weight", "concatenate", "slice",
    "transpose", "reshape", "resample", "sdpa", "sdpa_backward",
    "sdpa_fp8", "matmul_fp8", "block_scale_dequantize",
}
#: What only the library's finalisation tells, by a part of its text: scales of
#: blocks, whose engines this device does not have.
LIBRARY_REFUSES = ("block_scale", "F8_128x4")

def answer_for(operation, case):
    """The library's decline, or None where it lists a plan."""
    from conformance import runner
    graph, _, _ = runner.declare(operation, case, device=DEVICE)
    try:
        # Mode B asks the library whatever other engines take.
        graph.create_execution_plans([opgraph.heur_mode.B])
    except opgraph.cudnnGraphNotSupportedError:
        pass
    for engine in json.loads(graph.explain(True))["engines"]:
        if engine["name"] == "cudnn":
            return engine["declines"][0] if engine["declines"] else None
    raise AssertionError("no verdict on cudnn")


def samples():
    from conformance.case import all_cases
    by_op = collections.defaultdict(list)
    for operation, case in all_cases("*"):
        by_op[case.op].append((operation, case))
    return {op: cases[::max(1, len(cases) // CASES_PER_OP)]
            for op, cases in by_op.items()}


def main():
    """Prints what became of the sample; a process of its own, since the library
    may crash and the tests of this one do not see it."""
    taken, refused = collections.Counter(), []
    if not opgraph.cudnn_version():
        print(json.dumps(None))
        return
    for op, cases in samples().items():
        for operation, case in cases:
            answer = answer_for(operation, case)
            if answer is None or answer["constraint"] == "engines":
                taken[op] += 1
            elif answer["constraint"] == "operation graph" and not any(
                    text in op + answer["text"] for text in LIBRARY_REFUSES):
                refused.append(f"{op} {case.id}: {answer['text'][:200]}")
    print(json.dumps({"taken": taken, "refused": refused}))


@pytest.mark.slow
def test_operation_graphs():
    """Every operation graph is taken; every op of the list has one."""
    environment = {key: value for key, value in os.environ.items()
                   if key != "OPGRAPH_CUDNN"}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    done = subprocess.run([sys.executable, __file__], env=environment,
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout.splitlines()[-1])
    if found is None:
        pytest.skip("no libcudnn.so.9")
    assert not found["refused"], "\n".join(found["refused"])
    assert not LOWERED - set(found["taken"])


if __name__ == "__main__":
    main()
