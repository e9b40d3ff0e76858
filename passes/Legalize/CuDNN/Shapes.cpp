//===- Shapes.cpp - The extents that the library is told ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/CuDNN/Shapes.h"
#include "dialects/Graph/Layout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize::cudnn_lowering;

/// The least rank that all engines take.
static constexpr int64_t kLeastRank = 3;

SmallVector<int64_t, 6>
opgraph::legalize::cudnn_lowering::packRowMajor(ArrayRef<int64_t> dims) {
  SmallVector<int64_t, 6> strides(dims.size(), 1);
  for (int64_t axis = int64_t(dims.size()) - 2; axis >= 0; --axis)
    strides[axis] = strides[axis + 1] * std::max<int64_t>(dims[axis + 1], 1);
  return strides;
}

bool opgraph::legalize::cudnn_lowering::areAlike(const TensorShape &a,
                                                 const TensorShape &b) {
  if (a.dims != b.dims)
    return false;
  for (auto [extent, left, right] :
       llvm::zip_equal(a.dims, a.strides, b.strides))
    if (extent != 1 && left != right)
      return false;
  return true;
}

bool opgraph::legalize::cudnn_lowering::isPackedImage(
    const TensorShape &shape) {
  TensorShape packed = shape;
  packed.strides = packRowMajor(shape.dims);
  if (areAlike(shape, packed))
    return true;
  if (shape.dims.size() < 3)
    return false;
  graph::Dims order = graph::channelsLastOrder(shape.dims.size());
  int64_t stride = 1;
  for (int64_t axis : llvm::reverse(order)) {
    packed.strides[axis] = stride;
    stride *= shape.dims[axis];
  }
  return areAlike(shape, packed);
}

//===----------------------------------------------------------------------===//
// Memories
//===----------------------------------------------------------------------===//

static TensorShape shapeOf(RankedTensorType type) {
  TensorShape shape;
  shape.dims.assign(type.getShape().begin(), type.getShape().end());
  shape.strides = graph::getStrides(type);
  return shape;
}

static bool isRowMajor(const TensorShape &shape) {
  SmallVector<int64_t, 6> packed = packRowMajor(shape.dims);
  for (auto [extent, stride, wanted] :
       llvm::zip_equal(shape.dims, shape.strides, packed))
    if (extent != 1 && stride != wanted)
      return false;
  return true;
}

/// The memory of the reshape's result, where it is that of its operand.
static std::optional<ValueMemory> viewReshape(graph::ReshapeOp op,
                                              const ValueMemory &from) {
  auto type = cast<RankedTensorType>(op.getY().getType());
  ValueMemory view = from;
  if (op.getReshapeMode() == graph::ReshapeMode::LOGICAL) {
    if (!isRowMajor(from.shape))
      return std::nullopt;
    view.shape.dims.assign(type.getShape().begin(), type.getShape().end());
    view.shape.strides = packRowMajor(view.shape.dims);
    return view;
  }
  // In the order of memory: the same bytes if neither side has gaps.
  if (!graph::isPacked(cast<RankedTensorType>(op.getInput().getType())) ||
      !graph::isPacked(type) ||
      from.shape.strides !=
          graph::getStrides(cast<RankedTensorType>(op.getInput().getType())))
    return std::nullopt;
  view.shape = shapeOf(type);
  return view;
}

/// The memory of what `op` makes of an argument's, where it is a part of it.
static std::optional<ValueMemory> viewOf(mlir::Operation &op,
                                         const ValueMemory &from) {
  return llvm::TypeSwitch<mlir::Operation *, std::optional<ValueMemory>>(&op)
      .Case([&](graph::TransposeOp transpose) {
        ValueMemory view = from;
        for (auto [axis, source] :
             llvm::enumerate(transpose.getPermutation())) {
          view.shape.dims[axis] = from.shape.dims[source];
          view.shape.strides[axis] = from.shape.strides[source];
        }
        return view;
      })
      .Case([&](graph::SliceOp slice) {
        ValueMemory view = from;
        auto type = cast<RankedTensorType>(slice.getY().getType());
        for (auto [axis, start, step] :
             llvm::enumerate(slice.getStart(), slice.getStep())) {
          view.offset += start * from.shape.strides[axis];
          view.shape.dims[axis] = type.getDimSize(axis);
          view.shape.strides[axis] *= step;
        }
        return view;
      })
      .Case(
          [&](graph::ReshapeOp reshape) { return viewReshape(reshape, from); })
      .Default([](mlir::Operation *) { return std::nullopt; });
}

