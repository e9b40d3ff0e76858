//===- PlanId.h - Identity of a plan and its spelling -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan's identity is (engine, version, knobs). Its one spelling, printed in
// plan lists and accepted wherever a plan is named, is
//
//   plan   ::= engine (`[` knob (`,` knob)* `]`)? (`@` target)?
//   engine ::= name (`:` id)? (`:v` version)? | id (`:v` version)?
//   knob   ::= key `=` value
//   key    ::= a KnobType's name, or a number
//
// for example `host.fused:10100:v1[TILE_M=6,TILE_N=16]@host`. Printing writes
// all parts that are set; parsing takes any of the shorter forms too.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_DIALECTS_GRAPH_PLANID_H
#define OPGRAPH_DIALECTS_GRAPH_PLANID_H

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

namespace opgraph::graph {

/// Defined in PlanAttrs.td.
enum class KnobType : uint32_t;

/// One setting of an engine. `key` is a KnobType, or, in the plan of a
/// composite engine, a knob of one of its groups:
///   kGroupStride * (group + 1)             the engine of the group,
///   kGroupStride * (group + 1) + KnobType  a knob of that engine.
struct Knob {
  int64_t key = 0;
  int64_t value = 0;

  static constexpr int64_t kGroupStride = 1000000;

  static Knob of(KnobType type, int64_t value) {
    return {static_cast<int64_t>(type), value};
  }
  /// The key under which a composite plan names the engine of `group`, or (with
  /// `inner`) that engine's knob.
  static int64_t groupKey(int64_t group, int64_t inner = 0) {
    return kGroupStride * (group + 1) + inner;
  }

  friend bool operator==(const Knob &a, const Knob &b) {
    return a.key == b.key && a.value == b.value;
  }
  friend bool operator!=(const Knob &a, const Knob &b) { return !(a == b); }
  friend bool operator<(const Knob &a, const Knob &b) {
    return std::tie(a.key, a.value) < std::tie(b.key, b.value);
  }
  friend llvm::hash_code hash_value(const Knob &knob) {
    return llvm::hash_combine(knob.key, knob.value);
  }
};

/// Unique keys in increasing order.
using Knobs = llvm::SmallVector<Knob, 6>;

/// Whether `key` is a knob type other than NOT_SET, or a composite key that
/// names a group's engine or a knob of it.
bool isValidKnobKey(int64_t key);

/// The KnobType's name; the number for composite keys.
std::string knobKeyName(int64_t key);

/// The key that `text` (a KnobType's name or a number) spells, if valid.
std::optional<int64_t> parseKnobKey(llvm::StringRef text);

/// Names a plan, completely or in part.
struct PlanId {
  /// Empty when only the number is known.
  std::string name;
  std::optional<int64_t> engine;
  std::optional<int64_t> version;
  Knobs knobs;
  /// Whether `knobs` was spelled: `e` leaves the choice to the engine, `e[]`
  /// asks for no knobs at all.
  bool hasKnobs = false;
  /// Empty for any.
  std::string target;

  std::string str() const;

  /// On failure returns nullopt and sets `error` to what was expected where.
  static std::optional<PlanId> parse(llvm::StringRef text, std::string &error);

  /// Same (engine, version, knobs).
  bool isSamePlan(const PlanId &other) const;
};

} // namespace opgraph::graph

#endif // OPGRAPH_DIALECTS_GRAPH_PLANID_H
