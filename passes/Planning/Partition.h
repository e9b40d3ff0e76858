//===- Partition.h - Cutting a graph into groups ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_PLANNING_PARTITION_H
#define OPGRAPH_PASSES_PLANNING_PARTITION_H

#include "passes/Planning/Facts.h"

namespace opgraph::planning {

/// Ops of one group, as increasing indices into GraphFacts::ops.
using Group = llvm::SmallVector<unsigned, 8>;

/// Groups that together hold every op once. Each is a run of ops in graph
/// order, so that executing the groups in order respects every dependency.
using Partition = llvm::SmallVector<Group, 4>;

/// The graph's partitions in a fixed order; a composite plan names one by its
/// index. Never empty; equal partitions appear once.
///   0  each group has one family: a group ends before an anchor of another
///      family, or of the same family once it has one;
///   1  each op on its own.
llvm::SmallVector<Partition> listPartitions(const GraphFacts &facts);

/// The facts of `group` alone: values made elsewhere become arguments, values
/// used elsewhere become outputs.
GraphFacts factsOfGroup(const GraphFacts &facts, const Group &group);

} // namespace opgraph::planning

#endif // OPGRAPH_PASSES_PLANNING_PARTITION_H
