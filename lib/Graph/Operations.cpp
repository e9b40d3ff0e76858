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

/// "; did you mean 'x'?" among the names that users give, or "".
template <typename Info>
static std::string suggestGiven(StringRef name, llvm::ArrayRef<Info> infos) {
  auto names = llvm::map_range(
      llvm::make_filter_range(infos,
                              [](const Info &info) { return !info.implicit; }),
      [](const Info &info) { return StringRef(info.name); });
  return suggestName(name, names);
}

/// Operands and attributes that follow from others.
static og_status checkNotImplicit(const std::string &what, const char *kind,
                                  StringRef name, bool isImplicit) {
  if (!isImplicit)
    return OG_OK;
  return fail(
      OG_INVALID_VALUE,
      what + ": " + kind + " '" + name + "' is never given: it follows " +
          (name.lower() == "captures" ? "from the region"
                                      : "from the ragged offsets of tensors"));
}

static og_status readOperand(const og_graph &graph,
                             const og_named_tensor &operand,
                             const std::string &what, NodeRecord &node) {
  const OpInfo &op = *node.op;
  StringRef name = operand.name ? operand.name : "";
  int index = op.findOperand(name);
  if (index < 0)
    return fail(OG_NOT_FOUND, what + " has no operand '" + name + "'" +
                                  suggestGiven(name, op.operands));
  OG_TRY(checkNotImplicit(what, "operand", name, op.operands[index].implicit));
  OG_TRY(graph.checkTensor(operand.tensor));
  OG_TRY(
      graph.checkReadable(what + ": operand '" + name + "'", operand.tensor));
  bool isTaken = llvm::any_of(
      node.operands, [&](const auto &other) { return other.first == index; });
  if (isTaken && op.operands[index].arity != Arity::Variadic)
    return fail(OG_ALREADY_EXISTS,
                what + ": operand '" + name + "' is given twice");
  // Kept in the definition's order; a variadic operand in the given one.
  auto position = llvm::find_if(
      node.operands, [&](const auto &other) { return other.first > index; });
  node.operands.insert(position, {index, operand.tensor});
  return OG_OK;
}

static bool hasOperand(const NodeRecord &node, int index) {
  return llvm::any_of(node.operands, [&](const auto &operand) {
    return operand.first == index;
  });
}

static og_status readOperands(const og_graph &graph, const og_op_desc &given,
                              const std::string &what, NodeRecord &node) {
  if (given.num_operands && !given.operands)
    return fail(OG_INVALID_ARGUMENT, what + ": operands is null");
  for (size_t i = 0; i < given.num_operands; ++i)
    if (given.operands[i].tensor != OG_NO_TENSOR)
      OG_TRY(readOperand(graph, given.operands[i], what, node));
  for (auto [index, info] : llvm::enumerate(node.op->operands))
    if (info.arity == Arity::Required && !hasOperand(node, index))
      return fail(OG_ATTRIBUTE_NOT_SET, what + ": operand '" +
                                            StringRef(info.name) + "' (port " +
                                            info.port + ") is missing");
  return OG_OK;
}

static og_status readAttributes(const og_op_desc &given,
                                const std::string &what, NodeRecord &node) {
  if (given.num_attributes && !given.attributes)
    return fail(OG_INVALID_ARGUMENT, what + ": attributes is null");
  const OpInfo &op = *node.op;
  auto isGiven = [&](const AttributeInfo &info) {
    return llvm::any_of(node.attributes, [&](const AttributeValue &value) {
      return value.info == &info;
    });
  };
  for (size_t i = 0; i < given.num_attributes; ++i) {
    const og_named_value &attribute = given.attributes[i];
    if (attribute.value.kind == OG_VALUE_NONE)
      continue;
    StringRef name = attribute.name ? attribute.name : "";
    int index = op.findAttribute(name);
    if (index < 0)
      return fail(OG_NOT_FOUND, what + " has no attribute '" + name + "'" +
                                    suggestGiven(name, op.attributes));
    const AttributeInfo &info = op.attributes[index];
    OG_TRY(checkNotImplicit(what, "attribute", name, info.implicit));
    if (isGiven(info))
      return fail(OG_ALREADY_EXISTS,
                  what + ": attribute '" + name + "' is given twice");
    AttributeValue value;
    OG_TRY(readAttribute(info, attribute.value,
                         what + ": attribute '" + name + "'", value));
    node.attributes.push_back(std::move(value));
  }
  for (const AttributeInfo &info : op.attributes)
    if (!info.optional && !isGiven(info))
      return fail(OG_ATTRIBUTE_NOT_SET, what + ": attribute '" +
                                            StringRef(info.name) +
                                            "' is missing");
  return OG_OK;
}

