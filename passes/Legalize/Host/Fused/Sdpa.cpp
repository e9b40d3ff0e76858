//===- Sdpa.cpp - Scaled dot-product attention ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One parallel step per (batch, head, tile of query rows), with an online
// softmax over tiles of keys. Scores are kept transposed, S^T = K Q^T and
// O^T += V^T P^T, so that a vector holds one key and several query rows: the
// softmax reduces across vectors, never inside one. Tiles have one size: rows
// and columns past the last are computed, masked and not stored.
//===----------------------------------------------------------------------===//
#include "passes/Legalize/Host/Fused/Sdpa.h"
#include "dialects/Plan/PlanDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::fused;

void SdpaEmitter::run() {
  Extents q = e.getExtents(op.getQ());
  rows = e.index(q[2]);
  headsQ = e.index(q[1]);
  columns = e.index(e.getExtents(op.getK())[2]);
  if (op.getAttnScale())
    scale = readScalar(e, op.getAttnScale(), compute);
  else if (auto value = op.getAttnScaleValue())
    scale = e.constant(work, roundAttribute(*value, compute));

  AffineExpr d0 = b.getAffineDimExpr(0);
  OpFoldResult rowTiles = affine::makeComposedFoldedAffineApply(
      b, loc, AffineMap::get(1, 0, d0.ceilDiv(kQueryTile)), {q[2]});
  SmallVector<Value> results{op.getO()};
  if (op.getStats())
    results.push_back(op.getStats());
  SmallVector<Value> inits;
  for (Value result : results)
    inits.push_back(e.emptyFor(result));
  auto loop = scf::ForallOp::create(
      b, loc, ArrayRef<OpFoldResult>{q[0], q[1], rowTiles}, inits, std::nullopt,
      [&](OpBuilder &, Location, ValueRange args) {
        batch = args[0];
        head = args[1];
        firstRow = arith::MulIOp::create(b, loc, args[2], e.index(kQueryTile));
        Value left = sub(rows, firstRow);
        Value count = minimum(left, e.index(kQueryTile));
        Extents offsets{batch, head, firstRow, b.getIndexAttr(0)};
        Extents steps(4, b.getIndexAttr(1));
        ValueRange outs = args.drop_front(3);
        SmallVector<Extents> sizes;
        SmallVector<Value> tiles;
        for (auto [result, out] : llvm::zip(results, outs)) {
          sizes.push_back({b.getIndexAttr(1), b.getIndexAttr(1), count,
                           e.getExtents(result)[3]});
          tiles.push_back(e.slice(out, offsets, sizes.back()));
        }
        SmallVector<Value> values = emitQueryTile(tiles);
        auto parallel = scf::InParallelOp::create(b, loc);
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToStart(parallel.getBody());
        for (auto [value, out, size] : llvm::zip(values, outs, sizes))
          tensor::ParallelInsertSliceOp::create(b, loc, value, out, offsets,
                                                size, steps);
      });
  RankedTensorType typeQ = Emitter::getType(op.getQ());
  int64_t keys = Emitter::getType(op.getK()).getDimSize(2);
  if (typeQ.hasStaticShape() && !ShapedType::isDynamic(keys) &&
      typeQ.getNumElements() < kMinParallelWork / std::max<int64_t>(keys, 1))
    loop->setAttr(plan::sequentialAttrName, b.getUnitAttr());
  for (auto [result, value] : llvm::zip(results, loop.getResults()))
    e.define(result, value);
}

/// The rows and columns of this batch entry, and the band's shift.
void SdpaEmitter::readLengths() {
  auto read = [&](Value lengths, Value extent) -> Value {
    if (!op.getUsePaddingMask())
      return extent;
    Value zero = e.index(int64_t(0));
    Value stored = tensor::ExtractOp::create(
        b, loc, e.lookup(lengths), ValueRange{batch, zero, zero, zero});
    Value length = arith::IndexCastOp::create(b, loc, b.getIndexType(), stored);
    return minimum(maximum(length, zero), extent);
  };
  lengthQ = read(op.getSeqLenQ(), rows);
  lengthK = read(op.getSeqLenKv(), columns);
  bool bottomRight =
      op.getDiagonalAlignment() == graph::DiagonalAlignment::BOTTOM_RIGHT;
  shift = bottomRight ? sub(lengthK, lengthQ) : e.index(int64_t(0));
}

