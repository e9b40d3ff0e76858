# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""im2col tensor copies on a GPU against NumPy: a kernel copies the matrix that a
convolution multiplies, one tap of the filter after the other.

  python3 test/gpu/im2col.py --make FOLDER [--graph-opt PATH]   kernels to a folder
  python3 test/gpu/im2col.py FOLDER                             run them
"""

import argparse
import ctypes
import dataclasses
import itertools
import math
import pathlib
import subprocess

import numpy as np


@dataclasses.dataclass(frozen=True)
class Case:
    """Images N x (D x H x) W x C of 16-bit numbers; lists are outermost first."""
    name: str
    images: int
    extents: tuple
    channels: int
    filters: tuple
    before: tuple  # padding
    after: tuple
    strides: tuple
    dilations: tuple
    pixels: int = 64
    swizzle: int = 128

    @property
    def shape(self):
        return (self.images, *self.extents, self.channels)

    @property
    def lower(self):
        return tuple(-pad for pad in self.before)

    @property
    def upper(self):
        return tuple(pad - dilation * (taps - 1) for pad, dilation, taps in
                     zip(self.after, self.dilations, self.filters))

    @property
    def outputs(self):
        return tuple((extent - 1 + up - low) // stride + 1
                     for extent, low, up, stride in
                     zip(self.extents, self.lower, self.upper, self.strides))

    @property
    def rows(self):
        """Output pixels, up to a whole tile."""
        tiles = -(-self.images * math.prod(self.outputs) // self.pixels)
        return tiles * self.pixels

    @property
    def taps(self):
        return list(itertools.product(*map(range, self.filters)))

    @property
    def box(self):
        return (self.pixels, *(1 for _ in self.extents), self.swizzle // 2)


CASES = [
    Case("opgraph_im2col_3x3", 2, (7, 9), 64, (3, 3), (1, 1), (1, 1), (1, 1),
         (1, 1)),
    Case("opgraph_im2col_strided", 3, (11, 12), 128, (3, 2), (1, 0), (2, 1),
         (2, 3), (1, 1)),
    Case("opgraph_im2col_dilated", 2, (13, 10), 64, (2, 3), (2, 0), (0, 2),
         (1, 2), (3, 2), pixels=32),
    Case("opgraph_im2col_1d", 3, (50,), 32, (5,), (2,), (2,), (1,), (1,),
         swizzle=64),
    Case("opgraph_im2col_3d", 2, (4, 5, 6), 64, (2, 3, 2), (1, 1, 0), (0, 1, 1),
         (1, 2, 1), (1, 1, 2)),
    Case("opgraph_im2col_1x1", 1, (8, 8), 64, (1, 1), (0, 0), (0, 0), (2, 2),
         (1, 1), pixels=16),
]


def kernel(case):
    """Block (tile, tap): the tile's pixels behind the tap, to Y[tap * rows + row]."""
    columns = case.channels
    box = "x".join(map(str, case.box))
    lanes = min(32, columns // 8)
    spread = (f"#tile.blocked<vector = 8, lanes = [{32 // lanes}, {lanes}], "
              "warps = [1, 1]>")
    lines, numbers = [], {}

    def constant(value):
        if value not in numbers:
            numbers[value] = f"%k{len(numbers)}"
            lines.append(f"  {numbers[value]} = arith.constant {value} : i32")
        return numbers[value]

    def op(name, a, b):
        lines.append(f"  %v{len(lines)} = arith.{name} {a}, {b} : i32")
        return f"%v{len(lines) - 1}"

    lines += ["  %tile = tile.block_id x", "  %tap = tile.block_id y"]
    first = op("muli", "%tile", constant(case.pixels))
    rest, corner = first, []
    for out, low, step in reversed(list(zip(case.outputs, case.lower,
                                            case.strides))):
        place = op("remui", rest, constant(out))
        corner.insert(0, op("addi", op("muli", place, constant(step)),
                            constant(low)))
        rest = op("divui", rest, constant(out))
    zero = constant(0)
    corner = [rest, *corner, zero]
    rest, offsets = "%tap", []
    for taps, dilation in reversed(list(zip(case.filters, case.dilations))):
        wide = op("muli", op("remui", rest, constant(taps)), constant(dilation))
        lines.append(f"  %o{len(offsets)} = arith.trunci {wide} : i32 to i16")
        offsets.insert(0, f"%o{len(offsets)}")
        rest = op("divui", rest, constant(taps))
    row = op("addi", op("muli", "%tap", constant(case.rows)), first)
    return f"""
!map = !tile.tensor_map<{box}xbf16, sw{case.swizzle}, im2col>
!s = !tile.shared<{case.pixels}x{columns}xbf16, sw{case.swizzle}>
!t = !tile.reg<{case.pixels}x{columns}xbf16, {spread}>
!y = !tile.view<{len(case.taps) * case.rows}x{columns}xbf16, strides [{columns}, 1], align 16>
tile.kernel @{case.name}(%x: !map, %yp: !tile.ptr<bf16, align 16>) warps(1) targets [sm_90a] {{
  %y = tile.view %yp : !tile.ptr<bf16, align 16> -> !y
  %s = tile.shared : !s
  %ready = tile.semaphore : !tile.semaphore<1>
{chr(10).join(lines)}
  tile.fill %ready bytes({case.pixels * columns * 2}) : !tile.semaphore<1>
  tile.tensor_load %x[{", ".join(corner)}] im2col [{", ".join(offsets)}] to %s on %ready : !map, !s, !tile.semaphore<1>
  tile.await %ready : !tile.semaphore<1>
  %t = tile.load_shared %s via plain : !s -> !t
  tile.store %t, %y[{row}, {zero}] : !t, !y
}}
"""


def images(case):
    """Neighbours far and near differ; none is 0, or a NaN of bf16."""
    count = math.prod(case.shape)
    return (np.arange(count) % 32003 + 1).astype(np.uint16).reshape(case.shape)


def expected(case):
    """[taps, rows, channels]; what is outside of the images is 0."""
    x = images(case)
    result = np.zeros((len(case.taps), case.rows, case.channels), np.uint16)
    places = itertools.product(range(case.images), *map(range, case.outputs))
    for row, (image, *place) in enumerate(places):
        for number, tap in enumerate(case.taps):
            at = [p * stride + low + t * dilation for p, stride, low, t, dilation
                  in zip(place, case.strides, case.lower, tap, case.dilations)]
            if all(0 <= a < e for a, e in zip(at, case.extents)):
                result[number, row] = x[(image, *at)]
    return result


def encode(cuda, case, address):
    """The map, as runtime/Cuda/TensorMaps.cpp makes it; keeps its memory alive."""
    memory = (ctypes.c_char * 192)()
    at = (ctypes.addressof(memory) + 63) // 64 * 64
    rank = len(case.shape)
    strides = [math.prod(case.shape[axis + 1:]) * 2 for axis in range(rank)]
    integers = ctypes.c_int * (rank - 2)
    status = cuda.cuTensorMapEncodeIm2col(
        ctypes.c_void_p(at), 9, rank, ctypes.c_void_p(address),
        (ctypes.c_uint64 * rank)(*case.shape[::-1]),
        (ctypes.c_uint64 * (rank - 1))(*strides[rank - 2::-1]),
        integers(*case.lower[::-1]), integers(*case.upper[::-1]), case.box[-1],
        case.box[0], (ctypes.c_uint32 * rank)(1, *case.strides[::-1], 1), 0,
        {32: 1, 64: 2, 128: 3}[case.swizzle], 2, 0)
    return memory, at, status


def run(folder, case, torch):
    from cubin import CUDA, Module, check
    module = Module(folder / f"{case.name}.cubin")
    x = torch.from_numpy(images(case).view(np.int16)).cuda()
    y = torch.full((len(case.taps), case.rows, case.channels), -1,
                   dtype=torch.int16, device="cuda")
    memory, at, status = encode(CUDA, case, x.data_ptr())
    check(status)
    module.launch(case.name, [ctypes.c_void_p(at), y.data_ptr()],
                  (case.rows // case.pixels, len(case.taps)))
    torch.cuda.synchronize()
    del memory
    return wrong(case, y.cpu().numpy().view(np.uint16))


def wrong(case, got):
    want = expected(case)
    places = np.argwhere(got.reshape(want.shape) != want)
    if not len(places):
        return None
    at = tuple(places[0])
    return (f"{case.name}: {len(places)} of {want.size} wrong, first {at}: "
            f"{got.reshape(want.shape)[at]}, expected {want[at]}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--make", action="store_true")
    parser.add_argument("--graph-opt", default="graph-opt")
    arguments = parser.parse_args()
    folder = arguments.folder
    if arguments.make:
        folder.mkdir(parents=True, exist_ok=True)
        for case in CASES:
            (folder / f"{case.name}.mlir").write_text(kernel(case))
            subprocess.run(
                [arguments.graph_opt, folder / f"{case.name}.mlir",
                 f"--nvptx-emit=cubin={folder / case.name}.cubin "
                 f"resources={folder / case.name}.cubin.json", "-o", "/dev/null"],
                check=True)
        return
    import torch
    torch.zeros(1, device="cuda")
    failures = list(filter(None, (run(folder, case, torch) for case in CASES)))
    print("\n".join(failures))
    print(f"{len(CASES) - len(failures)} passed, {len(failures)} failed")
    if failures:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
