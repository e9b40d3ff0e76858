# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches kernels that `graph-opt --nvptx-emit` wrote to a file."""

import ctypes
import json

CUDA = ctypes.CDLL("libcuda.so.1")


def check(status):
    if status:
        text = ctypes.c_char_p()
        CUDA.cuGetErrorString(status, ctypes.byref(text))
        raise SystemExit(f"CUDA error {status}: {text.value.decode()}")


class Module:
    """The kernels of a file, in the current context."""

    def __init__(self, path, resources=None):
        """`resources`: what nvptx-emit said of them (default: PATH.json)."""
        text = (resources or path.with_name(path.name + ".json")).read_text()
        self.facts = {each["name"]: each for each in json.loads(text)}
        self.module = ctypes.c_void_p()
        check(CUDA.cuModuleLoadData(ctypes.byref(self.module),
                                    path.read_bytes() + b"\0"))

    def launch(self, name, arguments, grid=(1, 1), stream=None):
        """Arguments: addresses on the device, or a c_void_p to a parameter.
        `stream`: a CUstream as a number."""
        function = ctypes.c_void_p()
        check(CUDA.cuModuleGetFunction(ctypes.byref(function), self.module,
                                       name.encode()))
        shared = self.facts[name]["dynamic_shared"]
        check(CUDA.cuFuncSetAttribute(function, 8, shared))
        numbers = [each if isinstance(each, ctypes.c_void_p) else
                   ctypes.c_uint64(each) for each in arguments]
        places = (ctypes.c_void_p * len(numbers))(*[
            each.value if isinstance(each, ctypes.c_void_p) else
            ctypes.addressof(each) for each in numbers])
        check(CUDA.cuLaunchKernel(
            function, *grid, 1, self.facts[name]["threads"], 1, 1, shared,
            ctypes.c_void_p(stream), places, None))
