//===- Emitter.h - From graph values to tensors -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the emitters of single ops share: the tensor that stands for each graph
// value, extents by symbol, and short forms of the linalg ops that they build.
// A graph value is a tensor of its storage type and extents, without encoding.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_HOST_FUSED_EMITTER_H
#define OPGRAPH_PASSES_LEGALIZE_HOST_FUSED_EMITTER_H

#include "dialects/Graph/GraphDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace opgraph::legalize::fused {

using Extents = llvm::SmallVector<mlir::OpFoldResult>;

/// An operand of a generic op and how its loops index it.
struct Operand {
  mlir::Value tensor;
  mlir::AffineMap map;
};

/// Emits the scalar result of a generic op from its operands' elements.
using ScalarBody = llvm::function_ref<mlir::Value(
    mlir::OpBuilder &, mlir::Location, mlir::ValueRange)>;

/// f32 for f16, bf16 and f32; f64, i32 and i64 for themselves: where an op with
/// this compute type computes and accumulates.
mlir::Type getWorkType(mlir::Type computeType);

/// Element operations below which a loop is too little work to share among
/// threads (plan::sequentialAttrName).
inline constexpr int64_t kMinParallelWork = 1 << 15;

class Emitter {
public:
  Emitter(mlir::OpBuilder &builder, mlir::Location loc)
      : b(builder), loc(loc) {}

  /// The tensor of a graph value.
  mlir::Value lookup(mlir::Value value) const { return tensors.lookup(value); }
  void define(mlir::Value value, mlir::Value tensor) {
    tensors[value] = tensor;
  }
  void bindSymbol(mlir::StringAttr symbol, mlir::Value extent) {
    symbols[symbol] = extent;
  }

  /// The extents of a graph value, dynamic ones by their symbol.
  Extents getExtents(mlir::Value graphValue);
  /// Whether the type of a graph value says that it has no element.
  static bool isEmpty(mlir::Value graphValue) {
    return llvm::is_contained(getType(graphValue).getShape(), 0);
  }
  static mlir::RankedTensorType getType(mlir::Value graphValue) {
    return llvm::cast<mlir::RankedTensorType>(graphValue.getType());
  }

  mlir::Value index(int64_t value);
  mlir::Value index(mlir::OpFoldResult value);
  /// A float or integer constant of a work type.
  mlir::Value constant(mlir::Type workType, double value);
  /// The wider work-type value of a graph constant.
  mlir::Value scalar(mlir::TypedAttr value, mlir::Type workType);

  mlir::Value empty(llvm::ArrayRef<mlir::OpFoldResult> extents,
                    mlir::Type elementType);
  /// The same with the extents and the storage type of a graph value.
  mlir::Value emptyFor(mlir::Value graphValue);
  mlir::Value fill(mlir::Value tensor, mlir::Value scalar);

  /// A linalg.generic with one result, written over or accumulated into `init`.
  mlir::Value generic(llvm::ArrayRef<Operand> inputs, Operand init,
                      llvm::ArrayRef<mlir::utils::IteratorType> iterators,
                      ScalarBody body);
  /// The same where every loop is parallel and `init` is indexed by the loops.
  mlir::Value elementwise(llvm::ArrayRef<Operand> inputs, mlir::Value init,
                          ScalarBody body);

  mlir::AffineMap identity(unsigned rank);
  /// How loops over `to` index a right-aligned operand that broadcasts to it.
  mlir::AffineMap broadcastMap(mlir::RankedTensorType from,
                               mlir::RankedTensorType to);

  /// The elements of a graph value converted to `computeType`, in its work
  /// type: the value itself where it is of that type.
  mlir::Value toWork(mlir::Value graphValue, mlir::Type computeType);
  /// Rounds a work-type tensor to `graphValue`'s element type and defines it.
  void defineRounded(mlir::Value graphValue, mlir::Value workTensor);

  /// Defines `graphValue` as `value` everywhere, rounded to its element type.
  void defineFilled(mlir::Value graphValue, double value);

  /// A box of a tensor with unit steps.
  mlir::Value slice(mlir::Value tensor,
                    llvm::ArrayRef<mlir::OpFoldResult> offsets,
                    llvm::ArrayRef<mlir::OpFoldResult> sizes);

  mlir::OpBuilder &b;
  mlir::Location loc;

private:
  llvm::DenseMap<mlir::Value, mlir::Value> tensors;
  llvm::DenseMap<mlir::StringAttr, mlir::Value> symbols;
};

/// For each pointwise op of the graph that is computed inside a later one's
/// loop: that op. Ops absent from the map get a loop of their own.
llvm::DenseMap<mlir::Operation *, mlir::Operation *>
groupPointwise(graph::GraphOp graph);

/// One loop for pointwise op `root` and all ops grouped under it.
void emitPointwise(
    Emitter &e, mlir::Operation *root,
    const llvm::DenseMap<mlir::Operation *, mlir::Operation *> &groups);
void emit(Emitter &e, graph::ConstantOp op);
void emit(Emitter &e, graph::MatmulOp op);
void emit(Emitter &e, graph::ReductionOp op);
void emit(Emitter &e, graph::ReshapeOp op);
void emit(Emitter &e, graph::TransposeOp op);
void emit(Emitter &e, graph::SliceOp op);
void emit(Emitter &e, graph::ConcatenateOp op);
void emit(Emitter &e, graph::LayernormOp op);
void emit(Emitter &e, graph::RmsnormOp op);
void emit(Emitter &e, graph::SoftmaxOp op);
void emit(Emitter &e, graph::SdpaOp op);

} // namespace opgraph::legalize::fused

#endif // OPGRAPH_PASSES_LEGALIZE_HOST_FUSED_EMITTER_H
