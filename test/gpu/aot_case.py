# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Objects of CUDA plans made ahead of time, on the device that is here: the C
program of docs/examples/aot gives the bytes of the JIT, and the same object in a
shared library runs torch's tensors on torch's streams and inside a capture.

Run in an unpacked bundle: PYTHONPATH=test/gpu python3 test/gpu/aot_case.py
(needs cc, torch and NumPy; builds in a temporary folder)
"""

import ctypes
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import torch

from gpu_paths import BUILD, INCLUDE, ROOT

ROWS, COLUMNS = 8, 33


def run(*command, **options):
    return subprocess.run([str(c) for c in command], check=True, text=True,
                          stdout=subprocess.PIPE, **options).stdout


def build(folder):
    """The example's program, and the object alone as a shared library."""
    run(BUILD / "bin/opgraph", "compile", ROOT / "docs/examples/softmax.mlir",
        "--device", "cuda", "--emit", "obj", "-o", folder / "g.o", "--header",
        folder / "g.h")
    runtime = [BUILD / "lib/libopgraph_runtime.a", "-lstdc++", "-lm", "-ldl",
               "-lpthread"]
    run("cc", "-std=c11", "-I", folder, "-I", INCLUDE,
        ROOT / "docs/examples/aot/cuda.c", folder / "g.o", *runtime, "-o",
        folder / "program")
    run("cc", "-shared", "-Wl,--whole-archive", runtime[0],
        "-Wl,--no-whole-archive", folder / "g.o", *runtime[1:], "-o",
        folder / "libg.so")


def inputs():
    index = np.arange(ROWS * COLUMNS)
    return ((((index * 37 + 1) % 101) - 50) / 64).astype("f4").reshape(
        ROWS, COLUMNS)


class Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class Buffer(ctypes.Structure):
    """og_buffer."""
    _fields_ = [("struct_size", ctypes.c_size_t), ("uid", ctypes.c_int64),
                ("data", ctypes.c_void_p), ("dtype", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("shape", ctypes.c_void_p),
                ("strides", ctypes.c_void_p), ("device", Device)]


class Pack(ctypes.Structure):
    """og_variant_pack."""
    _fields_ = [("struct_size", ctypes.c_size_t), ("buffers", ctypes.c_void_p),
                ("num_buffers", ctypes.c_size_t),
                ("workspace", ctypes.c_void_p),
                ("workspace_size", ctypes.c_size_t),
                ("overrides", ctypes.c_void_p),
                ("num_overrides", ctypes.c_size_t)]


#: og_device_type, OG_BARE_POINTER, the uids of the example, OG_NOT_PREPARED's
#: words.
CUDA, BARE = 2, -1
X, Y = 1, 2


class Object:
    """The functions of the object."""

    def __init__(self, path):
        self.library = ctypes.CDLL(str(path))
        self.library.og_last_error.restype = ctypes.c_char_p

    def call(self, name, *arguments):
        if getattr(self.library, name)(*arguments):
            raise RuntimeError(self.library.og_last_error().decode())

    def prepare(self, ordinal=0):
        plan = ctypes.c_void_p()
        self.call("softmax_describe", ctypes.byref(plan))
        self.call("og_plan_prepare", plan, Device(CUDA, ordinal))

    def execute(self, x, y, stream=0):
        buffers = (Buffer * 2)(*(
            Buffer(ctypes.sizeof(Buffer), uid, tensor.data_ptr(), 0, BARE, None,
                   None, Device()) for uid, tensor in ((X, x), (Y, y))))
        pack = Pack(ctypes.sizeof(Pack), ctypes.addressof(buffers), 2)
        size = ctypes.c_size_t()
        self.call("softmax_workspace_size", ctypes.byref(pack),
                  ctypes.byref(size))
        assert size.value == 0, "the example needs no workspace"
        self.call("softmax_execute", ctypes.byref(pack),
                  ctypes.c_void_p(stream))


def check_capture(folder):
    made = Object(folder / "libg.so")
    x = torch.from_numpy(inputs()).cuda()
    y = torch.full_like(x, float("nan"))
    torch.cuda.synchronize()
    stream, graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream, capture_error_mode="global"):
        address = torch.cuda.current_stream().cuda_stream
        try:
            made.execute(x, y, address)
            raise AssertionError("an unprepared plan ran in a capture")
        except RuntimeError as error:
            assert "before the capture" in str(error), error
        made.prepare()
        made.execute(x, y, address)
    for scale in (1.0, -2.0):
        x.copy_(torch.from_numpy(inputs()) * scale)
        y.fill_(float("nan"))
        graph.replay()
        torch.cuda.synchronize()
        want = x.double().softmax(-1)
        assert (y.double() - want).abs().max() < 1e-6
    with torch.cuda.stream(stream):
        y.fill_(float("nan"))
        made.execute(x, y, stream.cuda_stream)
    stream.synchronize()
    assert (y.double() - want).abs().max() < 1e-6
    try:
        made.execute(x.cpu(), y)
        raise AssertionError("memory of the host was taken")
    except RuntimeError as error:
        assert "memory of the host" in str(error), error


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        build(folder)
        np.save(folder / "x.npy", inputs())
        run(BUILD / "bin/opgraph", "run", ROOT / "docs/examples/softmax.mlir",
            "--device", "cuda", "--verify", "--input", f"X={folder}/x.npy",
            "--save-outputs", folder)
        ahead = bytes.fromhex(run(folder / "program").replace("\n", ""))
        (saved,) = folder.glob("Y.*.npy")
        assert np.load(saved).tobytes() == ahead, "other bytes than the JIT's"
        want = inputs().astype("f8")
        want = np.exp(want - want.max(1, keepdims=True))
        want /= want.sum(1, keepdims=True)
        found = np.frombuffer(ahead, "f4").reshape(ROWS, COLUMNS)
        assert np.abs(found - want).max() < 1e-6
        print(f"object and JIT agree on {len(ahead)} bytes")
        check_capture(folder)
        print("the object runs on a stream and in a capture")


if __name__ == "__main__":
    sys.exit(main())
