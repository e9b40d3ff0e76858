//===- GraphOps.cpp - Operations and regions of a graph in Python ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Graph.h"

#include <algorithm>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace nb::literals;
using namespace opgraph::python;

namespace {
/// Names with their tensors, as the C API takes them.
class NamedTensors {
public:
  explicit NamedTensors(nb::list items) {
    names.reserve(items.size());
    for (nb::handle item : items) {
      auto [name, tensor] = nb::cast<std::pair<std::string, int32_t>>(item);
      names.push_back(std::move(name));
      tensors.push_back({names.back().c_str(), tensor});
    }
  }
  const og_named_tensor *data() const { return tensors.data(); }
  size_t size() const { return tensors.size(); }

private:
  std::vector<std::string> names;
  std::vector<og_named_tensor> tensors;
};
} // namespace

/// operands and outputs: [(name, tensor)]; attributes: [(name, (kind,
/// payload))]; region: its number, or 0.
static Integers addOp(Graph &self, const std::string &op,
                      const std::string &name, nb::list operands,
                      nb::list attributes, const std::string &file, int line,
                      nb::list outputs, int region) {
  NamedTensors operandList(operands), outputList(outputs);
  std::vector<std::string> names(attributes.size());
  std::vector<Value> storage(attributes.size());
  std::vector<og_named_value> values;
  for (size_t i = 0; i < storage.size(); ++i) {
    auto [attribute, pair] =
        nb::cast<std::pair<std::string, nb::tuple>>(attributes[i]);
    names[i] = std::move(attribute);
    readValue(pair, storage[i]);
    values.push_back({names[i].c_str(), storage[i].value});
  }
  og_op_desc desc{};
  desc.struct_size = sizeof(desc);
  desc.op = op.c_str();
  desc.name = name.c_str();
  desc.operands = operandList.data();
  desc.num_operands = operandList.size();
  desc.attributes = values.data();
  desc.num_attributes = values.size();
  desc.file = file.c_str();
  desc.line = line;
  desc.outputs = outputList.data();
  desc.num_outputs = outputList.size();
  desc.region = region;
  int32_t count = self.api.og_op_num_results(op.c_str());
  std::vector<og_tensor> results(std::max(count, 1), OG_NO_TENSOR);
  check(
      self.api.og_graph_op(self.graph, &desc, results.data(), results.size()));
  return Integers(results.begin(), results.end());
}

/// "inputs" is [(port, tensor)], as a variadic port has several.
static nb::dict nodeInfo(Graph &self, int node) {
  const CompilerApi &api = self.api;
  og_node_info info{};
  info.struct_size = sizeof(info);
  check(api.og_graph_node(self.graph, node, &info));
  nb::dict result, outputs, attributes;
  nb::list inputs;
  result["name"] = info.name;
  result["op"] = info.op;
  for (int32_t i = 0; i < info.num_operands; ++i) {
    const char *port = nullptr;
    og_tensor tensor = OG_NO_TENSOR;
    check(api.og_graph_node_operand(self.graph, node, i, nullptr, &port,
                                    &tensor));
    inputs.append(nb::make_tuple(port, tensor));
  }
  for (int32_t i = 0; i < info.num_results; ++i) {
    const char *port = nullptr;
    og_tensor tensor = OG_NO_TENSOR;
    check(api.og_graph_node_result(self.graph, node, i, &port, &tensor));
    if (tensor != OG_NO_TENSOR)
      outputs[port] = tensor;
  }
  for (int32_t i = 0; i < info.num_attributes; ++i) {
    const char *name = nullptr;
    og_value value{};
    check(api.og_graph_node_attribute(self.graph, node, i, &name, &value));
    attributes[name] = writeValue(value);
  }
  result["inputs"] = inputs;
  result["outputs"] = outputs;
  result["attributes"] = attributes;
  result["region"] = info.region;
  result["owned_region"] = info.owned_region;
  return result;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

static std::vector<og_tensor> beginRegion(Graph &self, size_t count) {
  std::vector<og_tensor> arguments(count, OG_NO_TENSOR);
  check(self.api.og_graph_begin_region(self.graph, count, arguments.data()));
  return arguments;
}

static int32_t endRegion(Graph &self, const std::vector<og_tensor> &results) {
  int32_t region = 0;
  check(self.api.og_graph_end_region(self.graph, results.data(), results.size(),
                                     &region));
  return region;
}

static nb::dict regionInfo(Graph &self, int region) {
  og_region_info info{};
  info.struct_size = sizeof(info);
  check(self.api.og_graph_region(self.graph, region, &info));
  auto list = [](const og_tensor *tensors, size_t count) {
    return nb::cast(std::vector<og_tensor>(tensors, tensors + count));
  };
  nb::dict result;
  result["arguments"] = list(info.arguments, info.num_arguments);
  result["captures"] = list(info.captures, info.num_captures);
  result["results"] = list(info.results, info.num_results);
  return result;
}

void opgraph::python::bindOperations(nb::class_<Graph> &cls) {
  cls.def("op", &addOp, "op"_a, "name"_a, "operands"_a, "attributes"_a,
          "file"_a, "line"_a, "outputs"_a, "region"_a)
      .def("num_nodes",
           [](Graph &g) { return g.api.og_graph_num_nodes(g.graph); })
      .def("node_info", &nodeInfo, "node"_a)
      .def("begin_region", &beginRegion, "num_arguments"_a)
      .def("end_region", &endRegion, "results"_a)
      .def("abandon_region",
           [](Graph &g) { check(g.api.og_graph_abandon_region(g.graph)); })
      .def("region_info", &regionInfo, "region"_a);
}
