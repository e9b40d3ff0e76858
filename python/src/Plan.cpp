//===- Plan.cpp - A compiled plan in Python -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Plan.h"
#include "Buffers.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <optional>

namespace nb = nanobind;
using namespace nb::literals;
using namespace opgraph::python;

Plan::Plan(og_plan *plan) : plan(plan) {
  for (size_t i = 0, e = og_plan_num_operands(plan); i < e; ++i) {
    og_operand_info info{};
    info.struct_size = sizeof(info);
    check(og_plan_operand(plan, i, &info));
    isOutput[info.uid] = info.is_output != 0;
  }
}

/// The uid that a key of a variant pack stands for; none for a number that no
/// uid can be.
static std::optional<int64_t> uidOf(nb::handle key) {
  static PyObject *attribute = PyUnicode_InternFromString("_uid");
  nb::object number = PyLong_Check(key.ptr())
                          ? nb::borrow(key)
                          : nb::steal(PyObject_GetAttr(key.ptr(), attribute));
  if (!number.is_valid())
    PyErr_Clear();
  if (!number.is_valid() || !PyLong_Check(number.ptr()))
    fail(OG_INVALID_VARIANT_PACK,
         std::string("expected tensors or integer uids as keys, got ") +
             Py_TYPE(key.ptr())->tp_name);
  int64_t uid = PyLong_AsLongLong(number.ptr());
  if (uid == -1 && PyErr_Occurred()) {
    PyErr_Clear();
    return std::nullopt;
  }
  return uid;
}

/// An argument of a type that the caller may get wrong.
template <typename T>
static T read(nb::handle value, const char *argument, const char *expected) {
  T result;
  if (!nb::try_cast<T>(value, result))
    fail(OG_INVALID_VARIANT_PACK, std::string(argument) +
                                      ": expected a sequence of " + expected +
                                      ", got " + Py_TYPE(value.ptr())->tp_name);
  return result;
}

namespace {
/// Overrides of one call, with the arrays that they point into.
struct Overrides {
  std::vector<og_override> list;
  std::vector<std::vector<int64_t>> arrays;

  Overrides(nb::handle uids, nb::handle shapes, nb::handle strides) {
    bool none = uids.is_none();
    if (shapes.is_none() != none || strides.is_none() != none)
      fail(OG_INVALID_VARIANT_PACK,
           "override_uids, override_shapes and override_strides: expected all "
           "three or none of them");
    if (none)
      return;
    auto ids = read<std::vector<int64_t>>(uids, "override_uids", "ints");
    using Lists = std::vector<std::vector<int64_t>>;
    auto dims = read<Lists>(shapes, "override_shapes", "lists of ints");
    auto steps = read<Lists>(strides, "override_strides", "lists of ints");
    if (dims.size() != ids.size() || steps.size() != ids.size())
      fail(OG_INVALID_VARIANT_PACK,
           "overrides: expected lists of one length, got " +
               std::to_string(ids.size()) + " uids, " +
               std::to_string(dims.size()) + " shapes and " +
               std::to_string(steps.size()) + " strides");
    arrays.reserve(2 * ids.size());
    for (size_t i = 0; i < ids.size(); ++i) {
      if (dims[i].size() != steps[i].size())
        fail(OG_INVALID_VARIANT_PACK,
             "override of uid " + std::to_string(ids[i]) + ": expected " +
                 std::to_string(dims[i].size()) + " strides, got " +
                 std::to_string(steps[i].size()));
      arrays.push_back(std::move(dims[i]));
      arrays.push_back(std::move(steps[i]));
      const auto &shape = arrays[arrays.size() - 2];
      list.push_back({sizeof(og_override), ids[i],
                      static_cast<int32_t>(shape.size()), shape.data(),
                      arrays.back().data()});
    }
  }
};
} // namespace

static og_variant_pack makePack(const Operands &operands,
                                const Overrides &overrides) {
  og_variant_pack pack{};
  pack.struct_size = sizeof(pack);
  pack.buffers = operands.data();
  pack.num_buffers = operands.size();
  pack.overrides = overrides.list.data();
  pack.num_overrides = overrides.list.size();
  return pack;
}

/// Refuses memory that is not on the handle's device. What the driver alone
/// knows, the runtime checks.
static void checkDevices(const Operands &operands, const Workspace &workspace,
                         int device) {
  bool onHost = workspace.device.type == OG_DEVICE_HOST ||
                workspace.device.type == OG_DEVICE_CUDA_HOST;
  if (onHost && workspace.data)
    fail(OG_INVALID_VARIANT_PACK,
         "the workspace is memory of the host, expected memory of a CUDA "
         "device");
  for (size_t i = 0; device >= 0 && i < operands.size(); ++i) {
    const og_buffer &buffer = operands.data()[i];
    if (buffer.device.type == OG_DEVICE_CUDA && buffer.device.id >= 0 &&
        buffer.device.id != device)
      fail(OG_INVALID_VARIANT_PACK,
           "operand with uid " + std::to_string(buffer.uid) +
               " is on CUDA device " + std::to_string(buffer.device.id) +
               ", the handle is of device " + std::to_string(device));
  }
}

