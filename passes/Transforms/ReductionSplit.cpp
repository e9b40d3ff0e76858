//===- ReductionSplit.cpp - Long reductions in portions -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Transforms/ReductionSplit.h"
#include "dialects/Graph/Extents.h"
#include "dialects/Graph/Layout.h"
#include "llvm/Support/MathExtras.h"

#include <map>

using namespace mlir;
using namespace opgraph;
using namespace opgraph::graph;

/// Blocks that fill a GPU: of those that read lines of neighbouring results as
/// many as are resident on 132 multiprocessors, since each writes a line a
/// portion; of the others several times as many. Measured on the H200.
static constexpr int64_t kBlocksAcross = 512, kBlocksAlong = 2048;

static bool isReduced(ReductionOp op, int64_t axis) {
  return typeOf(op.getY()).getDimSize(axis) == 1;
}

/// An argument that `value` is computed from element by element; itself where
/// there is none.
static Value findSource(Value value, ArrayRef<int64_t> shape) {
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<PointwiseOpInterface>(op))
    return value;
  for (Value operand : op->getOperands())
    if (typeOf(operand).getShape() == shape)
      return findSource(operand, shape);
  return value;
}

/// Whether neighbours in memory belong to different results.
static bool isAcross(ReductionOp op) {
  RankedTensorType type = typeOf(op.getInput());
  Dims strides = getStrides(typeOf(findSource(op.getInput(), type.getShape())));
  int64_t best = -1;
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    if (type.getDimSize(axis) != 1 &&
        (best < 0 || strides[axis] < strides[best]))
      best = axis;
  return best >= 0 && !isReduced(op, best);
}

/// Whether something with elements along the axes of `op` is made of `value`:
/// it is computed in the kernel of the reduction, but where that is split.
static bool feedsWhole(ReductionOp op, Value value,
                       llvm::SmallPtrSetImpl<Operation *> &visited) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    if (user->getNumResults() == 0 || !visited.insert(user).second)
      return false;
    Value made = user->getResult(0);
    if (typeOf(made).getRank() != typeOf(op.getY()).getRank())
      return true;
    for (int64_t axis = 0; axis < typeOf(made).getRank(); ++axis)
      if (isReduced(op, axis) && typeOf(made).getDimSize(axis) != 1)
        return true;
    return feedsWhole(op, made, visited);
  });
}

/// Of elements that lie one after another, a block reads thousands at a time;
/// of neighbouring results, as many as fill a few lines of memory.
static int64_t choose(ReductionOp op, bool isFed) {
  int64_t numResults = typeOf(op.getY()).getNumElements();
  int64_t numElements = typeOf(op.getInput()).getNumElements();
  if (numElements == 0)
    return 1;
  int64_t count = numElements / numResults;
  if (isAcross(op)) {
    constexpr int64_t kResults = 128, kLeast = 512, kMostFed = 2048;
    int64_t blocks = llvm::divideCeil(numResults, kResults);
    bool isFull = isFed ? numResults >= kMostFed : blocks >= kBlocksAcross;
    if (isFull || count < 2 * kLeast)
      return 1;
    return std::min<int64_t>(llvm::divideCeil(kBlocksAcross, blocks),
                             llvm::divideCeil(count, kLeast));
  }
  // Rows that feed a tensor of their elements would be read again, where one
  // block has just read them.
  constexpr int64_t kPortion = 8192, kMostFed = 96;
  if (numResults >= (isFed ? kMostFed : kBlocksAlong) || count < 8 * kPortion)
    return 1;
  return std::min<int64_t>(llvm::divideCeil(kBlocksAlong, numResults),
                           llvm::divideCeil(count, kPortion));
}

ReductionSplit::ReductionSplit(GraphOp graph) {
  auto reductions = graph.getBody().front().getOps<ReductionOp>();
  // Those of equal shapes share a kernel.
  std::map<std::pair<Dims, Dims>, bool> isFed;
  auto keyOf = [](ReductionOp op) {
    return std::pair(Dims(typeOf(op.getInput()).getShape()),
                     Dims(typeOf(op.getY()).getShape()));
  };
  for (ReductionOp op : reductions) {
    llvm::SmallPtrSet<Operation *, 16> visited;
    isFed[keyOf(op)] |= feedsWhole(op, op.getY(), visited);
  }
  for (ReductionOp op : reductions)
    if (int64_t count = choose(op, isFed[keyOf(op)]); count > 1)
      splits[op] = count;
}

int64_t ReductionSplit::getPitch(int64_t numResults) {
  constexpr int64_t kVector = 4;
  return numResults < kVector ? numResults
                              : int64_t(llvm::alignTo(numResults, kVector));
}

int64_t ReductionSplit::countBytes(ReductionOp op) const {
  constexpr int64_t kAlignment = 256;
  int64_t portions = getSplits(op);
  if (portions == 1)
    return 0;
  bool isProduct = op.getMode() == ReductionMode::MUL ||
                   op.getMode() == ReductionMode::MUL_NO_ZEROS;
  Type type = op.getEffectiveComputeType();
  bool isWide =
      type.getIntOrFloatBitWidth() > 32 || (isProduct && isa<FloatType>(type));
  int64_t elements = portions * getPitch(typeOf(op.getY()).getNumElements());
  return llvm::alignTo(elements * (isWide ? 8 : 4), kAlignment);
}
