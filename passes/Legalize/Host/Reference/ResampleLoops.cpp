//===- ResampleLoops.cpp - The judge's pooling and interpolation ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "passes/Legalize/Host/Reference/Loops.h"
#include "passes/Legalize/Host/Scalar/Emit.h"

#include <limits>

using namespace mlir;
using namespace opgraph::graph;
using namespace opgraph::legalize;

using Indices = LoopEmitter::Indices;
using Predicate = arith::CmpIPredicate;
using opgraph::legalize::scalar::Emit;

namespace {
/// What one tap of a window reads: an element, or padding. The weight is null
/// where the mode has none.
struct Tap {
  Indices position;
  Value isInside;
  Value weight;
};

/// The loops of both directions; `image` is the tensor that windows slide over.
class ResampleEmitter {
public:
  template <typename OpTy>
  ResampleEmitter(LoopEmitter &e, OpTy op, Value image)
      : e(e), math(e.b, e.loc, e.b.getF64Type()), image(image),
        mode(op.getResampleMode()), paddingMode(op.getPaddingMode()),
        window(op.getWindow()), stride(op.getStride()),
        prePadding(op.getPrePadding()), denominator(op.getDenominator()),
        computeType(op.getEffectiveComputeType()),
        isFloat(isa<FloatType>(computeType)), zero(e.zero(computeType)) {
    for (int64_t entry : window) {
      bounds.push_back(e.index(entry));
      tapCount *= entry;
    }
  }

  void emitForward(ResampleOp op);
  void emitBackward(ResampleBackwardOp op);

private:
  /// Quotient, rounded down, and rest of a division by a positive number.
  std::pair<Value, Value> divideDown(Value value, int64_t by);
  Value coordinate(Value start, Value tap, Value &weight);
  Tap getTap(ValueRange at, ValueRange taps);
  Value load(const Tap &tap) {
    return e.load(image, tap.position, computeType);
  }
  /// The tap's element, 0 for padding.
  Value read(const Tap &tap) {
    return e.choose(tap.isInside, [&] { return load(tap); }, zero);
  }
  Value isGreater(Value value, Value best);
  std::pair<Value, Value> findGreatest(ValueRange at);
  Value countInside(ValueRange at);
  Value resampled(ValueRange at);

  void scatter(ValueRange at, ValueRange taps, Value value, Value sums);
  void scatterAll(ValueRange at, Value value, Value sums);
  Indices splitPosition(Value position);

  LoopEmitter &e;
  Emit math;
  Value image;
  ResampleMode mode;
  PaddingMode paddingMode;
  ArrayRef<int64_t> window, stride, prePadding;
  int64_t denominator;
  Type computeType;
  bool isFloat;
  Value zero;
  Indices bounds;
  int64_t tapCount = 1;
};
} // namespace

//===----------------------------------------------------------------------===//
// Taps
//===----------------------------------------------------------------------===//

std::pair<Value, Value> ResampleEmitter::divideDown(Value value, int64_t by) {
  Value divisor = e.index(by);
  Value rest = e.make<arith::RemSIOp>(value, divisor);
  Value isNegative = e.make<arith::CmpIOp>(Predicate::slt, rest, e.index(0));
  rest = e.make<arith::SelectOp>(isNegative, e.add(rest, divisor), rest);
  Value whole = e.make<arith::SubIOp>(value, rest);
  return {e.make<arith::DivSIOp>(whole, divisor), rest};
}

/// The position that `tap` of a window which starts at `start` units reads; in
/// mode bilinear `weight` is multiplied by the axis' weight.
Value ResampleEmitter::coordinate(Value start, Value tap, Value &weight) {
  if (mode == ResampleMode::NEAREST) {
    Value doubled = e.make<arith::MulIOp>(start, e.index(2));
    return divideDown(e.add(doubled, e.index(denominator)), 2 * denominator)
        .first;
  }
  if (mode != ResampleMode::BILINEAR)
    return e.add(start, tap);
  auto [base, rest] = divideDown(start, denominator);
  Value units = e.make<arith::IndexCastOp>(e.b.getI64Type(), rest);
  Value fraction = math.div(e.make<arith::SIToFPOp>(math.type, units),
                            math.constant(static_cast<double>(denominator)));
  Value isFirst = e.make<arith::CmpIOp>(Predicate::eq, tap, e.index(0));
  Value own =
      math.select(isFirst, math.sub(math.constant(1), fraction), fraction);
  weight = weight ? math.mul(weight, own) : own;
  return e.add(base, tap);
}

