//===- RecognizeSoftmax.h - Five operations to graph.softmax ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_TRANSFORMS_RECOGNIZESOFTMAX_H
#define OPGRAPH_PASSES_TRANSFORMS_RECOGNIZESOFTMAX_H

#include "dialects/Graph/GraphDialect.h"

namespace opgraph {

/// As the pass graph-recognize-softmax; whether it found one.
bool recognizeSoftmax(graph::GraphOp graph);

} // namespace opgraph

#endif // OPGRAPH_PASSES_TRANSFORMS_RECOGNIZESOFTMAX_H
