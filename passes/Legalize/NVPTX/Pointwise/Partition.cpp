//===- Partition.cpp - The kernels of a pointwise graph -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/NVPTX/Pointwise/Partition.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize::nvptx;

Shape opgraph::legalize::nvptx::getAlignedShape(Value value, int64_t rank) {
  ArrayRef<int64_t> dims = graph::typeOf(value).getShape();
  Shape shape(rank - static_cast<int64_t>(dims.size()), 1);
  shape.append(dims.begin(), dims.end());
  return shape;
}

namespace {
class Partitioner {
public:
  Partitioner(graph::GraphOp graph, const Layouts &layouts,
              const ReductionSplit &split)
      : body(graph.getBody().front()), layouts(layouts), split(split) {
    for (BlockArgument argument : body.getArguments())
      noteRank(argument);
    for (Operation &op : body)
      for (Value result : op.getResults())
        noteRank(result);
  }

  Partition run() {
    for (Operation &op : body.without_terminator()) {
      if (op.getNumResults() != 1)
        continue;
      if (auto reduction = dyn_cast<graph::ReductionOp>(op);
          reduction && !isOverNoAxis(reduction) &&
          layouts.isReached(reduction.getY()))
        place(reduction);
      if (layouts.isStored(op.getResult(0)))
        placeStores(op.getResult(0));
    }
    placeStores(Value());
    for (unsigned number = 0; number < partition.kernels.size(); ++number)
      if (partition.kernels[number].splits > 1)
        placeRowValues(number);
    return std::move(partition);
  }

private:
  void noteRank(Value value) {
    partition.rank = std::max(partition.rank, graph::typeOf(value).getRank());
  }

  /// The first kernel that may compute with `value`: one with reductions that
  /// it needs, or after one that stores what it is a view of; -1 for any.
  int64_t lastKernel(Value value) {
    if (std::optional<MemoryView> view = layouts.findView(value))
      return isa<BlockArgument>(view->base)
                 ? int64_t(-1)
                 : partition.kernelOf.lookup(view->base.getDefiningOp()) + 1;
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

  /// Kernels that may compute with what `first` computes: rows of a split one,
  /// but no elements, which it has passed.
  MutableArrayRef<KernelSpec> kernelsFrom(int64_t first, bool ofRows) {
    size_t begin = std::max<int64_t>(first, 0);
    if (first >= 0 && begin < partition.kernels.size() && !ofRows &&
        partition.kernels[begin].splits > 1)
      ++begin;
    return MutableArrayRef(partition.kernels)
        .drop_front(std::min(begin, partition.kernels.size()));
  }

  KernelSpec &append(Shape shape, SmallVector<bool, 6> reduced) {
    KernelSpec kernel;
    kernel.shape = std::move(shape);
    kernel.reduced = std::move(reduced);
    partition.kernels.push_back(std::move(kernel));
    return partition.kernels.back();
  }

  /// Puts the second one of a pair where the first one is.
  bool placeInPair(graph::ReductionOp reduction) {
    std::optional<ReductionPair> pair = findPair(reduction);
    if (!pair || !partition.kernelOf.contains(pair->first))
      return false;
    unsigned number = partition.kernelOf.lookup(pair->first);
    KernelSpec &kernel = partition.kernels[number];
    for (const ReductionPair &other : kernel.pairs)
      if (other.first == pair->first)
        return false;
    kernel.pairs.push_back(*pair);
    kernel.reductions.push_back(reduction);
    partition.kernelOf[reduction] = number;
    return true;
  }

  void place(graph::ReductionOp reduction) {
    if (placeInPair(reduction))
      return;
    Shape shape = getAlignedShape(reduction.getInput(), partition.rank);
    Shape left = getAlignedShape(reduction.getY(), partition.rank);
    SmallVector<bool, 6> reduced;
    for (auto [from, to] : llvm::zip_equal(shape, left))
      reduced.push_back(from != to);
    int64_t splits = split.getSplits(reduction);
    KernelSpec *found = nullptr;
    for (KernelSpec &kernel :
         kernelsFrom(lastKernel(reduction.getInput()), /*ofRows=*/false))
      if (!found && kernel.shape == shape && kernel.reduced == reduced &&
          kernel.splits == splits)
        found = &kernel;
    if (!found) {
      found = &append(shape, reduced);
      found->splits = splits;
    }
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

  /// Whether something with elements along the axes that `kernel` reduces is
  /// made of `value` at once.
  bool isTakenByElements(const KernelSpec &kernel, Value value) {
    return llvm::any_of(value.getUsers(), [&](Operation *user) {
      return user->getNumResults() == 1 &&
             !isRowOf(kernel,
                      getAlignedShape(user->getResult(0), partition.rank));
    });
  }

  /// Finds what is made of the results of split kernel `number` and taken by
  /// elements. It goes through workspace in the place of those results: only
  /// where it is no more than they are.
  void placeRowValues(unsigned number) {
    KernelSpec &kernel = partition.kernels[number];
    SmallVector<Value, 1> found;
    size_t taken = 0;
    for (graph::ReductionOp op : kernel.reductions)
      taken += isTakenByElements(kernel, op.getY());
    for (Operation &op : body.without_terminator()) {
      if (!isa<graph::PointwiseOpInterface>(op) ||
          partition.kernelOf.contains(&op))
        continue;
      Value value = op.getResult(0);
      if (isRowOf(kernel, getAlignedShape(value, partition.rank)) &&
          layouts.isReached(value) && !layouts.findView(value) &&
          lastKernel(value) == static_cast<int64_t>(number) &&
          isTakenByElements(kernel, value))
        found.push_back(value);
    }
    auto isNarrow = [&](Value value) {
      return llvm::all_of(kernel.reductions, [&](graph::ReductionOp op) {
        return graph::typeOf(value).getElementTypeBitWidth() <=
               graph::typeOf(op.getY()).getElementTypeBitWidth();
      });
    };
    if (taken + found.size() > kernel.reductions.size() ||
        !llvm::all_of(found, isNarrow))
      return;
    for (Value value : found)
      partition.kernelOf[value.getDefiningOp()] = number;
    kernel.rowValues = std::move(found);
  }

  /// All parts of a stored value; the graph's results for none.
  void placeStores(Value whole) {
    unsigned last = 0;
    for (auto [number, store] : llvm::enumerate(layouts.getStores()))
      if (store.whole == whole)
        last = std::max(last, place(store.value, number));
    if (whole)
      partition.kernelOf[whole.getDefiningOp()] = last;
  }

  /// The kernel that does store `number`, of `value`.
  unsigned place(Value value, unsigned number) {
    Shape shape = getAlignedShape(value, partition.rank);
    for (KernelSpec &kernel : kernelsFrom(lastKernel(value), /*ofRows=*/true))
      if (isRowOf(kernel, shape) ||
          (kernel.shape == shape && kernel.splits == 1)) {
        kernel.stores.push_back(number);
        return &kernel - partition.kernels.data();
      }
    append(shape, SmallVector<bool, 6>(shape.size(), false))
        .stores.push_back(number);
    return partition.kernels.size() - 1;
  }

  Block &body;
  const Layouts &layouts;
  const ReductionSplit &split;
  Partition partition;
  llvm::DenseMap<Operation *, int64_t> lastKernels;
};
} // namespace

Partition opgraph::legalize::nvptx::partitionGraph(
    graph::GraphOp graph, const Layouts &layouts, const ReductionSplit &split) {
  return Partitioner(graph, layouts, split).run();
}
