//===- Protocol.cpp - Who fills, frees and awaits what --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Tile/Verify/Local.h"
#include "dialects/Tile/Verify/Values.h"
#include "dialects/Tile/Verify/Verify.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace opgraph::tile;

/// The role, or kernel without roles, whose text holds `op`.
static Operation *getGroup(Operation *op) {
  if (auto role = op->getParentOfType<RoleOp>())
    return role;
  return op->getParentOfType<KernelOp>();
}

static int64_t countAgents(Operation *group) {
  auto role = dyn_cast<RoleOp>(group);
  return role ? role.getAgents() : 1;
}

/// Threads of one agent.
static int64_t countThreads(Operation *group) {
  if (auto role = dyn_cast<RoleOp>(group))
    return role.getSingle() ? 1 : 32 * int64_t(role.getWarpsEach());
  return 32 * int64_t(cast<KernelOp>(group).getWarps());
}

//===----------------------------------------------------------------------===//
// P1: arrivals
//===----------------------------------------------------------------------===//

namespace {
/// Who does what with a ring.
struct RingUses {
  llvm::SetVector<Operation *> producers, consumers;
  /// Arrivals of one agent, by group.
  llvm::MapVector<Operation *, int64_t> fills, releases;
};
} // namespace

/// Notes the arrivals of `op`'s group; failure where its other ops of the kind
/// arrive otherwise.
static LogicalResult
noteArrivals(Operation *op, ArriveBy by,
             llvm::MapVector<Operation *, int64_t> &arrivals) {
  int64_t count = countArrivals(op, by);
  auto [it, isNew] = arrivals.insert({getGroup(op), count});
  if (isNew || it->second == count)
    return success();
  return op->emitOpError("expected ")
         << it->second << " arrival(s), as elsewhere in the group (P1), got "
         << count;
}

