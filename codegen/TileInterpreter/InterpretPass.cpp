//===- InterpretPass.cpp - The interpreter as a pass ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/ArgumentText.h"
#include "codegen/TileInterpreter/ArrayFile.h"
#include "codegen/TileInterpreter/Passes.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace opgraph::tile;
using namespace opgraph::tile::interp;

namespace opgraph::tile::interp {
#define GEN_PASS_DEF_TILEINTERPRET
#include "codegen/TileInterpreter/Passes.h.inc"
} // namespace opgraph::tile::interp

namespace {
class TileInterpretPass
    : public opgraph::tile::interp::impl::TileInterpretBase<TileInterpretPass> {
public:
  using TileInterpretBase::TileInterpretBase;

  void runOnOperation() override {
    KernelOp kernel = findKernel();
    if (!kernel || failed(run(kernel)))
      signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  KernelOp findKernel() {
    llvm::StringRef name = StringRef(kernel).ltrim('@');
    KernelOp found;
    for (KernelOp op : getOperation().getOps<KernelOp>()) {
      if (!name.empty() && op.getSymName() != name)
        continue;
      if (found) {
        getOperation().emitError("has several kernels; name one");
        return nullptr;
      }
      found = op;
    }
    if (!found)
      getOperation().emitError("has no kernel '") << name << "'";
    return found;
  }

  LogicalResult run(KernelOp op) {
    Launch launch;
    std::vector<BufferUse> uses;
    for (auto [axis, extent] : llvm::enumerate(grid)) {
      if (axis > 2)
        return op.emitError("a grid has three axes at most");
      launch.grid[axis] = extent;
    }
    if (llvm::Error error = parseArguments(
            std::vector<std::string>(args.begin(), args.end()),
            op.getBody().front().getArgumentTypes(), launch, uses))
      return op.emitError(llvm::toString(std::move(error)));
    Options options;
    options.schedules = schedules;
    options.seed = seed;
    options.maxSteps = maxSteps;
    FailureOr<Report> report = interpret(op, launch, options);
    if (failed(report))
      return failure();
    for (const Fault &fault : report->faults)
      emitFault(fault, seed);
    if (failed(giveOut(op, launch, uses, *report)))
      return failure();
    return success(report->faults.empty());
  }

  /// Writes files and prints.
  LogicalResult giveOut(KernelOp op, const Launch &launch,
                        ArrayRef<BufferUse> uses, const Report &report) {
    for (auto [i, use] : llvm::enumerate(uses)) {
      ArrayRef<uint8_t> bytes = report.outputs[i];
      if (use.isPrinted && report.faults.empty())
        mlir::emitRemark(op.getLoc(), launch.buffers[i].name)
            << " = " << printElements(use.format, bytes);
      if (use.out.empty())
        continue;
      if (llvm::Error error =
              writeArrayFile(use.out, use.format, use.shape, bytes))
        return op.emitError(llvm::toString(std::move(error)));
    }
    return success();
  }
};
} // namespace
