//===- KernelArguments.h - Parameters of a kernel and its launch *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_KERNELARGUMENTS_H
#define OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_KERNELARGUMENTS_H

#include "dialects/Plan/PlanDialect.h"
#include "dialects/Tile/TileDialect.h"
#include "passes/Legalize/NVPTX/Pointwise/Formulas.h"
#include "passes/Legalize/NVPTX/Pointwise/Space.h"

namespace opgraph::legalize::nvptx {

/// The map of one formula of the program's symbols.
mlir::AffineMap getMap(mlir::AffineExpr formula);

/// Adds parameters to a kernel's body and, one to one, what a launch passes.
/// Extents and strides are parameters, so that kernels of one class are equal
/// whatever the sizes.
class KernelArguments {
public:
  KernelArguments(mlir::Block &body, Formulas &formulas)
      : formulas(formulas), body(body) {}

  /// What the numbers of the shapes stand for.
  Formulas &formulas;

  mlir::Value addPointer(const Buffer &buffer);
  /// A by-value operand of the plan, as `type` (f32, f64, i32 or i64).
  mlir::Value addScalar(int64_t operand, mlir::Type type);
  /// Products of the graph's numbers, or what stands for a formula.
  mlir::Value addI32(int64_t value);
  mlir::Value addI64(int64_t value);
  /// An i64 that is itself, whatever divides it.
  mlir::Value addConstant(int64_t value);

  mlir::ArrayAttr getLaunchArguments() const;

private:
  mlir::Value add(mlir::Type type, mlir::Attribute argument);
  mlir::Value addInteger(mlir::AffineExpr formula, mlir::Type type);

  mlir::Block &body;
  llvm::SmallVector<mlir::Attribute> arguments;
};

} // namespace opgraph::legalize::nvptx

#endif // OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_KERNELARGUMENTS_H
