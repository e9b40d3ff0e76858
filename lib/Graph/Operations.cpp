//===- Operations.cpp - Adding operations: og_graph_op --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "lib/Graph/GraphImpl.h"
#include "lib/Support/CApi.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::lib;
using llvm::StringRef;
using llvm::Twine;

static og_status readOp(const og_op_desc &given, NodeRecord &node) {
  if (!given.op)
    return fail(OG_INVALID_ARGUMENT, "og_op_desc: op is null");
  StringRef name = given.op;
  name.consume_front("graph.");
  node.op = findOp(name);
  if (node.op)
    return OG_OK;
  auto names = llvm::map_range(
      getOpTable(), [](const OpInfo &info) { return StringRef(info.name); });
  return fail(OG_NOT_FOUND, "no operation is called '" + name + "'" +
                                suggestName(name, names));
}

static og_status readOperands(const og_graph &graph, const og_op_desc &given,
                              const std::string &what, NodeRecord &node) {
  if (given.num_operands && !given.operands)
    return fail(OG_INVALID_ARGUMENT, what + ": operands is null");
  const OpInfo &op = *node.op;
  for (size_t i = 0; i < given.num_operands; ++i) {
    const og_named_tensor &operand = given.operands[i];
    if (operand.tensor == OG_NO_TENSOR)
      continue;
    StringRef name = operand.name ? operand.name : "";
    int index = op.findOperand(name);
    if (index < 0) {
      auto names = llvm::map_range(op.operands, [](const OperandInfo &info) {
        return StringRef(info.name);
      });
      return fail(OG_NOT_FOUND, what + " has no operand '" + name + "'" +
                                    suggestName(name, names));
    }
    OG_TRY(graph.checkTensor(operand.tensor));
    bool isTaken = llvm::any_of(
        node.operands, [&](const auto &other) { return other.first == index; });
    if (isTaken && op.operands[index].arity != Arity::Variadic)
      return fail(OG_ALREADY_EXISTS,
                  what + ": operand '" + name + "' is given twice");
    // Kept in the definition's order; a variadic operand in the given one.
    auto position = llvm::find_if(
        node.operands, [&](const auto &other) { return other.first > index; });
    node.operands.insert(position, {index, operand.tensor});
  }
  for (size_t index = 0; index < op.operands.size(); ++index) {
    const OperandInfo &info = op.operands[index];
    bool isGiven = llvm::any_of(node.operands, [&](const auto &other) {
      return size_t(other.first) == index;
    });
    if (!isGiven && info.arity != Arity::Optional)
      return fail(OG_ATTRIBUTE_NOT_SET, what + ": operand '" +
                                            StringRef(info.name) + "' (port " +
                                            info.port + ") is missing");
  }
  return OG_OK;
}

static og_status readAttributes(const og_op_desc &given,
                                const std::string &what, NodeRecord &node) {
  if (given.num_attributes && !given.attributes)
    return fail(OG_INVALID_ARGUMENT, what + ": attributes is null");
  const OpInfo &op = *node.op;
  for (size_t i = 0; i < given.num_attributes; ++i) {
    const og_named_value &attribute = given.attributes[i];
    if (attribute.value.kind == OG_VALUE_NONE)
      continue;
    StringRef name = attribute.name ? attribute.name : "";
    int index = op.findAttribute(name);
    if (index < 0) {
      auto names =
          llvm::map_range(op.attributes, [](const AttributeInfo &info) {
            return StringRef(info.name);
          });
      return fail(OG_NOT_FOUND, what + " has no attribute '" + name + "'" +
                                    suggestName(name, names));
    }
    const AttributeInfo &info = op.attributes[index];
    if (llvm::any_of(node.attributes, [&](const AttributeValue &other) {
          return other.info == &info;
        }))
      return fail(OG_ALREADY_EXISTS,
                  what + ": attribute '" + name + "' is given twice");
    AttributeValue value;
    OG_TRY(readAttribute(info, attribute.value,
                         what + ": attribute '" + name + "'", value));
    node.attributes.push_back(std::move(value));
  }
  for (const AttributeInfo &info : op.attributes) {
    bool isGiven =
        llvm::any_of(node.attributes, [&](const AttributeValue &value) {
          return value.info == &info;
        });
    if (!isGiven && !info.optional)
      return fail(OG_ATTRIBUTE_NOT_SET, what + ": attribute '" +
                                            StringRef(info.name) +
                                            "' is missing");
  }
  return OG_OK;
}

/// Which results exist, asked of the op's definition.
static llvm::SmallVector<bool> findPresentResults(og_graph &graph,
                                                  const NodeRecord &node) {
  llvm::SmallVector<NamedAttribute> attributes;
  for (const AttributeValue &value : node.attributes)
    if (Attribute attr = makeAttribute(graph.context.get(), value))
      attributes.emplace_back(
          StringAttr::get(graph.context.get(), value.info->name), attr);
  auto dictionary = DictionaryAttr::get(graph.context.get(), attributes);
  OperationName name(("graph." + StringRef(node.op->name)).str(),
                     graph.context.get());
  auto *interface = name.getInterface<graph::GraphOpInterface>();
  llvm::SmallVector<bool> present;
  for (unsigned i = 0; i < node.op->results.size(); ++i)
    present.push_back(interface->isResultPresent(i, dictionary));
  return present;
}

og_status og_graph_op(og_graph *graph, const og_op_desc *desc,
                      og_tensor *results, size_t numResults) {
  OG_TRY(checkNotNull(graph, "graph"));
  OG_TRY(checkNotNull(desc, "og_op_desc"));
  og_op_desc given;
  OG_TRY(readStruct(desc, given, "og_op_desc"));
  NodeRecord node;
  OG_TRY(readOp(given, node));
  int number = graph->opCounts[node.op->name];
  node.name = given.name && *given.name
                  ? given.name
                  : std::string(node.op->name) + "." + std::to_string(number);
  node.file = given.file ? given.file : "";
  node.line = given.line;
  std::string what =
      "node '" + node.name + "' (" + std::string(node.op->name) + ")";
  if (numResults < node.op->results.size() || !results)
    return fail(OG_INVALID_ARGUMENT,
                what + ": expected room for " + Twine(node.op->results.size()) +
                    " results, got " + Twine(results ? numResults : 0));
  OG_TRY(readOperands(*graph, given, what, node));
  OG_TRY(readAttributes(given, what, node));
  OG_TRY(graph->beginChange("og_graph_op"));

  llvm::SmallVector<bool> present = findPresentResults(*graph, node);
  for (auto [index, info] : llvm::enumerate(node.op->results)) {
    results[index] = OG_NO_TENSOR;
    if (present[index]) {
      TensorRecord record;
      record.name = node.name + "::" + info.port;
      record.isVirtual = true;
      record.node = graph->nodes.size();
      results[index] = graph->addTensor(std::move(record));
    }
    node.results.push_back(results[index]);
  }
  for (auto [index, tensor] : node.operands)
    graph->tensors[tensor].isUsed = true;
  ++graph->opCounts[node.op->name];
  graph->nodes.push_back(std::move(node));
  return OG_OK;
}
