//===- MatmulLoops.cpp - The judge's matmul and matmul_fp8 ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
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

/// The sum of products for the element of C at `indices`, as a wide value.
template <typename OpTy>
static Value emitSum(LoopEmitter &e, OpTy op, ValueRange indices) {
  Type computeType = op.getEffectiveComputeType();
  Value a = op.getA(), b = op.getB(), c = op.getC();
  int64_t rank = LoopEmitter::rankOf(c);
  Value k = e.extent(a, rank - 1);
  Value padding = e.constant(roundAttribute(op.getPadding(), computeType));
  if (!isa<FloatType>(computeType))
    padding = convertToStorage(e.b, e.loc, padding, e.b.getI64Type());
  ValueRange batch = indices.drop_back(2);
  Value m = indices[rank - 2], n = indices[rank - 1];
  Value rows = loadOverride(e, op.getMOverride(), batch, e.extent(c, rank - 2));
  Value columns =
      loadOverride(e, op.getNOverride(), batch, e.extent(c, rank - 1));
  Value depth = loadOverride(e, op.getKOverride(), batch, k);
  return e.reduce({k}, e.zero(computeType),
                  [&](ValueRange inner, Value accumulator) {
                    Indices left(batch), right(batch);
                    left.append({m, inner[0]});
                    right.append({inner[0], n});
                    Value x = pad(e, e.load(a, left, computeType), padding, m,
                                  rows, inner[0], depth);
                    Value y = pad(e, e.load(b, right, computeType), padding,
                                  inner[0], depth, n, columns);
                    return e.add(accumulator, e.multiply(x, y));
                  });
}

void opgraph::legalize::emitLoops(LoopEmitter &e, MatmulOp op) {
  e.forEach(e.extents(op.getC()), [&](ValueRange indices) {
    e.store(e.wrap(emitSum(e, op, indices), op.getEffectiveComputeType()),
            op.getC(), indices);
  });
}

void opgraph::legalize::emitLoops(LoopEmitter &e, MatmulFp8Op op) {
  Type computeType = op.getEffectiveComputeType();
  Value descaleA = e.loadSingle(op.getDescaleA(), computeType);
  Value descaleB = e.loadSingle(op.getDescaleB(), computeType);
  Value scaleC = e.loadSingle(op.getScaleC(), computeType);
  Value amax = e.reduce(e.extents(op.getC()), e.constant(0),
                        [&](ValueRange indices, Value greatest) -> Value {
                          Value sum = emitSum(e, op, indices);
                          Value scaled = e.make<arith::MulFOp>(
                              e.make<arith::MulFOp>(sum, descaleA), descaleB);
                          e.store(e.make<arith::MulFOp>(scaled, scaleC),
                                  op.getC(), indices);
                          return e.make<arith::MaximumFOp>(
                              greatest, e.make<math::AbsFOp>(scaled));
                        });
  e.storeSingle(amax, op.getAmax_C());
}
