//===- Values.cpp - Where values of a kernel come from --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Tile/Verify/Values.h"
#include "dialects/Tile/Verify/Local.h"

using namespace mlir;
using namespace opgraph::tile;

namespace {
/// Follows values backwards, each once.
class SourceSearch {
public:
  explicit SourceSearch(llvm::SetVector<Operation *> &sources)
      : sources(sources) {}

  void visit(Value value) {
    if (!seen.insert(value).second)
      return;
    if (auto argument = dyn_cast<BlockArgument>(value))
      return visitArgument(argument);
    visitResult(cast<OpResult>(value));
  }

private:
  void visitArgument(BlockArgument argument) {
    Operation *parent = argument.getOwner()->getParentOp();
    unsigned index = argument.getArgNumber();
    if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      if (index == 0)
        return;
      visit(loop.getInitArgs()[index - 1]);
      visit(loop.getBody()->getTerminator()->getOperand(index - 1));
    } else if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
      if (argument.getOwner() == loop.getAfterBody())
        return visit(loop.getConditionOp().getArgs()[index]);
      visit(loop.getInits()[index]);
      visit(loop.getAfterBody()->getTerminator()->getOperand(index));
    }
  }

  void visitResult(OpResult result) {
    Operation *op = result.getOwner();
    unsigned index = result.getResultNumber();
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      visit(loop.getInitArgs()[index]);
      visit(loop.getBody()->getTerminator()->getOperand(index));
    } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
      visit(loop.getConditionOp().getArgs()[index]);
    } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
      for (Block *block : {branch.thenBlock(), branch.elseBlock()})
        if (block)
          visit(block->getTerminator()->getOperand(index));
    } else if (isa<ExtractOp, RelabelOp, SliceOp, PeerOp>(op)) {
      visit(op->getOperand(0));
    } else {
      sources.insert(op);
    }
  }

  llvm::SetVector<Operation *> &sources;
  llvm::DenseSet<Value> seen;
};
} // namespace

void opgraph::tile::collectSources(Value value,
                                   llvm::SetVector<Operation *> &sources) {
  SourceSearch(sources).visit(value);
}

Value opgraph::tile::getRingOf(Value slot) {
  llvm::SetVector<Operation *> sources;
  collectSources(slot, sources);
  Value ring;
  for (Operation *source : sources) {
    if (!isa<AcquireOp, WaitOp>(source))
      return {};
    if (ring && ring != source->getOperand(0))
      return {};
    ring = source->getOperand(0);
  }
  return ring;
}

bool opgraph::tile::isInSingleRole(Operation *op) {
  auto role = op->getParentOfType<RoleOp>();
  return role && role.getSingle();
}

int64_t opgraph::tile::countArrivals(Operation *op, ArriveBy by) {
  if (by == ArriveBy::one || isInSingleRole(op))
    return 1;
  int64_t warps = getGroupWarps(op);
  return by == ArriveBy::each_warp ? warps : 32 * warps;
}

bool opgraph::tile::isPerWarp(Value condition) {
  Operation *op = condition.getDefiningOp();
  if (!op)
    return false;
  if (isa<AnyOp>(op))
    return true;
  return isa<arith::ArithDialect>(op->getDialect()) &&
         llvm::any_of(op->getOperands(), isPerWarp);
}

int64_t opgraph::tile::getClusterSize(KernelOp kernel) {
  int64_t size = 1;
  if (std::optional<ArrayRef<int32_t>> cluster = kernel.getCluster())
    for (int32_t extent : *cluster)
      size *= extent;
  return size;
}
