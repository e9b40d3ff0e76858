//===- MatmulLoops.cpp - The judge's matmul -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Legalize/Host/Reference/Loops.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"

using namespace mlir;
using namespace opgraph::graph;
using namespace opgraph::legalize;

using Indices = LoopEmitter::Indices;

/// The true size of an axis in the batch at `batch`, or null without override.
static Value loadOverride(LoopEmitter &e, Value sizes, ValueRange batch,
                          Value extent) {
  if (!sizes)
    return {};
  Indices indices(batch);
  indices.append({e.index(0), e.index(0)});
  return e.loadClamped(sizes, indices, extent);
}

/// `value`, or `padding` where `row` or `column` is beyond its true size.
static Value pad(LoopEmitter &e, Value value, Value padding, Value row,
                 Value rows, Value column, Value columns) {
  auto padAlong = [&](Value position, Value size) {
    if (!size)
      return;
    Value isInside =
        e.make<arith::CmpIOp>(arith::CmpIPredicate::slt, position, size);
    value = e.make<arith::SelectOp>(isInside, value, padding);
  };
  padAlong(row, rows);
  padAlong(column, columns);
  return value;
}

void opgraph::legalize::emitLoops(LoopEmitter &e, MatmulOp op) {
  Type computeType = op.getEffectiveComputeType();
  bool isFloat = isa<FloatType>(computeType);
  Value a = op.getA(), b = op.getB(), c = op.getC();
  int64_t rank = LoopEmitter::rankOf(c);
  Value k = e.extent(a, LoopEmitter::rankOf(a) - 1);
  Value padding = e.constant(op.getPadding().convertToDouble());
  if (!isFloat)
    padding = convertToStorage(e.b, e.loc, padding, e.b.getI64Type());
  Value zero = isFloat ? e.constant(0) : e.integer(0);
  e.forEach(e.extents(c), [&](ValueRange indices) {
    ValueRange batch = indices.drop_back(2);
    Value m = indices[rank - 2], n = indices[rank - 1];
    Value rows =
        loadOverride(e, op.getMOverride(), batch, e.extent(c, rank - 2));
    Value columns =
        loadOverride(e, op.getNOverride(), batch, e.extent(c, rank - 1));
    Value depth = loadOverride(e, op.getKOverride(), batch, k);
    Value sum =
        e.reduce(ValueRange{k}, zero, [&](ValueRange inner, Value accumulator) {
          Indices left(batch), right(batch);
          left.append({m, inner[0]});
          right.append({inner[0], n});
          Value x = pad(e, e.load(a, left, computeType), padding, m, rows,
                        inner[0], depth);
          Value y = pad(e, e.load(b, right, computeType), padding, inner[0],
                        depth, n, columns);
          if (isFloat)
            return e.make<arith::AddFOp>(accumulator,
                                         e.make<arith::MulFOp>(x, y));
          return e.make<arith::AddIOp>(accumulator,
                                       e.make<arith::MulIOp>(x, y));
        });
    e.store(e.wrap(sum, computeType), c, indices);
  });
}
