# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Activations of every f16 and bf16 number on the device that is here.

Run in an unpacked bundle:
    PYTHONPATH=python:test:test/python python3 test/gpu/math/activations.py
"""

import sys

import numpy as np
import opgraph
import torch
from support import activations
from support.dtypes import NUMPY, OPGRAPH

ENGINE = 30000


def compute(op, dtype):
    graph = opgraph.pygraph(io_data_type=OPGRAPH[dtype], device="cuda",
                            compute_data_type=opgraph.data_type.FLOAT)
    inputs = activations.operands(op, dtype)
    ports = [graph.tensor(dim=[256, 256], stride=[256, 1],
                          data_type=OPGRAPH[dtype]) for _ in inputs]
    result = getattr(graph, op)(*ports)
    result.set_output(True).set_data_type(OPGRAPH[dtype])
    graph.validate()
    graph.create_execution_plan(ENGINE)
    graph.build_plans()
    buffers = [torch.from_numpy(v.view(np.int16)).cuda() for v in inputs]
    buffers.append(torch.zeros(65536, dtype=torch.int16, device="cuda"))
    graph.execute({port: buffer.data_ptr()
                   for port, buffer in zip([*ports, result], buffers)}, None)
    torch.cuda.synchronize()
    return buffers[-1].cpu().numpy().view(NUMPY[dtype])


def main():
    wrong = []
    for op in activations.FORWARD + activations.BACKWARD:
        for dtype in activations.DTYPES:
            wrong.append(activations.find_wrong(op, dtype, compute(op, dtype)))
    print("\n".join(filter(None, wrong)) or "all within bounds")
    return any(wrong)


if __name__ == "__main__":
    sys.exit(main())
