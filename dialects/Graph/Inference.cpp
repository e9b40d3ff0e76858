//===- Inference.cpp - Filling and checking an op's results ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Inference.h"
#include "dialects/Graph/GraphDialect.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace opgraph::graph;

//===----------------------------------------------------------------------===//
// Inference
//===----------------------------------------------------------------------===//

InFlightDiagnostic Inference::error(ErrorKind kind) {
  if (!errorKind)
    errorKind = kind;
  return op->emitOpError();
}

std::string Inference::getResultName(unsigned index) {
  if (auto graphOp = dyn_cast<GraphOpInterface>(op))
    if (index < graphOp.getResultPorts().size())
      return ("'" + graphOp.getResultPorts()[index] + "'").str();
  return "#" + std::to_string(index);
}

LogicalResult Inference::setDims(unsigned index, ArrayRef<int64_t> dims,
                                 ArrayRef<StringAttr> symbols) {
  ResultSpec &spec = results[index];
  Symbols inferred(symbols);
  inferred.resize(dims.size());
  if (!spec.dims) {
    spec.dims = Dims(dims);
    spec.symbols = inferred;
    return success();
  }
  Symbols declared = spec.symbols;
  declared.resize(spec.dims->size());
  // A user who declares `?` without a name takes the inferred one.
  for (size_t axis = 0; axis < std::min(declared.size(), dims.size()); ++axis)
    if (!declared[axis] && ShapedType::isDynamic((*spec.dims)[axis]))
      declared[axis] = inferred[axis];
  if (ArrayRef<int64_t>(*spec.dims) != dims || declared != inferred)
    return error(ErrorKind::ShapeDeduction)
           << "expected extents of result " << getResultName(index) << " to be "
           << printDims(dims, inferred) << ", got "
           << printDims(*spec.dims, declared);
  spec.symbols = inferred;
  return success();
}

LogicalResult Inference::requireDims(unsigned index) {
  if (results[index].dims)
    return success();
  return error(ErrorKind::AttributeNotSet)
         << "expected extents of result " << getResultName(index)
         << " to be declared, got none";
}

void Inference::setStrides(unsigned index, ArrayRef<int64_t> strides) {
  ResultSpec &spec = results[index];
  if (!spec.strides && !spec.order)
    spec.strides = Dims(strides);
}

void Inference::setPacked(unsigned index, ArrayRef<int64_t> order) {
  ResultSpec &spec = results[index];
  if (spec.strides || spec.order)
    return;
  // Static strides are what a user reads back; only dynamic ones need an order.
  if (spec.dims && !ShapedType::isDynamicShape(*spec.dims))
    spec.strides = packedStrides(*spec.dims, order);
  else
    spec.order = Dims(order);
}

void Inference::setLike(unsigned index, RankedTensorType like) {
  setPacked(index, getMemoryOrder(like));
}

void Inference::setLayoutOf(unsigned index, RankedTensorType like) {
  LayoutAttr layout = getLayout(like);
  if (!layout || layout.getStrides().empty())
    return setLike(index, like);
  ArrayRef<int64_t> strides = layout.getStrides();
  bool isUnknown = llvm::is_contained(strides, ShapedType::kDynamic);
  // A virtual value has no operand that would bind a `?`, and no value can be
  // written where two elements share an address.
  if ((isUnknown && results[index].isVirtual) ||
      llvm::is_contained(strides, 0) ||
      isSelfOverlapping(like.getShape(), strides))
    return setLike(index, like);
  setStrides(index, strides);
}

void Inference::setElementType(unsigned index, Type type) {
  ResultSpec &spec = results[index];
  if (!spec.elementType)
    spec.elementType = type;
}

RankedTensorType opgraph::graph::makeType(MLIRContext *context,
                                          const ResultSpec &spec) {
  Symbols symbols = spec.symbols;
  symbols.resize(spec.dims->size());
  if (spec.strides)
    return makeStrided(*spec.dims, spec.elementType, *spec.strides, symbols);
  Dims order = spec.order ? *spec.order : rowMajorOrder(spec.dims->size());
  return makePacked(context, *spec.dims, spec.elementType, order, symbols);
}

