//===- SdpaLoops.cpp - The judge's attention ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/Host/Reference/AttentionForward.h"

using namespace mlir;
using namespace opgraph::graph;
using namespace opgraph::legalize;

void opgraph::legalize::emitLoops(LoopEmitter &e, SdpaOp op) {
  AttentionForward forward(e, op,
                           {op.getO(), op.getStats(), op.getMax(),
                            op.getSumExp(), op.getRNG_DUMP()});
  if (std::optional<Type> precision = op.getSoftmaxPrecision())
    if (!precision->isF32())
      forward.softmaxPrecision = *precision;
  forward.emit();
}
