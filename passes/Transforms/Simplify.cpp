//===- Simplify.cpp - What every graph goes through first -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's own canonicalization tries the patterns of every loaded dialect. There
// are more than a thousand of them in a context that generates code, and
// ordering them takes longer than all else that is done to a small graph, which
// holds operations of one dialect only.
//===----------------------------------------------------------------------===//
#include "passes/Transforms/Simplify.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/Transforms/Passes.h"
#include "passes/Transforms/RecognizeSoftmax.h"

namespace opgraph {
#define GEN_PASS_DEF_GRAPHSIMPLIFYPASS
#include "passes/Transforms/Passes.h.inc"
} // namespace opgraph

using namespace mlir;
using namespace opgraph;

static FrozenRewritePatternSet collectPatterns(MLIRContext *context) {
  auto *dialect = context->getOrLoadDialect<graph::GraphDialect>();
  RewritePatternSet patterns(context);
  dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName name :
       context->getRegisteredOperationsByDialect(dialect->getNamespace()))
    name.getCanonicalizationPatterns(patterns, context);
  return std::move(patterns);
}

static void canonicalize(graph::GraphOp graph,
                         const FrozenRewritePatternSet &patterns) {
  GreedyRewriteConfig config;
  config.setUseTopDownTraversal(true);
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Normal);
  // Not to reach a fixed point is no error, as in MLIR's own pass.
  (void)applyPatternsGreedily(graph, patterns, config);
}

GraphSimplifier::GraphSimplifier(MLIRContext *context)
    : patterns(collectPatterns(context)) {}

void GraphSimplifier::run(graph::GraphOp graph) const {
  canonicalize(graph, patterns);
  if (recognizeSoftmax(graph))
    canonicalize(graph, patterns);
}

namespace {
class GraphSimplifyPass
    : public opgraph::impl::GraphSimplifyPassBase<GraphSimplifyPass> {
  void runOnOperation() override {
    GraphSimplifier(&getContext()).run(getOperation());
  }
};
} // namespace
