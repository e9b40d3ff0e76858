//===- RowPairs.cpp - Two reductions of a row in one walk -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A *slot* is an element of the vector that a thread keeps for a reduction, and
// what it has seen of the row. Of moments it keeps the sums of the elements and
// of their squares about its own first element, so that a large mean cancels
// nothing; of exponentials the largest element and the sum about that. Slots,
// and portions of a row, are then brought to the row's mean (maximum) and
// summed, in a fixed order (Chan, Golub, LeVeque: Updating formulae, 1979).
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "passes/Legalize/NVPTX/Pointwise/Arithmetic.h"
#include "passes/Legalize/NVPTX/Pointwise/Elements.h"
#include "passes/Legalize/NVPTX/Pointwise/FastFormulas.h"
#include "passes/Legalize/NVPTX/Pointwise/RowKernel.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::nvptx;

using Kind = ReductionPair::Kind;

static Type elementOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getElementType();
}

//===----------------------------------------------------------------------===//
// Which
//===----------------------------------------------------------------------===//

const ReductionPair *RowKernel::findPair(graph::ReductionOp op) const {
  for (const ReductionPair &pair : spec.pairs)
    if (pair.first == op || pair.second == op)
      return &pair;
  return nullptr;
}

bool RowKernel::walksAsPair(graph::ReductionOp op) const {
  return space.isLooped && buffers.portionsOf.empty() && findPair(op);
}

//===----------------------------------------------------------------------===//
// Walk
//===----------------------------------------------------------------------===//

tile::RegType RowKernel::getSlotType(graph::ReductionOp op) {
  std::array<int64_t, 2> shape = shapeOf(op);
  shape[1] /= space.vectorsPerThread;
  return regType(shape, getReductionType(op));
}

/// What the slots keep, before the walk.
SmallVector<Value> RowKernel::startPair(ReductionPair pair) {
  tile::RegType type = getSlotType(pair.first);
  auto splat = [&](TypedAttr value) -> Value {
    return tile::SplatOp::create(b, type, arith::ConstantOp::create(b, value));
  };
  Value zero = splat(b.getFloatAttr(type.getElementType(), 0));
  if (pair.kind == Kind::Moments)
    return {zero, zero, zero};
  return {splat(getNeutral(pair.first.getMode(), type.getElementType())), zero};
}

/// The chunk's elements of each slot, of the type that arithmetic is in;
/// `inside` says which are columns, and is empty where all are.
void RowKernel::readParts(OpBuilder &builder, ReductionPair pair,
                          tile::RegType type, ValueRange args,
                          SmallVectorImpl<Value> &parts,
                          SmallVectorImpl<Value> &inside) {
  Location loc = b.getLoc();
  Value input = pair.first.getInput();
  for (Value part : args)
    parts.push_back(readOperand(builder, loc, part, elementOf(input),
                                pair.first.getEffectiveComputeType(),
                                type.getElementType()));
  if (!hasTail())
    return;
  int64_t step = getColumnAxis() == 0 ? type.getRows() : type.getCols();
  Value at = tile::CoordOp::create(builder, loc, getReducedAxis());
  at = arith::AddIOp::create(builder, loc, at, column);
  for (size_t part = 0; part < parts.size(); ++part) {
    Value offset = arith::ConstantOp::create(
        builder, loc, builder.getI32IntegerAttr(part * step));
    inside.push_back(arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ult,
        arith::AddIOp::create(builder, loc, at, offset), numColumns));
  }
}

/// About the slot's first element, or 0 where that is not finite.
static SmallVector<Value> addMoments(Arithmetic a, Value isFirst,
                                     ValueRange kept, ArrayRef<Value> parts,
                                     ArrayRef<Value> inside) {
  Value isFinite = a.compare(arith::CmpFPredicate::OLT,
                             math::AbsFOp::create(a.b, a.loc, parts[0]),
                             a.infinity(/*isNegative=*/false));
  Value isPivot = arith::AndIOp::create(a.b, a.loc, isFirst, isFinite);
  Value pivot = a.select(isPivot, parts[0], kept[0]);
  Value sum, squares;
  for (auto [number, x] : llvm::enumerate(parts)) {
    Value d = a.sub(x, pivot);
    if (!inside.empty())
      d = a.select(inside[number], d, a.constant(0));
    // The chunk's own elements first: what is kept waits for one result.
    sum = sum ? a.add(sum, d) : d;
    squares = squares ? a.fma(d, d, squares) : a.mul(d, d);
  }
  return {pivot, a.add(kept[1], sum), a.add(kept[2], squares)};
}

