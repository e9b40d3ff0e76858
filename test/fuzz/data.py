# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs any graph on random operands and compares engines."""

import math
import re

import numpy as np
import opgraph
from conformance.memory import GAP_BYTE, POISON_BYTE, Memory, offsets_for
from support.dtypes import ANY_OPGRAPH, FORMAT, is_float, ulp_of

ENGINES = {"host.reference": 10000, "host.fused": 10100}
_NAME_OF = {member: name for name, member in ANY_OPGRAPH.items()}
#: Elements of all operands together beyond which a graph is not run.
MOST_ELEMENTS = 1 << 17
#: Reorderings that only a library's engines take: INT8x32 and F16x16.
FOREIGN = (1, 2)


class Disagreement(Exception):
    """Two engines differ, or one wrote where it must not."""


def element_type(tensor):
    """The name of the tensor's element type; None for one without a form in
    NumPy."""
    return _NAME_OF.get(tensor.get_data_type())


def is_small(tensors):
    """Whether all operands together may be allocated and run."""
    total = 0
    for tensor in tensors:
        dim, stride = tensor.get_dim(), tensor.get_stride()
        if element_type(tensor) is None or any(
                v is None or v < 0 for v in [*dim, *stride]):
            return False
        span = 0 if 0 in dim else 1 + sum(
            (d - 1) * s for d, s in zip(dim, stride))
        total += max(span, math.prod(dim))
    return total <= MOST_ELEMENTS


def random_values(rng, dtype, shape):
    """Small numbers; where integers are lengths or indices they mostly fit."""
    if is_float(dtype):
        values = rng.uniform(-2, 2, shape)
        return np.abs(values) if dtype == "e8m0" else values
    return rng.integers(0, 2 if dtype in ("bool", "u8") else 5, shape)


def make_inputs(graph, rng):
    """{tensor: buffer} of every operand that the caller gives."""
    pack = {}
    for tensor in graph.get_inputs():
        dtype = element_type(tensor)
        memory = Memory(dtype, offsets_for(tensor.get_dim(),
                                           tensor.get_stride()), GAP_BYTE)
        memory.write(random_values(rng, dtype, tensor.get_dim()))
        pack[tensor] = memory.read() if tensor.get_is_pass_by_value() \
            else memory.body
        # The buffer lives as long as its view.
    return pack


def run(graph, pack, engine):
    """[Memory] of the outputs; None when the engine declines."""
    try:
        graph.create_execution_plan(ENGINES[engine])
    except opgraph.cudnnGraphNotSupportedError:
        return None
    graph.build_plans()
    results, whole = [], dict(pack)
    for tensor in graph.get_outputs():
        memory = Memory(element_type(tensor), offsets_for(
            tensor.get_dim(), tensor.get_stride()), POISON_BYTE)
        whole[tensor] = memory.body
        results.append(memory)
    size = graph.get_workspace_size()
    graph.execute(whole, np.full(size, 0xFF, np.uint8) if size else None)
    for memory in results:
        if memory.damage():
            raise Disagreement(f"{engine}: {memory.damage()}")
    return results


def compare_loosely(got, want, dtype, integral):
    """None, or how `got` differs from `want` by more than another order of
    sums and other functions explain. `integral`: nothing in the graph is a float."""
    if not is_float(dtype):
        # A function that ends just below or on an integer may be cut off to
        # either (erf of an integer, where every element is such a tie).
        step = 0 if integral or dtype == "bool" else 1
        wrong = np.abs(got.astype(np.float64) - want) > step
        share = wrong.mean() if wrong.size else 0
        # A float near a tie may fall to either side of a comparison.
        return None if share <= (0 if integral else 0.1) else \
            f"{share:.0%} of the elements differ"
    largest = FORMAT[dtype][2]
    with np.errstate(all="ignore"):
        finite = np.isfinite(got) & np.isfinite(want)
        scale = np.abs(want[finite]).max(initial=1.0)
        near = np.abs(got - want) <= 1e-3 * scale + 2 * ulp_of(want, dtype)
        near |= np.isnan(got) & np.isnan(want)
        near |= got == want
        # Overflow may come sooner in another order.
        near |= ~finite & (scale > min(largest, 1e30) / 2)
    if near.all():
        return None
    index = tuple(int(i) for i in np.argwhere(~near)[0])
    return (f"{int((~near).sum())} of {near.size} elements differ, first at "
            f"{list(index)}: judge {want[index]!r}, other {got[index]!r}")


def agree(graph, seed):
    """Runs a validated graph on the judge and on host.fused. Returns what was
    done: "run", "declined" or "big". Raises Disagreement."""
    tensors = graph.get_inputs() + graph.get_outputs()
    if not is_small(tensors):
        graph.create_execution_plans()
        return "big"
    pack = make_inputs(graph, np.random.default_rng(seed))
    judge = run(graph, pack, "host.reference")
    if judge is None:
        if any(t._info()["reordering"] in FOREIGN for t in graph.tensors):
            return "declined"
        raise Disagreement("the judge declines a valid graph")
    other = run(graph, pack, "host.fused")
    if other is None:
        return "declined"
    # Functions of integers computed as floats are floats.
    integral = not (any(is_float(element_type(t)) for t in tensors) or
                    re.search(r"compute_type = b?f\d", graph.to_mlir()))
    for tensor, a, b in zip(graph.get_outputs(), judge, other):
        text = compare_loosely(b.values(), a.values(), a.dtype, integral)
        if text:
            raise Disagreement(f"'{tensor.get_name()}' ({a.dtype}): {text}")
    return "run"
