//===- Materialize.cpp - From declarations to a valid graph.graph ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// og_graph_validate: makes the op, asks each operation to infer its results in
// order of insertion, applies default dtypes and verifies the whole.
// The graph op and its ports are here, nodes in MaterializeNodes.cpp.
//===----------------------------------------------------------------------===//
#include "lib/Graph/Materializer.h"
#include "lib/Graph/TensorTypes.h"
#include "lib/Support/CApi.h"
#include "lib/Support/Dtypes.h"
#include "lib/Support/StageTimer.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::lib;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Ports
//===----------------------------------------------------------------------===//

og_status Materializer::checkRegions() {
  for (auto [index, region] : llvm::enumerate(graph.regions))
    if (region.owner < 0)
      return fail(OG_ATTRIBUTE_NOT_SET, "region " + Twine(index + 1) +
                                            " of graph '" + graph.name +
                                            "' belongs to no operation");
  return OG_OK;
}

og_status Materializer::collectPorts() {
  if (graph.nodes.empty())
    return fail(OG_ATTRIBUTE_NOT_SET,
                "graph '" + graph.name + "' has no operations");
  isRead.resize(graph.tensors.size());
  for (auto [index, record] : llvm::enumerate(graph.tensors)) {
    isRead[index] |= record.isUsed;
    if (record.raggedOffset != OG_NO_TENSOR &&
        (record.isUsed || record.node >= 0))
      isRead[record.raggedOffset] = true;
  }
  for (auto [index, record] : llvm::enumerate(graph.tensors)) {
    if (record.node >= 0) {
      if (!record.isVirtual)
        outputs.push_back(index);
    } else if (isRead[index] && !record.region) {
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
  for (size_t index = 0; index < graph.tensors.size(); ++index)
    if (graph.tensors[index].node >= 0 || isRead[index])
      OG_TRY(checkTensor(index));
  return OG_OK;
}

og_status Materializer::checkTensor(og_tensor tensor) {
  const TensorRecord &record = graph.tensors[tensor];
  std::string what = graph.describe(tensor);
  bool isInput = record.node < 0 && !record.region;
  if (record.isVirtual && record.byValue)
    return fail(OG_ATTRIBUTE_NOT_SET, what + " is virtual and by-value; "
                                             "expected at most one of them");
  if (isInput && record.isVirtual)
    return fail(OG_ATTRIBUTE_NOT_SET,
                what + " is virtual, but no operation makes it");
  if (!isInput && record.byValue)
    return fail(OG_INVALID_VALUE,
                what + " is a result; only inputs can be by-value");
  OG_TRY(checkRaggedOffset(tensor));
  OG_TRY(checkSpec(record.declared, what));
  if (!isInput)
    return OG_OK;
  if (!record.declared.dims)
    return fail(OG_ATTRIBUTE_NOT_SET, what + " has no extents");
  if (!record.declared.dtype && !defaultElementType(record))
    return fail(OG_ATTRIBUTE_NOT_SET,
                what + " has no dtype, and the graph has no io dtype");
  return OG_OK;
}

/// Offsets are known before the graph computes anything.
og_status Materializer::checkRaggedOffset(og_tensor tensor) {
  const TensorRecord &record = graph.tensors[tensor];
  if (record.raggedOffset == OG_NO_TENSOR)
    return OG_OK;
  std::string what = graph.describe(tensor);
  if (record.region)
    return fail(OG_UNSUPPORTED, what + " is inside region " +
                                    Twine(record.region) +
                                    "; only tensors outside can be ragged");
  const TensorRecord &offset = graph.tensors[record.raggedOffset];
  if (offset.node < 0 && !offset.region)
    return OG_OK;
  return fail(OG_UNSUPPORTED,
              what +
                  ": expected its ragged offset to be an input of the "
                  "graph, got the result " +
                  graph.describe(record.raggedOffset));
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
  OG_TRY(checkRegions());
  OG_TRY(collectPorts());
  OG_TRY(checkTensors());
  OG_TRY(makeGraphOp());
  // Nodes inside a region are made with its owner.
  for (const NodeRecord &node : graph.nodes)
    if (!node.region)
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
  if (openRegion)
    return fail(OG_FAILED_PRECONDITION, "graph '" + name +
                                            "' cannot be validated: region " +
                                            Twine(openRegion) + " is open");
  StageTimer timer(*this, "validate");
  graphOp = {};
  module = {};
  for (TensorRecord &record : tensors)
    record.resolved = {};
  return Materializer(*this).run();
}
