//===- SharedValues.cpp - Functions of which many elements share one ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The angles of a rotary embedding are those of a position and a channel: a
// thread computes their sines once, and turns several heads by them.
//===----------------------------------------------------------------------===//
#include "passes/Legalize/NVPTX/Pointwise/Space.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize::nvptx;
using graph::PointwiseMode;

/// Functions of so many instructions that reading an operand is nothing beside
/// them.
static bool isCostly(Operation *op) {
  auto pointwise = dyn_cast<graph::PointwiseOpInterface>(op);
  if (!pointwise)
    return false;
  switch (pointwise.getMode()) {
  case PointwiseMode::SIN:
  case PointwiseMode::COS:
  case PointwiseMode::TAN:
  case PointwiseMode::POW:
  case PointwiseMode::MOD:
  case PointwiseMode::LOG:
  case PointwiseMode::ERF:
    return true;
  default:
    return false;
  }
}

static void collectCostly(Value value, SmallVectorImpl<Value> &found,
                          llvm::DenseSet<Value> &visited) {
  Operation *op = value.getDefiningOp();
  // What reductions combine is another kernel's.
  if (!op || isa<graph::ReductionOp>(op) || !visited.insert(value).second)
    return;
  if (isCostly(op))
    found.push_back(value);
  for (Value operand : op->getOperands())
    collectCostly(operand, found, visited);
}

SmallVector<Value>
opgraph::legalize::nvptx::findSharedValues(ArrayRef<Value> values,
                                           const Shape &shape) {
  SmallVector<Value> costly;
  llvm::DenseSet<Value> visited;
  for (Value value : values)
    collectCostly(value, costly, visited);
  // What is an element's own costs the same whatever the tiles are.
  llvm::erase_if(costly, [&](Value value) {
    return getAlignedShape(value, static_cast<int64_t>(shape.size())) == shape;
  });
  return costly;
}

SmallVector<bool, 6>
opgraph::legalize::nvptx::findSharedAxes(ArrayRef<Value> values,
                                         const Shape &shape) {
  SmallVector<bool, 6> shared;
  for (Value value : findSharedValues(values, shape)) {
    Shape own = getAlignedShape(value, static_cast<int64_t>(shape.size()));
    if (shared.empty())
      shared.assign(shape.size(), true);
    for (auto [axis, extent] : llvm::enumerate(own))
      shared[axis] = shared[axis] && extent == 1 && shape[axis] != 1;
  }
  return shared;
}

std::optional<unsigned>
opgraph::legalize::nvptx::findSharedAxis(const KernelSpec &kernel,
                                         ArrayRef<SpaceAxis> axes) {
  constexpr int64_t kLeastExtent = 2;
  if (kernel.shared.empty())
    return std::nullopt;
  std::optional<unsigned> found;
  // The fastest axis is of the vectors.
  for (unsigned number = 0; number + 1 < axes.size(); ++number) {
    const SpaceAxis &axis = axes[number];
    bool isShared = llvm::all_of(
        axis.axes, [&](unsigned own) { return kernel.shared[own]; });
    if (isShared && axis.extent >= kLeastExtent &&
        (!found || axis.extent > axes[*found].extent))
      found = number;
  }
  return found;
}

int64_t opgraph::legalize::nvptx::countSharing(const Space &space) {
  constexpr int64_t kMost = 4, kBlocks = 264;
  int64_t tiles = llvm::divideCeil(space.numColumns, space.tileColumns);
  int64_t rows = kMost;
  while (rows > 1 &&
         (space.tileRows * rows >= 2 * space.numRows ||
          tiles * llvm::divideCeil(space.numRows, space.tileRows * rows) <
              kBlocks))
    rows /= 2;
  return rows;
}
