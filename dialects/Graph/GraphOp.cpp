//===- GraphOp.cpp - graph.graph and graph.return -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Attention.h"
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/Storage.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

using namespace mlir;
using namespace opgraph::graph;

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

ParseResult GraphOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<Type> arguments,
                      ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag, std::string &) {
    return builder.getFunctionType(arguments, results);
  };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false,
      getFunctionTypeAttrName(result.name), buildType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void GraphOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(
      printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
      getArgAttrsAttrName(), getResAttrsAttrName());
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

Type GraphOp::getDefaultComputeType() {
  if (std::optional<Type> type = getComputeType())
    return *type;
  return Float32Type::get(getContext());
}

int64_t GraphOp::getArgumentUid(unsigned index) {
  return getArgAttrOfType<IntegerAttr>(index, "graph.uid").getInt();
}

int64_t GraphOp::getResultUid(unsigned index) {
  return getResultAttrOfType<IntegerAttr>(index, "graph.uid").getInt();
}

StringRef GraphOp::getArgumentName(unsigned index) {
  auto name = getArgAttrOfType<StringAttr>(index, "graph.name");
  return name ? name.getValue() : StringRef();
}

StringRef GraphOp::getResultName(unsigned index) {
  auto name = getResultAttrOfType<StringAttr>(index, "graph.name");
  return name ? name.getValue() : StringRef();
}

bool GraphOp::isByValue(unsigned argumentIndex) {
  return bool(getArgAttr(argumentIndex, "graph.by_value"));
}

TypedAttr GraphOp::getArgumentDefault(unsigned argumentIndex) {
  return getArgAttrOfType<TypedAttr>(argumentIndex, "graph.default");
}

/// What a port promises when it says nothing; what frameworks' allocators give.
static constexpr int64_t defaultAlignmentBytes = 16;

int64_t GraphOp::getArgumentAlignment(unsigned argumentIndex) {
  auto bytes = getArgAttrOfType<IntegerAttr>(argumentIndex, "graph.alignment");
  return bytes ? bytes.getInt() : defaultAlignmentBytes;
}

int64_t GraphOp::getResultAlignment(unsigned resultIndex) {
  auto bytes = getResultAttrOfType<IntegerAttr>(resultIndex, "graph.alignment");
  return bytes ? bytes.getInt() : defaultAlignmentBytes;
}

ReturnOp GraphOp::getReturn() {
  return cast<ReturnOp>(getBody().front().getTerminator());
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// graph_c1
static LogicalResult verifyUids(GraphOp op) {
  // Not a DenseMap: any uid is legal, its reserved keys too.
  std::map<int64_t, std::string> seen;
  auto check = [&](Attribute attr, const Twine &port) -> LogicalResult {
    auto uid = dyn_cast_or_null<IntegerAttr>(attr);
    if (!uid)
      return op.emitOpError()
             << "expected " << port << " to have a 'graph.uid', got none";
    auto [first, isNew] = seen.try_emplace(uid.getInt(), port.str());
    if (!isNew)
      return op.emitOpError()
             << "expected uids to be unique, got " << uid.getInt() << " for "
             << first->second << " and " << port;
    return success();
  };
  for (unsigned index = 0; index < op.getNumArguments(); ++index)
    if (failed(check(op.getArgAttr(index, "graph.uid"),
                     "argument #" + Twine(index))))
      return failure();
  for (unsigned index = 0; index < op.getNumResults(); ++index)
    if (failed(check(op.getResultAttr(index, "graph.uid"),
                     "result #" + Twine(index))))
      return failure();
  return success();
}

/// graph_c4
static LogicalResult verifyResultLayout(GraphOp op, unsigned index) {
  auto type = cast<RankedTensorType>(op.getResultTypes()[index]);
  Value value = op.getReturn().getOperand(index);
  Dims shape(type.getShape()), strides = getStrides(type);
  // Where the batches of a ragged result start, its offsets say.
  if (isRaggedIn(value.getDefiningOp(), value))
    shape[0] = 1;
  for (auto [axis, extent, stride] : llvm::enumerate(shape, strides)) {
    // With an unknown extent a stride of 0 is refused when operands are bound,
    // unless it is certain now.
    if (stride == 0 && extent != 1 && extent != 0 &&
        !llvm::is_contained(shape, 0))
      return op.emitOpError()
             << "expected the stride of axis " << axis << " of result #"
             << index << " (extent " << printDims({extent})
             << ") to be at least 1, got 0";
  }
  if (isSelfOverlapping(shape, strides))
    return op.emitOpError() << "expected the elements of result #" << index
                            << " to have addresses of their own, got extents "
                            << printDims(type.getShape()) << " with strides "
                            << '[' << ArrayRef<int64_t>(strides) << ']';
  return success();
}

/// graph_c5 and graph_c6
static LogicalResult verifyByValue(GraphOp op, unsigned index) {
  auto type = cast<RankedTensorType>(op.getArgumentTypes()[index]);
  TypedAttr value = op.getArgumentDefault(index);
  if (op.isByValue(index) &&
      llvm::any_of(type.getShape(), [](int64_t extent) { return extent != 1; }))
    return op.emitOpError() << "expected by-value argument #" << index
                            << " to have one element, got extents "
                            << printDims(type.getShape(), getSymbols(type));
  if (op.isByValue(index) && isPackedInHalves(type.getElementType()))
    return op.emitOpError() << "expected by-value argument #" << index
                            << " to take at least a byte, got an element of "
                            << type.getElementType();
  if (value && !op.isByValue(index))
    return op.emitOpError() << "expected argument #" << index
                            << " with a 'graph.default' to be by value, got a "
                               "tensor in memory";
  if (value && !isElementValue(value))
    return op.emitOpError() << "expected 'graph.default' of argument #" << index
                            << " to be a value of f8E8M0FNU, which are "
                               "positive, got "
                            << value;
  if (value && value.getType() != type.getElementType())
    return op.emitOpError()
           << "expected 'graph.default' of argument #" << index << " to be of "
           << type.getElementType() << ", got " << value.getType();
  return success();
}

/// graph_c7
static LogicalResult verifyPorts(GraphOp op, TypeRange types, StringRef what) {
  for (auto [index, type] : llvm::enumerate(types)) {
    auto emitError = [&, index = index] {
      return op.emitOpError() << what << " #" << index << ": ";
    };
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !isElementType(tensor.getElementType()))
      return emitError() << "expected a ranked tensor of a graph element type, "
                            "got "
                         << type;
    if (failed(verifyTensorType(tensor, emitError)))
      return failure();
  }
  return success();
}

