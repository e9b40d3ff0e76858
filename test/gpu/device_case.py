# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One conformance case on a CUDA device, compared with the judge on the host of
the same process."""

import numpy as np
import opgraph
import torch

from conformance import runner
from conformance.memory import POISON_BYTE

_ENGINE = 30000
_ROOM = 8192


class DeviceMemory:
    """A copy of a Memory, guards and all, on the device."""

    def __init__(self, memory):
        self.memory = memory
        raw = torch.from_numpy(memory.raw.copy())
        # The start keeps its place within 256 bytes of the device's address.
        self.shift = -memory.start % 256
        if memory.alignment < 16:
            self.shift += memory.alignment
        # What is declared of a ragged tensor may be more than it has.
        self.raw = torch.full((raw.numel() + 512 + _ROOM,), POISON_BYTE,
                              dtype=torch.uint8, device="cuda")
        self.raw[self.shift:self.shift + raw.numel()] = raw.cuda()
        self.pointer = self.raw.data_ptr() + self.shift + memory.start

    def fetch(self):
        """The Memory with what is on the device now."""
        back = self.raw.cpu().numpy()
        self.memory.raw[:] = back[self.shift:self.shift + self.memory.raw.size]
        outside = np.concatenate([back[:self.shift],
                                  back[self.shift + self.memory.raw.size:]])
        if (outside != POISON_BYTE).any():
            raise runner.Wrong("bytes far outside the elements were written")
        return self.memory


def execute(graph, inputs, outputs):
    """{port: Memory} of the device's run."""
    graph.create_execution_plan(_ENGINE)
    graph.build_plans()
    return run_built(graph, inputs, outputs)


def run_built(graph, inputs, outputs):
    """The same of a graph that has its plan."""
    pack, buffers, results = {}, [], {}
    for name, tensor in inputs.tensors.items():
        memory = inputs.memory[name]
        if inputs.operands[name].by_value:
            pack[tensor] = memory.read()
            continue
        buffers.append((name, DeviceMemory(memory)))
        pack[tensor] = buffers[-1][1].pointer
    for port, output in outputs.items():
        results[port] = DeviceMemory(runner.result_memory(output))
        pack[output.tensor] = results[port].pointer
    size = graph.get_workspace_size()
    workspace = torch.full((max(size, 1),), 0xFF, dtype=torch.uint8,
                           device="cuda")
    graph.execute(pack, workspace.data_ptr() if size else None)
    torch.cuda.synchronize()
    for name, buffer in buffers:
        buffer.fetch()
    inputs.check()
    found = {port: buffer.fetch() for port, buffer in results.items()}
    runner.check_damage(found)
    return found


def run_case(operation, case):
    """("passed" | "declined" | "failed", text)."""
    try:
        graph, inputs, outputs = runner.declare(operation, case, device="host")
        judge = runner.execute(graph, inputs, outputs, runner.JUDGE)
        with np.errstate(all="ignore"):
            wants = operation.expected(case, inputs.values)
        graph, inputs, outputs = runner.declare(operation, case, device="cuda")
        try:
            found = execute(graph, inputs, outputs)
        except opgraph.cudnnGraphNotSupportedError as error:
            return "declined", str(error)
        runner.compare_engine(found, judge, wants)
        return "passed", ""
    except runner.Wrong as error:
        return "failed", str(error)
    except Exception as error:  # a case must not end the others
        return "failed", f"{type(error).__name__}: {error}"