void Plan::readPack(nb::dict dict, Operands &operands) const {
  operands.reserve(dict.size());
  PyObject *key, *value;
  Py_ssize_t position = 0;
  while (PyDict_Next(dict.ptr(), &position, &key, &value)) {
    if (key == Py_None || value == Py_None)
      continue;
    std::optional<int64_t> uid = uidOf(key);
    auto found = uid ? isOutput.find(*uid) : isOutput.end();
    // A uid of no port is ignored, whatever it is bound to.
    if (found != isOutput.end())
      operands.add(*uid, value, found->second);
  }
}

void Plan::execute(nb::dict dict, nb::handle workspace, nb::handle overrideUids,
                   nb::handle overrideShapes, nb::handle overrideStrides,
                   uintptr_t stream, int device) {
  Operands operands;
  readPack(dict, operands);
  Overrides overrides(overrideUids, overrideShapes, overrideStrides);
  Workspace scratch = readWorkspace(workspace, workspaceAlignment());
  if (onCuda())
    checkDevices(operands, scratch, device);
  og_variant_pack pack = makePack(operands, overrides);
  // The capacity behind a bare address is taken on trust.
  if (scratch.isBare && og_plan_workspace_size(plan, &pack, &scratch.size))
    scratch.size = 0;
  pack.workspace = scratch.data;
  pack.workspace_size = scratch.size;
  og_status status;
  {
    nb::gil_scoped_release release;
    status = og_plan_execute(plan, &pack, reinterpret_cast<void *>(stream));
  }
  check(status);
}

template <typename Call>
void Plan::writeGraph(nb::dict dict, nb::handle workspace,
                      nb::handle overrideUids, nb::handle overrideShapes,
                      nb::handle overrideStrides, Call call) {
  Operands operands;
  readPack(dict, operands);
  Overrides overrides(overrideUids, overrideShapes, overrideStrides);
  Workspace scratch = readWorkspace(workspace, workspaceAlignment());
  og_variant_pack pack = makePack(operands, overrides);
  pack.workspace = scratch.data;
  pack.workspace_size = scratch.size;
  if (scratch.isBare)
    check(og_plan_workspace_size(plan, &pack, &pack.workspace_size));
  check(call(pack));
}

void Plan::populateGraph(nb::dict dict, nb::handle workspace, uintptr_t graph,
                         bool retain, nb::handle overrideUids,
                         nb::handle overrideShapes,
                         nb::handle overrideStrides) {
  writeGraph(dict, workspace, overrideUids, overrideShapes, overrideStrides,
             [&](const og_variant_pack &pack) {
               return og_plan_populate_graph(
                   plan, &pack, reinterpret_cast<void *>(graph), retain);
             });
}

void Plan::updateGraph(nb::dict dict, nb::handle workspace, uintptr_t graph,
                       nb::handle overrideUids, nb::handle overrideShapes,
                       nb::handle overrideStrides) {
  writeGraph(dict, workspace, overrideUids, overrideShapes, overrideStrides,
             [&](const og_variant_pack &pack) {
               return og_plan_update_graph(plan, &pack,
                                           reinterpret_cast<void *>(graph));
             });
}

size_t Plan::workspaceSize(nb::handle overrideUids, nb::handle overrideShapes,
                           nb::handle overrideStrides) const {
  Overrides overrides(overrideUids, overrideShapes, overrideStrides);
  og_variant_pack pack = makePack({}, overrides);
  size_t size = 0;
  check(og_plan_workspace_size(plan, &pack, &size));
  return size ? size + workspaceAlignment() : 0;
}

static nb::list operandsOf(const Plan &plan) {
  nb::list result;
  for (size_t i = 0, e = og_plan_num_operands(plan.get()); i < e; ++i) {
    og_operand_info info{};
    info.struct_size = sizeof(info);
    check(og_plan_operand(plan.get(), i, &info));
    nb::list dims, strides;
    for (int32_t axis = 0; axis < info.ndim; ++axis) {
      dims.append(info.shape[axis]);
      strides.append(info.strides[axis]);
    }
    nb::dict entry;
    entry["uid"] = info.uid;
    entry["name"] = info.name;
    entry["dtype"] = info.dtype;
    entry["dim"] = dims;
    entry["stride"] = strides;
    entry["is_output"] = info.is_output != 0;
    entry["by_value"] = info.by_value != 0;
    result.append(entry);
  }
  return result;
}

