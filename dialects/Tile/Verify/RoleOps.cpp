//===- RoleOps.cpp - What ops do to a group's state -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Tile/Verify/Local.h"
#include "dialects/Tile/Verify/RoleWalk.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph::tile;

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

LogicalResult RoleWalk::visitTake(Operation *op, bool isWaited) {
  int number = nextNumber++;
  HeldSlot slot;
  slot.taken = op;
  slot.isWaited = isWaited;
  state.held[number] = slot;
  for (Value result : op->getResults())
    state.names[result] = number;
  return success();
}

/// P4: how strong an arrival must be, by what was done with the slot.
LogicalResult RoleWalk::checkStrength(Operation *op, ArriveBy by, Order order,
                                      const HeldSlot &slot) {
  if (!slot.isAccessed)
    return success();
  if (order == Order::relaxed)
    return op->emitOpError("expected order release: fields of the slot have "
                           "been accessed by threads (P4), got relaxed");
  bool isLoose = slot.isUnsynced && by == ArriveBy::one && !isInSingleRole(op);
  if (isLoose)
    return op->emitOpError("expected a tile.sync before it, or 'by each_warp': "
                           "all threads have accessed the slot (P4), got 'by "
                           "one'");
  return success();
}

LogicalResult RoleWalk::visitFill(FillOp fill) {
  if (!isa<SlotType>(fill.getSlot().getType()))
    return success();
  std::optional<int> number = find(fill.getSlot());
  auto it = number ? state.held.find(*number) : state.held.end();
  if (it == state.held.end() || it->second.isWaited)
    return fill.emitOpError("expected a slot that is acquired and not yet "
                            "filled (P2)");
  if (failed(checkStrength(fill, fill.getBy(), fill.getOrder(), it->second)))
    return failure();
  state.held.erase(it);
  return success();
}

LogicalResult RoleWalk::visitRelease(ReleaseOp release) {
  std::optional<int> number = find(release.getSlot());
  auto it = number ? state.held.find(*number) : state.held.end();
  if (it == state.held.end() || !it->second.isWaited)
    return release.emitOpError("expected a slot that is waited for and not yet "
                               "released (P2)");
  bool isRead = state.uncommitted && state.uncommitted->slots.contains(*number);
  for (const OpenGroup &group : state.open)
    isRead |= group.slots.contains(*number);
  if (isRead)
    return release.emitOpError("expected the MMAs that read the slot to be "
                               "waited for (P4)");
  if (failed(checkStrength(release, release.getBy(), release.getOrder(),
                           it->second)))
    return failure();
  if (!it->second.isAccessed && release.getOrder() != Order::relaxed &&
      release.getScope() == Scope::cluster)
    return release.emitOpError("expected order relaxed: the slot has been read "
                               "by waited-for MMAs only (P4), got release at "
                               "cluster scope");
  state.held.erase(it);
  return success();
}

/// Ordinary accesses of threads to fields of held slots.
void RoleWalk::noteAccess(Operation *op) {
  auto access = dyn_cast<AccessOpInterface>(op);
  if (!access)
    return;
  SmallVector<Access> accesses;
  access.getAccesses(accesses);
  for (const Access &each : accesses) {
    if (each.proxy != AccessProxy::Generic || each.queue != Queue::None ||
        !isa<SharedType>(each.memory.getType()))
      continue;
    std::optional<int> number = slotOf(each.memory);
    auto it = number ? state.held.find(*number) : state.held.end();
    if (it == state.held.end())
      continue;
    it->second.isAccessed = true;
    it->second.isUnsynced |= !isa<StoreScalarOp>(op);
  }
}

void RoleWalk::noteSync(Operation *op) {
  auto sync = dyn_cast<SyncOp>(op);
  bool meets =
      isa<BarrierSyncOp>(op) ||
      (sync && (sync.getScope() != Scope::warp || getGroupWarps(op) == 1));
  if (!meets)
    return;
  for (auto &[number, slot] : state.held)
    slot.isUnsynced = false;
}

void RoleWalk::noteStore(Operation *op) {
  if (isa<TensorStoreOp, BulkStoreOp>(op)) {
    state.uncommittedStore = state.openStore = op;
  } else if (isa<BulkCommitOp>(op)) {
    state.uncommittedStore = nullptr;
  } else if (auto wait = dyn_cast<BulkWaitOp>(op)) {
    if (wait.getPending() == 0 && !state.uncommittedStore)
      state.openStore = nullptr;
  }
}

