//===- AsyncOps.cpp - Asynchronous copies: rules --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Tile/Verify/Local.h"

using namespace mlir;
using namespace opgraph::tile;

LogicalResult CpAsyncOp::verify() {
  ViewType view = getView().getType();
  SharedType to = getTo().getType();
  int64_t rank = view.getRank();
  if (static_cast<int64_t>(getOffsets().size()) != rank ||
      (!getLimits().empty() &&
       static_cast<int64_t>(getLimits().size()) != rank))
    return emitOpError("expected one offset, and limit, for each of ")
           << rank << " axes (G1)";
  if (view.getElementType() != to.getElementType())
    return emitOpError("expected elements of ")
           << view.getElementType() << " (G3), got " << to.getElementType();
  int64_t bytes = getBytes();
  if ((bytes != 4 && bytes != 8 && bytes != 16) || view.getAlign() < bytes)
    return emitOpError("expected copies of 4, 8 or 16 bytes within the view's "
                       "alignment of ")
           << view.getAlign() << " (A1), got " << bytes;
  std::array<int64_t, 2> shape = getMatrix(to);
  int64_t size = getStorageBits(to.getElementType()) / 8;
  int64_t threads = getGroupWarps(*this) * 32;
  if (shape[1] * size % bytes != 0 ||
      (threads && shape[0] * shape[1] * size % (bytes * threads) != 0))
    return emitOpError("expected a tile of ")
           << bytes << " bytes for each of " << threads
           << " threads, or a multiple (A2), got " << shape[0] << " rows of "
           << shape[1] * size << " bytes";
  return success();
}

/// The copied slot or semaphore: A5's local part.
static LogicalResult verifyOnField(Operation *op, Value to, Value on) {
  if (!isa<SlotType>(on.getType()))
    return success();
  Value tile = to;
  while (auto slice = tile.getDefiningOp<SliceOp>())
    tile = slice.getTile();
  Operation *taker = tile.getDefiningOp();
  if (!isa_and_nonnull<AcquireOp, WaitOp>(taker) || taker->getResult(0) != on)
    return op->emitOpError("expected a field, or part of a field, of the slot "
                           "that it completes on (A5)");
  return success();
}

LogicalResult BulkLoadOp::verify() {
  if (getFrom().getType().getElementType() !=
      getTo().getType().getElementType())
    return emitOpError("expected elements of ")
           << getFrom().getType().getElementType() << " (G3), got "
           << getTo().getType().getElementType();
  if (getFrom().getType().getAlign() < 16)
    return emitOpError("expected a pointer aligned to 16 bytes (A1), got ")
           << getFrom().getType().getAlign();
  if (getTo().getType().getSwizzle() != Swizzle::none)
    return emitOpError("expected a shared tile without swizzle");
  return verifyOnField(*this, getTo(), getOn());
}

/// A9: what `cp.reduce.async.bulk` combines. A tensor map of i64 is one of
/// signed numbers, which have no sum and no bits there.
static LogicalResult
verifyCopyCombine(Operation *op, std::optional<Combine> combine, Type element) {
  using C = Combine;
  if (!combine)
    return success();
  bool isInteger = element.isInteger(32) || element.isInteger(64);
  bool isHalf = element.isF16() || element.isBF16();
  bool isServed = false;
  if (*combine == C::add)
    isServed = isInteger || isHalf || element.isF32() || element.isF64();
  else if (*combine == C::min || *combine == C::max)
    isServed = isInteger || isHalf;
  else if (llvm::is_contained({C::bit_and, C::bit_or, C::bit_xor}, *combine))
    isServed = isInteger;
  bool isSignedMap = isa<TensorStoreOp>(op) && element.isInteger(64) &&
                     *combine != C::min && *combine != C::max;
  if (isServed && !isSignedMap)
    return success();
  return op->emitOpError(
             "expected an add of i32, i64, f16, bf16, f32 or f64, a "
             "min or max of all but the last two, or bits of i32 "
             "or i64 (through a tensor map, of i64 min and max "
             "only) (A9), got ")
         << stringifyCombine(*combine) << " of " << element;
}

