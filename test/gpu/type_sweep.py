# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every operation of `tile` on every element type (type_kernels.py): a GPU against
the interpreter, bit by bit.

  python3 test/gpu/type_sweep.py --make FOLDER [--graph-opt PATH]
      kernels, inputs and what the interpreter makes of them to a folder
  python3 test/gpu/type_sweep.py FOLDER
      run them
"""

import argparse
import concurrent.futures
import ctypes
import pathlib
import subprocess

import numpy as np

import type_kernels

WORDS = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}
#: The driver's numbers of tensor maps' types; bytes otherwise.
MAPS = {"i16": 1, "i32": 3, "i64": 5, "f16": 6, "f32": 7, "tf32": 7, "f64": 8,
        "bf16": 9}
#: The bits of 1.
ONES = {"f64": 0x3ff << 52, "f32": 0x3f800000, "tf32": 0x3f800000, "f16": 0x3c00,
        "bf16": 0x3f80, "f8E4M3FN": 0x38, "f8E5M2": 0x3c, "f8E8M0FNU": 0x7f}


def words(element):
    return WORDS[type_kernels.SIZES[element]]


def numbers(element, seed):
    """Bits of small numbers of every sign."""
    rng = np.random.default_rng(seed)
    shape = (4, 256 // type_kernels.SIZES[element])
    if element == "i1":
        return rng.integers(0, 2, shape, np.uint8)
    if element == "f8E8M0FNU":
        return rng.integers(120, 135, shape, np.uint8)
    if element in ONES:
        import ml_dtypes
        dtype = {"f64": np.float64, "f16": np.float16, "bf16": ml_dtypes.bfloat16,
                 "f8E4M3FN": ml_dtypes.float8_e4m3fn,
                 "f8E5M2": ml_dtypes.float8_e5m2}.get(element, np.float32)
        values = rng.uniform(-2, 2, shape).astype(np.float32)
        if element == "tf32":
            values = (values.view(np.uint32) & 0xffffe000).view(np.float32)
        return values.astype(dtype).view(words(element))
    least = 0 if element == "ui8" else -100
    return rng.integers(least, 101, shape).astype(
        np.dtype(words(element)).str.replace("u", "i")).view(words(element))


def make(folder, graph_opt):
    folder.mkdir(parents=True, exist_ok=True)
    work = []
    for element in type_kernels.SIZES:
        for seed, name in enumerate("xy"):
            np.save(folder / f"{name}.{element}.npy", numbers(element, seed))
        names = type_kernels.served(element)
        (folder / f"{element}.mlir").write_text(
            type_kernels.header(element) +
            "".join(type_kernels.kernel(name, element) for name in names))
        subprocess.run([graph_opt, folder / f"{element}.mlir",
                        f"--nvptx-emit=cubin={folder / element}.cubin "
                        f"resources={folder / element}.cubin.json", "-o",
                        "/dev/null"], check=True)
        work += [(folder, graph_opt, name, element) for name in names]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = dict(zip([f"{name} {element}" for _, _, name, element in work],
                           pool.map(lambda each: interpret(*each), work)))
    np.savez_compressed(folder / "expected.npz", **results)


def interpret(folder, graph_opt, name, element):
    output = folder / f"{name}.{element}.npy"
    number = "1.0" if element in ONES else "1"
    subprocess.run(
        [graph_opt, folder / f"{element}.mlir",
         f"--tile-interpret=kernel={name} schedules=1 args=x:{folder}/x.{element}"
         f".npy,y:{folder}/y.{element}.npy:out={output},@x,@y,{number}", "-o",
         "/dev/null"], check=True)
    result = np.load(output).view(words(element))
    output.unlink()
    return result


def encode(element, tensor):
    from cubin import CUDA, check
    memory = (ctypes.c_char * 192)()
    at = (ctypes.addressof(memory) + 63) // 64 * 64
    columns = 256 // type_kernels.SIZES[element]
    check(CUDA.cuTensorMapEncodeTiled(
        ctypes.c_void_p(at), MAPS.get(element, 0), 2,
        ctypes.c_void_p(tensor.data_ptr()), (ctypes.c_uint64 * 2)(columns, 4),
        (ctypes.c_uint64 * 1)(256), (ctypes.c_uint32 * 2)(columns, 4),
        (ctypes.c_uint32 * 2)(1, 1), 0, 0, 0, 0))
    return memory, ctypes.c_void_p(at)


def run(module, folder, name, element, want, torch):
    """What is wrong, or None."""
    x, y = (torch.from_numpy(np.load(folder / f"{each}.{element}.npy")
                             .view(np.uint8)).cuda() for each in "xy")
    maps = [encode(element, tensor) for tensor in (x, y)]
    module.launch(name, [at for _, at in maps] + [x.data_ptr(), y.data_ptr(),
                                                  ONES.get(element, 1)])
    torch.cuda.synchronize()
    got = y.cpu().numpy().view(words(element)).reshape(want.shape)
    places = np.argwhere(got != want)
    if not len(places):
        return None
    at = tuple(places[0])
    return (f"{name} of {element}: {len(places)} differ, first {at}: "
            f"{got[at]:#x}, expected {want[at]:#x}")


def run_all(folder):
    import torch
    from cubin import Module
    torch.zeros(1, device="cuda")
    expected = np.load(folder / "expected.npz")
    failures, modules = [], {}
    for key in expected.files:
        name, element = key.split()
        if element not in modules:
            modules[element] = Module(folder / f"{element}.cubin")
        failures.append(run(modules[element], folder, name, element,
                            expected[key], torch))
    wrong = list(filter(None, failures))
    print("\n".join(wrong))
    print(f"{len(failures) - len(wrong)} passed, {len(wrong)} failed")
    return len(wrong)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--make", action="store_true")
    parser.add_argument("--graph-opt", default="graph-opt")
    arguments = parser.parse_args()
    if arguments.make:
        make(arguments.folder, arguments.graph_opt)
    elif run_all(arguments.folder):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
