//===- MaterializeNodes.cpp - Operations of a graph.graph -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the op of each node, fills its region and has it infer its results.
//===----------------------------------------------------------------------===//
#include "lib/Graph/Materializer.h"
#include "lib/Graph/TensorTypes.h"
#include "lib/Support/CApi.h"
#include "lib/Support/Dtypes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::lib;
using llvm::Twine;

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
    if (StringRef(value.info->name) == "compute_type" && value.i64)
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
  NodeOperands given = collectOperands(graph, node);
  for (auto [index, tensor] : given.operands) {
    state.addOperands(values[tensor]);
    ++operandSegments[index];
  }
  addAttributes(node, state);
  if (!llvm::all_equal(given.multipliers) ||
      (!given.multipliers.empty() && given.multipliers.front() != 1))
    state.addAttribute("ragged_multipliers",
                       builder.getDenseI64ArrayAttr(given.multipliers));
  if (node.op->hasRegion)
    state.addRegion();
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

og_status Materializer::inferResults(const NodeRecord &node, Operation *op) {
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

og_status Materializer::makeNode(const NodeRecord &node) {
  OG_TRY(checkRaggedPorts(graph, node));
  Operation *op = createOp(node);
  if (node.ownedRegion)
    OG_TRY(makeRegion(node, op));
  return inferResults(node, op);
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// Compares what the user declared of a region's argument with its type.
static og_status checkDeclared(const GraphImpl &graph, og_tensor tensor,
                               RankedTensorType type) {
  const TensorRecord &record = graph.tensors[tensor];
  graph::ResultSpec declared, actual = graph::makeSpec(type);
  declareSpec(type.getContext(), record, tensor, declared);
  std::string what = graph.describe(tensor) + ": expected ";
  bool isSame = !declared.dims || declared.dims == actual.dims;
  for (auto [axis, symbol] : llvm::enumerate(declared.symbols))
    isSame &= !symbol || (isSame && symbol == actual.symbols[axis]);
  if (!isSame)
    return fail(OG_SHAPE_DEDUCTION,
                what + "extents " +
                    graph::printDims(*actual.dims, actual.symbols) +
                    " as the region's operation gives them, got " +
                    graph::printDims(*declared.dims, declared.symbols));
  if (declared.elementType && declared.elementType != actual.elementType)
    return fail(OG_INVALID_VALUE,
                what + "dtype " + og_dtype_name(toDtype(actual.elementType)) +
                    " as the region's operation gives it, got " +
                    og_dtype_name(toDtype(declared.elementType)));
  if (declared.strides &&
      graph::Dims(graph::getStrides(type)) != *declared.strides)
    return fail(OG_INVALID_VALUE,
                what + "strides " + graph::printDims(graph::getStrides(type)) +
                    " as the region's operation gives them, got " +
                    graph::printDims(*declared.strides));
  return OG_OK;
}

og_status Materializer::addRegionArguments(const RegionRecord &region,
                                           ArrayRef<RankedTensorType> types,
                                           Block *block) {
  for (auto [tensor, type] : llvm::zip_equal(region.arguments, types)) {
    OG_TRY(checkDeclared(graph, tensor, type));
    values[tensor] = block->addArgument(type, op.getLoc());
  }
  for (og_tensor tensor : region.captures)
    values[tensor] = block->addArgument(values[tensor].getType(), op.getLoc());
  return OG_OK;
}

/// Fills the region of `op` with the nodes inside.
og_status Materializer::makeRegion(const NodeRecord &node, Operation *op) {
  const RegionRecord &region = graph.regions[node.ownedRegion - 1];
  SmallVector<RankedTensorType> types =
      cast<graph::GraphOpInterface>(op).getRegionArgumentTypes(
          region.arguments.size());
  if (types.size() != region.arguments.size()) {
    // Inference reports operands that say no types.
    OG_TRY(inferResults(node, op));
    return fail(OG_INVALID_VALUE,
                graph.describe(node) + " takes no region of " +
                    Twine(region.arguments.size()) + " arguments");
  }
  auto outside = llvm::map_to_vector(
      region.captures, [&](og_tensor tensor) { return values[tensor]; });
  OpBuilder::InsertionGuard guard(builder);
  auto *block = new Block;
  op->getRegion(0).push_back(block);
  builder.setInsertionPointToStart(block);
  OG_TRY(addRegionArguments(region, types, block));
  for (const NodeRecord &inner : graph.nodes)
    if (inner.region == node.ownedRegion)
      OG_TRY(makeNode(inner));
  auto results = llvm::map_to_vector(
      region.results, [&](og_tensor tensor) { return values[tensor]; });
  graph::YieldOp::create(builder, op->getLoc(), results);
  for (auto [tensor, value] : llvm::zip_equal(region.captures, outside))
    values[tensor] = value;
  return OG_OK;
}
