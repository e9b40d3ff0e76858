# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The conformance cases on a CUDA device against the judge.

Run in an unpacked bundle:
    PYTHONPATH=python:test:test/python python3 test/gpu/run_conformance.py -j 8
"""

import argparse
import collections
import concurrent.futures
import fnmatch
import json
import multiprocessing
import sys
import time


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--op", default="*", metavar="GLOB")
    parser.add_argument("--case", default="*", metavar="GLOB")
    parser.add_argument("--shard", default="1/1", metavar="I/N",
                        help="every N-th case, from the I-th")
    parser.add_argument("-j", "--jobs", type=int, default=4)
    parser.add_argument("--json", metavar="FILE", help="write every outcome")
    parser.add_argument("--failures", type=int, default=40)
    return parser.parse_args()


def run_chunk(numbers):
    from conformance.case import all_cases
    import device_case
    cases = list(all_cases("*"))
    found = []
    for number in numbers:
        operation, case = cases[number]
        found.append((case.op, case.id, *device_case.run_case(operation, case)))
    return found


def main():
    chosen = options()
    from conformance.case import all_cases
    index, count = map(int, chosen.shard.split("/"))
    numbers = [n for n, (_, case) in enumerate(all_cases("*"))
               if fnmatch.fnmatch(case.op, chosen.op)
               and fnmatch.fnmatch(case.id, chosen.case)][index - 1::count]
    size = max(1, min(40, len(numbers) // (chosen.jobs * 4) + 1))
    chunks = [numbers[i:i + size] for i in range(0, len(numbers), size)]
    start, outcomes = time.perf_counter(), []
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(chosen.jobs, context) as pool:
        for results in pool.map(run_chunk, chunks):
            outcomes += results
    totals = collections.defaultdict(collections.Counter)
    for op, _, state, _ in outcomes:
        totals[op][state] += 1
    for op, states in sorted(totals.items()):
        print(f"{op:28} passed {states['passed']:4}  failed "
              f"{states['failed']:3}  declined {states['declined']:4}")
    failed = [o for o in outcomes if o[2] == "failed"]
    for op, case, _, text in failed[:chosen.failures]:
        print(f"FAILED {op} {case}: {text[:300]}")
    if chosen.json:
        with open(chosen.json, "w") as file:
            json.dump(outcomes, file)
    states = collections.Counter(o[2] for o in outcomes)
    print(f"device conformance: {states['passed']} passed, {states['failed']} "
          f"failed, {states['declined']} declined, "
          f"{time.perf_counter() - start:.0f} s")
    return 1 if failed or not states["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
