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
  /// Of a split kernel that combines its portions by atomics: where in `list`
  /// a reduction's result is.
  llvm::DenseMap<mlir::Operation *, unsigned> atomics;
  /// How many elements the portions' reductions combine in all, and each.
  int64_t count = 0, portion = 0;

  /// The kernel starts while the one before it on the stream ends, and waits
  /// for that; the one after it may do so too.
  bool isChained = false;
  /// Its blocks go from the last to the first: it reads again what a kernel
  /// before it has read, of which the end may still be in a cache.
  bool isBackwards = false;
};

/// What arithmetic of `computeType` is emitted in.
mlir::Type getWorkType(mlir::Type computeType);
/// What the op accumulates in.
mlir::Type getReductionType(graph::ReductionOp op);

class RowKernel {
public:
  RowKernel(const KernelSpec &spec, const KernelBuffers &buffers,
            const Space &space, int64_t rank, tile::KernelOp kernel,
            Formulas &formulas);

  /// Adds the kernel's parameters; returns what the launch passes for them.
  mlir::ArrayAttr writeParameters();
  /// Fills the kernel's body, which may add parameters where an element's place
  /// counts; returns what the launch passes for all. What it reads of extents
  /// and strides is listed in KernelClass.cpp.
  mlir::ArrayAttr writeBody();

private:
  /// How a buffer is reached.
  struct Access {
    mlir::Value view;
    /// Coordinates are divided out: the view has the columns' axes.
    bool isGathered = false;
    /// Of a gathered view: its first axis are the rows.
    bool isTall = false;
    /// Elements of a gathered vector.
    int64_t vector = 1;
    /// Of the tile.
    std::array<int64_t, 2> shape = {1, 1};
    /// The shared tile of a turned input.
    mlir::Value turned;
  };

  // Prologue.
  void addArguments();
  void addStrides();
  void addPortionArguments();
  void locateBlock();
  /// Elements that are one row: a block is a tile of its columns.
  bool isOneRow() const { return spec.isElementwise() && space.rows.empty(); }
  Access makeAccess(unsigned index);
  mlir::Value emitRowOffset(unsigned index);
  mlir::Value makeGatherView(unsigned index, mlir::Value offset, int64_t vector,
                             bool isTall);
  mlir::Value makeBoxView(unsigned index, mlir::Value offset);
  bool isVectorised(unsigned index, bool isGathered) const;
  bool isTurned(unsigned index) const {
    return llvm::is_contained(space.turned, index);
  }
  mlir::Value makeTurnedView(unsigned index, mlir::Value offset);
  mlir::Value makeTurnedTile(unsigned index);

