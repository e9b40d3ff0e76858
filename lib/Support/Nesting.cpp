//===- Nesting.cpp - How deep the brackets of a text nest -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "lib/Support/Nesting.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <map>

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
  bool countBracket(char c);
  StringRef identifierAt(size_t start) const;
  std::optional<TextProblem> readWord();
  bool countAlias();
  bool isOutside() const {
    return depth[0] + depth[1] + depth[2] + depth[3] == 0;
  }

  StringRef text;
  int maxDepth;
  bool allowAffine;
  size_t position = 0;
  size_t line = 1;
  // One count per kind: a stray closing bracket of another kind must not make
  // room.
  int depth[4] = {0, 0, 0, 0};
  /// How many aliases each alias stands for, itself included, and the one whose
  /// definition is being read ("" outside).
  std::map<StringRef, uint64_t> weights;
  StringRef defined;
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
    // An operation in its generic form.
    if (text.substr(position + 1).starts_with("("))
      defined = isOutside() ? "" : defined;
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

StringRef NestingCounter::identifierAt(size_t start) const {
  return text.substr(start).take_while([](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-';
  });
}

/// Whether `rest` goes on as `array<index: ...>` does after its first word, or
/// with an alias that may stand for `index`.
static bool isIndexArray(StringRef rest) {
  auto skipBlanks = [&rest] {
    rest = rest.ltrim();
    while (rest.starts_with("//"))
      rest = rest.drop_until([](char c) { return c == '\n'; }).ltrim();
  };
  skipBlanks();
  if (!rest.consume_front("<"))
    return false;
  skipBlanks();
  return rest.starts_with("index") || rest.starts_with("!");
}

/// Steps over a bare word. An operation's name ends an alias's definition.
std::optional<TextProblem> NestingCounter::readWord() {
  StringRef word = identifierAt(position);
  // "a->b" holds an arrow.
  word = word.take_front(word.find('-'));
  position += word.size() - 1;
  bool isAffine =
      word.starts_with("affine_map") || word.starts_with("affine_set");
  if (isAffine && !allowAffine)
    return TextProblem{TextProblem::AffineExpression, line};
  if (word == "array" && isIndexArray(text.substr(position + 1)))
    return TextProblem{TextProblem::IndexArray, line};
  if (isOutside() && (word == "module" || word.contains('.')))
    defined = "";
  return std::nullopt;
}

/// Steps over `#name` or `!name`; whether the alias being defined is still
/// within its weight.
bool NestingCounter::countAlias() {
  StringRef name = identifierAt(position + 1);
  size_t end = position + 1 + name.size();
  StringRef alias = text.slice(position, end);
  position = end - 1;
  // `#graph.layout` is an attribute's own name.
  if (name.empty() || name.contains('.'))
    return true;
  StringRef rest = text.substr(end).ltrim(" \t\r\n");
  if (isOutside() && rest.starts_with("=")) {
    defined = alias;
    weights[defined] = 1;
    return true;
  }
  auto known = weights.find(alias);
  if (defined.empty() || known == weights.end())
    return true;
  return (weights[defined] += known->second) <= maxAliasWeight;
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
    if (llvm::isAlpha(c) || c == '_') {
      if (auto problem = readWord())
        return problem;
      continue;
    }
    if (c == '#' || c == '!') {
      if (!countAlias())
        return TextProblem{TextProblem::TooManyAliases, line};
      continue;
    }
    if (!countBracket(c))
      return TextProblem{TextProblem::TooDeep, line};
  }
  return std::nullopt;
}

std::optional<TextProblem>
opgraph::lib::findTextProblem(StringRef text, int maxDepth, bool allowAffine) {
  return NestingCounter(text, maxDepth, allowAffine).find();
}

std::string opgraph::lib::describe(const TextProblem &problem, int maxDepth) {
  switch (problem.kind) {
  case TextProblem::TooDeep:
    return "expected brackets at most " + std::to_string(maxDepth) +
           " deep, got more";
  case TextProblem::AffineExpression:
    return "affine expressions have no place in a graph";
  case TextProblem::TooManyAliases:
    return "expected an alias to stand for at most " +
           std::to_string(maxAliasWeight) + " others, got more";
  case TextProblem::IndexArray:
    return "expected an array's elements to be of an integer or floating-point "
           "type, got index or an alias";
  }
  return "";
}