static OperationName getOpName(const og_graph &graph, const OpInfo &op) {
  return OperationName(("graph." + StringRef(op.name)).str(),
                       graph.context.get());
}

/// Which results exist, asked of the op's definition.
static llvm::SmallVector<bool> findPresentResults(const og_graph &graph,
                                                  const NodeRecord &node) {
  llvm::SmallVector<NamedAttribute> attributes;
  for (const AttributeValue &value : node.attributes)
    if (Attribute attr = makeAttribute(graph.context.get(), value))
      attributes.emplace_back(
          StringAttr::get(graph.context.get(), value.info->name), attr);
  auto dictionary = DictionaryAttr::get(graph.context.get(), attributes);
  auto *interface =
      getOpName(graph, *node.op).getInterface<graph::GraphOpInterface>();
  auto isGiven = [&](StringRef name) {
    return hasOperand(node, node.op->findOperand(name));
  };
  llvm::SmallVector<bool> present;
  for (unsigned i = 0; i < node.op->results.size(); ++i)
    present.push_back(interface->isResultPresent(i, dictionary, isGiven));
  return present;
}

//===----------------------------------------------------------------------===//
// Results that the caller has made
//===----------------------------------------------------------------------===//

/// Fails unless `tensor` can become a result of the node `what`.
static og_status checkOutput(const og_graph &graph, const std::string &what,
                             const NodeRecord &node, og_tensor tensor) {
  OG_TRY(graph.checkTensor(tensor));
  const TensorRecord &record = graph.tensors[tensor];
  std::string rule = what + ": expected " + graph.describe(tensor) + " to be ";
  if (record.node >= 0)
    return fail(OG_ALREADY_EXISTS,
                rule +
                    "made by no operation, got a result "
                    "of " +
                    graph.describe(graph.nodes[record.node]));
  if (record.region || graph.openRegion)
    return fail(OG_INVALID_VALUE,
                rule + "outside of regions, got region " +
                    Twine(std::max(record.region, graph.openRegion)));
  if (record.byValue || record.isConstant)
    return fail(OG_INVALID_VALUE,
                rule + "in memory, got " +
                    (record.isConstant ? "a constant" : "a by-value scalar"));
  bool isRead = record.isUsed ||
                llvm::any_of(node.operands,
                             [&](const auto &operand) {
                               return operand.second == tensor;
                             }) ||
                llvm::any_of(graph.tensors, [&](const TensorRecord &other) {
                  return other.raggedOffset == tensor;
                });
  if (isRead)
    return fail(OG_INVALID_VALUE,
                rule + "read by nothing yet, got one that is");
  return OG_OK;
}

