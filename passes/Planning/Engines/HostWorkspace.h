//===- HostWorkspace.h - Bounds on scratch memory of host plans -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upper bounds from facts alone, before anything is compiled: what a plan
// really needs is known when its code is. Each follows how the engine's code is
// made (passes/Legalize/Host, codegen/Host/Tensor), and a test compares.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_PLANNING_ENGINES_HOSTWORKSPACE_H
#define OPGRAPH_PASSES_PLANNING_ENGINES_HOSTWORKSPACE_H

#include "passes/Planning/Engine.h"

namespace opgraph::planning {

/// Bytes that host.reference needs at most; -1 if extents it depends on are
/// unknown.
int64_t referenceWorkspace(const GraphFacts &facts);

/// The same of host.fused with at most `maxWorkers` workers.
int64_t fusedWorkspace(const GraphFacts &facts, int64_t maxWorkers);

/// Declines `bytes` beyond what a process can address, which code generation
/// would refuse.
void judgeWorkspace(const EngineQuery &query, int64_t bytes,
                    llvm::SmallVectorImpl<Decline> &declines);

} // namespace opgraph::planning

#endif // OPGRAPH_PASSES_PLANNING_ENGINES_HOSTWORKSPACE_H
