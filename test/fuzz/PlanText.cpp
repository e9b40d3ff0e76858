//===- PlanText.cpp - Text of the plan dialect to the verifiers -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "test/fuzz/PlanText.h"
#include "dialects/Plan/PlanDialect.h"
#include "lib/Support/Nesting.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "opgraph-c/graph.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <string>

using namespace mlir;
using namespace opgraph::fuzz;
using llvm::StringRef;

bool opgraph::fuzz::isPlanText(StringRef text) {
  return text.contains("plan.program") && !text.contains("graph.graph");
}

static OwningOpRef<ModuleOp> parse(StringRef text, MLIRContext &context) {
  return parseSourceString<ModuleOp>(
      text, ParserConfig(&context, /*verifyAfterParse=*/false));
}

TextResult opgraph::fuzz::checkPlanText(StringRef text) {
  // Affine expressions recurse at each operator: long ones are not our matter.
  if (text.size() > 8192 ||
      lib::findTextProblem(text, OG_MAX_GRAPH_NESTING, /*allowAffine=*/true))
    return TextResult::Malformed;
  DialectRegistry registry;
  registry.insert<plan::PlanDialect, arith::ArithDialect, func::FuncDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler quiet(&context,
                                [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> module = parse(text, context);
  if (!module)
    return TextResult::Malformed;
  if (failed(verify(*module)))
    return TextResult::Refused;
  std::string printed;
  llvm::raw_string_ostream stream(printed);
  module->print(stream);
  OwningOpRef<ModuleOp> again = parse(printed, context);
  if (!again || failed(verify(*again)))
    std::abort();
  return TextResult::Accepted;
}
