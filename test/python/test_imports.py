# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Host code that LLVM makes needs nothing off the import list."""

import numpy as np
import pytest

from support import graphs
from support.dtypes import OPGRAPH


@pytest.mark.parametrize("engine", graphs.ENGINES)
@pytest.mark.parametrize("stride", [[288, 32, 16, 1], [180, 1, 900, 10]])
def test_bf16_constants_in_a_short_loop(engine, stride):
    """LLVM selects between bfloat constants here, which it legalises through
    f32 and __truncsfbf2."""
    data = np.zeros((3, 9, 2, 16), bool)
    graph = graphs.new_graph("bool", "f32", "f32")
    x = graphs.declare(graph, data)
    y = graph.gen_index(x, 0).set_data_type(OPGRAPH["bf16"]).set_stride(stride)
    got, = graphs.run(graph, {x: data}, [y], engine)
    assert (got.astype(np.float32) == np.indices(data.shape)[0]).all()
