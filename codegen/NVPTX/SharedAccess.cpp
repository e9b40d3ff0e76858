//===- SharedAccess.cpp - Register tiles and shared tiles -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/SharedAccess.h"
#include "codegen/NVPTX/MemoryAccess.h"
#include "codegen/NVPTX/SharedLayout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

//===-- Addresses ---------------------------------------------------------===//

/// Which bits of the row number permute the chunks: (row >> shift) & mask.
static std::pair<int64_t, int64_t> getPhase(tile::Swizzle swizzle) {
  switch (swizzle) {
  case tile::Swizzle::none:
    return {0, 0};
  case tile::Swizzle::sw32:
    return {2, 1};
  case tile::Swizzle::sw64:
    return {1, 3};
  case tile::Swizzle::sw128:
    return {0, 7};
  }
  llvm_unreachable("all swizzles handled");
}

Value opgraph::codegen::emitSharedAddress(KernelEmitter &emitter,
                                          tile::SharedType type, Value base,
                                          Value row, Value column) {
  ImplicitLocOpBuilder &b = emitter.b;
  Value bytes = emitter.mul(column, getElementBytes(type.getElementType()));
  Value rowOffset = emitter.mul(row, getRowBytes(type));
  int64_t span = getSwizzleSpan(type.getSwizzle());
  if (!span)
    return emitter.offset(base, emitter.add(rowOffset, bytes));
  auto [shift, mask] = getPhase(type.getSwizzle());
  Value phase =
      emitter.mul(emitter.digit(row, int64_t(1) << shift, mask + 1), 16);
  Value inside = emitter.digit(bytes, 1, span);
  Value chunk = arith::XOrIOp::create(b, inside, phase);
  Value offset = emitter.add(rowOffset, chunk);
  if (type.getShape().back() * getElementBytes(type.getElementType()) != span)
    offset = emitter.add(offset, emitter.mul(emitter.digit(bytes, span, 0),
                                             getPlaneBytes(type)));
  return emitter.offset(base, offset);
}

/// Bytes from one index to the next along an axis of an unswizzled tile.
static int64_t getAxisBytes(tile::SharedType type, unsigned axis) {
  ArrayRef<int64_t> shape = type.getShape();
  if (axis + 1 == shape.size())
    return getElementBytes(type.getElementType());
  if (axis + 2 == shape.size())
    return getRowBytes(type);
  int64_t bytes = getMatrixBytes(type);
  for (int64_t extent : shape.slice(axis + 1).drop_back(2))
    bytes *= extent;
  return bytes;
}

int64_t opgraph::codegen::getKnownAlignment(Value shared) {
  constexpr int64_t most = 16;
  if (auto peer = shared.getDefiningOp<tile::PeerOp>())
    return getKnownAlignment(peer.getTile());
  auto slice = shared.getDefiningOp<tile::SliceOp>();
  if (!slice)
    return most;
  auto type = cast<tile::SharedType>(slice.getTile().getType());
  int64_t known = getKnownAlignment(slice.getTile());
  // A slice of a swizzled tile starts at an atom.
  if (type.getSwizzle() != tile::Swizzle::none)
    return known;
  for (auto [axis, offset] : llvm::enumerate(slice.getOffsets())) {
    if (matchPattern(offset, m_Zero()))
      continue;
    int64_t bytes = getAxisBytes(type, axis) * getKnownDivisor(offset);
    known = std::min(known, bytes & -bytes);
  }
  return known;
}

//===-- Order of reads ----------------------------------------------------===//

void opgraph::codegen::exchangeByKey(KernelEmitter &emitter,
                                     MutableArrayRef<Value> run, Value key) {
  ImplicitLocOpBuilder &b = emitter.b;
  for (size_t bit = 1; bit < run.size(); bit *= 2) {
    Value isSet = arith::CmpIOp::create(
        b, arith::CmpIPredicate::ne,
        emitter.digit(key, static_cast<int64_t>(bit), 2), emitter.i32(0));
    for (size_t low = 0; low < run.size(); ++low) {
      if (low & bit)
        continue;
      Value first = run[low], second = run[low | bit];
      run[low] = arith::SelectOp::create(b, isSet, second, first);
      run[low | bit] = arith::SelectOp::create(b, isSet, first, second);
    }
  }
}

Value opgraph::codegen::emitExchangeKey(KernelEmitter &emitter, Value row,
                                        int64_t length) {
  // Eight rows have phases of their own.
  return emitter.digit(row, std::max<int64_t>(length, 8), length);
}

//===-- Plain accesses ----------------------------------------------------===//

