# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs planned and compiled over the real cuDNN, without a GPU: for a device
that is only described, with a driver of a few functions in the place of CUDA's.
Left out where there is no library."""

import json
import os
import re
import subprocess
import sys

import pytest

# What the library must list a plan for, by example; 9.8 and later do.
SERVED = ["attention", "conv_bias_relu", "int8_matmul", "linear_gelu"]


@pytest.fixture(scope="module")
def environment(build_dir):
    """That of a process which sees the library and the stub driver."""
    known = dict(os.environ)
    if known.get("OPGRAPH_CUDNN") == "none":
        del known["OPGRAPH_CUDNN"]
    path = [str(build_dir / "test/stub_driver"),
            known.get("LD_LIBRARY_PATH", "")]
    known["LD_LIBRARY_PATH"] = ":".join(filter(None, path))
    return known


@pytest.fixture(scope="module")
def version(root, build_dir, environment):
    """The library's version, by a process of its own."""
    text = "import opgraph; print(opgraph.cudnn_version())"
    environment = {**environment, "PYTHONPATH": str(build_dir / "python")}
    found = int(subprocess.run([sys.executable, "-c", text], check=True,
                               env=environment, capture_output=True,
                               text=True).stdout)
    if found == 0:
        pytest.skip("there is no cuDNN")
    told = subprocess.run(
        [build_dir / "bin/opgraph", "explain", "--json",
         root / "docs/examples/linear_gelu.mlir", "--target",
         root / "lib/Devices/h200.json"], capture_output=True, text=True,
        env=environment).stdout
    if "needs libcublasLt" in told:
        pytest.skip("cuDNN's cuBLASLt is not there, without which it makes no "
                    "plans")
    return found


@pytest.fixture(scope="module")
def tool(root, build_dir, environment, version):
    """Runs the command line for the H200's description."""
    def run(*arguments, **more):
        return subprocess.run(
            [build_dir / "bin/opgraph", *map(str, arguments), "--target",
             root / "lib/Devices/h200.json"], check=True, capture_output=True,
            text=True, env={**environment, **more}).stdout
    return run


@pytest.mark.parametrize("name", SERVED)
def test_examples_are_listed(root, tool, version, name):
    listed = json.loads(tool("plans", root / f"docs/examples/{name}.mlir",
                             "--json"))
    ours = [plan for plan in listed if plan["plan"].startswith("cudnn:")]
    assert ours, listed
    assert all(f":v{version}" in plan["plan"] for plan in ours)
    # Settings of the heuristics, in their order.
    times = [plan["time_ns"] for plan in ours if plan["mode"] == "A"]
    assert times == sorted(times)


def test_a_plan_without_a_device_holds_the_program(root, build_dir, tool,
                                                   tmp_path):
    """The plan file has the operation graph; the plan is made where it is
    loaded."""
    path = tmp_path / "gelu.ogplan"
    tool("compile", root / "docs/examples/linear_gelu.mlir", "--engine", "cudnn",
         "--emit", "plan", "-o", path)
    shown = subprocess.run([build_dir / "bin/opgraph", "inspect", path],
                           check=True, capture_output=True, text=True).stdout
    assert re.search(r"^engine +cudnn$", shown, re.M)
    assert "cuDNN's plan is made when it is loaded" in shown


def test_without_the_library_it_declines_with_the_places(root, tool):
    with pytest.raises(subprocess.CalledProcessError) as failure:
        tool("plans", root / "docs/examples/linear_gelu.mlir",
             OPGRAPH_CUDNN="/nowhere/libcudnn.so.9")
    assert "LIBRARY_MISSING" in failure.value.stderr
    assert "/nowhere/libcudnn.so.9" in failure.value.stderr
