//===- Simplify.cpp - What every graph goes through first -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's own canonicalization tries the patterns of every loaded dialect. There
// are more than a thousand of them in a context that generates code, and
// ordering them takes longer than all else that is done to a small graph, which
// holds operations of one dialect only.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/GraphDialect.h"
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

namespace {
class GraphSimplifyPass
    : public opgraph::impl::GraphSimplifyPassBase<GraphSimplifyPass> {
  LogicalResult initialize(MLIRContext *context) override {
    auto *dialect = context->getOrLoadDialect<graph::GraphDialect>();
    RewritePatternSet found(context);
    dialect->getCanonicalizationPatterns(found);
    for (RegisteredOperationName name :
         context->getRegisteredOperationsByDialect(dialect->getNamespace()))
      name.getCanonicalizationPatterns(found, context);
    patterns = std::move(found);
    return success();
  }

  void canonicalize() {
    GreedyRewriteConfig config;
    config.setUseTopDownTraversal(true);
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Normal);
    // Not to reach a fixed point is no error, as in MLIR's own pass.
    (void)applyPatternsGreedily(getOperation(), patterns, config);
  }

  void runOnOperation() override {
    canonicalize();
    if (recognizeSoftmax(getOperation()))
      canonicalize();
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