/// The columns that some row of this tile sees.
void SdpaEmitter::findKeyRange() {
  begin = e.index(int64_t(0));
  end = lengthK;
  if (auto right = op.getDiagonalBandRightBound()) {
    Value last = add(add(firstRow, shift), emitBound(*right));
    end = minimum(end, add(last, e.index(kQueryTile)));
  }
  if (auto left = op.getDiagonalBandLeftBound()) {
    Value first = sub(add(firstRow, shift), emitBound(*left));
    begin = maximum(begin, add(first, e.index(int64_t(1))));
  }
}

/// Q^T of this tile, [D, kQueryTile]; rows past the last repeat it.
Value SdpaEmitter::loadQueries() {
  RankedTensorType type = Emitter::getType(op.getQ());
  Value last = sub(rows, e.index(int64_t(1)));
  Extents extents{b.getIndexAttr(type.getDimSize(3)),
                  b.getIndexAttr(kQueryTile)};
  return e.elementwise(
      {}, e.empty(extents, work),
      [&](OpBuilder &b, Location loc, ValueRange) -> Value {
        Value depth = linalg::IndexOp::create(b, loc, 0);
        Value row = add(firstRow, linalg::IndexOp::create(b, loc, 1));
        Value stored = tensor::ExtractOp::create(
            b, loc, e.lookup(op.getQ()),
            ValueRange{batch, head, minimum(row, last), depth});
        return convertOperand(b, loc, stored, type.getElementType(), compute,
                              work);
      });
}

/// Rows [first, first + kKeyTile) of K or V in the work type, zeros from `end`
/// on.
Value SdpaEmitter::loadKeys(Value graphValue, Value first) {
  RankedTensorType type = Emitter::getType(graphValue);
  Value heads = e.index(e.getExtents(graphValue)[1]);
  Value headOf = arith::DivUIOp::create(
      b, loc, arith::MulIOp::create(b, loc, head, heads), headsQ);
  Value last = sub(end, e.index(int64_t(1)));
  Value zero = e.constant(work, 0);
  Extents extents{b.getIndexAttr(kKeyTile), b.getIndexAttr(type.getDimSize(3))};
  return e.elementwise(
      {}, e.empty(extents, work),
      [&](OpBuilder &b, Location loc, ValueRange) -> Value {
        Value row = add(first, linalg::IndexOp::create(b, loc, 0));
        Value depth = linalg::IndexOp::create(b, loc, 1);
        Value stored = tensor::ExtractOp::create(
            b, loc, e.lookup(graphValue),
            ValueRange{batch, headOf, minimum(row, last), depth});
        Value value = convertOperand(b, loc, stored, type.getElementType(),
                                     compute, work);
        Value inside =
            arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sle, row, last);
        return arith::SelectOp::create(b, loc, inside, value, zero);
      });
}

/// One step of the online softmax, over up to kKeyTile keys from `first`.
SdpaState SdpaEmitter::emitKeyTile(Value queries, Value first,
                                   SdpaState state) {
  using utils::IteratorType;
  IteratorType contraction[] = {IteratorType::parallel, IteratorType::parallel,
                                IteratorType::reduction};
  IteratorType acrossKeys[] = {IteratorType::reduction, IteratorType::parallel};
  Value keys = loadKeys(op.getK(), first);
  Value zero = e.constant(work, 0);
  Extents tile{b.getIndexAttr(kKeyTile), b.getIndexAttr(kQueryTile)};
  Value scores = e.generic(
      {{keys, map(3, {0, 2})}, {queries, map(3, {2, 1})}},
      {e.fill(e.empty(tile, work), zero), map(3, {0, 1})}, contraction,
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        Value product = arith::MulFOp::create(b, loc, args[0], args[1]);
        return arith::AddFOp::create(b, loc, args[2], product);
      });
  scores = finishScores(scores, first);

  Extents perRow{b.getIndexAttr(kQueryTile)};
  auto larger = [&](OpBuilder &b, Location loc, ValueRange args) {
    return emitCombine(b, loc, Combine::Max, args[1], args[0]);
  };
  Value tileMax =
      e.generic({{scores, e.identity(2)}},
                {e.fill(e.empty(perRow, work), lowest()), map(2, {1})},
                acrossKeys, larger);
  Value rescale =
      e.elementwise({{tileMax, e.identity(1)}, {state.max, e.identity(1)}},
                    e.empty(perRow, work),
                    [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
                      Value x = arith::SubFOp::create(
                          b, loc, args[1], orZero(larger(b, loc, args)));
                      return math::ExpOp::create(b, loc, x);
                    });
  // In place, once nothing reads the old one any more.
  Value newMax = e.elementwise({{tileMax, e.identity(1)}}, state.max, larger);
  Value weights = e.elementwise(
      {{newMax, map(2, {1})}}, scores,
      [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
        Value x = arith::SubFOp::create(b, loc, args[1], orZero(args[0]));
        return math::ExpOp::create(b, loc, x);
      });
  auto scaleBy = [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
    return arith::MulFOp::create(b, loc, args[1], args[0]);
  };
  Value sum = e.elementwise({{rescale, e.identity(1)}}, state.sum, scaleBy);
  sum = e.generic({{weights, e.identity(2)}}, {sum, map(2, {1})}, acrossKeys,
                  [&](OpBuilder &b, Location loc, ValueRange args) {
                    return emitCombine(b, loc, Combine::Sum, args[1], args[0]);
                  });
  Value output = e.elementwise({{rescale, map(2, {1})}}, state.output, scaleBy);
  Value values = loadKeys(op.getV(), first);
  output = accumulateOutput(values, weights, first, output);
  return {newMax, sum, output};
}