  // 4-bit elements.
  /// Whether threads hold several elements of the buffer, two in a byte.
  bool hasPairs(unsigned index) {
    const Buffer &buffer = buffers.list[index];
    return buffer.isPacked && (hasRows(buffer) || hasColumns(buffer));
  }
  mlir::Value half(mlir::Value number);
  Access makePackedAccess(unsigned index);
  void emitPackedCoordinates(mlir::Region &region, bool isTall);
  tile::RegType packedType(const Access &access);
  mlir::Value loadPacked(const Access &access);
  void storePacked(mlir::Value tile, const Access &access);
  mlir::Value keepOtherHalf(mlir::Value tile, mlir::Value byte);

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
  tile::Cache getCache(unsigned index);
  mlir::Value load(unsigned index);
  mlir::Value loadFromMemory(unsigned index);
  bool isKept(unsigned index);
  mlir::Type getStoredType(unsigned index);
  void makeKeptTile(unsigned index);
  mlir::Value sliceKept(unsigned index);
  void store(mlir::Value tile, unsigned index);
  void stageTurned();
  void evaluateShared();
  // Rows that begin between whole vectors.
  bool isShifted(unsigned index) const;
  mlir::Value emitRowStart(unsigned index);
  void shiftRow();
  Access makeShiftedAccess(unsigned index);
  mlir::Value loadShifted(unsigned index);
  void storeFirst(mlir::Value tile, unsigned index);
  void storeShifted(mlir::Value tile, unsigned index);
  mlir::Value loadTurned(unsigned index);
  void emitCoordinates(mlir::Region &region, bool isTall);

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
  using WideBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::OpBuilder &, mlir::ValueRange)>;
  llvm::SmallVector<mlir::Value> mapAll(mlir::ValueRange inputs,
                                        mlir::TypeRange types, WideBody body);

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
  bool isSplitOuter() const;
  void locatePortion();
  void combineInMemory(graph::ReductionOp op, mlir::Value tile);
  void storePortion(mlir::Value tile, const Buffer &buffer, unsigned number);
  /// Of what the reduction combines.
  std::array<int64_t, 2> shapeOf(graph::ReductionOp op);
  unsigned countWalks(mlir::Value value);
  mlir::Value emitContributions(graph::ReductionOp op);
  bool addsExactProducts(graph::ReductionOp op);
  enum class Outside { Unknown, Zero, Least };
  Outside getOutside(mlir::Value value);
  void chooseOutside();
  bool isNeutralOutside(graph::ReductionOp op);
  mlir::Value selectInside(mlir::OpBuilder &builder, mlir::Value x,
                           graph::ReductionMode mode);
  /// Whether some tile has columns past the last.
  bool hasTail() const;
  /// A chunk's parts, of one vector a thread.
  llvm::SmallVector<mlir::Value> splitParts(mlir::Value tile,
                                            tile::RegType type);
  mlir::Value addParts(graph::ReductionOp op, mlir::Value sum,
                       mlir::Value tile);
  llvm::SmallVector<mlir::Value> startReduction(graph::ReductionOp op);
  llvm::SmallVector<llvm::SmallVector<mlir::Value>>
  accumulate(llvm::ArrayRef<graph::ReductionOp> reductions);
  void keepReduced(graph::ReductionOp op, mlir::Value tile);
  mlir::Value reduceTile(graph::ReductionOp op, mlir::Value tile);
  void finishWalk(llvm::ArrayRef<graph::ReductionOp> walk,
                  llvm::ArrayRef<llvm::SmallVector<mlir::Value>> tilesOf);

  // Clusters.
  llvm::SmallVector<llvm::SmallVector<mlir::Value>>
  exchange(llvm::ArrayRef<mlir::Value> own);
  void storeRows(mlir::Value tile, unsigned index);
  mlir::Value combine(graph::ReductionOp op, llvm::ArrayRef<mlir::Value> parts);
  void joinPair(ReductionPair pair, llvm::ArrayRef<mlir::Value> firsts,
                llvm::ArrayRef<mlir::Value> seconds);
  mlir::Value joinMoments(ReductionPair pair,
                          llvm::ArrayRef<mlir::Value> firsts,
                          llvm::ArrayRef<mlir::Value> seconds);
  mlir::Value joinExponentials(ReductionPair pair,
                               llvm::ArrayRef<mlir::Value> firsts,
                               llvm::ArrayRef<mlir::Value> seconds);
  mlir::Value finish(graph::ReductionOp op, mlir::Value tile);
  /// Emits `body` for each chunk of columns, which it takes values to, the last
  /// chunk first if it `isBackwards`; once where there is one.
  llvm::SmallVector<mlir::Value> forEachChunk(
      mlir::ValueRange initial,
      llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange)> body,
      bool isBackwards = false);
  void writeResults();

  // Pairs of reductions in one walk.
  const ReductionPair *findPair(graph::ReductionOp op) const;
  bool walksAsPair(graph::ReductionOp op) const;
  tile::RegType getSlotType(graph::ReductionOp op);
  llvm::SmallVector<mlir::Value> startPair(ReductionPair pair);
  void readParts(mlir::OpBuilder &builder, ReductionPair pair,
                 tile::RegType type, mlir::ValueRange args,
                 llvm::SmallVectorImpl<mlir::Value> &parts,
                 llvm::SmallVectorImpl<mlir::Value> &inside);
  llvm::SmallVector<mlir::Value>
  addPair(ReductionPair pair, mlir::ValueRange kept, mlir::Value start);
  llvm::SmallVector<mlir::Value>
  addExponentials(mlir::OpBuilder &builder, ReductionPair pair,
                  mlir::ValueRange kept,
                  llvm::MutableArrayRef<mlir::Value> parts,
                  llvm::ArrayRef<mlir::Value> inside);
  mlir::Value emitExponential(mlir::OpBuilder &builder, ReductionPair pair,
                              mlir::Value x);
  mlir::Value countSlotColumns(mlir::OpBuilder &builder, tile::RegType type);
  void finishMoments(ReductionPair pair, mlir::ValueRange kept,
                     llvm::SmallVectorImpl<mlir::Value> &sums);
  mlir::Value averageOf(mlir::Value sum);
  void finishExponentials(ReductionPair pair, mlir::ValueRange kept,
                          llvm::SmallVectorImpl<mlir::Value> &sums);
  mlir::Value rescale(mlir::OpBuilder &builder, ReductionPair pair,
                      mlir::ValueRange args);
  llvm::SmallVector<mlir::Value> finishPair(ReductionPair pair,
                                            mlir::ValueRange kept);
  mlir::Value emitPortionsOfSecond(ReductionPair pair);
  mlir::Value addMomentsOfPortion(mlir::OpBuilder &builder,
                                  mlir::ValueRange args);

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
  /// Of a split kernel: tiles of a portion; `blocks` are those of the inner of
  /// rows and portions.
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
  /// Where rows begin between whole vectors: by how many elements, and the
  /// tile's column counted from the whole vector.
  mlir::Value shift, wholeColumn;
  /// What is loaded outside of such a row is the least number, else zero.
  bool isLeastOutside = false;
  /// The block's portion, and where it ends.
  mlir::Value split, columnEnd;
  /// Coordinates along the row axes, where rows are divided; of the last one
  /// the tile's first row, where tiles lie along it.
  llvm::SmallVector<mlir::Value> rowCoordinates;
  llvm::SmallVector<Access> accesses;
  /// Tiles of the current chunk; those of rows stay.
  llvm::DenseMap<mlir::Value, mlir::Value> tiles, rowTiles;
  llvm::DenseMap<mlir::Value, unsigned> numWalks;
  /// Of inputs that are kept: chunks of tiles.
  llvm::DenseMap<unsigned, mlir::Value> keptTiles;
  /// Of the chunks of this CTA.
  mlir::Value firstColumn;
  bool isFirstWalk = true;
  /// The loop over chunks that is being written; rows' values go before it.
  mlir::Operation *loop = nullptr;
};

} // namespace opgraph::legalize::nvptx

#endif // OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_ROWKERNEL_H