//===----------------------------------------------------------------------===//
// MMAs
//===----------------------------------------------------------------------===//

/// W6: no op runs again that defines a tile which a group in flight reads.
LogicalResult RoleWalk::checkOperandDefinition(Operation *op) {
  auto defines = [&](const OpenGroup &group) {
    return group.operands.contains(op);
  };
  bool isRead = llvm::any_of(state.open, defines) ||
                (state.uncommitted && defines(*state.uncommitted));
  if (!isRead)
    return success();
  return op->emitOpError("expected the MMAs that read its result as A to be "
                         "waited for before it is computed again (W6)");
}

LogicalResult RoleWalk::visitMma(MmaAsyncOp mma) {
  if (!state.uncommitted) {
    if (state.fenced < 0)
      return mma.emitOpError("expected a tile.mma_fence before the first MMA "
                             "of a group (W3)");
    state.uncommitted.emplace();
  }
  for (Value operand : mma->getOperands()) {
    auto it = state.defined.find(operand);
    if (it != state.defined.end() && it->second >= state.fenced &&
        isa<RegType>(operand.getType()))
      return mma.emitOpError("expected a tile.mma_fence behind what computes "
                             "its register operands (W3)");
    if (isa<SharedType>(operand.getType()))
      if (std::optional<int> number = slotOf(operand))
        state.uncommitted->slots.insert(*number);
  }
  if (isa<RegType>(mma.getA().getType()))
    collectSources(mma.getA(), state.uncommitted->operands);
  return success();
}

LogicalResult RoleWalk::visitCommit(MmaCommitOp commit) {
  OpenGroup group =
      state.uncommitted ? std::move(*state.uncommitted) : OpenGroup();
  state.uncommitted.reset();
  state.fenced = -1;
  group.number = nextNumber++;
  state.names[commit.getGroup()] = group.number;
  state.open.push_back(std::move(group));
  return success();
}

LogicalResult RoleWalk::visitMmaWait(MmaWaitOp wait) {
  std::optional<int> number = find(wait.getGroup());
  auto it = llvm::find_if(state.open, [&](const OpenGroup &group) {
    return number && group.number == *number;
  });
  if (it == state.open.end())
    return wait.emitOpError("expected a group that is open (W4)");
  auto behind = int64_t(state.open.end() - it) - 1;
  if (int64_t(wait.getPending()) != behind)
    return wait.emitOpError("expected pending(")
           << behind << "), the groups committed behind it (W4), got "
           << wait.getPending();
  state.open.erase(state.open.begin(), it + 1);
  return success();
}

/// W3: between a group's first MMA and its commit stand MMAs, parts of tiles
/// and scalars.
static bool mayStandInGroup(Operation *op) {
  return isa<MmaAsyncOp, MmaCommitOp, SliceOp>(op) ||
         isa<arith::ArithDialect>(op->getDialect());
}

LogicalResult RoleWalk::visit(Operation &op) {
  ++time;
  if (state.uncommitted && !mayStandInGroup(&op))
    return op.emitOpError("stands between an MMA and its tile.mma_commit "
                          "(W3)");
  if (failed(checkOperandDefinition(&op)))
    return failure();
  noteAccess(&op);
  noteSync(&op);
  noteStore(&op);
  LogicalResult result =
      llvm::TypeSwitch<Operation *, LogicalResult>(&op)
          .Case([&](scf::ForOp loop) { return visitFor(loop); })
          .Case([&](scf::WhileOp loop) { return visitWhile(loop); })
          .Case([&](scf::IfOp branch) { return visitIf(branch); })
          .Case([&](AcquireOp) { return visitTake(&op, false); })
          .Case([&](WaitOp) { return visitTake(&op, true); })
          .Case([&](FillOp fill) { return visitFill(fill); })
          .Case([&](ReleaseOp release) { return visitRelease(release); })
          .Case([&](MmaFenceOp) {
            state.fenced = time;
            return success();
          })
          .Case([&](MmaAsyncOp mma) { return visitMma(mma); })
          .Case([&](MmaCommitOp commit) { return visitCommit(commit); })
          .Case([&](MmaWaitOp wait) { return visitMmaWait(wait); })
          .Default([](Operation *) { return success(); });
  for (Value value : op.getResults())
    if (isa<RegType>(value.getType()))
      state.defined[value] = time;
  return result;
}
