# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generated conformance cases: op x dtype x layout x edge, as parameters and a
seed. See README.md."""

import os
import pathlib
import sys

# The formulas and element types are those of the other Python tests.
_PYTHON = str(pathlib.Path(__file__).resolve().parents[1] / "python")
if _PYTHON not in sys.path:
    sys.path.insert(0, _PYTHON)

# Every output and workspace is poisoned before it is written, and an internal
# failure of an engine is a failure.
os.environ.setdefault("OPGRAPH_DEBUG_POISON", "1")
os.environ.setdefault("OPGRAPH_STRICT", "1")