static nb::list kernelsOf(og_plan *plan) {
  nb::list result;
  for (size_t i = 0, e = og_plan_num_kernels(plan); i < e; ++i) {
    og_kernel_info info{};
    info.struct_size = sizeof(info);
    check(og_plan_kernel(plan, 0, i, &info));
    nb::dict entry;
    entry["name"] = info.name;
    entry["threads"] = info.threads;
    entry["cluster"] =
        nb::make_tuple(info.cluster[0], info.cluster[1], info.cluster[2]);
    entry["dynamic_shared"] = info.dynamic_shared;
    entry["static_shared"] = info.static_shared;
    entry["registers"] = info.registers;
    entry["spill_stores"] = info.spill_stores;
    entry["spill_loads"] = info.spill_loads;
    entry["stack_bytes"] = info.stack_bytes;
    entry["blocks_per_sm"] = info.blocks_per_sm;
    entry["warps_per_sm"] = info.blocks_per_sm * ((info.threads + 31) / 32);
    result.append(entry);
  }
  return result;
}

static nb::dict describe(const Plan &plan) {
  nb::dict result;
  og_plan *p = plan.get();
  result["name"] = og_plan_name(p);
  result["target"] = og_plan_target(p);
  result["variant"] = og_plan_variant(p);
  result["device"] = plan.onCuda() ? "cuda" : "host";
  result["kernels"] = kernelsOf(p);
  result["engine_id"] = og_plan_engine_id(p);
  result["engine_name"] = og_plan_engine_name(p);
  result["engine_version"] = og_plan_engine_version(p);
  result["compiler"] = og_plan_compiler(p);
  result["source"] = og_plan_source(p);
  nb::dict knobs;
  for (size_t i = 0, e = og_plan_num_knobs(p); i < e; ++i) {
    og_knob knob;
    check(og_plan_knob(p, i, &knob));
    knobs[nb::cast(knob.type)] = knob.value;
  }
  result["knobs"] = knobs;
  result["operands"] = operandsOf(plan);
  return result;
}

static void prepare(const Plan &plan, int device) {
  og_device where{plan.onCuda() ? OG_DEVICE_CUDA : OG_DEVICE_HOST,
                  plan.onCuda() ? device : 0};
  og_status status;
  {
    nb::gil_scoped_release release;
    status = og_plan_prepare(plan.get(), where);
  }
  check(status);
}

static nb::bytes serialize(const Plan &plan) {
  const void *data = nullptr;
  size_t size = 0;
  check(og_plan_serialize(plan.get(), &data, &size));
  return nb::bytes(static_cast<const char *>(data), size);
}

static void save(const Plan &plan, const std::string &path) {
  check(og_plan_save(plan.get(), path.c_str()));
}

static Plan *loadPlan(nb::bytes data) {
  og_plan *plan = nullptr;
  check(og_plan_load(data.c_str(), data.size(), &plan));
  return new Plan(plan);
}

/// What runs a plan.
static void bindExecution(nb::class_<Plan> &plan) {
  plan.def("execute", &Plan::execute, "pack"_a,
           "workspace"_a.none() = nb::none(),
           "override_uids"_a.none() = nb::none(),
           "override_shapes"_a.none() = nb::none(),
           "override_strides"_a.none() = nb::none(), "stream"_a = 0,
           "device"_a = -1,
           "Runs on `pack`: a dict from uid or tensor to array or address. "
           "`stream` is a CUDA stream's address, `device` the ordinal that the "
           "operands must be on. Releases the GIL.")
      .def("prepare", &prepare, "device"_a = 0,
           "Does all lazy work for executing on CUDA device `device`, or on "
           "the host.")
      .def("populate_graph", &Plan::populateGraph, "pack"_a,
           "workspace"_a.none(), "graph"_a, "retain"_a,
           "override_uids"_a.none() = nb::none(),
           "override_shapes"_a.none() = nb::none(),
           "override_strides"_a.none() = nb::none(),
           "Adds an execution to an empty CUDA graph, by address.")
      .def("update_graph", &Plan::updateGraph, "pack"_a, "workspace"_a.none(),
           "graph"_a, "override_uids"_a.none() = nb::none(),
           "override_shapes"_a.none() = nb::none(),
           "override_strides"_a.none() = nb::none(),
           "Writes other operands, and shapes, into such a graph.")
      .def("workspace_size", &Plan::workspaceSize,
           "override_uids"_a.none() = nb::none(),
           "override_shapes"_a.none() = nb::none(),
           "override_strides"_a.none() = nb::none(),
           "Bytes of scratch memory that execute needs.");
}

void opgraph::python::bindPlan(nb::module_ &module) {
  nb::class_<Plan> plan(
      module, "Plan",
      "A compiled plan. Immutable; threads may execute one plan at once with "
      "different operands.");
  bindExecution(plan);
  plan.def_prop_ro("on_cuda", &Plan::onCuda,
                   "Whether it runs on a CUDA device.")
      .def("describe", &describe,
           "Engine, knobs, target, code variant and operands as a dict.")
      .def("serialize", &serialize, "The bytes of the plan file.")
      .def("save", &save, "path"_a,
           "Writes the plan file; never leaves half of one.");
  module.def("load_plan", &loadPlan, "data"_a, nb::rv_policy::take_ownership,
             "Loads a plan from the bytes of a plan file. A plan file is code: "
             "load trusted ones only.");
}
