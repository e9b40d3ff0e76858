//===- PointwiseLoops.cpp - The judge's pointwise ops ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/Host/Reference/Loops.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"

using namespace mlir;
using namespace opgraph::graph;
using namespace opgraph::legalize;

Value opgraph::legalize::emitPointwiseElement(
    LoopEmitter &e, PointwiseOpInterface op, ValueRange indices,
    llvm::function_ref<Value(Value)> loadStored) {
  Type computeType = getArithmeticType(op), wideType = e.wideType(computeType);
  SmallVector<Value, 3> operands;
  Value coordinate;
  if (auto genIndex = dyn_cast<GenIndexOp>(op.getOperation()))
    coordinate = indices[genIndex.getAxis()];
  else
    for (Value value : op->getOperands()) {
      Type elementType = LoopEmitter::elementTypeOf(value);
      Value stored = loadStored(value);
      bool isMask =
          op.getMode() == PointwiseMode::BINARY_SELECT && operands.size() == 2;
      operands.push_back(isMask
                             ? emitIsNonZero(e.b, e.loc, stored, elementType)
                             : convertOperand(e.b, e.loc, stored, elementType,
                                              computeType, wideType));
    }
  Value wide = emitPointwise(e.b, e.loc, op.getMode(), getPointwiseParams(op),
                             operands, wideType, coordinate);
  return e.wrap(wide, computeType);
}

void opgraph::legalize::emitLoops(LoopEmitter &e, PointwiseOpInterface op) {
  Value result = op->getResult(0);
  e.forEach(e.extents(result), [&](ValueRange indices) {
    Value wide = emitPointwiseElement(e, op, indices, [&](Value value) {
      return e.loadStored(value, indices);
    });
    e.store(wide, result, indices);
  });
}
