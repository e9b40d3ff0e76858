//===- EmitCopies.cpp - Asynchronous copies -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/Combines.h"
#include "codegen/NVPTX/MemoryAccess.h"
#include "codegen/NVPTX/SharedAccess.h"
#include "codegen/NVPTX/SharedLayout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

//===-- cp.async ----------------------------------------------------------===//

/// Copies of `bytes`, chunk by chunk over the group's threads in row order.
/// What is beyond a limit is read as 0: the source size says how much is not.
static LogicalResult emitCpAsync(KernelEmitter &emitter, tile::CpAsyncOp op) {
  ImplicitLocOpBuilder &b = emitter.b;
  auto shared = cast<tile::SharedType>(op.getTo().getType());
  ViewParts view = getViewParts(emitter, op.getView());
  int64_t size = getElementBytes(shared.getElementType());
  int64_t width = op.getBytes(), threads = int64_t(emitter.group.warps) * 32;
  ArrayRef<int64_t> shape = shared.getShape();
  int64_t rows = shape.size() > 1 ? shape[shape.size() - 2] : 1;
  int64_t perRow = shape.back() * size / width, chunks = rows * perRow;
  size_t rank = op.getOffsets().size();
  auto modifier = width == 16 ? NVVM::LoadCacheModifierKind::CG
                              : NVVM::LoadCacheModifierKind::CA;
  Value base = emitter.scalar(op.getTo());
  for (int64_t first = 0; first < chunks; first += threads) {
    Value chunk = emitter.add(emitter.group.thread, emitter.i32(first));
    Value row = emitter.digit(chunk, perRow, 0);
    Value column = emitter.mul(emitter.digit(chunk, 1, perRow), width / size);
    SmallVector<Value> coordinates;
    for (auto [axis, offset] : llvm::enumerate(op.getOffsets())) {
      Value coordinate = emitter.scalar(offset);
      if (axis + 1 == rank)
        coordinate = emitter.add(coordinate, column);
      else if (axis + 2 == rank)
        coordinate = emitter.add(coordinate, row);
      coordinates.push_back(coordinate);
    }
    Value bytes;
    if (!op.getLimits().empty()) {
      bytes = emitter.mul(
          arith::SubIOp::create(b, emitter.scalar(op.getLimits().back()),
                                coordinates.back()),
          size);
      bytes = arith::MinSIOp::create(
          b, arith::MaxSIOp::create(b, bytes, emitter.i32(0)),
          emitter.i32(width));
      for (size_t axis = 0; axis + 1 < rank; ++axis) {
        Value isBelow = arith::CmpIOp::create(
            b, arith::CmpIPredicate::slt, coordinates[axis],
            emitter.scalar(op.getLimits()[axis]));
        bytes = arith::SelectOp::create(b, isBelow, bytes, emitter.i32(0));
      }
    }
    Value from = emitElementAddress(emitter, view, coordinates);
    Value to = emitSharedAddress(emitter, shared, base, row, column);
    auto copy = [&] {
      NVVM::CpAsyncOp::create(b, to, from, static_cast<uint32_t>(width),
                              modifier, bytes);
    };
    if (first + threads <= chunks)
      copy();
    else
      emitter.guarded(arith::CmpIOp::create(b, arith::CmpIPredicate::slt, chunk,
                                            emitter.i32(chunks)),
                      copy);
  }
  return success();
}

static LogicalResult emitCpCommit(KernelEmitter &emitter, tile::CpCommitOp) {
  NVVM::CpAsyncCommitGroupOp::create(emitter.b);
  return success();
}
static LogicalResult emitCpWait(KernelEmitter &emitter, tile::CpWaitOp op) {
  NVVM::CpAsyncWaitGroupOp::create(emitter.b, op.getPending());
  return success();
}

//===-- Bulk copies -------------------------------------------------------===//

static Value toCluster(KernelEmitter &emitter, Value shared) {
  return LLVM::AddrSpaceCastOp::create(
      emitter.b, emitter.pointerType(ClusterSpace), shared);
}

