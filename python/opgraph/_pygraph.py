# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`pygraph`: the graph object of the peers' API over the C API."""

import contextlib
import json
import weakref

from . import _arguments as arguments
from . import _device
from ._attention import AttentionMethods
from ._attention_backward import AttentionBackwardMethods
from ._conv import ConvMethods
from ._enums import (behavior_note, build_plan_policy, data_type, heur_mode,
                     knob_type, numerical_note, scalar_type, tensor_reordering)
from ._enums import cuda_graph_retention as retention
from ._errors import (ArgumentError, Error, GraphNotSupportedError,
                      InvalidGraphError, InvalidValueError, PlanIndexError,
                      VariantPackError)
from ._handle import Handle, graph_address, stream_address
from ._moe import MoeMethods
from ._nodes import all_nodes
from ._norms import NormMethods
from ._ops import OPS
from ._quantisation import QuantisationMethods
from ._regions import RegionMethods
from ._structured import StructuredMethods
from ._tensor import Tensor, require_same_graph


def _native():
    from . import _opgraph
    return _opgraph


class PlanEntry:
    """One entry of a graph's plan list."""

    def __init__(self, index, info):
        self.index = index
        self.engine_id = info["engine_id"]
        self.engine_name = info["engine_name"]
        #: A heur_mode; -1 for a pinned plan.
        self.mode = info["mode"]
        self.knobs = {_knob(k): v for k, v in info["knobs"].items()}
        self.name = info["identity"]
        self.predicted_time_ns = info["predicted_time_ns"]
        self.workspace = info["workspace"]
        #: Bytes of a block; -1 where that is not known before it is built.
        self.shared_memory = info["shared_memory"]
        self.barred = info["barred"]
        self.reason = info["reason"]

    def __repr__(self):
        return (f"<plan {self.index}: {self.name}, predicted "
                f"{self.predicted_time_ns} ns>")


def _knob(number):
    """A KnobType member, or the number of one outside the peers' list."""
    try:
        return knob_type(number)
    except ValueError:
        return number