ResultSpec opgraph::graph::makeSpec(RankedTensorType type) {
  ResultSpec spec;
  spec.dims = Dims(type.getShape());
  spec.symbols = getSymbols(type);
  spec.elementType = type.getElementType();
  spec.reordering = getReordering(type);
  LayoutAttr layout = getLayout(type);
  bool isExplicit = layout && !layout.getStrides().empty();
  if (isExplicit || type.hasStaticShape())
    spec.strides = getStrides(type);
  else
    spec.order = getMemoryOrder(type);
  return spec;
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

bool opgraph::graph::hasOperand(Operation *op, StringRef name) {
  ArrayRef<StringLiteral> names = cast<GraphOpInterface>(op).getOperandNames();
  size_t index = llvm::find(names, name) - names.begin();
  if (index == names.size())
    return false;
  Attribute segments =
      op->getInherentAttr("operandSegmentSizes").value_or(Attribute());
  if (auto sizes = dyn_cast_or_null<DenseI32ArrayAttr>(segments))
    return index < static_cast<size_t>(sizes.size()) && sizes[index] != 0;
  // Without segments, `name` is the only one that may be absent.
  return op->getNumOperands() >= names.size();
}

/// Whether each ODS result of `op` exists, in ODS order.
static SmallVector<bool> getPresentResults(GraphOpInterface op) {
  size_t count = op.getResultPorts().size();
  Attribute segments =
      op->getInherentAttr("resultSegmentSizes").value_or(Attribute());
  if (auto sizes = dyn_cast_or_null<DenseI32ArrayAttr>(segments))
    return llvm::to_vector(llvm::map_range(
        sizes.asArrayRef(), [](int32_t size) { return size != 0; }));
  // Without segments, only the last result can be optional.
  SmallVector<bool> present(count, true);
  for (size_t index = op->getNumResults(); index < count; ++index)
    present[index] = false;
  return present;
}

/// Checks that the results which exist are those that the op calls for.
static LogicalResult verifyPresence(GraphOpInterface op,
                                    ArrayRef<bool> present) {
  DictionaryAttr attributes = op->getAttrDictionary();
  for (auto [index, isThere] : llvm::enumerate(present)) {
    bool isExpected =
        op.isResultPresent(index, attributes, [&](StringRef name) {
          return hasOperand(op, name);
        });
    if (isThere == isExpected)
      continue;
    StringRef name = op.getResultPorts()[index];
    return op->emitOpError() << "expected result '" << name << "' to be "
                             << (isExpected ? "present" : "absent")
                             << ", got it " << (isThere ? "present" : "absent");
  }
  return success();
}

LogicalResult opgraph::graph::detail::verifyGraphOp(Operation *op) {
  auto graphOp = cast<GraphOpInterface>(op);
  for (Type type : op->getResultTypes())
    if (failed(verifyTensorType(cast<RankedTensorType>(type),
                                [&] { return op->emitOpError(); })))
      return failure();
  SmallVector<bool> present = getPresentResults(graphOp);
  if (failed(verifyPresence(graphOp, present)))
    return failure();
  SmallVector<ResultSpec, 1> specs(present.size());
  unsigned next = 0;
  for (auto [spec, isPresent] : llvm::zip_equal(specs, present)) {
    if (isPresent)
      spec = makeSpec(cast<RankedTensorType>(op->getResult(next++).getType()));
    spec.present = isPresent;
  }
  Inference inference(op, specs);
  return graphOp.inferResults(inference);
}

Type opgraph::graph::detail::getGraphComputeType(Operation *op) {
  if (auto graph = op->getParentOfType<GraphOp>())
    return graph.getDefaultComputeType();
  return Float32Type::get(op->getContext());
}

//===----------------------------------------------------------------------===//
// Broadcast
//===----------------------------------------------------------------------===//

LogicalResult opgraph::graph::inferBroadcast(Inference &inference,
                                             ValueRange operands, Dims &dims,
                                             Symbols &symbols) {
  int64_t rank = 0;
  for (Value operand : operands)
    rank = std::max(rank, cast<RankedTensorType>(operand.getType()).getRank());
  dims.assign(rank, 1);
  symbols.assign(rank, StringAttr());
  for (auto [number, operand] : llvm::enumerate(operands)) {
    auto type = cast<RankedTensorType>(operand.getType());
    Symbols names = getSymbols(type);
    int64_t offset = rank - type.getRank();
    for (int64_t axis = 0; axis < type.getRank(); ++axis) {
      int64_t extent = type.getDimSize(axis);
      int64_t &known = dims[offset + axis];
      StringAttr &knownName = symbols[offset + axis];
      if (extent == 1)
        continue;
      // A symbol may be 1 at run time, yet never broadcasts: it equals itself
      // only.
      if (known != 1 && (known != extent || knownName != names[axis]))
        return inference.error(ErrorKind::ShapeDeduction)
               << "expected axis " << axis << " of operand #" << number
               << " to be 1 or " << printDims({known}, {knownName}) << ", got "
               << printDims({extent}, {names[axis]});
      known = extent;
      knownName = names[axis];
    }
  }
  return success();
}

std::string opgraph::graph::printDims(ArrayRef<int64_t> dims,
                                      ArrayRef<StringAttr> symbols) {
  if (dims.empty())
    return "a scalar";
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    if (axis != 0)
      stream << 'x';
    if (!ShapedType::isDynamic(dims[axis]))
      stream << dims[axis];
    else if (axis < symbols.size() && symbols[axis])
      stream << "?(" << symbols[axis].getValue() << ')';
    else
      stream << '?';
  }
  return text;
}
