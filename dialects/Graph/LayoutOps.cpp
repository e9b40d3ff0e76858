//===- LayoutOps.cpp - Inference and folding of transpose and slice -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Extents.h"
#include "dialects/Graph/GraphDialect.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace opgraph::graph;

/// Whether the strides of `type` are given as numbers, rather than derived from
/// a packed memory order.
static bool hasStaticStrides(RankedTensorType type) {
  return llvm::none_of(getStrides(type), ShapedType::isDynamic);
}

static std::string printList(ArrayRef<int64_t> values) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << '[';
  llvm::interleaveComma(values, stream);
  stream << ']';
  return text;
}

//===----------------------------------------------------------------------===//
// TransposeOp
//===----------------------------------------------------------------------===//

static bool isPermutation(ArrayRef<int64_t> values, int64_t rank) {
  SmallVector<bool> seen(rank, false);
  for (int64_t value : values) {
    if (value < 0 || value >= rank || seen[value])
      return false;
    seen[value] = true;
  }
  return static_cast<int64_t>(values.size()) == rank;
}

/// Axes of the result in the memory order of `input`, slowest first.
static Dims permuteOrder(RankedTensorType input,
                         ArrayRef<int64_t> permutation) {
  Dims inverse(permutation.size());
  for (auto [to, from] : llvm::enumerate(permutation))
    inverse[from] = to;
  Dims order;
  for (int64_t axis : getMemoryOrder(input))
    order.push_back(inverse[axis]);
  return order;
}

LogicalResult TransposeOp::inferResults(Inference &inference) {
  RankedTensorType input = typeOf(getInput());
  int64_t rank = input.getRank();
  ArrayRef<int64_t> permutation = getPermutation();
  // transpose_c1
  if (!isPermutation(permutation, rank))
    return inference.error(ErrorKind::InvalidValue)
           << "expected 'permutation' to be a permutation of the " << rank
           << " axes of 'X', got " << printList(permutation);
  Extents x = getExtents(input), y;
  for (int64_t axis : permutation)
    y.push_back(x[axis]);
  if (failed(setExtents(inference, 0, y)))
    return failure();

  Dims strides = getStrides(input);
  if (!hasStaticStrides(input) ||
      isSelfOverlapping(input.getShape(), strides)) {
    inference.setPacked(0, permuteOrder(input, permutation));
  } else {
    Dims permuted;
    for (int64_t axis : permutation)
      permuted.push_back(strides[axis]);
    inference.setStrides(0, permuted);
  }
  // transpose_c2
  return requireElementType(inference, 0, input.getElementType(), "'X'");
}

OpFoldResult TransposeOp::fold(FoldAdaptor) {
  // Axes of extent 1 make a permutation the identity only if none other moves;
  // equal types and an identity permutation are the safe case.
  if (getInput().getType() == getY().getType() && !isReturned(getY()) &&
      llvm::equal(getPermutation(), rowMajorOrder(getPermutation().size())))
    return getInput();
  return {};
}

LogicalResult TransposeOp::canonicalize(TransposeOp op,
                                        PatternRewriter &rewriter) {
  auto producer = op.getInput().getDefiningOp<TransposeOp>();
  if (!producer)
    return rewriter.notifyMatchFailure(op, "input is no transpose");
  SmallVector<int64_t> combined;
  for (int64_t axis : op.getPermutation())
    combined.push_back(producer.getPermutation()[axis]);
  rewriter.replaceOpWithNewOp<TransposeOp>(op, op.getY().getType(),
                                           producer.getInput(), combined);
  return success();
}

//===----------------------------------------------------------------------===//
// SliceOp
//===----------------------------------------------------------------------===//

/// Extent of one axis of a slice, or failure with the violated constraint.
static FailureOr<Extent> sliceExtent(Inference &inference, const Extent &extent,
                                     int64_t axis, int64_t start, int64_t stop,
                                     int64_t step) {
  // slice_c2
  if (step < 1)
    return inference.error(ErrorKind::InvalidValue)
           << "expected 'step' of axis " << axis << " to be at least 1, got "
           << step;
  if (!extent.isStatic()) {
    // slice_c4
    if (start != 0 || stop != -1 || step != 1)
      return inference.error(ErrorKind::NotSupported)
             << "expected the whole of dynamic axis " << axis << " ("
             << printExtent(extent) << "), that is 0 to -1 step 1, got "
             << start << " to " << stop << " step " << step;
    return extent;
  }
  // slice_c3
  if (start < 0 || stop < start || stop > extent.size)
    return inference.error(ErrorKind::InvalidValue)
           << "expected 0 <= start <= stop <= " << extent.size << " on axis "
           << axis << ", got start " << start << " and stop " << stop;
  int64_t length = stop - start;
  return Extent{length / step + (length % step != 0), StringAttr()};
}