/// Whether `value` is computed with, rather than only looked at another way.
static bool isRead(Value value, const ValueMemories &memories) {
  return llvm::any_of(value.getUsers(), [&](mlir::Operation *user) {
    if (user->hasTrait<OpTrait::IsTerminator>())
      return true;
    if (user->getNumResults() != 1)
      return true;
    Value result = user->getResult(0);
    auto found = memories.find(makeKey(result));
    bool isView = found != memories.end() && found->second.argument;
    return !isView && !memories.contains(makeKey(result, TensorRole::Source));
  });
}

ValueMemories
opgraph::legalize::cudnn_lowering::getMemories(graph::GraphOp graph,
                                               DenseSet<Value> &views) {
  ValueMemories memories;
  mlir::Block &block = graph.getBody().front();
  for (mlir::BlockArgument argument : block.getArguments())
    memories[makeKey(argument)] = {
        argument, 0, shapeOf(cast<RankedTensorType>(argument.getType())),
        /*isFree=*/false};
  mlir::Operation *terminator = block.getTerminator();
  for (mlir::Operation &op : block.without_terminator()) {
    std::optional<ValueMemory> view;
    if (op.getNumOperands() == 1) {
      ValueMemory from = memories[makeKey(op.getOperand(0))];
      if (from.argument && !graph.isByValue(from.argument.getArgNumber()))
        view = viewOf(op, from);
    }
    for (Value result : op.getResults()) {
      bool isOutput = llvm::is_contained(terminator->getOperands(), result);
      if (view) {
        views.insert(result);
        memories[makeKey(result, isOutput ? TensorRole::Source
                                          : TensorRole::Value)] = *view;
        if (!isOutput)
          continue;
      }
      ValueMemory memory;
      memory.shape = shapeOf(cast<RankedTensorType>(result.getType()));
      memory.isFree = !isOutput;
      memories[makeKey(result)] = std::move(memory);
    }
  }
  ValueMemories read;
  for (auto &[key, memory] : memories)
    if (key.second == int(TensorRole::Source) || !memory.argument ||
        isRead(key.first, memories))
      read.insert({key, memory});
  return read;
}

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

/// Gives all shapes the rank `rank`, by axes of extent 1 before the others.
static void padLeading(ValueMemories &memories, int64_t rank) {
  for (auto &[key, memory] : memories) {
    TensorShape &shape = memory.shape;
    while (int64_t(shape.dims.size()) < rank) {
      int64_t stride =
          shape.dims.empty() ? 1 : shape.dims.front() * shape.strides.front();
      shape.dims.insert(shape.dims.begin(), 1);
      shape.strides.insert(shape.strides.begin(), std::max<int64_t>(stride, 1));
    }
  }
}

static int64_t maxRank(const ValueMemories &memories) {
  size_t rank = 0;
  for (auto &[key, memory] : memories)
    rank = std::max(rank, memory.shape.dims.size());
  return rank;
}

namespace {
/// Merges axes that every value either has whole and one behind the other in
/// memory, or not at all.
class AxisMerger {
public:
  AxisMerger(ValueMemories &memories, int64_t rank) : memories(memories) {
    full.assign(rank, 1);
    for (auto &[key, memory] : memories)
      for (auto [extent, size] : llvm::zip_equal(full, memory.shape.dims))
        extent = std::max(extent, size);
  }

  /// The groups of axes [0, end), outermost first, axes of extent 1 left out.
  SmallVector<SmallVector<int64_t, 4>> group(ArrayRef<int64_t> order,
                                             int64_t apart) const {
    SmallVector<SmallVector<int64_t, 4>> groups;
    for (int64_t axis : order) {
      if (full[axis] == 1)
        continue;
      if (!groups.empty() && axis != apart && groups.back().back() != apart &&
          canMerge(groups.back().back(), axis))
        groups.back().push_back(axis);
      else
        groups.push_back({axis});
    }
    return groups;
  }

  /// The axes by the place that they have in the memory of the largest value.
  SmallVector<int64_t> memoryOrder() const {
    SmallVector<int64_t> order =
        llvm::to_vector(llvm::seq<int64_t>(0, int64_t(full.size())));
    for (auto &[key, memory] : memories)
      if (!memory.isFree &&
          ArrayRef<int64_t>(memory.shape.dims) == ArrayRef<int64_t>(full)) {
        ArrayRef<int64_t> strides = memory.shape.strides;
        llvm::sort(order, [&](int64_t a, int64_t b) {
          return std::tuple(-strides[a], a) < std::tuple(-strides[b], b);
        });
        break;
      }
    return order;
  }

private:
  bool canMerge(int64_t outer, int64_t inner) const {
    return llvm::all_of(memories, [&](const auto &entry) {
      const ValueMemory &memory = entry.second;
      ArrayRef<int64_t> dims = memory.shape.dims;
      if (dims[outer] == 1 && dims[inner] == 1)
        return true;
      return dims[outer] == full[outer] && dims[inner] == full[inner] &&
             (memory.isFree || memory.shape.strides[outer] ==
                                   memory.shape.strides[inner] * dims[inner]);
    });
  }

