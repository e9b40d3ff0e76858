# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations of a graph and their regions, as they were given."""

from ._ops import OPS


def _variadic_ports(op):
    return {operand.port for operand in OPS[op].operands
            if operand.arity == "variadic"}


class Node:
    """One operation. `inputs` and `outputs` map ports to tensors, a variadic
    port to a list of them; `region` is a Region or None."""

    def __init__(self, graph, info):
        self.name = info["name"]
        self.op = info["op"]
        self.inputs = {}
        variadic = _variadic_ports(self.op)
        for port, index in info["inputs"]:
            if port in variadic:
                self.inputs.setdefault(port, []).append(graph._tensor(index))
            else:
                self.inputs[port] = graph._tensor(index)
        self.outputs = {p: graph._tensor(t) for p, t in info["outputs"].items()}
        self.attributes = info["attributes"]
        number = info["owned_region"]
        self.region = Region(graph, number) if number else None

    def inspect(self):
        """The structure as a dict, tensors by their labels."""
        result = {
            "name": self.name, "op": self.op,
            "inputs": {p: _labels(t) for p, t in self.inputs.items()},
            "outputs": {p: _labels(t) for p, t in self.outputs.items()},
            "attributes": self.attributes}
        if self.region is not None:
            result["region"] = self.region.inspect()
        return result

    def __repr__(self):
        return f"<node {self.name}: {self.op}>"


class Region:
    """What an operation was told to do inside: `nodes` on `arguments` and on
    `captures`, tensors of the graph, giving `results`."""

    def __init__(self, graph, number):
        info = graph._native.region_info(number)
        self.arguments = [graph._tensor(t) for t in info["arguments"]]
        self.captures = [graph._tensor(t) for t in info["captures"]]
        self.results = [graph._tensor(t) for t in info["results"]]
        self.nodes = all_nodes(graph, number)

    def inspect(self):
        """The structure as a dict, tensors by their labels."""
        return {"arguments": _labels(self.arguments),
                "captures": _labels(self.captures),
                "nodes": [node.inspect() for node in self.nodes],
                "results": _labels(self.results)}


def _labels(tensor):
    return [t.get_name() for t in tensor] if isinstance(tensor, list) \
        else tensor.get_name()


def all_nodes(graph, region=None):
    """The nodes in `region`, 0 for the graph itself, None for all, in order of
    insertion."""
    infos = (graph._native.node_info(i)
             for i in range(graph._native.num_nodes()))
    return [Node(graph, info) for info in infos
            if region is None or info["region"] == region]
