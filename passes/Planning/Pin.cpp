//===- Pin.cpp - Resolving a pinned engine or plan ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Planning/Pin.h"
#include "passes/Planning/Engines/CudnnProblem.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace opgraph;
using namespace opgraph::planning;

static PinResult fail(og_status status, std::string message) {
  PinResult result;
  result.status = status;
  result.message = std::move(message);
  return result;
}

/// "host.reference (10000), host.fused (10100)".
static std::string printSlots(const Manifest &manifest) {
  SmallVector<std::string> names;
  for (const EngineSlot &slot : manifest.getSlots())
    names.push_back((slot.name + " (" + std::to_string(slot.id) + ")").str());
  return join(names, ", ");
}

/// The answer to a pin on an id that has no slot.
static PinResult resolveForeign(int64_t id, const PlanRequest &request) {
  PinResult result;
  Decline decline;
  decline.engine = id;
  switch (bandOf(id)) {
  case IdBand::Unknown:
    return fail(OG_NOT_FOUND,
                "no engine has id " + std::to_string(id) +
                    "; engines: " + printSlots(request.getManifest()));
  case IdBand::Peer: {
    StringRef name = peerEngineName(id);
    decline.name = name.empty() ? "cudnn-frontend engine" : name.str();
    decline.constraint = "engine";
    decline.limit = "an engine of opgraph";
    decline.actual =
        name.empty() ? "id " + std::to_string(id) + " of cudnn-frontend's range"
                     : (name + " of cudnn-frontend").str();
    break;
  }
  case IdBand::Cudnn:
    decline.name = "cudnn";
    if (request.target.kind == TargetKind::Host) {
      decline.constraint = "target";
      decline.limit = "a CUDA device";
      decline.actual = request.target.name;
      break;
    }
    decline.constraint = "library";
    decline.limit = "libcudnn.so.9";
    decline.actual = "not opened";
    decline.status = "LIBRARY_MISSING";
    break;
  }
  result.declines.push_back(std::move(decline));
  return result;
}

/// Finds the slot of `pin`, or sets the error or the decline.
static PinResult resolveSlot(const graph::PlanId &pin,
                             const PlanRequest &request) {
  const Manifest &manifest = request.getManifest();
  PinResult result;
  if (!pin.engine) {
    result.slot = manifest.find(StringRef(pin.name));
    if (!result.slot)
      return fail(OG_NOT_FOUND, "no engine is named '" + pin.name +
                                    "'; engines: " + printSlots(manifest));
    return result;
  }
  result.slot = manifest.find(*pin.engine);
  if (!result.slot && bandOf(*pin.engine) == IdBand::Cudnn)
    result.slot = manifest.findCudnn();
  if (!result.slot)
    return resolveForeign(*pin.engine, request);
  if (!pin.name.empty() && pin.name != result.slot->name)
    return fail(OG_NOT_FOUND, "engine " + std::to_string(*pin.engine) +
                                  " is named '" + result.slot->name.str() +
                                  "', not '" + pin.name + "'");
  return result;
}

/// Why the library's engine `engine` does not take the graph.
static Decline declineLibrary(const EngineSlot &slot, int64_t engine,
                              std::string text) {
  Decline decline = makeDecline(slot, "engine", "an engine for this graph",
                                "engine " + std::to_string(engine));
  decline.status = "NOT_SUPPORTED";
  decline.text = std::move(text);
  return decline;
}

/// Fills in what the pin says of the library's engines. With an engine but
/// without knobs, it is the entries of the library's lists that have it, or
/// else its setting by default.
static void resolveLibrary(const graph::PlanId &pin, const GraphFacts &facts,
                           const PlanRequest &request, PinResult &result) {
  if (!pin.engine)
    return;
  int64_t engine = *pin.engine;
  CudnnQuery &query = *facts.cudnn->getQuery();
  if (engine >= query.engineCount()) {
    result.declines.push_back(
        declineLibrary(*result.slot, engine,
                       "the graph has engines 0 to " +
                           std::to_string(query.engineCount() - 1)));
    return;
  }
  result.libraryEngine = engine;
  // Settings of its lists are the library's to judge: some have values that it
  // says the engine does not take.
  for (graph::HeurMode mode : request.modes)
    for (const CudnnConfig &config : facts.cudnn->getConfigs(mode)) {
      if (config.engine != engine ||
          (pin.hasKnobs && config.knobs != pin.knobs))
        continue;
      if (pin.hasKnobs)
        result.config = config;
      return;
    }
  CudnnConfig config;
  std::string error;
  og_status status = query.config(engine, pin.knobs, config, error);
  if (status == OG_OK) {
    config.workspace += facts.cudnn->getScratchBytes();
    result.config = std::move(config);
  } else if (status == OG_UNSUPPORTED) {
    result.declines.push_back(
        declineLibrary(*result.slot, engine, std::move(error)));
  } else {
    result.status = status;
    result.message = std::move(error);
  }
}

PinResult opgraph::planning::resolvePin(const graph::PlanId &pin,
                                        const GraphFacts &facts,
                                        const PlanRequest &request) {
  PinResult result = resolveSlot(pin, request);
  if (!result.slot)
    return result;
  const EngineSlot &slot = *result.slot;
  // Without a library there is no version to compare; that it is missing is
  // the answer then.
  int64_t version = slot.version;
  if (slot.side == Side::Cudnn && slot.id == 0)
    version = facts.cudnn && facts.cudnn->getVersion()
                  ? facts.cudnn->getVersion()
                  : pin.version.value_or(version);
  if (pin.version && *pin.version != version && !request.acceptOtherVersion)
    return fail(OG_VERSION_MISMATCH,
                "the plan is of version " + std::to_string(*pin.version) +
                    " of engine '" + slot.name.str() + "', this is version " +
                    std::to_string(version));
  if (!pin.target.empty() && pin.target != request.target.name)
    return fail(OG_INVALID_VALUE, "the plan is for target '" + pin.target +
                                      "', the graph is planned for '" +
                                      request.target.name + "'");
  result.declines = judgeEngine(slot, facts, request);
  if (!result.declines.empty())
    return result;
  if (facts.cudnn && slot.side == Side::Cudnn) {
    resolveLibrary(pin, facts, request, result);
    return result;
  }
  if (!pin.hasKnobs)
    return result;
  EngineQuery query{slot, facts, request};
  result.status = checkKnobs(slot.engine(), query, pin.knobs, result.message);
  if (result.status == OG_OK)
    result.knobs = slot.engine().complete(query, pin.knobs);
  return result;
}
