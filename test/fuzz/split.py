# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a graph's operations one at a time on the judge: what they give must be
what the whole graph gives, to the bit, as a value rounds to its element type
whether or not it leaves the graph."""

import numpy as np
import opgraph
from conformance.memory import POISON_BYTE, Memory, offsets_for
from opgraph._ops import OPS
from support.dtypes import ANY_OPGRAPH

from .data import Disagreement, element_type

JUDGE = 10000
#: Its result must stay inside the graph.
INSIDE = "block_scale_dequantize"


def memory_of(tensor):
    return Memory(element_type(tensor), offsets_for(
        tensor.get_dim(), tensor.get_stride()), POISON_BYTE)


def run_whole(graph, inputs):
    """{tensor: Memory} of the outputs on the judge."""
    graph.create_execution_plan(JUDGE)
    graph.build_plans()
    made = {t: memory_of(t) for t in graph.get_outputs()}
    pack = {**inputs, **{t: m.body for t, m in made.items()}}
    size = graph.get_workspace_size()
    graph.execute(pack, np.full(size, 0xFF, np.uint8) if size else None)
    return made


def _like(graph, tensor):
    """An input of `graph` like a tensor of another."""
    copy = graph.tensor(dim=tensor.get_dim(), stride=tensor.get_stride(),
                        data_type=tensor.get_data_type(),
                        is_pass_by_value=tensor.get_is_pass_by_value(),
                        name=tensor.get_name())
    return copy.set_alignment(1)


def _operands(graph, node, copies):
    """{argument: tensor or [tensor]} of a node in its own graph."""
    found = {}
    for operand in OPS[node.op].operands:
        # A variadic port has a list of tensors.
        named = node.inputs.get(operand.port) or []
        named = named if isinstance(named, list) else [named]
        for tensor in named:
            if tensor not in copies:
                copies[tensor] = _like(graph, tensor)
        values = [copies[t] for t in named]
        if values:
            found[operand.name] = values if operand.arity == "variadic" \
                else values[0]
    return found


def _attributes(node):
    """As `_op` takes them: element types are numbers in a Node."""
    kinds = {a.name: a.kind for a in OPS[node.op].attributes}
    return {name: opgraph.data_type(value) if kinds[name] == "dtype" else value
            for name, value in node.attributes.items()}


def run_node(node, values, compute):
    """Runs one node on `values` {tensor: buffer} and adds its results."""
    graph = opgraph.pygraph(name="one_node",
                            compute_data_type=ANY_OPGRAPH[compute])
    copies = {}
    made = graph._op(node.op, _operands(graph, node, copies),
                     _attributes(node))
    made = [m for m in (made if isinstance(made, list) else [made])
            if m is not None]
    pack = {copy: values[t] for t, copy in copies.items()}
    results = {}
    for (port, tensor), copy in zip(node.outputs.items(), made):
        copy.set_dim(tensor.get_dim()).set_stride(tensor.get_stride())
        copy.set_data_type(tensor.get_data_type())
        if node.op == INSIDE:
            inside, copy = copy, graph.identity(
                copy, compute_data_type=opgraph.data_type.FLOAT)
            copy.set_dim(tensor.get_dim()).set_stride(tensor.get_stride())
            copy.set_data_type(inside.get_data_type())
        copy.set_output(True)
        results[tensor] = memory_of(tensor)
        pack[copy] = results[tensor].body
    graph.validate()
    graph.create_execution_plan(JUDGE)
    graph.build_plans()
    size = graph.get_workspace_size()
    graph.execute(pack, np.full(size, 0xFF, np.uint8) if size else None)
    for tensor, memory in results.items():
        values[tensor] = memory.body
    return results


def check(graph, inputs, compute="f32"):
    """Raises Disagreement unless the parts give what the whole gives.
    `compute`: the graph's compute type."""
    whole = run_whole(graph, inputs)
    values, parts = dict(inputs), {}
    for node in graph.nodes:
        parts.update(run_node(node, values, compute))
    for tensor, memory in whole.items():
        a, b = memory.stored(), parts[tensor].stored()
        wrong = a != b
        x, y = memory.values(), parts[tensor].values()
        if x.dtype.kind == "f":
            # The payload of a NaN is unspecified.
            wrong &= ~(np.isnan(x) & np.isnan(y))
        if wrong.any():
            index = tuple(int(i) for i in np.argwhere(wrong)[0])
            raise Disagreement(
                f"'{tensor.get_name()}': the whole graph gives {x[index]!r} at "
                f"{list(index)}, its operations one at a time {y[index]!r}; "
                f"{int(wrong.sum())} of {wrong.size} differ")
