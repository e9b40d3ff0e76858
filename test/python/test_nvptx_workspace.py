# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What planning says of nvptx.pointwise's workspace, against what its programs
declare: a plan that was chosen by a limit must keep it."""

import re

import opgraph
import pytest

from support import device_kernels

pytestmark = pytest.mark.slow

#: Of an operation: so many cases as they come, and so many that use workspace.
CASES, USING = 2, 6
#: Looked at of an operation.
MOST = 150


def planned(operation, case):
    """(MLIR, bytes) of a served case, else None."""
    from conformance import runner
    graph, *_ = runner.declare(operation, case,
                               device_property=device_kernels.DEVICE)
    try:
        graph.create_execution_plan(device_kernels.ENGINE)
        graph.check_support()
    except opgraph.cudnnGraphNotSupportedError:
        return None
    return graph.to_mlir(), graph._info_at(0)["workspace"]


def sample():
    """[(name, MLIR, bytes)]"""
    from conformance.case import all_cases
    counts, found = {}, []
    for operation, case in all_cases("*"):
        count = counts.setdefault(case.op, {"seen": 0, "any": 0, "using": 0})
        count["seen"] += 1
        if count["seen"] > MOST or count["using"] == USING:
            continue
        plan = planned(operation, case)
        if not plan:
            continue
        kind = "using" if plan[1] else "any"
        if kind == "any" and count["any"] == CASES:
            continue
        count[kind] += 1
        found.append((f"{case.op} {case.id}", *plan))
    return found


def declared_bytes(text):
    """Of the one program in `text`."""
    shared = re.search(r"workspace <shared = (#\w+|affine_map<.*?>),", text)
    if not shared:
        return 0
    name = shared.group(1)
    if name.startswith("#"):
        name = re.search(rf"^{name} = (.*)$", text, re.MULTILINE).group(1)
    return int(re.search(r"-> \((\d+)\)", name).group(1))


def test_programs_keep_to_the_planned_workspace(tmp_path):
    cases = sample()
    assert sum(1 for *_, size in cases if size) > 20
    source = tmp_path / "graphs.mlir"
    source.write_text("\n// -----\n".join(mlir for _, mlir, _ in cases))
    out = tmp_path / "programs.mlir"
    device_kernels.run_graph_opt(
        [source, "--split-input-file", "--graph-legalize-nvptx-pointwise",
         "-o", out], {})
    programs = out.read_text().split("\n// -----\n")
    assert len(programs) == len(cases)
    # Plans of 4-bit operands allow for bytes that most of their programs don't use.
    assert sum(1 for text in programs if declared_bytes(text)) > 15
    wrong = [f"{name}: planned {size} bytes, declared {declared_bytes(text)}"
             for (name, _, size), text in zip(cases, programs)
             if declared_bytes(text) > size]
    assert not wrong, "\n".join(wrong)
