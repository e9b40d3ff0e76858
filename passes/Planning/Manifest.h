//===- Manifest.h - Every engine slot in one table --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// There is no run-time registration: an engine is a row here. An id decodes to
// its slot with nothing loaded. Tests plan with a manifest of their own.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_PLANNING_MANIFEST_H
#define OPGRAPH_PASSES_PLANNING_MANIFEST_H

#include "passes/Planning/Family.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace opgraph::planning {

class Engine;

/// Whose code an engine's plans run.
enum class Side : uint8_t { Cudnn, Host, Nvptx };

/// Whether an engine is on without being asked for.
enum class Maturity : uint8_t { Stable, OptIn };

/// Compute capabilities an engine runs on, both ends included; 0 for a host.
struct ArchRange {
  int64_t first = 0;
  int64_t last = 0;
};

struct EngineSlot {
  int64_t id;
  llvm::StringLiteral name;
  /// Part of a plan's identity: grows when the same knobs give another kernel.
  int64_t version;
  Side side;
  FamilySet families;
  ArchRange archs;
  Maturity maturity;
  const Engine &(*engine)();
};

/// A list of slots by increasing id.
class Manifest {
public:
  constexpr Manifest(llvm::ArrayRef<EngineSlot> slots) : slots(slots) {}

  llvm::ArrayRef<EngineSlot> getSlots() const { return slots; }
  const EngineSlot *find(int64_t id) const;
  const EngineSlot *find(llvm::StringRef name) const;
  /// The slot of all of the library's engines, id 0; null without one.
  const EngineSlot *findCudnn() const;

private:
  llvm::ArrayRef<EngineSlot> slots;
};

/// The project's engines.
const Manifest &getManifest();

/// What an engine id without a slot stands for.
enum class IdBand : uint8_t {
  /// 0 - 9999: the library's global engine index.
  Cudnn,
  /// 10000 - 19999 and 30000 up: ours, but no such slot.
  Unknown,
  /// 20000 - 29999: engines of the peer's frontend.
  Peer
};
IdBand bandOf(int64_t id);

/// The name of one of the peer frontend's engines; empty if it has no such id.
llvm::StringRef peerEngineName(int64_t id);

} // namespace opgraph::planning

#endif // OPGRAPH_PASSES_PLANNING_MANIFEST_H
