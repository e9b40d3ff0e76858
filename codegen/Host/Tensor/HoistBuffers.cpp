//===- HoistBuffers.cpp - One buffer per worker, not per iteration --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/Host/Tensor/TensorPasses.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace opgraph::codegen;

namespace {
class HoistBuffersPass
    : public PassWrapper<HoistBuffersPass, OperationPass<func::FuncOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(HoistBuffersPass)
  StringRef getArgument() const override { return "host-hoist-buffers"; }
  StringRef getDescription() const override {
    return "Move static buffers to the start of the parallel body or function";
  }

  void runOnOperation() override {
    SmallVector<memref::AllocOp> allocs;
    getOperation().walk([&](memref::AllocOp alloc) {
      if (alloc.getType().hasStaticShape())
        allocs.push_back(alloc);
    });
    for (memref::AllocOp alloc : llvm::reverse(allocs)) {
      Region *home = &getOperation().getBody();
      if (auto forall = alloc->getParentOfType<scf::ForallOp>())
        home = &forall.getRegion();
      alloc->moveBefore(&home->front(), home->front().begin());
    }
  }
};
} // namespace

std::unique_ptr<Pass> opgraph::codegen::createHoistBuffersPass() {
  return std::make_unique<HoistBuffersPass>();
}
