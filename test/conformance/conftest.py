# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds the built package; prints how many cases ran."""

import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("OPGRAPH_BUILD_DIR", ROOT / "build"))
for folder in (BUILD / "python", ROOT / "test"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))


def pytest_terminal_summary(terminalreporter):
    from conformance.test_conformance import TOTALS
    if TOTALS["cases"]:
        terminalreporter.write_line(
            f"conformance: {TOTALS['cases']} cases, {TOTALS['declined']} "
            "declined by other engines")
