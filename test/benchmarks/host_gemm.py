#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""host.fused against NumPy's OpenBLAS, f32 and bf16 matmul + bias + GELU over
a set of shapes, interleaved, one thread unless --threads says otherwise.

The peer computes the product alone, in f32. Workspace is the caller's, as in
production, so no page is touched for the first time while the clock runs.
"""

import argparse
import os
import pathlib
import statistics
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("OPGRAPH_BUILD_DIR", ROOT / "build"))
SHAPES = [(1024, 1024, 1024), (1000, 1000, 1000), (4096, 1024, 1024),
          (128, 512, 1024), (32, 1024, 1024), (8, 1024, 1024),
          (1, 4096, 4096), (131, 77, 259)]


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=11)
    parser.add_argument("--dtype", choices=("f32", "bf16"), default="f32")
    return parser.parse_args()


def timed(function):
    begin = time.perf_counter()
    function()
    return time.perf_counter() - begin


def make(opgraph, np, dtype, m, n, k):
    """The call, and the f32 operands that the peer takes."""
    types = opgraph.data_type
    element = {"f32": types.FLOAT, "bf16": types.BFLOAT16}[dtype]
    graph = opgraph.pygraph(io_data_type=types.FLOAT,
                            intermediate_data_type=types.FLOAT)
    x = graph.tensor(dim=[1, m, k], data_type=element)
    w = graph.tensor(dim=[1, k, n], data_type=element)
    b = graph.tensor(dim=[1, 1, n])
    y = graph.gelu(graph.bias(graph.matmul(x, w), b)).set_output(True)
    graph.build()
    rng = np.random.default_rng(0)
    left, right, bias = (rng.standard_normal(shape).astype(np.float32)
                         for shape in ((1, m, k), (1, k, n), (1, 1, n)))
    storage = np.float32
    if dtype == "bf16":
        import ml_dtypes
        storage = ml_dtypes.bfloat16
    pack = {x: left.astype(storage), w: right.astype(storage), b: bias,
            y: np.empty((1, m, n), np.float32)}
    workspace = np.zeros(max(graph.get_workspace_size(), 1), np.uint8)
    return lambda: graph.execute(pack, workspace), left[0], right[0]


def main():
    options = parse()
    # Read when the libraries are loaded.
    os.environ["OPENBLAS_NUM_THREADS"] = str(options.threads)
    os.environ["OPGRAPH_NUM_THREADS"] = str(options.threads)
    sys.path.insert(0, str(BUILD / "python"))
    import numpy as np
    import opgraph

    print(f"{'M x N x K':>18} {'GFLOP/s':>9} {'OpenBLAS':>9} {'time ratio':>10}")
    for m, n, k in SHAPES:
        ours, left, right = make(opgraph, np, options.dtype, m, n, k)

        def peer(left=left, right=right):
            return left @ right

        for warm in (ours, peer):
            warm()
        pairs = [(timed(ours), timed(peer)) for _ in range(options.repeat)]
        own, theirs = (statistics.median(column) for column in zip(*pairs))
        gflop = 2e-9 * m * n * k
        print(f"{f'{m} x {n} x {k}':>18} {gflop / own:9.1f} "
              f"{gflop / theirs:9.1f} {own / theirs:10.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
