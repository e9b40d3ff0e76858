//===- Loops.h - What the judge's loop nests are made of ---------*- C++ -*-==//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The judge emits one nest of scf.for per graph op. Values in flight are
// "wide": f64, or i64 where the op computes in integers.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_HOST_REFERENCE_LOOPS_H
#define OPGRAPH_PASSES_LEGALIZE_HOST_REFERENCE_LOOPS_H

#include "dialects/Graph/GraphDialect.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace opgraph::legalize {

/// Emits loops, loads and stores for the ops of one graph.
class LoopEmitter {
public:
  using Indices = llvm::SmallVector<mlir::Value, 6>;
  using Body = llvm::function_ref<void(mlir::ValueRange indices)>;
  /// One step of a reduction: the accumulators' next values.
  using Step = llvm::function_ref<Indices(mlir::ValueRange indices,
                                          mlir::ValueRange accumulators)>;

  LoopEmitter(mlir::OpBuilder &builder, mlir::Location loc)
      : b(builder), loc(loc) {}

  template <typename OpTy, typename... Args>
  mlir::Value make(Args &&...args) {
    return OpTy::create(b, loc, std::forward<Args>(args)...);
  }

  //===--- Graph values --------------------------------------------------===//

  /// Gives the graph value its memory.
  void bind(mlir::Value value, mlir::Value memref) { memrefs[value] = memref; }
  void bindSymbol(mlir::StringAttr symbol, mlir::Value extent) {
    symbols[symbol] = extent;
  }
  mlir::Value getMemRef(mlir::Value value) { return memrefs.lookup(value); }
  /// Allocates packed memory for each result that has none.
  void allocateResults(mlir::Operation *op);

  static mlir::RankedTensorType typeOf(mlir::Value value) {
    return llvm::cast<mlir::RankedTensorType>(value.getType());
  }
  static mlir::Type elementTypeOf(mlir::Value value) {
    return typeOf(value).getElementType();
  }
  static int64_t rankOf(mlir::Value value) { return typeOf(value).getRank(); }
  /// Whether the extent of `value` at `axis` is 1.
  static bool isOne(mlir::Value value, int64_t axis) {
    return typeOf(value).getDimSize(axis) == 1;
  }

  /// Extents as index values.
  mlir::Value extent(mlir::RankedTensorType type, int64_t axis);
  mlir::Value extent(mlir::Value value, int64_t axis) {
    return extent(typeOf(value), axis);
  }
  Indices extents(mlir::Value value);

  /// The element of `value` at `indices` of a shape that it broadcasts to
  /// (right-aligned), as it is stored.
  mlir::Value loadStored(mlir::Value value, mlir::ValueRange indices);
  /// That element converted to `computeType`, as a wide value.
  mlir::Value load(mlir::Value value, mlir::ValueRange indices,
                   mlir::Type computeType);
  /// An integer element as an index within [0, limit].
  mlir::Value loadClamped(mlir::Value value, mlir::ValueRange indices,
                          mlir::Value limit);
  /// Rounds a wide value to `value`'s element type and stores it.
  void store(mlir::Value wide, mlir::Value value, mlir::ValueRange indices);
  void storeStored(mlir::Value stored, mlir::Value value,
                   mlir::ValueRange indices);

  /// The wide type for `computeType`: f64 or i64.
  mlir::Type wideType(mlir::Type computeType);
  /// A wide integer wrapped to an integer `computeType`; floats stay wide.
  mlir::Value wrap(mlir::Value wide, mlir::Type computeType);

  //===--- Loops ---------------------------------------------------------===//

  /// Runs `body` at all indices below `bounds`, in row-major order.
  void forEach(mlir::ValueRange bounds, Body body);
  /// The accumulators after `step` at all indices below `bounds`, in row-major
  /// order, from `initial`.
  Indices reduce(mlir::ValueRange bounds, mlir::ValueRange initial, Step step);
  /// As `reduce`, with one accumulator.
  mlir::Value reduce(mlir::ValueRange bounds, mlir::Value initial,
                     llvm::function_ref<mlir::Value(mlir::ValueRange indices,
                                                    mlir::Value accumulator)>
                         step);
  /// Emits `body` under `condition`.
  void ifThen(mlir::Value condition, llvm::function_ref<void()> body);

  //===--- Shorthand -----------------------------------------------------===//

  mlir::Value index(int64_t value);
  mlir::Value constant(double value);
  mlir::Value integer(int64_t value);

  mlir::OpBuilder &b;
  mlir::Location loc;

private:
  llvm::DenseMap<mlir::Value, mlir::Value> memrefs;
  llvm::DenseMap<mlir::StringAttr, mlir::Value> symbols;
};

/// The loops of each group of ops.
void emitLoops(LoopEmitter &e, graph::PointwiseOpInterface op);
void emitLoops(LoopEmitter &e, graph::MatmulOp op);
void emitLoops(LoopEmitter &e, graph::ReductionOp op);
void emitLoops(LoopEmitter &e, graph::ReshapeOp op);
void emitLoops(LoopEmitter &e, graph::TransposeOp op);
void emitLoops(LoopEmitter &e, graph::SliceOp op);
void emitLoops(LoopEmitter &e, graph::ConcatenateOp op);
void emitLoops(LoopEmitter &e, graph::ConstantOp op);
void emitLoops(LoopEmitter &e, graph::LayernormOp op);
void emitLoops(LoopEmitter &e, graph::RmsnormOp op);
void emitLoops(LoopEmitter &e, graph::SoftmaxOp op);
void emitLoops(LoopEmitter &e, graph::SdpaOp op);

} // namespace opgraph::legalize

#endif // OPGRAPH_PASSES_LEGALIZE_HOST_REFERENCE_LOOPS_H