class pygraph(RegionMethods, AttentionMethods, AttentionBackwardMethods,
              ConvMethods, MoeMethods, NormMethods, QuantisationMethods,
              StructuredMethods):
    """A graph of tensor operations: build ops, then `build`, then `execute`.

    Steps, each legal only in this order (later ones run earlier ones where
    they were left out): `validate`, `build_operation_graph`,
    `create_execution_plans`, filters, `check_support`, `build_plans`,
    `get_workspace_size`, `execute`. A graph belongs to one thread at a time;
    `execute` of a built graph may run in several threads at once.
    """

    def __init__(self, name="test_graph", io_data_type=None,
                 intermediate_data_type=None, compute_data_type=None,
                 handle=None, sm_count=None, sm_version=None, kernel_cache=None,
                 device_property=None, is_dynamic_shape_enabled=False,
                 is_override_shape_enabled=False, cuda_graph_retention=None, *,
                 is_cuda_graph_replay_expected=False, device=None):
        if handle is not None and not isinstance(handle, Handle):
            raise ArgumentError(
                "pygraph: expected handle to be an opgraph Handle or None, got "
                f"{type(handle).__name__}")
        target = None
        if device is not None:
            target = _device.parse("pygraph: device", device)
        elif device_property is not None:
            target = _device.of_property(device_property)
        dynamic = bool(is_dynamic_shape_enabled or is_override_shape_enabled or
                       kernel_cache)

        def dtype(argument, value):
            return int(arguments.dtype(f"pygraph: {argument}", value))

        self._start(name, handle, _native().make_graph(
            arguments.text("pygraph: name", name),
            dtype("io_data_type", io_data_type),
            dtype("intermediate_data_type", intermediate_data_type),
            dtype("compute_data_type", compute_data_type), dynamic), target)
        self._retains = cuda_graph_retention is not retention.NONE

    @classmethod
    def _from_mlir(cls, text, device=None):
        graph = cls.__new__(cls)
        target = None if device is None else _device.parse("parse: device",
                                                           device)
        native = _native().parse_graph(text)
        graph._start(native.name(), None, native, target)
        return graph

    def _start(self, name, handle, native, target):
        self.name = name
        self._handle = handle
        # What the graph is planned for; settled by the first planning.
        self._target = target
        self._retains = True
        # Where the arrays lie that were given as op arguments.
        self._places = []
        self._native = native
        # Tensors hold their graph: were they held in turn, a dropped graph would
        # stay, with the compiler's memory, until the collector comes by.
        self._tensors = weakref.WeakValueDictionary()
        self._alignment_values = {}
        # Data of framework tensors that were given as op arguments.
        self._bound = {}
        self._described = {}
        self._plan = None
        self._plans_by_index = {}

    # --- tensors ------------------------------------------------------------

    def _tensor(self, index):
        if index < 0:
            return None
        found = self._tensors.get(index)
        if found is None:
            found = self._tensors[index] = Tensor(self, index)
        return found

    def tensor(self, dim, stride=None, data_type=None, is_virtual=False,
               is_pass_by_value=False, ragged_offset=None, reordering_type=None,
               name="", uid=None, ragged_offset_multiplier=1,
               alignment_value=1):
        """Declares an input; `stride`, in elements, None means packed
        row-major. `alignment_value` is the peers' hint on the values stored;
        no engine here needs it."""
        what = f"tensor '{name}': "
        index = self._native.tensor(
            arguments.text("tensor: name", name),
            int(arguments.dtype(what + "data_type", data_type)),
            arguments.integers(what + "dim", dim),
            None if stride is None
            else arguments.integers(what + "stride", stride))
        if is_virtual:
            self._native.set_virtual(index, True)
        if is_pass_by_value:
            self._native.set_by_value(index, True)
        tensor = self._tensor(index)
        tensor.set_alignment_value(alignment_value)
        if ragged_offset is not None or ragged_offset_multiplier != 1:
            tensor.set_ragged_offset(ragged_offset, ragged_offset_multiplier)
        if reordering_type not in (None, tensor_reordering.NONE):
            tensor.set_reordering_type(reordering_type)
        if uid is not None and uid != -1:
            tensor.set_uid(uid)
        return tensor

    def tensor_like(self, template, name="", is_virtual=False):
        """Declares an input like a graph tensor or like an array."""
        if isinstance(template, Tensor):
            return self.tensor(
                template.get_dim(), template.get_stride() or None,
                template.get_data_type(), is_virtual,
                template.get_is_pass_by_value(), name=name)
        dtype, dim, stride, *place = _native().describe_array(template)
        self._places.append(tuple(place))
        return self.tensor(dim, stride, data_type(dtype), is_virtual, name=name)

    def tensor_scalar(self, value, scalar_type=scalar_type.RUNTIME_PARAM,
                      name=""):
        """A scalar: a by-value operand with a default, or a constant."""
        constant = scalar_type.name == "COMPILE_TIME_CONST"
        if isinstance(value, float):
            pair = arguments.F64, value
        elif isinstance(value, bool):
            pair = arguments.BOOL, int(value)
        else:
            pair = arguments.I64, arguments.integer("tensor_scalar: value",
                                                    value)
        return self._tensor(self._native.scalar(
            pair, 0, constant, arguments.text("tensor_scalar: name", name)))

    def _describe(self, array):
        """A tensor for an array given as an op argument, once an object."""
        found = self._described.get(id(array))
        if found is None:
            found = self.tensor_like(array)
            # Keeps the array, so that its id stays its own.
            self._described[id(array)] = found
            self._bound[found] = array
        return found

    def _operand(self, op, argument, value):
        if isinstance(value, Tensor):
            require_same_graph(value, self, op, argument)
            return value._index
        if hasattr(value, "__dlpack__") or hasattr(value,
                                                   "__array_interface__"):
            return self._describe(value)._index
        raise ArgumentError(
            f"{op}: expected argument '{argument}' to be a tensor or an array, "
            f"got {type(value).__name__}")

    # --- operations ---------------------------------------------------------

    @staticmethod
    def _not_supported(text):
        return GraphNotSupportedError(text)

    def _op(self, op, operands, attributes, name="", compute_data_type=None,
            out_dims=None, outputs=None, region=None):
        """Adds an operation; one result is returned bare, several as a list,
        absent ones as None. Errors carry the line of the call.

        `outputs`, {result name or port: tensor or None}, are tensors that the
        caller made and that become results. `region` is the number from
        `_score_mod_region` or None; when the call fails the region is dropped,
        so that the graph is as before both."""
        try:
            return self._add_op(op, operands, attributes, name,
                                compute_data_type, out_dims, outputs or {},
                                region or 0)
        except BaseException:
            if region:
                with contextlib.suppress(Error):
                    self._abandon_region()
            raise

    def _pairs(self, op, tensors):
        """[(argument, tensor's number)] of {argument: tensor, list or None}."""
        return [(argument, self._operand(op, argument, one))
                for argument, value in tensors.items()
                for one in (value if isinstance(value, list) else (value,))
                if one is not None]

    def _add_op(self, op, operands, attributes, name, compute_data_type,
                out_dims, outputs, region):
        pairs = self._pairs(op, operands)
        given = self._pairs(op, outputs)
        known = {attribute.name: attribute for attribute in OPS[op].attributes}
        values = [(key, arguments.attribute_value(op, known[key], value))
                  for key, value in attributes.items() if value is not None]
        values += arguments.compute_values(op, known, compute_data_type)
        name = arguments.text(f"{op}: argument 'name'",
                              "" if name is None else name)
        results = [self._tensor(index) for index in self._native.op(
            op, name, pairs, values, *arguments.caller(), given, region)]
        if out_dims is not None:
            results[0].set_dim(out_dims)
        return results[0] if len(results) == 1 else results

    # --- reading ------------------------------------------------------------

    @property
    def tensors(self):
        """All tensors, in order of creation."""
        return [self._tensor(i) for i in range(self._native.num_tensors())]

    @property
    def nodes(self):
        """All operations, in order of insertion; those inside of another one
        are in its `region`."""
        return all_nodes(self, 0)

    def get_node(self, name):
        """The operation with this label, also inside of another, or None."""
        return next((n for n in all_nodes(self) if n.name == name), None)

    def find_tensor(self, name):
        """The tensor with this label, or None; the first when several have
        it."""
        return next((t for t in self.tensors if t.get_name() == name), None)

    def get_inputs(self):
        """Tensors that no operation makes: inputs and constants."""
        infos = ((t, t._info()) for t in self.tensors)
        return [t for t, info in infos
                if info["node"] < 0 and not info["region"]]

    def get_outputs(self):
        """Results that are not virtual."""
        return [t for t in self.tensors
                if t._info()["node"] >= 0 and not t.get_is_virtual()]

    def query_tensor_attributes_of_uid(self, uid):
        """The tensor with this uid."""
        return self._tensor(self._native.find_uid(uid))

    def inspect(self):
        """The structure as a dict: nodes and tensors."""
        return {
            "name": self.name,
            "nodes": [node.inspect() for node in self.nodes],
            "tensors": [json.loads(repr(t)) for t in self.tensors]}

    def to_mlir(self):
        """The graph as .mlir text (validates first)."""
        return self._native.to_mlir()

    __str__ = to_mlir

    def __repr__(self):
        return json.dumps(self.inspect())

    def key(self):
        """A hash of the structure: equal graphs have equal keys."""
        import hashlib
        digest = hashlib.blake2b(self.to_mlir().encode(), digest_size=8)
        return int.from_bytes(digest.digest(), "little")

    # --- planning -----------------------------------------------------------

    def _planned_for(self):
        """The target: given, of the handle, of the arrays, or unnamed."""
        if self._target is None and self._handle is not None:
            self._target = self._handle._target
        if self._target is None:
            self._target = _device.of_arrays(self._places)
        if self._target is None:
            self._target = _device.unnamed()
        return self._target

    def _settle(self, index):
        """Where nobody named a device: the one of the plan at `index`."""
        if self._target is _device.UNNAMED:
            self._target = _device.of_plan(
                self._native.plan_info(index)["identity"])

    def _ready(self, plan):
        """Does what the first execution would have to do."""
        if self._target is not None and self._target.ordinal is not None:
            plan.prepare(self._target.ordinal)
        return plan

    def validate(self):
        """Checks the graph and fills what was left unset."""
        self._native.validate()

    def build_operation_graph(self):
        """The peers' second step; here the same checks as validate."""
        self._native.validate()

    def create_execution_plans(self, heuristics=None, *, deterministic=False):
        """Makes the ranked plan list, once; None means [A, FALLBACK]. With
        `deterministic`, no plan whose results may differ between executions."""
        modes = [heur_mode.A, heur_mode.FALLBACK] if heuristics is None \
            else heuristics
        if isinstance(modes, heur_mode):
            modes = [modes]
        self._native.create_plans([int(m) for m in modes], None,
                                  self._planned_for().text, deterministic)
        self._settle(0)

    def create_execution_plan(self, engine_id, knobs=None):
        """Appends exactly one plan and makes it the one to build."""
        index = self._native.create_plan(
            arguments.integer("create_execution_plan: engine_id", engine_id),
            {arguments.integer("create_execution_plan: knob", key):
             arguments.integer(f"create_execution_plan: {key}", value)
             for key, value in (knobs or {}).items()},
            self._planned_for().text)
        self._settle(index)
        self._native.select(index)
        return self

    def get_execution_plan_count(self):
        """How many plans the list has."""
        return self._native.num_plans()

    @property
    def plans(self):
        """The ranked list."""
        return [PlanEntry(i, self._native.plan_info(i))
                for i in range(self._native.num_plans())]

    def _info_at(self, index):
        count = self._native.num_plans()
        if not 0 <= index < count:
            raise PlanIndexError(
                f"plan index: expected 0 to {count - 1}, got {index}")
        return self._native.plan_info(index)

    def get_plan_name_at_index(self, index):
        """The printed identity: engine[KNOB=value, ...]."""
        return self._info_at(index)["identity"]

    def get_engine_and_knobs_at_index(self, index):
        """(engine id, {knob: value}), which create_execution_plan replays."""
        info = self._info_at(index)
        return info["engine_id"], {_knob(k): v
                                   for k, v in info["knobs"].items()}

    def select_plan(self, index):
        """Pins one plan: no other is built."""
        if self._native.num_plans() == 0:
            raise InvalidValueError("select_plan: the graph has no plans yet")
        self._info_at(index)
        self._native.select(index)
        return self

    def explain(self, as_json=False):
        """Each engine's verdict, as text or JSON."""
        return self._native.explain(as_json)

    # --- filters ------------------------------------------------------------

    def deselect_engines(self, names):
        """Bars plans whose name contains any of `names`."""
        for name in names:
            self._native.deselect_engines(name)
        return self

    def deselect_workspace_greater_than(self, size):
        """Bars plans that need more than `size` bytes of workspace."""
        self._native.deselect_workspace(int(size))
        return self

    def deselect_shared_mem_greater_than(self, size):
        """Bars plans whose blocks are known to use more than `size` bytes of
        shared memory."""
        self._native.deselect_shared_memory(int(size))
        return self

    def _filter(self, native, notes, select):
        for note in notes:
            native(int(note), select)
        return self

    def select_behavior_notes(self, notes):
        """Bars plans that lack any of `notes`."""
        return self._filter(self._native.filter_behavior, notes, True)

    def deselect_behavior_notes(self, notes):
        """Bars plans that have any of `notes`."""
        return self._filter(self._native.filter_behavior, notes, False)

    def select_numeric_notes(self, notes):
        """Bars plans that lack any of `notes`."""
        return self._filter(self._native.filter_numeric, notes, True)

    def deselect_numeric_notes(self, notes):
        """Bars plans that have any of `notes`."""
        return self._filter(self._native.filter_numeric, notes, False)

    # --- building -----------------------------------------------------------

    def check_support(self):
        """Raises unless some plan is not barred."""
        # The first plan tells in most cases; the others may cost a query of
        # the cuDNN library to list.
        first = self._first_plan()
        if (first is None or first["barred"]) and \
                all(plan.barred for plan in self.plans):
            raise GraphNotSupportedError(
                "check_support: no plan is left\n" + self.explain())

    def _first_plan(self):
        """What the list's first plan is; None where there is not one."""
        try:
            return self._native.plan_info(0)
        except PlanIndexError:
            return None

    def build_plans(self, policy=build_plan_policy.HEURISTICS_CHOICE):
        """Compiles the first plan that builds, or all of them."""
        if self._first_plan() is None:
            self.create_execution_plans()
        self._build_listed(policy)

    def _build_listed(self, policy):
        self._native.build(-2 if policy is build_plan_policy.ALL else -1)
        self._plan = self._ready(self._native.plan(-1))

    def build_plan_at_index(self, index):
        """Compiles one plan and makes it the candidate."""
        if self._info_at(index)["barred"]:
            raise InvalidGraphError(
                f"build_plan_at_index: plan {index} is barred: "
                + self._info_at(index)["reason"])
        self._native.build(index)
        self._plan = self._ready(self._native.plan(index))

    def build(self, heuristics=None):
        """All steps from validate to build_plans."""
        self.validate()
        self.create_execution_plans(heuristics)
        self.check_support()
        self._build_listed(build_plan_policy.HEURISTICS_CHOICE)

    def _built(self, call):
        if self._plan is None:
            raise InvalidValueError(f"{call}: no plan has been built")
        return self._plan

    def _built_at(self, index):
        found = self._plans_by_index.get(index)
        if found is None:
            if self._info_at(index)["barred"]:
                raise InvalidGraphError(f"plan {index} is barred")
            found = self._ready(self._native.plan(index))
            self._plans_by_index[index] = found
        return found

    @property
    def selected_engine(self):
        """The name of the candidate's engine; None before a build."""
        return self._plan and self._plan.describe()["engine_name"]

    def get_workspace_size(self, handle=None, override_uids=None,
                           override_shapes=None, override_strides=None):
        """Bytes of workspace that execute needs."""
        return self._built("get_workspace_size").workspace_size(
            override_uids, override_shapes, override_strides)

    def get_workspace_size_plan_at_index(self, index):
        """Bytes of workspace of one plan, which has been built."""
        return self._built_at(index).workspace_size()

    def get_behavior_notes(self):
        """Notes of the candidate."""
        self._built("get_behavior_notes")
        return [behavior_note(n) for n in self._native.plan_info(
            self._native.candidate())["behavior_notes"]]

    def get_behavior_notes_for_plan_at_index(self, index):
        """Notes of one plan."""
        return [behavior_note(n)
                for n in self._info_at(index)["behavior_notes"]]

    def get_numeric_notes_for_plan_at_index(self, index):
        """Notes of one plan."""
        return [numerical_note(n)
                for n in self._info_at(index)["numerical_notes"]]

    # --- execution ----------------------------------------------------------

    def _pack(self, tensors, tensor_uids):
        """The variant pack as the extension takes it."""
        if tensor_uids is not None:
            uids = arguments.integers("execute: tensor_uids", tensor_uids)
            if len(set(uids)) != len(uids) or len(uids) != len(tensors):
                raise VariantPackError(
                    f"execute: expected {len(tensors)} distinct uids, got "
                    f"{uids}")
            tensors = dict(zip(uids, tensors))
        if tensors is None:
            tensors = {}
        if type(tensors) is not dict and not hasattr(type(tensors), "items"):
            raise ArgumentError(
                "execute: expected a dict of tensors, uids or names to arrays, "
                f"got {type(tensors).__name__}")
        if self._bound:
            tensors = {**self._bound, **tensors}
        for key in tensors:
            if type(key) is str:
                return {self._by_name(key): value
                        for key, value in tensors.items()}
        return tensors

    def _where(self, handle, stream):
        """(stream, ordinal) of a call: what it is given, else the handle's,
        else stream 0 of the operands' device."""
        if handle is None:
            handle = self._handle
        if handle is None:
            ordinal = -1
            if stream is None:
                return 0, -1
        elif isinstance(handle, Handle):
            ordinal = handle._ordinal
            if stream is None:
                return handle.stream, ordinal
        else:
            raise ArgumentError(
                "execute: expected handle to be an opgraph Handle or None, got "
                f"{type(handle).__name__}")
        if type(stream) is not int:
            stream = stream_address("execute: stream", stream)
        return stream, ordinal

    def _by_name(self, key):
        if not isinstance(key, str):
            return key
        found = [t for t in self.tensors if t.get_name() == key]
        if len(found) != 1:
            raise VariantPackError(
                f"execute: expected one tensor named '{key}', found "
                f"{len(found)}")
        return found[0]

    def execute(self, tensor_dict, workspace=None, handle=None,
                override_uids=None, override_shapes=None, override_strides=None,
                tensor_uids=None, *, stream=None):
        """Runs the candidate on `tensor_dict`: {tensor, uid or name: array or
        address}, on `stream`, else the handle's. Builds first when that has not
        happened."""
        if self._plan is None:
            self.build_plans()
        stream, ordinal = self._where(handle, stream)
        self._plan.execute(self._pack(tensor_dict, tensor_uids), workspace,
                           override_uids, override_shapes, override_strides,
                           stream, ordinal)

    def execute_plan_at_index(self, tensor_dict, workspace=None, index=0,
                              handle=None, override_uids=None,
                              override_shapes=None, override_strides=None,
                              tensor_uids=None, *, stream=None):
        """Runs one particular plan; the candidate stays what it was."""
        stream, ordinal = self._where(handle, stream)
        self._built_at(index).execute(
            self._pack(tensor_dict, tensor_uids), workspace, override_uids,
            override_shapes, override_strides, stream, ordinal)

    # --- CUDA graphs --------------------------------------------------------

    def populate_cuda_graph(self, handle, variant_pack, workspace, cuda_graph,
                            override_uids=None, override_shapes=None,
                            override_strides=None):
        """Adds the candidate to an empty CUDA graph (its address, or torch's
        CUDAGraph), which keeps the plan alive unless the graph was made with
        cuda_graph_retention.NONE."""
        self._where(handle, 0)
        self._built("populate_cuda_graph").populate_graph(
            self._pack(variant_pack, None), workspace,
            graph_address("populate_cuda_graph", cuda_graph), self._retains,
            override_uids, override_shapes, override_strides)

    def update_cuda_graph(self, handle, variant_pack, workspace, cuda_graph,
                          override_uids=None, override_shapes=None,
                          override_strides=None):
        """Writes other operands, and shapes, into a CUDA graph that
        populate_cuda_graph filled."""
        self._where(handle, 0)
        self._built("update_cuda_graph").update_graph(
            self._pack(variant_pack, None), workspace,
            graph_address("update_cuda_graph", cuda_graph), override_uids,
            override_shapes, override_strides)

    # --- plan files ---------------------------------------------------------

    def serialize(self, *, as_bytes=False):
        """The candidate's plan file, as a list of byte values or as bytes."""
        data = self._built("serialize").serialize()
        return data if as_bytes else list(data)

    def deserialize(self, handle_or_data, data=None):
        """Makes this graph run a plan file: no planning, no compiler. Takes
        (data) or (handle, data). Load trusted plan files only."""
        data = handle_or_data if data is None else data
        if isinstance(data, str):
            raise ArgumentError(
                "deserialize: expected the bytes of a plan file, got a str")
        self._plan = _native().load_plan(bytes(data))
        if isinstance(handle_or_data, Handle):
            self._handle = handle_or_data
        if self._handle is not None and self._plan.on_cuda:
            if self._handle._ordinal >= 0:
                self._plan.prepare(self._handle._ordinal)
        self._plans_by_index = {}
