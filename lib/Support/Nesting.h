//===- Nesting.h - How deep the brackets of a text nest ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIR's parser recurses without a limit and an overflow of the stack cannot be
// caught, so whoever parses text counts first.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_LIB_SUPPORT_NESTING_H
#define OPGRAPH_LIB_SUPPORT_NESTING_H

#include "llvm/ADT/StringRef.h"
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace opgraph::lib {

/// What a parser must not see, and where.
struct TextProblem {
  enum Kind { TooDeep, AffineExpression, TooManyAliases, IndexArray } kind;
  /// Counted from 1.
  size_t line;
};

/// The first place where brackets nest deeper than `maxDepth`, or, unless
/// `allowAffine`, where an affine expression starts (those recurse at each
/// operator, brackets or not), or where an alias of an attribute or type stands
/// for more than `maxAliasWeight` others: such a value is small in memory, but
/// its text, in a message say, grows with each level; or where an array of
/// `index` or of a type alias starts (MLIR asks `index` for its bits). Strings
/// and comments do not count.
inline constexpr uint64_t maxAliasWeight = 10000;
std::optional<TextProblem> findTextProblem(llvm::StringRef text, int maxDepth,
                                           bool allowAffine);

/// What is wrong, without the line: "expected brackets at most 256 deep, ...".
std::string describe(const TextProblem &problem, int maxDepth);

} // namespace opgraph::lib

#endif // OPGRAPH_LIB_SUPPORT_NESTING_H
