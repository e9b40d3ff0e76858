#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans that cuDNN runs, on a CUDA device, from Python with torch: numbers of
every plan of a list, captures, CUDA graphs, threads, plan files, and what a call
costs.

usage: cudnn_cases.py [NAME...] (on a machine with a GPU; needs torch, opgraph
and cuDNN)"""

import subprocess
import sys
import tempfile
import threading
import time
import traceback

import opgraph
import torch

T = opgraph.data_type
M, N, K = 1024, 768, 512


class Matmul:
    """relu(a b) in bf16, planned by cuDNN; `index` is of its plans."""

    def __init__(self, index=None):
        self.graph = opgraph.pygraph(
            handle=opgraph.create_handle(), io_data_type=T.BFLOAT16,
            intermediate_data_type=T.FLOAT, compute_data_type=T.FLOAT)
        a = self.graph.tensor([1, M, K], name="a")
        b = self.graph.tensor([1, K, N], name="b")
        y = self.graph.relu(self.graph.matmul(a, b))
        y.set_output(True).set_data_type(T.BFLOAT16).set_name("y")
        self.keys = a, b, y
        self.graph.validate()
        self.graph.create_execution_plans()
        self.indices = [i for i in range(self.graph.get_execution_plan_count())
                        if self.name(i).startswith("cudnn")]
        torch.manual_seed(0)
        self.a = torch.randn(1, M, K, device="cuda").bfloat16()
        self.b = torch.randn(1, K, N, device="cuda").bfloat16()
        self.y = torch.zeros(1, M, N, device="cuda").bfloat16()
        if index is not None:
            self.build(index)

    def name(self, index):
        return self.graph.get_plan_name_at_index(index)

    def build(self, index):
        self.graph.build_plan_at_index(index)
        size = self.graph.get_workspace_size()
        self.space = torch.empty(size, dtype=torch.uint8, device="cuda") \
            if size else None

    @property
    def pack(self):
        return dict(zip(self.keys, (self.a, self.b, self.y)))

    def run(self, **more):
        self.graph.execute(self.pack, self.space, **more)

    def is_right(self):
        torch.cuda.synchronize()
        expected = torch.relu(self.a.double() @ self.b.double())
        return torch.allclose(self.y.double(), expected, rtol=2 ** -7,
                              atol=0.05)


def measure(run, count=200):
    """Microseconds of one call on the device."""
    for _ in range(5):
        run()
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    for _ in range(count):
        run()
    end.record()
    torch.cuda.synchronize()
    return begin.elapsed_time(end) / count * 1e3


def case_every_plan():
    """Each plan of the list builds, computes the same, and is timed."""
    case = Matmul()
    assert case.indices, case.graph.explain()
    for index in case.indices:
        start = time.perf_counter()
        case.build(index)
        built = time.perf_counter() - start
        case.y.zero_()
        case.run()
        right = case.is_right()
        info = case.graph.plans[index]
        print(f"  {case.name(index):60} built in {built * 1e3:8.1f} ms, "
              f"workspace {case.graph.get_workspace_size():9}, predicted "
              f"{info.predicted_time_ns / 1e3:7.1f} us, measured "
              f"{measure(case.run):7.1f} us, {'right' if right else 'WRONG'}")
        assert right


def case_capture():
    """A capture holds the library's kernels."""
    case = Matmul()
    case.build(case.indices[0])
    captured = torch.cuda.CUDAGraph()
    with torch.cuda.graph(captured):
        case.run(stream=torch.cuda.current_stream().cuda_stream)
    case.y.zero_()
    captured.replay()
    assert case.is_right()


