# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A fixed slice of the random graphs; `tools/dev fuzz-graphs SECONDS` runs
more."""

import pytest

from fuzz.graphs import MODES, check


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seed", range(20))
def test_random_graph(mode, seed):
    kind, text = check(seed, mode)
    assert kind != "wrong", text
