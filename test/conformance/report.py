# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Outcomes as lines, JSON and JUnit XML."""

import collections
import json
import pathlib
from xml.sax.saxutils import quoteattr

from support import table


def print_op(op, results, engines, seconds, shown):
    """A line for the op, then its first failures."""
    failed = [r for r in results if r.failure]
    served = "".join(
        f"  {e} {sum(e in r.served for r in results)}"
        f"+{sum(e in r.declined for r in results)} declined" for e in engines)
    print(f"{op:28} {len(results):4} cases {len(failed):3} failed{served}  "
          f"{seconds:5.1f} s", flush=True)
    for outcome in failed[:shown]:
        print(f"  FAILED {op} {outcome.case}: {outcome.failure}")
    if len(failed) > shown:
        print(f"  ... and {len(failed) - shown} more")


def print_totals(outcomes, engines, seconds):
    """The last lines; returns the number of failures."""
    failed = sum(bool(r.failure) for r in outcomes)
    reasons = collections.Counter(
        (engine, reason) for r in outcomes for engine, reason in
        r.declined.items())
    for (engine, reason), count in reasons.most_common(12):
        if len(reason) > 150:
            # What was given stands at the end.
            reason = f"{reason[:40]} ... {reason[-100:]}"
        print(f"declined by {engine} {count} x: {reason}")
    ops = len({r.op for r in outcomes})
    print(f"conformance: {len(outcomes)} cases of {ops} ops, {failed} failed, "
          f"{sum(map(lambda r: len(r.declined), outcomes))} declined, "
          f"{seconds:.0f} s", flush=True)
    return failed


def write_table(folder, outcomes):
    """The table op x dtype x layout and edge: conformance-table.{txt,json,html}
    in `folder`."""
    table.cells.clear()
    for r in outcomes:
        dtype, layout, edge = r.case.split("/")[:3]
        key = (r.op, dtype, edge if layout == "row_major" else
               f"{edge}, {layout}")
        if table.cells.get(key, ("",))[0] != table.FAILED:
            table.cells[key] = (table.FAILED, r.failure) if r.failure else \
                (table.TESTED, "")
    table.write(pathlib.Path(folder), "conformance-table")


def write_json(path, outcomes):
    """Every outcome, one line each."""
    lines = [json.dumps({"op": r.op, "case": r.case, "failure": r.failure,
                         "served": r.served, "declined": r.declined})
             for r in outcomes]
    _write(path, "[\n" + ",\n".join(lines) + "\n]\n")


def write_xml(path, outcomes):
    """One testcase for each case, as `tools/dev check` counts them."""
    rows = []
    for r in outcomes:
        inner = f"<failure message={quoteattr(r.failure)}/>" if r.failure else ""
        rows.append(f"<testcase classname={quoteattr('conformance.' + r.op)} "
                    f"name={quoteattr(r.case)}>{inner}</testcase>")
    _write(path, "<testsuites><testsuite name=\"conformance\">\n"
           + "\n".join(rows) + "\n</testsuite></testsuites>\n")


def _write(path, text):
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