static Value getMbarrier(KernelEmitter &emitter, Value on) {
  return emitter.get(on).front();
}

/// Cache policies as `createpolicy.fractional` makes them for a whole access.
static Value getCacheHint(KernelEmitter &emitter, tile::Cache cache) {
  switch (cache) {
  case tile::Cache::normal:
    return {};
  case tile::Cache::evict_first:
  case tile::Cache::no_allocate:
    return emitter.i64(0x12F0000000000000);
  case tile::Cache::evict_last:
    return emitter.i64(0x14F0000000000000);
  }
  llvm_unreachable("all policies handled");
}

static Value getElement(KernelEmitter &emitter, Value pointer, Value index) {
  auto type = cast<tile::PtrType>(pointer.getType());
  return emitter.offset(emitter.scalar(pointer),
                        emitter.mul(emitter.scalar(index),
                                    getElementBytes(type.getElementType())));
}

static LogicalResult emitBulkLoad(KernelEmitter &emitter, tile::BulkLoadOp op) {
  Value from = getElement(emitter, op.getFrom(), op.getOffset());
  emitter.elected([&] {
    NVVM::CpAsyncBulkGlobalToSharedClusterOp::create(
        emitter.b, toCluster(emitter, emitter.scalar(op.getTo())), from,
        getMbarrier(emitter, op.getOn()), emitter.scalar(op.getSize()), Value(),
        Value());
  });
  return success();
}

/// `add.noftz.f16`: how a copy of a run combines elements.
static std::string getBulkCombine(tile::Combine combine, Type element) {
  unsigned bits = element.getIntOrFloatBitWidth();
  std::string name = tile::stringifyCombine(combine).str();
  bool isBits = llvm::is_contained(
      {tile::Combine::bit_and, tile::Combine::bit_or, tile::Combine::bit_xor},
      combine);
  if (isBits)
    return name.substr(StringRef("bit_").size()) + ".b" + std::to_string(bits);
  if (!isa<FloatType>(element)) {
    // Sums need no sign; 64-bit ones have none.
    bool isSum = combine == tile::Combine::add;
    return name + (isSum ? ".u" : ".s") + std::to_string(bits);
  }
  if (bits == 16 && combine == tile::Combine::add)
    name += ".noftz";
  return name + (element.isBF16() ? ".bf" : ".f") + std::to_string(bits);
}

static LogicalResult emitBulkStore(KernelEmitter &emitter,
                                   tile::BulkStoreOp op) {
  Value to = getElement(emitter, op.getTo(), op.getOffset());
  Value from = emitter.scalar(op.getFrom()),
        size = emitter.scalar(op.getSize());
  if (op.getCombine()) {
    Type element = cast<tile::PtrType>(op.getTo().getType()).getElementType();
    std::string text = "cp.reduce.async.bulk.global.shared::cta.bulk_group." +
                       getBulkCombine(*op.getCombine(), element) +
                       " [$0], [$1], $2;";
    emitter.elected([&] {
      LLVM::InlineAsmOp::create(
          emitter.b, TypeRange(), ValueRange{to, from, size}, text,
          "l,r,r,~{memory}", /*has_side_effects=*/true,
          /*is_align_stack=*/false, LLVM::TailCallKind::None,
          LLVM::AsmDialectAttr(), ArrayAttr());
    });
    return success();
  }
  emitter.elected([&] {
    NVVM::CpAsyncBulkSharedCTAToGlobalOp::create(emitter.b, to, from, size,
                                                 Value(), Value());
  });
  return success();
}

static LogicalResult emitBulkCommit(KernelEmitter &emitter,
                                    tile::BulkCommitOp) {
  emitter.elected([&] { NVVM::CpAsyncBulkCommitGroupOp::create(emitter.b); });
  return success();
}

static LogicalResult emitBulkWait(KernelEmitter &emitter, tile::BulkWaitOp op) {
  emitter.elected([&] {
    NVVM::CpAsyncBulkWaitGroupOp::create(
        emitter.b, static_cast<uint32_t>(op.getPending()),
        op.getRead() ? emitter.b.getUnitAttr() : UnitAttr());
  });
  return success();
}

