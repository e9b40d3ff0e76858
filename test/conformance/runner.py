# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a case: the judge against its formula, other engines against the
judge."""

import concurrent.futures.process
import dataclasses
import functools
import itertools
import multiprocessing
import time
from typing import Dict, List

import numpy as np
import opgraph
from support.dtypes import (ANY_OPGRAPH, FORMAT, convert, is_float, ulp_of,
                            widen)

from .case import Operand, Output, all_cases
from .memory import (GAP_BYTE, POISON_BYTE, Memory, offsets_for, strides_for)

JUDGE = 10000
ENGINES = {"host.reference": JUDGE, "host.fused": 10100}
_NAME_OF = {member: name for name, member in ANY_OPGRAPH.items()}


class Wrong(Exception):
    """An engine's result is not what it should be."""


@dataclasses.dataclass
class Outcome:
    """What became of one case. failure: "" or the text; declined: engine ->
    reason."""

    op: str
    case: str
    failure: str = ""
    declined: Dict[str, str] = dataclasses.field(default_factory=dict)
    served: List[str] = dataclasses.field(default_factory=list)


def new_graph(case, **more):
    """A graph with the case's element types."""
    return opgraph.pygraph(
        **more, name=f"{case.op}_case", io_data_type=ANY_OPGRAPH[case.io or case.dtype],
        intermediate_data_type=ANY_OPGRAPH[
            "f64" if case.compute_type == "f64" else case.intermediate],
        compute_data_type=ANY_OPGRAPH[case.compute_type])


class Inputs:
    """The operands of a case in memory and as tensors of its graph."""

    def __init__(self, graph, operands):
        self.graph, self.operands = graph, operands
        self.tensors, self.memory, self.values = {}, {}, {}
        for name in operands:
            self._declare(name)

    def _declare(self, name):
        if name in self.tensors:
            return
        given: Operand = self.operands[name]
        if given.ragged:
            self._declare(given.ragged)
        values = np.asarray(given.values)
        dim = list(values.shape) if given.dim is None else list(given.dim)
        strides = list(given.strides) if given.strides is not None else \
            strides_for(dim, given.layout)
        if given.storage:
            offsets = np.arange(values.size).reshape(values.shape)
        elif given.offsets is not None:
            offsets = np.asarray(given.offsets)
        else:
            offsets = offsets_for(dim, strides)
        memory = Memory(given.dtype, offsets, GAP_BYTE,
                        misaligned=given.misaligned)
        # Elements that share memory: the last one stored is what all read.
        memory.write(values)
        more = {}
        if given.ragged:
            more = {"ragged_offset": self.tensors[given.ragged],
                    "ragged_offset_multiplier": given.ragged_multiplier}
        if given.reordering:
            more["reordering_type"] = opgraph.tensor_reordering[given.reordering]
        tensor = self.graph.tensor(
            dim=dim, stride=strides, data_type=ANY_OPGRAPH[given.dtype],
            is_pass_by_value=given.by_value, name=name, **more)
        tensor.set_alignment(memory.alignment)
        self.tensors[name], self.memory[name] = tensor, memory
        self.values[name] = memory.values()

    def pack(self):
        """Buffers as bytes; scalars as values of their own type."""
        return {t: self.memory[n].read() if self.operands[n].by_value
                else self.memory[n].body for n, t in self.tensors.items()}

    def check(self):
        """Raises when an engine wrote to an input."""
        for name, memory in self.memory.items():
            if not _same(memory.values(), self.values[name]):
                raise Wrong(f"input '{name}' was written")


def _same(a, b):
    return np.array_equal(a, b, equal_nan=a.dtype.kind == "f")


def _outputs(built):
    return {port: result if isinstance(result, Output) else Output(result)
            for port, result in built.items()}


def declare(operation, case, **more):
    """(graph, inputs, outputs) of a case, validated; `more` for the graph."""
    graph = new_graph(case, **more)
    inputs = Inputs(graph, operation.operands(
        case, np.random.default_rng(case.seed)))
    outputs = _outputs(operation.build(case, graph, inputs.tensors))
    for output in outputs.values():
        output.tensor.set_output(True)
    graph.validate()
    return graph, inputs, outputs


def result_memory(output):
    """Poisoned Memory for a result, as its tensor lies."""
    tensor = output.tensor
    offsets = output.offsets if output.offsets is not None else \
        offsets_for(tensor.get_dim(), tensor.get_stride())
    return Memory(_NAME_OF[tensor.get_data_type()], offsets, POISON_BYTE,
                  output.elements)


def check_damage(results):
    """Raises Wrong where a run wrote outside of a result's elements."""
    for port, memory in results.items():
        damage = memory.damage()
        if damage:
            raise Wrong(f"{port}: {damage}")


def execute(graph, inputs, outputs, engine):
    """{port: Memory} of one engine's run. Raises GraphNotSupportedError when
    it declines."""
    graph.create_execution_plan(engine)
    graph.build_plans()
    pack, results = inputs.pack(), {}
    for port, output in outputs.items():
        results[port] = result_memory(output)
        pack[output.tensor] = results[port].body
    size = graph.get_workspace_size()
    graph.execute(pack, np.full(size, 0xFF, np.uint8) if size else None)
    inputs.check()
    check_damage(results)
    return results


def compare(got, want, dtype, ulps, absolute, unspecified=None):
    """Raises Wrong naming the first wrong element. `got` and `want` are
    float64 or int64, exactly as `dtype` holds them."""
    if got.shape != want.shape:
        raise Wrong(f"expected shape {want.shape}, got {got.shape}")
    if not is_float(dtype):
        wrong = np.abs(got - want) > np.broadcast_to(absolute, got.shape) \
            if np.any(absolute) else got != want
    else:
        wrong = ~_near(got, want, dtype, ulps, absolute)
    if unspecified is not None:
        wrong &= ~np.broadcast_to(unspecified, wrong.shape)
    if wrong.any():
        index = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise Wrong(
            f"{int(wrong.sum())} of {wrong.size} elements wrong, first at "
            f"{list(index)}: expected {want[index]!r}, got {got[index]!r}")


