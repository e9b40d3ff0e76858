//===- Groups.cpp - Who may run what, with which budget -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Tile/Verify/Local.h"
#include "dialects/Tile/Verify/Values.h"
#include "dialects/Tile/Verify/Verify.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace opgraph::tile;

static int64_t countWarps(RoleOp role) {
  return int64_t(role.getAgents()) * role.getWarpsEach();
}

//===----------------------------------------------------------------------===//
// K4: register budgets
//===----------------------------------------------------------------------===//

/// The budget of each warpgroup, from the roles that have warps in it; 0 for
/// none.
static FailureOr<SmallVector<int64_t>> collectBudgets(KernelOp kernel) {
  SmallVector<int64_t> budgets(llvm::divideCeil(kernel.getWarps(), 4), 0);
  for (RoleOp role : kernel.getBody().getOps<RoleOp>()) {
    std::optional<uint32_t> registers = role.getRegisters();
    if (!registers)
      continue;
    if (*registers % 8 != 0 || *registers < 24 || *registers > 240) {
      role.emitOpError("expected a budget of 24 to 240 registers, a multiple "
                       "of 8 (K4), got ")
          << *registers;
      return failure();
    }
    int64_t first = role.getFirstWarp();
    for (int64_t group = first / 4, last = (first + countWarps(role) - 1) / 4;
         group <= last; ++group) {
      if (budgets[group] && budgets[group] != *registers) {
        role.emitOpError("expected the ")
            << budgets[group] << " registers of the other roles of warpgroup "
            << group << " (K4), got " << *registers;
        return failure();
      }
      budgets[group] = *registers;
    }
  }
  return budgets;
}

