//===- NormEmitter.h - Loops that the judge's norms share -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A norm reduces some axes of X: its rows are outside, the elements of a row
// inside. Its gradients are sums over rows of what NormGradientEmitter
// computes.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_HOST_REFERENCE_NORMEMITTER_H
#define OPGRAPH_PASSES_LEGALIZE_HOST_REFERENCE_NORMEMITTER_H

#include "passes/Legalize/Host/Reference/Loops.h"

namespace opgraph::legalize {

/// Loops over the rows of `x`, each of which has the elements along `axes`.
class NormEmitter {
public:
  /// A function of the element at `indices` of X.
  using Function = llvm::function_ref<mlir::Value(mlir::ValueRange indices)>;

  NormEmitter(LoopEmitter &e, mlir::Value x, llvm::ArrayRef<int64_t> axes,
              mlir::Type computeType);

  /// Runs `body` for each row; its indices are those of the statistics.
  void forEachRow(LoopEmitter::Body body) { e.forEach(rowBounds, body); }
  /// Runs `body` for each element of a row, at its indices of X.
  void forEachElement(mlir::ValueRange row, LoopEmitter::Body body);

  /// The sum over a row of `function`.
  mlir::Value sum(mlir::ValueRange row, Function function);
  /// The elements of a row, as a float.
  mlir::Value count();
  /// The mean over a row of `function`; NaN over no elements.
  mlir::Value mean(mlir::ValueRange row, Function function);

  /// An element of X.
  mlir::Value element(mlir::ValueRange indices) { return load(x, indices); }
  /// The element of `value`, which broadcasts to X.
  mlir::Value load(mlir::Value value, mlir::ValueRange indices) {
    return e.load(value, indices, computeType);
  }
  /// The one element of `value`.
  mlir::Value loadSingle(mlir::Value value);
  /// 1 / sqrt(variance + epsilon).
  mlir::Value inverseDeviation(mlir::Value variance, mlir::Value epsilon);

  /// Writes y = normalised * scale + bias for each element of a row, without
  /// what is null.
  void writeRow(mlir::ValueRange row, mlir::Value y, mlir::Value scale,
                mlir::Value bias, Function normalised);

private:
  LoopEmitter::Indices at(mlir::ValueRange row, mlir::ValueRange inner);

  LoopEmitter &e;
  mlir::Value x;
  mlir::Type computeType;
  llvm::SmallVector<int64_t> axes;
  LoopEmitter::Indices rowBounds, bounds;
};

/// The operands of a norm's gradient; null where absent.
struct NormGradient {
  mlir::Value dy, x, scale, mean, inverse;
};

/// The terms that the gradients of a norm are made of.
class NormGradientEmitter {
public:
  NormGradientEmitter(LoopEmitter &e, NormGradient operands,
                      mlir::Type computeType)
      : e(e), operands(operands), computeType(computeType) {}

  /// (x - mean) * inverse deviation.
  mlir::Value normalised(mlir::ValueRange indices);
  /// dy.
  mlir::Value outer(mlir::ValueRange indices);
  /// dy * normalised.
  mlir::Value outerNormalised(mlir::ValueRange indices);
  /// dy * scale.
  mlir::Value scaled(mlir::ValueRange indices);
  /// The element of `value`, which broadcasts to X.
  mlir::Value load(mlir::Value value, mlir::ValueRange indices) {
    return e.load(value, indices, computeType);
  }

  /// inverse deviation * (scaled - `mean` - normalised * `meanNormalised`),
  /// without a null `mean`.
  mlir::Value input(mlir::ValueRange indices, mlir::Value mean,
                    mlir::Value meanNormalised);

  /// Writes DX, from means over `axes`.
  void writeInput(mlir::Value dx, llvm::ArrayRef<int64_t> axes);
  /// Writes the sums that `dscale` and `dbias` are, each null where absent:
  /// over the axes along which they have extent 1, or none.
  void writeAffine(mlir::Value dscale, mlir::Value dbias);

private:
  LoopEmitter &e;
  NormGradient operands;
  mlir::Type computeType;
};

} // namespace opgraph::legalize

#endif // OPGRAPH_PASSES_LEGALIZE_HOST_REFERENCE_NORMEMITTER_H
