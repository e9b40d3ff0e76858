//===- LowerTile.cpp - Tile kernels to llvm and nvvm ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/LowerTile.h"
#include "codegen/NVPTX/KernelEmitter.h"
#include "codegen/NVPTX/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"

namespace opgraph::codegen {
#define GEN_PASS_DEF_TILELOWER
#include "codegen/NVPTX/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "codegen/NVPTX/Passes.h.inc"
} // namespace opgraph::codegen

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

static LogicalResult lowerKernel(tile::KernelOp kernel, tile::Target target) {
  auto claims = llvm::any_of(kernel.getTargets(), [&](Attribute claimed) {
    return cast<tile::TargetAttr>(claimed).getValue() == target;
  });
  if (!claims)
    return kernel.emitOpError("does not claim target ")
           << tile::stringifyTarget(target) << ", but " << kernel.getTargets();
  if (failed(assignShared(kernel)) || failed(assignBarriers(kernel)) ||
      failed(KernelEmitter(kernel, target).run()))
    return failure();
  kernel.erase();
  return success();
}

LogicalResult opgraph::codegen::lowerTile(ModuleOp module,
                                          tile::Target target) {
  SmallVector<tile::KernelOp> kernels(module.getOps<tile::KernelOp>());
  for (tile::KernelOp kernel : kernels)
    if (failed(lowerKernel(kernel, target)))
      return failure();
  return success();
}

void opgraph::codegen::registerNVPTXDialects(DialectRegistry &registry) {
  registry.insert<arith::ArithDialect, LLVM::LLVMDialect, math::MathDialect,
                  NVVM::NVVMDialect, scf::SCFDialect>();
}

void opgraph::codegen::registerNVPTXPasses() { registerNVPTXCodegenPasses(); }

namespace {
struct TileLower : opgraph::codegen::impl::TileLowerBase<TileLower> {
  using TileLowerBase::TileLowerBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto known = tile::symbolizeTarget(target);
    if (!known) {
      module.emitError("option 'target' names no GPU of the tile dialect: '")
          << target << "'";
      return signalPassFailure();
    }
    if (failed(lowerTile(module, *known)))
      signalPassFailure();
  }
};
} // namespace