LogicalResult SliceOp::inferResults(Inference &inference) {
  RankedTensorType input = typeOf(getInput());
  Extents x = getExtents(input), y;
  size_t rank = x.size();
  // slice_c1
  if (getStart().size() != rank || getStop().size() != rank ||
      getStep().size() != rank)
    return inference.error(ErrorKind::InvalidValue)
           << "expected 'start', 'stop' and 'step' for each of the " << rank
           << " axes of 'X', got " << getStart().size() << ", "
           << getStop().size() << " and " << getStep().size();
  for (size_t axis = 0; axis < rank; ++axis) {
    FailureOr<Extent> extent =
        sliceExtent(inference, x[axis], axis, getStart()[axis], getStop()[axis],
                    getStep()[axis]);
    if (failed(extent))
      return failure();
    y.push_back(*extent);
  }
  if (failed(setExtents(inference, 0, y)))
    return failure();

  Dims strides = getStrides(input);
  bool overflow = false;
  for (auto [stride, step] : llvm::zip(strides, getStep()))
    if (!ShapedType::isDynamic(stride))
      overflow |= llvm::MulOverflow(stride, step, stride);
  // A view may leave 4-bit elements without a neighbour to share a byte with.
  Dims shape = llvm::to_vector<6>(
      llvm::map_range(y, [](const Extent &extent) { return extent.size; }));
  bool isStorable =
      findStorageError(shape, input.getElementType(), strides,
                       /*hasExplicitStrides=*/true, Reordering::NONE)
          .empty();
  if (overflow || !isStorable || !hasStaticStrides(input) ||
      isSelfOverlapping(input.getShape(), getStrides(input)))
    inference.setLike(0, input);
  else
    inference.setStrides(0, strides);
  // slice_c5
  return requireElementType(inference, 0, input.getElementType(), "'X'");
}

/// Whether the op takes every element of its input.
static bool isWholeSlice(SliceOp op) {
  auto input = cast<RankedTensorType>(op.getInput().getType());
  for (int64_t axis = 0; axis < input.getRank(); ++axis)
    if (op.getStart()[axis] != 0 || op.getStep()[axis] != 1 ||
        (!input.isDynamicDim(axis) &&
         op.getStop()[axis] != input.getDimSize(axis)))
      return false;
  return true;
}

OpFoldResult SliceOp::fold(FoldAdaptor) {
  if (isWholeSlice(*this) && getInput().getType() == getY().getType() &&
      !isReturned(getY()))
    return getInput();
  return {};
}

LogicalResult SliceOp::canonicalize(SliceOp op, PatternRewriter &rewriter) {
  auto producer = op.getInput().getDefiningOp<SliceOp>();
  if (!producer)
    return rewriter.notifyMatchFailure(op, "input is no slice");
  // Index i of the result is start2 + i * step2 of the value between, which is
  // start1 + (start2 + i * step2) * step1 of the input.
  SmallVector<int64_t> start, stop, step;
  auto output = cast<RankedTensorType>(op.getY().getType());
  for (int64_t axis = 0; axis < output.getRank(); ++axis) {
    if (output.isDynamicDim(axis)) {
      start.push_back(0);
      stop.push_back(-1);
      step.push_back(1);
      continue;
    }
    int64_t size = output.getDimSize(axis);
    if (size == 0) {
      start.push_back(0);
      stop.push_back(0);
      step.push_back(1);
      continue;
    }
    int64_t stride;
    if (llvm::MulOverflow(op.getStep()[axis], producer.getStep()[axis], stride))
      return rewriter.notifyMatchFailure(op, "combined step overflows");
    int64_t first = producer.getStart()[axis] +
                    op.getStart()[axis] * producer.getStep()[axis];
    start.push_back(first);
    stop.push_back(first + (size - 1) * stride + 1);
    step.push_back(stride);
  }
  rewriter.replaceOpWithNewOp<SliceOp>(op, op.getY().getType(),
                                       producer.getInput(), start, stop, step);
  return success();
}
