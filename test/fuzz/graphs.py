# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random valid graphs of 2 to 12 operations: host.fused against the judge, and
for graphs of any operation the judge against itself, one operation at a time."""

import sys

import numpy as np
from support import graphs
from support.dtypes import ulp_of, widen
from support.random_graph import MODES, RandomGraph

from . import isolate, split
from .data import Disagreement

#: Of the largest value anywhere: what differently ordered sums and another
#: exp may make of a dozen operations. Integers are exact.
SLACK = {"double": 1e-9, "single": 2e-4, "integer": 0, "expanded": 5e-4}


def compare(made, found, mode):
    """Raises Disagreement where two engines' outputs differ by more than the
    mode's slack."""
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
        if not good.all():
            raise Disagreement(
                f"%{tensor.get_uid()}: {int((~good).sum())} of {good.size} "
                f"wrong, first {e[~good][0]!r} became {a[~good][0]!r}")


def run_engines(seed, mode):
    """Two engines on one graph; (graph, kind)."""
    found = []
    for engine in (graphs.REFERENCE, graphs.FUSED):
        made = RandomGraph(seed, mode)
        try:
            found.append(graphs.run(made.graph, made.inputs, made.outputs,
                                    engine))
        except graphs.Declined as error:
            if engine == graphs.REFERENCE:
                raise Disagreement(f"the judge declines: {error}") from error
            return made, "declined"
    compare(made, found, mode)
    return made, "agree"


def run_split(seed, mode):
    """The judge on the whole graph and on each operation."""
    made = RandomGraph(seed, mode)
    for tensor in made.outputs:
        tensor.set_output(True)
    made.graph.validate()
    split.check(made.graph, made.inputs, MODES[mode].compute)
    return made, "agree"


def check(seed, mode=None):
    """(kind, text) of one graph: agree, declined or wrong."""
    mode = mode or ("dialect", *SLACK)[seed % 5]
    try:
        _, kind = (run_engines if mode in SLACK else run_split)(seed, mode)
        return kind, ""
    except Exception as error:  # each seed is reported
        try:
            story = "\n".join(RandomGraph(seed, mode).text)
        except Exception as second:  # the graph itself cannot be made
            story = f"while it was made: {second}"
        return "wrong", f"{mode}: {type(error).__name__}: {error}\n{story}"


if __name__ == "__main__":
    sys.exit(isolate.main("fuzz.graphs", check, __doc__, tuple(MODES)))
