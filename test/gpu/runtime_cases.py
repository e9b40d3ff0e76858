#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The contract of execution on a CUDA device, from Python with torch: streams,
contexts, captures, CUDA graphs, threads, refusals, and what a call costs.

usage: runtime_cases.py (on a machine with a GPU; needs torch and opgraph)"""

import gc
import os
import subprocess
import sys
import threading
import time
import traceback

import opgraph
import torch

T = opgraph.data_type
ROWS, COLUMNS = 128, 256


def make_graph(**more):
    """y = relu(x + b) in bf16."""
    graph = opgraph.pygraph(io_data_type=T.BFLOAT16,
                            intermediate_data_type=T.FLOAT,
                            compute_data_type=T.FLOAT, **more)
    x = graph.tensor([ROWS, COLUMNS], name="x")
    b = graph.tensor([1, COLUMNS], name="b")
    y = graph.relu(graph.add(x, b))
    y.set_output(True).set_data_type(T.BFLOAT16).set_name("y")
    return graph, (x, b, y)


class Case:
    """A built graph with operands on the device."""

    def __init__(self, handle=None):
        self.graph, self.keys = make_graph(
            handle=handle or opgraph.create_handle())
        self.graph.build()
        size = self.graph.get_workspace_size()
        self.space = torch.empty(size, dtype=torch.uint8, device="cuda") \
            if size else None
        self.x = torch.randn(ROWS, COLUMNS, device="cuda").bfloat16()
        self.b = torch.randn(1, COLUMNS, device="cuda").bfloat16()
        self.y = torch.zeros(ROWS, COLUMNS, device="cuda").bfloat16()
        torch.cuda.synchronize()

    @property
    def pack(self):
        return dict(zip(self.keys, (self.x, self.b, self.y)))

    def run(self, **more):
        self.graph.execute(self.pack, self.space, **more)

    def is_right(self):
        torch.cuda.synchronize()
        expected = torch.relu(self.x.float() + self.b.float()).bfloat16()
        return torch.equal(self.y, expected)


def refused(text, call):
    try:
        call()
    except opgraph.Error as error:
        assert text in str(error), f"expected '{text}' in: {error}"
    else:
        raise AssertionError(f"expected a refusal with '{text}'")


def case_streams():
    case = Case()
    stream = torch.cuda.Stream()
    for given in (0, 1, 2, stream, stream.cuda_stream):
        case.y.zero_()
        torch.cuda.synchronize()
        case.run(stream=given)
        assert case.is_right(), given
    handle = opgraph.create_handle()
    opgraph.set_stream(handle, stream)
    case.y.zero_()
    torch.cuda.synchronize()
    case.run(handle=handle)
    assert case.is_right()


def case_order_on_a_stream():
    """Work before a call on its stream is seen by it, with no wait between."""
    case = Case()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(20_000_000)
        case.x.fill_(2)
        started = time.perf_counter()
        case.run(stream=stream.cuda_stream)
        waited = time.perf_counter() - started
    assert waited < 0.005, f"execute waited {waited * 1e3:.1f} ms"
    assert case.is_right()


def case_capture_of_build_and_execute():
    """A capture in global mode with all of it inside: build, then execute."""
    handle = opgraph.create_handle()
    warm = Case(handle)
    stream = torch.cuda.Stream()
    captured = torch.cuda.CUDAGraph()
    with torch.cuda.graph(captured, stream=stream,
                          capture_error_mode="global"):
        graph, keys = make_graph(handle=handle)
        graph.build()
        graph.execute(dict(zip(keys, (warm.x, warm.b, warm.y))), warm.space,
                      stream=torch.cuda.current_stream().cuda_stream)
    for value in (1.0, -3.0):
        warm.x.fill_(value)
        warm.y.zero_()
        captured.replay()
        assert warm.is_right()


def case_capture_without_prepare():
    case = Case()
    plan = opgraph.load_plan(case.graph.serialize(as_bytes=True))
    uids = {key.get_uid(): value for key, value in case.pack.items()}
    stream = torch.cuda.Stream()
    captured = torch.cuda.CUDAGraph()
    with torch.cuda.graph(captured, stream=stream):
        address = torch.cuda.current_stream().cuda_stream
        refused("before the capture",
                lambda: plan.execute(uids, case.space, stream=address))
        plan.prepare(0)
        plan.execute(uids, case.space, stream=address)
    captured.replay()
    assert case.is_right()


def case_cuda_graphs():
    """populate_cuda_graph and update_cuda_graph; the graph keeps the plan."""
    case = Case()
    other = torch.zeros_like(case.y)
    graph = torch.cuda.CUDAGraph(keep_graph=True)
    with torch.cuda.graph(graph):
        pass
    case.graph.populate_cuda_graph(None, case.pack, case.space, graph)
    refused("expected an empty CUDA graph",
            lambda: case.graph.populate_cuda_graph(None, case.pack, case.space,
                                                   graph))
    first = case.y
    case.y = other
    case.graph.update_cuda_graph(None, case.pack, case.space, graph)
    graph.instantiate()
    case.graph = None
    gc.collect()
    graph.replay()
    assert case.is_right()
    assert not first.any()


def case_threads():
    graph = Case().graph
    cases = [Case() for _ in range(4)]
    failures = []

    def work(case):
        stream = torch.cuda.Stream()
        keys = [graph.find_tensor(name) for name in ("x", "b", "y")]
        pack = dict(zip(keys, (case.x, case.b, case.y)))
        for _ in range(200):
            graph.execute(pack, case.space, stream=stream.cuda_stream)
        stream.synchronize()
        if not case.is_right():
            failures.append(case)
    threads = [threading.Thread(target=work, args=(c,)) for c in cases]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def case_refusals():
    case = Case()
    x, _, y = case.keys
    refused("expected a CUDA device", lambda: case.graph.execute(
        {**case.pack, x: case.x.cpu()}, case.space))
    refused("memory of the host", lambda: case.graph.execute(
        {**case.pack, x: case.x.cpu().data_ptr()}, case.space))
    refused("memory of the host", lambda: case.graph.execute(
        {**case.pack, y: case.y.cpu().pin_memory().data_ptr()}, case.space))
    refused("expected alignment", lambda: case.graph.execute(
        {**case.pack, x: case.x.data_ptr() + 1}, case.space))
    refused("is missing", lambda: case.graph.execute(
        {x: case.x, y: case.y}, case.space))
    refused("overlap", lambda: case.graph.execute(
        {**case.pack, y: case.x.data_ptr() + 16}, case.space))
    refused("no CUDA device 99", lambda: opgraph.create_handle("cuda:99"))
    host, keys = make_graph(device="host")
    host.build()
    refused("expected the host",
            lambda: host.execute(dict(zip(keys, case.pack.values()))))
    case.run()
    assert case.is_right()


def case_workspace():
    """Memory that the portions of a long sum do not fit in."""
    graph = opgraph.pygraph(io_data_type=T.FLOAT, intermediate_data_type=T.FLOAT,
                            compute_data_type=T.FLOAT)
    x = graph.tensor([1 << 16, 64])
    y = graph.reduction(x, mode=opgraph.reduction_mode.ADD)
    y.set_output(True).set_dim([1, 64]).set_stride([64, 1])
    graph.build()
    size = graph.get_workspace_size()
    assert size > 0
    whole = torch.empty(size + 256, dtype=torch.uint8, device="cuda")
    data = torch.randn(1 << 16, 64, device="cuda")
    total = torch.empty(1, 64, device="cuda")
    pack = {x: data, y: total}
    for text, space in (("is null", None),
                        ("bytes, expected", whole[:size // 2]),
                        ("memory of the host", whole.cpu()),
                        ("memory of the host", whole.cpu().data_ptr())):
        refused(text, lambda: graph.execute(pack, space))
    # Bytes that are not aligned are passed over, as get_workspace_size() expects.
    graph.execute(pack, whole[1:])
    torch.cuda.synchronize()
    assert torch.allclose(total, data.sum(0, keepdim=True), atol=1e-2)


def case_offsets():
    """Offsets on the device that decrease, or lie outside: nothing else is read
    or written, and groups hold what of them is rows."""
    rows, columns = 1000, 64
    data = torch.randn(1, rows, columns, device="cuda")
    for offsets in ([0, 400, 400, rows], [900, 100, 50, 0],
                    [-2 ** 31, 10, 2 ** 31 - 1, 5], [rows, rows, -1, rows + 1]):
        graph = opgraph.pygraph(io_data_type=T.FLOAT,
                                intermediate_data_type=T.FLOAT,
                                compute_data_type=T.FLOAT)
        x = graph.tensor([1, rows, columns])
        o = graph.tensor([4], data_type=T.INT32)
        y = graph.reduction(x, o, opgraph.reduction_mode.ADD)
        y.set_output(True).set_dim([3, 1, columns])
        graph.build()
        # What lies beside the operands is looked at afterwards.
        around = torch.full((5, 1, columns), 7.0, device="cuda")
        size = graph.get_workspace_size()
        space = torch.empty(size, dtype=torch.uint8, device="cuda")
        graph.execute({x: data, o: torch.tensor(offsets, dtype=torch.int32,
                                                device="cuda"),
                       y: around[1:4]}, space)
        torch.cuda.synchronize()
        bounds = [min(max(o, 0), rows) for o in offsets]
        want = torch.stack([data[0, a:max(a, b)].sum(0, keepdim=True)
                            for a, b in zip(bounds, bounds[1:])])
        assert torch.allclose(around[1:4], want, atol=1e-2), offsets
        assert bool((around[0] == 7).all() and (around[4] == 7).all())


def case_allocations():
    """A call takes no memory of torch's, nor of the device."""
    case = Case()
    case.run()
    torch.cuda.synchronize()
    before = torch.cuda.mem_get_info()[0], torch.cuda.memory_allocated()
    for _ in range(1000):
        case.run()
    torch.cuda.synchronize()
    assert before == (torch.cuda.mem_get_info()[0],
                      torch.cuda.memory_allocated())