static LogicalResult verifyBudgets(KernelOp kernel) {
  FailureOr<SmallVector<int64_t>> budgets = collectBudgets(kernel);
  if (failed(budgets))
    return failure();
  if (llvm::all_of(*budgets, [](int64_t budget) { return budget == 0; }))
    return success();
  int64_t total = 0;
  for (auto [group, budget] : llvm::enumerate(*budgets)) {
    if (budget == 0)
      return kernel.emitOpError("expected a register budget for each warpgroup "
                                "or none (K4), but warpgroup ")
             << group << " has none";
    total += budget * 128;
  }
  int64_t threads = int64_t(kernel.getWarps()) * 32;
  for (Attribute attribute : kernel.getTargets()) {
    const TargetInfo &info =
        getTargetInfo(cast<TargetAttr>(attribute).getValue());
    // What the CTA is launched with, which budgets only move about.
    int64_t limit = info.registersPerSm / threads / 8 * 8 * threads;
    if (total > limit)
      return kernel.emitOpError("expected budgets of at most ")
             << limit << " registers in all (K4), got " << total;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// K5, K6, K8: executors
//===----------------------------------------------------------------------===//

static bool isTile(Type type) { return isa<RegType, PendingType>(type); }

/// What needs more than one thread.
static bool needsThreads(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isTile) ||
         llvm::any_of(op->getResultTypes(), isTile) ||
         isa<SyncOp, BarrierArriveOp, BarrierSyncOp, ClusterArriveOp,
             ClusterWaitOp, CpAsyncOp, CpCommitOp, CpWaitOp, CopyMapOp,
             PublishMapOp, MmaFenceOp, MmaCommitOp, MmaWaitOp>(op);
}

/// K5: one thread has elected and scalar ops only.
static LogicalResult verifySingle(RoleOp role) {
  if (!role.getSingle())
    return success();
  WalkResult result = role.getBody().walk([](Operation *op) {
    if (!needsThreads(op))
      return WalkResult::advance();
    op->emitOpError("needs the threads of a group, but stands in a role of one "
                    "thread, 'single' (K5)");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// K6: asynchronous MMAs are a warpgroup's.
static LogicalResult verifyWarpgroup(Operation *op) {
  if (!isa<MmaFenceOp, MmaAsyncOp, MmaCommitOp, MmaWaitOp>(op))
    return success();
  auto role = op->getParentOfType<RoleOp>();
  int64_t first = role ? int64_t(role.getFirstWarp()) : 0;
  if (getGroupWarps(op) == 4 && first % 4 == 0)
    return success();
  return op->emitOpError("expected a group of 4 warps from a multiple of 4 on "
                         "(K6), got ")
         << getGroupWarps(op) << " from warp " << first;
}

static bool needsGroup(Operation *op) {
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return reduce.getLevel() == ReduceLevel::group;
  if (auto reduce = dyn_cast<ReduceWithOp>(op))
    return reduce.getLevel() == ReduceLevel::group;
  if (auto sync = dyn_cast<SyncOp>(op))
    return sync.getScope() != Scope::warp;
  if (isa<ConvertOp>(op))
    return true;
  auto tileOp = dyn_cast<TileOpInterface>(op);
  return tileOp && tileOp.getExecutor() != Executor::Warp;
}

/// K8: what not all warps come to is nothing that all warps do together.
static LogicalResult verifyPerWarp(scf::IfOp branch) {
  if (!isPerWarp(branch.getCondition()))
    return success();
  WalkResult result = branch->walk([](Operation *op) {
    if (!needsGroup(op))
      return WalkResult::advance();
    op->emitOpError("is run by the whole group, but stands under a condition "
                    "that each warp has for itself (K8)");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

static LogicalResult verifyExecutors(KernelOp kernel) {
  for (RoleOp role : kernel.getBody().getOps<RoleOp>())
    if (failed(verifySingle(role)))
      return failure();
  WalkResult result = kernel.walk([](Operation *op) {
    auto branch = dyn_cast<scf::IfOp>(op);
    bool isWrong = failed(verifyWarpgroup(op)) ||
                   (branch && failed(verifyPerWarp(branch)));
    return isWrong ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// K7, K9: hardware barriers and shared memory
//===----------------------------------------------------------------------===//

/// Threads of the groups that arrive at a barrier.
static int64_t countThreads(MakeBarrierOp barrier) {
  llvm::SetVector<Operation *> groups;
  for (Operation *user : barrier.getBarrier().getUsers()) {
    Operation *role = user->getParentOfType<RoleOp>();
    groups.insert(role ? role : user->getParentOfType<KernelOp>());
  }
  int64_t threads = 0;
  for (Operation *group : groups) {
    auto role = dyn_cast<RoleOp>(group);
    threads += 32 * (role ? countWarps(role)
                          : int64_t(cast<KernelOp>(group).getWarps()));
  }
  return threads;
}

/// K7: ids that are given are 1 to 15, each one's own.
static LogicalResult verifyIds(Operation *op, StringRef name, int64_t count,
                               uint32_t &taken) {
  auto id = op->getAttrOfType<IntegerAttr>(name);
  if (!id || count == 0)
    return success();
  int64_t first = id.getInt();
  if (first < 1 || first + count > 16)
    return op->emitOpError("expected barrier ids within 1 to 15 (K7), got ")
           << first << " to " << first + count - 1;
  uint32_t mask = ((uint32_t(1) << count) - 1) << first;
  if (taken & mask)
    return op->emitOpError("expected barrier ids of its own (K7), got ")
           << first << " to " << first + count - 1
           << ", which another barrier has in part";
  taken |= mask;
  return success();
}

static LogicalResult verifyBarriers(KernelOp kernel) {
  // Id 0 is the CTA's.
  int64_t ids = 1;
  uint32_t taken = 1;
  for (Operation &op : kernel.getBody().front()) {
    if (auto role = dyn_cast<RoleOp>(op)) {
      bool hasBarrier = role.getWarpsEach() > 1 && !role.getSingle();
      int64_t count = hasBarrier ? role.getAgents() : 0;
      ids += count;
      if (failed(verifyIds(role, "barrier", count, taken)))
        return failure();
      continue;
    }
    auto barrier = dyn_cast<MakeBarrierOp>(op);
    if (!barrier)
      continue;
    BarrierType type = barrier.getBarrier().getType();
    ids += type.getCount();
    if (failed(verifyIds(barrier, "id", type.getCount(), taken)))
      return failure();
    int64_t threads = countThreads(barrier);
    bool isUsed = !barrier.getBarrier().use_empty();
    if (isUsed && (type.getThreads() % 32 != 0 || type.getThreads() > threads))
      return barrier.emitOpError("expected a multiple of 32 of at most the ")
             << threads << " threads that arrive at it (K7), got "
             << type.getThreads();
  }
  if (ids > 16)
    return kernel.emitOpError("expected at most 16 hardware barriers, those of "
                              "the groups included (K7), got ")
           << ids;
  return success();
}

/// Bytes of a shared tile; without swizzle, rows with their padding.
static int64_t countBytes(SharedType type) {
  int64_t cols = type.getShape().back();
  int64_t row = cols * getStorageBits(type.getElementType()) / 8;
  int64_t rows = 1;
  for (int64_t extent : type.getShape().drop_back())
    rows *= extent;
  return rows * (row + type.getPad());
}

static int64_t countSharedBytes(KernelOp kernel) {
  int64_t bytes = 0;
  for (Operation &op : kernel.getBody().front()) {
    if (auto shared = dyn_cast<AllocSharedOp>(op)) {
      if (shared.getOverlay().empty())
        bytes += countBytes(shared.getTile().getType());
    } else if (auto ring = dyn_cast<MakeRingOp>(op)) {
      RingType type = ring.getRing().getType();
      int64_t stage = 16;
      for (Type field : type.getFields())
        stage += countBytes(cast<SharedType>(field));
      bytes += stage * type.getStages();
    } else if (isa<MakeSemaphoreOp>(op)) {
      bytes += 8;
    }
  }
  return bytes;
}

static LogicalResult verifySharedBytes(KernelOp kernel) {
  // The base is rounded up to what the widest swizzle needs; what the
  // assignment wrote down has room for that.
  std::optional<uint32_t> assigned = kernel.getSharedBytes();
  int64_t bytes =
      assigned ? int64_t(*assigned) : countSharedBytes(kernel) + 1024;
  for (Attribute attribute : kernel.getTargets()) {
    const TargetInfo &info =
        getTargetInfo(cast<TargetAttr>(attribute).getValue());
    if (bytes > info.sharedBytesPerCta)
      return kernel.emitOpError("expected at most ")
             << info.sharedBytesPerCta << " bytes of shared memory on "
             << info.cpu << ", 1024 for the base's alignment included (K9), "
             << "got " << bytes;
  }
  return success();
}

LogicalResult opgraph::tile::verifyGroups(KernelOp kernel) {
  return failure(
      failed(verifyBudgets(kernel)) || failed(verifyExecutors(kernel)) ||
      failed(verifyBarriers(kernel)) || failed(verifySharedBytes(kernel)));
}
