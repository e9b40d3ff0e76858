//===- PlanDialect.td - The plan dialect -------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PLAN_DIALECT_TD
#define OPGRAPH_PLAN_DIALECT_TD

include "mlir/IR/OpBase.td"

def Plan_Dialect : Dialect {
  let name = "plan";
  let cppNamespace = "::opgraph::plan";
  let summary = "What will happen at execute";
  let description = [{
    The `plan` dialect is the program that the runtime executes: operands and
    the symbols of their shapes, workspace, and an ordered list of steps. It
    maps one to one onto the plan file (runtime/plan.fbs), so a test of the
    plan is a test of execute.

    Sizes are affine maps without dimensions whose symbol `sK` is the K-th
    `plan.symbol` of the program.

    Two more ops, `plan.private_memory` and `plan.parallel_for`, stand inside
    host entry functions between the passes of host code generation.
  }];
  let useDefaultAttributePrinterParser = 1;
}

#endif // OPGRAPH_PLAN_DIALECT_TD
