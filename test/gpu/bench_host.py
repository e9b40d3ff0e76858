# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the other benchmarks are held against, and what the host pays: ceilings of
reading and of copying, the cost of an execution from C++ and from Python, cold
builds, new shapes of a class, dropout. Prints one line per row, as bench.py.

Run in an unpacked bundle: PYTHONPATH=python:test/gpu python3 test/gpu/bench_host.py
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile
import time

import opgraph
import torch
from bench import DT, measure, show

from gpu_paths import BUILD, HERE, INCLUDE

GIB = 2 ** 30


def ceilings():
    """GB/s of a read and of a copy of 2 GiB, the fastest that PyTorch has."""
    x = torch.ones(2 * GIB // 4, device="cuda")
    y = torch.empty_like(x)
    half = x.view(torch.bfloat16)
    times = measure({"copy": lambda i: y.copy_(x), "sum": lambda i: x.sum(),
                     "max": lambda i: x.max(), "max16": lambda i: half.max(),
                     "norm": lambda i: torch.linalg.vector_norm(x)},
                    repeats=9, inner=3)
    copied = x.nbytes * 2 / times.pop("copy") / 1e3
    return [{"work": "read ceiling", "shape": "2 GiB",
             "GB/s": round(x.nbytes / min(times.values()) / 1e3)},
            {"work": "copy ceiling", "shape": "2 GiB", "GB/s": round(copied)}]


def bias_relu(rows, columns):
    graph = opgraph.pygraph(io_data_type=DT.BFLOAT16, device="cuda",
                            intermediate_data_type=DT.FLOAT,
                            compute_data_type=DT.FLOAT)
    x, b = graph.tensor([rows, columns]), graph.tensor([1, columns])
    y = graph.relu(graph.add(x, b))
    y.set_output(True).set_data_type(DT.BFLOAT16)
    return graph, (x, b, y)


def rmsnorm(rows, columns):
    graph = opgraph.pygraph(io_data_type=DT.BFLOAT16, device="cuda",
                            intermediate_data_type=DT.FLOAT,
                            compute_data_type=DT.FLOAT)
    x, w = graph.tensor([rows, columns]), graph.tensor([1, columns])
    epsilon = graph.tensor([1, 1], stride=[1, 1], data_type=DT.FLOAT,
                           is_pass_by_value=True)
    y = graph.rmsnorm(
        norm_forward_phase=opgraph.norm_forward_phase.INFERENCE, input=x,
        scale=w, epsilon=epsilon)[0]
    y.set_output(True).set_data_type(DT.BFLOAT16)
    return graph, (x, w, y)


def load_compiler():
    """What the first build of a process pays, whatever it builds."""
    torch.zeros(1, device="cuda")
    graph = opgraph.pygraph(io_data_type=DT.HALF, device="cuda",
                            compute_data_type=DT.FLOAT)
    graph.abs(graph.tensor([64, 64])).set_output(True)
    graph.build()


def builds(name, make):
    """A cold build of a class, then new shapes of it: each to a ready plan."""
    def timed(rows, columns):
        start = time.perf_counter()
        graph, _ = make(rows, columns)
        declared = time.perf_counter()
        graph.build()
        return time.perf_counter() - start, time.perf_counter() - declared
    cold, _ = timed(1000, 1024)
    whole, built = zip(*(timed(1000 + 8 * i, 1024) for i in range(1, 41)))
    return {"work": f"{name} builds", "shape": "1000x1024",
            "cold_ms": round(cold * 1e3, 1),
            "new_shape_ms": round(statistics.median(whole) * 1e3, 3),
            "new_shape_build_ms": round(statistics.median(built) * 1e3, 3)}


def host_cost():
    graph, keys = bias_relu(128, 256)
    graph.build()
    tensors = [torch.zeros(128, 256, device="cuda", dtype=torch.bfloat16),
               torch.zeros(1, 256, device="cuda", dtype=torch.bfloat16),
               torch.zeros(128, 256, device="cuda", dtype=torch.bfloat16)]
    pack = dict(zip(keys, tensors))

    def batch():
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(200):
            graph.execute(pack, None)
        return (time.perf_counter() - start) / 200 * 1e6
    python = statistics.median(batch() for _ in range(301))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "g.ogplan").write_bytes(graph.serialize(as_bytes=True))
        subprocess.run(
            ["g++", "-std=c++17", "-O2", "-I", INCLUDE, HERE / "host_cost.cpp",
             BUILD / "lib/libopgraph_runtime.a", "-ldl", "-lpthread", "-o",
             folder / "host_cost"], check=True)
        found = json.loads(subprocess.run(
            [folder / "host_cost", folder / "g.ogplan"], check=True,
            stdout=subprocess.PIPE).stdout)
    bare = found["bare_us"]
    return {"work": "execute", "shape": "128x256", "bare_us": bare,
            "cpp_over_us": round(found["execute_us"] - bare, 2),
            "python_over_us": round(python - bare, 2)}


def dropout(rows, columns):
    graph = opgraph.pygraph(io_data_type=DT.BFLOAT16, device="cuda",
                            intermediate_data_type=DT.FLOAT,
                            compute_data_type=DT.FLOAT)
    x = graph.tensor([rows, columns])
    offset = graph.tensor([1], data_type=DT.INT64)
    mask = graph.rng(7, offset, "BERNOULLI", 0.9, out_dims=[rows, columns])
    y = graph.mul(x, mask)
    y.set_output(True).set_data_type(DT.BFLOAT16)
    graph.build()
    xs = [torch.randn(rows, columns, device="cuda", dtype=torch.bfloat16)
          for _ in range(3)]
    ys = [torch.empty_like(t) for t in xs]
    start = torch.zeros(1, dtype=torch.int64, device="cuda")
    space = torch.empty(max(1, graph.get_workspace_size()), device="cuda",
                        dtype=torch.uint8)
    packs = [{x: a, offset: start, y: b} for a, b in zip(xs, ys)]
    times = measure({
        "ours": lambda i: graph.execute(packs[i % 3], space),
        "copy": lambda i: ys[i % 3].copy_(xs[i % 3]),
        "eager": lambda i: torch.nn.functional.dropout(xs[i % 3], 0.1)})
    graph.execute(packs[0], space)
    kept = (ys[0] != 0).float().mean().item()
    assert abs(kept - 0.9) < 0.01, f"{kept} of the elements were kept"
    return {"work": "dropout", "shape": f"{rows}x{columns}",
            "us": round(times["ours"], 1),
            "GB/s": round(xs[0].nbytes * 2 / times["ours"] / 1e3),
            "copy": round(times["copy"] / times["ours"], 3),
            "eager": round(times["eager"] / times["ours"], 2)}


def rows():
    load_compiler()
    for make in (lambda: builds("pointwise", bias_relu),
                 lambda: builds("norm", rmsnorm), host_cost, ceilings,
                 lambda: dropout(16384, 4096)):
        try:
            found = make()
        except Exception as error:  # show the others
            found = {"work": "host", "shape": "", "failed":
                     f"{type(error).__name__}: {error}"[:300]}
        yield from found if isinstance(found, list) else [found]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", metavar="FILE", help="append the rows there")
    chosen = parser.parse_args()
    for found in rows():
        show(found, chosen.json)


if __name__ == "__main__":
    main()
