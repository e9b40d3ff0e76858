# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of nvptx.pointwise whose extents are symbols, in the tile
interpreter: one program at many extents against the judge."""

import os
import pathlib
import subprocess

import numpy as np
import pytest

from support import dynamic_cases, graphs
from support.compare import assert_close

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("OPGRAPH_BUILD_DIR", ROOT / "build"))
OPT = BUILD / "bin/graph-opt"


def legalize(case, folder):
    """The file of the program, its symbols as (is stride, operand, axis), and
    the uids of its operands."""
    (folder / "g.mlir").write_text(case.declare(device="host").to_mlir())
    subprocess.run([OPT, folder / "g.mlir", "--graph-legalize-nvptx-pointwise",
                    "-o", folder / "p.mlir"], check=True)
    symbols, uids = [], []
    for line in (folder / "p.mlir").read_text().splitlines():
        words = line.split()
        if words[:1] == ["plan.symbol"]:
            symbols.append((words[2] == "stride", int(words[3].rstrip(",")),
                            int(words[4])))
        if words[:1] == ["plan.operand"]:
            uids.append(int(words[words.index("uid") + 1]))
    return folder / "p.mlir", symbols, uids


def memory_of(array):
    """The bytes from the array's first element to its last one."""
    if array.size == 0:
        return np.zeros(array.itemsize, np.uint8)
    span = 1 + sum((d - 1) * s for d, s in
                   zip(array.shape, graphs.strides_of(array)))
    flat = np.lib.stride_tricks.as_strided(
        array.view(f"u{array.itemsize}"), [span], [array.itemsize])
    return flat.view(np.uint8)


def interpret(program, symbols, uids, pack, folder):
    values = []
    for is_stride, operand, axis in symbols:
        array = pack[uids[operand]]
        values.append((graphs.strides_of(array) if is_stride else
                       array.shape)[axis])
    for uid, array in pack.items():
        (folder / f"{uid}.bin").write_bytes(memory_of(array).tobytes())
    files = ",".join(str(folder / f"{uid}.bin") for uid in uids)
    text = ",".join(str(value) for value in values)
    done = subprocess.run(
        [OPT, program, "--tile-interpret-program=schedules=2 "
         f"operands={files} symbols={text}", "-o", "/dev/null"],
        capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:1000]
    for uid, array in pack.items():
        if array.size:
            memory_of(array)[:] = np.frombuffer(
                (folder / f"{uid}.bin").read_bytes(), np.uint8)


@pytest.mark.parametrize("case", dynamic_cases.CASES, ids=lambda c: c.name)
def test_one_program_at_many_extents(case, tmp_path):
    program, symbols, uids = legalize(case, tmp_path)
    assert symbols
    for number, sizes in enumerate(case.calls):
        want = case.arrays(sizes, seed=number)
        got = case.arrays(sizes, seed=number)
        dynamic_cases.run_host(case, want)
        interpret(program, symbols, uids, got, tmp_path)
        for uid, operand in case.operands.items():
            if operand.is_output:
                assert_close(got[uid], want[uid], ulps=case.ulps,
                             absolute=case.absolute,
                             what=f"{case.name} {sizes} uid {uid}")
