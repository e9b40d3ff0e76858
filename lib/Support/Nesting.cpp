//===- Nesting.cpp - How deep the brackets of a text nest -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "lib/Support/Nesting.h"
#include <algorithm>

using namespace opgraph::lib;
using llvm::StringRef;

namespace {
/// Walks over the tokens that matter.
class NestingCounter {
public:
  NestingCounter(StringRef text, int maxDepth, bool allowAffine)
      : text(text), maxDepth(maxDepth), allowAffine(allowAffine) {}

  std::optional<TextProblem> find();

private:
  void skipString();
  void skipComment();
  bool skip();
  bool isAffine() const;
  bool countBracket(char c);

  StringRef text;
  int maxDepth;
  bool allowAffine;
  size_t position = 0;
  size_t line = 1;
  // One count per kind: a stray closing bracket of another kind must not make
  // room.
  int depth[4] = {0, 0, 0, 0};
};
} // namespace

void NestingCounter::skipString() {
  for (++position; position < text.size(); ++position) {
    char c = text[position];
    if (c == '\n')
      ++line;
    if (c == '\\')
      ++position;
    else if (c == '"')
      return;
  }
}

void NestingCounter::skipComment() {
  while (position < text.size() && text[position] != '\n')
    ++position;
  --position;
}

/// Skips a string, a comment or an arrow; whether there was one.
bool NestingCounter::skip() {
  StringRef rest = text.substr(position);
  if (rest.starts_with("\"")) {
    skipString();
    return true;
  }
  if (rest.starts_with("//")) {
    skipComment();
    return true;
  }
  if (rest.starts_with("->")) {
    ++position;
    return true;
  }
  return false;
}

bool NestingCounter::isAffine() const {
  StringRef rest = text.substr(position);
  return rest.starts_with("affine_map") || rest.starts_with("affine_set");
}

/// Whether all brackets that are open by now are within the limit.
bool NestingCounter::countBracket(char c) {
  static constexpr StringRef opening = "([{<", closing = ")]}>";
  if (size_t kind = closing.find(c); kind != StringRef::npos)
    depth[kind] = std::max(0, depth[kind] - 1);
  size_t kind = opening.find(c);
  if (kind == StringRef::npos)
    return true;
  ++depth[kind];
  return depth[0] + depth[1] + depth[2] + depth[3] <= maxDepth;
}

std::optional<TextProblem> NestingCounter::find() {
  for (; position < text.size(); ++position) {
    if (skip())
      continue;
    char c = text[position];
    if (c == '\n')
      ++line;
    if (!allowAffine && isAffine())
      return TextProblem{TextProblem::AffineExpression, line};
    if (!countBracket(c))
      return TextProblem{TextProblem::TooDeep, line};
  }
  return std::nullopt;
}

std::optional<TextProblem>
opgraph::lib::findTextProblem(StringRef text, int maxDepth, bool allowAffine) {
  return NestingCounter(text, maxDepth, allowAffine).find();
}
