//===- Materialize.cpp - From declarations to a valid graph.graph ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// og_graph_validate: makes the op, asks each operation to infer its results in
// order of insertion, applies default dtypes and verifies the whole.
//===----------------------------------------------------------------------===//
#include "lib/Graph/GraphImpl.h"
#include "lib/Graph/TensorTypes.h"
#include "lib/Support/CApi.h"
#include "lib/Support/Diagnostics.h"
#include "lib/Support/Dtypes.h"
#include "lib/Support/StageTimer.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::lib;
using llvm::Twine;

namespace {

/// One run of validation.
class Materializer {
public:
  explicit Materializer(GraphImpl &graph)
      : graph(graph), context(graph.context.get()), builder(context),
        diagnostics(context), values(graph.tensors.size()) {}

  og_status run();

private:
  og_status collectPorts();
  og_status checkTensors();
  og_status makeGraphOp();
  og_status makeConstant(og_tensor tensor);
  og_status makeNode(NodeRecord &node);
  og_status inferResults(NodeRecord &node, Operation *op);
  og_status finish();

  Operation *createOp(const NodeRecord &node);
  void addAttributes(const NodeRecord &node, OperationState &state);
  Attribute normalizeAxis(const AttributeValue &value, OperationState &state,
                          Attribute attr);
  Location getLocation(const NodeRecord &node);
  DictionaryAttr portAttributes(og_tensor tensor, Type type, bool isArgument);
  Type defaultElementType(const TensorRecord &record);

  GraphImpl &graph;
  MLIRContext *context;
  OpBuilder builder;
  DiagnosticCollector diagnostics;
  SmallVector<Value> values;
  SmallVector<og_tensor> arguments, outputs, constants;
  OwningOpRef<ModuleOp> module;
  graph::GraphOp op;
};

} // namespace

static og_status toStatus(graph::ErrorKind kind) {
  switch (kind) {
  case graph::ErrorKind::AttributeNotSet:
    return OG_ATTRIBUTE_NOT_SET;
  case graph::ErrorKind::ShapeDeduction:
    return OG_SHAPE_DEDUCTION;
  case graph::ErrorKind::InvalidValue:
    return OG_INVALID_VALUE;
  case graph::ErrorKind::NotSupported:
    return OG_UNSUPPORTED;
  }
  return OG_INTERNAL;
}

//===----------------------------------------------------------------------===//
// Ports
//===----------------------------------------------------------------------===//

og_status Materializer::collectPorts() {
  if (graph.nodes.empty())
    return fail(OG_ATTRIBUTE_NOT_SET,
                "graph '" + graph.name + "' has no operations");
  for (auto [index, record] : llvm::enumerate(graph.tensors)) {
    if (record.node >= 0) {
      if (!record.isVirtual)
        outputs.push_back(index);
    } else if (record.isUsed) {
      (record.isConstant ? constants : arguments).push_back(index);
    }
  }
  if (outputs.empty())
    return fail(OG_ATTRIBUTE_NOT_SET,
                "graph '" + graph.name +
                    "' has no outputs: mark at least one result as one");
  return OG_OK;
}

/// Rules of single tensors that do not need an operation.
og_status Materializer::checkTensors() {
  for (auto [index, record] : llvm::enumerate(graph.tensors)) {
    std::string what = graph.describe(index);
    bool takesPart = record.node >= 0 || record.isUsed;
    if (!takesPart)
      continue;
    if (record.isVirtual && record.byValue)
      return fail(OG_ATTRIBUTE_NOT_SET, what + " is virtual and by-value; "
                                               "expected at most one of them");
    if (record.node < 0 && record.isVirtual)
      return fail(OG_ATTRIBUTE_NOT_SET,
                  what + " is virtual, but no operation makes it");
    if (record.node >= 0 && record.byValue)
      return fail(OG_INVALID_VALUE,
                  what + " is a result; only inputs can be by-value");
    if (record.raggedOffset != OG_NO_TENSOR)
      return fail(OG_UNSUPPORTED, what + ": ragged offsets are not supported");
    OG_TRY(checkSpec(record.declared, what));
    if (record.node >= 0)
      continue;
    if (!record.declared.dims)
      return fail(OG_ATTRIBUTE_NOT_SET, what + " has no extents");
    if (!record.declared.dtype && !defaultElementType(record))
      return fail(OG_ATTRIBUTE_NOT_SET,
                  what + " has no dtype, and the graph has no io dtype");
  }
  return OG_OK;
}

Type Materializer::defaultElementType(const TensorRecord &record) {
  int32_t dtype = graph.ioDtype;
  if (record.isVirtual) {
    if (graph.intermediateDtype)
      dtype = graph.intermediateDtype;
    // As the peers do: a graph that says nothing has FLOAT intermediates.
    if (!dtype)
      dtype = OG_DTYPE_FLOAT;
  }
  return dtype ? toMlirType(context, dtype) : Type();
}

//===----------------------------------------------------------------------===//
// The op, its arguments and constants
//===----------------------------------------------------------------------===//

