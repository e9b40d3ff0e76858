# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The warp-specialised GEMM of test/lit/codegen/NVPTX/gemm.mlir on an H200: checked
against f32 products, then timed beside cuBLAS (torch.matmul) in one interleaved run.

  graph-opt gemm.mlir --nvptx-emit="target=sm_90a cubin=g.cubin resources=g.json"
  python3 test/gpu/gemm.py g.cubin g.json

Prints one JSON line per shape; `ratio` is cuBLAS's time over ours.
"""

import argparse
import ctypes
import json
import pathlib
import random
import statistics

import torch
from cubin import CUDA, Module, check

CHECKED = [(256, 512, 64), (128, 256, 640), (1000, 1544, 520), (4096, 4096, 4096)]
TIMED = [(4096, 4096, 4096), (8192, 8192, 8192), (8192, 4096, 1024),
         (2048, 2048, 2048)]
TILE = (128, 256, 64)


def encode(tensor, box):
    """A tensor map of a row-major bf16 matrix, sw128; keeps its memory alive."""
    memory = (ctypes.c_char * 192)()
    address = (ctypes.addressof(memory) + 63) // 64 * 64
    rows, columns = tensor.shape
    check(CUDA.cuTensorMapEncodeTiled(
        ctypes.c_void_p(address), 9, 2, ctypes.c_void_p(tensor.data_ptr()),
        (ctypes.c_uint64 * 2)(columns, rows),
        (ctypes.c_uint64 * 1)(tensor.stride(0) * 2),
        (ctypes.c_uint32 * 2)(box[1], box[0]), (ctypes.c_uint32 * 2)(1, 1),
        0, 3, 2, 0))
    return memory, address


class Kernel:
    def __init__(self, cubin, resources):
        self.module = Module(cubin, resources)
        self.name = next(iter(self.module.facts))
        self.sms = torch.cuda.get_device_properties(0).multi_processor_count

    def prepare(self, a, b, c):
        maps = [encode(a, (128, 64)), encode(b, (256, 64)), encode(c, (64, 64))]
        sizes = (a.shape[0], b.shape[0], a.shape[1])
        counts = [ctypes.c_int(-(-size // tile))
                  for size, tile in zip(sizes, TILE)]
        arguments = [ctypes.c_void_p(address) for _, address in maps]
        arguments += [ctypes.c_void_p(ctypes.addressof(count))
                      for count in counts]
        grid = min(self.sms, counts[0].value * counts[1].value)
        return maps, counts, arguments, grid

    def launch(self, prepared, stream):
        _, _, arguments, grid = prepared
        self.module.launch(self.name, arguments, (grid, 1), stream)


def make(rows, columns):
    return torch.randn(rows, columns, device="cuda").bfloat16()


def verify(kernel, m, n, k):
    a, b = make(m, k), make(n, k)
    c = torch.full((m, n), float("nan"), device="cuda", dtype=torch.bfloat16)
    kernel.launch(kernel.prepare(a, b, c),
                  torch.cuda.current_stream().cuda_stream)
    want = a.float() @ b.float().t()
    error = ((c.float() - want).abs() / (want.abs() + 1)).max().item()
    # One rounding to bf16; NaN fails too.
    if not error <= 2.0**-8 + 1e-4:
        raise SystemExit(f"{m}x{n}x{k}: relative error {error}")


def time(kernel, m, n, k, rounds=21):
    sets = [(make(m, k), make(n, k),
             torch.empty(m, n, device="cuda", dtype=torch.bfloat16))
            for _ in range(3)]
    prepared = [kernel.prepare(*each) for each in sets]
    stream, calls = torch.cuda.Stream(), 4 if m >= 8192 else 20

    def record(call):
        with torch.cuda.stream(stream):
            for each in range(3):
                call(each)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=stream):
            for each in range(calls):
                call(each % 3)
        return graph

    graphs = {
        "ours": record(lambda i: kernel.launch(prepared[i],
                                               stream.cuda_stream)),
        "cublas": record(lambda i: torch.matmul(
            sets[i][0], sets[i][1].t(), out=sets[i][2])),
    }
    times = {name: [] for name in graphs}
    for _ in range(rounds):
        for name in random.sample(list(graphs), len(graphs)):
            start, end = (torch.cuda.Event(enable_timing=True) for _ in "ab")
            with torch.cuda.stream(stream):
                start.record()
                graphs[name].replay()
                end.record()
            torch.cuda.synchronize()
            times[name].append(start.elapsed_time(end) / calls)
    return {name: statistics.median(each) for name, each in times.items()}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cubin", type=pathlib.Path)
    parser.add_argument("resources", type=pathlib.Path)
    arguments = parser.parse_args()
    torch.zeros(1, device="cuda")
    kernel = Kernel(arguments.cubin, arguments.resources)
    for shape in CHECKED:
        verify(kernel, *shape)
    for m, n, k in TIMED:
        medians = time(kernel, m, n, k)
        flops = 2 * m * n * k / 1e9
        print(json.dumps({
            "m": m, "n": n, "k": k,
            "ours_tflops": round(flops / medians["ours"], 1),
            "cublas_tflops": round(flops / medians["cublas"], 1),
            "ratio": round(medians["cublas"] / medians["ours"], 3)}), flush=True)


if __name__ == "__main__":
    main()