def case_cuda_graphs():
    """populate_cuda_graph and update_cuda_graph, where the engine can."""
    case = Matmul()
    case.graph.select_behavior_notes(
        [opgraph.behavior_note.SUPPORTS_CUDA_GRAPH_NATIVE_API])
    able = [i for i in case.indices if not case.graph.plans[i].barred]
    print(f"  {len(able)} of {len(case.indices)} plans")
    if not able:
        case = Matmul()
    case.build((able or case.indices)[0])
    graph = torch.cuda.CUDAGraph(keep_graph=True)
    with torch.cuda.graph(graph):
        pass
    try:
        case.graph.populate_cuda_graph(None, case.pack, case.space, graph)
    except opgraph.Error as error:
        assert not able, error
        print("  refused:", error)
        return
    first, case.y = case.y, torch.zeros_like(case.y)
    case.graph.update_cuda_graph(None, case.pack, case.space, graph)
    graph.instantiate()
    graph.replay()
    assert case.is_right()
    assert not first.any()


def case_threads():
    """Threads execute one plan at once, each with its operands and stream."""
    case = Matmul()
    case.build(case.indices[0])
    outputs = [torch.zeros_like(case.y) for _ in range(4)]
    size = case.graph.get_workspace_size()

    def work(output):
        stream = torch.cuda.Stream()
        space = torch.empty(max(size, 1), dtype=torch.uint8, device="cuda")
        torch.cuda.synchronize()
        for _ in range(50):
            case.graph.execute(dict(zip(case.keys, (case.a, case.b, output))),
                               space, stream=stream.cuda_stream)
        stream.synchronize()

    threads = [threading.Thread(target=work, args=(o,)) for o in outputs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for case.y in outputs:
        assert case.is_right()


REPLAY = """
import sys, time, torch, opgraph
torch.manual_seed(0)
a = torch.randn(1, {m}, {k}, device="cuda").bfloat16()
b = torch.randn(1, {k}, {n}, device="cuda").bfloat16()
y = torch.zeros(1, {m}, {n}, device="cuda").bfloat16()
data = open(sys.argv[1], "rb").read()
times = []
for _ in range(3):
    graph = opgraph.pygraph(handle=opgraph.create_handle())
    start = time.perf_counter()
    graph.deserialize(opgraph.create_handle(), data)
    times.append((time.perf_counter() - start) * 1e3)
size = graph.get_workspace_size()
space = torch.empty(max(size, 1), dtype=torch.uint8, device="cuda")
graph.execute({{{ua}: a, {ub}: b, {uy}: y}}, space)
torch.cuda.synchronize()
torch.save(y.cpu(), sys.argv[2])
print("  restored in", ", ".join(f"{{t:.2f}}" for t in times), "ms")
"""


def case_replay():
    """A plan file in a new process gives the same bits."""
    case = Matmul()
    for index in case.indices[:1] + case.indices[-1:]:
        case.build(index)
        case.run()
        assert case.is_right()
        uids = [key.get_uid() for key in case.keys]
        with tempfile.TemporaryDirectory() as folder:
            plan, result = folder + "/p.ogplan", folder + "/y.pt"
            data = case.graph.serialize(as_bytes=True)
            with open(plan, "wb") as file:
                file.write(data)
            print(f"  {case.name(index)}: {len(data)} bytes")
            text = REPLAY.format(m=M, n=N, k=K, ua=uids[0], ub=uids[1],
                                 uy=uids[2])
            subprocess.run([sys.executable, "-c", text, plan, result],
                           check=True)
            assert torch.equal(torch.load(result), case.y.cpu())


def case_call_costs():
    """What execute costs the host."""
    case = Matmul()
    case.build(case.indices[0])
    for _ in range(100):
        case.run()
    torch.cuda.synchronize()
    best = float("inf")
    for _ in range(20):
        start = time.perf_counter()
        for _ in range(50):
            case.run()
        best = min(best, (time.perf_counter() - start) / 50)
        torch.cuda.synchronize()
    print(f"  {best * 1e6:.2f} us a call")


def main():
    names = sys.argv[1:]
    failed = 0
    for name, case in list(globals().items()):
        if not name.startswith("case_") or names and name[5:] not in names:
            continue
        print(f"{name[5:]}: {case.__doc__.splitlines()[0]}", flush=True)
        try:
            case()
        except Exception:  # a failure of any kind is the case's
            traceback.print_exc()
            failed += 1
        sys.stdout.flush()
    print("failed:", failed)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