/// Elements that one access may move: neighbours in registers, in memory, in
/// one 16-byte chunk, at an address that is known to be aligned.
static int64_t getWidth(tile::SharedType type, Value shared,
                        const ThreadTile &thread, bool transposed) {
  if (transposed)
    return 1;
  int64_t size = getElementBytes(type.getElementType());
  int64_t bytes = std::min<int64_t>(getKnownAlignment(shared), 16);
  if (type.getSwizzle() == tile::Swizzle::none && type.getShape().size() > 1) {
    int64_t pitch = getRowBytes(type);
    bytes = std::min(bytes, pitch & -pitch);
  }
  int64_t width = thread.vectorWidth & -thread.vectorWidth;
  return std::max<int64_t>(std::min(width, bytes / size), 1);
}

namespace {
/// Addresses of a thread's vectors in a shared tile.
class SharedVectors {
public:
  SharedVectors(KernelEmitter &emitter, tile::RegType reg, Value shared,
                bool transposed, bool isStore)
      : emitter(emitter), type(cast<tile::SharedType>(shared.getType())),
        base(emitter.scalar(shared)), transposed(transposed),
        thread(getThreadTile(emitter, reg,
                             isStore ? Holder::OneOfGroup : Holder::Any)),
        width(getWidth(type, shared, thread, transposed)) {
    // Without a swizzle the registers' parts of an address are constants.
    if (!isStore && transposed && type.getSwizzle() == tile::Swizzle::sw128 &&
        llvm::isPowerOf2_64(thread.vectorWidth) && thread.vectorWidth > 1)
      key = emitExchangeKey(emitter, thread.thread[1], thread.vectorWidth);
    if (type.getSwizzle() == tile::Swizzle::none)
      threadAddress = emitSharedAddress(emitter, type, base,
                                        thread.thread[transposed ? 1 : 0],
                                        thread.thread[transposed ? 0 : 1]);
  }

  Value getAddress(int64_t reg) {
    std::array<int32_t, 2> part = thread.parts[reg];
    std::array<unsigned, 2> axes = {transposed ? 1u : 0u, transposed ? 0u : 1u};
    if (threadAddress)
      return emitter.offset(threadAddress,
                            part[axes[0]] * getRowBytes(type) +
                                part[axes[1]] *
                                    getElementBytes(type.getElementType()));
    auto coordinate = [&](unsigned axis) {
      if (!key || axis != 1)
        return emitter.add(thread.thread[axis], emitter.i32(part[axis]));
      int64_t within = part[axis] % thread.vectorWidth;
      Value place = arith::XOrIOp::create(emitter.b, key, emitter.i32(within));
      return emitter.add(
          emitter.add(thread.thread[axis], emitter.i32(part[axis] - within)),
          place);
    };
    return emitSharedAddress(emitter, type, base, coordinate(axes[0]),
                             coordinate(axes[1]));
  }

  /// Puts registers that were read by `getAddress` to their places.
  void exchange(MutableArrayRef<Value> registers) {
    if (!key)
      return;
    for (size_t first = 0; first < registers.size();
         first += thread.vectorWidth)
      exchangeByKey(emitter, registers.slice(first, thread.vectorWidth), key);
  }

  KernelEmitter &emitter;
  tile::SharedType type;
  Value base;
  bool transposed;
  ThreadTile thread;
  int64_t width;
  Value threadAddress;
  /// Of the order in which a thread reads rows that are its vectors.
  Value key;
};
} // namespace

SmallVector<Value> opgraph::codegen::loadSharedPlain(KernelEmitter &emitter,
                                                     tile::RegType type,
                                                     Value shared,
                                                     bool transposed) {
  SharedVectors vectors(emitter, type, shared, transposed, /*isStore=*/false);
  AccessMode mode{type.getElementType()};
  auto count = static_cast<int64_t>(vectors.thread.parts.size());
  SmallVector<Value> registers;
  for (int64_t reg = 0; reg < count; reg += vectors.width)
    llvm::append_range(registers,
                       emitVectorLoad(emitter, mode, vectors.getAddress(reg),
                                      vectors.width, Value(), Value()));
  vectors.exchange(registers);
  return registers;
}

void opgraph::codegen::storeSharedPlain(KernelEmitter &emitter,
                                        tile::RegType type,
                                        ArrayRef<Value> registers, Value shared,
                                        bool transposed) {
  SharedVectors vectors(emitter, type, shared, transposed, /*isStore=*/true);
  AccessMode mode{type.getElementType()};
  auto count = static_cast<int64_t>(registers.size());
  auto storeAll = [&] {
    for (int64_t reg = 0; reg < count; reg += vectors.width)
      emitVectorStore(emitter, mode, vectors.getAddress(reg),
                      registers.slice(reg, vectors.width), Value());
  };
  if (vectors.thread.isHolder)
    emitter.guarded(vectors.thread.isHolder, storeAll);
  else
    storeAll();
}