/// graph_c8
static LogicalResult verifyDefaultTypes(GraphOp op) {
  if (std::optional<Type> type = op.getComputeType())
    if (!isComputeType(*type))
      return op.emitOpError()
             << "expected 'compute_type' to be one of f16, bf16, f32, f64, "
                "i32, i64, i1, got "
             << *type;
  auto check = [&](std::optional<Type> type, StringRef name) -> LogicalResult {
    if (!type || isElementType(*type))
      return success();
    return op.emitOpError() << "expected '" << name
                            << "' to be a graph element type, got " << *type;
  };
  if (failed(check(op.getIntermediateType(), "intermediate_type")) ||
      failed(check(op.getIoType(), "io_type")))
    return failure();
  return success();
}

LogicalResult GraphOp::verify() {
  if (getBody().empty())
    return emitOpError("expected a body, got none");
  if (failed(verifyDefaultTypes(*this)) || failed(verifyUids(*this)) ||
      failed(verifyPorts(*this, getArgumentTypes(), "argument")) ||
      failed(verifyPorts(*this, getResultTypes(), "result")))
    return failure();
  for (unsigned index = 0; index < getNumArguments(); ++index)
    if (failed(verifyByValue(*this, index)))
      return failure();
  // graph_c2
  if (getNumResults() == 0)
    return emitOpError("expected at least one result, got none");
  return success();
}

/// graph_c3
static LogicalResult verifyReturn(GraphOp op, ReturnOp returnOp) {
  ArrayRef<Type> expected = op.getResultTypes();
  if (returnOp.getNumOperands() != expected.size())
    return returnOp.emitOpError()
           << "expected " << expected.size() << " operands, one per result of "
           << "the graph, got " << returnOp.getNumOperands();
  llvm::DenseMap<Value, unsigned> seen;
  for (auto [index, value] : llvm::enumerate(returnOp.getOperands())) {
    if (value.getType() != expected[index])
      return returnOp.emitOpError()
             << "expected operand #" << index << " to be of " << expected[index]
             << ", got " << value.getType();
    if (isa<BlockArgument>(value))
      return returnOp.emitOpError()
             << "expected operand #" << index
             << " to be computed by an operation, got an argument of the graph";
    auto [first, isNew] = seen.try_emplace(value, index);
    if (!isNew)
      return returnOp.emitOpError()
             << "expected every value to be returned once, got the same value "
                "as operands #"
             << first->second << " and #" << index;
  }
  return success();
}

LogicalResult GraphOp::verifyRegions() {
  Block &body = getBody().front();
  auto returnOp = dyn_cast<ReturnOp>(body.back());
  if (!returnOp)
    return emitOpError("expected the body to end in 'graph.return', got '")
           << body.back().getName() << "'";
  // graph_c2
  if (&body.front() == &body.back())
    return emitOpError("expected at least one operation, got none");
  for (Operation &op : body.without_terminator())
    if (!isa<GraphOpInterface>(op))
      return op.emitOpError("expected an operation of the graph dialect inside "
                            "'graph.graph'");
  if (failed(verifyReturn(*this, returnOp)))
    return failure();
  for (unsigned index = 0; index < getNumResults(); ++index)
    if (failed(verifyResultLayout(*this, index)))
      return failure();
  return success();
}
