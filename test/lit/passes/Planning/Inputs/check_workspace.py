"""Compares the workspace that a plan was promised with what its code needs.

Usage: check_workspace.py FILE.mlir... Every file holds one graph. Prints a line
per engine and file, also where the engine declines; exits with 1 where the
bound is too low.
"""
import pathlib
import re
import subprocess
import sys

PIPELINES = {
    "host.reference": ["--graph-legalize-host-reference"],
    "host.fused": ["--graph-legalize-host-fused", "--host-tensor-pipeline"],
}


class Declined(Exception):
    """No plan of the engine: the text says why."""


def graph_opt(path, *flags):
    done = subprocess.run(["graph-opt", path, *flags], capture_output=True,
                          text=True)
    if done.returncode and "declined" in done.stderr:
        raise Declined(done.stderr.partition("error: ")[2].splitlines()[0])
    done.check_returncode()
    return done.stdout


def constant(text, name):
    """The constant that map `name` of `text` returns; None if it has symbols."""
    match = re.search(rf"^{name} = affine_map<\(\) -> \((\d+)\)>$", text, re.M)
    return int(match.group(1)) if match else None


def check(path, engine):
    plan = ["--graph-prepare", f"--graph-plan=engine={engine}"]
    try:
        planned = graph_opt(path, *plan)
    except Declined as declined:
        print(f"declined: {engine} {pathlib.Path(path).name}: {declined}")
        return engine != "host.reference"
    match = re.search(r"workspace = (-?\d+)", planned.split("graph.plans")[1])
    bound = int(match.group(1)) if match else 0
    code = graph_opt(path, *plan, *PIPELINES[engine], "--host-prepare-pipeline")
    shared, private, workers = re.search(
        r"workspace <shared = (#\w+), private = (#\w+), max_workers = (\d+)>",
        code).groups()
    parts = constant(code, shared), constant(code, private)
    actual = -1 if None in parts else parts[0] + parts[1] * int(workers)
    ok = bound == -1 or 0 <= actual <= bound
    print(f"{'ok' if ok else 'TOO LOW'}: {engine} {pathlib.Path(path).name}: "
          f"bound {bound}, actual {actual}")
    return ok


if __name__ == "__main__":
    results = [check(path, engine) for path in sys.argv[1:]
               for engine in PIPELINES]
    sys.exit(0 if all(results) else 1)
