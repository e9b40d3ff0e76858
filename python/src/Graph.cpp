//===- Graph.cpp - Graph building and planning in Python ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thin binding: one method per C function. What the peers' API asks for
// beyond that (defaults, argument forms, order of steps) is Python
// (opgraph/_pygraph.py).
//===----------------------------------------------------------------------===//
#include "Graph.h"
#include "Buffers.h"
#include "Plan.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;
using namespace opgraph::python;

/// The elements, never null: for the C API a null list is one that is not
/// given, and a rank of 0 is given.
static const int64_t *dataOf(const Integers &list) {
  static const int64_t none = 0;
  return list.empty() ? &none : list.data();
}

void opgraph::python::readValue(nb::tuple pair, Value &out) {
  nb::object payload = pair[1];
  out.value.kind = nb::cast<int32_t>(pair[0]);
  switch (out.value.kind) {
  case OG_VALUE_NONE:
    break;
  case OG_VALUE_F64:
    out.value.f64 = nb::cast<double>(payload);
    break;
  case OG_VALUE_STRING:
    out.text = textOf(payload);
    out.value.string = out.text.c_str();
    break;
  case OG_VALUE_I64_ARRAY:
    out.array = nb::cast<Integers>(payload);
    out.value.array = out.array.data();
    out.value.size = out.array.size();
    break;
  default:
    out.value.i64 = nb::cast<int64_t>(payload);
  }
}

nb::object opgraph::python::writeValue(const og_value &value) {
  switch (value.kind) {
  case OG_VALUE_NONE:
    return nb::none();
  case OG_VALUE_F64:
    return nb::float_(value.f64);
  case OG_VALUE_BOOL:
    return nb::bool_(value.i64 != 0);
  case OG_VALUE_STRING:
    return nb::str(value.string);
  case OG_VALUE_I64_ARRAY:
    return nb::cast(Integers(value.array, value.array + value.size));
  default:
    return nb::int_(value.i64);
  }
}

static Graph *makeGraph(const std::string &name, int io, int intermediate,
                        int compute, bool dynamic) {
  const CompilerApi &api = compilerApi();
  og_graph_options options{};
  options.struct_size = sizeof(options);
  options.name = name.c_str();
  options.io_dtype = io;
  options.intermediate_dtype = intermediate;
  options.compute_dtype = compute;
  options.dynamic = dynamic;
  og_graph *graph = nullptr;
  check(api.og_graph_create(api.compiler, &options, &graph));
  return new Graph(graph);
}

static Graph *parseGraph(const std::string &text) {
  const CompilerApi &api = compilerApi();
  og_graph *graph = nullptr;
  check(api.og_graph_parse(api.compiler, text.data(), text.size(), nullptr,
                           &graph));
  return new Graph(graph);
}

static int addTensor(Graph &self, const std::string &name, int dtype,
                     std::optional<Integers> dims,
                     std::optional<Integers> strides) {
  og_tensor_desc desc{};
  desc.struct_size = sizeof(desc);
  desc.name = name.empty() ? nullptr : name.c_str();
  desc.dtype = dtype;
  if (dims) {
    desc.ndim = static_cast<int32_t>(dims->size());
    desc.dims = dataOf(*dims);
  }
  if (strides) {
    if (!dims || strides->size() != dims->size())
      fail(OG_ATTRIBUTE_NOT_SET, "tensor '" + name + "': expected " +
                                     std::to_string(dims ? dims->size() : 0) +
                                     " strides, got " +
                                     std::to_string(strides->size()));
    desc.strides = dataOf(*strides);
  }
  og_tensor tensor = OG_NO_TENSOR;
  check(self.api.og_graph_tensor(self.graph, &desc, &tensor));
  return tensor;
}

static int addScalar(Graph &self, nb::tuple pair, int dtype, bool constant,
                     const std::string &name) {
  Value value;
  readValue(pair, value);
  og_tensor tensor = OG_NO_TENSOR;
  check(self.api.og_graph_scalar(self.graph, &value.value, dtype, constant,
                                 name.empty() ? nullptr : name.c_str(),
                                 &tensor));
  return tensor;
}

static nb::dict tensorInfo(Graph &self, int tensor) {
  og_tensor_info info{};
  info.struct_size = sizeof(info);
  check(self.api.og_tensor_get(self.graph, tensor, &info));
  auto list = [&](const int64_t *values) -> nb::object {
    if (info.ndim < 0 || !values)
      return nb::none();
    return nb::cast(Integers(values, values + info.ndim));
  };
  nb::dict result;
  result["name"] = info.name;
  result["dtype"] = info.dtype;
  result["dim"] = list(info.dims);
  result["stride"] = list(info.strides);
  result["uid"] = info.uid;
  result["is_virtual"] = info.is_virtual != 0;
  result["by_value"] = info.by_value != 0;
  result["is_constant"] = info.is_constant != 0;
  result["value"] = writeValue(info.value);
  result["alignment"] = info.alignment;
  result["reordering"] = info.reordering;
  result["ragged_offset"] = info.ragged_offset;
  result["ragged_multiplier"] = info.ragged_multiplier;
  result["node"] = info.node;
  result["is_used"] = info.is_used != 0;
  result["region"] = info.region;
  return result;
}