og_status Materializer::makeGraphOp() {
  Location location = NameLoc::get(builder.getStringAttr(graph.name));
  module = ModuleOp::create(location);
  builder.setInsertionPointToStart(module->getBody());
  OperationState state(location, graph::GraphOp::getOperationName());
  state.addAttribute("sym_name",
                     builder.getStringAttr(toSymbolName(graph.name)));
  state.addAttribute("function_type",
                     TypeAttr::get(builder.getFunctionType({}, {})));
  auto addType = [&](StringRef name, int32_t dtype) {
    if (dtype == OG_DTYPE_FAST_FLOAT_FOR_FP8)
      dtype = OG_DTYPE_FLOAT;
    if (dtype)
      state.addAttribute(name, TypeAttr::get(toMlirType(context, dtype)));
  };
  addType("compute_type", graph.computeDtype);
  addType("intermediate_type", graph.intermediateDtype);
  addType("io_type", graph.ioDtype);
  if (graph.dynamic)
    state.addAttribute("dynamic", builder.getUnitAttr());
  Block *block = new Block;
  state.addRegion()->push_back(block);
  op = cast<graph::GraphOp>(builder.create(state));
  builder.setInsertionPointToStart(block);
  for (og_tensor tensor : arguments) {
    TensorRecord &record = graph.tensors[tensor];
    RankedTensorType type;
    OG_TRY(makeTensorType(context, record, tensor, graph.describe(tensor),
                          defaultElementType(record), type));
    values[tensor] = block->addArgument(type, location);
  }
  for (og_tensor tensor : constants)
    OG_TRY(makeConstant(tensor));
  return OG_OK;
}

