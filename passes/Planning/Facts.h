//===- Facts.h - What planning knows about a graph --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The frozen graph, parsed once. Facts describe and never judge: capability
// rows do. They are plain values, so that a proposed change can be tried on a
// copy and a composite can take the facts of one of its groups.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_PLANNING_FACTS_H
#define OPGRAPH_PASSES_PLANNING_FACTS_H

#include "passes/Planning/DType.h"
#include "passes/Planning/Family.h"
#include "passes/Transforms/AtomicReductions.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <variant>

namespace mlir {
class Operation;
}

namespace opgraph::planning {

class CudnnProblem;

/// What an unknown extent counts as in predictions. Capabilities never use it.
inline constexpr int64_t kNominalExtent = 256;

/// How a tensor's elements lie in memory.
enum class LayoutClass : uint8_t {
  /// Packed row-major.
  Contiguous,
  /// Packed in another order of the axes.
  Permuted,
  /// With gaps, the innermost stride 1.
  Padded,
  /// No axis longer than 1 has stride 1, or strides are known at the call only.
  Strided
};

/// A value of the graph: an argument, or a result of an op.
struct ValueFacts {
  /// The label of a port, "uid 1" where it has none; "matmul.0" for the result
  /// of an op, "sdpa.0#1" where it has several.
  std::string name;
  DType type = DType::F32;
  LayoutClass layout = LayoutClass::Contiguous;
  /// Physical order beyond strides, as the layout spells it.
  llvm::StringRef reordering = "none";
  /// kDynamic where unknown.
  llvm::SmallVector<int64_t, 6> dims;
  /// Elements, unknown extents counted as kNominalExtent.
  int64_t elements = 0;
  /// Bytes of the storage of all elements, gaps included.
  int64_t bytes = 0;
  bool isDynamic = false;
  bool isArgument = false;
  bool isOutput = false;
  bool isByValue = false;
  /// Whether it is no result of the graph and no argument.
  bool isTemporary() const { return !isArgument && !isOutput; }
};

/// Arithmetic of an op; each count is of one whole execution.
struct Work {
  /// Additions, multiplications, comparisons.
  double flops = 0;
  /// Calls of exp, tanh, erf and their kin.
  double transcendentals = 0;
  /// Multiply-adds that a matrix pipeline runs, counted as two.
  double matrixFlops = 0;

  Work &operator+=(const Work &other) {
    flops += other.flops;
    transcendentals += other.transcendentals;
    matrixFlops += other.matrixFlops;
    return *this;
  }
};

/// One op of the graph. Operands and results index GraphFacts::values.
struct OpFacts {
  /// "matmul", without the dialect.
  std::string mnemonic;
  bool isPointwise = false;
  DType compute = DType::F32;
  llvm::SmallVector<unsigned, 4> operands;
  llvm::SmallVector<unsigned, 2> results;
  /// Optional parts of the op that are in use and that engines tell apart
  /// ("dropout", "group_offset"); see Features.h.
  llvm::SmallVector<llvm::StringRef, 2> features;
  /// Extents of an attention op's scores, [B, Hq, Sq, Skv]; empty for others.
  llvm::SmallVector<int64_t, 4> scores;
  Work work;
};

/// The problem that a pointwise graph is, seen as rows of an outer loop.
struct PointwiseFacts {
  /// Elements of the largest value.
  int64_t elements = 0;
  bool hasReduction = false;
};

/// The largest matmul of a gemm graph.
struct GemmFacts {
  int64_t batch = 1, m = 0, n = 0, k = 0;
  DType a = DType::F32, b = DType::F32, c = DType::F32;
  int64_t matmuls = 0;
};

/// The largest attention of an sdpa graph.
struct SdpaFacts {
  int64_t batch = 0, heads = 0, kvHeads = 0;
  int64_t queries = 0, keys = 0, headDim = 0, valueDim = 0;
};

/// No single problem.
struct MixedFacts {};

struct GraphFacts {
  Family family = Family::Pointwise;
  llvm::SmallVector<ValueFacts> values;
  llvm::SmallVector<OpFacts> ops;
  /// What the family's engines tile over.
  std::variant<PointwiseFacts, GemmFacts, SdpaFacts, MixedFacts> problem;
  /// Whether calls may override extents and strides.
  bool allowsOverrides = false;
  /// Bytes of the results of all reductions, those inside of norms too, and of
  /// what layout ops need in memory (Transforms/Layouts.h), each rounded up to
  /// 256; -1 if some are dynamic.
  int64_t reductionBytes = 0;
  /// How portions of reductions can be combined by atomics, and how many of
  /// those bytes that spares.
  AtomicCombining atomicCombining = AtomicCombining::None;
  int64_t portionBytes = 0;
  /// Of the graph written in simpler ops: the most elements that a reduction
  /// combines to one or leaves, or that a value has along an axis or beside its
  /// fastest one; 0 for dynamic extents.
  int64_t longestSide = 0;
  /// The graph with its norms written in simpler ops (Transforms/Expansion.h),
  /// as an engine without code of their own runs it; null where that is the
  /// same graph, and in the facts of a part of a graph.
  std::shared_ptr<const GraphFacts> expanded;

  /// The graph as the cuDNN library sees it; null where planning has none, and
  /// in the facts of a part of a graph.
  std::shared_ptr<CudnnProblem> cudnn;

  bool isDynamic() const;
  int64_t maxRank() const;
  Work totalWork() const;
  /// Bytes that must cross memory once: arguments and outputs.
  int64_t portBytes() const;
  /// Bytes of all temporaries, each rounded up to 64; -1 if some are dynamic.
  int64_t temporaryBytes() const;

  // What a proposed change does to the facts.
  void setElementType(unsigned value, DType type);
  /// Gives every unknown extent its nominal value.
  void fixExtents();
};

/// Fills `facts.problem` from the rest of `facts`.
void parseProblem(GraphFacts &facts);

/// Parses `graph` (a graph.graph). Cached: pass `getAnalysis<FactsAnalysis>()`.
struct FactsAnalysis {
  explicit FactsAnalysis(mlir::Operation *graph);
  GraphFacts facts;
};

} // namespace opgraph::planning

#endif // OPGRAPH_PASSES_PLANNING_FACTS_H
