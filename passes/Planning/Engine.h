//===- Engine.h - What planning asks of an engine ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The planning half of an engine: what it takes (rows), which knobs it has,
// which settings it proposes and what each costs. Legalizing and generating
// code are elsewhere and read the plan attribute only. Engines are stateless
// and their objects live as long as the process.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_PLANNING_ENGINE_H
#define OPGRAPH_PASSES_PLANNING_ENGINE_H

#include "dialects/Graph/GraphDialect.h"
#include "opgraph-c/status.h"
#include "passes/Planning/Capability.h"
#include "passes/Planning/Facts.h"

namespace opgraph::planning {

struct PlanRequest;

/// A knob of an engine and the values that it takes.
struct KnobSpec {
  int64_t key = 0;
  llvm::SmallVector<int64_t, 4> choices;
};

/// What an engine is asked about.
struct EngineQuery {
  const EngineSlot &slot;
  const GraphFacts &facts;
  const PlanRequest &request;
};

/// A setting of an engine, costed.
struct Config {
  graph::Knobs knobs;
  int64_t timeNs = 0;
  /// Upper bound in bytes; -1 where it depends on extents not known yet.
  int64_t workspace = 0;
  /// Bytes of a block; -1 where that is not known before it is built.
  int64_t sharedMemory = -1;
  llvm::SmallVector<graph::BehaviorNote, 2> behaviorNotes;
  llvm::SmallVector<graph::NumericalNote, 2> numericalNotes;
};

class Engine {
public:
  virtual ~Engine();

  virtual llvm::ArrayRef<CapabilityRow> getCapabilities() const = 0;

  /// Mismatches that no row can say; rare.
  virtual void judgeMore(const EngineQuery &query,
                         llvm::SmallVectorImpl<Decline> &declines) const {}

  /// The knobs for this graph, by increasing key. A plan names all of them.
  /// `given` holds settings already made, which others may depend on.
  virtual llvm::SmallVector<KnobSpec>
  getKnobSpecs(const EngineQuery &query,
               llvm::ArrayRef<graph::Knob> given) const = 0;

  /// Settings worth building for an accepted graph, in the engine's order;
  /// never empty. FALLBACK asks for the one that is surest to build.
  virtual llvm::SmallVector<graph::Knobs>
  propose(const EngineQuery &query, graph::HeurMode mode) const = 0;

  /// A whole setting that has the values of `given`, which getKnobSpecs allows.
  /// By default the first proposal fills the gaps.
  virtual graph::Knobs complete(const EngineQuery &query,
                                llvm::ArrayRef<graph::Knob> given) const;

  /// Costs a whole setting that getKnobSpecs allows.
  virtual Config evaluate(const EngineQuery &query,
                          llvm::ArrayRef<graph::Knob> knobs) const = 0;

  /// Whether propose()'s order is kept inside the engine's block (a library
  /// whose own ranking knows better) or broken up by predicted time.
  virtual bool keepsOrder() const { return false; }

  /// Whether its plans run other engines' plans on groups of the graph.
  virtual bool isComposite() const { return false; }
};

/// Checks that the engine has each knob of `given` and takes its value:
/// OG_NOT_FOUND or OG_INVALID_VALUE, with `error` set, where not.
og_status checkKnobs(const Engine &engine, const EngineQuery &query,
                     llvm::ArrayRef<graph::Knob> given, std::string &error);

} // namespace opgraph::planning

#endif // OPGRAPH_PASSES_PLANNING_ENGINE_H
