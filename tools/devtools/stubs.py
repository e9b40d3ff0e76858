#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the type stubs of the Python package: `_opgraph.pyi` by nanobind from
the extension, `__init__.pyi` from the package itself. Operations take their
types from their definitions (opgraph._ops.OPS), everything else from the two
tables below; a parameter or a call that they lack is an error. Needs a built
tree.
"""

import argparse
import enum
import inspect
import pathlib
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]

INTS = "Sequence[int]"
KNOBS = "dict[knob_type | int, int]"

#: Parameter name -> type, wherever it occurs. Without None where the default
#: is None: that is added.
PARAMETERS = {
    **dict.fromkeys(
        "data_type io_data_type intermediate_data_type "
        "compute_data_type".split(), "DType"),
    **dict.fromkeys("dim stride out_dims override_uids tensor_uids "
                    "permutation".split(), INTS),
    **dict.fromkeys("override_shapes override_strides".split(),
                    f"Sequence[{INTS}]"),
    **dict.fromkeys("uid ragged_offset_multiplier multiplier alignment_value "
                    "engine_id index size sm_count sm_version axis "
                    "in_place_index sliding_window_length sliding_window "
                    "left_bound right_bound "
                    "diagonal_band_left_bound diagonal_band_right_bound "
                    "paged_attention_max_seq_len_kv max_total_seq_len_q "
                    "max_total_seq_len_kv".split(), "int"),
    **dict.fromkeys("is_virtual is_pass_by_value is_dynamic_shape_enabled "
                    "is_override_shape_enabled is_cuda_graph_replay_expected "
                    "as_json as_bytes use_alibi_mask use_padding_mask "
                    "use_causal_mask use_causal_mask_bottom_right is_inference "
                    "generate_stats unfuse_fma stats_use_log2 "
                    "deterministic".split(), "bool"),
    **dict.fromkeys("A B M_override N_override K_override input scale bias "
                    "epsilon q k v seq_len_q seq_len_kv".split(), "Operand"),
    **dict.fromkeys("rng_dump score_max score_sum_exp dBias "
                    "dSink_token".split(), "Operand"),
    **dict.fromkeys("score_mod score_mod_bprop fn".split(),
                    "Callable[[pygraph, Tensor], Tensor]"),
    # Named by the peers' API; given one, this version raises.
    **dict.fromkeys("kernel_cache cuda_graph_retention sf_o".split(), "object"),
    # What create_device_properties makes, or its text.
    "device_property": "object",
    # A name or an ordinal; an address or a framework's stream.
    "device": "str | int", "stream": "int | object", "cuda_graph": "int | object",
    "variant_pack": "Mapping[Tensor | int | str, Array | int]",
    "diagonal_alignment": "diagonal_alignment",
    "dropout": "tuple[Any, ...]", "handle": "Handle",
    "handle_or_data": "Handle | bytes | Sequence[int] | None",
    "heuristics": "heur_mode | Sequence[heur_mode]",
    "inputs": "Sequence[Operand]", "knob": "knob_type | int", "knobs": KNOBS,
    "mode": "reduction_mode", "name": "str", "names": "Sequence[str]",
    "norm_forward_phase": "norm_forward_phase", "offset": "Tensor",
    "padding": "float", "policy": "build_plan_policy",
    "ragged_offset": "Tensor", "reordering_type": "tensor_reordering",
    "reshape_mode": "reshape_mode", "scalar_type": "scalar_type",
    "slices": "Sequence[builtins.slice]", "template": "Operand",
    "tensor_dict": "Mapping[Tensor | int | str, Array | int] | "
                   "Sequence[Array | int] | None",
    "text": "str", "workspace": "Array | int",
}
#: Parameters whose type depends on the call: "call.parameter" -> type.
SPECIAL = {
    "concatenate.axis": "int | Sequence[Operand]",
    **dict.fromkeys("conv_fprop.padding conv_dgrad.padding "
                    "conv_wgrad.padding".split(), INTS),
    "rng.seed": "int | Operand",
    **dict.fromkeys(
        [op + ".attn_scale" for op in
         "sdpa sdpa_backward sdpa_fp8 sdpa_fp8_backward sdpa_mxfp8 "
         "sdpa_mxfp8_backward".split()], "float | Operand"),
    "create_device_properties.device": "int | str",
    "load_plan.data": "bytes | bytearray | memoryview | str",
    "deserialize.data": "bytes | Sequence[int]",
    "find_tensor.name": "str",
    "pack_fp4.array": "Any", "pack_int4.array": "Any",
    "unpack_fp4.packed": "Any", "unpack_int4.packed": "Any",
    "pack_fp4.axis": "int", "pack_int4.axis": "int",
    "unpack_fp4.axis": "int", "unpack_int4.axis": "int",
    "pack_scale_128x4.scale": "Any", "pack_scale_128x4.transpose": "bool",
    "unpack_scale_128x4.packed": "Any", "unpack_scale_128x4.rows": "int",
    "unpack_scale_128x4.columns": "int",
    "unpack_scale_128x4.transpose": "bool",
    "notes.behavior": "Sequence[behavior_note]",
    "notes.numeric": "Sequence[numerical_note]",
    "set_data_type.value": "DType", "set_output.value": "bool",
    "set_is_virtual.value": "bool", "set_is_pass_by_value.value": "bool",
    "set_reordering_type.value": "tensor_reordering",
    "set_alignment.value": "int", "set_alignment_value.value": "int",
    "set_ragged_offset.offset": "Operand",
    "set_ragged_offset_multiplier.value": "int",
    "tensor_scalar.value": "bool | int | float",
}
#: Call -> what it returns. Setters of tensors return the tensor.
RETURNS = {
    **dict.fromkeys("backend_version cudnn_version get_stream key get_uid "
                    "get_alignment get_alignment_value get_vector_count "
                    "get_vector_dimension get_ragged_offset_multiplier "
                    "get_execution_plan_count get_workspace_size "
                    "get_workspace_size_plan_at_index backend_handle "
                    "cuda_device_count".split(),
                    "int"),
    **dict.fromkeys("backend_version_string to_mlir get_name __str__ explain "
                    "get_plan_name_at_index device".split(), "str"),
    **dict.fromkeys("get_is_virtual get_is_pass_by_value "
                    "get_has_compile_time_constant "
                    "is_frontend_knob_type".split(), "bool"),
    **dict.fromkeys("__init__ destroy_handle set_stream validate "
                    "build_operation_graph create_execution_plans "
                    "check_support build_plans build_plan_at_index build "
                    "execute execute_plan_at_index deserialize "
                    "populate_cuda_graph update_cuda_graph".split(),
                    "None"),
    **dict.fromkeys("create_execution_plan select_plan deselect_engines "
                    "deselect_workspace_greater_than "
                    "deselect_shared_mem_greater_than select_behavior_notes "
                    "deselect_behavior_notes select_numeric_notes "
                    "deselect_numeric_notes".split(), "pygraph"),
    **dict.fromkeys("tensor tensor_like tensor_scalar "
                    "query_tensor_attributes_of_uid".split(), "Tensor"),
    **dict.fromkeys("tensors get_inputs get_outputs".split(), "list[Tensor]"),
    **dict.fromkeys("get_dim get_stride".split(), "list[int]"),
    **dict.fromkeys("pack_fp4 pack_int4 pack_scale_128x4 unpack_fp4 "
                    "unpack_int4 unpack_scale_128x4".split(), "Any"),
    "create_device_properties": "object", "create_handle": "Handle",
    "find_tensor": "Tensor | None",
    "get_behavior_notes": "list[behavior_note]",
    "get_behavior_notes_for_plan_at_index": "list[behavior_note]",
    "get_data_type": "data_type",
    "get_engine_and_knobs_at_index": f"tuple[int, {KNOBS}]",
    "get_node": "Node | None",
    "get_numeric_notes_for_plan_at_index": "list[numerical_note]",
    "get_reordering_type": "tensor_reordering", "inspect": "dict[str, Any]",
    "load_plan": "Plan", "nodes": "list[Node]", "parse": "pygraph",
    "plans": "list[PlanEntry]",
    "ragged_offset": "Tensor | None", "selected_engine": "str | None",
    "serialize": "bytes | list[int]",
}
#: Attributes that constructors make, of classes that users only read.
FIELDS = {
    "Handle": {"stream": "int"},
    "Node": {"name": "str", "op": "str",
             "inputs": "dict[str, Tensor | list[Tensor]]",
             "outputs": "dict[str, Tensor]", "attributes": "dict[str, Any]",
             "region": "Region | None"},
    "Region": {"arguments": "list[Tensor]", "captures": "list[Tensor]",
               "results": "list[Tensor]", "nodes": "list[Node]"},
    "PlanEntry": {"index": "int", "engine_id": "int", "engine_name": "str",
                  "knobs": KNOBS, "name": "str", "predicted_time_ns": "int",
                  "workspace": "int", "barred": "bool", "reason": "str"},
    "Tensor": {"graph": "pygraph"},
    "pygraph": {"name": "str"},
}
ATTRIBUTE_KINDS = {"int": "int", "float": "float", "bool": "bool", "str": "str",
                   "ints": INTS, "dtype": "DType"}
HEADER = '''\
# Generated by tools/devtools/stubs.py (`tools/dev stubs`). Do not edit.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types of the package opgraph."""

