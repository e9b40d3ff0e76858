# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The list of operation rows is complete and true."""

import opgraph
import pytest
from opgraph._ops import OPS

from conformance import op_rows
from conformance.case import load_all

DONE = [op for op, (_, state) in op_rows.ROWS.items() if state == op_rows.DONE]


@pytest.fixture(scope="module")
def listed():
    return op_rows.constraints()


@pytest.fixture(scope="module")
def tested():
    return op_rows.tested_constraints()


def test_states():
    for op, (_, state) in op_rows.ROWS.items():
        assert state in (op_rows.DONE, *op_rows.LATER), op


def test_no_operation_is_missing_from_the_list():
    missing = set(OPS) - set(DONE) - op_rows.HELPERS
    assert not missing, f"not in op_rows.py: {sorted(missing)}"


@pytest.mark.parametrize("op", DONE)
def test_done(op, listed, tested):
    """An op of the dialect and a method, with constraints each violated by a
    lit test, and with conformance cases."""
    assert op in OPS, f"'{op}' is no operation of the dialect"
    assert callable(getattr(opgraph.pygraph, op, None)), f"no method '{op}'"
    assert load_all().get(op), f"'{op}' has no conformance cases"
    assert listed.get(op), f"'{op}' lists no constraints"
    untested = op_rows.untested_constraints(op, listed, tested)
    assert not untested, \
        f"no lit test violates {op}'s " + ", ".join(f"C{n}" for n in untested)