//===-- Tensor copies -----------------------------------------------------===//

namespace {
/// One box of a tile: where it stands in shared memory, and its coordinates,
/// innermost first.
struct Box {
  Value address;
  SmallVector<Value> coordinates;
};
} // namespace

/// A tile of several planes is as many boxes side by side.
static SmallVector<Box> getBoxes(KernelEmitter &emitter, Value shared,
                                 tile::TensorMapType map,
                                 OperandRange coordinates) {
  auto type = cast<tile::SharedType>(shared.getType());
  int64_t boxColumns = map.getBox().back();
  int64_t planes = type.getShape().back() / boxColumns;
  SmallVector<Box> boxes;
  for (int64_t plane = 0; plane < planes; ++plane) {
    Box &box = boxes.emplace_back();
    box.address =
        emitter.offset(emitter.scalar(shared), plane * getPlaneBytes(type));
    for (Value coordinate : llvm::reverse(coordinates))
      box.coordinates.push_back(emitter.scalar(coordinate));
    box.coordinates.front() =
        emitter.add(box.coordinates.front(), emitter.i32(plane * boxColumns));
  }
  return boxes;
}

static LogicalResult emitTensorLoad(KernelEmitter &emitter,
                                    tile::TensorLoadOp op) {
  auto map = cast<tile::TensorMapType>(op.getMap().getType());
  SmallVector<Value> offsets;
  for (Value offset : llvm::reverse(op.getIm2colOffsets()))
    offsets.push_back(emitter.scalar(offset));
  auto mode =
      map.getIm2col() ? NVVM::TMALoadMode::IM2COL : NVVM::TMALoadMode::TILE;
  emitter.elected([&] {
    Value multicast =
        op.getMulticast() ? emitter.scalar(op.getMulticast()) : Value();
    for (const Box &box :
         getBoxes(emitter, op.getTo(), map, op.getCoordinates()))
      NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
          emitter.b, toCluster(emitter, box.address),
          emitter.scalar(op.getMap()), box.coordinates,
          getMbarrier(emitter, op.getOn()), offsets, multicast,
          getCacheHint(emitter, op.getCache()), mode,
          /*isCTAOnly=*/false, NVVM::CTAGroupKindAttr(), Value());
  });
  return success();
}

static LogicalResult emitTensorStore(KernelEmitter &emitter,
                                     tile::TensorStoreOp op) {
  auto map = cast<tile::TensorMapType>(op.getMap().getType());
  std::optional<NVVM::TMAReduxKind> redux;
  if (op.getCombine()) {
    redux = getRedux(*op.getCombine());
    assert(redux && "a verified copy combines (A9)");
  }
  emitter.elected([&] {
    for (const Box &box :
         getBoxes(emitter, op.getFrom(), map, op.getCoordinates())) {
      Value descriptor = emitter.scalar(op.getMap());
      if (redux)
        NVVM::CpAsyncBulkTensorReduceOp::create(
            emitter.b, descriptor, box.address, *redux,
            NVVM::TMAStoreMode::TILE, box.coordinates, Value());
      else
        NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(
            emitter.b, descriptor, box.address, box.coordinates, Value(),
            NVVM::TMAStoreMode::TILE, Value());
    }
  });
  return success();
}

void opgraph::codegen::addCopyHandlers(Handlers &handlers) {
  handlers.add<tile::CpAsyncOp, emitCpAsync>();
  handlers.add<tile::CpCommitOp, emitCpCommit>();
  handlers.add<tile::CpWaitOp, emitCpWait>();
  handlers.add<tile::BulkLoadOp, emitBulkLoad>();
  handlers.add<tile::BulkStoreOp, emitBulkStore>();
  handlers.add<tile::BulkCommitOp, emitBulkCommit>();
  handlers.add<tile::BulkWaitOp, emitBulkWait>();
  handlers.add<tile::TensorLoadOp, emitTensorLoad>();
  handlers.add<tile::TensorStoreOp, emitTensorStore>();
}