import builtins
import enum
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from ._opgraph import Plan

class Array(Protocol):
    """What speaks DLPack."""

    def __dlpack__(self, *args: Any, **keywords: Any) -> Any: ...

#: A data_type, or a dtype or scalar type of NumPy, ml_dtypes or torch.
DType: TypeAlias = data_type | Any

'''


class Stubs:
    def __init__(self, package):
        from opgraph import _ops
        self.package = package
        self.ops = _ops.OPS
        self.enums = _ops.ENUMS
        self.lines = []

    def emit(self, text="", depth=0):
        self.lines.append(textwrap.indent(text, "    " * depth))

    def enum_type(self, table):
        """The package's enumeration with the members of `table`."""
        words = "".join("_" + c.lower() if c.isupper() else c for c in table)
        return words.lstrip("_")

    def parameter_type(self, call, name):
        if f"{call}.{name}" in SPECIAL:
            return SPECIAL[f"{call}.{name}"]
        op = self.ops.get(call)
        for operand in op.operands if op else ():
            if operand.name == name:
                return ("Sequence[Operand]" if operand.arity == "variadic"
                        else "Operand")
        for attribute in op.attributes if op else ():
            if attribute.name == name:
                return ATTRIBUTE_KINDS.get(attribute.kind) or (
                    self.enum_type(attribute.enum) + " | str")
        if name == "notes":
            name = "notes.behavior" if "behavior" in call else "notes.numeric"
        if call.startswith("set_") and call.removeprefix("set_") == name:
            return {"name": "str", "uid": "int"}.get(name, INTS)
        found = SPECIAL.get(name) or PARAMETERS.get(name)
        if found is None:
            sys.exit(f"stubs: no type for parameter '{name}' of '{call}'")
        return found

    def return_type(self, call):
        if call in self.ops:
            results = self.ops[call].results
            if len(results) == 1:
                return "Tensor"
            return ("list[Tensor | None]" if any(r.optional for r in results)
                    else "list[Tensor]")
        if call.startswith("set_") and call not in RETURNS:
            return "Tensor"
        if call not in RETURNS:
            sys.exit(f"stubs: no return type for '{call}'")
        return RETURNS[call]

    def signature(self, call, function):
        parts, keyword_only = [], False
        for name, parameter in inspect.signature(function).parameters.items():
            if name == "self":
                parts.append(name)
                continue
            if parameter.kind is parameter.KEYWORD_ONLY and not keyword_only:
                parts.append("*")
                keyword_only = True
            text = f"{name}: {self.parameter_type(call, name)}"
            default = parameter.default
            if default is None and not text.endswith("| None"):
                text += " | None"
            if default is not parameter.empty:
                text += f" = {default!r}"
            parts.append(text)
        return parts

    def function(self, name, function, depth, call=None):
        call = call or name
        parts = self.signature(call, function)
        returns = self.return_type(call)
        one = f"def {name}({', '.join(parts)}) -> {returns}:"
        if len(one) + 4 * depth > 80:
            inner = textwrap.fill(
                ", ".join(p.replace(" ", "\0") for p in parts), 76 - 4 * depth,
                break_long_words=False, break_on_hyphens=False)
            one = (f"def {name}(\n" +
                   textwrap.indent(inner.replace("\0", " "), "    ") +
                   f"\n) -> {returns}:")
        doc = inspect.getdoc(function)
        if not doc or name.startswith("__"):
            self.emit(one + " ...", depth)
            return
        self.emit(one, depth)
        self.emit(f'"""{doc}"""', depth + 1)

    def enumeration(self, cls):
        self.emit(f"class {cls.__name__}(enum.Enum):")
        self.emit(f'"""{inspect.getdoc(cls)}"""\n', 1)
        for name, member in cls.__members__.items():
            self.emit(f"{name} = {member.value}", 1)
        self.emit("def __int__(self) -> int: ...", 1)
        self.emit("def __index__(self) -> int: ...\n", 1)

    def plain_class(self, cls):
        bases = [b.__name__ for b in cls.__bases__
                 if issubclass(cls, BaseException)]
        self.emit(f"class {cls.__name__}" +
                  (f"({', '.join(bases)})" if bases else "") + ":")
        self.emit(f'"""{inspect.getdoc(cls)}"""\n', 1)
        if issubclass(cls, BaseException):
            if "status" in vars(cls):
                self.emit("status: str\n", 1)
            return
        for name, kind in FIELDS.get(cls.__name__, {}).items():
            self.emit(f"{name}: {kind}", 1)
        for name, value in self.members(cls):
            if isinstance(value, property):
                self.emit("@property", 1)
                self.emit(f"def {name}(self) -> {self.return_type(name)}:", 1)
                self.emit(f'"""{inspect.getdoc(value)}"""', 2)
            else:
                # An alias keeps the signature of what it names.
                self.function(name, value, 1, call=value.__name__)
        self.emit()

    @staticmethod
    def members(cls):
        """Public methods and properties: own ones in order of definition, then
        inherited ones (operations) by name."""
        own = [base for base in cls.__mro__ if base is not object]
        seen, inherited = set(), []
        for base in own:
            for name, value in vars(base).items():
                public = not name.startswith("_") or (
                    name == "__init__" and cls.__name__ == "pygraph")
                called = isinstance(value, property) or \
                    inspect.isfunction(value)
                if not public or not called or name in seen:
                    continue
                seen.add(name)
                if base is cls:
                    yield name, value
                else:
                    inherited.append((name, value))
        yield from sorted(inherited)

    def text(self):
        self.emit(HEADER + "#: Where an operation takes a tensor it also takes "
                  "an array.\nOperand: TypeAlias = Tensor | Array\n")
        self.emit("__version__: str\n")
        aliases, constants = [], []
        for name in sorted(self.package.__all__):
            value = getattr(self.package, name)
            if inspect.isclass(value) and value.__name__ != name:
                aliases.append(f"{name} = {value.__name__}")
            elif inspect.isclass(value) and issubclass(value, enum.Enum):
                self.enumeration(value)
            elif inspect.isclass(value):
                self.plain_class(value)
            elif inspect.isfunction(value):
                self.function(name, value, 0)
                self.emit()
            else:
                constants.append(f"{name}: {type(value).__name__}")
        self.emit("\n".join(aliases + constants))
        return "\n".join(self.lines).rstrip() + "\n"


def main(folder):
    sys.path.insert(0, str(ROOT / "build" / "python"))
    import opgraph
    subprocess.run(
        [sys.executable, "-m", "nanobind.stubgen", "-q", "-m",
         "opgraph._opgraph", "-O", str(folder)], check=True,
        cwd=ROOT / "build" / "python")
    (folder / "__init__.pyi").write_text(Stubs(opgraph).text())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=pathlib.Path,
                        default=ROOT / "python" / "opgraph",
                        help="default: python/opgraph")
    main(parser.parse_args().folder.resolve())
