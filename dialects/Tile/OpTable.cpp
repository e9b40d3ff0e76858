//===- OpTable.cpp - Who runs each op, and what it needs of a target ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Tile/Verify/Local.h"

using namespace mlir;
using namespace opgraph::tile;

static FeatureSet clusterIf(Scope scope) {
  return scope == Scope::cluster ? Cluster : 0;
}

/// One row per op: executor, then the features it needs.
#define TILE_OP(OP, EXECUTOR, FEATURES)                                        \
  Executor OP::getExecutor() { return Executor::EXECUTOR; }                    \
  FeatureSet OP::getFeatures() { return FEATURES; }

TILE_OP(KernelOp, Group, getCluster() ? Cluster : 0)
TILE_OP(RoleOp, Group, getRegisters() ? SetMaxRegisters : 0)
Executor BlockIdOp::getExecutor() { return Executor::Warp; }
Executor GridSizeOp::getExecutor() { return Executor::Warp; }
Executor ClusterIdOp::getExecutor() { return Executor::Warp; }
Executor RasterOp::getExecutor() { return Executor::Warp; }
TILE_OP(DrawOp, Elected, 0)

TILE_OP(LoadOp, Warp, 0)
TILE_OP(StoreOp, Warp, 0)
TILE_OP(GatherOp, Warp, 0)
TILE_OP(ScatterOp, Warp, 0)
TILE_OP(LoadScalarOp, Group, 0)
TILE_OP(StoreScalarOp, Elected, 0)
TILE_OP(FetchAddOp, Elected, 0)
TILE_OP(LoadSharedOp, Warp, getShared().getType().getPeer() ? Cluster : 0)
TILE_OP(StoreSharedOp, Warp,
        (getVia() == SharedPath::plain ? 0 : StMatrix) |
            (getShared().getType().getPeer() ? Cluster : 0))

TILE_OP(CpAsyncOp, Group, 0)
TILE_OP(BulkLoadOp, Elected, Tma | ExpectBytes)
TILE_OP(TensorLoadOp, Elected,
        Tma | ExpectBytes | (getMulticast() ? Cluster : 0))
TILE_OP(TensorStoreOp, Elected, Tma)
TILE_OP(BulkStoreOp, Elected, Tma)
TILE_OP(CpCommitOp, Group, 0)
TILE_OP(CpWaitOp, Group, 0)
TILE_OP(BulkCommitOp, Elected, Tma)
TILE_OP(BulkWaitOp, Elected, Tma)
TILE_OP(PrefetchMapOp, Elected, Tma)
TILE_OP(CopyMapOp, Group, Tma)
TILE_OP(ReplaceMapOp, Elected, Tma)
TILE_OP(PublishMapOp, Group, Tma)

TILE_OP(MakeRingOp, Group,
        (getFilledBy() == FilledBy::bytes ? ExpectBytes : 0) |
            clusterIf(getScope()))
TILE_OP(AcquireOp, Group, 0)
TILE_OP(WaitOp, Group, 0)
TILE_OP(FillOp, Group,
        (getBytes() || getDynamicBytes() ? ExpectBytes : 0) |
            (getRank() ? Cluster : 0) | clusterIf(getScope()))
TILE_OP(ReleaseOp, Group, clusterIf(getScope()))
TILE_OP(DrainOp, Group, 0)
TILE_OP(MakeSemaphoreOp, Group, 0)
TILE_OP(AwaitOp, Group, clusterIf(getScope()))
Executor SyncOp::getExecutor() { return Executor::Group; }
FeatureSet SyncOp::getFeatures() { return 0; }
TILE_OP(MakeBarrierOp, Group, 0)
TILE_OP(BarrierArriveOp, Group, 0)
TILE_OP(BarrierSyncOp, Group, 0)
TILE_OP(FenceProxyOp, Warp, Tma)
TILE_OP(FenceOp, Warp, clusterIf(getScope()))
TILE_OP(ClusterArriveOp, Group, Cluster)
TILE_OP(ClusterWaitOp, Group, Cluster)
TILE_OP(GridWaitOp, Group, DependentLaunch)
TILE_OP(GridLaunchOp, Group, DependentLaunch)

TILE_OP(MmaFenceOp, Group, Wgmma)
TILE_OP(MmaAsyncOp, Group, Wgmma)
TILE_OP(MmaCommitOp, Group, Wgmma)
TILE_OP(MmaWaitOp, Group, Wgmma)
FeatureSet MmaSyncOp::getFeatures() {
  return isFloat8(getA().getType().getElementType()) ? Fp8Mma : 0;
}

#undef TILE_OP
