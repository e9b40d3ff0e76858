# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How good the first plan of the ranked list is: each plan of a hundred graphs
(ranked_graphs.py) measured on the device that is here. Prints, by family, how
often the first plan is within 5 % of the best measured one, the mean regret, and
how far predictions are off.

Times are of replays of a CUDA graph that holds the plan many times, over
rotating operands of 128 MB in all, so that none is in the L2 cache. Processes
build plans at once; one at a time measures.

Run in an unpacked bundle: PYTHONPATH=python python3 test/gpu/rank_plans.py
"""

import argparse
import collections
import fcntl
import json
import math
import multiprocessing
import statistics
import sys
import tempfile
import time

ROTATED_BYTES = 128 << 20
MOST_COPIES = 32
MOST_CALLS = 64
#: Microseconds of one replay.
REPLAY_US = 1500
#: What counts as the best.
SLACK = 1.05
#: Plans within this of the best are measured once more, so often.
CLOSE = 1.15
ROUNDS = 15


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--graphs", type=int, default=100,
                        help="every n-th graph, so that about so many stay")
    parser.add_argument("--plans", type=int, default=16,
                        help="at most so many plans a graph, from the first")
    parser.add_argument("--modes", default="A,FALLBACK")
    parser.add_argument("-j", "--jobs", type=int, default=14)
    parser.add_argument("--seconds", type=float, default=1e9,
                        help="begin no further graph after this time")
    parser.add_argument("--json", metavar="FILE",
                        help="write what was measured")
    parser.add_argument("--read", metavar="FILE",
                        help="measure nothing: report on that file")
    parser.add_argument("--examples", action="store_true",
                        help="one graph of each family instead")
    parser.add_argument("--lists", action="store_true",
                        help="print every list")
    return parser.parse_args()


# --- measuring ----------------------------------------------------------------

def make_packs(graph):
    """Operands, several times, on the device."""
    import opgraph
    import torch
    kinds = {opgraph.data_type.FLOAT: torch.float32,
             opgraph.data_type.BFLOAT16: torch.bfloat16,
             opgraph.data_type.HALF: torch.float16}
    inputs = [t for t in graph.get_inputs() if not t.get_is_pass_by_value()]
    ports = inputs + graph.get_outputs()

    def make(tensor):
        extents, strides = tensor.get_dim(), tensor.get_stride()
        kind = kinds[tensor.get_data_type()]
        length = 1 + sum((e - 1) * s for e, s in zip(extents, strides))
        return torch.randn(length, device="cuda", dtype=kind) \
            .as_strided(extents, strides)

    first = {port: make(port) for port in ports}
    size = sum(t.numel() * t.element_size() for t in first.values())
    copies = min(max(math.ceil(ROTATED_BYTES / size), 1), MOST_COPIES)
    return [first] + [{port: make(port) for port in ports}
                      for _ in range(copies - 1)], size


class Replay:
    """A CUDA graph that holds the candidate many times."""

    def __init__(self, graph, packs, workspace):
        import torch
        self.stream = torch.cuda.Stream()
        self.begin, self.end = (torch.cuda.Event(enable_timing=True)
                                for _ in range(2))
        self.calls = self.count(graph, packs, workspace)
        self.captured = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.captured, stream=self.stream):
            for i in range(self.calls):
                graph.execute(packs[i % len(packs)], workspace,
                              stream=self.stream.cuda_stream)
        self.times = []
        self.run(1)
        self.times.clear()

    def count(self, graph, packs, workspace):
        """Calls that take about as long as one replay shall."""
        stream = self.stream
        for i in range(3):
            if i == 1:
                self.begin.record(stream)
            graph.execute(packs[i % len(packs)], workspace,
                          stream=stream.cuda_stream)
        self.end.record(stream)
        stream.synchronize()
        rough = max(self.begin.elapsed_time(self.end) * 500, 1)
        return min(max(int(REPLAY_US / rough), 2, min(len(packs), 16)),
                   MOST_CALLS)

    def run(self, times):
        import torch
        with torch.cuda.stream(self.stream):
            for _ in range(times):
                self.begin.record(self.stream)
                self.captured.replay()
                self.end.record(self.stream)
                self.stream.synchronize()
                self.times.append(self.begin.elapsed_time(self.end) * 1e3 /
                                  self.calls)

    def median(self):
        """Microseconds of one execution."""
        return statistics.median(self.times)


def measure_rows(graph, rows, packs, workspace):
    """All plans five times; then those that may be the best again and again in
    turn, so that none of them is the best by luck."""
    replays = {}
    for row in rows:
        graph.build_plan_at_index(row["index"])
        try:
            replays[row["index"]] = Replay(graph, packs, workspace)
            replays[row["index"]].run(5)
        except Exception as error:
            row["error"] = f"{type(error).__name__}: {error}"[:300]
    if not replays:
        return
    best = min(replay.median() for replay in replays.values())
    close = [replay for index, replay in replays.items()
             if replay.median() < CLOSE * best or index == min(replays)]
    for replay in close:
        replay.times.clear()
    for _ in range(ROUNDS):
        for replay in close:
            replay.run(1)
    for row in rows:
        if row["index"] in replays:
            row["measured"] = round(replays[row["index"]].median(), 3)


def build_all(graph, limit):
    """One row a plan of the list; those of the first `limit` are built."""
    rows = []
    for plan in graph.plans:
        row = {"plan": plan.name, "engine": plan.engine_id,
               "name": plan.engine_name, "index": plan.index,
               "mode": plan.mode, "workspace": plan.workspace,
               "predicted": plan.predicted_time_ns / 1e3}
        rows.append(row)
        if plan.index >= limit:
            continue
        start = time.perf_counter()
        try:
            graph.build_plan_at_index(plan.index)
        except Exception as error:  # the next plan is tried by users as well
            row["error"] = f"{type(error).__name__}: {error}"[:300]
        row["build_ms"] = round((time.perf_counter() - start) * 1e3, 1)
    return rows


def measure_graph(spec, chosen, lock):
    import opgraph
    import ranked_graphs
    import torch
    found = dict(spec)
    start = time.perf_counter()
    graph = ranked_graphs.build(spec)
    graph.create_execution_plans([opgraph.heur_mode[mode]
                                  for mode in chosen.modes.split(",")])
    found["count"] = graph.get_execution_plan_count()
    found["plan_ms"] = round((time.perf_counter() - start) * 1e3, 1)
    stages = collections.Counter()
    for stage, _, ns in graph._native.stages():
        stages[stage] += ns / 1e6
    found["library_ms"] = round(stages["rank/library"], 3)
    found["own_ms"] = round(stages["rank"] - stages["rank/library"], 3)
    rows = found["plans"] = build_all(graph, chosen.plans)
    built = [row for row in rows if "build_ms" in row and "error" not in row]
    with open(lock, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        packs, found["bytes"] = make_packs(graph)
        space = max([0] + [graph.get_workspace_size_plan_at_index(r["index"])
                           for r in built])
        workspace = torch.empty(max(space, 1), dtype=torch.uint8,
                                device="cuda")
        measure_rows(graph, built, packs, workspace)
        del packs, workspace
        torch.cuda.synchronize()
        torch.cuda.empty_cache()
    return found


def work(queue, results, chosen, lock, end):
    while time.time() < end:
        try:
            spec = queue.get(timeout=0.5)
        except Exception:  # queue.Empty of this context
            break
        try:
            results.put(measure_graph(spec, chosen, lock))
        except Exception as error:  # one graph must not end the others
            results.put({**spec, "failed": f"{type(error).__name__}: {error}"})
    results.put(None)


def measure_graphs(chosen):
    import ranked_graphs
    specs = ranked_graphs.EXAMPLES if chosen.examples else \
        ranked_graphs.draw(chosen.seed)
    specs = [{"number": i, **spec} for i, spec in enumerate(specs)]
    specs = specs[::max(1, round(len(specs) / chosen.graphs))]
    context = multiprocessing.get_context("spawn")
    queue, results = context.Queue(), context.Queue()
    # Those with the longest lists first.
    for spec in sorted(specs, key=lambda s: s["family"] != "conv"):
        queue.put(spec)
    end = time.time() + chosen.seconds
    found = []
    with tempfile.NamedTemporaryFile() as lock:
        workers = [context.Process(target=work, args=(
            queue, results, chosen, lock.name, end), daemon=True)
            for _ in range(chosen.jobs)]
        for worker in workers:
            worker.start()
        left = len(workers)
        while left:
            try:
                one = results.get(timeout=60)
            except Exception:  # a process that died ends nothing
                if not any(worker.is_alive() for worker in workers):
                    break
                continue
            if one is None:
                left -= 1
            else:
                found.append(one)
    return sorted(found, key=lambda one: one["number"])


# --- reporting ----------------------------------------------------------------

def judge(one):
    """(regret of the first plan, log of predicted over measured a plan)."""
    measured = [row for row in one["plans"] if "measured" in row]
    best = min(row["measured"] for row in measured)
    return (measured[0]["measured"] / best - 1,
            [math.log(row["predicted"] / row["measured"]) for row in measured])


def mean(values):
    return sum(values) / len(values) if values else float("nan")


def print_list(one):
    spec = {k: v for k, v in one.items()
            if k not in ("plans", "number", "bytes", "count", "plan_ms")}
    print(f"graph {one['number']}: {spec}: {one['count']} plans, listed in "
          f"{one['plan_ms']} ms")
    for row in one["plans"]:
        told = f"{row['measured']:9.1f} us" if "measured" in row else \
            row.get("error", "not measured")
        print(f"  {row['index']:3} {row['plan'][:76]:76} predicted "
              f"{row['predicted']:9.1f} us, measured {told}")


def report(found):
    """Prints the figures; whether all were measured."""
    families = collections.defaultdict(list)
    failed = [one for one in found if "failed" in one or not any(
        "measured" in row for row in one.get("plans", ()))]
    for one in found:
        if one not in failed:
            families[one["family"]].append(one)
    families["all"] = [one for one in found if one not in failed]
    print(f"{'family':8} {'graphs':>6} {'plans':>6} {'listed':>6} "
          f"{'first within 5 %':>17} {'mean regret':>12} "
          f"{'predicted / measured':>21} {'off by':>7}")
    for family, ones in families.items():
        regrets, logs = zip(*map(judge, ones)) if ones else ((), ())
        good = sum(regret <= SLACK - 1 for regret in regrets)
        flat = [value for one in logs for value in one]
        plans = sum("measured" in row for one in ones for row in one["plans"])
        print(f"{family:8} {len(ones):6} {plans:6} "
              f"{sum(one['count'] for one in ones):6} "
              f"{good:6} = {100 * good / max(len(ones), 1):5.1f} % "
              f"{100 * mean(regrets):10.2f} % {math.exp(mean(flat)):21.2f} "
              f"{math.exp(mean([abs(v) for v in flat])):6.2f}x")
    for side in ("cudnn", "nvptx"):
        logs = [math.log(row["predicted"] / row["measured"])
                for one in families["all"] for row in one["plans"]
                if "measured" in row and row["name"].startswith(side)]
        if logs:
            print(f"{len(logs)} plans of {side}: predicted / measured "
                  f"{math.exp(mean(logs)):.2f}, off by "
                  f"{math.exp(mean([abs(v) for v in logs])):.2f}x")
    if families["all"] and "own_ms" in families["all"][0]:
        own, library = ([one[key] for one in families["all"]]
                        for key in ("own_ms", "library_ms"))
        print(f"making a whole list: the library's answers "
              f"{statistics.median(library):.1f} ms (median), the rest "
              f"{statistics.median(own):.2f} ms, at most {max(own):.2f} ms")
    errors = collections.Counter(
        row["error"][:160] for one in found for row in one.get("plans", ())
        if "error" in row)
    for text, count in errors.most_common(6):
        print(f"{count} plans: {text}")
    for one in failed:
        print(f"graph {one['number']} ({one['family']}): "
              f"{one.get('failed', 'no plan was measured')[:300]}")
    return not failed


def main():
    chosen = options()
    start = time.time()
    if chosen.read:
        with open(chosen.read) as file:
            found = json.load(file)
    else:
        found = measure_graphs(chosen)
        if chosen.json:
            with open(chosen.json, "w") as file:
                json.dump(found, file)
    if chosen.lists:
        for one in found:
            if "plans" in one:
                print_list(one)
    complete = report(found)
    print(f"seed {chosen.seed}: {len(found)} graphs in "
          f"{time.time() - start:.0f} s")
    return 0 if complete and found else 1


if __name__ == "__main__":
    sys.exit(main())
