# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What bench.py holds a plan against beside PyTorch: a read of the same bytes, and
cuDNN's plan for the same graph."""

import ctypes
import functools

import opgraph
import torch
from cubin import Module

from gpu_paths import HERE

#: read.mlir's.
ROW_BYTES = 32768


class Reader:
    """Reads memory, a few blocks to an SM, and keeps a sum a block."""

    def __init__(self):
        folder = HERE / "kernels"
        self.module = Module(folder / "read.cubin", folder / "read.json")
        self.name = next(iter(self.module.facts))
        self.sms = torch.cuda.get_device_properties(0).multi_processor_count
        self.sums = torch.empty(self.sms * 8, device="cuda")

    def read(self, tensor, size, blocks):
        """The first `size` bytes of `tensor`, whole rows."""
        rows = ctypes.c_int32(size // ROW_BYTES)
        self.module.launch(
            self.name, [tensor.data_ptr(), self.sums.data_ptr(),
                        ctypes.c_void_p(ctypes.addressof(rows))],
            (self.sms * blocks, 1), torch.cuda.current_stream().cuda_stream)


@functools.cache
def reader():
    return Reader()


def reads(tensors, size):
    """{name: call} that read the same bytes in the ways that were fastest."""
    return {f"read{blocks}": lambda i, blocks=blocks: reader().read(
        tensors[i % len(tensors)], size, blocks) for blocks in (2, 3, 6)}


def build_cudnn(graph):
    """Whether `graph`, which has no plans yet, got the library's first plan that
    builds."""
    try:
        # Mode B's list is the library's own.
        graph.create_execution_plans([opgraph.heur_mode.B])
    except opgraph.cudnnGraphNotSupportedError:
        return False
    for plan in graph.plans:
        if not plan.name.startswith("cudnn"):
            continue
        try:
            graph.build_plan_at_index(plan.index)
            return True
        except opgraph.cudnnGraphNotSupportedError:
            continue
    return False
