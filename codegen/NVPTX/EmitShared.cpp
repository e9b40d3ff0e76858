//===- EmitShared.cpp - Shared tiles and their parts ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/SharedAccess.h"
#include "codegen/NVPTX/SharedLayout.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

static LogicalResult emitAlloc(KernelEmitter &emitter, tile::AllocSharedOp op) {
  // `tile-assign-shared` ran.
  emitter.set(op.getTile(), emitter.sharedAddress(op.getOffset().value_or(0)));
  return success();
}

static Value emitLeadingOffset(KernelEmitter &emitter, tile::SharedType type,
                               OperandRange offsets) {
  Value sum = emitter.i32(0);
  int64_t bytes = getMatrixBytes(type);
  for (int64_t axis = static_cast<int64_t>(offsets.size()) - 3; axis >= 0;
       --axis) {
    sum = emitter.add(sum, emitter.mul(emitter.scalar(offsets[axis]), bytes));
    bytes *= type.getShape()[axis];
  }
  return sum;
}

/// A part of a swizzled tile starts at an atom, so that its own addresses
/// permute as the whole's do.
static LogicalResult emitSlice(KernelEmitter &emitter, tile::SliceOp op) {
  auto type = cast<tile::SharedType>(op.getTile().getType());
  OperandRange offsets = op.getOffsets();
  size_t rank = offsets.size();
  Value sum = emitLeadingOffset(emitter, type, offsets);
  if (rank > 1)
    sum = emitter.add(
        sum, emitter.mul(emitter.scalar(offsets[rank - 2]), getRowBytes(type)));
  Value bytes = emitter.mul(emitter.scalar(offsets[rank - 1]),
                            getElementBytes(type.getElementType()));
  if (int64_t span = getSwizzleSpan(type.getSwizzle()))
    bytes = emitter.mul(emitter.digit(bytes, span, 0), getPlaneBytes(type));
  sum = emitter.add(sum, bytes);
  emitter.set(op.getPart(), emitter.offset(emitter.scalar(op.getTile()), sum));
  return success();
}

static LogicalResult emitPeer(KernelEmitter &emitter, tile::PeerOp op) {
  Value peer = NVVM::MapaOp::create(
      emitter.b, emitter.pointerType(ClusterSpace),
      emitter.scalar(op.getTile()), emitter.scalar(op.getRank()));
  emitter.set(op.getPeer(), peer);
  return success();
}

static LogicalResult emitLoadShared(KernelEmitter &emitter,
                                    tile::LoadSharedOp op) {
  auto type = cast<tile::RegType>(op.getTile().getType());
  bool isPlain = op.getVia() == tile::SharedPath::plain;
  emitter.set(op.getTile(),
              isPlain ? loadSharedPlain(emitter, type, op.getShared(),
                                        op.getTransposed())
                      : loadSharedMatrix(emitter, type, op.getShared(),
                                         op.getTransposed()));
  return success();
}

static LogicalResult emitStoreShared(KernelEmitter &emitter,
                                     tile::StoreSharedOp op) {
  auto type = cast<tile::RegType>(op.getTile().getType());
  SmallVector<Value> registers(emitter.get(op.getTile()));
  if (op.getVia() == tile::SharedPath::plain)
    storeSharedPlain(emitter, type, registers, op.getShared(),
                     op.getTransposed());
  else
    storeSharedMatrix(emitter, type, registers, op.getShared(),
                      op.getTransposed());
  return success();
}

void opgraph::codegen::addSharedHandlers(Handlers &handlers) {
  handlers.add<tile::AllocSharedOp, emitAlloc>();
  handlers.add<tile::SliceOp, emitSlice>();
  handlers.add<tile::PeerOp, emitPeer>();
  handlers.add<tile::LoadSharedOp, emitLoadShared>();
  handlers.add<tile::StoreSharedOp, emitStoreShared>();
}
