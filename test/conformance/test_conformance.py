# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The conformance cases under pytest: a test for each op.

`python -m conformance` runs the same cases with more choice."""

import collections

import pytest

from conformance.case import all_cases
from conformance.runner import run_case

#: Engines compared with the judge.
ENGINES = ("host.fused",)
BY_OP = collections.defaultdict(list)
for _owner, _case in all_cases():
    BY_OP[_case.op].append((_owner, _case))
TOTALS = collections.Counter()


@pytest.mark.parametrize("op", BY_OP)
def test_op(op):
    outcomes = [run_case(owner, case, ENGINES) for owner, case in BY_OP[op]]
    TOTALS["cases"] += len(outcomes)
    TOTALS["declined"] += sum(len(o.declined) for o in outcomes)
    failed = [f"{o.op} {o.case}: {o.failure}" for o in outcomes if o.failure]
    assert not failed, (f"{len(failed)} of {len(outcomes)} cases failed:\n"
                        + "\n".join(failed[:20]))
