//===- ReshapeOp.cpp - Inference and folding of graph.reshape -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Extents.h"
#include "dialects/Graph/GraphDialect.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/APInt.h"

using namespace mlir;
using namespace opgraph::graph;

/// Product of the static extents of `extents` in `width` bits, and its symbols
/// in alphabetical order.
static llvm::APInt splitCount(ArrayRef<Extent> extents, unsigned width,
                              SmallVectorImpl<StringRef> &symbols) {
  llvm::APInt product(width, 1);
  for (const Extent &extent : extents) {
    if (extent.isStatic())
      product *= llvm::APInt(width, extent.size);
    else
      symbols.push_back(extent.symbol ? extent.symbol.getValue() : "");
  }
  llvm::sort(symbols);
  return product;
}

/// Whether both shapes have the same number of elements whatever the symbols
/// are: equal products of numbers and the same symbols, each as often.
static bool haveSameCount(ArrayRef<Extent> a, ArrayRef<Extent> b) {
  // Wide enough for any product: symbols and strides of 0 leave the number of
  // elements unbounded by the span.
  unsigned width = 64 * (std::max(a.size(), b.size()) + 1);
  SmallVector<StringRef> symbolsA, symbolsB;
  llvm::APInt countA = splitCount(a, width, symbolsA);
  llvm::APInt countB = splitCount(b, width, symbolsB);
  if (countA.isZero() && countB.isZero())
    return true;
  return countA == countB && symbolsA == symbolsB;
}

/// Whether some axis that has more than one index has a stride which is known
/// at a call only.
static bool hasUnknownMemoryOrder(RankedTensorType type) {
  LayoutAttr layout = getLayout(type);
  if (!layout || layout.getStrides().empty())
    return false;
  return llvm::any_of(llvm::zip(layout.getStrides(), type.getShape()),
                      [](auto pair) {
                        auto [stride, size] = pair;
                        return ShapedType::isDynamic(stride) && size != 1;
                      });
}

LogicalResult ReshapeOp::inferResults(Inference &inference) {
  if (failed(inference.requireDims(0)))
    return failure();
  RankedTensorType input = typeOf(getInput());
  Extents x = getExtents(input), y = getExtents(inference.result(0));
  // reshape_c1
  if (!haveSameCount(x, y))
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected 'Y' (" << printExtents(y)
           << ") to have as many elements as 'X' (" << printExtents(x) << ")";
  inference.setPacked(0, channelsLastOrder(y.size()));
  // reshape_c2
  if (failed(requireElementType(inference, 0, input.getElementType(), "'X'")))
    return failure();
  if (getReshapeMode() == ReshapeMode::LOGICAL)
    return success();
  // reshape_c3
  const ResultSpec &result = inference.result(0);
  RankedTensorType output = makeType(getContext(), result);
  if (hasUnknownMemoryOrder(input) || hasUnknownMemoryOrder(output))
    return inference.error(ErrorKind::NotSupported)
           << "expected the strides of '"
           << (hasUnknownMemoryOrder(input) ? "X" : "Y")
           << "' to be known for reshape mode view_only; mode logical needs "
              "none";
  // reshape_c4
  if (isSelfOverlapping(input.getShape(), getStrides(input)))
    return inference.error(ErrorKind::NotSupported)
           << "expected no two elements of 'X' to share an address in reshape "
              "mode view_only; mode logical allows it";
  // reshape_c5
  for (auto [name, reordering] :
       {std::pair("X", getReordering(input)), {"Y", result.reordering}})
    if (reordering != Reordering::NONE)
      return inference.error(ErrorKind::NotSupported)
             << "expected '" << name
             << "' to have no reordering in reshape mode view_only, got "
             << stringifyReordering(reordering) << "; mode logical allows it";
  return success();
}

/// Whether walking `type` in memory order is walking it in row-major order:
/// axes of extent 1 may stand anywhere.
static bool isRowMajorOrder(RankedTensorType type) {
  if (hasUnknownMemoryOrder(type))
    return false;
  int64_t last = -1;
  for (int64_t axis : getMemoryOrder(type)) {
    if (type.getDimSize(axis) == 1)
      continue;
    if (axis < last)
      return false;
    last = axis;
  }
  return true;
}

/// Whether the op keeps the row-major order of elements.
static bool isLogical(ReshapeOp op) {
  return op.getReshapeMode() == ReshapeMode::LOGICAL ||
         (isRowMajorOrder(cast<RankedTensorType>(op.getInput().getType())) &&
          isRowMajorOrder(cast<RankedTensorType>(op.getY().getType())));
}

OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  // A reshape to the same type moves nothing, in either mode.
  if (getInput().getType() == getY().getType() && !isReturned(getY()))
    return getInput();
  return {};
}

LogicalResult ReshapeOp::canonicalize(ReshapeOp op, PatternRewriter &rewriter) {
  if (op.getReshapeMode() == ReshapeMode::VIEW_ONLY && isLogical(op)) {
    rewriter.modifyOpInPlace(op,
                             [&] { op.setReshapeMode(ReshapeMode::LOGICAL); });
    return success();
  }
  // Two reshapes that keep row-major order are one; so are two that keep memory
  // order, since both walk the value between them the same way.
  auto producer = op.getInput().getDefiningOp<ReshapeOp>();
  if (!producer || producer.getReshapeMode() != op.getReshapeMode())
    return rewriter.notifyMatchFailure(op, "input is no reshape of this mode");
  rewriter.replaceOpWithNewOp<ReshapeOp>(
      op, op.getY().getType(), producer.getInput(), op.getReshapeMode());
  return success();
}
