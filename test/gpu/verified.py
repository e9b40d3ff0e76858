# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes test/gpu/verified.json: the PTX of kernels that passed on a GPU.

Usage, in the tree that the GPU's bundle was made from:
    tools/dev verified OUTCOMES.json
    tools/dev verified --pending

OUTCOMES.json is what `run_conformance.py --json` wrote on the GPU. Of each
operation and dtype the first case that passed there is listed; where one failed
nothing is written. Without a GPU, --pending sets aside by name the cases whose
kernels are other ones than those that ran, and those that never ran: they await
the next run, which empties that list.
"""

import json
import os
import pathlib
import sys

PATH = pathlib.Path(__file__).parent / "verified.json"


def groups():
    """The cases of each operation and dtype: [[(operation, case)]]."""
    from conformance.case import all_cases
    found = {}
    for operation, case in all_cases("*"):
        found.setdefault((case.op, case.dtype), []).append((operation, case))
    return list(found.values())


def digests(mlir):
    from support import device_kernels
    kernels = device_kernels.compile_graph(mlir, "sm_90a", assemble=False)
    return {kernel.name: kernel.digest for kernel in kernels}


def from_outcomes(path):
    from support import device_kernels
    outcomes = {(op, case): state for op, case, state, _ in
                json.loads(path.read_text())}
    failed = [key for key, state in outcomes.items() if state == "failed"]
    if failed:
        sys.exit(f"{len(failed)} cases failed on the GPU, e.g. {failed[0]}")
    cases = {}
    for group in groups():
        passed = [(operation, case) for operation, case in group
                  if outcomes.get((case.op, case.id)) == "passed"]
        if not passed:
            continue
        operation, case = passed[0]
        mlir = device_kernels.served_graph(operation, case)
        if not mlir:
            sys.exit(f"{case.op} {case.id} ran on the GPU and is declined here")
        cases[f"{case.op} {case.id}"] = digests(mlir)
    return {"target": "sm_90a", "cases": cases, "pending": []}


def set_changed_aside():
    from support import device_kernels
    known = json.loads(PATH.read_text())
    cases, pending = {}, []
    for group in groups():
        listed = [(operation, case) for operation, case in group
                  if f"{case.op} {case.id}" in known["cases"]]
        served = device_kernels.first_served(listed or group)
        if not served:
            continue
        name, mlir = served
        found = digests(mlir)
        if known["cases"].get(name) == found:
            cases[name] = found
        else:
            pending.append(name)
    return {"target": "sm_90a", "cases": cases, "pending": pending}


def main(arguments):
    if len(arguments) != 1:
        sys.exit(__doc__)
    os.environ["OPGRAPH_DEVICE"] = "host"
    record = set_changed_aside() if arguments[0] == "--pending" else \
        from_outcomes(pathlib.Path(arguments[0]))
    PATH.write_text(json.dumps(record, indent=1) + "\n")
    cases = record["cases"]
    print(f"{PATH}: {len(cases)} cases, {sum(map(len, cases.values()))} "
          f"kernels; {len(record['pending'])} cases await a GPU")


if __name__ == "__main__":
    main(sys.argv[1:])