FAULT = """
import opgraph, torch
T = opgraph.data_type.BFLOAT16
graph = opgraph.pygraph(io_data_type=T, intermediate_data_type=
                        opgraph.data_type.FLOAT, compute_data_type=
                        opgraph.data_type.FLOAT, name="too_far")
x = graph.tensor([16384, 65536])
y = graph.relu(x).set_output(True).set_data_type(T)
graph.build()
size = 2 ** 31
memory = torch.zeros(size + 2 ** 20, dtype=torch.uint8, device="cuda").data_ptr()
try:
    graph.execute({x: memory + size, y: memory}, None)
except opgraph.Error as error:
    print(error)
"""


def case_faults_name_the_kernel():
    """An address beyond the memory, which a bare pointer does not tell."""
    done = subprocess.run([sys.executable, "-c", FAULT], capture_output=True,
                          text=True, timeout=120,
                          env={**os.environ, "OPGRAPH_DEBUG_SYNC": "1"})
    for word in ("plan 'too_far'", "kernel 'opgraph_", "grid [", "threads",
                 "CUDA device 0", "CUDA_ERROR_ILLEGAL_ADDRESS"):
        assert word in done.stdout, (word, done.stdout, done.stderr[-500:])


def case_several_devices():
    for ordinal in range(1, torch.cuda.device_count()):
        case = Case()
        handle = opgraph.create_handle(ordinal)
        case.x, case.b, case.y = (t.to(f"cuda:{ordinal}")
                                  for t in (case.x, case.b, case.y))
        if case.space is not None:
            case.space = case.space.to(f"cuda:{ordinal}")
        case.run(handle=handle)
        torch.cuda.synchronize(ordinal)
        assert case.is_right()


def case_cost():
    """Printed, not judged: microseconds to enqueue, torch's own beside it."""
    case = Case()

    def median(call):
        times = []
        for _ in range(25):
            torch.cuda.synchronize()
            start = time.perf_counter()
            for _ in range(2000):
                call()
            times.append((time.perf_counter() - start) / 2000)
        return sorted(times)[12] * 1e6
    pack, out = case.pack, case.y
    print(f"  execute {median(lambda: case.graph.execute(pack, case.space)):.2f}"
          f" us, torch.add {median(lambda: torch.add(case.x, case.b, out=out)):.2f}"
          " us")


def main():
    failed = 0
    cases = [value for name, value in globals().items()
             if name.startswith("case_")]
    for case in cases:
        try:
            case()
            print("passed", case.__name__, flush=True)
        except Exception:
            failed += 1
            print("FAILED", case.__name__)
            traceback.print_exc()
    print(f"{len(cases) - failed} of {len(cases)} passed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
