//===- AssignBarriers.cpp - Ids of named hardware barriers ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/LowerTile.h"
#include "codegen/NVPTX/Passes.h"
#include "dialects/Tile/TileDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace opgraph::codegen {
#define GEN_PASS_DEF_TILEASSIGNBARRIERS
#include "codegen/NVPTX/Passes.h.inc"
} // namespace opgraph::codegen

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

/// Ids 1 to 15; 0 is the whole CTA's.
static constexpr int64_t mostBarriers = 16;

/// How many ids an op of the kernel's body takes.
static int64_t countBarriers(Operation &op) {
  if (auto barrier = dyn_cast<tile::MakeBarrierOp>(op))
    return cast<tile::BarrierType>(barrier.getBarrier().getType()).getCount();
  auto role = dyn_cast<tile::RoleOp>(op);
  bool hasGroupBarrier = role && role.getWarpsEach() > 1 && !role.getSingle();
  return hasGroupBarrier ? role.getAgents() : 0;
}

LogicalResult opgraph::codegen::assignBarriers(tile::KernelOp kernel) {
  auto nameOf = [](Operation &op) {
    return isa<tile::RoleOp>(op) ? "barrier" : "id";
  };
  Builder b(kernel.getContext());
  int64_t next = 1;
  for (Operation &op : kernel.getBody().front())
    if (auto set = op.getAttrOfType<IntegerAttr>(nameOf(op));
        set && countBarriers(op))
      next = std::max(next, set.getInt() + countBarriers(op));
  for (Operation &op : kernel.getBody().front()) {
    int64_t count = countBarriers(op);
    if (count == 0 || op.hasAttr(nameOf(op)))
      continue;
    if (next + count > mostBarriers)
      return op.emitOpError("needs ")
             << count << " named barriers, but only " << mostBarriers - next
             << " of " << mostBarriers << " are left";
    op.setAttr(nameOf(op), b.getI32IntegerAttr(static_cast<int32_t>(next)));
    next += count;
  }
  return success();
}

namespace {
struct TileAssignBarriers
    : opgraph::codegen::impl::TileAssignBarriersBase<TileAssignBarriers> {
  void runOnOperation() override {
    WalkResult result = getOperation().walk([](tile::KernelOp kernel) {
      return failed(assignBarriers(kernel)) ? WalkResult::interrupt()
                                            : WalkResult::skip();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