static void createPlans(Graph &self, std::vector<int32_t> modes,
                        std::optional<int64_t> maxWorkspace,
                        std::optional<std::string> target, bool deterministic) {
  og_plan_options options{};
  options.struct_size = sizeof(options);
  options.deterministic = deterministic;
  options.target = target ? target->c_str() : nullptr;
  options.modes = modes.data();
  options.num_modes = modes.size();
  options.limit_workspace = maxWorkspace.has_value();
  options.max_workspace = maxWorkspace.value_or(0);
  check(self.api.og_graph_create_plans(self.graph, &options));
}

static int64_t createPlan(Graph &self, int64_t engine, nb::dict knobs,
                          std::optional<std::string> target) {
  og_plan_options options{};
  options.struct_size = sizeof(options);
  options.target = target ? target->c_str() : nullptr;
  std::vector<og_knob> list;
  for (auto [key, value] : knobs)
    list.push_back({nb::cast<int64_t>(key), nb::cast<int64_t>(value)});
  int64_t index = -1;
  check(self.api.og_graph_create_plan(self.graph, engine, list.data(),
                                      list.size(), &options, &index));
  return index;
}

static nb::dict planInfo(Graph &self, int64_t index) {
  og_plan_info info{};
  info.struct_size = sizeof(info);
  check(self.api.og_graph_plan_info(self.graph, index, &info));
  nb::dict result, knobs;
  for (size_t i = 0; i < info.num_knobs; ++i)
    knobs[nb::cast(info.knobs[i].type)] = info.knobs[i].value;
  result["engine_id"] = info.engine_id;
  result["engine_name"] = info.engine_name;
  result["engine_version"] = info.engine_version;
  result["mode"] = info.mode;
  result["identity"] = info.identity;
  result["knobs"] = knobs;
  result["predicted_time_ns"] = info.predicted_time_ns;
  result["workspace"] = info.workspace;
  result["shared_memory"] = info.shared_memory;
  result["behavior_notes"] = nb::cast(std::vector<int32_t>(
      info.behavior_notes, info.behavior_notes + info.num_behavior_notes));
  result["numerical_notes"] = nb::cast(std::vector<int32_t>(
      info.numerical_notes, info.numerical_notes + info.num_numerical_notes));
  result["barred"] = info.barred != 0;
  result["state"] = info.state;
  result["reason"] = info.reason;
  return result;
}

/// Builds with the GIL released. `index` below 0: -1 the first that builds,
/// -2 every entry.
static void build(Graph &self, int64_t index) {
  og_status status;
  {
    nb::gil_scoped_release release;
    if (index >= 0)
      status = self.api.og_graph_build_at(self.graph, index, nullptr);
    else if (index == -1)
      status = self.api.og_graph_build(self.graph, nullptr);
    else
      status = self.api.og_graph_build_all(self.graph, nullptr);
  }
  check(status);
}

static void bindTensors(nb::class_<Graph> &cls) {
  cls.def("tensor", &addTensor, "name"_a, "dtype"_a, "dim"_a.none(),
          "stride"_a.none())
      .def("scalar", &addScalar, "value"_a, "dtype"_a, "constant"_a, "name"_a)
      .def("num_tensors",
           [](Graph &g) { return g.api.og_graph_num_tensors(g.graph); })
      .def("tensor_info", &tensorInfo, "tensor"_a)
      .def("find_uid",
           [](Graph &g, int64_t uid) {
             og_tensor tensor = OG_NO_TENSOR;
             check(g.api.og_graph_find_uid(g.graph, uid, &tensor));
             return tensor;
           })
      .def("set_name",
           [](Graph &g, int t, const std::string &name) {
             check(g.api.og_tensor_set_name(g.graph, t, name.c_str()));
           })
      .def("set_dtype",
           [](Graph &g, int t, int dtype) {
             check(g.api.og_tensor_set_dtype(g.graph, t, dtype));
           })
      .def("set_dim",
           [](Graph &g, int t, const Integers &dims) {
             check(g.api.og_tensor_set_dims(
                 g.graph, t, static_cast<int32_t>(dims.size()), dataOf(dims)));
           })
      .def("set_stride",
           [](Graph &g, int t, const Integers &strides) {
             check(g.api.og_tensor_set_strides(
                 g.graph, t, static_cast<int32_t>(strides.size()),
                 dataOf(strides)));
           })
      .def("set_uid",
           [](Graph &g, int t, int64_t uid) {
             check(g.api.og_tensor_set_uid(g.graph, t, uid));
           })
      .def("set_virtual",
           [](Graph &g, int t, bool is) {
             check(g.api.og_tensor_set_virtual(g.graph, t, is));
           })
      .def("set_by_value",
           [](Graph &g, int t, bool is) {
             check(g.api.og_tensor_set_by_value(g.graph, t, is));
           })
      .def("set_alignment",
           [](Graph &g, int t, int64_t bytes) {
             check(g.api.og_tensor_set_alignment(g.graph, t, bytes));
           })
      .def("set_reordering",
           [](Graph &g, int t, int reordering) {
             check(g.api.og_tensor_set_reordering(g.graph, t, reordering));
           })
      .def("set_ragged_offset",
           [](Graph &g, int t, int offset, int64_t multiplier) {
             check(g.api.og_tensor_set_ragged_offset(g.graph, t, offset,
                                                     multiplier));
           });
}

