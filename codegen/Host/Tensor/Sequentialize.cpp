//===- Sequentialize.cpp - Loops for parallel work too small to share -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/Host/Tensor/TensorPasses.h"
#include "dialects/Plan/PlanDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

namespace {
class SequentializePass
    : public PassWrapper<SequentializePass, OperationPass<func::FuncOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SequentializePass)
  StringRef getArgument() const override { return "host-sequentialize"; }
  StringRef getDescription() const override {
    return "Turn parallel loops marked as too small to share into loops";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<scf::SCFDialect>();
  }

  void runOnOperation() override {
    SmallVector<scf::ForallOp> loops;
    getOperation().walk([&](scf::ForallOp loop) {
      if (loop->hasAttr(plan::sequentialAttrName))
        loops.push_back(loop);
    });
    IRRewriter rewriter(&getContext());
    for (scf::ForallOp loop : loops) {
      rewriter.setInsertionPoint(loop);
      if (failed(scf::forallToForLoop(rewriter, loop)))
        return signalPassFailure();
    }
  }
};
} // namespace

std::unique_ptr<Pass> opgraph::codegen::createSequentializePass() {
  return std::make_unique<SequentializePass>();
}
