#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans whose extents and strides calls give, on a GPU: each at many extents
against the judge, captured and in CUDA graphs, refusals by name, an AOT plan
file, and what a call with overrides costs.

usage: run_dynamic.py [--cost] (on a machine with a GPU; needs torch, and g++
for --cost)"""

import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import traceback

import numpy as np
import opgraph
import torch

from gpu_paths import BUILD, HERE, INCLUDE
from support import dynamic_cases, graphs
from support.compare import assert_close

ENGINE = 30000
TORCH = {"f32": torch.float32, "bf16": torch.bfloat16, "i8": torch.int8}
#: More calls of some cases, too long for the interpreter.
LONGER = {
    "add_f32": [(4096, 4096), (4097, 1023), (1, 3000001), (200000, 7)],
    "add_bf16": [(8192, 1024), (1023, 1025)],
    "layernorm": [(2048, 1024), (100, 16384), (3, 100000), (2, 500001),
                  (30000, 40)],
    "row_sums": [(4, 1 << 20), (1, 3000001), (20000, 100)],
    "column_sums": [(200000, 16), (70000, 33), (1000, 4096)],
    "column_averages": [(65536, 64)],
    "all_max": [(4096, 1024), (1, 2000003)],
    "transpose": [(4, 1000, 1008), (1, 2049, 1023)],
    "softmax": [(4096, 1024), (64, 50257), (2, 1000000)],
}


class Call:
    """Arrays of one call on the device, and what the judge makes of them."""

    def __init__(self, case, sizes, seed):
        self.case = case
        self.want = case.arrays(sizes, seed)
        self.sizes = sizes
        self.pack = {uid: self.put(uid, array)
                     for uid, array in self.want.items()}
        dynamic_cases.run_host(case, self.want)

    def put(self, uid, array):
        strides = graphs.strides_of(array)
        span = 1 + sum((d - 1) * s for d, s in zip(array.shape, strides)) \
            if array.size else 1
        flat = np.full(span * array.itemsize, 0xA5, np.uint8)
        if array.size:
            flat = np.lib.stride_tricks.as_strided(
                array.view(f"u{array.itemsize}"), [span],
                [array.itemsize]).copy().view(np.uint8)
        held = torch.from_numpy(flat).cuda()
        return held.view(TORCH[self.case.operands[uid].dtype]).as_strided(
            array.shape, strides)

    def check(self, what=""):
        torch.cuda.synchronize()
        for uid, operand in self.case.operands.items():
            if not operand.is_output:
                continue
            want = self.want[uid]
            got = self.pack[uid].contiguous().view(torch.uint8).cpu().numpy() \
                if want.size else np.zeros(0, np.uint8)
            got = got.reshape(-1).view(want.dtype).reshape(want.shape)
            assert_close(got, np.ascontiguousarray(want), ulps=self.case.ulps,
                         absolute=self.case.absolute,
                         what=f"{self.case.name} {self.sizes} uid {uid} {what}")

    @property
    def overrides(self):
        return dict(override_uids=list(self.pack),
                    override_shapes=[list(t.shape) for t in self.pack.values()],
                    override_strides=[list(t.stride())
                                      for t in self.pack.values()])


def build(case):
    graph = case.declare(device="cuda")
    graph.create_execution_plan(ENGINE)
    graph.build_plans()
    return graph


def space_of(graph, call):
    size = graph.get_workspace_size(**call.overrides)
    return torch.full([size], 0xFF, dtype=torch.uint8, device="cuda")


def run(case):
    """How many calls of one plan agree with the judge."""
    graph = build(case)
    calls = case.calls + LONGER.get(case.name, [])
    for number, sizes in enumerate(calls):
        call = Call(case, sizes, number)
        graph.execute(call.pack, space_of(graph, call), **call.overrides)
        call.check()
    return len(calls)


def named(name):
    return next(c for c in dynamic_cases.CASES if c.name == name)


def capture():
    """A call with overrides in a capture, replayed."""
    case = named("layernorm")
    graph = build(case)
    call = Call(case, (33, 1000), 1)
    space = space_of(graph, call)
    graph.execute(call.pack, space, **call.overrides)
    recorded = torch.cuda.CUDAGraph()
    with torch.cuda.graph(recorded):
        graph.execute(call.pack, space,
                      stream=torch.cuda.current_stream().cuda_stream,
                      **call.overrides)
    for uid, operand in case.operands.items():
        if operand.is_output:
            call.pack[uid].zero_()
    recorded.replay()
    call.check("captured")


def update():
    """A CUDA graph populated at one shape and updated to another, whose kernels
    are of the other version."""
    case = named("add_f32")
    graph = build(case)
    first, second = Call(case, (64, 768), 1), Call(case, (65, 771), 2)
    recorded = torch.cuda.CUDAGraph(keep_graph=True)
    with torch.cuda.graph(recorded):
        pass
    graph.populate_cuda_graph(None, first.pack, None, recorded,
                              **first.overrides)
    graph.update_cuda_graph(None, second.pack, None, recorded,
                            **second.overrides)
    recorded.instantiate()
    recorded.replay()
    second.check("updated")


def refuse():
    """Beyond i32 coordinates, and extents that contradict one another."""
    case = named("add_f32")
    graph = build(case)
    call = Call(case, (4, 8), 1)
    for shapes, text in (
            ([[1 << 31, 8], [1, 8], [1 << 31, 1], [1 << 31, 8]], "2147483648"),
            ([[4, 8], [1, 9], [4, 1], [4, 8]], "9"),
            ([[4, 8], [1, 8], [5, 1], [4, 8]], "5")):
        more = dict(call.overrides, override_shapes=shapes)
        more["override_strides"] = [graphs.packed(s, (0, 1)) for s in shapes]
        try:
            graph.execute(call.pack, None, **more)
        except (ValueError, RuntimeError) as error:
            assert text in str(error), error
        else:
            raise AssertionError(f"not refused: {shapes}")


def plan_file():
    """The plan as a file, loaded again."""
    case = named("column_sums")
    graph = build(case)
    plan = opgraph.load_plan(graph.serialize(as_bytes=True))
    call = Call(case, (7000, 33), 3)
    plan.execute(call.pack, space_of(graph, call), **call.overrides)
    call.check("from a file")


def cost():
    """Microseconds above a bare launch of a call with overrides."""
    case = dynamic_cases.Case(
        "cost", {1: dynamic_cases.Operand("bf16", dynamic_cases.rows),
                 2: dynamic_cases.Operand("bf16", dynamic_cases.row),
                 9: dynamic_cases.Operand("bf16", dynamic_cases.rows,
                                          is_output=True)},
        [(128, 256)], lambda g, t: [g.relu(g.add(t[1], t[2]))])
    graph = build(case)
    call = Call(case, (128, 256), 1)
    overrides = call.overrides

    def batch(**more):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(200):
            graph.execute(call.pack, None, **more)
        return (time.perf_counter() - start) / 200 * 1e6
    found = {"python_us": statistics.median(batch() for _ in range(101)),
             "python_overrides_us": statistics.median(
                 batch(**overrides) for _ in range(101))}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "g.ogplan").write_bytes(graph.serialize(as_bytes=True))
        subprocess.run(
            ["g++", "-std=c++17", "-O2", "-I", INCLUDE, HERE / "host_cost.cpp",
             BUILD / "lib/libopgraph_runtime.a", "-ldl", "-lpthread", "-o",
             folder / "host_cost"], check=True)
        extents = [str(n) for t in call.pack.values() for n in t.shape]
        for how, more in (("declared", []), ("overrides", extents)):
            cpp = json.loads(subprocess.run(
                [folder / "host_cost", folder / "g.ogplan", *more], check=True,
                stdout=subprocess.PIPE).stdout)
            found[f"cpp_{how}_over_us"] = round(
                cpp["execute_us"] - cpp["bare_us"], 3)
    print(json.dumps({k: round(v, 2) for k, v in found.items()}))


def main(arguments):
    failed, calls = [], 0
    parts = [(case.name, lambda case=case: run(case))
             for case in dynamic_cases.CASES]
    parts += [(part.__name__, part)
              for part in (capture, update, refuse, plan_file)]
    if "--cost" in arguments:
        parts.append(("cost", cost))
    for name, part in parts:
        try:
            calls += part() or 0
        except Exception:  # show the others
            failed.append(name)
            print(f"{name}: {traceback.format_exc()}", flush=True)
    print(f"{len(parts)} parts, {calls} calls, failed: {failed or 'none'}")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
