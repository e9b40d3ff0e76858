//===- Expression.h - Postfix expressions over symbols ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_EXPRESSION_H
#define OPGRAPH_RUNTIME_EXPRESSION_H

#include <cstddef>
#include <cstdint>

namespace opgraph::planfile::fb {
struct Token;
struct ExprRange;
} // namespace opgraph::planfile::fb

namespace opgraph::runtime {

/// Limits that make evaluation cheap and its stack a fixed array.
inline constexpr unsigned maxExprTokens = 1024;
inline constexpr unsigned maxExprDepth = 32;

/// The plan's expressions, in place in the file's body.
class ExprPool {
public:
  ExprPool() = default;
  ExprPool(const planfile::fb::Token *tokens, size_t numTokens,
           const planfile::fb::ExprRange *ranges, size_t numExprs)
      : tokens(tokens), ranges(ranges), numTokens(numTokens),
        numExprs(numExprs) {}

  size_t size() const { return numExprs; }

  /// Why an expression is malformed; null when it is fine. Checked once, so
  /// that evaluate need not.
  const char *check(uint32_t expr, size_t numSymbols) const;

  /// True when the expression reads a symbol.
  bool isDynamic(uint32_t expr) const;

  /// True when the expression is exactly symbol `symbol`.
  bool isSymbol(uint32_t expr, uint32_t symbol) const;

  /// The symbol that the expression is, or -1.
  int64_t asSymbol(uint32_t expr) const;

  /// The first symbol it reads whose value is OG_DYNAMIC, or -1.
  int64_t firstUnknown(uint32_t expr, const int64_t *symbols) const;

  /// Evaluates; null and `result` on success, else what went wrong.
  const char *evaluate(uint32_t expr, const int64_t *symbols,
                       int64_t &result) const;

private:
  const planfile::fb::Token *tokens = nullptr;
  const planfile::fb::ExprRange *ranges = nullptr;
  size_t numTokens = 0;
  size_t numExprs = 0;
};

} // namespace opgraph::runtime

#endif // OPGRAPH_RUNTIME_EXPRESSION_H
