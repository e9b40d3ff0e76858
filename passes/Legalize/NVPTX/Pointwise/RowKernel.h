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

  /// Of a split kernel: what it writes of each of its reductions, one number
  /// a row and portion.
  llvm::SmallVector<Buffer> portions;
  /// Of a kernel that combines portions: where in `list` those of a reduction
  /// are.
  llvm::DenseMap<mlir::Operation *, unsigned> portionsOf;
  /// How many elements a portion's reductions combine in all.
  int64_t count = 0;

  /// The kernel starts while the one before it ends, and waits for that.
  bool startsEarly = false;
  /// The one after it may start while this one runs.
  bool letsNextStart = false;
};

/// What arithmetic of `computeType` is emitted in.
mlir::Type getWorkType(mlir::Type computeType);
/// What the op accumulates in.
mlir::Type getReductionType(graph::ReductionOp op);

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
    /// The shared tile of a turned input.
    mlir::Value turned;
  };

  // Prologue.
  void addArguments();
  void addPortionArguments();
  void locateBlock();
  Access makeAccess(unsigned index);
  mlir::Value emitRowOffset(unsigned index);
  mlir::Value makeGatherView(unsigned index, mlir::Value offset,
                             int64_t vector);
  mlir::Value makeBoxView(unsigned index, mlir::Value offset);
  bool isVectorised(unsigned index, bool isGathered) const;
  bool isTurned(unsigned index) const {
    return llvm::is_contained(space.turned, index);
  }
  mlir::Value makeTurnedView(unsigned index, mlir::Value offset);
  mlir::Value makeTurnedTile(unsigned index);

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
  bool hasRows(const Buffer &buffer);
  bool hasColumns(const Buffer &buffer);
  std::array<int64_t, 2> shapeOf(mlir::Value value);
  std::array<int64_t, 2> shapeOf(const Buffer &buffer);
  /// Where the block's tile is in a view.
  struct BoxPlace {
    std::array<mlir::Value, 2> offsets, limits;
  };
  BoxPlace getPlace(tile::ViewType view);
  mlir::Value load(unsigned index);
  void store(mlir::Value tile, unsigned index);
  void stageTurned();
  mlir::Value loadTurned(unsigned index);
  void emitCoordinates(mlir::Region &region);

  // Values of the graph.
  mlir::Value evaluate(mlir::Value value);
  mlir::Value evaluateOp(mlir::Operation *op);
  /// A reduction that combines no elements.
  mlir::Value evaluateSingle(graph::ReductionOp op);
  /// The scalar that a constant or by-value operand is, as it is stored; null
  /// for other values.
  mlir::Value getScalar(mlir::OpBuilder &b, mlir::Value value);
  mlir::Value evaluateIndex(graph::GenIndexOp op);
  mlir::Value evaluateRandom(graph::RngOp op);
  using Body =
      llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::ValueRange)>;
  mlir::Value map(mlir::ValueRange inputs, tile::RegType type, Body body);

  // Where an element is; inside a map.
  mlir::Value emitAlong(mlir::OpBuilder &builder, bool isRow, unsigned number);
  mlir::Value emitCoordinate(mlir::OpBuilder &builder, unsigned axis);
  mlir::Value emitNumberAlong(mlir::OpBuilder &builder, bool isRow,
                              unsigned number, llvm::ArrayRef<int64_t> strides);
  bool hasWholeQuads(llvm::ArrayRef<int64_t> strides) const;
  /// Of an element's row-major number: that over 4 (i64), and the rest (i32).
  struct QuadPlace {
    mlir::Value quad, word;
  };
  QuadPlace emitQuadPlace(mlir::OpBuilder &builder, mlir::Value value);

  // Reductions.
  void reduceAll();
  void locatePortion();
  void storePortion(mlir::Value tile, const Buffer &buffer, unsigned number);
  /// Of what the reduction combines.
  std::array<int64_t, 2> shapeOf(graph::ReductionOp op);
  unsigned countWalks(mlir::Value value);
  mlir::Value emitContributions(graph::ReductionOp op);
  mlir::Value selectInside(mlir::OpBuilder &builder, mlir::Value x,
                           graph::ReductionMode mode);
  mlir::Value addParts(graph::ReductionOp op, mlir::Value sum,
                       mlir::Value tile);
  llvm::SmallVector<mlir::Value>
  accumulate(llvm::ArrayRef<graph::ReductionOp> reductions);
  mlir::Value reduceTile(graph::ReductionOp op, mlir::Value tile);
  mlir::Value finish(graph::ReductionOp op, mlir::Value tile);
  /// Emits `body` for each chunk of columns, which it takes values to; once
  /// where there is one.
  llvm::SmallVector<mlir::Value> forEachChunk(
      mlir::ValueRange initial,
      llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange)>
          body);
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
  /// Of a split kernel; `blocks` are those of the inner of rows and portions.
  mlir::Value portion, pitch, blocks;
  llvm::SmallVector<mlir::Value> portionPointers;
  /// The average's divisor, where that is not the number of columns.
  mlir::Value count;
  llvm::SmallVector<mlir::Value> rowExtents, columnExtents;
  llvm::DenseMap<std::pair<unsigned, unsigned>, mlir::Value> rowStrides,
      columnStrides;
  llvm::DenseMap<mlir::Value, mlir::Value> scalars;

  /// First row and column of the block's tile; the chunk's in a loop.
  mlir::Value row, column;
  /// The block's portion, and where it ends.
  mlir::Value split, columnEnd;
  /// Coordinates along the row axes, where rows are divided; of the last one
  /// the tile's first row, where tiles lie along it.
  llvm::SmallVector<mlir::Value> rowCoordinates;
  llvm::SmallVector<Access> accesses;
  /// Tiles of the current chunk; those of rows stay.
  llvm::DenseMap<mlir::Value, mlir::Value> tiles, rowTiles;
  llvm::DenseMap<mlir::Value, unsigned> numWalks;
  /// The loop over chunks that is being written; rows' values go before it.
  mlir::Operation *loop = nullptr;
};

} // namespace opgraph::legalize::nvptx

#endif // OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_ROWKERNEL_H
