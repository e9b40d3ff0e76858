//===- ThreadTile.cpp - Which elements of a register tile a thread has ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/TileParts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

namespace {
/// A run of lane and warp factors of an axis that is one digit of the thread's
/// index within the group: `(thread / stride) % extent`, `weight` elements
/// apart.
struct ThreadDigit {
  int64_t stride, extent, weight;
};
} // namespace

/// The thread digits of an axis, neighbours joined: a tile that is spread over
/// all threads in order costs one multiplication.
static SmallVector<ThreadDigit> getDigits(ArrayRef<tile::Factor> factors) {
  SmallVector<ThreadDigit> digits;
  int64_t weight = 1;
  for (const tile::Factor &factor : llvm::reverse(factors)) {
    int64_t stride = factor.stride;
    if (factor.owner == tile::Owner::Warp)
      stride *= 32;
    if (factor.owner != tile::Owner::Register && factor.extent > 1) {
      ThreadDigit *last = digits.empty() ? nullptr : &digits.back();
      if (last && last->stride * last->extent == stride &&
          last->weight * last->extent == weight)
        last->extent *= factor.extent;
      else
        digits.push_back({stride, factor.extent, weight});
    }
    weight *= factor.extent;
  }
  return digits;
}

static Value sumDigits(KernelEmitter &emitter, ArrayRef<ThreadDigit> digits) {
  int64_t threads = int64_t(emitter.group.warps) * 32;
  Value sum = emitter.i32(0);
  for (const ThreadDigit &digit : digits) {
    bool isTop = digit.stride * digit.extent >= threads;
    Value value = emitter.digit(emitter.group.thread, digit.stride,
                                isTop ? 0 : digit.extent);
    sum = emitter.add(sum, emitter.mul(value, digit.weight));
  }
  return sum;
}

/// Whether all digits of the thread's index below `end` that none of `digits`
/// covers are 0; null: there are none.
static Value makeIsHolder(KernelEmitter &emitter,
                          MutableArrayRef<ThreadDigit> digits, int64_t end) {
  llvm::sort(digits, [](const ThreadDigit &lhs, const ThreadDigit &rhs) {
    return lhs.stride < rhs.stride;
  });
  ImplicitLocOpBuilder &b = emitter.b;
  int64_t threads = int64_t(emitter.group.warps) * 32, covered = 1;
  Value condition;
  auto requireZero = [&](int64_t next) {
    bool isTop = next >= threads;
    Value isZero =
        arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                              emitter.digit(emitter.group.thread, covered,
                                            isTop ? 0 : next / covered),
                              emitter.i32(0));
    condition =
        condition ? arith::AndIOp::create(b, condition, isZero) : isZero;
  };
  for (const ThreadDigit &digit : digits) {
    if (digit.stride >= end)
      break;
    if (digit.stride > covered)
      requireZero(digit.stride);
    covered = digit.stride * digit.extent;
  }
  if (covered < end)
    requireZero(end);
  return condition;
}

ThreadTile opgraph::codegen::getThreadTile(KernelEmitter &emitter,
                                           tile::RegType type, Holder holder) {
  auto distribution = tile::Distribution::get(type, nullptr);
  assert(succeeded(distribution) && "a verified tile fits its distribution");
  ThreadTile tile;
  SmallVector<ThreadDigit> all;
  for (unsigned axis : {0u, 1u}) {
    SmallVector<ThreadDigit> digits = getDigits(distribution->factors(axis));
    tile.thread[axis] = sumDigits(emitter, digits);
    llvm::append_range(all, digits);
  }
  tile.parts = getParts(type);
  tile.vectorWidth = distribution->vectorWidth();
  if (holder != Holder::Any)
    tile.isHolder = makeIsHolder(
        emitter, all,
        holder == Holder::OneOfWarp ? 32 : int64_t(emitter.group.warps) * 32);
  return tile;
}