def _near(got, want, dtype, ulps, absolute):
    exact = not np.any(absolute) and ulps == 0
    with np.errstate(all="ignore"):
        same = got == want
        if exact:
            same &= np.signbit(got) == np.signbit(want)
        same |= np.isnan(got) & np.isnan(want)
        if exact:
            return same
        close = np.abs(got - want) <= ulps * ulp_of(want, dtype) + absolute
        close &= np.isfinite(got) & np.isfinite(want)
        if ulps:
            # At the edge of the range a rounding may go to infinity.
            edge = FORMAT[dtype][2] * (1 - 2.0 ** -3)
            close |= (np.isinf(got) != np.isinf(want)) & (
                np.minimum(np.abs(got), np.abs(want)) >= edge) & (
                np.sign(got) == np.sign(want))
    return same | close


def run_case(operation, case, engines=()):
    """The Outcome of a case on the judge and on `engines` (names)."""
    outcome = Outcome(case.op, case.id)
    where = "declaration"
    try:
        graph, inputs, outputs = declare(operation, case)
        where = "formula"
        with np.errstate(all="ignore"):
            wants = operation.expected(case, inputs.values)
        where = "host.reference"
        judge = execute(graph, inputs, outputs, JUDGE)
        outcome.served.append("host.reference")
        _check_judge(judge, wants)
        for engine in engines:
            if ENGINES[engine] == JUDGE:
                continue
            where = engine
            _check_engine(graph, inputs, outputs, engine, judge, wants, outcome)
    except Wrong as error:
        outcome.failure = f"{where}: {error}"
    except Exception as error:  # a case must not end the others
        outcome.failure = f"{where}: {type(error).__name__}: {error}"
    return outcome


def _check_judge(judge, wants):
    if set(wants) != set(judge):
        raise Wrong(f"expected results {sorted(wants)}, got {sorted(judge)}")
    for port, want in wants.items():
        dtype = judge[port].dtype
        try:
            compare(judge[port].values(), widen(convert(want.values, dtype)),
                    dtype, want.ulps, want.absolute, want.unspecified)
        except Wrong as error:
            raise Wrong(f"{port} ({dtype}) against NumPy: {error}") from None


def _check_engine(graph, inputs, outputs, engine, judge, wants, outcome):
    try:
        results = execute(graph, inputs, outputs, ENGINES[engine])
    except opgraph.cudnnGraphNotSupportedError as error:
        outcome.declined[engine] = _reason(str(error), engine)
        return
    outcome.served.append(engine)
    compare_engine(results, judge, wants)


def compare_engine(results, judge, wants, tf32=False):
    """Raises Wrong where an engine's results are too far from the judge's.
    tf32: the engine rounds f32 operands of products to it."""
    for port, want in wants.items():
        ulps, absolute = want.engine_bound(tf32)
        dtype = judge[port].dtype
        try:
            compare(results[port].values(), judge[port].values(), dtype, ulps,
                    absolute, want.unspecified)
        except Wrong as error:
            raise Wrong(f"{port} ({dtype}) against the judge: {error}") \
                from None


def _reason(text, engine):
    for line in text.splitlines():
        if line.strip().startswith(engine):
            return " ".join(line.split()[2:]) or line.strip()
    return text.splitlines()[0]


# --- many cases --------------------------------------------------------------

#: Cases that a process runs at a time.
CHUNK = 40


@functools.lru_cache(None)
def _cases_of(op):
    return {case.id: (owner, case) for owner, case in all_cases(op)}


def _run_chunk(op, ids, engines):
    """([Outcome], seconds) of some cases of an op; runs in any process."""
    start = time.perf_counter()
    results = [run_case(*_cases_of(op)[number], engines) for number in ids]
    return results, time.perf_counter() - start


def _finish(op, ids, future):
    """What a chunk gave; where its process died, a failure of each case."""
    try:
        return future.result()
    except concurrent.futures.process.BrokenProcessPool:
        return [Outcome(op, number, "the process died in one of these cases; "
                        "--jobs 1 -v says in which") for number in ids], 0.0


def _chunks(cases):
    """(op, case ids) in the order of `cases`, which is by op."""
    for op, group in itertools.groupby(cases, lambda pair: pair[1].op):
        ids = [case.id for _, case in group]
        for first in range(0, len(ids), CHUNK):
            yield op, ids[first:first + CHUNK]


def run_groups(cases, options):
    """Yields (op, [Outcome], seconds) for each op of `cases`."""
    if options.jobs > 1:
        yield from _run_parallel(list(_chunks(cases)), options)
        return
    for op, group in itertools.groupby(cases, lambda pair: pair[1].op):
        start, results = time.perf_counter(), []
        for owner, case in group:
            if options.verbose:
                print(f"{op} {case.id}", flush=True)
            results.append(run_case(owner, case, options.engine))
        yield op, results, time.perf_counter() - start


def _run_parallel(chunks, options):
    with concurrent.futures.ProcessPoolExecutor(
            options.jobs, multiprocessing.get_context("spawn")) as pool:
        futures = [pool.submit(_run_chunk, op, ids, options.engine)
                   for op, ids in chunks]
        pairs = zip(chunks, futures)
        for op, group in itertools.groupby(pairs, lambda pair: pair[0][0]):
            done = [_finish(op, ids, future) for (_, ids), future in group]
            yield (op, [r for results, _ in done for r in results],
                   sum(seconds for _, seconds in done))