LogicalResult BulkStoreOp::verify() {
  if (getFrom().getType().getElementType() !=
      getTo().getType().getElementType())
    return emitOpError("expected elements of ")
           << getFrom().getType().getElementType() << " (G3), got "
           << getTo().getType().getElementType();
  if (getTo().getType().getAlign() < 16)
    return emitOpError("expected a pointer aligned to 16 bytes (A1), got ")
           << getTo().getType().getAlign();
  if (getTo().getType().getReadonly())
    return emitOpError("expected a pointer that may be written");
  return verifyCopyCombine(*this, getCombine(),
                           getTo().getType().getElementType());
}

/// A3, A4 of tensor copies.
static LogicalResult verifyTensorBox(Operation *op, TensorMapType map,
                                     SharedType tile, size_t coordinates) {
  ArrayRef<int64_t> box = map.getBox();
  if (coordinates != box.size())
    return op->emitOpError("expected one coordinate for each of ")
           << box.size() << " axes of the box (A4), got " << coordinates;
  if (map.getElementType() != tile.getElementType() ||
      map.getSwizzle() != tile.getSwizzle())
    return op->emitOpError("expected the map's element type and swizzle (")
           << map.getElementType() << ", " << stringifySwizzle(map.getSwizzle())
           << ") (A3), got " << tile.getElementType() << ", "
           << stringifySwizzle(tile.getSwizzle());
  int64_t rows = 1;
  for (int64_t extent : box.drop_back())
    rows *= extent;
  int64_t tileRows = 1;
  for (int64_t extent : tile.getShape().drop_back())
    tileRows *= extent;
  int64_t columns = tile.getShape().back();
  int64_t planes = columns / box.back();
  if (tile.getPad() || rows != tileRows || columns % box.back() != 0 ||
      (planes > 1 &&
       getSpan(tile.getSwizzle()) !=
           box.back() * getStorageBits(tile.getElementType()) / 8))
    return op->emitOpError("expected a tile of ")
           << rows << " rows and planes of " << box.back()
           << " columns, as the map's box (A3), got " << tileRows << 'x'
           << columns;
  return success();
}

LogicalResult TensorLoadOp::verify() {
  TensorMapType map = getMap().getType();
  if (failed(verifyTensorBox(*this, map, getTo().getType(),
                             getCoordinates().size())))
    return failure();
  size_t offsets = map.getIm2col() ? map.getBox().size() - 2 : 0;
  if (getIm2colOffsets().size() != offsets)
    return emitOpError("expected ") << offsets << " im2col offsets (A4), got "
                                    << getIm2colOffsets().size();
  return verifyOnField(*this, getTo(), getOn());
}

LogicalResult TensorStoreOp::verify() {
  TensorMapType map = getMap().getType();
  if (map.getIm2col())
    return emitOpError("expected a map without im2col");
  if (failed(verifyCopyCombine(*this, getCombine(), map.getElementType())))
    return failure();
  return verifyTensorBox(*this, map, getFrom().getType(),
                         getCoordinates().size());
}

LogicalResult ReplaceMapOp::verify() {
  TensorMapType map = getMap().getType();
  if (!map.getInMemory())
    return emitOpError("expected a map in memory, got a kernel argument");
  Type value = getValue().getType();
  bool isRight = getField() == MapField::address  ? isa<PtrType>(value)
                 : getField() == MapField::extent ? value.isInteger(32)
                                                  : value.isInteger(64);
  if (!isRight)
    return emitOpError(
               "expected a pointer, an i32 extent or an i64 stride for ")
           << stringifyMapField(getField()) << ", got " << value;
  int64_t axes = map.getBox().size() - (getField() == MapField::stride ? 1 : 0);
  if (getField() != MapField::address && getAxis() >= axes)
    return emitOpError("expected an axis below ")
           << axes << ", got " << getAxis();
  return success();
}
