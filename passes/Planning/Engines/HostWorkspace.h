//===- HostWorkspace.h - Bounds on scratch memory of host plans -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upper bounds from facts alone, before anything is compiled: what a plan
// really needs is known when its code is. Each follows how the engine's code is
// made (passes/Legalize/Host, codegen/Host/Tensor), and a test compares.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_PLANNING_ENGINES_HOSTWORKSPACE_H
#define OPGRAPH_PASSES_PLANNING_ENGINES_HOSTWORKSPACE_H

#include "passes/Planning/Facts.h"

namespace opgraph::planning {

/// Bytes that host.reference needs at most; -1 if extents it depends on are
/// unknown.
int64_t referenceWorkspace(const GraphFacts &facts);

/// The same of host.fused with at most `maxWorkers` workers.
int64_t fusedWorkspace(const GraphFacts &facts, int64_t maxWorkers);

} // namespace opgraph::planning

#endif // OPGRAPH_PASSES_PLANNING_ENGINES_HOSTWORKSPACE_H
