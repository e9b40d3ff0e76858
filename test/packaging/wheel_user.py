# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a user of the installed wheel does first."""

import numpy as np
import opgraph

graph = opgraph.pygraph(io_data_type=opgraph.data_type.FLOAT)
x = graph.tensor(dim=[4, 8])
y = graph.relu(x).set_output(True)
graph.build([opgraph.heur_mode.A])
data = np.linspace(-1, 1, 32, dtype=np.float32).reshape(4, 8)
out = np.empty_like(data)
graph.execute({x: data, y: out}, np.empty(graph.get_workspace_size(), np.uint8))
assert (out == np.maximum(data, 0)).all()
print(opgraph.__file__, graph.get_plan_name_at_index(0))
