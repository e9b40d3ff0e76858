# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conformance cases through the cuDNN library on a CUDA device against the
judge: the first plan of the library's that builds.

Run in an unpacked bundle:
    PYTHONPATH=python:test:test/python:test/gpu python3 test/gpu/run_cudnn.py
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
    parser.add_argument("--per-op", type=int, default=12,
                        help="at most so many cases of an operation, spread "
                             "over its list; 0 for all")
    parser.add_argument("-j", "--jobs", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=1e9,
                        help="start no further case after this time")
    parser.add_argument("--json", metavar="FILE", help="write every outcome")
    return parser.parse_args()


def build(graph):
    """The identity of the library's first plan that builds; None where it
    lists none."""
    import opgraph
    try:
        # Mode B asks the library whatever other engines take.
        graph.create_execution_plans([opgraph.heur_mode.A, opgraph.heur_mode.B,
                                      opgraph.heur_mode.FALLBACK])
    except opgraph.cudnnGraphNotSupportedError:
        return None
    own = [p for p in graph.plans if p.name.startswith("cudnn")]
    for plan in own:
        try:
            graph.build_plan_at_index(plan.index)
            return plan.name
        except opgraph.cudnnGraphNotSupportedError:
            continue
    if own:
        raise RuntimeError("no plan of the library's builds")
    return None


def run_case(operation, case):
    """(state, plan, text)."""
    import numpy as np
    import device_case
    from conformance import runner
    try:
        graph, inputs, outputs = runner.declare(operation, case, device="cuda")
        plan = build(graph)
        if plan is None:
            return "declined", "", ""
        host, host_inputs, host_outputs = runner.declare(operation, case,
                                                         device="host")
        judge = runner.execute(host, host_inputs, host_outputs, runner.JUDGE)
        with np.errstate(all="ignore"):
            wants = operation.expected(case, inputs.values)
        found = device_case.run_built(graph, inputs, outputs)
        runner.compare_engine(found, judge, wants)
        return "passed", plan, ""
    except Exception as error:  # a case must not end the others
        return "failed", "", f"{type(error).__name__}: {error}"


def run_chunk(numbers, end):
    from conformance.case import all_cases
    cases = list(all_cases("*"))
    found = []
    for number in numbers:
        if time.time() > end:
            break
        operation, case = cases[number]
        found.append((case.op, case.id, *run_case(operation, case)))
    return found


def choose(chosen):
    from conformance.case import all_cases
    by_op = collections.defaultdict(list)
    for number, (_, case) in enumerate(all_cases("*")):
        if fnmatch.fnmatch(case.op, chosen.op):
            by_op[case.op].append(number)
    numbers = []
    for own in by_op.values():
        step = max(1, len(own) // chosen.per_op) if chosen.per_op else 1
        numbers += own[::step]
    return numbers


def main():
    chosen = options()
    start, numbers = time.time(), choose(chosen)
    chunks = [numbers[i::chosen.jobs * 4] for i in range(chosen.jobs * 4)]
    context = multiprocessing.get_context("spawn")
    outcomes = []
    with concurrent.futures.ProcessPoolExecutor(chosen.jobs, context) as pool:
        for done in [pool.submit(run_chunk, chunk, start + chosen.seconds)
                     for chunk in chunks if chunk]:
            try:
                outcomes += done.result()
            except concurrent.futures.process.BrokenProcessPool:
                print("a process died")
    totals = collections.defaultdict(collections.Counter)
    for op, _, state, _, _ in outcomes:
        totals[op][state] += 1
    for op, states in sorted(totals.items()):
        print(f"{op:28} passed {states['passed']:4}  failed "
              f"{states['failed']:3}  declined {states['declined']:4}")
    for op, case, state, plan, text in outcomes:
        if state == "failed":
            print(f"FAILED {op} {case} {plan}: {text[:200]}")
    if chosen.json:
        with open(chosen.json, "w") as file:
            json.dump(outcomes, file)
    states = collections.Counter(o[2] for o in outcomes)
    print(f"cuDNN conformance: {states['passed']} passed, {states['failed']} "
          f"failed, {states['declined']} declined, "
          f"{time.time() - start:.0f} s")
    return 1 if states["failed"] or not states["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
