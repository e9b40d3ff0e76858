//===- Shapes.h - The extents that the library is told ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library's engines take few shapes: pointwise graphs of rank 3 in any
// strides or of any rank packed channels-last, reductions of packed
// channels-last tensors only, matmuls of rank 3. A graph's own shape is often
// the same memory under other axes, which are found here.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_CUDNN_SHAPES_H
#define OPGRAPH_PASSES_LEGALIZE_CUDNN_SHAPES_H

#include "dialects/Graph/GraphDialect.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace opgraph::legalize::cudnn_lowering {

/// One tensor as a graph or the library is told it.
struct TensorShape {
  llvm::SmallVector<int64_t, 6> dims;
  /// In elements.
  llvm::SmallVector<int64_t, 6> strides;
};

/// What may be done with the axes of a graph.
enum class ShapeForm {
  /// Axes mean nothing but order: pointwise ops.
  Pointwise,
  /// Some axes are reduced: reductions, softmax, layer and RMS norms.
  Rows,
  /// All axes but the last two are batches: matmuls.
  Matrix,
  /// Axes have places: batch, channels, space.
  Channels
};

/// The memory of a value: its argument's, from an offset on; the strides of a
/// value that is computed and stays inside are free.
struct ValueMemory {
  mlir::BlockArgument argument;
  /// In elements.
  int64_t offset = 0;
  TensorShape shape;
  bool isFree = false;
};

/// A tensor of the library: a graph value, or, for a result of the graph that
/// is a part of an argument's memory, that part, which is copied to it.
enum class TensorRole { Value, Source };
using TensorKey = std::pair<mlir::Value, int>;
inline TensorKey makeKey(mlir::Value value,
                         TensorRole role = TensorRole::Value) {
  return {value, static_cast<int>(role)};
}
using ValueMemories = llvm::MapVector<TensorKey, ValueMemory>;

/// The memories of the values of `graph`, whose extents are static, that ops
/// compute with. Transposes, slices and reshapes of an argument's memory are
/// that memory, and are put into `views`.
ValueMemories getMemories(graph::GraphOp graph,
                          llvm::DenseSet<mlir::Value> &views);

/// Where axes went.
class AxisMap {
public:
  enum class Change {
    /// Axes of extent 1 stand before all others.
    Leading,
    /// Axes of extent 1 stand behind all others.
    Trailing,
    /// Axes were merged or moved.
    Merged
  };

  AxisMap() = default;
  AxisMap(Change change, int64_t oldRank, int64_t rank, int64_t last)
      : change(change), oldRank(oldRank), rank(rank), last(last) {}

  /// The rank that all tensors have now.
  int64_t getRank() const { return rank; }
  /// The new place of the graph's last axis.
  int64_t getLast() const { return last; }
  /// The new place of axis `axis` of a tensor of rank `ofRank`; nullopt where
  /// axes were merged.
  std::optional<int64_t> place(int64_t axis, int64_t ofRank) const {
    if (change == Change::Merged)
      return std::nullopt;
    int64_t from = change == Change::Leading ? rank : oldRank;
    return from - ofRank + axis;
  }
  /// Whether a tensor of rank `ofRank` has just its own axes.
  bool keeps(int64_t ofRank) const {
    return change != Change::Merged && ofRank == rank;
  }

private:
  Change change = Change::Leading;
  int64_t oldRank = 0;
  int64_t rank = 0;
  int64_t last = 0;
};

/// Rewrites the shapes of `memories` to ones that the library's engines take.
/// `keepLast` keeps the last axis apart from the others.
AxisMap chooseShapes(ValueMemories &memories, ShapeForm form, bool keepLast);

/// Whether `shape` is packed row-major or channels-last: engines that take
/// images compute with other strides too, and wrongly.
bool isPackedImage(const TensorShape &shape);

/// Whether two shapes place their elements alike; strides of axes of extent 1
/// place none.
bool areAlike(const TensorShape &a, const TensorShape &b);

/// Strides of a tensor packed row-major.
llvm::SmallVector<int64_t, 6> packRowMajor(llvm::ArrayRef<int64_t> dims);

} // namespace opgraph::legalize::cudnn_lowering

#endif // OPGRAPH_PASSES_LEGALIZE_CUDNN_SHAPES_H
