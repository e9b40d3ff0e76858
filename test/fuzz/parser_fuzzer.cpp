//===- parser_fuzzer.cpp - Fuzzes graph text through the verifiers --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mutates tokens, not bytes, of the repository's own .mlir files, so that a
// good part of the inputs parses and meets the verifiers and inference. Prints
// at exit how many did.
//===----------------------------------------------------------------------===//
#include "opgraph-c/compiler.h"
#include "opgraph-c/graph.h"
#include "test/fuzz/PlanText.h"
#include "test/fuzz/TextMutator.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

using opgraph::fuzz::TextResult;

namespace {
struct Counts {
  uint64_t inputs = 0, reached = 0, accepted = 0;
};
Counts counts;
og_compiler *compiler = nullptr;

void printCounts() {
  std::fprintf(stderr,
               "parser_fuzzer: %llu of %llu inputs (%.1f %%) reached the "
               "verifiers, %llu were accepted\n",
               (unsigned long long)counts.reached,
               (unsigned long long)counts.inputs,
               counts.inputs ? 100.0 * counts.reached / counts.inputs : 0.0,
               (unsigned long long)counts.accepted);
}
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
  std::string result = opgraph::fuzz::mutateText(text, seed);
  size = std::min(result.size(), maxSize);
  std::memcpy(data, result.data(), size);
  return size;
}

/// The name of the first graph in the text, so that one of several is taken.
static std::string firstGraphName(const std::string &text) {
  static const std::string opening = "graph.graph @";
  size_t start = text.find(opening);
  if (start == std::string::npos)
    return {};
  size_t end = start += opening.size();
  while (end < text.size() && opgraph::fuzz::isWordChar(text[end]))
    ++end;
  return text.substr(start, end - start);
}

/// What is accepted must also print, parse again and can be asked for plans.
static void checkAccepted(og_graph *graph) {
  const char *printed = nullptr;
  size_t length = 0;
  if (og_graph_print(graph, &printed, &length) != OG_OK)
    std::abort();
  std::string copy(printed, length);
  og_graph *again = nullptr;
  if (og_graph_parse(compiler, copy.data(), copy.size(), nullptr, &again) !=
      OG_OK) {
    std::fprintf(stderr, "printed graph is refused: %s\n%s\n", og_last_error(),
                 copy.c_str());
    std::abort();
  }
  og_graph_release(again);
  if (og_graph_create_plans(graph, nullptr) == OG_INTERNAL)
    std::abort();
}

static TextResult checkGraphText(const std::string &text) {
  std::string name = firstGraphName(text);
  og_graph *graph = nullptr;
  og_status status =
      og_graph_parse(compiler, text.data(), text.size(),
                     name.empty() ? nullptr : name.c_str(), &graph);
  if (status == OG_INTERNAL)
    std::abort();
  // Text without a graph has nothing that our verifiers would look at.
  if (status == OG_PARSE_ERROR || name.empty())
    return TextResult::Malformed;
  if (status != OG_OK)
    return TextResult::Refused;
  checkAccepted(graph);
  og_graph_release(graph);
  return TextResult::Accepted;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
  TextResult result = opgraph::fuzz::isPlanText(text)
                          ? opgraph::fuzz::checkPlanText(text)
                          : checkGraphText(text);
  ++counts.inputs;
  counts.reached += result != TextResult::Malformed;
  counts.accepted += result == TextResult::Accepted;
  // Not into the corpus: what grows out of malformed text is malformed too.
  return result == TextResult::Malformed ? -1 : 0;
}
