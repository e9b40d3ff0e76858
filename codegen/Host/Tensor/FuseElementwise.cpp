//===- FuseElementwise.cpp - Merges elementwise ops -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unlike the upstream pass, never merges into a contraction, and never where
// the producer would be computed more than once per element.
//===----------------------------------------------------------------------===//
#include "codegen/Host/Tensor/Contraction.h"
#include "codegen/Host/Tensor/TensorPasses.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace opgraph::codegen;

static bool shouldFuse(OpOperand *operand) {
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  if (!consumer || !producer || !operand->get().hasOneUse() ||
      producer->getNumResults() != 1 ||
      producer->getBlock() != consumer->getBlock())
    return false;
  return !matchContraction(consumer) &&
         consumer.getMatchingIndexingMap(operand).isPermutation();
}

namespace {
class FuseElementwisePass
    : public PassWrapper<FuseElementwisePass, OperationPass<func::FuncOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FuseElementwisePass)
  StringRef getArgument() const override { return "host-fuse-elementwise"; }
  StringRef getDescription() const override {
    return "Merge elementwise ops into their only consumer";
  }

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    linalg::populateElementwiseOpsFusionPatterns(patterns, shouldFuse);
    linalg::GenericOp::getCanonicalizationPatterns(patterns, &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

std::unique_ptr<Pass> opgraph::codegen::createFuseElementwisePass() {
  return std::make_unique<FuseElementwisePass>();
}
