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
#include <optional>

namespace opgraph::lib {

/// What a parser must not see, and where.
struct TextProblem {
  enum Kind { TooDeep, AffineExpression } kind;
  /// Counted from 1.
  size_t line;
};

/// The first place where brackets nest deeper than `maxDepth`, or, unless
/// `allowAffine`, where an affine expression starts (those recurse at each
/// operator, brackets or not). Strings and comments do not count.
std::optional<TextProblem> findTextProblem(llvm::StringRef text, int maxDepth,
                                           bool allowAffine);

} // namespace opgraph::lib

#endif // OPGRAPH_LIB_SUPPORT_NESTING_H
