# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes test/gpu/verified.json: the PTX of kernels that passed on a GPU.

Usage, in the tree that the GPU's bundle was made from:
    tools/dev verified OUTCOMES.json

OUTCOMES.json is what `run_conformance.py --json` wrote on the GPU. Of each
operation and dtype the first case that passed there is listed; where one failed
nothing is written.
"""

import json
import os
import pathlib
import sys


def main(arguments):
    if len(arguments) != 1:
        sys.exit(__doc__)
    os.environ["OPGRAPH_DEVICE"] = "host"
    from conformance.case import all_cases
    from support import device_kernels
    outcomes = {(op, case): state for op, case, state, _ in
                json.loads(pathlib.Path(arguments[0]).read_text())}
    failed = [key for key, state in outcomes.items() if state == "failed"]
    if failed:
        sys.exit(f"{len(failed)} cases failed on the GPU, e.g. {failed[0]}")
    cases, listed = {}, set()
    for operation, case in all_cases("*"):
        key = (case.op, case.dtype)
        if key in listed or outcomes.get((case.op, case.id)) != "passed":
            continue
        listed.add(key)
        mlir = device_kernels.served_graph(operation, case)
        if not mlir:
            sys.exit(f"{case.op} {case.id} ran on the GPU and is declined here")
        kernels = device_kernels.compile_graph(mlir, "sm_90a", assemble=False)
        cases[f"{case.op} {case.id}"] = {k.name: k.digest for k in kernels}
    path = pathlib.Path(__file__).parent / "verified.json"
    path.write_text(json.dumps({"target": "sm_90a", "cases": cases},
                               indent=1) + "\n")
    print(f"{path}: {len(cases)} cases, "
          f"{sum(map(len, cases.values()))} kernels")


if __name__ == "__main__":
    main(sys.argv[1:])
