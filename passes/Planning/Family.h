//===- Family.h - The kind of a graph ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph's family is a pure property of the graph, decided by its anchor ops:
// none is `pointwise`, anchors of one family are that family, anchors of
// several are `mixed`.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_PLANNING_FAMILY_H
#define OPGRAPH_PASSES_PLANNING_FAMILY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <initializer_list>
#include <string>

namespace opgraph::graph {
class GraphOp;
}

namespace opgraph::planning {

enum class Family : uint8_t {
  /// With reductions, norms, softmax and layout ops.
  Pointwise,
  Gemm,
  Conv,
  Sdpa,
  LinearAttention,
  Mixed
};
inline constexpr unsigned kNumFamilies = 6;

llvm::StringRef stringifyFamily(Family family);

/// A set of families.
class FamilySet {
public:
  constexpr FamilySet() = default;
  constexpr FamilySet(std::initializer_list<Family> families) {
    for (Family family : families)
      bits |= 1u << static_cast<unsigned>(family);
  }
  static constexpr FamilySet all() {
    FamilySet set;
    set.bits = (1u << kNumFamilies) - 1;
    return set;
  }
  constexpr bool contains(Family family) const {
    return bits & (1u << static_cast<unsigned>(family));
  }
  /// "{pointwise, gemm}".
  std::string str() const;

private:
  uint32_t bits = 0;
};

/// The family of a graph that holds ops with these mnemonics ("matmul").
Family familyOf(llvm::ArrayRef<llvm::StringRef> mnemonics);

Family familyFor(graph::GraphOp graph);

} // namespace opgraph::planning

#endif // OPGRAPH_PASSES_PLANNING_FAMILY_H
