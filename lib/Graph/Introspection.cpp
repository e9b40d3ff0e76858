//===- Introspection.cpp - Reading a graph: the C API ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "lib/Graph/GraphImpl.h"
#include "lib/Support/CApi.h"

using namespace opgraph::lib;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

int32_t og_graph_num_tensors(const og_graph *graph) {
  return graph ? int32_t(graph->tensors.size()) : 0;
}

static og_value toValue(const ScalarValue &scalar) {
  og_value value = {};
  value.kind = scalar.kind;
  value.i64 = scalar.i64;
  value.f64 = scalar.f64;
  return value;
}

/// Extents, layout and names of `spec`, pointing into the graph.
static void fillSpec(og_graph &graph, const TensorSpec &spec,
                     og_tensor_info &info) {
  info.dtype = spec.dtype;
  info.ndim = spec.dims ? int32_t(spec.dims->size()) : -1;
  info.dims = spec.dims ? spec.dims->data() : nullptr;
  info.strides = spec.strides ? spec.strides->data() : nullptr;
  if (spec.symbols.empty())
    return;
  graph.symbolPointers.clear();
  for (const std::string &symbol : spec.symbols)
    graph.symbolPointers.push_back(symbol.c_str());
  info.symbols = graph.symbolPointers.data();
}

og_status og_tensor_get(og_graph *graph, og_tensor tensor,
                        og_tensor_info *out) {
  OG_TRY(checkNotNull(graph, "graph"));
  OG_TRY(graph->checkTensor(tensor));
  const TensorRecord &record = graph->tensors[tensor];
  og_tensor_info info = {};
  info.name = record.name.c_str();
  // Validation resolves only tensors that take part in the graph.
  bool isResolved = graph->isValidated && record.resolved.dims;
  fillSpec(*graph, isResolved ? record.resolved : record.declared, info);
  info.uid = record.uid;
  info.uid_is_chosen = record.uidIsChosen;
  info.is_virtual = record.isVirtual;
  info.by_value = record.byValue;
  info.is_constant = record.isConstant;
  info.value = toValue(record.value);
  info.alignment = record.alignment;
  info.reordering = record.reordering;
  info.ragged_offset = record.raggedOffset;
  info.ragged_multiplier = record.raggedMultiplier;
  info.node = record.node;
  info.is_used = graph->isRead(tensor);
  info.region = record.region;
  return writeStruct(info, out, "og_tensor_info",
                     offsetof(og_tensor_info, region));
}

og_status og_graph_find_uid(const og_graph *graph, int64_t uid,
                            og_tensor *out) {
  OG_TRY(checkNotNull(out, "out"));
  *out = OG_NO_TENSOR;
  OG_TRY(checkNotNull(graph, "graph"));
  for (size_t i = 0; i < graph->tensors.size(); ++i)
    if (graph->tensors[i].uid == uid)
      *out = i;
  if (*out == OG_NO_TENSOR)
    return fail(OG_NOT_FOUND, "no tensor of graph '" + graph->name +
                                  "' has uid " + Twine(uid));
  return OG_OK;
}

og_status og_graph_find_name(const og_graph *graph, const char *name,
                             og_tensor *out) {
  OG_TRY(checkNotNull(out, "out"));
  *out = OG_NO_TENSOR;
  OG_TRY(checkNotNull(graph, "graph"));
  OG_TRY(checkNotNull(name, "name"));
  for (size_t i = 0; i < graph->tensors.size(); ++i) {
    if (graph->tensors[i].name != name)
      continue;
    if (*out != OG_NO_TENSOR) {
      *out = OG_NO_TENSOR;
      return fail(OG_INVALID_VALUE, "several tensors of graph '" + graph->name +
                                        "' are called '" + name + "'");
    }
    *out = i;
  }
  if (*out == OG_NO_TENSOR)
    return fail(OG_NOT_FOUND, "no tensor of graph '" + graph->name +
                                  "' is called '" + name + "'");
  return OG_OK;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

int32_t og_graph_num_nodes(const og_graph *graph) {
  return graph ? int32_t(graph->nodes.size()) : 0;
}

/// The record of `node`, or OG_OUT_OF_RANGE.
static og_status findNode(const og_graph *graph, int32_t node,
                          const NodeRecord *&record) {
  OG_TRY(checkNotNull(graph, "graph"));
  if (node < 0 || size_t(node) >= graph->nodes.size())
    return fail(OG_OUT_OF_RANGE, "expected a node of graph '" + graph->name +
                                     "', below " + Twine(graph->nodes.size()) +
                                     ", got " + Twine(node));
  record = &graph->nodes[node];
  return OG_OK;
}

static og_status checkIndex(int32_t index, size_t count, const char *what) {
  if (index >= 0 && size_t(index) < count)
    return OG_OK;
  return fail(OG_OUT_OF_RANGE, Twine("expected the index of ") + what +
                                   " to be below " + Twine(count) + ", got " +
                                   Twine(index));
}

og_status og_graph_node(og_graph *graph, int32_t node, og_node_info *out) {
  const NodeRecord *record;
  OG_TRY(findNode(graph, node, record));
  og_node_info info = {};
  info.name = record->name.c_str();
  info.op = record->op->name;
  info.num_operands = collectOperands(*graph, *record).operands.size();
  info.num_results = record->results.size();
  info.num_attributes = record->attributes.size();
  info.region = record->region;
  info.owned_region = record->ownedRegion;
  // The first version ended in four bytes of padding.
  return writeStruct(info, out, "og_node_info",
                     offsetof(og_node_info, owned_region));
}

og_status og_graph_node_operand(og_graph *graph, int32_t node, int32_t index,
                                const char **name, const char **port,
                                og_tensor *tensor) {
  const NodeRecord *record;
  OG_TRY(findNode(graph, node, record));
  NodeOperands given = collectOperands(*graph, *record);
  OG_TRY(checkIndex(index, given.operands.size(), "an operand"));
  const auto &[operand, value] = given.operands[index];
  if (name)
    *name = record->op->operands[operand].name;
  if (port)
    *port = record->op->operands[operand].port;
  if (tensor)
    *tensor = value;
  return OG_OK;
}

og_status og_graph_node_result(og_graph *graph, int32_t node, int32_t index,
                               const char **port, og_tensor *tensor) {
  const NodeRecord *record;
  OG_TRY(findNode(graph, node, record));
  OG_TRY(checkIndex(index, record->results.size(), "a result"));
  if (port)
    *port = record->op->results[index].port;
  if (tensor)
    *tensor = record->results[index];
  return OG_OK;
}

og_status og_graph_node_attribute(og_graph *graph, int32_t node, int32_t index,
                                  const char **name, og_value *value) {
  const NodeRecord *record;
  OG_TRY(findNode(graph, node, record));
  OG_TRY(checkIndex(index, record->attributes.size(), "an attribute"));
  const AttributeValue &attribute = record->attributes[index];
  if (name)
    *name = attribute.info->name;
  if (!value)
    return OG_OK;
  *value = {};
  value->kind = attribute.kind;
  value->i64 = attribute.i64;
  value->f64 = attribute.f64;
  value->string = attribute.string.c_str();
  value->array = attribute.array.data();
  value->size = attribute.array.size();
  return OG_OK;
}