/// What the window of the result's element `at` reads at `taps`.
Tap ResampleEmitter::getTap(ValueRange at, ValueRange taps) {
  Tap tap;
  tap.position = {at[0], at[1]};
  tap.isInside = e.make<arith::ConstantOp>(e.b.getBoolAttr(true));
  bool isClamped =
      paddingMode == PaddingMode::EDGE_VAL_PAD || mode == ResampleMode::NEAREST;
  // What is not padding decides the average; elements read in its place do not.
  if (mode == ResampleMode::AVGPOOL_EXCLUDE_PADDING)
    isClamped = false;
  for (auto [axis, offset] : llvm::enumerate(taps)) {
    Value start = e.make<arith::SubIOp>(
        e.make<arith::MulIOp>(at[axis + 2], e.index(stride[axis])),
        e.index(prePadding[axis]));
    Value position = coordinate(start, offset, tap.weight);
    Value extent = e.extent(image, axis + 2);
    if (isClamped) {
      Value last = e.make<arith::SubIOp>(extent, e.index(1));
      position = e.make<arith::MinSIOp>(position, last);
      position = e.make<arith::MaxSIOp>(position, e.index(0));
    } else {
      Value isAfter =
          e.make<arith::CmpIOp>(Predicate::sge, position, e.index(0));
      Value isBefore = e.make<arith::CmpIOp>(Predicate::slt, position, extent);
      tap.isInside = e.make<arith::AndIOp>(
          tap.isInside, e.make<arith::AndIOp>(isAfter, isBefore));
    }
    tap.position.push_back(position);
  }
  return tap;
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

/// Whether `value` takes the place of `best`: it is greater, or a first NaN.
Value ResampleEmitter::isGreater(Value value, Value best) {
  if (!isFloat)
    return e.make<arith::CmpIOp>(Predicate::sgt, value, best);
  auto isNaN = [&](Value v) {
    return math.cmp(arith::CmpFPredicate::UNO, v, v);
  };
  Value isNumber = math.cmp(arith::CmpFPredicate::ORD, best, best);
  return e.make<arith::OrIOp>(math.cmp(arith::CmpFPredicate::OGT, value, best),
                              e.make<arith::AndIOp>(isNaN(value), isNumber));
}

/// The greatest tap of a window and its position in it.
std::pair<Value, Value> ResampleEmitter::findGreatest(ValueRange at) {
  double infinity = std::numeric_limits<double>::infinity();
  int64_t least = computeType.isInteger(32)
                      ? std::numeric_limits<int32_t>::min()
                      : std::numeric_limits<int64_t>::min();
  Value lowest = isFloat ? e.constant(-infinity) : e.integer(least);
  Value none = e.make<arith::ConstantOp>(e.b.getBoolAttr(false));
  auto step = [&](ValueRange taps, ValueRange state) -> Indices {
    Value best = state[0], chosen = state[1], isFound = state[2];
    Tap tap = getTap(at, taps);
    Value value = read(tap);
    Value isFirst = e.make<arith::XOrIOp>(
        isFound, e.make<arith::ConstantOp>(e.b.getBoolAttr(true)));
    Value isTaken = e.make<arith::OrIOp>(isFirst, isGreater(value, best));
    if (paddingMode == PaddingMode::NEG_INF_PAD)
      isTaken = e.make<arith::AndIOp>(isTaken, tap.isInside);
    Value position = e.index(0);
    for (auto [axis, offset] : llvm::enumerate(taps))
      position = e.add(e.make<arith::MulIOp>(position, bounds[axis]), offset);
    return {e.make<arith::SelectOp>(isTaken, value, best),
            e.make<arith::SelectOp>(isTaken, position, chosen),
            e.make<arith::OrIOp>(isFound, isTaken)};
  };
  Indices found = e.reduce(bounds, ValueRange{lowest, e.index(0), none}, step);
  return {found[0], found[1]};
}

/// How many taps of a window are inside of the image, as a float.
Value ResampleEmitter::countInside(ValueRange at) {
  return e.reduce(bounds, e.constant(0), [&](ValueRange taps, Value count) {
    Value isInside = getTap(at, taps).isInside;
    return math.add(count, e.make<arith::UIToFPOp>(math.type, isInside));
  });
}

/// The result's element `at` in modes that sum, or take the one tap.
Value ResampleEmitter::resampled(ValueRange at) {
  if (mode == ResampleMode::NEAREST)
    return load(getTap(at, Indices(window.size(), e.index(0))));
  Value sum = e.reduce(bounds, zero, [&](ValueRange taps, Value partial) {
    Tap tap = getTap(at, taps);
    Value isRead = tap.isInside;
    if (tap.weight)
      isRead =
          e.make<arith::AndIOp>(isRead, math.cmp(arith::CmpFPredicate::ONE,
                                                 tap.weight, math.constant(0)));
    return e.choose(
        isRead,
        [&] {
          Value value = load(tap);
          return math.add(partial,
                          tap.weight ? math.mul(tap.weight, value) : value);
        },
        partial);
  });
  if (mode == ResampleMode::BILINEAR)
    return sum;
  return math.div(sum, mode == ResampleMode::AVGPOOL_EXCLUDE_PADDING
                           ? countInside(at)
                           : math.constant(static_cast<double>(tapCount)));
}

void ResampleEmitter::emitForward(ResampleOp op) {
  e.forEach(e.extents(op.getY()), [&](ValueRange at) {
    if (mode != ResampleMode::MAXPOOL)
      return e.store(resampled(at), op.getY(), at);
    auto [greatest, position] = findGreatest(at);
    e.store(greatest, op.getY(), at);
    if (op.getIndex())
      e.store(e.make<arith::IndexCastOp>(e.b.getI64Type(), position),
              op.getIndex(), at);
  });
}

//===----------------------------------------------------------------------===//
// Backward
//===----------------------------------------------------------------------===//

/// A position in a window, as one offset for each axis.
Indices ResampleEmitter::splitPosition(Value position) {
  Indices taps(window.size());
  for (size_t axis = window.size(); axis-- > 0;) {
    taps[axis] = e.make<arith::RemUIOp>(position, bounds[axis]);
    position = e.make<arith::DivUIOp>(position, bounds[axis]);
  }
  return taps;
}

/// Adds `value`, times the tap's weight, to the sum of what the tap reads.
void ResampleEmitter::scatter(ValueRange at, ValueRange taps, Value value,
                              Value sums) {
  Tap tap = getTap(at, taps);
  Value isRead = tap.isInside;
  if (tap.weight)
    isRead =
        e.make<arith::AndIOp>(isRead, math.cmp(arith::CmpFPredicate::ONE,
                                               tap.weight, math.constant(0)));
  e.ifThen(isRead, [&] {
    Value share = tap.weight ? math.mul(tap.weight, value) : value;
    Value sum = e.make<memref::LoadOp>(sums, tap.position);
    memref::StoreOp::create(e.b, e.loc, e.add(sum, share), sums, tap.position);
  });
}

void ResampleEmitter::scatterAll(ValueRange at, Value value, Value sums) {
  if (mode == ResampleMode::AVGPOOL_EXCLUDE_PADDING)
    value = math.div(value, countInside(at));
  if (mode == ResampleMode::AVGPOOL_INCLUDE_PADDING)
    value = math.div(value, math.constant(static_cast<double>(tapCount)));
  e.forEach(bounds, [&](ValueRange taps) { scatter(at, taps, value, sums); });
}

void ResampleEmitter::emitBackward(ResampleBackwardOp op) {
  Value dx = op.getDX(), dy = op.getLoss();
  RankedTensorType type = LoopEmitter::typeOf(dx);
  Indices extents = e.extents(dx), dynamic;
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    if (type.isDynamicDim(axis))
      dynamic.push_back(extents[axis]);
  // passes/Planning counts this scratch (referenceWorkspace).
  Value sums = e.make<memref::AllocOp>(
      MemRefType::get(type.getShape(), zero.getType()), dynamic);
  e.forEach(extents, [&](ValueRange at) {
    memref::StoreOp::create(e.b, e.loc, zero, sums, at);
  });
  e.forEach(e.extents(dy), [&](ValueRange at) {
    Value value = e.load(dy, at, computeType);
    if (mode != ResampleMode::MAXPOOL)
      return scatterAll(at, value, sums);
    Value position =
        op.getIndex() ? e.loadClamped(op.getIndex(), at, e.index(tapCount - 1))
                      : findGreatest(at).second;
    scatter(at, splitPosition(position), value, sums);
  });
  e.forEach(extents, [&](ValueRange at) {
    Value sum = e.make<memref::LoadOp>(sums, at);
    e.store(e.wrap(sum, computeType), dx, at);
  });
}

void opgraph::legalize::emitLoops(LoopEmitter &e, ResampleOp op) {
  ResampleEmitter(e, op, op.getInput()).emitForward(op);
}

void opgraph::legalize::emitLoops(LoopEmitter &e, ResampleBackwardOp op) {
  // Without X, what windows read is only asked where it lies.
  ResampleEmitter(e, op, op.getInput() ? op.getInput() : op.getDX())
      .emitBackward(op);
}
