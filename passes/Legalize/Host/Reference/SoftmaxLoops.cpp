//===- SoftmaxLoops.cpp - The judge's softmax -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "passes/Legalize/Host/Reference/Loops.h"

#include <limits>

using namespace mlir;
using namespace opgraph::graph;
using namespace opgraph::legalize;

using Indices = LoopEmitter::Indices;

void opgraph::legalize::emitLoops(LoopEmitter &e, SoftmaxOp op) {
  Value x = op.getInput();
  Type computeType = op.getEffectiveComputeType();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Indices rowBounds = e.extents(x);
  Value length = rowBounds.pop_back_val();
  e.forEach(rowBounds, [&](ValueRange row) {
    auto load = [&](Value position) {
      Indices indices(row);
      indices.push_back(position);
      return e.load(x, indices, computeType);
    };
    Value sink;
    if (op.getSink()) {
      Indices indices(row);
      indices.push_back(e.index(0));
      sink = e.load(op.getSink(), indices, computeType);
    }
    Value max = e.reduce(
        ValueRange{length}, sink ? sink : e.constant(-kInfinity),
        [&](ValueRange inner, Value accumulator) {
          return e.make<arith::MaximumFOp>(accumulator, load(inner[0]));
        });
    // A masked row's exp(-inf - -inf) counts as 0.
    Value isMasked = e.make<arith::CmpFOp>(arith::CmpFPredicate::OEQ, max,
                                           e.constant(-kInfinity));
    bool hasZeros = !op.getNanForMaskedRows();
    auto exponential = [&](Value element) {
      Value distance = e.make<arith::SubFOp>(element, max);
      Value value = e.make<math::ExpOp>(distance);
      return hasZeros ? e.make<arith::SelectOp>(isMasked, e.constant(0), value)
                      : value;
    };
    Value sum =
        e.reduce(ValueRange{length}, sink ? exponential(sink) : e.constant(0),
                 [&](ValueRange inner, Value accumulator) {
                   return e.make<arith::AddFOp>(accumulator,
                                                exponential(load(inner[0])));
                 });
    Value divisor =
        hasZeros ? e.make<arith::SelectOp>(isMasked, e.constant(1), sum) : sum;
    e.forEach(ValueRange{length}, [&](ValueRange inner) {
      Indices indices(row);
      indices.push_back(inner[0]);
      e.store(e.make<arith::DivFOp>(exponential(load(inner[0])), divisor),
              op.getS(), indices);
    });
    Indices statistics(row);
    statistics.push_back(e.index(0));
    if (op.getStats())
      e.store(e.make<arith::AddFOp>(max, e.make<math::LogOp>(sum)),
              op.getStats(), statistics);
    if (op.getMax())
      e.store(max, op.getMax(), statistics);
    if (op.getSumExp())
      e.store(sum, op.getSumExp(), statistics);
  });
}