SmallVector<Value> RowKernel::addPair(ReductionPair pair, ValueRange kept,
                                      Value start) {
  tile::RegType type = getSlotType(pair.first);
  SmallVector<Value> inputs = llvm::to_vector(kept);
  llvm::append_range(inputs, splitParts(evaluate(pair.first.getInput()), type));
  Value isFirst;
  if (pair.kind == Kind::Moments)
    isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, column, start);
  return mapAll(inputs, SmallVector<Type>(kept.size(), type),
                [&](OpBuilder &builder, ValueRange args) -> SmallVector<Value> {
                  Arithmetic a{builder, b.getLoc(), type.getElementType()};
                  SmallVector<Value> parts, inside;
                  readParts(builder, pair, type, args.drop_front(kept.size()),
                            parts, inside);
                  ValueRange own = args.take_front(kept.size());
                  return pair.kind == Kind::Moments
                             ? addMoments(a, isFirst, own, parts, inside)
                             : addExponentials(builder, pair, own, parts,
                                               inside);
                });
}

/// Both about the largest element of the slot so far.
SmallVector<Value> RowKernel::addExponentials(OpBuilder &builder,
                                              ReductionPair pair,
                                              ValueRange kept,
                                              MutableArrayRef<Value> parts,
                                              ArrayRef<Value> inside) {
  Arithmetic a{builder, b.getLoc(), kept[0].getType()};
  Value max;
  for (auto [number, x] : llvm::enumerate(parts)) {
    if (!inside.empty())
      x = a.select(inside[number], x, a.infinity(/*isNegative=*/true));
    max = max ? a.max(max, x) : x;
  }
  max = a.max(kept[0], max);
  Value pivot = a.getPivot(max), sum;
  for (Value x : parts) {
    Value one = emitExponential(builder, pair, a.sub(x, pivot));
    sum = sum ? a.add(sum, one) : one;
  }
  Value before = emitExponential(builder, pair, a.sub(kept[0], pivot));
  return {max, a.fma(kept[1], before, sum)};
}

/// As the pair's own exponential is computed elsewhere.
Value RowKernel::emitExponential(OpBuilder &builder, ReductionPair pair,
                                 Value x) {
  Value result = pair.second.getInput();
  Value value =
      emitPointwise(builder, b.getLoc(), graph::PointwiseMode::EXP,
                    getPointwiseParams(result.getDefiningOp()), x, x.getType());
  if (getHidden(result) == Hidden::Coarse)
    approximate(*builder.getInsertionBlock());
  return value;
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

/// How many columns each slot has seen.
Value RowKernel::countSlotColumns(OpBuilder &builder, tile::RegType type) {
  Location loc = b.getLoc();
  int64_t step = getColumnAxis() == 0 ? type.getRows() : type.getCols();
  auto constant = [&](int64_t value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getI32IntegerAttr(value));
  };
  Value end = columnEnd ? columnEnd : numColumns;
  Value left = arith::SubIOp::create(builder, loc, end, column);
  if (hasTail()) {
    left = arith::SubIOp::create(
        builder, loc, left,
        tile::CoordOp::create(builder, loc, getReducedAxis()));
    left = arith::AddIOp::create(builder, loc, left, constant(step - 1));
  }
  left = arith::MaxSIOp::create(builder, loc, left, constant(0));
  return arith::DivUIOp::create(builder, loc, left, constant(step));
}

/// The row's two numbers, or the portion's.
void RowKernel::finishMoments(ReductionPair pair, ValueRange kept,
                              SmallVectorImpl<Value> &sums) {
  auto type = cast<tile::RegType>(kept[0].getType());
  // Where chunks are whole all slots have seen as many.
  Value all, inverse;
  if (!hasTail()) {
    Arithmetic a{b, b.getLoc(), type.getElementType()};
    all = a.fromInteger(countSlotColumns(b, type));
    inverse = a.div(a.constant(1), a.max(all, a.constant(1)));
  }
  // Per slot: how many, their mean, the squares' sum about that.
  SmallVector<Value> slots =
      mapAll(kept, {type, type, type},
             [&](OpBuilder &builder, ValueRange args) -> SmallVector<Value> {
               Arithmetic a{builder, b.getLoc(), type.getElementType()};
               Value count =
                   all ? all : a.fromInteger(countSlotColumns(builder, type));
               Value shift = inverse
                                 ? a.mul(args[1], inverse)
                                 : a.div(args[1], a.max(count, a.constant(1)));
               Value squares = a.sub(args[2], a.mul(shift, args[1]));
               Value isLess =
                   a.compare(arith::CmpFPredicate::OLT, squares, a.constant(0));
               return {count, a.add(args[0], shift),
                       a.select(isLess, a.constant(0), squares)};
             });
  Value weighted =
      map({slots[0], slots[1]}, type,
          [&](OpBuilder &builder, ValueRange args) -> Value {
            return arith::MulFOp::create(builder, b.getLoc(), args[0], args[1]);
          });
  sums.push_back(reduceTile(pair.first, weighted));
  Value mean = averageOf(sums[0]);
  Value squares =
      map({slots[0], slots[1], slots[2], mean}, type,
          [&](OpBuilder &builder, ValueRange args) {
            Arithmetic a{builder, b.getLoc(), type.getElementType()};
            Value d = a.sub(args[1], args[3]);
            return a.fma(a.mul(args[0], d), d, args[2]);
          });
  sums.push_back(reduceTile(pair.second, squares));
}