og_status Materializer::makeConstant(og_tensor tensor) {
  TensorRecord &record = graph.tensors[tensor];
  RankedTensorType type;
  OG_TRY(makeTensorType(context, record, tensor, graph.describe(tensor),
                        defaultElementType(record), type));
  TypedAttr value = makeScalarAttr(type.getElementType(), record.value);
  if (!value)
    return fail(OG_INVALID_VALUE,
                graph.describe(tensor) + ": expected its value to fit " +
                    og_dtype_name(toDtype(type.getElementType())));
  Location location = NameLoc::get(builder.getStringAttr(record.name));
  auto constant = graph::ConstantOp::create(builder, location, type, value);
  values[tensor] = constant.getOut();
  return OG_OK;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

Location Materializer::getLocation(const NodeRecord &node) {
  Location child = builder.getUnknownLoc();
  if (!node.file.empty())
    child = FileLineColLoc::get(context, node.file, std::max(node.line, 0), 0);
  return NameLoc::get(builder.getStringAttr(node.name), child);
}

/// An axis counted from the end, as frameworks allow, counted from the start.
Attribute Materializer::normalizeAxis(const AttributeValue &value,
                                      OperationState &state, Attribute attr) {
  bool isAxis = value.info->kind == AttributeKind::I64 &&
                StringRef(value.info->name) == "axis";
  if (!isAxis || value.i64 >= 0 || state.operands.empty())
    return attr;
  int64_t rank =
      cast<RankedTensorType>(state.operands.front().getType()).getRank();
  return builder.getI64IntegerAttr(value.i64 + rank);
}

void Materializer::addAttributes(const NodeRecord &node,
                                 OperationState &state) {
  bool computesFast = graph.computeDtype == OG_DTYPE_FAST_FLOAT_FOR_FP8;
  for (const AttributeValue &value : node.attributes) {
    if (Attribute attr = makeAttribute(context, value))
      state.addAttribute(value.info->name, normalizeAxis(value, state, attr));
    if (value.info->kind == AttributeKind::Type && value.i64)
      computesFast = value.i64 == OG_DTYPE_FAST_FLOAT_FOR_FP8;
  }
  StringRef fast = "fast_fp8_accumulation";
  if (computesFast && node.op->findAttribute(fast) >= 0)
    state.addAttribute(fast, builder.getUnitAttr());
}

Operation *Materializer::createOp(const NodeRecord &node) {
  OperationState state(getLocation(node),
                       ("graph." + StringRef(node.op->name)).str());
  SmallVector<int32_t> operandSegments(node.op->operands.size(), 0);
  for (auto [index, tensor] : node.operands) {
    state.addOperands(values[tensor]);
    ++operandSegments[index];
  }
  addAttributes(node, state);
  // Results exist from the start, with a type that inference replaces.
  Type placeholder = RankedTensorType::get({}, builder.getF32Type());
  SmallVector<int32_t> resultSegments;
  for (og_tensor tensor : node.results) {
    if (tensor != OG_NO_TENSOR)
      state.addTypes(placeholder);
    resultSegments.push_back(tensor != OG_NO_TENSOR);
  }
  if (node.op->sizedOperands)
    state.addAttribute("operandSegmentSizes",
                       builder.getDenseI32ArrayAttr(operandSegments));
  if (node.op->sizedResults)
    state.addAttribute("resultSegmentSizes",
                       builder.getDenseI32ArrayAttr(resultSegments));
  return builder.create(state);
}

og_status Materializer::inferResults(NodeRecord &node, Operation *op) {
  SmallVector<graph::ResultSpec, 4> specs(node.results.size());
  for (auto [spec, tensor] : llvm::zip(specs, node.results)) {
    spec.present = tensor != OG_NO_TENSOR;
    if (!spec.present)
      continue;
    const TensorRecord &record = graph.tensors[tensor];
    spec.isVirtual = record.isVirtual;
    declareSpec(context, record, tensor, spec);
  }
  graph::Inference inference(op, specs);
  if (failed(cast<graph::GraphOpInterface>(op).inferResults(inference)))
    return fail(toStatus(inference.getErrorKind().value_or(
                    graph::ErrorKind::InvalidValue)),
                diagnostics.textOr("inference failed"));
  unsigned next = 0;
  for (auto [spec, tensor] : llvm::zip(specs, node.results)) {
    if (!spec.present)
      continue;
    const TensorRecord &record = graph.tensors[tensor];
    if (!spec.elementType)
      spec.elementType = defaultElementType(record);
    if (!spec.elementType)
      return fail(OG_ATTRIBUTE_NOT_SET,
                  graph.describe(tensor) +
                      " has no dtype, and the graph has no io dtype");
    RankedTensorType type;
    OG_TRY(makeResultType(context, spec, record, graph.describe(tensor), type));
    Value value = op->getResult(next++);
    value.setType(type);
    values[tensor] = value;
  }
  return OG_OK;
}

og_status Materializer::makeNode(NodeRecord &node) {
  Operation *op = createOp(node);
  return inferResults(node, op);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

DictionaryAttr Materializer::portAttributes(og_tensor tensor, Type type,
                                            bool isArgument) {
  const TensorRecord &record = graph.tensors[tensor];
  SmallVector<NamedAttribute> attributes;
  auto add = [&](StringRef name, Attribute attr) {
    attributes.emplace_back(builder.getStringAttr(name), attr);
  };
  add("graph.uid", builder.getI64IntegerAttr(record.uid));
  add("graph.name", builder.getStringAttr(record.name));
  if (record.alignment != defaultAlignment)
    add("graph.alignment", builder.getI64IntegerAttr(record.alignment));
  if (isArgument && record.byValue) {
    add("graph.by_value", builder.getUnitAttr());
    if (record.value.kind != OG_VALUE_NONE)
      add("graph.default",
          makeScalarAttr(getElementTypeOrSelf(type), record.value));
  }
  return builder.getDictionaryAttr(attributes);
}

og_status Materializer::finish() {
  SmallVector<Value> returned;
  SmallVector<Type> argumentTypes, resultTypes;
  SmallVector<Attribute> argumentAttrs, resultAttrs;
  for (og_tensor tensor : arguments) {
    Type type = values[tensor].getType();
    const TensorRecord &record = graph.tensors[tensor];
    if (record.byValue && record.value.kind != OG_VALUE_NONE &&
        !makeScalarAttr(getElementTypeOrSelf(type), record.value))
      return fail(OG_INVALID_VALUE,
                  graph.describe(tensor) + ": expected its default to fit " +
                      og_dtype_name(toDtype(getElementTypeOrSelf(type))));
    argumentTypes.push_back(type);
    argumentAttrs.push_back(portAttributes(tensor, type, true));
  }
  for (og_tensor tensor : outputs) {
    returned.push_back(values[tensor]);
    resultTypes.push_back(values[tensor].getType());
    resultAttrs.push_back(portAttributes(tensor, resultTypes.back(), false));
  }
  graph::ReturnOp::create(builder, op.getLoc(), returned);
  op.setFunctionTypeAttr(
      TypeAttr::get(builder.getFunctionType(argumentTypes, resultTypes)));
  if (!argumentAttrs.empty())
    op.setArgAttrsAttr(builder.getArrayAttr(argumentAttrs));
  op.setResAttrsAttr(builder.getArrayAttr(resultAttrs));
  if (failed(mlir::verify(*module)))
    return fail(OG_INVALID_VALUE, diagnostics.textOr("verification failed"));
  for (auto [index, value] : llvm::enumerate(values))
    if (value)
      graph.tensors[index].resolved =
          resolveSpec(cast<RankedTensorType>(value.getType()));
  return OG_OK;
}

og_status Materializer::run() {
  OG_TRY(collectPorts());
  OG_TRY(checkTensors());
  OG_TRY(makeGraphOp());
  for (NodeRecord &node : graph.nodes)
    OG_TRY(makeNode(node));
  OG_TRY(finish());
  graph.module = std::move(module);
  graph.graphOp = op;
  graph.isValidated = true;
  return OG_OK;
}

og_status GraphImpl::validate() {
  if (isValidated)
    return OG_OK;
  StageTimer timer(*this, "validate");
  graphOp = {};
  module = {};
  for (TensorRecord &record : tensors)
    record.resolved = {};
  return Materializer(*this).run();
}
