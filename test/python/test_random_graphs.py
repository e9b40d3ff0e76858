# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random graphs: every other engine against the judge.

More seeds: `python test_random_graphs.py MODE FIRST LAST`."""

import sys

import numpy as np
import pytest

from support import graphs
from support.dtypes import ulp_of, widen
from support.random_graph import RandomGraph

#: Of the largest value anywhere: what differently ordered sums and another
#: exp may make of a dozen operations. Integers are exact.
SLACK = {"double": 1e-9, "single": 2e-4, "integer": 0}


def check(seed, mode):
    found = []
    for engine in (graphs.REFERENCE, graphs.FUSED):
        made = RandomGraph(seed, mode)
        found.append(graphs.run(made.graph, made.inputs, made.outputs, engine))
    story = f"{mode} {seed}\n" + "\n".join(made.text)
    finite = [np.abs(e[np.isfinite(e)]).max(initial=0)
              for e in map(widen, found[0])]
    for tensor, expected, actual in zip(made.outputs, *found):
        dtype = made.kinds[tensor][1]
        e, a = widen(expected), widen(actual)
        allowed = SLACK[mode] * max([1.0, *finite])
        if e.dtype.kind == "f":
            with np.errstate(all="ignore"):
                allowed = allowed + ulp_of(e, dtype)
        with np.errstate(all="ignore"):
            good = (e == a) | (np.isnan(e.astype(float)) & np.isnan(
                a.astype(float))) | (np.abs(e - a) <= allowed)
        assert good.all(), (
            f"%{tensor.get_uid()}: {int((~good).sum())} of {good.size} wrong, "
            f"first {e[~good][0]!r} became {a[~good][0]!r}\n{story}")


@pytest.mark.parametrize("mode", SLACK)
@pytest.mark.parametrize("seed", range(20))
def test_random_graph(mode, seed):
    check(seed, mode)


if __name__ == "__main__":
    wrong = 0
    for number in range(int(sys.argv[2]), int(sys.argv[3])):
        try:
            check(number, sys.argv[1])
        except Exception as error:  # each seed is reported
            wrong += 1
            print(f"--- {number}: {type(error).__name__}: {error}", flush=True)
    print(f"{wrong} wrong")
