//===- Partition.cpp - Cutting a graph into groups ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Planning/Partition.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace opgraph::planning;

static bool isAnchor(const OpFacts &op) {
  return familyOf({StringRef(op.mnemonic)}) != Family::Pointwise;
}

/// One anchor per group; what leads up to the first anchor goes along with it.
static Partition partitionByAnchor(const GraphFacts &facts) {
  Partition partition(1);
  bool hasAnchor = false;
  for (auto [index, op] : llvm::enumerate(facts.ops)) {
    if (isAnchor(op)) {
      if (hasAnchor)
        partition.emplace_back();
      hasAnchor = true;
    }
    partition.back().push_back(index);
  }
  return partition;
}

static Partition partitionByOp(const GraphFacts &facts) {
  Partition partition;
  for (unsigned index = 0; index < facts.ops.size(); ++index)
    partition.push_back({index});
  return partition;
}

SmallVector<Partition>
opgraph::planning::listPartitions(const GraphFacts &facts) {
  SmallVector<Partition> partitions{partitionByAnchor(facts)};
  Partition single = partitionByOp(facts);
  if (single != partitions.front())
    partitions.push_back(std::move(single));
  return partitions;
}

GraphFacts opgraph::planning::factsOfGroup(const GraphFacts &facts,
                                           const Group &group) {
  DenseSet<unsigned> members(group.begin(), group.end());
  DenseSet<unsigned> usedElsewhere;
  for (auto [index, op] : llvm::enumerate(facts.ops))
    if (!members.contains(index))
      usedElsewhere.insert(op.operands.begin(), op.operands.end());

  GraphFacts part;
  part.allowsOverrides = facts.allowsOverrides;
  DenseMap<unsigned, unsigned> moved;
  auto move = [&](unsigned value, bool isResult) {
    auto [entry, isNew] = moved.try_emplace(value, part.values.size());
    if (isNew) {
      part.values.push_back(facts.values[value]);
      ValueFacts &copy = part.values.back();
      copy.isArgument = !isResult;
      copy.isOutput =
          isResult && (copy.isOutput || usedElsewhere.contains(value));
    }
    return entry->second;
  };
  SmallVector<StringRef> mnemonics;
  for (unsigned index : group) {
    OpFacts op = facts.ops[index];
    for (unsigned &operand : op.operands)
      operand = move(operand, /*isResult=*/false);
    for (unsigned &result : op.results)
      result = move(result, /*isResult=*/true);
    mnemonics.push_back(facts.ops[index].mnemonic);
    part.ops.push_back(std::move(op));
  }
  part.family = familyOf(mnemonics);
  parseProblem(part);
  return part;
}
