//===- LibraryKnobs.cpp - Knobs that only the cuDNN library has -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/LibraryKnobs.h"
#include "dialects/Graph/GraphDialect.h"

using namespace llvm;
using namespace opgraph::graph;

namespace {
struct NamedKnob {
  StringLiteral list;
  StringLiteral name;
  int64_t number;
};
} // namespace

static constexpr NamedKnob kNames[] = {
#define OG_CUDNN_VALUE(ENUM, NAME, NUMBER, ...) {#ENUM, #NAME, NUMBER},
#include "opgraph-c/cudnn.def"
};

static const NamedKnob *findNamed(function_ref<bool(const NamedKnob &)> test) {
  for (const NamedKnob &knob : kNames)
    if (knob.list == "LibraryKnob" && test(knob))
      return &knob;
  return nullptr;
}

std::optional<int64_t> opgraph::graph::toLibraryKnob(int64_t key) {
  if (key >= kLibraryKnobs && key < kLibraryKnobs + kNumLibraryKnobs)
    return key - kLibraryKnobs;
  std::string name = knobKeyName(key);
  if (const NamedKnob *knob =
          findNamed([&](const NamedKnob &row) { return row.name == name; }))
    return knob->number;
  return std::nullopt;
}

std::optional<int64_t> opgraph::graph::fromLibraryKnob(int64_t number) {
  if (number < 0 || number >= kNumLibraryKnobs)
    return std::nullopt;
  if (const NamedKnob *knob =
          findNamed([&](const NamedKnob &row) { return row.number == number; }))
    if (std::optional<KnobType> type = symbolizeKnobType(knob->name))
      return static_cast<int64_t>(*type);
  return kLibraryKnobs + number;
}

StringRef opgraph::graph::libraryKnobName(int64_t key) {
  const NamedKnob *knob = findNamed([&](const NamedKnob &row) {
    return kLibraryKnobs + row.number == key && !symbolizeKnobType(row.name);
  });
  return knob ? StringRef(knob->name) : StringRef();
}

std::optional<int64_t> opgraph::graph::findLibraryKnob(StringRef name) {
  if (const NamedKnob *knob =
          findNamed([&](const NamedKnob &row) { return row.name == name; }))
    return fromLibraryKnob(knob->number);
  return std::nullopt;
}
