//===- Partition.cpp - The kernels of a pointwise graph -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/NVPTX/Pointwise/Partition.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize::nvptx;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

Shape opgraph::legalize::nvptx::getAlignedShape(Value value, int64_t rank) {
  ArrayRef<int64_t> dims = typeOf(value).getShape();
  Shape shape(rank - static_cast<int64_t>(dims.size()), 1);
  shape.append(dims.begin(), dims.end());
  return shape;
}

bool opgraph::legalize::nvptx::isOverNoAxis(graph::ReductionOp op) {
  return typeOf(op.getInput()).getShape() == typeOf(op.getY()).getShape();
}

namespace {
class Partitioner {
public:
  explicit Partitioner(graph::GraphOp graph) : body(graph.getBody().front()) {
    for (BlockArgument argument : body.getArguments())
      noteRank(argument);
    for (Operation &op : body)
      for (Value result : op.getResults())
        noteRank(result);
  }

  Partition run() {
    for (Operation &op : body.without_terminator())
      if (auto reduction = dyn_cast<graph::ReductionOp>(op);
          reduction && !isOverNoAxis(reduction))
        place(reduction);
    for (auto [number, value] :
         llvm::enumerate(body.getTerminator()->getOperands()))
      place(value, number);
    return std::move(partition);
  }

private:
  void noteRank(Value value) {
    partition.rank = std::max(partition.rank, typeOf(value).getRank());
  }

  /// The last kernel whose reductions `value` needs; -1 where it needs none.
  int64_t lastKernel(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return -1;
    if (auto known = partition.kernelOf.find(op);
        known != partition.kernelOf.end())
      return known->second;
    auto [entry, isNew] = lastKernels.insert({op, -1});
    if (!isNew)
      return entry->second;
    int64_t last = -1;
    for (Value operand : op->getOperands())
      last = std::max(last, lastKernel(operand));
    return lastKernels[op] = last;
  }

  KernelSpec &append(Shape shape, SmallVector<bool, 6> reduced) {
    KernelSpec kernel;
    kernel.shape = std::move(shape);
    kernel.reduced = std::move(reduced);
    partition.kernels.push_back(std::move(kernel));
    return partition.kernels.back();
  }

  void place(graph::ReductionOp reduction) {
    Shape shape = getAlignedShape(reduction.getInput(), partition.rank);
    Shape left = getAlignedShape(reduction.getY(), partition.rank);
    SmallVector<bool, 6> reduced;
    for (auto [from, to] : llvm::zip_equal(shape, left))
      reduced.push_back(from != to);
    KernelSpec *found = nullptr;
    int64_t first = std::max<int64_t>(lastKernel(reduction.getInput()), 0);
    for (KernelSpec &kernel :
         MutableArrayRef(partition.kernels)
             .drop_front(std::min<size_t>(first, partition.kernels.size())))
      if (!found && kernel.shape == shape && kernel.reduced == reduced)
        found = &kernel;
    if (!found)
      found = &append(shape, reduced);
    found->reductions.push_back(reduction);
    partition.kernelOf[reduction] = found - partition.kernels.data();
  }

  static bool isRowOf(const KernelSpec &kernel, const Shape &shape) {
    if (kernel.isElementwise())
      return false;
    for (size_t axis = 0; axis < shape.size(); ++axis)
      if (shape[axis] != (kernel.reduced[axis] ? 1 : kernel.shape[axis]))
        return false;
    return true;
  }

  void place(Value value, unsigned number) {
    Shape shape = getAlignedShape(value, partition.rank);
    int64_t first = std::max<int64_t>(lastKernel(value), 0);
    for (KernelSpec &kernel :
         MutableArrayRef(partition.kernels)
             .drop_front(std::min<size_t>(first, partition.kernels.size())))
      if (kernel.shape == shape || isRowOf(kernel, shape)) {
        kernel.results.push_back(number);
        return;
      }
    append(shape, SmallVector<bool, 6>(shape.size(), false))
        .results.push_back(number);
  }

  Block &body;
  Partition partition;
  llvm::DenseMap<Operation *, int64_t> lastKernels;
};
} // namespace

Partition opgraph::legalize::nvptx::partitionGraph(graph::GraphOp graph) {
  return Partitioner(graph).run();
}
