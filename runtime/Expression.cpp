//===- Expression.cpp - Postfix expressions over symbols ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Expression.h"

#include "opgraph-c/types.h"
#include "runtime/plan_generated.h"

using namespace opgraph::runtime;
namespace fb = opgraph::planfile::fb;

const char *ExprPool::check(uint32_t expr, size_t numSymbols) const {
  if (expr >= numExprs)
    return "index is out of range";
  uint64_t begin = ranges[expr].begin();
  uint64_t length = ranges[expr].length();
  if (begin + length > numTokens)
    return "reaches beyond the token pool";
  if (length == 0)
    return "is empty";
  if (length > maxExprTokens)
    return "has too many tokens";
  unsigned depth = 0;
  for (uint64_t i = begin; i < begin + length; ++i) {
    const fb::Token &token = tokens[i];
    switch (token.op()) {
    case fb::Op_Symbol:
      if (token.value() < 0 || uint64_t(token.value()) >= numSymbols)
        return "reads a symbol that is out of range";
      [[fallthrough]];
    case fb::Op_Const:
      if (++depth > maxExprDepth)
        return "is nested too deep";
      continue;
    default:
      if (token.op() > fb::Op_MAX)
        return "has an unknown operator";
      if (depth < 2)
        return "has an operator without operands";
      --depth;
    }
  }
  return depth == 1 ? nullptr : "leaves more than one value";
}

bool ExprPool::isDynamic(uint32_t expr) const {
  const fb::ExprRange &range = ranges[expr];
  for (uint32_t i = 0; i < range.length(); ++i)
    if (tokens[range.begin() + i].op() == fb::Op_Symbol)
      return true;
  return false;
}

int64_t ExprPool::asSymbol(uint32_t expr) const {
  const fb::ExprRange &range = ranges[expr];
  const fb::Token &first = tokens[range.begin()];
  if (range.length() == 1 && first.op() == fb::Op_Symbol)
    return first.value();
  return -1;
}

bool ExprPool::isSymbol(uint32_t expr, uint32_t symbol) const {
  return asSymbol(expr) == int64_t(symbol);
}

int64_t ExprPool::firstUnknown(uint32_t expr, const int64_t *symbols) const {
  const fb::ExprRange &range = ranges[expr];
  for (uint32_t i = 0; i < range.length(); ++i) {
    const fb::Token &token = tokens[range.begin() + i];
    if (token.op() == fb::Op_Symbol && symbols[token.value()] == OG_DYNAMIC)
      return token.value();
  }
  return -1;
}

/// Applies a binary operator; null on success.
static const char *apply(fb::Op op, int64_t a, int64_t b, int64_t &result) {
  bool overflow = false;
  switch (op) {
  case fb::Op_Add:
    overflow = __builtin_add_overflow(a, b, &result);
    break;
  case fb::Op_Sub:
    overflow = __builtin_sub_overflow(a, b, &result);
    break;
  case fb::Op_Mul:
    overflow = __builtin_mul_overflow(a, b, &result);
    break;
  case fb::Op_Max:
    result = a > b ? a : b;
    break;
  case fb::Op_Min:
    result = a < b ? a : b;
    break;
  default: {
    if (b == 0)
      return "division by zero";
    // Covers INT64_MIN / -1, which would trap.
    if (b == -1) {
      overflow = __builtin_sub_overflow(int64_t(0), a, &result);
      if (op == fb::Op_Mod)
        result = 0, overflow = false;
      break;
    }
    int64_t quotient = a / b;
    int64_t remainder = a % b;
    bool sameSign = (remainder < 0) == (b < 0);
    if (op == fb::Op_CeilDiv)
      result = quotient + (remainder != 0 && sameSign);
    else if (op == fb::Op_FloorDiv)
      result = quotient - (remainder != 0 && !sameSign);
    else
      result = remainder != 0 && !sameSign ? remainder + b : remainder;
    break;
  }
  }
  return overflow ? "overflow of 64 bits" : nullptr;
}

const char *ExprPool::evaluate(uint32_t expr, const int64_t *symbols,
                               int64_t &result) const {
  const fb::ExprRange &range = ranges[expr];
  int64_t stack[maxExprDepth];
  unsigned depth = 0;
  for (uint32_t i = 0; i < range.length(); ++i) {
    const fb::Token &token = tokens[range.begin() + i];
    if (token.op() == fb::Op_Const) {
      stack[depth++] = token.value();
    } else if (token.op() == fb::Op_Symbol) {
      stack[depth++] = symbols[token.value()];
    } else {
      --depth;
      if (const char *error = apply(token.op(), stack[depth - 1], stack[depth],
                                    stack[depth - 1]))
        return error;
    }
  }
  result = stack[0];
  return nullptr;
}
