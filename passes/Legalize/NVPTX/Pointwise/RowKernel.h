//===- RowKernel.h - Writes one kernel over rows of columns -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block holds a tile of rows x columns in registers. An elementwise kernel
// has many tiles; in a kernel that reduces, a row belongs to one block, which
// keeps it in registers or, where it is too long, walks it in chunks once for
// every reduction and once for the results.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_ROWKERNEL_H
#define OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_ROWKERNEL_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "passes/Legalize/NVPTX/Pointwise/KernelArguments.h"
#include "llvm/ADT/MapVector.h"

namespace opgraph::legalize::nvptx {

/// What a kernel reads and writes, by the value.
struct KernelBuffers {
  llvm::SmallVector<Buffer> list;
  /// Of a value that is read: index into `list`.
  llvm::DenseMap<mlir::Value, unsigned> inputs;
  /// By-value operands: the plan's operand number.
  llvm::MapVector<mlir::Value, int64_t> scalars;
  /// (value, index) of what is written, in order.
  llvm::SmallVector<std::pair<mlir::Value, unsigned>> outputs;
};

class RowKernel {
public:
  RowKernel(const KernelSpec &spec, const KernelBuffers &buffers,
            const Space &space, int64_t rank, tile::KernelOp kernel);

  /// Fills the kernel's body; returns what the launch passes.
  mlir::ArrayAttr write();

private:
  /// How a buffer is reached.
  struct Access {
    mlir::Value view;
    /// Coordinates are divided out: the view has the columns' axes.
    bool isGathered = false;
    /// Elements of a gathered vector.
    int64_t vector = 1;
    /// Of the tile.
    std::array<int64_t, 2> shape = {1, 1};
  };

  // Prologue.
  void addArguments();
  void locateBlock();
  Access makeAccess(unsigned index);
  mlir::Value emitRowOffset(unsigned index);
  mlir::Value makeGatherView(unsigned index, mlir::Value offset,
                             int64_t vector);
  mlir::Value makeBoxView(unsigned index, mlir::Value offset);
  bool isVectorised(unsigned index, bool isGathered) const;

  // Tiles.
  /// Of rows x columns.
  tile::RegType regType(std::array<int64_t, 2> shape, mlir::Type element);
  /// The axes of register tiles and views that rows and columns are.
  unsigned getRowAxis() const { return space.isAcross ? 1 : 0; }
  unsigned getColumnAxis() const { return space.isAcross ? 0 : 1; }
  tile::Axis getReducedAxis() const {
    return space.isAcross ? tile::Axis::rows : tile::Axis::cols;
  }
  /// Whether the value has more than one row, and column.
  bool hasRows(mlir::Value value);
  bool hasColumns(mlir::Value value);
  std::array<int64_t, 2> shapeOf(mlir::Value value);
  /// Where the block's tile is in a view.
  struct BoxPlace {
    std::array<mlir::Value, 2> offsets, limits;
  };
  BoxPlace getPlace(tile::ViewType view);
  mlir::Value load(unsigned index);
  void store(mlir::Value tile, unsigned index);
  void emitCoordinates(mlir::Region &region);

  // Values of the graph.
  mlir::Value evaluate(mlir::Value value);
  mlir::Value evaluateOp(mlir::Operation *op);
  /// A reduction that combines no elements.
  mlir::Value evaluateSingle(graph::ReductionOp op);
  /// The scalar that a constant or by-value operand is, as it is stored; null
  /// for other values.
  mlir::Value getScalar(mlir::OpBuilder &b, mlir::Value value);
  using Body =
      llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::ValueRange)>;
  mlir::Value map(mlir::ValueRange inputs, tile::RegType type, Body body);

  // Reductions.
  void reduce(graph::ReductionOp op);
  mlir::Value emitContribution(graph::ReductionOp op, mlir::Type work);
  mlir::Value accumulate(graph::ReductionOp op, mlir::Type work);
  mlir::Value reduceTile(graph::ReductionOp op, mlir::Value tile);
  mlir::Value finish(graph::ReductionOp op, mlir::Value tile);
  /// Emits `body` for each chunk of columns; once where there is one.
  mlir::Value forEachChunk(mlir::Value initial,
                           llvm::function_ref<mlir::Value(mlir::Value)> body);
  void writeResults();

  mlir::Value i32(int64_t value);

  const KernelSpec &spec;
  const KernelBuffers &buffers;
  const Space &space;
  int64_t rank;
  tile::KernelOp kernel;
  mlir::ImplicitLocOpBuilder b;
  KernelArguments arguments;
  mlir::Attribute distribution;

  // Parameters.
  llvm::SmallVector<mlir::Value> pointers;
  mlir::Value numRows, numColumns, columnTiles;
  llvm::SmallVector<mlir::Value> rowExtents, columnExtents;
  llvm::DenseMap<std::pair<unsigned, unsigned>, mlir::Value> rowStrides,
      columnStrides;
  llvm::DenseMap<mlir::Value, mlir::Value> scalars;

  /// First row and column of the block's tile; the chunk's in a loop.
  mlir::Value row, column;
  /// Coordinates along the row axes, where rows are divided.
  llvm::SmallVector<mlir::Value> rowCoordinates;
  llvm::SmallVector<Access> accesses;
  /// Tiles of the current chunk; those of rows stay.
  llvm::DenseMap<mlir::Value, mlir::Value> tiles, rowTiles;
  /// The loop over chunks that is being written; rows' values go before it.
  mlir::Operation *loop = nullptr;
};

} // namespace opgraph::legalize::nvptx

#endif // OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_ROWKERNEL_H
