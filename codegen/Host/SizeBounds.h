//===- SizeBounds.h - Sizes as expressions of a plan's symbols --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_HOST_SIZEBOUNDS_H
#define OPGRAPH_CODEGEN_HOST_SIZEBOUNDS_H

#include "dialects/Plan/PlanDialect.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <optional>

namespace opgraph::codegen {

/// Which side of a value an expression must stay on.
enum class BoundKind { Lower, Upper, Exact };

/// Bounds index values of a host entry by expressions of the plan's symbols.
/// All values are taken to be at least 0, as sizes and indices are.
class SizeBounds {
public:
  SizeBounds(plan::ProgramOp program, mlir::FunctionOpInterface function);

  /// An expression of symbols that bounds `value`, or none.
  std::optional<mlir::AffineExpr> bound(mlir::Value value, BoundKind kind);

  /// A bound of the extent of `memref` at `axis`.
  std::optional<mlir::AffineExpr> boundExtent(mlir::Value memref, int64_t axis,
                                              BoundKind kind);

  unsigned getNumSymbols() const { return symbols.size(); }

private:
  using Bound = std::optional<mlir::AffineExpr>;

  Bound boundArgument(mlir::BlockArgument argument, BoundKind kind);
  Bound boundArith(mlir::Operation *op, BoundKind kind);
  Bound boundMinMax(mlir::ArrayRef<Bound> values, bool isMin, BoundKind kind);
  Bound boundMap(mlir::AffineExpr expr, mlir::ValueRange operands,
                 unsigned numDims, BoundKind kind);
  Bound combine(mlir::AffineExprKind op, Bound lhs, Bound rhs);
  Bound boundFoldResult(mlir::OpFoldResult value, BoundKind kind);

  mlir::MLIRContext *context;
  mlir::FunctionOpInterface function;
  std::vector<plan::SymbolOp> symbols;
  std::vector<plan::OperandOp> operands;
};

/// Emits `expr`, over the symbols of `program`, as index arithmetic. Symbols
/// are read from the descriptors of `arguments`, the operands of the plan.
mlir::Value materializeSize(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::AffineExpr expr, plan::ProgramOp program,
                            mlir::ValueRange arguments);

/// The program of `module` that calls `entry`; null without one.
plan::ProgramOp findProgram(mlir::Operation *module, llvm::StringRef entry);

} // namespace opgraph::codegen

#endif // OPGRAPH_CODEGEN_HOST_SIZEBOUNDS_H
