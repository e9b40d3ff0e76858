//===- Capability.cpp - Judging facts against capability rows -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Planning/Capability.h"
#include "passes/Planning/Manifest.h"
#include "passes/Planning/Partition.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace opgraph::planning;

Decline opgraph::planning::makeDecline(const EngineSlot &slot,
                                       StringRef constraint, std::string limit,
                                       std::string actual) {
  Decline decline;
  decline.engine = slot.id;
  decline.name = slot.name.str();
  decline.constraint = constraint.str();
  decline.limit = std::move(limit);
  decline.actual = std::move(actual);
  return decline;
}

namespace {
/// Judges one engine.
class Judge {
public:
  Judge(const EngineSlot &slot, const GraphFacts &facts,
        SmallVectorImpl<Decline> &declines)
      : slot(slot), facts(facts), declines(declines) {}

  void check(const CapabilityRow &row);

private:
  void checkOps(const CapabilityRow &row, bool served);
  void checkFeatures(const CapabilityRow &row);
  void checkElementTypes(const CapabilityRow &row);
  void checkComputeTypes(const CapabilityRow &row);
  void checkRank(const CapabilityRow &row);
  void checkInnerExtents(const CapabilityRow &row);
  void checkReordering(const CapabilityRow &row);
  void checkGroups(const CapabilityRow &row);
  void decline(StringRef constraint, std::string limit, std::string actual,
               std::optional<Change> nearest = std::nullopt);
  /// The type change of value or op `index` into `types`, if there is one.
  static std::optional<Change> convert(ChangeKind kind, size_t index,
                                       DType from, DTypeSet types);

  const EngineSlot &slot;
  const GraphFacts &facts;
  SmallVectorImpl<Decline> &declines;
};
} // namespace

void Judge::decline(StringRef constraint, std::string limit, std::string actual,
                    std::optional<Change> nearest) {
  Decline decline =
      makeDecline(slot, constraint, std::move(limit), std::move(actual));
  decline.nearest = nearest;
  if (nearest)
    decline.nearestText = nearest->str(facts);
  declines.push_back(std::move(decline));
}

std::optional<Change> Judge::convert(ChangeKind kind, size_t index, DType from,
                                     DTypeSet types) {
  std::optional<DType> to = types.nearest(from);
  if (!to)
    return std::nullopt;
  return Change{kind, static_cast<int64_t>(index), static_cast<int64_t>(*to)};
}

void Judge::checkOps(const CapabilityRow &row, bool served) {
  SmallSet<StringRef, 8> reported;
  for (const OpFacts &op : facts.ops) {
    bool listed = is_contained(row.names, op.mnemonic) ||
                  (op.isPointwise && is_contained(row.names, "pointwise"));
    if (listed == served || !reported.insert(op.mnemonic).second)
      continue;
    std::string names = "{" + join(row.names, ", ") + "}";
    decline("op", served ? names : "none of " + names, op.mnemonic);
  }
}

void Judge::checkFeatures(const CapabilityRow &row) {
  std::string names = "{" + join(row.names, ", ") + "}";
  for (const OpFacts &op : facts.ops)
    for (StringRef feature : op.features)
      if (!is_contained(row.names, feature))
        decline("feature(" + op.mnemonic + ")", names, feature.str());
}

void Judge::checkElementTypes(const CapabilityRow &row) {
  for (auto [index, value] : llvm::enumerate(facts.values))
    if (!row.types.contains(value.type))
      decline("element_type(" + value.name + ")", row.types.str(),
              stringifyDType(value.type).str(),
              convert(ChangeKind::ElementType, index, value.type, row.types));
}

void Judge::checkComputeTypes(const CapabilityRow &row) {
  for (auto [index, op] : llvm::enumerate(facts.ops))
    if (!row.types.contains(op.compute))
      decline("compute_type(" + op.mnemonic + ")", row.types.str(),
              stringifyDType(op.compute).str(),
              convert(ChangeKind::ComputeType, index, op.compute, row.types));
}

void Judge::checkRank(const CapabilityRow &row) {
  for (auto [index, value] : llvm::enumerate(facts.values)) {
    int64_t rank = value.dims.size();
    if (rank > row.number)
      decline(
          "rank(" + value.name + ")", "<= " + std::to_string(row.number),
          std::to_string(rank),
          Change{ChangeKind::Rank, static_cast<int64_t>(index), row.number});
  }
}

void Judge::checkInnerExtents(const CapabilityRow &row) {
  for (const OpFacts &op : facts.ops) {
    if (!is_contained(row.names, op.mnemonic))
      continue;
    ArrayRef<unsigned> operands = op.operands;
    for (unsigned operand : operands.take_front(row.number)) {
      const ValueFacts &value = facts.values[operand];
      if (value.dims.empty())
        continue;
      std::string constraint = "innermost_extent(" + value.name + ")";
      if (mlir::ShapedType::isDynamic(value.dims.back()))
        decline(constraint, "static", "dynamic",
                Change{ChangeKind::StaticExtents});
      else if (value.dims.back() == 0)
        decline(constraint, ">= 1", "0");
    }
  }
}

void Judge::checkReordering(const CapabilityRow &row) {
  std::string limit = row.names.empty()
                          ? "none"
                          : "one of {none, " + join(row.names, ", ") + "}";
  for (auto [index, value] : llvm::enumerate(facts.values))
    if (value.reordering != "none" &&
        !is_contained(row.names, value.reordering))
      decline("reordering(" + value.name + ")", limit, value.reordering.str(),
              Change{ChangeKind::NoReordering, static_cast<int64_t>(index)});
}

void Judge::checkGroups(const CapabilityRow &row) {
  int64_t groups = 0;
  for (const Partition &partition : listPartitions(facts))
    groups = std::max<int64_t>(groups, partition.size());
  std::string actual = std::to_string(groups);
  if (row.rule == Rule::MinGroups && groups < row.number)
    decline("groups", "a partition of at least " + std::to_string(row.number),
            actual);
  if (row.rule == Rule::MaxGroups && groups > row.number)
    decline("groups_in_one_plan", "<= " + std::to_string(row.number), actual);
}

void Judge::check(const CapabilityRow &row) {
  switch (row.rule) {
  case Rule::Ops:
    return checkOps(row, /*served=*/true);
  case Rule::NotOps:
    return checkOps(row, /*served=*/false);
  case Rule::Features:
    return checkFeatures(row);
  case Rule::ElementTypes:
    return checkElementTypes(row);
  case Rule::ComputeTypes:
    return checkComputeTypes(row);
  case Rule::MaxRank:
    return checkRank(row);
  case Rule::StaticExtents:
    if (facts.isDynamic())
      decline("extents", "static", "dynamic",
              Change{ChangeKind::StaticExtents});
    return;
  case Rule::StaticInnerExtents:
    return checkInnerExtents(row);
  case Rule::NoOverrides:
    if (facts.allowsOverrides)
      decline("overrides", "none", "allowed", Change{ChangeKind::NoOverrides});
    return;
  case Rule::NoReordering:
    return checkReordering(row);
  case Rule::MinGroups:
  case Rule::MaxGroups:
    return checkGroups(row);
  }
}

void opgraph::planning::judge(const EngineSlot &slot,
                              ArrayRef<CapabilityRow> rows,
                              const GraphFacts &facts,
                              SmallVectorImpl<Decline> &declines) {
  Judge judge(slot, facts, declines);
  for (const CapabilityRow &row : rows)
    judge.check(row);
}
