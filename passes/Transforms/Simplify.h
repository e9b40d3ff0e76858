//===- Simplify.h - What every graph goes through first ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_TRANSFORMS_SIMPLIFY_H
#define OPGRAPH_PASSES_TRANSFORMS_SIMPLIFY_H

#include "dialects/Graph/GraphDialect.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"

namespace opgraph {

/// The pass graph-simplify, without a pass manager, whose set-up takes as long
/// as simplifying a small graph. For graphs of one context.
class GraphSimplifier {
public:
  explicit GraphSimplifier(mlir::MLIRContext *context);

  void run(graph::GraphOp graph) const;

private:
  mlir::FrozenRewritePatternSet patterns;
};

} // namespace opgraph

#endif // OPGRAPH_PASSES_TRANSFORMS_SIMPLIFY_H
