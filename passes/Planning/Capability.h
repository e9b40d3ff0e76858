//===- Capability.h - What an engine takes, as a table ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An engine's capability is a list of rows. Each row is a rule with its limit;
// judging compares facts with the limits and answers with every mismatch, so
// that the nearest changes of all of them together make the engine accept.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_PLANNING_CAPABILITY_H
#define OPGRAPH_PASSES_PLANNING_CAPABILITY_H

#include "passes/Planning/Decline.h"
#include "passes/Planning/Facts.h"

namespace opgraph::planning {

struct EngineSlot;

enum class Rule : uint8_t {
  /// The ops served are `names`; "pointwise" stands for all pointwise ops.
  Ops,
  /// The ops refused are `names`.
  NotOps,
  /// No op uses a feature other than `names`.
  Features,
  /// Values have element types of `types`.
  ElementTypes,
  /// Ops compute in one of `types`.
  ComputeTypes,
  /// No value has a rank above `number`.
  MaxRank,
  /// Every extent is known.
  StaticExtents,
  /// The innermost extents of the first `number` operands of `names` are known
  /// and not 0.
  StaticInnerExtents,
  /// Calls do not override extents.
  NoOverrides,
  /// Strides say where every element is, but for reorderings of `names`.
  NoReordering,
  /// Some partition has at least `number` groups.
  MinGroups,
  /// At most `number` groups run as one plan; no change helps.
  MaxGroups
};

struct CapabilityRow {
  Rule rule;
  int64_t number = 0;
  DTypeSet types;
  llvm::ArrayRef<llvm::StringLiteral> names;

  static constexpr CapabilityRow
  ops(llvm::ArrayRef<llvm::StringLiteral> names) {
    return {Rule::Ops, 0, {}, names};
  }
  static constexpr CapabilityRow
  notOps(llvm::ArrayRef<llvm::StringLiteral> names) {
    return {Rule::NotOps, 0, {}, names};
  }
  static constexpr CapabilityRow
  features(llvm::ArrayRef<llvm::StringLiteral> names) {
    return {Rule::Features, 0, {}, names};
  }
  static constexpr CapabilityRow elementTypes(DTypeSet types) {
    return {Rule::ElementTypes, 0, types, {}};
  }
  static constexpr CapabilityRow computeTypes(DTypeSet types) {
    return {Rule::ComputeTypes, 0, types, {}};
  }
  static constexpr CapabilityRow maxRank(int64_t rank) {
    return {Rule::MaxRank, rank, {}, {}};
  }
  static constexpr CapabilityRow staticExtents() {
    return {Rule::StaticExtents, 0, {}, {}};
  }
  static constexpr CapabilityRow
  staticInnerExtents(llvm::ArrayRef<llvm::StringLiteral> names,
                     int64_t operands) {
    return {Rule::StaticInnerExtents, operands, {}, names};
  }
  static constexpr CapabilityRow noOverrides() {
    return {Rule::NoOverrides, 0, {}, {}};
  }
  static constexpr CapabilityRow
  noReordering(llvm::ArrayRef<llvm::StringLiteral> except = {}) {
    return {Rule::NoReordering, 0, {}, except};
  }
  static constexpr CapabilityRow minGroups(int64_t groups) {
    return {Rule::MinGroups, groups, {}, {}};
  }
  static constexpr CapabilityRow maxGroups(int64_t groups) {
    return {Rule::MaxGroups, groups, {}, {}};
  }
};

/// Compares `facts` with each row and appends every mismatch.
void judge(const EngineSlot &slot, llvm::ArrayRef<CapabilityRow> rows,
           const GraphFacts &facts, llvm::SmallVectorImpl<Decline> &declines);

/// A decline of `slot` without a nearest change.
Decline makeDecline(const EngineSlot &slot, llvm::StringRef constraint,
                    std::string limit, std::string actual);

} // namespace opgraph::planning

#endif // OPGRAPH_PASSES_PLANNING_CAPABILITY_H