/// The row's sum, or the portion's, over its number of columns.
Value RowKernel::averageOf(Value sum) {
  auto type = cast<tile::RegType>(sum.getType());
  Value length =
      arith::SubIOp::create(b, columnEnd ? columnEnd : numColumns, column);
  // The last CTAs of a cluster may have none.
  if (space.cluster > 1)
    length = arith::MaxSIOp::create(b, length, i32(1));
  return map(sum, type, [&](OpBuilder &builder, ValueRange args) {
    Arithmetic a{builder, b.getLoc(), type.getElementType()};
    return a.div(args[0], a.fromInteger(length));
  });
}

void RowKernel::finishExponentials(ReductionPair pair, ValueRange kept,
                                   SmallVectorImpl<Value> &sums) {
  auto type = cast<tile::RegType>(kept[0].getType());
  sums.push_back(reduceTile(pair.first, kept[0]));
  Value pivot;
  if (space.portion || space.cluster > 1) {
    pivot = map(sums[0], cast<tile::RegType>(sums[0].getType()),
                [&](OpBuilder &builder, ValueRange args) {
                  return Arithmetic{builder, b.getLoc(), type.getElementType()}
                      .getPivot(args[0]);
                });
  } else {
    rowTiles[pair.first.getY()] = finish(pair.first, sums[0]);
    pivot = evaluate(pair.shift);
  }
  Value scaled = map({kept[0], kept[1], pivot}, type,
                     [&](OpBuilder &builder, ValueRange args) {
                       return rescale(builder, pair, args);
                     });
  sums.push_back(reduceTile(pair.second, scaled));
}

/// `args`: a maximum, the sum about that, what it shall be about.
Value RowKernel::rescale(OpBuilder &builder, ReductionPair pair,
                         ValueRange args) {
  Arithmetic a{builder, b.getLoc(), args[1].getType()};
  return a.mul(args[1],
               emitExponential(builder, pair, a.sub(args[0], args[2])));
}

SmallVector<Value> RowKernel::finishPair(ReductionPair pair, ValueRange kept) {
  SmallVector<Value> sums;
  if (pair.kind == Kind::Moments)
    finishMoments(pair, kept, sums);
  else
    finishExponentials(pair, kept, sums);
  return sums;
}

//===----------------------------------------------------------------------===//
// Portions
//===----------------------------------------------------------------------===//

/// What each portion contributes to a pair's second reduction, when the first
/// one's result is known.
Value RowKernel::emitPortionsOfSecond(ReductionPair pair) {
  Value first = load(buffers.portionsOf.lookup(pair.first));
  Value second = load(buffers.portionsOf.lookup(pair.second));
  auto type = cast<tile::RegType>(second.getType());
  Value about = pair.kind == Kind::Moments ? evaluate(pair.first.getY())
                                           : evaluate(pair.shift);
  return map(
      {first, second, about}, type, [&](OpBuilder &builder, ValueRange args) {
        Value x = pair.kind == Kind::Moments
                      ? addMomentsOfPortion(builder, args)
                      : rescale(builder, pair, args);
        return hasTail() ? selectInside(builder, x, pair.second.getMode()) : x;
      });
}

/// `args`: a portion's sum, its squares' sum about its mean, the row's mean.
Value RowKernel::addMomentsOfPortion(OpBuilder &builder, ValueRange args) {
  Location loc = b.getLoc();
  Arithmetic a{builder, loc, args[0].getType()};
  Value at = tile::CoordOp::create(builder, loc, getReducedAxis());
  at = arith::AddIOp::create(builder, loc, at, column);
  Value left = arith::SubIOp::create(
      builder, loc, count, arith::MulIOp::create(builder, loc, at, portion));
  Value length =
      a.fromInteger(arith::MinSIOp::create(builder, loc, left, portion));
  Value d = a.sub(a.div(args[0], length), args[2]);
  return a.fma(a.mul(length, d), d, args[1]);
}
