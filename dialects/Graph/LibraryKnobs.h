//===- LibraryKnobs.h - Knobs that only the cuDNN library has ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_DIALECTS_GRAPH_LIBRARYKNOBS_H
#define OPGRAPH_DIALECTS_GRAPH_LIBRARYKNOBS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace opgraph::graph {

/// A knob of the library without a KnobType, such as those that it has
/// deprecated, is in plans under this plus the library's number.
inline constexpr int64_t kLibraryKnobs = 100100;
inline constexpr int64_t kNumLibraryKnobs = 900;

/// The library's number of the knob `key`; nullopt for one that it has not.
std::optional<int64_t> toLibraryKnob(int64_t key);

/// The key of the library's knob `number`: its KnobType where one has its name.
/// nullopt for a number that cannot be a knob's.
std::optional<int64_t> fromLibraryKnob(int64_t number);

/// The library's name of a key that has no KnobType; "" for any other key.
llvm::StringRef libraryKnobName(int64_t key);

/// The key of the library's knob `name`.
std::optional<int64_t> findLibraryKnob(llvm::StringRef name);

} // namespace opgraph::graph

#endif // OPGRAPH_DIALECTS_GRAPH_LIBRARYKNOBS_H
