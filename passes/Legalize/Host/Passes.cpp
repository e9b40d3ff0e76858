//===- Passes.cpp - Passes that legalize graphs for the host --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/Host/Passes.h"
#include "dialects/Plan/PlanDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/Pass.h"
#include "passes/Legalize/Host/HostLegalize.h"

namespace opgraph {
#define GEN_PASS_DECL_LEGALIZEHOSTFUSEDPASS
#define GEN_PASS_DEF_LEGALIZEHOSTREFERENCEPASS
#define GEN_PASS_REGISTRATION
#include "passes/Legalize/Host/Passes.h.inc"
} // namespace opgraph

using namespace mlir;
using namespace opgraph;

namespace {
struct LegalizeHostReference
    : opgraph::impl::LegalizeHostReferencePassBase<LegalizeHostReference> {
  void runOnOperation() override {
    auto graphs =
        llvm::to_vector(getOperation().getOps<opgraph::graph::GraphOp>());
    for (opgraph::graph::GraphOp graph : graphs) {
      if (failed(
              legalize::legalizeReference(graph, /*plan=*/{}, getOperation())))
        return signalPassFailure();
      graph.erase();
    }
  }
};
} // namespace

void opgraph::registerHostLegalizePasses() {
  registerLegalizeHostFusedPass();
  registerLegalizeHostReferencePass();
}
