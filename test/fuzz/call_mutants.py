# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that differ from a valid one in one call: an argument, a declared
tensor, a setter, a type of the graph or an operand of execute."""

import numpy as np
import opgraph
from opgraph._ops import OPS
from support.dtypes import ANY_OPGRAPH

INTS = (0, 1, -1, 2, 3, 7, 2 ** 31 - 1, 2 ** 31, 2 ** 62, 2 ** 63 - 1, 2 ** 63,
        -2 ** 63, 2 ** 64, 10 ** 30)
FLOATS = (0.0, -0.0, -1.0, 0.5, 2.0, 1e308, float("nan"), float("inf"),
          -float("inf"))
ODD = (None, "text", "", [], {}, object(), b"bytes", 1j, True, (1, "two"))


class Mutator:
    """Changes values; every draw comes from `rng`. `story` retells them."""

    def __init__(self, rng):
        self.rng, self.story = rng, []

    def pick(self, options):
        return options[int(self.rng.integers(len(options)))]

    def chance(self, probability):
        return self.rng.random() < probability

    def number(self, value):
        """Another number in place of `value`, often a near one."""
        if isinstance(value, bool):
            return self.pick((not value, None, 2, "yes"))
        if isinstance(value, int):
            return value + self.pick((-1, 1, 2)) if self.chance(0.5) else \
                self.pick(INTS)
        return self.pick(FLOATS)

    def sequence(self, values):
        values = list(values)
        kind = self.pick(("change", "change", "drop", "add", "empty", "swap",
                          "odd"))
        if not values or kind == "add":
            values.insert(int(self.rng.integers(len(values) + 1)),
                          self.pick(INTS))
        elif kind == "empty":
            values = []
        else:
            at = int(self.rng.integers(len(values)))
            if kind == "drop":
                del values[at]
            elif kind == "swap":
                other = int(self.rng.integers(len(values)))
                values[at], values[other] = values[other], values[at]
            elif kind == "odd":
                values[at] = self.pick(ODD)
            elif isinstance(values[at], (int, float)):
                values[at] = self.number(values[at])
            else:
                values[at] = self.pick(ODD)
        return values

    def value(self, value, tensors, graph):
        """Something else in place of any argument."""
        if self.chance(0.12):
            return self.pick(ODD)
        if isinstance(value, opgraph.Tensor):
            return self.tensor(value, tensors, graph)
        if isinstance(value, (bool, int, float)):
            return self.number(value)
        if isinstance(value, (list, tuple)) and value and isinstance(
                value[0], opgraph.Tensor):
            return self.tensors(list(value), tensors, graph)
        if isinstance(value, (list, tuple)):
            return self.sequence(value)
        if isinstance(value, opgraph.data_type):
            return self.pick(list(opgraph.data_type))
        if hasattr(type(value), "__members__"):
            return self.pick(list(type(value)) + [99, "NONE"])
        return self.pick(ODD + INTS + FLOATS)

    def tensor(self, value, tensors, graph):
        kind = self.pick(("other", "other", "foreign", "fresh", "odd"))
        if kind == "other":
            return self.pick(tensors)
        if kind == "foreign":
            return opgraph.pygraph().tensor(
                dim=value.get_dim() or [1], data_type=opgraph.data_type.FLOAT)
        if kind == "odd":
            return self.pick(ODD + (1, 1.5, np.zeros((2, 3), np.float32)))
        dim = [int(self.rng.integers(0, 6))
               for _ in range(int(self.rng.integers(0, 6)))]
        return graph.tensor(dim=dim, name="fresh", data_type=self.pick(
            list(ANY_OPGRAPH.values())))

    def tensors(self, values, tensors, graph):
        at = int(self.rng.integers(len(values)))
        if self.chance(0.3):
            del values[at]
        elif self.chance(0.3):
            values.insert(at, self.pick(tensors))
        else:
            values[at] = self.tensor(values[at], tensors, graph)
        return values


class WatchedGraph:
    """A graph that changes the arguments of call number `target` to one of its
    op methods or to `tensor`. Counts the calls."""

    def __init__(self, graph, mutator=None, target=-1):
        self._graph, self._mutator, self._target = graph, mutator, target
        self.calls, self.tensors, self.ops, self.mutated = 0, [], [], None

    def __getattr__(self, name):
        method = getattr(self._graph, name)
        if name not in OPS and name != "tensor":
            return method

        def call(*arguments, **keywords):
            if name in OPS:
                self.ops.append(name)
            if self.calls == self._target:
                self.mutated = name
                arguments, keywords = self._change(name, arguments, keywords)
            self.calls += 1
            made = method(*arguments, **keywords)
            self.tensors += [t for t in (made if isinstance(made, list) else
                                         [made]) if t is not None]
            return made
        return call

    def _change(self, name, arguments, keywords):
        m = self._mutator
        arguments, keywords = list(arguments), dict(keywords)
        for _ in range(m.pick((1, 1, 1, 2))):
            places = list(range(len(arguments))) + list(keywords)
            kind = m.rng.random()
            if kind < 0.08 and places:
                place = m.pick(places)
                if isinstance(place, int):
                    del arguments[place]
                else:
                    del keywords[place]
                m.story.append(f"{name}: without {place}")
            elif kind < 0.14:
                extra = m.pick(self._more(name))
                keywords[extra] = m.pick(ODD + INTS + FLOATS) if m.chance(0.6) \
                    or not self.tensors else m.pick(self.tensors)
                m.story.append(f"{name}: {extra}={keywords[extra]!r}")
            elif kind < 0.17:
                arguments.append(m.pick(ODD))
                m.story.append(f"{name}: one more {arguments[-1]!r}")
            elif places:
                place = m.pick(places)
                where = arguments if isinstance(place, int) else keywords
                where[place] = m.value(where[place], self.tensors, self._graph)
                m.story.append(f"{name}: {place}={where[place]!r}")
        return arguments, keywords

    def _more(self, name):
        if name not in OPS:
            return ["is_virtual", "is_pass_by_value", "ragged_offset", "uid",
                    "no_such_argument", "reordering_type", "stride"]
        op = OPS[name]
        return ["no_such_argument", "out_dims", "compute_data_type", "name"] + [
            a.name for a in op.attributes] + [o.name for o in op.operands]


def set_something(m, tensors):
    """One setter call on a tensor of the graph."""
    tensor = m.pick(tensors)
    kind = m.pick(("dim", "stride", "data_type", "virtual", "by_value", "uid",
                   "output", "ragged", "reordering", "name"))
    m.story.append(f"{tensor.get_name()}: set {kind}")
    dim = list(tensor.get_dim() or [2, 3])
    if kind == "dim":
        tensor.set_dim(m.sequence(dim))
    elif kind == "stride":
        tensor.set_stride(m.sequence(tensor.get_stride() or [1] * len(dim)))
    elif kind == "data_type":
        tensor.set_data_type(m.pick(list(opgraph.data_type) + [None, 3, "f32"]))
    elif kind == "virtual":
        tensor.set_is_virtual(m.pick((True, False, None)))
    elif kind == "by_value":
        tensor.set_is_pass_by_value(m.pick((True, False, None, 2)))
    elif kind == "uid":
        tensor.set_uid(m.pick(INTS + (m.pick(tensors).get_uid(),)))
    elif kind == "output":
        tensor.set_output(m.pick((True, False, None)))
    elif kind == "ragged":
        tensor.set_ragged_offset(m.pick(tensors))
    elif kind == "reordering":
        tensor.set_reordering_type(m.pick(list(opgraph.tensor_reordering)))
    else:
        tensor.set_name(m.pick(("", "x" * 5000, "a\0b", "%0", None)))


def change_pack(m, pack, workspace):
    """One operand of execute changed: (pack, workspace)."""
    pack = dict(pack)
    kind = m.pick(("drop", "none", "short", "odd", "odd key", "workspace",
                   "address"))
    m.story.append(f"execute: {kind}")
    if kind == "workspace":
        return pack, m.pick((None, np.empty(0, np.uint8), "text",
                             np.empty(1, np.uint8)))
    if kind == "odd key":
        pack[m.pick((None, 10 ** 9, "no such name", -1, 2 ** 70))] = \
            np.zeros(1, np.float32)
        return pack, workspace
    key = m.pick(list(pack))
    if kind == "drop":
        del pack[key]
    elif kind == "none":
        pack[key] = None
    elif kind == "short":
        flat = np.asarray(pack[key]).reshape(-1)
        pack[key] = flat[:len(flat) // 2]
    elif kind == "address":
        # 0 is no address; other numbers would be taken at their word.
        pack[key] = 0
    else:
        pack[key] = m.pick(ODD + (np.zeros((2, 2), object),))
    return pack, workspace
