//===- Rows.cpp - Work that is done row by row ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/Host/Fused/Rows.h"
#include "dialects/Plan/PlanDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::fused;

/// About how many operations an element of a row costs.
static constexpr int64_t kPassesPerRow = 4;

Rows::Rows(Emitter &e, Value like, ArrayRef<bool> isRowAxis)
    : e(e), like(like), isRowAxis(isRowAxis) {}

void Rows::addResult(Value graphValue) { results.push_back(graphValue); }

Rows::Box Rows::getBox(RankedTensorType type, ArrayRef<OpFoldResult> extents) {
  int64_t lead = isRowAxis.size() - type.getRank();
  RankedTensorType whole = Emitter::getType(like);
  Box box;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    bool isRow = isRowAxis[lead + axis];
    bool repeats =
        type.getDimSize(axis) == 1 && whole.getDimSize(lead + axis) != 1;
    box.offsets.push_back(isRow && !repeats
                              ? OpFoldResult(positions[lead + axis])
                              : OpFoldResult(e.b.getIndexAttr(0)));
    box.sizes.push_back(isRow ? OpFoldResult(e.b.getIndexAttr(1))
                              : extents[axis]);
  }
  return box;
}

Operand Rows::operand(Value graphValue) {
  RankedTensorType type = Emitter::getType(graphValue);
  Box box = getBox(type, e.getExtents(graphValue));
  Value tile = e.slice(e.lookup(graphValue), box.offsets, box.sizes);
  RankedTensorType whole = Emitter::getType(like);
  int64_t lead = isRowAxis.size() - type.getRank();
  SmallVector<AffineExpr> exprs;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    bool repeats =
        type.getDimSize(axis) == 1 && whole.getDimSize(lead + axis) != 1;
    exprs.push_back(repeats && !isRowAxis[lead + axis]
                        ? e.b.getAffineConstantExpr(0)
                        : e.b.getAffineDimExpr(lead + axis));
  }
  return {tile, AffineMap::get(whole.getRank(), 0, exprs, e.b.getContext())};
}

Value Rows::reduce(Combine how, ArrayRef<Operand> inputs, Type workType,
                   ScalarBody contribution) {
  Value init = e.fill(e.empty({}, workType), emitNeutral(e, how, workType));
  unsigned rank = isRowAxis.size();
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::reduction);
  AffineMap toScalar = AffineMap::get(rank, 0, e.b.getContext());
  Value result =
      e.generic(inputs, {init, toScalar}, iterators,
                [&](OpBuilder &b, Location loc, ValueRange args) {
                  Value value = contribution(b, loc, args.drop_back());
                  return emitCombine(b, loc, how, args.back(), value);
                });
  return tensor::ExtractOp::create(e.b, e.loc, result, ValueRange());
}

Value Rows::scalarTile(unsigned number, Value value) {
  Type elementType = Emitter::getType(results[number]).getElementType();
  Value stored = convertToStorage(e.b, e.loc, value, elementType);
  return e.fill(tiles[number], stored);
}

Value Rows::emitCount(Type workType) {
  Value count = e.index(1);
  for (auto [extent, isRow] : llvm::zip(e.getExtents(like), isRowAxis))
    if (!isRow)
      count = arith::MulIOp::create(e.b, e.loc, count, e.index(extent));
  Value wide = arith::IndexCastOp::create(e.b, e.loc, e.b.getI64Type(), count);
  return convertFromStorage(e.b, e.loc, wide, e.b.getI64Type(), workType);
}

void Rows::run(function_ref<SmallVector<Value>()> body) {
  Extents counts;
  for (auto [extent, isRow] : llvm::zip(e.getExtents(like), isRowAxis))
    if (isRow)
      counts.push_back(extent);
  // One row of everything is still a loop: of one step.
  bool isSingle = counts.empty();
  if (isSingle)
    counts.push_back(e.b.getIndexAttr(1));
  SmallVector<Value> inits;
  for (Value result : results)
    inits.push_back(e.emptyFor(result));
  auto loop = scf::ForallOp::create(
      e.b, e.loc, counts, inits, std::nullopt,
      [&](OpBuilder &b, Location loc, ValueRange args) {
        unsigned next = 0;
        positions.clear();
        for (bool isRow : isRowAxis)
          positions.push_back(isRow ? args[next++] : Value());
        ValueRange outs = args.drop_front(counts.size());
        SmallVector<Box> boxes;
        tiles.clear();
        for (auto [result, out] : llvm::zip(results, outs)) {
          boxes.push_back(
              getBox(Emitter::getType(result), e.getExtents(result)));
          tiles.push_back(
              e.slice(out, boxes.back().offsets, boxes.back().sizes));
        }
        SmallVector<Value> values = body();
        auto parallel = scf::InParallelOp::create(b, loc);
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPointToStart(parallel.getBody());
        for (auto [value, out, box] : llvm::zip(values, outs, boxes)) {
          Extents steps(box.offsets.size(), b.getIndexAttr(1));
          tensor::ParallelInsertSliceOp::create(b, loc, value, out, box.offsets,
                                                box.sizes, steps);
        }
      });
  RankedTensorType type = Emitter::getType(like);
  if (type.hasStaticShape() &&
      type.getNumElements() < kMinParallelWork / kPassesPerRow)
    loop->setAttr(plan::sequentialAttrName, e.b.getUnitAttr());
  for (auto [result, value] : llvm::zip(results, loop.getResults()))
    e.define(result, value);
}

Value fused::readScalar(Emitter &e, Value graphValue, Type computeType) {
  RankedTensorType type = Emitter::getType(graphValue);
  SmallVector<Value> zeros(type.getRank(), e.index(int64_t(0)));
  Value stored =
      tensor::ExtractOp::create(e.b, e.loc, e.lookup(graphValue), zeros);
  return convertOperand(e.b, e.loc, stored, type.getElementType(), computeType,
                        getWorkType(computeType));
}
