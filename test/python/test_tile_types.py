# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every operation of `tile` on every element type that its type rules admit: refused
by name, or lowered, assembled and interpreted."""

import concurrent.futures
import os
import re
import subprocess

import pytest

from gpu import type_kernels
from gpu.type_kernels import BODIES, SIZES, header, kernel


def run(build_dir, path, *options):
    done = subprocess.run([build_dir / "bin/graph-opt", path, *options, "-o",
                           os.devnull], capture_output=True, text=True)
    assert done.returncode in (0, 1), (path.read_text(), done.stderr)
    return done.stderr if done.returncode else ""


def refusal(text):
    """The first error; None if it is nobody's."""
    match = re.search(r"error: (.*)", text)
    named = r"'(tile|arith|math)\.\w+' op |custom op 'tile\.\w+' "
    return match.group(1) if match and re.match(named, match.group(1)) else None


def judge(work):
    """'served', or who refuses; an AssertionError says what is wrong."""
    build_dir, folder, name, element = work
    path = folder / f"{name}.{element}.mlir"
    path.write_text(header(element) + kernel(name, element))
    number = "1" if element.lstrip("u").startswith("i") else "1.0"
    buffer = type_kernels.shape(element)
    interpret = (f"--tile-interpret=schedules=1 args=x:{buffer}:seed=1,"
                 f"y:{buffer}:seed=2,@x,@y,{number}")
    error = run(build_dir, path, interpret, "--tile-lower")
    if not error:
        return "served"
    for who, option in (("verifier", ()), ("lowering", ("--tile-lower",))):
        error = run(build_dir, path, *option)
        if error:
            assert refusal(error), (name, element, who, error)
            return who
    raise AssertionError(name, element, run(build_dir, path, interpret))


@pytest.mark.slow
def test_every_operation_on_every_type(build_dir, tmp_path):
    work = [(build_dir, tmp_path, name, element) for name in BODIES
            for element in SIZES]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = dict(zip([each[2:] for each in work], pool.map(judge, work)))
    for name in BODIES:
        refused = {each[1] for each, who in found.items()
                   if each[0] == name and who == "verifier"}
        assert refused == set(SIZES) - type_kernels.admitted(name), name
    # What is refused is refused by a rule.
    assert not [each for each, who in found.items() if who == "lowering"]
    for element in SIZES:
        path = tmp_path / f"{element}.mlir"
        path.write_text(header(element) + "".join(
            kernel(name, element) for name in type_kernels.served(element)))
        error = run(build_dir, path, "--nvptx-emit=refuse-spills=true")
        assert not error, (element, error)
