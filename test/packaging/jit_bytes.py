# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What docs/examples/aot/main.c prints, made by the JIT of this process.

usage: jit_bytes.py REPOSITORY"""

import pathlib
import sys

import numpy as np
import opgraph

root = pathlib.Path(sys.argv[1])


def fill(shape, seed):
    i = np.arange(np.prod(shape), dtype=np.int64)
    return (((i * 37 + seed) % 101 - 50) / 64).astype(np.float32).reshape(shape)


graph = opgraph.parse((root / "docs/examples/linear_gelu.mlir").read_text())
graph.build()
y = np.empty((1, 128, 512), np.float32)
graph.execute({1: fill((1, 128, 256), 1), 2: fill((1, 256, 512), 2),
               3: fill((1, 1, 512), 3), 4: y},
              np.empty(graph.get_workspace_size(), np.uint8))
text = y.tobytes().hex()
print("\n".join(text[i:i + 64] for i in range(0, len(text), 64)))