/// Divides by the row sums and rounds. Rows that see no key have sum 0.
SmallVector<Value> SdpaEmitter::finish(SdpaState state, ValueRange tiles) {
  auto isPadded = [&](OpBuilder &b, Location loc) -> Value {
    Value row = add(firstRow, linalg::IndexOp::create(b, loc, 2));
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, row,
                                 lengthQ);
  };
  Value zero = e.constant(work, 0);
  Extents zeros(2, b.getIndexAttr(0));
  Value tileRows = tensor::DimOp::create(b, loc, tiles[0], 2);
  int64_t depth = Emitter::getType(op.getO()).getDimSize(3);
  Value output =
      e.slice(state.output, zeros, {b.getIndexAttr(depth), tileRows});
  Value sum = e.slice(state.sum, {b.getIndexAttr(0)}, {tileRows});
  Value max = e.slice(state.max, {b.getIndexAttr(0)}, {tileRows});
  Type typeO = Emitter::getType(op.getO()).getElementType();
  SmallVector<Value> results{e.elementwise(
      {{output, map(4, {3, 2})}, {sum, map(4, {2})}}, tiles[0],
      [&](OpBuilder &b, Location loc, ValueRange args) {
        Value isEmpty = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ,
                                              args[1], zero);
        if (op.getUsePaddingMask())
          isEmpty = arith::OrIOp::create(b, loc, isEmpty, isPadded(b, loc));
        Value o = arith::DivFOp::create(b, loc, args[0], args[1]);
        o = arith::SelectOp::create(b, loc, isEmpty, zero, o);
        return convertToStorage(b, loc, o, typeO);
      })};
  if (!op.getStats())
    return results;
  Type typeStats = Emitter::getType(op.getStats()).getElementType();
  results.push_back(
      e.elementwise({{max, map(4, {2})}, {sum, map(4, {2})}}, tiles[1],
                    [&](OpBuilder &b, Location loc, ValueRange args) {
                      Value log = math::LogOp::create(b, loc, args[1]);
                      Value stats = arith::AddFOp::create(b, loc, args[0], log);
                      if (op.getUsePaddingMask())
                        stats = arith::SelectOp::create(
                            b, loc, isPadded(b, loc), lowest(), stats);
                      return convertToStorage(b, loc, stats, typeStats);
                    }));
  return results;
}

SmallVector<Value> SdpaEmitter::emitQueryTile(ValueRange tiles) {
  readLengths();
  findKeyRange();
  Value queries = loadQueries();
  Extents perRow{b.getIndexAttr(kQueryTile)};
  int64_t depth = Emitter::getType(op.getV()).getDimSize(3);
  Extents outputExtents{b.getIndexAttr(depth), b.getIndexAttr(kQueryTile)};
  Value zero = e.constant(work, 0);
  SdpaState state{e.fill(e.empty(perRow, work), lowest()),
                  e.fill(e.empty(perRow, work), zero),
                  e.fill(e.empty(outputExtents, work), zero)};
  auto loop = scf::ForOp::create(
      b, loc, begin, end, e.index(kKeyTile),
      ValueRange{state.max, state.sum, state.output},
      [&](OpBuilder &, Location, Value first, ValueRange args) {
        SdpaState next =
            emitKeyTile(queries, first, {args[0], args[1], args[2]});
        scf::YieldOp::create(b, loc,
                             ValueRange{next.max, next.sum, next.output});
      });
  return finish({loop.getResult(0), loop.getResult(1), loop.getResult(2)},
                tiles);
}

void fused::emit(Emitter &e, graph::SdpaOp op) {
  if (!Emitter::isEmpty(op.getV()))
    return SdpaEmitter(e, op).run();
  // No keys: every row is fully masked.
  e.defineFilled(op.getO(), 0);
  if (op.getStats())
    e.defineFilled(op.getStats(), -std::numeric_limits<double>::infinity());
}
