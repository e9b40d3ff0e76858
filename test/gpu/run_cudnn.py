# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Conformance cases through the cuDNN library on a CUDA device against the
judge: the first plan of the library's that builds.

Run in an unpacked bundle:
    PYTHONPATH=python:test:test/python:test/gpu python3 test/gpu/run_cudnn.py
"""

import argparse
import collections
import fnmatch
import json
import multiprocessing
import multiprocessing.connection
import os
import sys
import time


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--op", default="*", metavar="GLOB")
    parser.add_argument("--per-op", type=int, default=0,
                        help="at most so many cases of an operation, spread "
                             "over its list; 0 for all")
    parser.add_argument("-j", "--jobs", type=int,
                        default=max(1, (os.cpu_count() or 2) - 1))
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
    for plan in graph.plans:
        if not plan.name.startswith("cudnn"):
            continue
        try:
            graph.build_plan_at_index(plan.index)
            return plan.name
        except opgraph.cudnnGraphNotSupportedError:
            continue
    return None


def run_case(operation, case):
    """(state, plan, text)."""
    import numpy as np
    import device_case
    from conformance import runner
    plan = ""
    try:
        graph, inputs, outputs = runner.declare(operation, case, device="cuda")
        plan = build(graph)
        if plan is None:
            return "declined", "", why(graph)
        host, host_inputs, host_outputs = runner.declare(operation, case,
                                                         device="host")
        judge = runner.execute(host, host_inputs, host_outputs, runner.JUDGE)
        with np.errstate(all="ignore"):
            wants = operation.expected(case, inputs.values)
        found = device_case.run_built(graph, inputs, outputs)
        runner.compare_engine(found, judge, wants, tf32=True)
        return "passed", plan, ""
    except Exception as error:  # a case must not end the others
        return "failed", plan or "", f"{type(error).__name__}: {error}"


def why(graph):
    for engine in json.loads(graph.explain(True))["engines"]:
        if engine["name"] == "cudnn" and engine["declines"]:
            answer = engine["declines"][0]
            return f"{answer['constraint']}: {answer.get('actual', '')} " \
                   f"{answer.get('text', '')}"
    return "no plan that it lists builds"


def is_broken():
    """Whether the device's errors stay: all later calls of this process would
    see them."""
    import torch
    try:
        torch.cuda.synchronize()
        return False
    except RuntimeError:
        return True


def work(connection):
    """Runs the cases whose numbers come; sends each outcome, and whether it is
    the last of this process."""
    from conformance.case import all_cases
    cases = list(all_cases("*"))
    ends = False
    while not ends:
        try:
            number = connection.recv()
        except EOFError:
            return
        outcome = run_case(*cases[number])
        ends = outcome[0] == "failed" and is_broken()
        connection.send((outcome, ends))


class Worker:
    """A process with one case at a time."""

    def __init__(self, context):
        self.context = context
        self.start()

    def start(self):
        self.connection, theirs = self.context.Pipe()
        self.context.Process(target=work, args=(theirs,), daemon=True).start()
        theirs.close()

    def give(self, number):
        self.number = number
        self.connection.send(number)

    def take(self):
        """The outcome of its case; a new process where that is the last."""
        try:
            outcome, ends = self.connection.recv()
        except EOFError:
            outcome, ends = ("failed", "", "the process died"), True
        if ends:
            self.start()
        return outcome


def run_all(numbers, jobs, end):
    """{number: outcome}, by `jobs` processes."""
    context = multiprocessing.get_context("spawn")
    waiting, outcomes, idle = list(reversed(numbers)), {}, []
    idle = [Worker(context) for _ in range(min(jobs, len(numbers)))]
    busy = {}
    while True:
        while idle and waiting and time.time() < end:
            worker = idle.pop()
            worker.give(waiting.pop())
            busy[worker.connection] = worker
        if not busy:
            return outcomes
        for connection in multiprocessing.connection.wait(list(busy)):
            worker = busy.pop(connection)
            outcomes[worker.number] = worker.take()
            idle.append(worker)


#: Cases that may differ: (operation, id, what the library does).
KNOWN = (
    # It trusts numbers that the judge clamps.
    ("sdpa*", "*beyond*", "no length, offset or page outside of its tensor"),
    ("sdpa*", "*decreasing*", "no negative length"),
    ("sdpa*", "*entries beyond*", "no page outside of the container"),
    # What its kernels read beyond the lengths takes part as 0 * x.
    ("sdpa*", "*/*padding*", "NaN beyond the lengths spreads"),
    ("sdpa*", "*/NaN, masked*", "NaN in masked keys spreads"),
    ("sdpa", "*/lengths/*", "a sequence without keys gives NaN"),
    ("sdpa", "*/decode/*", "a sequence without a query is computed"),
    # Sums of fp8 products have 13 bits in the hardware.
    ("sdpa_fp8", "*/plain/*", "the statistics differ in the fifth digit"),
    # Numbers that are not finite.
    ("conv_*", "*special=*", "NaN spreads to padded windows"),
    ("*norm", "*special=*inf*", "the deviation of infinities is 0"),
    ("matmul_fp8", "*value=nan", "the largest magnitude leaves NaN out"))


def known(case):
    if "padding of zeros" in case.edge or "bounds beyond" in case.edge:
        return False
    return any(fnmatch.fnmatchcase(case.op, op) and
               fnmatch.fnmatchcase(case.id, which) for op, which, _ in KNOWN)


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
    # What takes long is spread.
    return [n for i in range(chosen.jobs) for n in numbers[i::chosen.jobs]]


def report(outcomes):
    totals = collections.defaultdict(collections.Counter)
    for op, _, state, _, _ in outcomes:
        totals[op][state] += 1
    for op, states in sorted(totals.items()):
        print(f"{op:28} passed {states['passed']:4}  failed "
              f"{states['failed']:3}  known {states['known']:3}  declined "
              f"{states['declined']:4}")
    for op, case, state, plan, text in outcomes:
        if state == "failed":
            print(f"FAILED {op} {case} {plan}: {text[:200]}")
    return collections.Counter(o[2] for o in outcomes)


def main():
    from conformance.case import all_cases
    chosen = options()
    start, numbers = time.time(), choose(chosen)
    found = run_all(numbers, chosen.jobs, start + chosen.seconds)
    cases = [case for _, case in all_cases("*")]
    outcomes = []
    for number in sorted(found):
        case, (state, *more) = cases[number], found[number]
        if state == "failed" and known(case):
            state = "known"
        outcomes.append((case.op, case.id, state, *more))
    states = report(outcomes)
    if chosen.json:
        with open(chosen.json, "w") as file:
            json.dump(outcomes, file)
    print(f"cuDNN conformance: {states['passed']} passed, {states['failed']} "
          f"failed, {states['known']} known to differ, "
          f"{states['declined']} declined, "
          f"{len(numbers) - len(found)} not run, {time.time() - start:.0f} s")
    return 1 if states["failed"] or not states["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
