//===- EmitTensorMaps.cpp - Tensor maps in a kernel -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/MemoryAccess.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

static constexpr int64_t mapBytes = 128;

static LogicalResult emitPrefetch(KernelEmitter &emitter,
                                  tile::PrefetchMapOp op) {
  emitter.elected([&] {
    NVVM::PrefetchOp::create(emitter.b, NVVM::PrefetchCacheLevelAttr(),
                             NVVM::CacheEvictionPriorityAttr(),
                             emitter.scalar(op.getMap()), Value(),
                             /*tensormap=*/true);
  });
  return success();
}

/// 128 bytes by the first 8 threads.
static LogicalResult emitCopyMap(KernelEmitter &emitter, tile::CopyMapOp op) {
  ImplicitLocOpBuilder &b = emitter.b;
  Value slot = emitter.scalar(op.getSlot());
  Value copy = emitter.offset(emitter.scalar(op.getWorkspace()),
                              emitter.mul(slot, mapBytes));
  Value from = emitter.scalar(op.getMap());
  auto copyPart = [&](Value offset) {
    Type type = VectorType::get({4}, b.getI32Type());
    Value part =
        LLVM::LoadOp::create(b, type, emitter.offset(from, offset), 16);
    LLVM::StoreOp::create(b, part, emitter.offset(copy, offset), 16);
  };
  if (emitter.group.single) {
    for (int64_t part = 0; part < mapBytes; part += 16)
      copyPart(emitter.i32(part));
  } else {
    Value thread = emitter.group.thread;
    Value copies = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, thread,
                                         emitter.i32(mapBytes / 16));
    emitter.guarded(copies, [&] { copyPart(emitter.mul(thread, 16)); });
    // Whoever edits the copy sees all of it.
    emitter.syncGroup();
  }
  emitter.set(op.getCopy(), LLVM::AddrSpaceCastOp::create(
                                b, emitter.pointerType(GenericSpace), copy)
                                .getResult());
  return success();
}

/// The instruction counts axes from the innermost.
static LogicalResult emitReplaceMap(KernelEmitter &emitter,
                                    tile::ReplaceMapOp op) {
  ImplicitLocOpBuilder &b = emitter.b;
  auto type = cast<tile::TensorMapType>(op.getMap().getType());
  int64_t rank = static_cast<int64_t>(type.getBox().size());
  int64_t ordinal = rank - 1 - static_cast<int64_t>(op.getAxis());
  Value value = emitter.scalar(op.getValue());
  std::string field, index, width = "b64", constraint = "l";
  switch (op.getField()) {
  case tile::MapField::address:
    field = "global_address";
    break;
  case tile::MapField::extent:
    field = "global_dim";
    index = std::to_string(ordinal) + ", ";
    width = "b32";
    constraint = "r";
    break;
  case tile::MapField::stride:
    // The innermost axis has none.
    field = "global_stride";
    index = std::to_string(ordinal - 1) + ", ";
    break;
  }
  std::string text = "tensormap.replace.tile." + field + ".global.b1024." +
                     width + " [$0], " + index + "$1;";
  emitter.elected([&] {
    LLVM::InlineAsmOp::create(
        b, TypeRange(), ValueRange{emitter.scalar(op.getMap()), value}, text,
        "l," + constraint + ",~{memory}", /*has_side_effects=*/true,
        /*is_align_stack=*/false, LLVM::TailCallKind::None,
        LLVM::AsmDialectAttr(), ArrayAttr());
  });
  return success();
}

/// The editor's writes become visible to the tensor map proxy of every thread.
static LogicalResult emitPublishMap(KernelEmitter &emitter,
                                    tile::PublishMapOp op) {
  ImplicitLocOpBuilder &b = emitter.b;
  emitter.elected(
      [&] { NVVM::FenceProxyReleaseOp::create(b, NVVM::MemScopeKind::GPU); });
  if (!emitter.group.single)
    emitter.syncGroup();
  NVVM::FenceProxyAcquireOp::create(b, NVVM::MemScopeKind::GPU,
                                    emitter.scalar(op.getMap()),
                                    emitter.i32(mapBytes));
  return success();
}

void opgraph::codegen::addTensorMapHandlers(Handlers &handlers) {
  handlers.add<tile::PrefetchMapOp, emitPrefetch>();
  handlers.add<tile::CopyMapOp, emitCopyMap>();
  handlers.add<tile::ReplaceMapOp, emitReplaceMap>();
  handlers.add<tile::PublishMapOp, emitPublishMap>();
}
