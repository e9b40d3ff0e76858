#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans that cuDNN runs, on a CUDA device, from Python with torch: numbers of
every plan of a list, captures, CUDA graphs, threads, plan files, and what a call
costs.

usage: cudnn_cases.py [NAME...] (on a machine with a GPU; needs torch, opgraph
and cuDNN)"""

import ctypes
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
import traceback

import opgraph
import torch

from gpu_paths import HERE, INCLUDE

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


class BareApi:
    """A plan of the library's through its backend API in C++
    (cudnn_cost.cpp)."""

    def __init__(self, case):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["g++", "-std=c++17", "-O2", "-shared", "-fPIC",
                            "-I", str(INCLUDE), str(HERE / "cudnn_cost.cpp"),
                            "-o", folder + "/cost.so", "-ldl"], check=True)
            self.library = ctypes.CDLL(folder + "/cost.so")
        self.library.cost_run.restype = ctypes.c_double
        maps = pathlib.Path("/proc/self/maps").read_text()
        path = re.search(r"/\S*/libcudnn\.so\S*", maps).group()
        text = self.plan_in(case.graph.serialize(as_bytes=True))
        code = self.library.cost_open(path.encode(), text, len(text))
        assert code == 0, code
        # The plan names its tensors by their uids; the extents tell which.
        uids = {tuple(t["dim"]): int(t["name"]) for t in
                json.loads(text)["operationGraph"]["tensors"]
                if not t["isVirtual"]}
        operands = case.a, case.b, case.y
        self.uids = (ctypes.c_int64 * 3)(*(uids[tuple(t.shape)]
                                           for t in operands))
        self.data = (ctypes.c_void_p * 3)(*(t.data_ptr() for t in operands))
        self.space = ctypes.c_void_p(
            case.space.data_ptr() if case.space is not None else None)

    @staticmethod
    def plan_in(data):
        """The library's serialised plan, the longest JSON of a plan file."""
        found, text, place = "", data.decode("latin-1"), 0
        while (place := text.find("{", place)) >= 0:
            try:
                _, end = json.JSONDecoder().raw_decode(text, place)
                found = max(found, text[place:end], key=len)
                place = end
            except ValueError:
                place += 1
        return found.encode("latin-1")

    def run(self, calls, makes_packs):
        """Microseconds a call."""
        found = self.library.cost_run(self.uids, self.data,
                                      ctypes.c_int64(3), self.space, None,
                                      calls, makes_packs)
        assert found > 0, found
        return found


def case_call_costs():
    """What execute costs the host, beside the bare backend API in C++."""
    case = Matmul()
    for index in {int(re.search(r"cudnn:(\d+)", case.name(i)).group(1)): i
                  for i in reversed(case.indices)}.values():
        case.build(index)
        case.run()
        bare = BareApi(case)
        case.y.zero_()
        assert bare.run(1, 1) and case.is_right()
        pack, space, calls = case.pack, case.space, 50
        best = [float("inf")] * 3
        for _ in range(40):
            start = time.perf_counter()
            for _ in range(calls):
                case.graph.execute(pack, space)
            best[0] = min(best[0], (time.perf_counter() - start) / calls * 1e6)
            torch.cuda.synchronize()
            for makes in (1, 0):
                best[2 - makes] = min(best[2 - makes], bare.run(calls, makes))
                torch.cuda.synchronize()
        ours, new, kept = best
        print(f"  {case.name(index):55} Python {ours:5.2f} us a call, C++ with "
              f"a pack a call {new:5.2f} (+{ours - new:.2f}), with one pack "
              f"{kept:5.2f} (+{ours - kept:.2f})")


START = """
import time
marks = [("", time.perf_counter())]
def mark(name):
    marks.append((name, time.perf_counter()))
import opgraph, torch
torch.zeros(1, device="cuda")
mark("import opgraph and torch, CUDA context")
opgraph.cudnn_version()
mark("open the library")
T = opgraph.data_type
def make():
    g = opgraph.pygraph("mm", T.BFLOAT16, T.FLOAT, T.FLOAT, device="cuda")
    a, b = g.tensor([1, {m}, {k}]), g.tensor([1, {k}, {n}])
    y = g.relu(g.matmul(a, b)).set_output(True).set_data_type(T.BFLOAT16)
    g.create_execution_plans([opgraph.heur_mode.A])
    return g, (a, b, y)
def run(g, keys):
    space = torch.empty(max(g.get_workspace_size(), 1), dtype=torch.uint8,
                        device="cuda")
    pack = {{key: torch.zeros(key.get_dim(), dtype=torch.bfloat16,
                             device="cuda") for key in keys}}
    torch.cuda.synchronize()
    mark("")
    g.execute(pack, space)
    torch.cuda.synchronize()
for word in ("first", "second"):
    g, keys = make()
    mark(word + " list of plans")
    g.build_plan_at_index(0)
    mark(word + " build and handle")
    run(g, keys)
    mark(word + " execution, waited for")
for (_, before), (name, after) in zip(marks, marks[1:]):
    if name:
        print(f"  {{(after - before) * 1e3:9.2f}} ms  {{name}}")
"""


def case_starts():
    """What the first call of each kind costs a process, and the next."""
    subprocess.run([sys.executable, "-c", START.format(m=M, n=N, k=K)],
                   check=True)


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
