# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutants of valid programs and of valid text. Each must be refused by an
error of a documented class whose text says what is wrong and where; what is
still valid must run, and alike on all engines. A crash is found by its seed."""

import functools
import pathlib
import re
import sys

import numpy as np
import opgraph
from conformance.case import all_cases
from conformance.runner import Inputs, new_graph
from opgraph._ops import OPS

from . import data, isolate
from .call_mutants import Mutator, WatchedGraph, change_pack, set_something
from .text_mutants import TextMutator

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORDS = {"tensor", "operand", "graph", "pygraph", "workspace", "execute",
         "dtype"}


class Unclear(Exception):
    """An error that a user could not act on."""


@functools.lru_cache(None)
def cases():
    return [(o, c) for o, c in all_cases() if c.op in OPS]


@functools.lru_cache(None)
def examples():
    return [p.read_text() for p in sorted((ROOT / "docs").rglob("*.mlir"))]


def judge_error(error, names):
    """Raises Unclear unless the error is one that the documentation names and
    its text says where."""
    text = str(error)
    if not isinstance(error, (opgraph.Error, TypeError)):
        raise Unclear(f"{type(error).__name__} is not a documented class: {text}")
    if not text.strip():
        raise Unclear(f"{type(error).__name__} without a text")
    if getattr(error, "status", "") == "INTERNAL" or \
            "internal" in text.lower():
        raise Unclear(f"an internal error: {text}")
    found = set(re.findall(r"\w+", text))
    if not names & found and not any(n in text for n in names):
        raise Unclear(f"names neither the op nor an operand: {text}")


def is_ours(error):
    """Whether the program that builds the case, not opgraph, raised it: a
    changed extent may not suit its own arithmetic."""
    trace = error.__traceback__
    files = []
    while trace is not None:
        files.append(trace.tb_frame.f_code.co_filename)
        trace = trace.tb_next
    # At a call boundary the frame is the caller's.
    package = str(pathlib.Path(opgraph.__file__).parent)
    return not any(f.startswith(package) for f in files) and not (
        isinstance(error, TypeError) and files[-1].endswith("call_mutants.py"))


def attempt(action, names):
    """("refused", text) or what `action` returns."""
    try:
        return action()
    except (opgraph.Error, opgraph.cudnnGraphNotSupportedError) as error:
        judge_error(error, names)
        return "refused", str(error)
    except data.Disagreement:
        raise
    except Unclear:
        raise
    except Exception as error:  # any class but the documented ones is a finding
        if is_ours(error):
            return "skipped", str(error)
        judge_error(error, names)
        return "refused", str(error)


def program(owner, case, mutator, target):
    """Builds the case's graph with call number `target` changed: the watched
    graph. Negative targets change something else later."""
    rng = np.random.default_rng(case.seed)
    graph = WatchedGraph(new_graph(case), mutator, target)
    operands = owner.operands(case, rng)
    inputs = Inputs(graph, operands)
    built = owner.build(case, graph, inputs.tensors)
    for result in built.values():
        getattr(result, "tensor", result).set_output(True)
    return graph


def check_call(seed):
    """A mutant of a conformance case."""
    rng = np.random.default_rng(seed)
    owner, case = cases()[int(rng.integers(len(cases())))]
    try:
        calls = program(owner, case, None, -1).calls
    except Exception as error:  # the conformance suite reports it
        return "skipped", f"{case.op} {case.id}: {error}"
    mutator = Mutator(rng)
    kind = mutator.pick(("call", "call", "call", "setter", "pack", "types"))
    target = int(rng.integers(calls)) if kind == "call" else -1
    # The op itself is changed more often than the declarations before it.
    if kind == "call" and mutator.chance(0.5):
        target = calls - 1
    names = WORDS | set(OPS) | set(owner.operands(
        case, np.random.default_rng(case.seed)))

    def action():
        graph = program(owner, case, mutator, target)
        inner = graph._graph
        if kind == "setter":
            set_something(mutator, graph.tensors)
        if kind == "types":
            inner = retyped(mutator, owner, case)
        inner.validate()
        inner.to_mlir()
        if kind == "pack":
            return execute_changed(mutator, inner, seed)
        return "accepted", data.agree(inner, seed)
    try:
        return attempt(action, names)
    except (Unclear, data.Disagreement) as error:
        return "wrong", (f"{type(error).__name__}: {error}\n  {case.op} {case.id}"
                         f"\n  {kind}: " + "; ".join(mutator.story))


def retyped(mutator, owner, case):
    """The case's graph with other element types."""
    import dataclasses
    types = ("f64", "f32", "f16", "bf16", "e4m3", "i8", "i32", "i64", "bool",
             "u8", "e5m2", "e8m0", "f4", "i4")
    changed = dataclasses.replace(case, **{
        mutator.pick(("io", "intermediate", "compute")): mutator.pick(types)})
    mutator.story.append(f"io {changed.io}, intermediate "
                         f"{changed.intermediate}, compute {changed.compute}")
    return program(owner, changed, None, -1)._graph


def execute_changed(mutator, graph, seed):
    """Executes with one operand changed."""
    tensors = graph.get_inputs() + graph.get_outputs()
    if not data.is_small(tensors):
        return "accepted", "big"
    pack = data.make_inputs(graph, np.random.default_rng(seed))
    for tensor in graph.get_outputs():
        pack[tensor] = data.Memory(data.element_type(tensor), data.offsets_for(
            tensor.get_dim(), tensor.get_stride()), 0).body
    graph.create_execution_plan(10000)
    graph.build_plans()
    size = graph.get_workspace_size()
    pack, workspace = change_pack(mutator, pack, np.empty(size, np.uint8))
    graph.execute(pack, workspace)
    return "accepted", "run"


def text_of(rng):
    """A valid text: an example, or a conformance case printed."""
    if rng.random() < 0.25:
        return examples()[int(rng.integers(len(examples())))]
    owner, case = cases()[int(rng.integers(len(cases())))]
    return program(owner, case, None, -1)._graph.to_mlir()


def check_text(seed):
    """A mutant of valid text."""
    rng = np.random.default_rng(seed)
    try:
        original = text_of(rng)
    except Exception as error:  # the conformance suite reports it
        return "skipped", str(error)
    text = TextMutator(rng).mutate(original)
    if text == original:
        return "same", ""

    def action():
        graph = opgraph.parse(text)
        again = graph.to_mlir()
        if opgraph.parse(again).to_mlir() != again:
            raise data.Disagreement("printed text prints otherwise again")
        return "accepted", data.agree(graph, seed)
    # Where a parser stands is a place, too: line:column.
    try:
        return attempt(action, WORDS | set(OPS) | {":"})
    except (Unclear, data.Disagreement) as error:
        return "wrong", f"{type(error).__name__}: {error}\n{text}"


CHECKS = {"calls": check_call, "text": check_text}


def check(seed, mode=None):
    """(kind, text) of one mutant: refused, accepted, same, skipped or wrong."""
    return (CHECKS[mode] if mode else
            check_text if seed % 2 else check_call)(seed)


if __name__ == "__main__":
    sys.exit(isolate.main("fuzz.invalid", check, __doc__, tuple(CHECKS)))
