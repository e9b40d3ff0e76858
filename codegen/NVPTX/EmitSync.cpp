//===- EmitSync.cpp - Barriers and fences ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/KernelEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

static LogicalResult emitSync(KernelEmitter &emitter, tile::SyncOp op) {
  if (op.getScope() == tile::Scope::warp)
    emitter.syncWarp();
  else
    emitter.syncGroup();
  return success();
}

//===-- Named barriers ----------------------------------------------------===//

/// Its id is a constant of the op.
static LogicalResult emitBarrier(KernelEmitter &emitter,
                                 tile::MakeBarrierOp op) {
  emitter.set(op.getBarrier(), {});
  return success();
}

static FailureOr<Value> getBarrierId(KernelEmitter &emitter, Operation *op,
                                     Value barrier, Value index) {
  auto made = barrier.getDefiningOp<tile::MakeBarrierOp>();
  if (!made || !made.getId())
    return op->emitOpError("uses a barrier without an id: run "
                           "'tile-assign-barriers' first");
  Value id = emitter.i32(*made.getId());
  return index ? emitter.add(id, emitter.scalar(index)) : id;
}

static Value getThreads(KernelEmitter &emitter, Value barrier) {
  return emitter.i32(cast<tile::BarrierType>(barrier.getType()).getThreads());
}

static LogicalResult emitBarrierArrive(KernelEmitter &emitter,
                                       tile::BarrierArriveOp op) {
  auto id = getBarrierId(emitter, op, op.getBarrier(), op.getIndex());
  if (failed(id))
    return failure();
  NVVM::BarrierArriveOp::create(emitter.b, *id,
                                getThreads(emitter, op.getBarrier()));
  return success();
}

static LogicalResult emitBarrierSync(KernelEmitter &emitter,
                                     tile::BarrierSyncOp op) {
  auto id = getBarrierId(emitter, op, op.getBarrier(), op.getIndex());
  if (failed(id))
    return failure();
  NVVM::BarrierOp::create(emitter.b, TypeRange(), *id,
                          getThreads(emitter, op.getBarrier()),
                          NVVM::BarrierReductionAttr(), Value());
  return success();
}

//===-- Fences ------------------------------------------------------------===//

static LogicalResult emitFenceProxy(KernelEmitter &emitter,
                                    tile::FenceProxyOp op) {
  ImplicitLocOpBuilder &b = emitter.b;
  switch (op.getProxy()) {
  case tile::Proxy::async_shared:
    NVVM::FenceProxyOp::create(
        b, NVVM::ProxyKind::async_shared,
        NVVM::SharedSpaceAttr::get(b.getContext(),
                                   NVVM::SharedSpace::shared_cta));
    return success();
  case tile::Proxy::async_global:
    NVVM::FenceProxyOp::create(b, NVVM::ProxyKind::async_global,
                               NVVM::SharedSpaceAttr());
    return success();
  case tile::Proxy::tensormap:
    NVVM::FenceProxyReleaseOp::create(b, NVVM::MemScopeKind::GPU);
    return success();
  }
  llvm_unreachable("all proxies handled");
}

static StringRef getFenceScope(tile::Scope scope) {
  switch (scope) {
  case tile::Scope::warp:
  case tile::Scope::group:
  case tile::Scope::cta:
    return "block";
  case tile::Scope::cluster:
    return "cluster";
  case tile::Scope::gpu:
    return "device";
  case tile::Scope::sys:
    return "";
  }
  llvm_unreachable("all scopes handled");
}

static LogicalResult emitFence(KernelEmitter &emitter, tile::FenceOp op) {
  LLVM::FenceOp::create(emitter.b, LLVM::AtomicOrdering::acq_rel,
                        getFenceScope(op.getScope()));
  return success();
}

//===-- Clusters and grids ------------------------------------------------===//

static LogicalResult emitClusterArrive(KernelEmitter &emitter,
                                       tile::ClusterArriveOp op) {
  UnitAttr aligned = emitter.b.getUnitAttr();
  if (op.getOrder() == tile::Order::relaxed)
    NVVM::ClusterArriveRelaxedOp::create(emitter.b, aligned);
  else
    NVVM::ClusterArriveOp::create(emitter.b, aligned);
  return success();
}

static LogicalResult emitClusterWait(KernelEmitter &emitter,
                                     tile::ClusterWaitOp) {
  NVVM::ClusterWaitOp::create(emitter.b, emitter.b.getUnitAttr());
  return success();
}

/// LLVM's intrinsic claims to touch no memory, so that accesses might pass it.
static LogicalResult emitGridWait(KernelEmitter &emitter, tile::GridWaitOp) {
  LLVM::InlineAsmOp::create(emitter.b, TypeRange(), ValueRange(),
                            "griddepcontrol.wait;", "~{memory}",
                            /*has_side_effects=*/true,
                            /*is_align_stack=*/false, LLVM::TailCallKind::None,
                            LLVM::AsmDialectAttr(), ArrayAttr());
  emitter.hasWaitedForGrid = true;
  return success();
}

static LogicalResult emitGridLaunch(KernelEmitter &emitter,
                                    tile::GridLaunchOp) {
  NVVM::GriddepcontrolOp::create(emitter.b,
                                 NVVM::GridDepActionKind::launch_dependents);
  return success();
}

void opgraph::codegen::addSyncHandlers(Handlers &handlers) {
  handlers.add<tile::SyncOp, emitSync>();
  handlers.add<tile::MakeBarrierOp, emitBarrier>();
  handlers.add<tile::BarrierArriveOp, emitBarrierArrive>();
  handlers.add<tile::BarrierSyncOp, emitBarrierSync>();
  handlers.add<tile::FenceProxyOp, emitFenceProxy>();
  handlers.add<tile::FenceOp, emitFence>();
  handlers.add<tile::ClusterArriveOp, emitClusterArrive>();
  handlers.add<tile::ClusterWaitOp, emitClusterWait>();
  handlers.add<tile::GridWaitOp, emitGridWait>();
  handlers.add<tile::GridLaunchOp, emitGridLaunch>();
}
