//===- Kernel.cpp - Structure of a kernel ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Tile/Verify/Verify.h"

using namespace mlir;
using namespace opgraph::tile;

/// Ops that may stand before the roles: scalars, views, shared memory and the
/// objects that synchronise.
static bool isPrologue(Operation *op) {
  return isa<MakeViewOp, AllocSharedOp, SliceOp, PeerOp, MakeRingOp,
             MakeSemaphoreOp, MakeBarrierOp, BlockIdOp, GridSizeOp, ClusterIdOp,
             RasterOp, LoadScalarOp>(op) ||
         isa<arith::ArithDialect, math::MathDialect>(op->getDialect());
}

/// K1: prologue, then group ops or roles, and nothing after roles.
static LogicalResult verifyOrder(KernelOp kernel) {
  bool hasRoles = !kernel.getBody().getOps<RoleOp>().empty();
  bool inRoles = false;
  for (Operation &op : kernel.getBody().front()) {
    if (isa<RoleOp>(op)) {
      inRoles = true;
      continue;
    }
    if (inRoles)
      return op.emitOpError("expected nothing but roles after a role (K1)");
    if (hasRoles && !isPrologue(&op))
      return op.emitOpError(
          "expected to stand in a role: before roles there are "
          "scalars, views, shared tiles, rings, semaphores and "
          "barriers only (K1)");
  }
  return success();
}

/// K2: each claimed target has what each op needs.
static LogicalResult verifyFeatures(KernelOp kernel) {
  if (kernel.getTargets().empty())
    return kernel.emitOpError("expected at least one target (K2)");
  WalkResult result = kernel.walk([&](Operation *op) {
    auto tileOp = dyn_cast<TileOpInterface>(op);
    if (!tileOp)
      return WalkResult::advance();
    FeatureSet needs = tileOp.getFeatures();
    for (Attribute attribute : kernel.getTargets()) {
      const TargetInfo &info =
          getTargetInfo(cast<TargetAttr>(attribute).getValue());
      FeatureSet missing = needs & ~info.features;
      if (!missing)
        continue;
      op->emitOpError("needs ")
          << getFeatureName(static_cast<Feature>(missing & (~missing + 1)))
          << " (K2), which " << info.cpu << " does not have";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// K2: the cluster's shape.
static LogicalResult verifyCluster(KernelOp kernel) {
  std::optional<ArrayRef<int32_t>> cluster = kernel.getCluster();
  if (!cluster)
    return success();
  int64_t size = 1;
  bool isRight = cluster->size() == 3;
  for (int32_t extent : *cluster) {
    isRight &= extent >= 1;
    size *= std::max(extent, 1);
  }
  for (Attribute attribute : kernel.getTargets())
    isRight &=
        size <=
        getTargetInfo(cast<TargetAttr>(attribute).getValue()).maxClusterSize;
  if (!isRight || size > 8)
    return kernel.emitOpError(
               "expected a cluster of three extents and at most 8 "
               "CTAs, and no more than its targets have (K2), got [")
           << *cluster << "]";
  return success();
}

/// K3: roles' warps exist and are disjoint.
static LogicalResult verifyRoleWarps(KernelOp kernel) {
  uint64_t taken = 0;
  for (RoleOp role : kernel.getBody().getOps<RoleOp>()) {
    int64_t first = role.getFirstWarp(), each = role.getWarpsEach();
    int64_t count = each * role.getAgents();
    int64_t warps = kernel.getWarps();
    if (role.getFirstWarp() > 31 || each < 1 || each > 32 || count < 1 ||
        count > 32 || first + count > warps)
      return role.emitOpError("expected warps among the kernel's ")
             << warps << " (K3), got " << count << " from warp " << first;
    uint64_t mask = ((uint64_t(1) << count) - 1) << first;
    if (taken & mask)
      return role.emitOpError("expected warps of its own (K3), got warps ")
             << first << " to " << first + count - 1
             << ", which another role has in part";
    taken |= mask;
  }
  return success();
}

LogicalResult opgraph::tile::verifyStructure(KernelOp kernel) {
  return failure(
      failed(verifyOrder(kernel)) || failed(verifyFeatures(kernel)) ||
      failed(verifyCluster(kernel)) || failed(verifyRoleWarps(kernel)));
}

LogicalResult opgraph::tile::verifyKernel(KernelOp kernel) {
  return failure(failed(verifyStructure(kernel)) ||
                 failed(verifyGroups(kernel)) ||
                 failed(verifyProtocol(kernel)) || failed(verifyTexts(kernel)));
}
