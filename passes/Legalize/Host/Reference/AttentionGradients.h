//===- AttentionGradients.h - The loops of a backward op ---------*- C++ -*-==//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pass over the scores of a batch: each row gives its row of dQ and adds
// its terms to f64 sums for dK and dV, always in the same order.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_HOST_REFERENCE_ATTENTIONGRADIENTS_H
#define OPGRAPH_PASSES_LEGALIZE_HOST_REFERENCE_ATTENTIONGRADIENTS_H

#include "passes/Legalize/Host/Reference/AttentionScores.h"

#include <array>

namespace opgraph::legalize {

/// Wide sums or maxima in scratch memory.
class Accumulator {
public:
  Accumulator(LoopEmitter &e, mlir::ValueRange extents);

  void clear();
  mlir::Value load(mlir::ValueRange at);
  void add(mlir::Value term, mlir::ValueRange at);
  /// Keeps the largest magnitude, or NaN.
  void raise(mlir::Value term, mlir::ValueRange at);

private:
  void store(mlir::Value value, mlir::ValueRange at);

  LoopEmitter *e;
  LoopEmitter::Indices extents;
  mlir::Value memref;
};

/// One of dQ, dK and dV on its way from sum to result.
struct Gradient {
  AttentionTensor result;
  /// A result for the largest magnitude; null for none.
  mlir::Value amax;
  /// Applied before the amax, and after; null for none.
  mlir::Value factor, scale;
  std::optional<Accumulator> largest;
};

/// Where terms come from: wide elements at [batch, own head, row, d].
struct GradientSources {
  /// O and dO of D = rowsum(dO * O).
  AttentionScores::Load output, outputGradient;
  /// V and dO of dP = dO V^T.
  AttentionScores::Load value, gradient;
  /// K of dQ, Q of dK, and dO of dV.
  AttentionScores::Load keyOfDQ, queryOfDK, gradientOfDV;
};

/// How P and dS are rounded for the products of an fp8 op.
struct GradientRounding {
  mlir::Value scaleP, scaleDS, amaxDS;
  mlir::Type typeP, typeDS;
};

/// The loops of one backward op. Its op fills the public members, then emits.
class GradientEmitter {
public:
  using Load = AttentionScores::Load;

  GradientEmitter(LoopEmitter &e, mlir::Operation *op, mlir::Value stats);

  void emit();

  LoopEmitter &e;
  graph::Attention attention;
  AttentionScores scores;
  AttentionTensor stats;
  GradientSources sources;
  std::optional<Gradient> dQ, dK, dV;
  std::optional<GradientRounding> rounding;
  /// Optional results.
  mlir::Value dBias, dSink, dump;

  /// Sources: a tensor that outlives the emitter; V, K and Q as the scores read
  /// them; another source times a scale of its whole tensor.
  Load loader(AttentionTensor &tensor);
  Load loadV();
  Load loadK();
  Load loadQ();
  Load scaled(Load load, mlir::Value scale);
  Gradient makeGradient(mlir::Value result, llvm::StringRef port,
                        mlir::Value amax = {}, mlir::Value factor = {},
                        mlir::Value scale = {});

private:
  using Batch = AttentionScores::Batch;
  /// One score.
  struct Place {
    const Batch &batch;
    mlir::Value head, row, column;
  };

  void allocate();
  void emitRow(const Batch &batch, mlir::Value head, mlir::Value row);
  void emitLiveRow(const Batch &batch, mlir::Value head, mlir::Value row,
                   mlir::Value lse);
  mlir::Value emitRowDelta(const Batch &batch, mlir::Value head,
                           mlir::Value row);
  void emitSinkTerm(mlir::Value head, mlir::Value lse, mlir::Value delta);
  std::array<mlir::Value, 2> emitModified(const Place &at, mlir::Value product,
                                          mlir::Value ds);
  void emitElement(const Place &at, mlir::Value product, mlir::Value score,
                   mlir::Value lse, mlir::Value delta);
  void emitProducts(const Place &at, mlir::Value ds, mlir::Value weight);
  void addBiasTerm(const Place &at, mlir::Value ds);
  void write(Gradient &gradient, mlir::Value sum, mlir::ValueRange position,
             mlir::Value length);
  void writeSums(const Batch &batch);
  void writeTotals();
  void emitDump();

  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value isUnmasked(mlir::Value score);
  mlir::Value zero() { return e.index(0); }

  /// Sums: of a row of dQ, of dK and dV of a batch, of all batches.
  std::optional<Accumulator> queryRow, keySums, valueSums, biasSums, sinkSums,
      largestDS;
};

} // namespace opgraph::legalize

#endif // OPGRAPH_PASSES_LEGALIZE_HOST_REFERENCE_ATTENTIONGRADIENTS_H
