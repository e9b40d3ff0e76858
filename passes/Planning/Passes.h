//===- Passes.h - Planning passes -------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations of the passes in Passes.td, and their registration.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_PLANNING_PASSES_H
#define OPGRAPH_PASSES_PLANNING_PASSES_H

#include <memory>
#include <string>

namespace mlir {
class Pass;
}

namespace opgraph::planning {

#define GEN_PASS_DECL
#include "passes/Planning/Passes.h.inc"

/// Makes every planning pass known by name.
void registerPlanningPasses();

} // namespace opgraph::planning

#endif // OPGRAPH_PASSES_PLANNING_PASSES_H
