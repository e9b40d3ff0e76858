//===- parser_fuzzer.cpp - Fuzzes graph text through the verifiers --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mutates tokens, not bytes, of the repository's own .mlir files, so that a
// good part of the inputs parses and meets the verifiers and inference. Prints
// at exit how many did.
//===----------------------------------------------------------------------===//
#include "opgraph-c/compiler.h"
#include "opgraph-c/graph.h"

#include <cctype>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace {
struct Counts {
  uint64_t inputs = 0, reached = 0, accepted = 0;
};
Counts counts;
og_compiler *compiler = nullptr;

void printCounts() {
  std::fprintf(stderr,
               "inputs: %llu, reached the verifiers: %llu (%.1f %%), "
               "accepted: %llu\n",
               (unsigned long long)counts.inputs,
               (unsigned long long)counts.reached,
               counts.inputs ? 100.0 * counts.reached / counts.inputs : 0.0,
               (unsigned long long)counts.accepted);
}

using Tokens = std::vector<std::string>;

bool isWordChar(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' ||
         c == '%' || c == '@' || c == '#' || c == '$';
}

/// Words, numbers, runs of blanks, comments to the line's end, single
/// punctuation; together they are the text.
Tokens split(const std::string &text) {
  Tokens tokens;
  for (size_t i = 0; i < text.size();) {
    size_t j = i + 1;
    if (isWordChar(text[i])) {
      while (j < text.size() && isWordChar(text[j]))
        ++j;
    } else if (std::isspace(static_cast<unsigned char>(text[i]))) {
      while (j < text.size() &&
             std::isspace(static_cast<unsigned char>(text[j])))
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

const char *const elementTypes[] = {"f32",     "f64",        "f16", "bf16",
                                    "i8",      "ui8",        "i32", "i64",
                                    "i1",      "f8E4M3FN",   "f8E5M2"};
const char *const numbers[] = {"0", "1",  "2",   "3",     "7",
                               "8", "16", "-1",  "64",    "1024",
                               "?", "65536", "2147483648",
                               "9223372036854775807"};

class Mutator {
public:
  explicit Mutator(unsigned seed) : random(seed) {}

  std::string mutate(const std::string &text) {
    Tokens tokens = split(text);
    if (tokens.empty())
      return text;
    // Mostly one change: several seldom leave a text that parses.
    unsigned changes = 1 + (pick(4) == 0) + (pick(12) == 0);
    for (unsigned i = 0; i < changes && !tokens.empty(); ++i)
      change(tokens);
    std::string result;
    for (const std::string &token : tokens)
      result += token;
    return result;
  }

private:
  unsigned pick(size_t count) {
    return static_cast<unsigned>(random() % count);
  }

  /// Extents inside `4x8xf32`, an element type, or a plain number.
  void changeWord(std::string &word) {
    size_t digit = word.find_first_of("0123456789");
    if (word.compare(0, 6, "graph.") == 0 && word.size() > 6) {
      word = std::string("graph.") + og_op_name(pick(og_num_ops()));
      return;
    }
    for (const char *type : elementTypes) {
      size_t length = std::strlen(type);
      if (word.size() >= length &&
          word.compare(word.size() - length, length, type) == 0 &&
          pick(2) == 0) {
        word.replace(word.size() - length, length,
                     elementTypes[pick(std::size(elementTypes))]);
        return;
      }
    }
    if (digit != std::string::npos && word[0] != '%') {
      size_t end = digit;
      while (end < word.size() &&
             std::isdigit(static_cast<unsigned char>(word[end])))
        ++end;
      word.replace(digit, end - digit, numbers[pick(std::size(numbers))]);
    }
  }

  void change(Tokens &tokens) {
    size_t at = pick(tokens.size());
    // Blanks and comments change nothing.
    for (size_t tries = 0; tries < 8 && !isWordChar(tokens[at][0]); ++tries)
      at = pick(tokens.size());
    switch (pick(10)) {
    case 0:
      tokens.erase(tokens.begin() + at);
      return;
    case 1:
      tokens.insert(tokens.begin() + at, tokens[pick(tokens.size())]);
      return;
    case 2:
      std::swap(tokens[at], tokens[pick(tokens.size())]);
      return;
    case 3:
      tokens[at] = tokens[pick(tokens.size())];
      return;
    default:
      changeWord(tokens[at]);
    }
  }

  std::minstd_rand random;
};
} // namespace

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  if (og_compiler_create(&compiler) != OG_OK)
    std::abort();
  std::atexit(printCounts);
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  std::string text(reinterpret_cast<char *>(data), size);
  std::string result = Mutator(seed).mutate(text);
  size = std::min(result.size(), maxSize);
  std::memcpy(data, result.data(), size);
  return size;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  ++counts.inputs;
  og_graph *graph = nullptr;
  og_status status = og_graph_parse(
      compiler, reinterpret_cast<const char *>(data), size, nullptr, &graph);
  if (status != OG_PARSE_ERROR)
    ++counts.reached;
  if (status == OG_INTERNAL)
    std::abort();
  if (status != OG_OK)
    return 0;
  ++counts.accepted;
  // What parses also prints, parses again and can be asked for plans.
  const char *printed = nullptr;
  size_t length = 0;
  if (og_graph_print(graph, &printed, &length) != OG_OK)
    std::abort();
  std::string copy(printed, length);
  og_graph *again = nullptr;
  if (og_graph_parse(compiler, copy.data(), copy.size(), nullptr, &again) !=
      OG_OK)
    std::abort();
  og_graph_release(again);
  og_graph_create_plans(graph, nullptr);
  og_graph_release(graph);
  return 0;
}
