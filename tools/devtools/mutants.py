#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plants wrong formulas and rules, one at a time, and demands that the tests
of what was touched turn red. The list is test/mutants.json.

usage: mutants.py [--list] [NAME ...]
Exit code: 0 when every mutant was caught, 1 when one survived, 2 for a mutant
that does not fit the sources any more or a wrong name.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"


def build():
    """Everything that tests load; True when it built."""
    done = subprocess.run(["cmake", "--build", BUILD, "-j2"],
                          capture_output=True, text=True)
    if done.returncode != 0:
        print(done.stdout[-2000:])
    return done.returncode == 0


def run_tests(mutant):
    """True when the tests named by the mutant pass."""
    env = {**os.environ, "PYTHONPATH": str(BUILD / "python"),
           "OPGRAPH_STRICT": "1", "OPGRAPH_DEBUG_POISON": "1"}
    for command in mutant["tests"]:
        if command[0] == "pytest":
            argv = [ROOT / ".venv/bin/python", "-m", "pytest", "-q", "-x",
                    "-p", "no:cacheprovider", *command[1:]]
        elif command[0] == "lit":
            argv = ["/usr/lib/llvm-22/bin/lit", "-q",
                    *(BUILD / "test/lit" / part for part in command[1:])]
        else:
            argv = [BUILD / "test/unit" / command[0], *command[1:]]
        if subprocess.run(argv, cwd=ROOT, env=env, capture_output=True,
                          timeout=900).returncode != 0:
            return False
    return True


def plant(mutant):
    """Edits the file; returns what undoes it. None when the text to replace is
    not there exactly once."""
    path = ROOT / mutant["file"]
    text = path.read_text()
    if text.count(mutant["old"]) != 1:
        print(f"{mutant['name']}: expected the text once in {mutant['file']}, "
              f"found it {text.count(mutant['old'])} times")
        return None
    path.write_text(text.replace(mutant["old"], mutant["new"]))
    return lambda: path.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    mutants = json.loads((ROOT / "test/mutants.json").read_text())
    known = {m["name"] for m in mutants}
    if set(options.names) - known:
        print(f"unknown: {sorted(set(options.names) - known)}", file=sys.stderr)
        return 2
    if options.list:
        for m in mutants:
            print(f"{m['name']}: {m['file']}")
        return 0
    start, survived, unfit, caught = time.time(), [], [], 0
    for mutant in mutants:
        if options.names and mutant["name"] not in options.names:
            continue
        begin = time.time()
        undo = plant(mutant)
        if undo is None:
            unfit.append(mutant["name"])
            continue
        try:
            built = build()
            red = built and not run_tests(mutant)
        finally:
            undo()
        if not built:
            unfit.append(mutant["name"])
        elif red:
            caught += 1
        else:
            survived.append(mutant["name"])
        verdict = "caught" if red else "SURVIVED" if built else "does not build"
        print(f"{mutant['name']:40} {verdict:14} {time.time() - begin:5.0f} s",
              flush=True)
    build()
    print(f"{caught} caught, {len(survived)} survived, {len(unfit)} unfit, "
          f"{time.time() - start:.0f} s")
    return 2 if unfit else 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
