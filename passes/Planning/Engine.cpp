//===- Engine.cpp - What planning asks of an engine -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Planning/Engine.h"
#include "passes/Planning/Manifest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace opgraph;
using namespace opgraph::planning;

Engine::~Engine() = default;

/// "{4, 8, 16}".
static std::string printChoices(ArrayRef<int64_t> choices) {
  std::string text = "{";
  raw_string_ostream os(text);
  interleaveComma(choices, os);
  return text + "}";
}

static std::string printKeys(ArrayRef<KnobSpec> specs) {
  if (specs.empty())
    return "none";
  std::string text;
  raw_string_ostream os(text);
  interleaveComma(specs, os, [&](const KnobSpec &spec) {
    os << graph::knobKeyName(spec.key);
  });
  return text;
}

graph::Knobs Engine::complete(const EngineQuery &query,
                              ArrayRef<graph::Knob> given) const {
  graph::Knobs knobs(given);
  graph::Knobs first = propose(query, graph::HeurMode::A).front();
  for (const graph::Knob &knob : first)
    if (none_of(given, [&](const graph::Knob &k) { return k.key == knob.key; }))
      knobs.push_back(knob);
  llvm::sort(knobs);
  return knobs;
}

og_status opgraph::planning::checkKnobs(const Engine &engine,
                                        const EngineQuery &query,
                                        ArrayRef<graph::Knob> given,
                                        std::string &error) {
  SmallVector<KnobSpec> specs = engine.getKnobSpecs(query, given);
  for (const graph::Knob &knob : given) {
    const auto *spec = find_if(
        specs, [&](const KnobSpec &spec) { return spec.key == knob.key; });
    if (spec == specs.end()) {
      error = "engine '" + query.slot.name.str() + "' has no knob '" +
              graph::knobKeyName(knob.key) +
              "' for this graph; its knobs: " + printKeys(specs);
      return OG_NOT_FOUND;
    }
    if (!is_contained(spec->choices, knob.value)) {
      error = "expected knob '" + graph::knobKeyName(knob.key) +
              "' of engine '" + query.slot.name.str() + "' to be one of " +
              printChoices(spec->choices) + ", got " +
              std::to_string(knob.value);
      return OG_INVALID_VALUE;
    }
  }
  return OG_OK;
}
