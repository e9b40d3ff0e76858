//===- Expansion.h - Writing an op in simpler ones --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An op's parts as pointwise ops and reductions. Values between them have the
// type that the op computes in (f32, or f64 where it computes in f64), so that
// nothing rounds that the op itself does not round.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_TRANSFORMS_EXPANSION_H
#define OPGRAPH_PASSES_TRANSFORMS_EXPANSION_H

#include "dialects/Graph/Extents.h"
#include "dialects/Graph/GraphDialect.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/PatternMatch.h"

namespace opgraph {

/// On an op whose result engines must not approximate: it decides which way a
/// narrower type rounds.
inline constexpr llvm::StringLiteral kExactAttrName = "exact";

/// On a division in f32 whose result is only rounded to a narrow float, by
/// divisors above 0 of few bits and no extreme exponents: that is to give
/// what rounding the exact quotient gives.
inline constexpr llvm::StringLiteral kStickyAttrName = "sticky";

/// Emits the parts of one op before it.
class Expansion {
public:
  Expansion(mlir::IRRewriter &rewriter, graph::ComputeTypeOpInterface op);

  mlir::Value add(mlir::Value a, mlir::Value b) {
    return binary<graph::AddOp>(a, b);
  }
  mlir::Value sub(mlir::Value a, mlir::Value b) {
    return binary<graph::SubOp>(a, b);
  }
  mlir::Value mul(mlir::Value a, mlir::Value b) {
    return binary<graph::MulOp>(a, b);
  }
  mlir::Value div(mlir::Value a, mlir::Value b) {
    return binary<graph::DivOp>(a, b);
  }
  mlir::Value max(mlir::Value a, mlir::Value b) {
    return binary<graph::MaxOp>(a, b);
  }
  mlir::Value square(mlir::Value a) { return mul(a, a); }
  mlir::Value sqrt(mlir::Value a) { return unary<graph::SqrtOp>(a); }
  mlir::Value reciprocal(mlir::Value a) {
    return unary<graph::ReciprocalOp>(a);
  }
  mlir::Value cos(mlir::Value a) { return unary<graph::CosOp>(a); }
  mlir::Value sin(mlir::Value a) { return unary<graph::SinOp>(a); }
  /// A constant of one element and `rank` axes.
  mlir::Value constant(double value, int64_t rank);

  /// `x` combined along `axes`, whose extent becomes 1.
  mlir::Value mean(mlir::Value x, llvm::ArrayRef<int64_t> axes) {
    return reduce(graph::ReductionMode::AVG, x, axes);
  }
  mlir::Value sum(mlir::Value x, llvm::ArrayRef<int64_t> axes) {
    return reduce(graph::ReductionMode::ADD, x, axes);
  }
  mlir::Value maximum(mlir::Value x, llvm::ArrayRef<int64_t> axes) {
    return reduce(graph::ReductionMode::MAX, x, axes);
  }
  /// The largest magnitude.
  mlir::Value amax(mlir::Value x, llvm::ArrayRef<int64_t> axes) {
    return reduce(graph::ReductionMode::AMAX, x, axes);
  }
  mlir::Value exp(mlir::Value a) { return unary<graph::ExpOp>(a); }
  mlir::Value log(mlir::Value a) { return unary<graph::LogOp>(a); }
  /// 1 where `a` equals `b`, else 0.
  mlir::Value isEqual(mlir::Value a, mlir::Value b) {
    return binary<graph::CmpEqOp>(a, b);
  }
  /// 1 where `a` is below `b`, else 0.
  mlir::Value isLess(mlir::Value a, mlir::Value b) {
    return binary<graph::CmpLtOp>(a, b);
  }
  /// `a` where `mask` is not 0, else `b`.
  mlir::Value select(mlir::Value mask, mlir::Value a, mlir::Value b) {
    return graph::BinarySelectOp::create(rewriter, loc, typeFor({a, b, mask}),
                                         a, b, mask, computeType);
  }
  /// `x` summed to the extents of `like`, to which it is the broadcast.
  mlir::Value sumTo(mlir::Value x, mlir::Value like);

  mlir::TypeAttr getComputeType() const { return computeType; }

  /// Replaces `result` by `value`, rounded to the result's element type.
  void replace(mlir::Value result, mlir::Value value);
  /// Erases the op, whose results have all been replaced.
  void finish();

private:
  /// Rounds the op's operands to a compute type narrower than f32.
  void roundOperands(mlir::Type narrow);
  /// Gives operands of one element (an epsilon) that have more axes than the
  /// results one axis, so that what they take part in keeps its rank.
  void flattenScalars();
  mlir::Value reduce(graph::ReductionMode mode, mlir::Value x,
                     llvm::ArrayRef<int64_t> axes);
  /// The type of a pointwise result: the operands' broadcast extents, packed in
  /// the memory order of the first operand that has them.
  mlir::RankedTensorType typeFor(mlir::ValueRange operands);
  template <typename OpTy>
  mlir::Value unary(mlir::Value a) {
    return OpTy::create(rewriter, loc, typeFor(a), a, computeType);
  }
  template <typename OpTy>
  mlir::Value binary(mlir::Value a, mlir::Value b) {
    return OpTy::create(rewriter, loc, typeFor({a, b}), a, b, computeType);
  }

  mlir::IRRewriter &rewriter;
  mlir::Operation *op;
  mlir::Location loc;
  /// Where the parts compute, and the element type of values between them.
  mlir::TypeAttr computeType;
  mlir::Type elementType;
};

/// Whether `op` is one that expandOps replaces.
bool isExpandable(mlir::Operation *op);

/// A copy of `graph` in which all norms and softmax are pointwise ops and
/// reductions, for an engine that has code for these only; null where there was
/// none.
mlir::OwningOpRef<graph::GraphOp> expandAll(graph::GraphOp graph);

/// Replaces every expandable op of `graph`.
void expandInPlace(graph::GraphOp graph);

/// A copy of `graph` in which no op is expandable; null where none was.
mlir::OwningOpRef<graph::GraphOp> expandOps(graph::GraphOp graph);

} // namespace opgraph

#endif // OPGRAPH_PASSES_TRANSFORMS_EXPANSION_H
