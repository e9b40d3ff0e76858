"""The C API of opgraph; use the package `opgraph` instead."""

from collections.abc import Sequence


class Plan:
    """
    A compiled plan. Immutable; threads may execute one plan at once with different operands.
    """

    def execute(self, pack: dict, workspace: object | None = None, override_uids: object | None = None, override_shapes: object | None = None, override_strides: object | None = None, stream: int = 0, device: int = -1) -> None:
        """
        Runs on `pack`: a dict from uid or tensor to array or address. `stream` is a CUDA stream's address, `device` the ordinal that the operands must be on. Releases the GIL.
        """

    def prepare(self, device: int = 0) -> None:
        """
        Does all lazy work for executing on CUDA device `device`, or on the host.
        """

    def populate_graph(self, pack: dict, workspace: object | None, graph: int, retain: bool, override_uids: object | None = None, override_shapes: object | None = None, override_strides: object | None = None) -> None:
        """Adds an execution to an empty CUDA graph, by address."""

    def update_graph(self, pack: dict, workspace: object | None, graph: int, override_uids: object | None = None, override_shapes: object | None = None, override_strides: object | None = None) -> None:
        """Writes other operands, and shapes, into such a graph."""

    def workspace_size(self, override_uids: object | None = None, override_shapes: object | None = None, override_strides: object | None = None) -> int:
        """Bytes of scratch memory that execute needs."""

    @property
    def on_cuda(self) -> bool:
        """Whether it runs on a CUDA device."""

    def describe(self) -> dict:
        """Engine, knobs, target, code variant and operands as a dict."""

    def serialize(self) -> bytes:
        """The bytes of the plan file."""

    def save(self, path: str) -> None:
        """Writes the plan file; never leaves half of one."""

def load_plan(data: bytes) -> Plan:
    """
    Loads a plan from the bytes of a plan file. A plan file is code: load trusted ones only.
    """

class Graph:
    """
    A graph of the C API; belongs to one thread at a time. Use opgraph.pygraph.
    """

    def validate(self) -> None: ...

    def name(self) -> str: ...

    def is_frozen(self) -> bool: ...

    def set_default_dtypes(self, arg0: int, arg1: int, arg2: int, /) -> None: ...

    def to_mlir(self) -> str: ...

    def tensor(self, name: str, dtype: int, dim: Sequence[int] | None, stride: Sequence[int] | None) -> int: ...

    def scalar(self, value: tuple, dtype: int, constant: bool, name: str) -> int: ...

    def num_tensors(self) -> int: ...

    def tensor_info(self, tensor: int) -> dict: ...

    def find_uid(self, arg: int, /) -> int: ...

    def set_name(self, arg0: int, arg1: str, /) -> None: ...

    def set_dtype(self, arg0: int, arg1: int, /) -> None: ...

    def set_dim(self, arg0: int, arg1: Sequence[int], /) -> None: ...

    def set_stride(self, arg0: int, arg1: Sequence[int], /) -> None: ...

    def set_uid(self, arg0: int, arg1: int, /) -> None: ...

    def set_virtual(self, arg0: int, arg1: bool, /) -> None: ...

    def set_by_value(self, arg0: int, arg1: bool, /) -> None: ...

    def set_alignment(self, arg0: int, arg1: int, /) -> None: ...

    def set_reordering(self, arg0: int, arg1: int, /) -> None: ...

    def set_ragged_offset(self, arg0: int, arg1: int, arg2: int, /) -> None: ...

    def op(self, op: str, name: str, operands: list, attributes: list, file: str, line: int, outputs: list, region: int) -> list[int]: ...

    def num_nodes(self) -> int: ...

    def node_info(self, node: int) -> dict: ...

    def begin_region(self, num_arguments: int) -> list[int]: ...

    def end_region(self, results: Sequence[int]) -> int: ...

    def abandon_region(self) -> None: ...

    def region_info(self, region: int) -> dict: ...

    def create_plans(self, modes: Sequence[int], max_workspace: int | None, target: str | None = None, deterministic: bool = False) -> None: ...

    def create_plan(self, engine: int, knobs: dict, target: str | None = None) -> int: ...

    def stages(self) -> list[tuple[str, int, int]]: ...

    def num_plans(self) -> int: ...

    def plan_info(self, index: int) -> dict: ...

    def select(self, arg: int, /) -> None: ...

    def deselect_engines(self, arg: str, /) -> None: ...

    def deselect_workspace(self, arg: int, /) -> None: ...

    def deselect_shared_memory(self, arg: int, /) -> None: ...

    def filter_behavior(self, arg0: int, arg1: bool, /) -> None: ...

    def filter_numeric(self, arg0: int, arg1: bool, /) -> None: ...

    def explain(self, arg: bool, /) -> str: ...

    def build(self, index: int) -> None: ...

    def candidate(self) -> int: ...

    def plan(self, arg: int, /) -> Plan: ...

def make_graph(name: str, io: int, intermediate: int, compute: int, dynamic: bool) -> Graph: ...

def parse_graph(text: str) -> Graph: ...

def knob_name(arg: int, /) -> object: ...

def runtime_version() -> str:
    """Version of the runtime library."""

def compiler_version() -> str:
    """Version of the compiler library; loads it."""

def is_compiler_loaded() -> bool:
    """Whether the compiler library has been opened."""

def describe_array(array: object) -> tuple:
    """(dtype, dim, stride, device type, device id) of an array."""

def cuda_device_count() -> int:
    """How many CUDA devices there are; opens the driver."""

def cudnn_version() -> int:
    """The version of cuDNN; opens the library."""

def describe_cuda_device(ordinal: int) -> str:
    """The JSON description of a CUDA device."""

def set_log_level(arg: int, /) -> None: ...
