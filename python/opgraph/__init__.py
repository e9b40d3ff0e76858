# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""opgraph: compile operation graphs of tensor operations.

Importing is light: neither NumPy nor the compiler is loaded until a graph is
made. A program written for cudnn-frontend runs with
`import opgraph as cudnn`.
"""

__version__ = "0.1.0"

from ._device import create_device_properties, cuda_device_count
from ._enums import (FRONTEND_KNOB_TYPE_BASE, attention_implementation,
                     behavior_note, build_plan_policy, convolution_mode,
                     cuda_graph_retention, data_type, diagonal_alignment,
                     heur_mode, is_frontend_knob_type, knob_type,
                     moe_grouped_matmul_mode, norm_forward_phase,
                     numerical_note, padding_mode, reduction_mode,
                     resample_mode, reshape_mode, rng_distribution,
                     scalar_type, tensor_reordering)
from ._errors import Error, cudnnGraphNotSupportedError
from ._handle import (Handle, create_handle, destroy_handle, get_stream,
                      set_stream)
from ._packing import (pack_fp4, pack_int4, pack_scale_128x4, unpack_fp4,
                       unpack_int4, unpack_scale_128x4)

__all__ = [
    "Error", "FRONTEND_KNOB_TYPE_BASE", "Handle", "Node", "PlanEntry",
    "Region", "Tensor", "attention_implementation", "backend_version",
    "backend_version_string", "behavior_note", "build_plan_policy",
    "convolution_mode", "create_device_properties", "create_handle",
    "cuda_device_count", "cuda_graph_retention",
    "cudnnGraphNotSupportedError", "cudnn_version", "data_type",
    "destroy_handle", "diagonal_alignment", "get_stream", "heur_mode",
    "is_frontend_knob_type", "knob_type", "load_plan",
    "moe_grouped_matmul_mode", "norm_forward_phase", "numerical_note",
    "pack_fp4", "pack_int4", "pack_scale_128x4", "padding_mode", "parse",
    "pygraph", "reduction_mode", "resample_mode", "reshape_mode",
    "rng_distribution", "scalar_type", "set_stream", "tensor",
    "tensor_reordering", "unpack_fp4", "unpack_int4", "unpack_scale_128x4",
]


def backend_version():
    """The API level served, major * 10000 + minor * 100 + patch."""
    return 92700


def backend_version_string():
    """The API level served, as text."""
    return "9.27.0"


def cudnn_version():
    """The version of the cuDNN library in use; 0 where none is."""
    from . import _opgraph
    try:
        return _opgraph.cudnn_version()
    except Error:
        return 0


def load_plan(data):
    """A `Plan` from the bytes of a plan file, or from a file's path. A plan
    file is code: load trusted ones only. Needs no compiler."""
    from . import _opgraph
    if isinstance(data, str):
        with open(data, "rb") as file:
            data = file.read()
    return _opgraph.load_plan(bytes(data))


def parse(text, device=None):
    """A `pygraph` from .mlir text with one graph; it cannot be changed. `device`
    is what it is planned for, as in `pygraph`."""
    from ._pygraph import pygraph
    return pygraph._from_mlir(text, device)


# Loaded on first use: what needs the graph classes needs the extension soon.
_LAZY = {"pygraph": "_pygraph", "Node": "_nodes", "PlanEntry": "_pygraph",
         "Region": "_nodes", "Tensor": "_tensor", "tensor": "_tensor"}


def __getattr__(name):
    module = _LAZY.get(name)
    if module is None:
        raise AttributeError(f"module 'opgraph' has no attribute '{name}'")
    from importlib import import_module
    value = getattr(import_module("." + module, __name__),
                    "Tensor" if name == "tensor" else name)
    globals()[name] = value
    return value
