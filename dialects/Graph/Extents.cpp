//===- Extents.cpp - Comparing extents that may be symbols ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Extents.h"
#include "dialects/Graph/GraphDialect.h"

using namespace mlir;
using namespace opgraph::graph;

Extents opgraph::graph::getExtents(RankedTensorType type) {
  Symbols symbols = getSymbols(type);
  Extents extents;
  for (auto [axis, size] : llvm::enumerate(type.getShape()))
    extents.push_back(
        {size, axis < symbols.size() ? symbols[axis] : StringAttr()});
  return extents;
}

Extents opgraph::graph::getExtents(const ResultSpec &spec) {
  Extents extents;
  for (auto [axis, size] : llvm::enumerate(*spec.dims))
    extents.push_back(
        {size, axis < spec.symbols.size() ? spec.symbols[axis] : StringAttr()});
  return extents;
}

/// Splits extents into what the rest of the dialect takes.
static void split(ArrayRef<Extent> extents, Dims &dims, Symbols &symbols) {
  for (const Extent &extent : extents) {
    dims.push_back(extent.size);
    symbols.push_back(extent.symbol);
  }
}

std::string opgraph::graph::printExtent(const Extent &extent) {
  return printDims(extent.size, extent.symbol);
}

std::string opgraph::graph::printExtents(ArrayRef<Extent> extents) {
  Dims dims;
  Symbols symbols;
  split(extents, dims, symbols);
  return printDims(dims, symbols);
}

LogicalResult opgraph::graph::setExtents(Inference &inference, unsigned index,
                                         ArrayRef<Extent> extents) {
  Dims dims;
  Symbols symbols;
  split(extents, dims, symbols);
  return inference.setDims(index, dims, symbols);
}

bool opgraph::graph::broadcastsTo(ArrayRef<Extent> from, ArrayRef<Extent> to) {
  if (from.size() > to.size())
    return false;
  return llvm::all_of(llvm::zip(from, to.take_back(from.size())),
                      [](auto pair) {
                        auto [source, target] = pair;
                        return source.isOne() || source == target;
                      });
}

bool opgraph::graph::isSingleElement(RankedTensorType type) {
  return llvm::all_of(type.getShape(), [](int64_t size) { return size == 1; });
}

LogicalResult opgraph::graph::requireSingle(Inference &inference,
                                            ArrayRef<NamedValue> values) {
  for (auto [name, value] : values)
    if (value && !isSingleElement(typeOf(value)))
      return inference.error(ErrorKind::ShapeDeduction)
             << "expected '" << name << "' to have one element, got "
             << printExtents(getExtents(value));
  return success();
}

LogicalResult opgraph::graph::requireIndexType(Inference &inference,
                                               ArrayRef<NamedValue> values) {
  for (auto [name, value] : values) {
    if (!value)
      continue;
    Type type = typeOf(value).getElementType();
    if (!type.isInteger(32) && !type.isInteger(64))
      return inference.error(ErrorKind::NotSupported)
             << "expected '" << name << "' to be i32 or i64, got " << type;
  }
  return success();
}

LogicalResult opgraph::graph::requireElementType(Inference &inference,
                                                 unsigned index, Type type,
                                                 StringRef what) {
  inference.setElementType(index, type);
  Type declared = inference.result(index).elementType;
  if (declared == type)
    return success();
  return inference.error(ErrorKind::InvalidValue)
         << "expected the result's element type to be that of " << what << " ("
         << type << "), got " << declared;
}

LogicalResult opgraph::graph::requireNumericCompute(Inference &inference,
                                                    Type computeType) {
  if (isComputeType(computeType) && !computeType.isInteger(1))
    return success();
  return inference.error(ErrorKind::NotSupported)
         << "expected compute type to be a number that is computed in, got "
         << computeType;
}

LogicalResult opgraph::graph::requireFloatCompute(Inference &inference,
                                                  Type computeType) {
  if (isComputeType(computeType) && isa<FloatType>(computeType))
    return success();
  return inference.error(ErrorKind::NotSupported)
         << "expected a floating-point compute type, got " << computeType;
}

bool opgraph::graph::isReturned(Value value) {
  return llvm::any_of(value.getUsers(),
                      [](Operation *user) { return isa<ReturnOp>(user); });
}
