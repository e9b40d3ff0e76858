#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plants wrong formulas and rules, one at a time, and demands that the tests
of what was touched turn red. The list is test/mutants.json: a name, the file,
the text to replace (once in the file), what replaces it, and the tests, each
["pytest", arguments...], ["conformance", glob of ops, options...], ["lit",
paths under test/lit...] or [GoogleTest binary, arguments...]. Only what the
tests load is rebuilt.

usage: mutants.py [--list] [NAME ...]
Exit code: 0 when every mutant was caught, 1 when one survived, 2 for a mutant
that does not fit the sources any more, tests that fail without it, or a wrong
name.
"""

import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"


#: What each kind of test loads, as build targets.
TARGETS = {"pytest": ["opgraph_python", "opgraph"],
           "conformance": ["opgraph_python", "opgraph"],
           "lit": ["graph-opt", "opgraph", "opgraph-tblgen"]}


def build(mutants):
    """Builds what the tests of `mutants` load; True when it built."""
    targets = {target for mutant in mutants for command in mutant["tests"]
               for target in TARGETS.get(command[0], [command[0]])}
    done = subprocess.run(
        ["cmake", "--build", BUILD, "-j2", "--target", *sorted(targets)],
        capture_output=True, text=True)
    if done.returncode != 0:
        print(done.stdout[-2000:])
    return done.returncode == 0


def run_tests(mutant):
    """True when the tests named by the mutant pass."""
    env = {**os.environ, "PYTHONPATH": f"{BUILD / 'python'}:{ROOT / 'test'}",
           "OPGRAPH_STRICT": "1", "OPGRAPH_DEBUG_POISON": "1"}
    for command in mutant["tests"]:
        if command[0] == "pytest":
            argv = [ROOT / ".venv/bin/python", "-m", "pytest", "-q", "-x",
                    "-p", "no:cacheprovider", *command[1:]]
        elif command[0] == "conformance":
            argv = [ROOT / ".venv/bin/python", "-m", "conformance", "--op",
                    *command[1:]]
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


def judge(mutant):
    """Plants one mutant and says what became of it."""
    undo = plant(mutant)
    if undo is None:
        return "unfit"
    try:
        if not build([mutant]):
            return "does not build"
        return "SURVIVED" if run_tests(mutant) else "caught"
    finally:
        undo()


def chosen(arguments):
    """The mutants to plant; ends the process after a listing."""
    mutants = json.loads((ROOT / "test/mutants.json").read_text())
    unknown = set(arguments.names) - {m["name"] for m in mutants}
    if unknown:
        print(f"unknown: {', '.join(sorted(unknown))}", file=sys.stderr)
        sys.exit(2)
    if arguments.list:
        for m in mutants:
            print(f"{m['name']}: {m['file']}")
        sys.exit(0)
    return [m for m in mutants
            if not arguments.names or m["name"] in arguments.names]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--list", action="store_true")
    mutants = chosen(parser.parse_args())
    # A killed run must leave the sources as they were, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    start, verdicts = time.time(), []
    # A test that is red by itself proves nothing.
    if not build(mutants):
        return 2
    red = [m["name"] for m in mutants if not run_tests(m)]
    if red:
        print(f"the tests fail without a fault for: {', '.join(red)}")
        return 2
    for mutant in mutants:
        begin = time.time()
        verdicts.append(judge(mutant))
        print(f"{mutant['name']:40} {verdicts[-1]:14} "
              f"{time.time() - begin:5.0f} s", flush=True)
    build(mutants)
    caught, survived = verdicts.count("caught"), verdicts.count("SURVIVED")
    unfit = len(verdicts) - caught - survived
    print(f"{caught} caught, {survived} survived, {unfit} unfit, "
          f"{time.time() - start:.0f} s")
    return 2 if unfit else 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
