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


LAZY = """
import sys, time
import opgraph
T = opgraph.data_type


def graph():
    g = opgraph.pygraph("relu", T.BFLOAT16, T.FLOAT, T.FLOAT, device=sys.argv[1])
    x = g.tensor([64, 512, 128])
    g.relu(g.add(x, x)).set_output(True).set_data_type(T.BFLOAT16)
    return g


def is_open():
    return "libcudnn.so" in open("/proc/self/maps").read()


# A generated plan is sure to be the first: the library is not even opened.
g = graph()
g.build()
assert g.selected_engine == "nvptx.pointwise" and not is_open()
# Whoever looks beyond it sees the whole list, whose first plan is that one.
names = [plan.name for plan in g.plans]
assert is_open() and names[0].startswith("nvptx.pointwise")
ours = [name for name in names if name.startswith("cudnn:")]
assert ours, names
assert g._native.candidate() == 0

# Filters that bar the generated plan leave the library's.
g = graph()
g.create_execution_plans()
g.deselect_engines(["nvptx"])
g.check_support()
g.build_plans()
assert g.selected_engine == "cudnn", g.selected_engine
assert [p.barred for p in g.plans] == [p.name.startswith("nvptx")
                                       for p in g.plans]

# Any combination of modes is one list without duplicates.
M = opgraph.heur_mode
for modes in ([M.A], [M.B], [M.FALLBACK], [M.OPENSOURCE], [M.B, M.A],
              [M.FALLBACK, M.B, M.A], [M.OPENSOURCE, M.FALLBACK]):
    g = graph()
    g.create_execution_plans(modes)
    names = [plan.name for plan in g.plans]
    assert len(set(names)) == len(names) >= 1, modes
    assert {plan.mode for plan in g.plans} <= {int(m) for m in modes}
    assert any(n.startswith("cudnn:") for n in names) == (
        modes != [M.OPENSOURCE]), (modes, names)

g = graph()
g.create_execution_plans(deterministic=True)
assert not any(opgraph.numerical_note.NONDETERMINISTIC in
               g.get_numeric_notes_for_plan_at_index(i)
               for i in range(g.get_execution_plan_count()))
g.deselect_shared_mem_greater_than(0)
assert [p.barred for p in g.plans] == [p.shared_memory > 0 for p in g.plans]

# A pin that the library declines raises, as do knobs that it lacks.
for engine, knobs, kind in ((4000, {}, opgraph.cudnnGraphNotSupportedError),
                            (0, {opgraph.knob_type.TILE_M: 1}, opgraph.Error)):
    try:
        graph().create_execution_plan(engine, knobs)
        raise SystemExit("a pin that does not fit was taken")
    except kind as error:
        print(error, file=sys.stderr)
print("shown")
"""


def test_the_library_is_asked_where_it_matters(root, build_dir, environment,
                                               version):
    done = subprocess.run(
        [sys.executable, "-c", LAZY, str(root / "lib/Devices/h200.json")],
        env={**environment, "PYTHONPATH": str(build_dir / "python")},
        capture_output=True, text=True)
    assert done.stdout == "shown\n", done.stderr


RULES = """
import sys
import opgraph
T = opgraph.data_type
g = opgraph.pygraph("relu", T.FLOAT, T.FLOAT, T.FLOAT, device=sys.argv[1])
g.relu(g.tensor([4, 8])).set_output(True)
try:
    g.create_execution_plans()
    print(*[plan.name.split(":")[0] for plan in g.plans])
except opgraph.Error as error:
    print(type(error).__name__, error)
"""


@pytest.mark.parametrize("rules, told", [
    ("deny cudnn:*", "nvptx.pointwise\n"),
    ("allow nvptx*; deny cudnn:*", "nvptx.pointwise\n"),
    ("deny nvptx*;deny cudnn*", "line 1 of OPGRAPH_PLANS denies: nvptx*"),
    ("deny x;nonsense", "line 2 of OPGRAPH_PLANS: expected 'allow PATTERN'"),
    ("@/nowhere", "cannot read '/nowhere'"),
    ("@{file}", "line 3 of '{file}': expected 'allow PATTERN' or "
                "'deny PATTERN', got 'forbid x'")])
def test_allow_and_deny_lists(root, build_dir, tmp_path, rules, told):
    file = tmp_path / "rules.txt"
    file.write_text("# ours\ndeny cudnn:* # all\nforbid x\n")
    done = subprocess.run(
        [sys.executable, "-c", RULES, str(root / "lib/Devices/h200.json")],
        env={**os.environ, "OPGRAPH_CUDNN": "none",
             "OPGRAPH_PLANS": rules.format(file=file),
             "PYTHONPATH": str(build_dir / "python")},
        capture_output=True, text=True, check=True)
    assert told.format(file=file) in done.stdout, done.stdout
