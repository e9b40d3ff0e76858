//===- Pin.h - Resolving a pinned engine or plan ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_PLANNING_PIN_H
#define OPGRAPH_PASSES_PLANNING_PIN_H

#include "opgraph-c/status.h"
#include "passes/Planning/CudnnLibrary.h"
#include "passes/Planning/Engine.h"
#include "passes/Planning/Manifest.h"
#include "passes/Planning/Planner.h"

namespace opgraph::planning {

/// What a pin stands for.
struct PinResult {
  /// Null where no slot has that id or name.
  const EngineSlot *slot = nullptr;
  /// The whole setting, if the pin named knobs.
  std::optional<graph::Knobs> knobs;
  /// Of the library's slot: the engine that the pin named, and its setting
  /// where the pin is one plan.
  std::optional<int64_t> libraryEngine;
  std::optional<CudnnConfig> config;
  /// Why the engine does not take the graph.
  Declines declines;
  /// Not OG_OK for a mistake in the pin itself; `message` says which.
  og_status status = OG_OK;
  std::string message;
};

PinResult resolvePin(const graph::PlanId &pin, const GraphFacts &facts,
                     const PlanRequest &request);

} // namespace opgraph::planning

#endif // OPGRAPH_PASSES_PLANNING_PIN_H