  ValueMemories &memories;
  SmallVector<int64_t, 6> full;
};
} // namespace

/// `shape` with one axis for each group, and its strides where they matter.
static TensorShape mergeShape(const TensorShape &shape,
                              ArrayRef<SmallVector<int64_t, 4>> groups) {
  TensorShape merged;
  for (ArrayRef<int64_t> group : groups) {
    int64_t extent = 1;
    for (int64_t axis : group)
      extent *= shape.dims[axis];
    merged.dims.push_back(extent);
    merged.strides.push_back(extent == 1 ? 0 : shape.strides[group.back()]);
  }
  return merged;
}

/// Gives axes of extent 1 (stride 0) the stride that packed memory would have.
static void fillStrides(TensorShape &shape) {
  int64_t behind = 1;
  for (int64_t axis = int64_t(shape.dims.size()) - 1; axis >= 0; --axis) {
    if (shape.dims[axis] == 1)
      shape.strides[axis] = behind;
    behind = std::max(behind, shape.strides[axis] * shape.dims[axis]);
  }
}

/// Rows as a packed channels-last image of one pixel: [rows, columns, 1, 1].
static void makeImage(TensorShape &shape) {
  while (shape.dims.size() < 2) {
    shape.dims.insert(shape.dims.begin(), 1);
    shape.strides.insert(shape.strides.begin(), 0);
  }
  if (shape.dims[1] == 1)
    shape.strides[1] = 1;
  int64_t pixel = shape.dims[1] * shape.strides[1];
  if (shape.dims[0] == 1)
    shape.strides[0] = pixel;
  shape.dims.append({1, 1});
  shape.strides.append({pixel, pixel});
}

static AxisMap keepAxes(ValueMemories &memories, int64_t rank) {
  int64_t wanted = std::max(rank, kLeastRank);
  padLeading(memories, wanted);
  return {AxisMap::Change::Leading, rank, wanted, wanted - 1};
}

/// Pads batch and channels without space to an image of one pixel.
static AxisMap keepChannels(ValueMemories &memories, int64_t rank) {
  if (rank != 2)
    return keepAxes(memories, rank);
  padLeading(memories, rank);
  for (auto &[key, memory] : memories)
    makeImage(memory.shape);
  return {AxisMap::Change::Trailing, rank, 4, 1};
}

static AxisMap mergeBatches(ValueMemories &memories, int64_t rank) {
  padLeading(memories, rank);
  SmallVector<int64_t> batches =
      llvm::to_vector(llvm::seq<int64_t>(0, rank - 2));
  auto groups = AxisMerger(memories, rank).group(batches, /*apart=*/-1);
  groups.push_back({rank - 2});
  groups.push_back({rank - 1});
  for (auto &[key, memory] : memories) {
    memory.shape = mergeShape(memory.shape, groups);
    fillStrides(memory.shape);
    if (memory.isFree)
      memory.shape.strides = packRowMajor(memory.shape.dims);
  }
  int64_t wanted = std::max<int64_t>(groups.size(), kLeastRank);
  padLeading(memories, wanted);
  return {AxisMap::Change::Merged, rank, wanted, wanted - 1};
}

AxisMap opgraph::legalize::cudnn_lowering::chooseShapes(ValueMemories &memories,
                                                        ShapeForm form,
                                                        bool keepLast) {
  int64_t rank = maxRank(memories);
  if (form == ShapeForm::Channels)
    return keepChannels(memories, rank);
  if (form == ShapeForm::Matrix)
    return mergeBatches(memories, rank);
  padLeading(memories, rank);
  AxisMerger merger(memories, rank);
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  if (form == ShapeForm::Pointwise)
    order = merger.memoryOrder();
  auto groups = merger.group(order, keepLast ? rank - 1 : -1);
  constexpr size_t kMost = 3;
  if (groups.size() > kMost)
    return keepAxes(memories, rank);
  // A last axis of extent 1 still has a place.
  if (keepLast && (groups.empty() || groups.back().back() != rank - 1)) {
    if (groups.size() == kMost)
      return keepAxes(memories, rank);
    groups.push_back({rank - 1});
  }
  bool isImage = form == ShapeForm::Rows && groups.size() < kMost;
  for (auto &[key, memory] : memories) {
    memory.shape = mergeShape(memory.shape, groups);
    if (memory.isFree)
      memory.shape.strides = packRowMajor(memory.shape.dims);
    if (isImage)
      makeImage(memory.shape);
    else
      fillStrides(memory.shape);
  }
  if (isImage)
    return {AxisMap::Change::Merged, rank, 4, 1};
  padLeading(memories, kLeastRank);
  return {AxisMap::Change::Merged, rank, kLeastRank, kLeastRank - 1};
}
