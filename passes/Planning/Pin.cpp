//===- Pin.cpp - Resolving a pinned engine or plan ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Planning/Pin.h"
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
  if (!result.slot)
    return resolveForeign(*pin.engine, request);
  if (!pin.name.empty() && pin.name != result.slot->name)
    return fail(OG_NOT_FOUND, "engine " + std::to_string(*pin.engine) +
                                  " is named '" + result.slot->name.str() +
                                  "', not '" + pin.name + "'");
  return result;
}

PinResult opgraph::planning::resolvePin(const graph::PlanId &pin,
                                        const GraphFacts &facts,
                                        const PlanRequest &request) {
  PinResult result = resolveSlot(pin, request);
  if (!result.slot)
    return result;
  const EngineSlot &slot = *result.slot;
  if (pin.version && *pin.version != slot.version &&
      !request.acceptOtherVersion)
    return fail(OG_VERSION_MISMATCH,
                "the plan is of version " + std::to_string(*pin.version) +
                    " of engine '" + slot.name.str() + "', this is version " +
                    std::to_string(slot.version));
  if (!pin.target.empty() && pin.target != request.target.name)
    return fail(OG_INVALID_VALUE, "the plan is for target '" + pin.target +
                                      "', the graph is planned for '" +
                                      request.target.name + "'");
  result.declines = judgeEngine(slot, facts, request);
  if (!result.declines.empty() || !pin.hasKnobs)
    return result;
  EngineQuery query{slot, facts, request};
  result.status = checkKnobs(slot.engine(), query, pin.knobs, result.message);
  if (result.status == OG_OK)
    result.knobs = slot.engine().complete(query, pin.knobs);
  return result;
}
