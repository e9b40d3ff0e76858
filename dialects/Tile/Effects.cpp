//===- Effects.cpp - What each op touches and orders ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Tile/TileDialect.h"

using namespace mlir;
using namespace opgraph::tile;

using Accesses = SmallVectorImpl<Access>;

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static Access reads(Value memory) { return {memory, false}; }
static Access writes(Value memory) { return {memory, true}; }

void DrawOp::getAccesses(Accesses &accesses) {
  accesses.push_back(writes(getCounter()));
}
void LoadOp::getAccesses(Accesses &accesses) {
  accesses.push_back(reads(getView()));
}
void StoreOp::getAccesses(Accesses &accesses) {
  accesses.push_back(writes(getView()));
}
void GatherOp::getAccesses(Accesses &accesses) {
  accesses.push_back(reads(getView()));
}
void ScatterOp::getAccesses(Accesses &accesses) {
  accesses.push_back(writes(getView()));
}
void LoadScalarOp::getAccesses(Accesses &accesses) {
  accesses.push_back(reads(getMemory()));
}
void StoreScalarOp::getAccesses(Accesses &accesses) {
  accesses.push_back(writes(getMemory()));
}
void FetchAddOp::getAccesses(Accesses &accesses) {
  accesses.push_back(writes(getPointer()));
}
void LoadSharedOp::getAccesses(Accesses &accesses) {
  accesses.push_back(reads(getShared()));
}
void StoreSharedOp::getAccesses(Accesses &accesses) {
  accesses.push_back(writes(getShared()));
}
void CpAsyncOp::getAccesses(Accesses &accesses) {
  accesses.push_back({getView(), false, AccessProxy::Generic, Queue::Copy});
  accesses.push_back({getTo(), true, AccessProxy::Generic, Queue::Copy});
}
void BulkLoadOp::getAccesses(Accesses &accesses) {
  accesses.push_back(
      {getFrom(), false, AccessProxy::Async, Queue::None, getOn()});
  accesses.push_back({getTo(), true, AccessProxy::Async, Queue::None, getOn()});
}
void TensorLoadOp::getAccesses(Accesses &accesses) {
  accesses.push_back(
      {getMap(), false, AccessProxy::Async, Queue::None, getOn()});
  accesses.push_back({getTo(), true, AccessProxy::Async, Queue::None, getOn()});
}
void TensorStoreOp::getAccesses(Accesses &accesses) {
  accesses.push_back({getFrom(), false, AccessProxy::Async, Queue::BulkRead});
  accesses.push_back({getMap(), true, AccessProxy::Async, Queue::BulkWrite});
}
void BulkStoreOp::getAccesses(Accesses &accesses) {
  accesses.push_back({getFrom(), false, AccessProxy::Async, Queue::BulkRead});
  accesses.push_back({getTo(), true, AccessProxy::Async, Queue::BulkWrite});
}
void PrefetchMapOp::getAccesses(Accesses &accesses) {
  accesses.push_back(reads(getMap()));
}
void CopyMapOp::getAccesses(Accesses &accesses) {
  accesses.push_back(reads(getMap()));
  accesses.push_back(writes(getWorkspace()));
}
void ReplaceMapOp::getAccesses(Accesses &accesses) {
  accesses.push_back(writes(getMap()));
}
void MmaAsyncOp::getAccesses(Accesses &accesses) {
  if (isa<SharedType>(getA().getType()))
    accesses.push_back({getA(), false, AccessProxy::Async, Queue::Mma});
  accesses.push_back({getB(), false, AccessProxy::Async, Queue::Mma});
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

static SyncEffect commits(Queue queue) {
  SyncEffect effect{SyncEffect::Commit};
  effect.queue = queue;
  return effect;
}
static SyncEffect waitsFor(Queue queue, int32_t pending) {
  SyncEffect effect{SyncEffect::WaitQueue};
  effect.queue = queue;
  effect.pending = pending;
  return effect;
}

SyncEffect MakeRingOp::getSyncEffect() { return {SyncEffect::Init, getRing()}; }
SyncEffect MakeSemaphoreOp::getSyncEffect() {
  return {SyncEffect::Init, getSemaphore()};
}
SyncEffect MakeBarrierOp::getSyncEffect() {
  return {SyncEffect::Init, getBarrier()};
}
SyncEffect AcquireOp::getSyncEffect() { return {SyncEffect::Await, getRing()}; }
SyncEffect WaitOp::getSyncEffect() { return {SyncEffect::Await, getRing()}; }
SyncEffect DrainOp::getSyncEffect() { return {SyncEffect::Await, getRing()}; }
SyncEffect AwaitOp::getSyncEffect() {
  SyncEffect effect{SyncEffect::Await, getSemaphore()};
  effect.order = Order::acquire;
  effect.scope = getScope();
  return effect;
}
SyncEffect FillOp::getSyncEffect() {
  SyncEffect effect{SyncEffect::Arrive, getSlot()};
  effect.order = getOrder();
  effect.scope = getScope();
  effect.by = getBy();
  effect.expectsBytes = getBytes() || getDynamicBytes();
  return effect;
}
SyncEffect ReleaseOp::getSyncEffect() {
  SyncEffect effect{SyncEffect::Arrive, getSlot()};
  effect.order = getOrder();
  effect.scope = getScope();
  effect.by = getBy();
  return effect;
}
SyncEffect SyncOp::getSyncEffect() {
  SyncEffect effect{SyncEffect::Barrier};
  effect.order = Order::acq_rel;
  effect.scope = getScope();
  return effect;
}
SyncEffect BarrierArriveOp::getSyncEffect() {
  return {SyncEffect::BarrierArrive, getBarrier()};
}
SyncEffect BarrierSyncOp::getSyncEffect() {
  SyncEffect effect{SyncEffect::Barrier, getBarrier()};
  effect.order = Order::acq_rel;
  return effect;
}
SyncEffect FenceProxyOp::getSyncEffect() { return {SyncEffect::FenceProxy}; }
SyncEffect FenceOp::getSyncEffect() {
  SyncEffect effect{SyncEffect::Fence};
  effect.order = Order::acq_rel;
  effect.scope = getScope();
  return effect;
}
SyncEffect ClusterArriveOp::getSyncEffect() {
  SyncEffect effect{SyncEffect::ClusterArrive};
  effect.order = getOrder();
  effect.scope = Scope::cluster;
  return effect;
}
SyncEffect ClusterWaitOp::getSyncEffect() {
  SyncEffect effect{SyncEffect::ClusterWait};
  effect.order = Order::acquire;
  effect.scope = Scope::cluster;
  return effect;
}
SyncEffect GridWaitOp::getSyncEffect() {
  SyncEffect effect{SyncEffect::Fence};
  effect.order = Order::acquire;
  effect.scope = Scope::gpu;
  return effect;
}
SyncEffect GridLaunchOp::getSyncEffect() {
  SyncEffect effect{SyncEffect::Fence};
  effect.scope = Scope::gpu;
  return effect;
}
SyncEffect PublishMapOp::getSyncEffect() {
  SyncEffect effect{SyncEffect::FenceProxy, getMap()};
  effect.order = Order::acq_rel;
  effect.scope = Scope::gpu;
  return effect;
}
SyncEffect CpCommitOp::getSyncEffect() { return commits(Queue::Copy); }
SyncEffect CpWaitOp::getSyncEffect() {
  return waitsFor(Queue::Copy, getPending());
}
SyncEffect BulkCommitOp::getSyncEffect() { return commits(Queue::BulkWrite); }
SyncEffect BulkWaitOp::getSyncEffect() {
  return waitsFor(getRead() ? Queue::BulkRead : Queue::BulkWrite, getPending());
}
SyncEffect MmaFenceOp::getSyncEffect() { return {SyncEffect::MmaFence}; }
SyncEffect MmaCommitOp::getSyncEffect() { return commits(Queue::Mma); }
SyncEffect MmaWaitOp::getSyncEffect() {
  return waitsFor(Queue::Mma, getPending());
}
