# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fuzzers of the Python surface: random graphs, and mutants of valid ones.

`python -m fuzz.graphs SECONDS` and `python -m fuzz.invalid SECONDS` with
PYTHONPATH=build/python:test, or `tools/dev fuzz-graphs` and `fuzz-invalid`."""

import conformance  # noqa: F401  (finds test/python, sets the debug switches)
