# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Command line of the conformance suite."""

import argparse
import faulthandler
import fnmatch
import sys
import time


def options():
    parser = argparse.ArgumentParser(
        prog="conformance", description="Runs the conformance cases on the "
        "judge against NumPy, and on other engines against the judge.")
    parser.add_argument("--engine", action="append", default=[], metavar="NAME",
                        help="an engine to compare with the judge; may repeat")
    parser.add_argument("--target", default="host", help="only 'host' yet")
    parser.add_argument("--op", default="*", metavar="GLOB")
    parser.add_argument("--case", default="*", metavar="GLOB",
                        help="only cases whose id matches")
    parser.add_argument("--list", action="store_true", help="print the cases")
    parser.add_argument("--json", metavar="FILE", help="write every outcome")
    parser.add_argument("--xml", metavar="FILE", help="write JUnit XML")
    parser.add_argument("--table", metavar="FOLDER",
                        help="write the table op x dtype x edge there")
    parser.add_argument("-j", "--jobs", type=int, default=1, metavar="N",
                        help="processes (default 1)")
    parser.add_argument("--failures", type=int, default=5, metavar="N",
                        help="failures printed of each op (default 5)")
    parser.add_argument("-v", action="store_true", dest="verbose",
                        help="print each case before it runs")
    return parser.parse_args()


def main():
    chosen = options()
    faulthandler.enable()

    from .case import all_cases
    from .report import print_op, print_totals, write_json, write_table, write_xml
    from .runner import ENGINES, run_groups
    unknown = set(chosen.engine) - set(ENGINES)
    if unknown or chosen.target != "host":
        print(f"unknown engine or target: "
              f"{', '.join(sorted(unknown)) or chosen.target}; engines of host: "
              f"{', '.join(ENGINES)}", file=sys.stderr)
        return 2
    cases = [(o, c) for o, c in all_cases(chosen.op)
             if fnmatch.fnmatch(c.id, chosen.case)]
    if chosen.list:
        for _, case in cases:
            print(f"{case.op} {case.id}")
        print(f"{len(cases)} cases")
        return 0
    outcomes, start = [], time.perf_counter()
    for op, results, seconds in run_groups(cases, chosen):
        print_op(op, results, chosen.engine, seconds, chosen.failures)
        outcomes += results
    failed = print_totals(outcomes, chosen.engine, time.perf_counter() - start)
    if chosen.json:
        write_json(chosen.json, outcomes)
    if chosen.xml:
        write_xml(chosen.xml, outcomes)
    if chosen.table:
        write_table(chosen.table, outcomes)
    return 1 if failed or not outcomes else 0


if __name__ == "__main__":
    sys.exit(main())
