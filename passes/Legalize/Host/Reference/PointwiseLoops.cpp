//===- PointwiseLoops.cpp - The judge's pointwise ops ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/Host/Reference/Loops.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"

using namespace mlir;
using namespace opgraph::graph;
using namespace opgraph::legalize;

/// The operands at `indices` as `op`'s formula wants them.
static SmallVector<Value, 3> loadOperands(LoopEmitter &e,
                                          PointwiseOpInterface op,
                                          ValueRange indices,
                                          Type computeType) {
  SmallVector<Value, 3> operands;
  if (op.getMode() == PointwiseMode::GEN_INDEX)
    return operands;
  for (Value value : op->getOperands()) {
    bool isMask =
        op.getMode() == PointwiseMode::BINARY_SELECT && operands.size() == 2;
    operands.push_back(isMask ? emitIsNonZero(e.b, e.loc,
                                              e.loadStored(value, indices),
                                              LoopEmitter::elementTypeOf(value))
                              : e.load(value, indices, computeType));
  }
  return operands;
}

void opgraph::legalize::emitLoops(LoopEmitter &e, PointwiseOpInterface op) {
  Type computeType = getArithmeticType(op);
  PointwiseParams params = getPointwiseParams(op);
  Value result = op->getResult(0);
  auto genIndex = dyn_cast<GenIndexOp>(op.getOperation());
  e.forEach(e.extents(result), [&](ValueRange indices) {
    Value coordinate = genIndex ? indices[genIndex.getAxis()] : Value();
    Value wide = emitPointwise(e.b, e.loc, op.getMode(), params,
                               loadOperands(e, op, indices, computeType),
                               e.wideType(computeType), coordinate);
    e.store(e.wrap(wide, computeType), result, indices);
  });
}
