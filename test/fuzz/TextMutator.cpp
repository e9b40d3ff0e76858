//===- TextMutator.cpp - Token-wise mutations of graph text ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "test/fuzz/TextMutator.h"
#include "lib/Graph/OpTable.h"

#include <cctype>
#include <random>
#include <vector>

using namespace opgraph;
using namespace opgraph::fuzz;
using llvm::StringRef;

using Tokens = std::vector<std::string>;

bool opgraph::fuzz::isWordChar(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' ||
         c == '%' || c == '@' || c == '#' || c == '$' || c == '?';
}

static bool isDigit(char c) {
  return std::isdigit(static_cast<unsigned char>(c));
}

static bool isBlank(char c) {
  return std::isspace(static_cast<unsigned char>(c));
}

/// Words, numbers, runs of blanks, comments to the line's end, single
/// punctuation; together they are the text.
static Tokens split(const std::string &text) {
  Tokens tokens;
  for (size_t i = 0; i < text.size();) {
    size_t j = i + 1;
    if (isWordChar(text[i])) {
      while (j < text.size() && isWordChar(text[j]))
        ++j;
    } else if (isBlank(text[i])) {
      while (j < text.size() && isBlank(text[j]))
        ++j;
    } else if (text.compare(i, 2, "//") == 0) {
      while (j < text.size() && text[j] != '\n')
        ++j;
    }
    tokens.push_back(text.substr(i, j - i));
    i = j;
  }
  return tokens;
}

static const char *const elementTypes[] = {
    "f32", "f64", "f16",      "bf16",   "i8", "ui8",      "i32",
    "i64", "i1",  "f8E4M3FN", "f8E5M2", "i4", "f4E2M1FN", "f8E8M0FNU"};
static const char *const numbers[] = {
    "0", "1",  "2",    "3",     "4",          "7",
    "8", "64", "1024", "65536", "2147483648", "9223372036854775807",
    "?", "-1"};
static const char *const floats[] = {"0.0",     "-0.0",   "1.0",  "-1.5",
                                     "1.0e-40", "3.0e38", "0.125"};

/// How many letters at the end of `4x8xf32` name the element type.
static size_t elementTypeLength(StringRef word) {
  // The longest match: ui8 ends in i8.
  size_t length = 0;
  for (StringRef type : elementTypes)
    if (word.ends_with(type))
      length = std::max(length, type.size());
  return length;
}

namespace {

/// Applies changes; every draw comes from the seed.
class Mutator {
public:
  Mutator(Tokens &tokens, unsigned seed) : tokens(tokens), random(seed) {}

  void change();

private:
  unsigned below(size_t bound) {
    return static_cast<unsigned>(random() % bound);
  }
  bool oneIn(unsigned n) { return below(n) == 0; }

  size_t pickWord();
  std::string similar(size_t at);
  std::string otherOp(StringRef name);
  std::string otherCase(StringRef word);
  std::string otherNumber(std::string text);
  std::string otherNumberOrType(const std::string &word);
  std::string otherValue(size_t at);

  Tokens &tokens;
  std::mt19937 random;
};

} // namespace

/// Blanks and comments change nothing, and punctuation seldom something that
/// parses.
size_t Mutator::pickWord() {
  size_t at = below(tokens.size());
  for (int tries = 0; tries < 32 && !isWordChar(tokens[at][0]); ++tries)
    at = below(tokens.size());
  return at;
}

/// An op with as many operands as the one called `name`, mostly.
std::string Mutator::otherOp(StringRef name) {
  llvm::ArrayRef<lib::OpInfo> table = lib::getOpTable();
  const lib::OpInfo *known = lib::findOp(name);
  const lib::OpInfo *other = &table[below(table.size())];
  for (int tries = 0;
       tries < 16 && known && other->operands.size() != known->operands.size();
       ++tries)
    other = &table[below(table.size())];
  return std::string("graph.") + other->name;
}

/// Another member of the enumeration that has `word`; empty when none has.
std::string Mutator::otherCase(StringRef word) {
  for (const lib::OpInfo &op : lib::getOpTable())
    for (const lib::AttributeInfo &attribute : op.attributes)
      for (const lib::EnumCaseInfo &member : attribute.cases)
        if (word == member.text)
          return attribute.cases[below(attribute.cases.size())].text;
  return {};
}