/// The given tensor of each result; OG_NO_TENSOR where there is none.
static og_status readOutputs(const og_graph &graph, const og_op_desc &given,
                             const std::string &what,
                             llvm::ArrayRef<bool> present,
                             const NodeRecord &node,
                             std::vector<og_tensor> &outputs) {
  const OpInfo &op = *node.op;
  outputs.assign(op.results.size(), OG_NO_TENSOR);
  if (given.num_outputs && !given.outputs)
    return fail(OG_INVALID_ARGUMENT, what + ": outputs is null");
  for (size_t i = 0; i < given.num_outputs; ++i) {
    og_tensor tensor = given.outputs[i].tensor;
    if (tensor == OG_NO_TENSOR)
      continue;
    StringRef name = given.outputs[i].name ? given.outputs[i].name : "";
    int index = op.findResult(name);
    if (index < 0) {
      auto names = llvm::map_range(op.results, [](const ResultInfo &info) {
        return StringRef(info.name);
      });
      return fail(OG_NOT_FOUND, what + " has no result '" + name + "'" +
                                    suggestName(name, names));
    }
    if (!present[index])
      return fail(OG_INVALID_VALUE,
                  what + ": result '" + name +
                      "' does not exist with these attributes and operands");
    if (outputs[index] != OG_NO_TENSOR || llvm::is_contained(outputs, tensor))
      return fail(OG_ALREADY_EXISTS,
                  what + ": result '" + name + "' or its " +
                      (graph.checkTensor(tensor) ? std::string("tensor")
                                                 : graph.describe(tensor)) +
                      " is given twice");
    std::string place = (what + ": result '" + name + "'").str();
    OG_TRY(checkOutput(graph, place, node, tensor));
    outputs[index] = tensor;
  }
  return OG_OK;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// Whether this operation may be added where the graph stands.
static og_status checkPlace(const og_graph &graph, const std::string &what,
                            const NodeRecord &node) {
  if (!graph.openRegion ||
      getOpName(graph, *node.op).hasInterface<graph::PointwiseOpInterface>())
    return OG_OK;
  return fail(OG_UNSUPPORTED,
              what + ": expected a pointwise operation in region " +
                  Twine(graph.openRegion) + ", got '" + node.op->name + "'");
}

/// Takes the region, whose captures become operands.
static og_status readRegion(const og_graph &graph, int32_t number,
                            const std::string &what, NodeRecord &node) {
  if (!number)
    return OG_OK;
  if (!node.op->hasRegion)
    return fail(OG_INVALID_VALUE,
                what + " has no region, got region " + Twine(number));
  if (number < 1 || size_t(number) > graph.regions.size())
    return fail(OG_NOT_FOUND, what + ": expected a region in [1, " +
                                  Twine(graph.regions.size()) + "], got " +
                                  Twine(number));
  const RegionRecord &region = graph.regions[number - 1];
  if (region.owner >= 0)
    return fail(OG_ALREADY_EXISTS,
                what + ": region " + Twine(number) + " belongs to " +
                    graph.describe(graph.nodes[region.owner]));
  node.ownedRegion = number;
  int index = node.op->findOperand("captures");
  auto position = llvm::find_if(
      node.operands, [&](const auto &other) { return other.first > index; });
  llvm::SmallVector<std::pair<int, og_tensor>> captures;
  for (og_tensor tensor : region.captures)
    captures.emplace_back(index, tensor);
  node.operands.insert(position, captures.begin(), captures.end());
  return OG_OK;
}

//===----------------------------------------------------------------------===//
// C API
//===----------------------------------------------------------------------===//

/// Adds the node, its results (those of `outputs` exist) and what it reads.
static void addNode(og_graph &graph, NodeRecord node,
                    llvm::ArrayRef<bool> present,
                    llvm::ArrayRef<og_tensor> outputs) {
  int32_t number = graph.nodes.size();
  node.region = graph.openRegion;
  for (auto [index, info] : llvm::enumerate(node.op->results)) {
    og_tensor tensor = outputs[index];
    if (present[index] && tensor == OG_NO_TENSOR) {
      TensorRecord record;
      record.name = node.name + "::" + info.port;
      record.isVirtual = true;
      record.region = graph.openRegion;
      tensor = graph.addTensor(std::move(record));
    }
    if (tensor != OG_NO_TENSOR)
      graph.tensors[tensor].node = number;
    node.results.push_back(tensor);
  }
  for (auto [index, tensor] : node.operands) {
    graph.tensors[tensor].isUsed = true;
    graph.addCapture(tensor);
  }
  if (node.ownedRegion)
    graph.regions[node.ownedRegion - 1].owner = number;
  ++graph.opCounts[node.op->name];
  graph.nodes.push_back(std::move(node));
}

og_status og_graph_op(og_graph *graph, const og_op_desc *desc,
                      og_tensor *results, size_t numResults) {
  OG_TRY(checkNotNull(graph, "graph"));
  OG_TRY(checkNotNull(desc, "og_op_desc"));
  og_op_desc given;
  OG_TRY(readStruct(desc, given, "og_op_desc", offsetof(og_op_desc, outputs)));
  NodeRecord node;
  OG_TRY(readOp(given, node));
  int number = graph->opCounts[node.op->name];
  node.name = given.name && *given.name
                  ? given.name
                  : std::string(node.op->name) + "." + std::to_string(number);
  node.file = given.file ? given.file : "";
  node.line = given.line;
  std::string what = graph->describe(node);
  if (numResults < node.op->results.size() || !results)
    return fail(OG_INVALID_ARGUMENT,
                what + ": expected room for " + Twine(node.op->results.size()) +
                    " results, got " + Twine(results ? numResults : 0));
  OG_TRY(checkPlace(*graph, what, node));
  OG_TRY(readOperands(*graph, given, what, node));
  OG_TRY(readAttributes(given, what, node));
  OG_TRY(readRegion(*graph, given.region, what, node));
  llvm::SmallVector<bool> present = findPresentResults(*graph, node);
  std::vector<og_tensor> outputs;
  OG_TRY(readOutputs(*graph, given, what, present, node, outputs));
  OG_TRY(graph->beginChange("og_graph_op"));
  addNode(*graph, std::move(node), present, outputs);
  llvm::copy(graph->nodes.back().results, results);
  return OG_OK;
}