static LogicalResult collectUses(KernelOp kernel, Value ring, RingUses &uses) {
  WalkResult result = kernel.walk([&](Operation *op) {
    if (auto acquire = dyn_cast<AcquireOp>(op)) {
      if (acquire.getRing() == ring)
        uses.producers.insert(getGroup(op));
    } else if (auto wait = dyn_cast<WaitOp>(op)) {
      if (wait.getRing() == ring)
        uses.consumers.insert(getGroup(op));
    } else if (auto fill = dyn_cast<FillOp>(op)) {
      if (isa<SlotType>(fill.getSlot().getType()) &&
          getRingOf(fill.getSlot()) == ring &&
          failed(noteArrivals(op, fill.getBy(), uses.fills)))
        return WalkResult::interrupt();
    } else if (auto release = dyn_cast<ReleaseOp>(op)) {
      if (getRingOf(release.getSlot()) == ring &&
          failed(noteArrivals(op, release.getBy(), uses.releases)))
        return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

static int64_t
sumArrivals(const llvm::MapVector<Operation *, int64_t> &arrivals) {
  int64_t total = 0;
  for (auto [group, count] : arrivals)
    total += countAgents(group) * count;
  return total;
}

static LogicalResult verifyRing(KernelOp kernel, MakeRingOp ring) {
  RingUses uses;
  if (failed(collectUses(kernel, ring.getRing(), uses)))
    return failure();
  if (uses.producers.size() != 1)
    return ring.emitOpError("expected one role that acquires its slots (P1), "
                            "got ")
           << uses.producers.size();
  if (uses.consumers.empty())
    return ring.emitOpError("expected a role that waits for its slots (P1), "
                            "got none");
  int64_t frees = sumArrivals(uses.releases);
  if (ring.getScope() == Scope::cluster)
    frees *= getClusterSize(kernel);
  if (int64_t(ring.getFrees()) != frees)
    return ring.emitOpError("expected freed_by(")
           << frees << "), the arrivals of all releases (P1), got "
           << ring.getFrees();
  // Each thread arrives when its cp.async copies have landed.
  int64_t fills = sumArrivals(uses.fills);
  if (ring.getFilledBy() == FilledBy::copies)
    fills = countAgents(uses.producers[0]) * countThreads(uses.producers[0]);
  if (int64_t(ring.getFills()) != fills)
    return ring.emitOpError("expected ")
           << fills << " arrivals that fill a slot (P1), got "
           << ring.getFills();
  return success();
}

static LogicalResult verifySemaphore(MakeSemaphoreOp semaphore) {
  bool isAwaited = false, isFilled = false;
  for (Operation *user : semaphore.getSemaphore().getUsers()) {
    isAwaited |= isa<AwaitOp>(user);
    isFilled |= isa<FillOp>(user);
  }
  if (isAwaited && !isFilled)
    return semaphore.emitOpError(
        "is awaited, but nobody arrives at it (P1): expected a tile.fill");
  return success();
}

//===----------------------------------------------------------------------===//
// P5: a cluster's slots come back before the CTA goes
//===----------------------------------------------------------------------===//

static LogicalResult verifyDrain(KernelOp kernel, MakeRingOp ring) {
  if (ring.getScope() != Scope::cluster)
    return success();
  Operation *last = nullptr, *acquire = nullptr;
  for (Operation *user : ring.getRing().getUsers()) {
    if (isa<AcquireOp>(user))
      acquire = user;
    if (isa<DrainOp>(user))
      last = user;
  }
  if (!acquire)
    return success();
  // In the producer's own block, behind everything that acquires.
  Block &text = getGroup(acquire)->getRegion(0).front();
  Operation *inText = text.findAncestorOpInBlock(*acquire);
  if (!last || last->getBlock() != &text || last->isBeforeInBlock(inText))
    return acquire->emitOpError("expected a tile.drain of the ring at the end "
                                "of its producer, whose slots other CTAs of "
                                "the cluster give back (P5)");
  return success();
}

//===----------------------------------------------------------------------===//
// A6: who receives
//===----------------------------------------------------------------------===//

static LogicalResult verifyMulticast(TensorLoadOp load) {
  if (!load.getMulticast())
    return success();
  Value ring =
      isa<SlotType>(load.getOn().getType()) ? getRingOf(load.getOn()) : Value();
  auto made = ring ? ring.getDefiningOp<MakeRingOp>() : MakeRingOp();
  if (made && made.getScope() == Scope::cluster)
    return success();
  return load.emitOpError("expected a slot of a ring of scope cluster for a "
                          "copy to several CTAs (A6)");
}

//===----------------------------------------------------------------------===//
// A7: what is stored is fenced
//===----------------------------------------------------------------------===//

/// Whether all warps of the group that holds `op` meet there.
static bool isGroupSync(Operation *op) {
  if (isa<BarrierSyncOp>(op))
    return true;
  auto sync = dyn_cast<SyncOp>(op);
  return sync && (sync.getScope() != Scope::warp || getGroupWarps(op) == 1);
}

/// A7: from the last ordinary write of the tile in the block to `store`, a
/// fence and then a barrier.
static LogicalResult verifyFenced(Operation *store, Value tile) {
  bool hasSync = false, hasFence = false;
  for (Operation *op = store->getPrevNode(); op; op = op->getPrevNode()) {
    auto write = dyn_cast<StoreSharedOp>(op);
    if (write && write.getShared() == tile) {
      if (hasFence && hasSync)
        return success();
      return store
                 ->emitOpError("expected tile.fence_proxy and then tile.sync "
                               "behind the write of its tile (A7)")
                 .attachNote(write.getLoc())
             << "written here";
    }
    if (auto fence = dyn_cast<FenceProxyOp>(op))
      hasFence |= hasSync && fence.getProxy() == Proxy::async_shared;
    hasSync |= isGroupSync(op);
  }
  return success();
}

LogicalResult opgraph::tile::verifyProtocol(KernelOp kernel) {
  for (Operation &op : kernel.getBody().front()) {
    if (auto ring = dyn_cast<MakeRingOp>(op))
      if (failed(verifyRing(kernel, ring)) || failed(verifyDrain(kernel, ring)))
        return failure();
    if (auto semaphore = dyn_cast<MakeSemaphoreOp>(op))
      if (failed(verifySemaphore(semaphore)))
        return failure();
  }
  WalkResult result = kernel.walk([](Operation *op) {
    LogicalResult result = success();
    if (auto load = dyn_cast<TensorLoadOp>(op))
      result = verifyMulticast(load);
    if (auto store = dyn_cast<TensorStoreOp>(op))
      result = verifyFenced(op, store.getFrom());
    if (auto store = dyn_cast<BulkStoreOp>(op))
      result = verifyFenced(op, store.getFrom());
    return failed(result) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
