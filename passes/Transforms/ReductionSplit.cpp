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

/// Of what the reduction's elements are read from.
static Dims getSourceStrides(ReductionOp op) {
  return getStrides(
      typeOf(findSource(op.getInput(), typeOf(op.getInput()).getShape())));
}

/// Whether neighbours in memory belong to different results.
static bool isAcross(ReductionOp op) {
  RankedTensorType type = typeOf(op.getInput());
  Dims strides = getSourceStrides(op);
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

/// Adds what whole tensors `value` is computed from element by element.
static void findSources(Value value, ArrayRef<int64_t> shape,
                        llvm::SmallPtrSetImpl<void *> &visited,
                        SmallVectorImpl<Value> &sources) {
  if (typeOf(value).getShape() != shape ||
      !visited.insert(value.getAsOpaquePointer()).second)
    return;
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<PointwiseOpInterface>(op)) {
    sources.push_back(value);
    return;
  }
  for (Value operand : op->getOperands())
    findSources(operand, shape, visited, sources);
}

namespace {
/// What reductions of equal shapes, which share a kernel, have in common.
struct Group {
  /// Whether one of them feeds a tensor of its elements.
  bool isFed = false;
  /// What their elements are made of.
  SmallVector<Value> sources;

  int64_t countElementBytes() const {
    int64_t bits = 0;
    for (Value source : sources)
      bits += std::max(8u, typeOf(source).getElementTypeBitWidth());
    return bits / 8;
  }
};
} // namespace

/// Of elements that lie one after another, a block reads thousands at a time;
/// of neighbouring results, as many as fill a few lines of memory.
static int64_t choose(ReductionOp op, const Group &group) {
  int64_t numResults = typeOf(op.getY()).getNumElements();
  int64_t numElements = typeOf(op.getInput()).getNumElements();
  if (numElements == 0)
    return 1;
  int64_t count = numElements / numResults;
  if (isAcross(op)) {
    constexpr int64_t kResults = 128, kLeast = 512, kMostFed = 2048;
    int64_t blocks = llvm::divideCeil(numResults, kResults);
    bool isFull = group.isFed ? numResults >= kMostFed
                              : blocks >= ReductionSplit::kBlocksAcross;
    if (isFull || count < 2 * kLeast)
      return 1;
    return std::min<int64_t>(
        llvm::divideCeil(ReductionSplit::kBlocksAcross, blocks),
        llvm::divideCeil(count, kLeast));
  }
  // Rows that feed a tensor of their elements would be read again, where one
  // block has just read them, or a cluster keeps them.
  constexpr int64_t kPortion = 8192, kKeptBytes = 768 << 10;
  bool isKept = group.isFed && count * group.countElementBytes() <= kKeptBytes;
  int64_t most = isKept ? 96 : ReductionSplit::kBlocksAlong;
  if (numResults >= most || count < 8 * kPortion)
    return 1;
  return std::min<int64_t>(
      llvm::divideCeil(ReductionSplit::kBlocksAlong, numResults),
      llvm::divideCeil(count, kPortion));
}

ReductionSplit::ReductionSplit(GraphOp graph) {
  auto reductions = graph.getBody().front().getOps<ReductionOp>();
  std::map<std::pair<Dims, Dims>, Group> groups;
  auto groupOf = [&](ReductionOp op) -> Group & {
    return groups[{Dims(typeOf(op.getInput()).getShape()),
                   Dims(typeOf(op.getY()).getShape())}];
  };
  for (ReductionOp op : reductions) {
    llvm::SmallPtrSet<Operation *, 16> visited;
    groupOf(op).isFed |= feedsWhole(op, op.getY(), visited);
    llvm::SmallPtrSet<void *, 16> visitedSources;
    for (Value source : groupOf(op).sources)
      visitedSources.insert(source.getAsOpaquePointer());
    findSources(op.getInput(), typeOf(op.getInput()).getShape(), visitedSources,
                groupOf(op).sources);
  }
  for (ReductionOp op : reductions)
    if (int64_t count = choose(op, groupOf(op)); count > 1)
      splits[op] = count;
}

int64_t ReductionSplit::getPitch(int64_t numResults) {
  return numResults < kVector ? numResults
                              : int64_t(llvm::alignTo(numResults, kVector));
}

/// How many of a result's elements follow one another in memory.
static int64_t countNeighbours(ReductionOp op) {
  RankedTensorType type = typeOf(op.getInput());
  Dims strides = getSourceStrides(op);
  int64_t count = 1;
  for (bool isFound = true; isFound;) {
    isFound = false;
    for (int64_t axis = 0; axis < type.getRank(); ++axis)
      if (isReduced(op, axis) && type.getDimSize(axis) != 1 &&
          strides[axis] == count) {
        count *= type.getDimSize(axis);
        isFound = true;
      }
  }
  return count;
}

int64_t ReductionSplit::countPortions(ReductionOp op) const {
  if (getSplits(op) == 1)
    return 0;
  int64_t numResults = typeOf(op.getY()).getNumElements();
  int64_t numElements = typeOf(op.getInput()).getNumElements();
  int64_t count = getSplits(op) * getPitch(numResults);
  if (isAcross(op)) {
    // Of as many blocks as there are, each with a tile of results.
    constexpr int64_t kTile = 128, kVectorBytes = 16;
    if (numResults % kVectorBytes == 0)
      return count;
    return std::max(count, std::min(kBlocksAcross * kTile, numElements / 16));
  }
  constexpr int64_t kLeast = 1024;
  int64_t neighbours = countNeighbours(op);
  if (neighbours < kLeast)
    return count;
  return std::max({count, numElements / neighbours, kBlocksAlong});
}

int64_t ReductionSplit::countBytes(ReductionOp op) const {
  constexpr int64_t kAlignment = 256;
  int64_t portions = countPortions(op);
  bool isProduct = op.getMode() == ReductionMode::MUL ||
                   op.getMode() == ReductionMode::MUL_NO_ZEROS;
  Type type = op.getEffectiveComputeType();
  bool isWide =
      type.getIntOrFloatBitWidth() > 32 || (isProduct && isa<FloatType>(type));
  return llvm::alignTo(portions * (isWide ? 8 : 4), kAlignment);
}
