# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors that reach beyond 4 GiB: offsets are of 64 bits.

Run in an unpacked bundle: PYTHONPATH=python python3 test/gpu/large.py
"""

import sys

import opgraph
import torch

DT = opgraph.data_type
ENGINE = 30000


def run(make, operands, result_shape, result_stride):
    """The result of `make`, computed by nvptx.pointwise, as a strided tensor."""
    graph = opgraph.pygraph(io_data_type=DT.BFLOAT16, device="cuda",
                            intermediate_data_type=DT.FLOAT,
                            compute_data_type=DT.FLOAT)
    ports = [graph.tensor(dim=list(t.shape), stride=list(t.stride()),
                          data_type=DT.BFLOAT16) for t in operands]
    result = make(graph, *ports)
    result.set_output(True).set_data_type(DT.BFLOAT16)
    result.set_dim(list(result_shape)).set_stride(list(result_stride))
    graph.validate()
    graph.create_execution_plan(ENGINE)
    graph.build_plans()
    span = 1 + sum((e - 1) * s for e, s in zip(result_shape, result_stride))
    memory = torch.zeros(span, dtype=torch.bfloat16, device="cuda")
    pack = {port: t.data_ptr() for port, t in zip(ports, operands)}
    workspace = torch.empty(max(1, graph.get_workspace_size()), device="cuda",
                            dtype=torch.uint8)
    graph.execute(pack | {result: memory.data_ptr()}, workspace.data_ptr())
    torch.cuda.synchronize()
    return memory.as_strided(result_shape, result_stride)


def strided(shape, stride):
    span = 1 + sum((e - 1) * s for e, s in zip(shape, stride))
    memory = torch.zeros(span, dtype=torch.bfloat16, device="cuda")
    tensor = memory.as_strided(shape, stride)
    tensor.copy_(torch.randn(shape, device="cuda"))
    return tensor


def check(name, found, want):
    error = (found.float() - want).abs().max().item()
    passed = error <= 2.0**-7 * want.abs().max().item()
    print(f"{name}: {'passed' if passed else 'FAILED'}, error {error:.2e}")
    return passed


def add(graph, x, dims):
    total = graph.reduction(x, mode=opgraph.reduction_mode.ADD)
    return total.set_dim(dims).set_stride([dims[1], 1])


def centre(graph, x):
    """A norm's walk: what is left of the rows' means."""
    mean = graph.reduction(x, mode=opgraph.reduction_mode.AVG)
    mean.set_dim([x.get_dim()[0], 1]).set_stride([1, 1])
    return graph.sub(x, mean)


def check_packed():
    """8.6 GB: more than 2^32 elements."""
    z = strided((2**20 + 7, 4096), (4096, 1))
    rows, columns = z.shape
    found = run(lambda g, x: g.neg(x), [z], z.shape, z.stride())
    equal = torch.equal(found.view(torch.int16), (-z).view(torch.int16))
    print(f"packed: {'passed' if equal else 'FAILED'}")
    del found
    passed = check("row sums", run(lambda g, x: add(g, x, [rows, 1]), [z],
                                   (rows, 1), (1, 1)),
                   z.sum(1, keepdim=True, dtype=torch.float32))
    passed &= check("column sums", run(lambda g, x: add(g, x, [1, columns]), [z],
                                       (1, columns), (columns, 1)),
                    z.sum(0, keepdim=True, dtype=torch.float32))
    bias = strided((1, columns), (columns, 1))
    found = run(lambda g, x, b: g.add(x, b), [z, bias], z.shape, z.stride())
    # Both ends, of what does not fit beside it in f32.
    for name, part in (("first", slice(0, 64)), ("last", slice(rows - 64, rows))):
        passed &= check(f"{name} rows + bias", found[part],
                        z[part].float() + bias.float())
    found = run(centre, [z], z.shape, z.stride())
    for name, part in (("first", slice(0, 64)), ("last", slice(rows - 64, rows))):
        want = z[part].float()
        passed &= check(f"{name} rows, centred", found[part],
                        want - want.mean(1, keepdim=True))
    return passed and equal


def main():
    far = 2**31 + 64
    # Rows further apart than 2^31 elements, in operand and result.
    x = strided((3, 1000), (far, 1))
    passed = check("rows", run(lambda g, x: g.neg(x), [x], (3, 1000), (far, 1)),
                   -x.float())
    # Neighbours along a row further apart than 2^31 bytes.
    y = strided((40, 5), (1, 2**30 + 16))
    passed &= check("columns", run(lambda g, x: g.neg(x), [y], (40, 5), (5, 1)),
                    -y.float())
    passed &= check(
        "sums", run(lambda g, x: g.reduction(x, mode=opgraph.reduction_mode.ADD),
                    [x], (3, 1), (1, 1)), x.float().sum(1, keepdim=True))
    del x, y
    return not (check_packed() and passed)


if __name__ == "__main__":
    sys.exit(main())
