#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adds up JUnit XML results: each skip with its reason, each failure by name,
and as the last line `N passed, N failed, N skipped`.

usage: summarize.py FOLDER
Exit code: 0 when nothing failed and something passed, else 1.
"""

import pathlib
import sys
import xml.etree.ElementTree as ET


def outcome(case):
    """('passed' | 'failed' | 'skipped', reason) of a testcase element."""
    for child in case:
        if child.tag in ("failure", "error"):
            return "failed", child.get("message") or ""
        if child.tag == "skipped":
            return "skipped", child.get("message") or (child.text or "").strip()
    # GoogleTest marks disabled tests by status only.
    if case.get("status") == "notrun":
        return "skipped", "disabled"
    return "passed", ""


def main(folder):
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for path in sorted(pathlib.Path(folder).glob("*.xml")):
        for case in ET.parse(path).getroot().iter("testcase"):
            kind, reason = outcome(case)
            counts[kind] += 1
            if kind != "passed":
                first = reason.splitlines()[0] if reason else "no reason given"
                print(f"{kind}: {path.stem}: {case.get('classname')}."
                      f"{case.get('name')}: {first}")
    print("{passed} passed, {failed} failed, {skipped} skipped".format(**counts))
    return 0 if counts["failed"] == 0 and counts["passed"] > 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