/// [(stage, plan, nanoseconds)], in the order in which they ended.
static std::vector<std::tuple<std::string, int64_t, int64_t>>
stages(Graph &self) {
  std::vector<std::tuple<std::string, int64_t, int64_t>> found;
  for (size_t i = 0; i < self.api.og_graph_num_stages(self.graph); ++i) {
    og_stage_time time{};
    time.struct_size = sizeof(time);
    check(self.api.og_graph_stage(self.graph, i, &time));
    found.emplace_back(time.stage, time.plan, time.time_ns);
  }
  return found;
}

static void bindPlanning(nb::class_<Graph> &cls) {
  cls.def("create_plans", &createPlans, "modes"_a, "max_workspace"_a.none(),
          "target"_a.none() = nb::none(), "deterministic"_a = false)
      .def("create_plan", &createPlan, "engine"_a, "knobs"_a,
           "target"_a.none() = nb::none())
      .def("stages", &stages)
      .def("num_plans",
           [](Graph &g) { return g.api.og_graph_num_plans(g.graph); })
      .def("plan_info", &planInfo, "index"_a)
      .def("select",
           [](Graph &g, int64_t index) {
             check(g.api.og_graph_select(g.graph, index));
           })
      .def("deselect_engines",
           [](Graph &g, const std::string &text) {
             check(g.api.og_graph_deselect_engines(g.graph, text.c_str()));
           })
      .def("deselect_workspace",
           [](Graph &g, int64_t bytes) {
             check(g.api.og_graph_deselect_workspace(g.graph, bytes));
           })
      .def("deselect_shared_memory",
           [](Graph &g, int64_t bytes) {
             check(g.api.og_graph_deselect_shared_memory(g.graph, bytes));
           })
      .def("filter_behavior",
           [](Graph &g, int note, bool select) {
             check(g.api.og_graph_filter_behavior(g.graph, note, select));
           })
      .def("filter_numeric",
           [](Graph &g, int note, bool select) {
             check(g.api.og_graph_filter_numeric(g.graph, note, select));
           })
      .def("explain",
           [](Graph &g, bool json) {
             const char *text = nullptr;
             check(g.api.og_graph_explain(
                 g.graph, json ? OG_EXPLAIN_JSON : OG_EXPLAIN_TEXT, &text));
             return std::string(text);
           })
      .def("build", &build, "index"_a)
      .def("candidate",
           [](Graph &g) { return g.api.og_graph_candidate(g.graph); })
      .def(
          "plan",
          [](Graph &g, int64_t index) {
            og_plan *plan = nullptr;
            check(g.api.og_graph_plan(g.graph, index, &plan));
            return new Plan(plan);
          },
          nb::rv_policy::take_ownership);
}

void opgraph::python::bindGraph(nb::module_ &module) {
  nb::class_<Graph> cls(module, "Graph",
                        "A graph of the C API; belongs to one thread at a "
                        "time. Use opgraph.pygraph.");
  cls.def("validate", [](Graph &g) { check(g.api.og_graph_validate(g.graph)); })
      .def("name",
           [](Graph &g) { return std::string(g.api.og_graph_name(g.graph)); })
      .def("is_frozen",
           [](Graph &g) { return g.api.og_graph_is_frozen(g.graph) != 0; })
      .def("set_default_dtypes",
           [](Graph &g, int io, int intermediate, int compute) {
             check(g.api.og_graph_set_default_dtypes(g.graph, io, intermediate,
                                                     compute));
           })
      .def("to_mlir", [](Graph &g) {
        const char *text = nullptr;
        size_t size = 0;
        check(g.api.og_graph_print(g.graph, &text, &size));
        return std::string(text, size);
      });
  bindTensors(cls);
  bindOperations(cls);
  bindPlanning(cls);
  module.def("make_graph", &makeGraph, "name"_a, "io"_a, "intermediate"_a,
             "compute"_a, "dynamic"_a, nb::rv_policy::take_ownership);
  module.def("parse_graph", &parseGraph, "text"_a,
             nb::rv_policy::take_ownership);
  module.def("knob_name", [](int64_t type) -> nb::object {
    const char *name = compilerApi().og_knob_name(type);
    return name ? nb::object(nb::str(name)) : nb::none();
  });
}
