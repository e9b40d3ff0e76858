//===- BlockGemm.cpp - Register-tiled product of a block ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/Host/Tensor/BlockGemm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace opgraph::codegen;

Value BlockGemm::index(int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

Value BlockGemm::loop(Value begin, Value end, int64_t step, Value acc,
                      function_ref<Value(Value, Value)> body) {
  auto forOp = scf::ForOp::create(builder, loc, begin, end, index(step), acc);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(forOp.getBody());
  Value next = body(forOp.getInductionVar(), forOp.getRegionIterArg(0));
  scf::YieldOp::create(builder, loc, next);
  return forOp.getResult(0);
}

Value BlockGemm::multiplyAdd(Value a, Value b, Value acc) {
  if (!isa<FloatType>(type)) {
    Value product = arith::MulIOp::create(builder, loc, a, b);
    return arith::AddIOp::create(builder, loc, acc, product);
  }
  // `contract` lets targets with fused multiply-add use it; the others do not
  // have to call fma().
  auto contract = arith::FastMathFlags::contract;
  Value product = arith::MulFOp::create(builder, loc, a, b, contract);
  return arith::AddFOp::create(builder, loc, acc, product, contract);
}

Value BlockGemm::emitTile(Value acc, Value firstRow, int64_t tileRows,
                          Value panel, Value kBegin, Value kEnd) {
  int64_t lanes = tile.lanes;
  auto vectorType = VectorType::get({lanes}, type);
  auto rank = cast<RankedTensorType>(acc.getType()).getRank();
  Value padding =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  Value column = arith::MulIOp::create(builder, loc, panel, index(lanes));
  SmallVector<Value> rowIndices, sums;
  SmallVector<Value> at(rank, index(0));
  at[rank - 1] = column;
  for (int64_t i = 0; i < tileRows; ++i) {
    rowIndices.push_back(
        arith::AddIOp::create(builder, loc, firstRow, index(i)));
    at[rank - 2] = rowIndices.back();
    sums.push_back(vector::TransferReadOp::create(
        builder, loc, vectorType, acc, at, padding, ArrayRef<bool>{true}));
  }
  auto depthLoop =
      scf::ForOp::create(builder, loc, kBegin, kEnd, index(1), sums);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(depthLoop.getBody());
    Value k = depthLoop.getInductionVar();
    Value b = loadB(builder, panel, k);
    SmallVector<Value> next;
    for (int64_t i = 0; i < tileRows; ++i) {
      Value a = vector::BroadcastOp::create(builder, loc, vectorType,
                                            loadA(builder, rowIndices[i], k));
      next.push_back(multiplyAdd(a, b, depthLoop.getRegionIterArg(i)));
    }
    scf::YieldOp::create(builder, loc, next);
  }
  for (int64_t i = 0; i < tileRows; ++i) {
    at[rank - 2] = rowIndices[i];
    acc = vector::TransferWriteOp::create(builder, loc, depthLoop.getResult(i),
                                          acc, at, ArrayRef<bool>{true})
              .getResult();
  }
  return acc;
}

Value BlockGemm::emitPanel(Value acc, Value panel, Value kBegin, Value kEnd) {
  Value end = arith::MulIOp::create(builder, loc, tiles, index(tile.rows));
  acc = loop(index(0), end, tile.rows, acc, [&](Value row, Value inner) {
    return emitTile(inner, row, tile.rows, panel, kBegin, kEnd);
  });
  if (!rows)
    return acc;
  if (std::optional<int64_t> count = getConstantIntValue(*rows)) {
    int64_t rest = *count % tile.rows;
    return rest == 0
               ? acc
               : emitTile(acc, index(*count - rest), rest, panel, kBegin, kEnd);
  }
  Value last = getValueOrCreateConstantIndexOp(builder, loc, *rows);
  return loop(end, last, 1, acc, [&](Value row, Value inner) {
    return emitTile(inner, row, 1, panel, kBegin, kEnd);
  });
}

Value BlockGemm::run(Value acc, Value tileCount,
                     std::optional<OpFoldResult> rowCount, Value panels,
                     OpFoldResult depth) {
  tiles = tileCount;
  rows = rowCount;
  Value kEnd = getValueOrCreateConstantIndexOp(builder, loc, depth);
  auto overPanels = [&](Value from, Value to, Value start) {
    return loop(index(0), panels, 1, start, [&](Value panel, Value inner) {
      return emitPanel(inner, panel, from, to);
    });
  };
  std::optional<int64_t> staticDepth = getConstantIntValue(depth);
  if (staticDepth && *staticDepth <= kDepth)
    return overPanels(index(0), kEnd, acc);
  return loop(index(0), kEnd, kDepth, acc, [&](Value from, Value inner) {
    Value to = arith::AddIOp::create(builder, loc, from, index(kDepth));
    to = arith::MinSIOp::create(builder, loc, to, kEnd);
    return overPanels(from, to, inner);
  });
}
