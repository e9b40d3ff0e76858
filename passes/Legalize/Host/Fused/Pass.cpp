//===- Pass.cpp - graph-legalize-host-fused -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "mlir/Pass/Pass.h"
#include "dialects/Plan/PlanDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "passes/Legalize/Host/HostLegalize.h"

namespace opgraph {
#define GEN_PASS_DEF_LEGALIZEHOSTFUSEDPASS
#include "passes/Legalize/Host/Passes.h.inc"
} // namespace opgraph

using namespace mlir;
using namespace opgraph;

namespace {
struct LegalizeHostFused
    : opgraph::impl::LegalizeHostFusedPassBase<LegalizeHostFused> {
  void runOnOperation() override {
    auto graphs =
        llvm::to_vector(getOperation().getOps<opgraph::graph::GraphOp>());
    for (opgraph::graph::GraphOp graph : graphs) {
      if (failed(legalize::legalizeFused(graph, /*plan=*/{}, getOperation())))
        return signalPassFailure();
      graph.erase();
    }
  }
};
} // namespace
