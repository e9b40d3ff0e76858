//===- Classify.cpp - Write a graph's family and facts on it --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/GraphDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/Pass.h"
#include "passes/Planning/Facts.h"
#include "passes/Planning/Passes.h"

namespace opgraph::planning {
#define GEN_PASS_DEF_GRAPHCLASSIFYPASS
#include "passes/Planning/Passes.h.inc"
} // namespace opgraph::planning

using namespace llvm;
using namespace opgraph;
using namespace opgraph::planning;

namespace {
/// Collects `name = value` pairs.
struct FactList {
  mlir::Builder builder;
  SmallVector<mlir::NamedAttribute> attrs;

  void add(StringRef name, int64_t value) {
    attrs.push_back(
        builder.getNamedAttr(name, builder.getI64IntegerAttr(value)));
  }
  void add(StringRef name, double value) {
    constexpr double kLimit = 9e18; // Just below 2^63.
    add(name, static_cast<int64_t>(std::min(value, kLimit)));
  }
  void add(StringRef name, bool value) {
    attrs.push_back(builder.getNamedAttr(name, builder.getBoolAttr(value)));
  }
  void add(StringRef name, StringRef value) {
    attrs.push_back(builder.getNamedAttr(name, builder.getStringAttr(value)));
  }
};
} // namespace

static void addProblem(FactList &list, const PointwiseFacts &problem) {
  list.add("elements", problem.elements);
  list.add("has_reduction", problem.hasReduction);
}

static void addProblem(FactList &list, const GemmFacts &problem) {
  list.add("matmuls", problem.matmuls);
  list.add("batch", problem.batch);
  list.add("m", problem.m);
  list.add("n", problem.n);
  list.add("k", problem.k);
  list.add("a", stringifyDType(problem.a));
  list.add("b", stringifyDType(problem.b));
  list.add("c", stringifyDType(problem.c));
}

static void addProblem(FactList &list, const SdpaFacts &problem) {
  list.add("batch", problem.batch);
  list.add("heads", problem.heads);
  list.add("kv_heads", problem.kvHeads);
  list.add("queries", problem.queries);
  list.add("keys", problem.keys);
  list.add("head_dim", problem.headDim);
  list.add("value_dim", problem.valueDim);
}

static void addProblem(FactList &, const MixedFacts &) {}

namespace {
struct GraphClassifyPass
    : opgraph::planning::impl::GraphClassifyPassBase<GraphClassifyPass> {
  void runOnOperation() override {
    const GraphFacts &facts = getAnalysis<FactsAnalysis>().facts;
    mlir::Builder builder(&getContext());
    FactList list{builder, {}};
    Work work = facts.totalWork();
    list.add("ops", static_cast<int64_t>(facts.ops.size()));
    list.add("port_bytes", facts.portBytes());
    list.add("temporary_bytes", facts.temporaryBytes());
    list.add("flops", work.flops);
    list.add("transcendentals", work.transcendentals);
    list.add("matrix_flops", work.matrixFlops);
    list.add("max_rank", facts.maxRank());
    list.add("dynamic", facts.isDynamic());
    std::visit([&](const auto &problem) { addProblem(list, problem); },
               facts.problem);
    getOperation()->setAttr(
        "graph.family", builder.getStringAttr(stringifyFamily(facts.family)));
    getOperation()->setAttr("graph.facts",
                            builder.getDictionaryAttr(list.attrs));
    markAllAnalysesPreserved();
  }
};
} // namespace