/// Another number in place of one of `text`; empty when it has none.
std::string Mutator::otherNumber(std::string text) {
  std::vector<std::pair<size_t, size_t>> runs;
  for (size_t i = 0; i < text.size(); ++i) {
    size_t start = i;
    while (i < text.size() && isDigit(text[i]))
      ++i;
    if (i > start)
      runs.emplace_back(start, i - start);
    else if (text[i] == '?')
      runs.emplace_back(i, 1);
  }
  if (runs.empty())
    return {};
  // The last two are for extents alone and for all others.
  bool isExtent = text.find('x') != std::string::npos;
  size_t choice = below(std::size(numbers) - 1);
  if (choice == std::size(numbers) - 2 && !isExtent && !oneIn(4))
    ++choice;
  auto [start, length] = runs[below(runs.size())];
  return text.replace(start, length, numbers[choice]);
}

/// Another extent or another element type in `4x8xf32`, `8` or `f32`.
std::string Mutator::otherNumberOrType(const std::string &word) {
  size_t extents = word.size() - elementTypeLength(word);
  std::string head = word.substr(0, extents), type = word.substr(extents);
  bool hasType = !type.empty();
  bool hasExtents = !head.empty() && (isDigit(head[0]) || head[0] == '?');
  // A bare type is mostly that of a number, which it must fit.
  if (hasType && (head.empty() ? oneIn(4) : hasExtents && oneIn(3)))
    return head + elementTypes[below(std::size(elementTypes))];
  if (!hasExtents)
    return {};
  if (head.find('.') != std::string::npos)
    return floats[below(std::size(floats))];
  return otherNumber(head) + type;
}

/// Another value in place of the use at `at`; empty for a definition.
std::string Mutator::otherValue(size_t at) {
  size_t next = at + 1;
  while (next < tokens.size() && isBlank(tokens[next][0]))
    ++next;
  if (next < tokens.size() &&
      (tokens[next] == "=" || (tokens[next] == ":" && next == at + 1)))
    return {};
  for (int tries = 0; tries < 32; ++tries)
    if (size_t other = below(tokens.size()); tokens[other][0] == '%')
      return tokens[other];
  return {};
}

/// Something of the same kind as the word at `at`; empty when its kind is
/// unknown.
std::string Mutator::similar(size_t at) {
  const std::string &word = tokens[at];
  StringRef name = word;
  if (name.consume_front("graph.") && lib::findOp(name))
    return otherOp(name);
  if (word[0] == '%')
    return otherValue(at);
  if (std::string other = otherCase(word); !other.empty())
    return other;
  return otherNumberOrType(word);
}

void Mutator::change() {
  size_t at = pickWord();
  switch (below(32)) {
  case 0:
    tokens.erase(tokens.begin() + at);
    return;
  case 1:
    tokens.insert(tokens.begin() + at, tokens[pickWord()]);
    return;
  case 2:
    std::swap(tokens[at], tokens[pickWord()]);
    return;
  case 3:
    tokens[at] = tokens[pickWord()];
    return;
  default:
    break;
  }
  std::string after = similar(at);
  for (int tries = 0; tries < 8 && after.empty(); ++tries)
    after = similar(at = pickWord());
  if (after.empty())
    return;
  std::string before = tokens[at];
  // A type stands at the definition and at each use of a value: where only one
  // changes, the parser refuses the text before a verifier sees it.
  if (before.find('x') == std::string::npos || oneIn(4)) {
    tokens[at] = after;
    return;
  }
  for (std::string &token : tokens)
    if (token == before)
      token = after;
}

std::string opgraph::fuzz::mutateText(const std::string &text, unsigned seed) {
  Tokens tokens = split(text);
  Mutator mutator(tokens, seed);
  // Mostly one change: several seldom leave a text that parses.
  unsigned changes = 1 + (seed % 4 == 0) + (seed % 12 == 0);
  for (unsigned i = 0; i < changes && !tokens.empty(); ++i)
    mutator.change();
  std::string result;
  for (const std::string &token : tokens)
    result += token;
  return result;
}
