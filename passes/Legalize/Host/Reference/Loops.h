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
#include "passes/Legalize/Host/Reference/ByteView.h"
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

  /// Gives the graph value its memory: a temporary, one element per index in
  /// its storage type.
  void bind(mlir::Value value, mlir::Value memref) { memrefs[value] = memref; }
  /// Gives an argument or a returned value the memory of an operand of the
  /// entry, which holds elements as their layout says.
  void bindOperand(mlir::Value value, mlir::Value memref);
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
  /// The one element of `value`, as `load` gives it.
  mlir::Value loadSingle(mlir::Value value, mlir::Type computeType);
  /// An integer element as an index within [0, limit].
  mlir::Value loadClamped(mlir::Value value, mlir::ValueRange indices,
                          mlir::Value limit);
  /// Rounds a wide value to `value`'s element type and stores it.
  void store(mlir::Value wide, mlir::Value value, mlir::ValueRange indices);
  /// Stores the one element of `value`.
  void storeSingle(mlir::Value wide, mlir::Value value);
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
  /// What `body`, emitted under `condition`, yields; `otherwise` without it.
  mlir::Value choose(mlir::Value condition,
                     llvm::function_ref<mlir::Value()> body,
                     mlir::Value otherwise);

  //===--- Shorthand -----------------------------------------------------===//

  mlir::Value index(int64_t value);
  mlir::Value constant(double value);
  mlir::Value integer(int64_t value);
  /// 0 as a wide value.
  mlir::Value zero(mlir::Type computeType);
  /// Of two floats or of two integers.
  mlir::Value add(mlir::Value l, mlir::Value r);
  mlir::Value multiply(mlir::Value l, mlir::Value r);

  mlir::OpBuilder &b;
  mlir::Location loc;

private:
  llvm::DenseMap<mlir::Value, mlir::Value> memrefs;
  /// Of the operands that need one.
  llvm::DenseMap<mlir::Value, ByteView> byteViews;
  llvm::DenseMap<mlir::StringAttr, mlir::Value> symbols;
};

/// One element of a pointwise op's result, at `indices`, as a wide value.
/// `loadStored` gives the element of an operand there, as it is stored.
mlir::Value
emitPointwiseElement(LoopEmitter &e, graph::PointwiseOpInterface op,
                     mlir::ValueRange indices,
                     llvm::function_ref<mlir::Value(mlir::Value)> loadStored);

/// The value of a constant's elements as a wide value.
mlir::Value emitConstant(LoopEmitter &e, graph::ConstantOp op);

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
void emitLoops(LoopEmitter &e, graph::ConvFpropOp op);
void emitLoops(LoopEmitter &e, graph::ConvDgradOp op);
void emitLoops(LoopEmitter &e, graph::ConvWgradOp op);
void emitLoops(LoopEmitter &e, graph::ResampleOp op);
void emitLoops(LoopEmitter &e, graph::ResampleBackwardOp op);
void emitLoops(LoopEmitter &e, graph::LayernormBackwardOp op);
void emitLoops(LoopEmitter &e, graph::RmsnormBackwardOp op);
void emitLoops(LoopEmitter &e, graph::AdalayernormOp op);
void emitLoops(LoopEmitter &e, graph::AdalayernormBackwardOp op);
void emitLoops(LoopEmitter &e, graph::InstancenormOp op);
void emitLoops(LoopEmitter &e, graph::InstancenormBackwardOp op);
void emitLoops(LoopEmitter &e, graph::BatchnormOp op);
void emitLoops(LoopEmitter &e, graph::BatchnormInferenceOp op);
void emitLoops(LoopEmitter &e, graph::BatchnormBackwardOp op);
void emitLoops(LoopEmitter &e, graph::GenstatsOp op);
void emitLoops(LoopEmitter &e, graph::BnFinalizeOp op);
void emitLoops(LoopEmitter &e, graph::DbnWeightOp op);
void emitLoops(LoopEmitter &e, graph::MatmulFp8Op op);
void emitLoops(LoopEmitter &e, graph::BlockScaleDequantizeOp op);
void emitLoops(LoopEmitter &e, graph::BlockScaleQuantizeOp op);
void emitLoops(LoopEmitter &e, graph::RngOp op);
void emitLoops(LoopEmitter &e, graph::RopeOp op);
void emitLoops(LoopEmitter &e, graph::RopeBackwardOp op);
void emitLoops(LoopEmitter &e, graph::MoeGroupedMatmulOp op);
void emitLoops(LoopEmitter &e, graph::MoeGroupedMatmulBwdOp op);
void emitLoops(LoopEmitter &e, graph::SdpaBackwardOp op);
void emitLoops(LoopEmitter &e, graph::SdpaFp8BackwardOp op);
void emitLoops(LoopEmitter &e, graph::SdpaMxfp8BackwardOp op);
void emitLoops(LoopEmitter &e, graph::SdpaFp8Op op);
void emitLoops(LoopEmitter &e, graph::SdpaMxfp8Op op);
void emitLoops(LoopEmitter &e, graph::PagedCacheLoadOp op);
void emitLoops(LoopEmitter &e, graph::DiagonalBandMaskOp op);

} // namespace opgraph::legalize

#endif // OPGRAPH_PASSES_LEGALIZE_HOST_REFERENCE_LOOPS_H
