//===- Clocks.h - Who has seen which access ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
///
/// \file
/// Happens-before by vector clocks. A component counts what one party has done:
/// a warp's ordinary accesses, a warp's cp.async copies, an agent's MMAs, its
/// bulk stores (read, written), an mbarrier's completed phases. All grow, so
/// "has seen 7" covers 1 to 6.
///
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_CODEGEN_TILEINTERPRETER_CLOCKS_H
#define OPGRAPH_CODEGEN_TILEINTERPRETER_CLOCKS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace opgraph::tile::interp {

/// What is counted by a component.
enum class Party : uint8_t {
  Warp,
  CopyQueue,
  MmaQueue,
  BulkRead,
  BulkWrite,
  Mbarrier
};

/// The components of the CTAs that run together, numbered from `first` on.
/// Those of CTAs that ran earlier have lower numbers, and nobody sees them.
class VectorClock {
public:
  VectorClock() = default;
  VectorClock(uint32_t first, uint32_t count) : first(first), times(count) {}

  uint32_t operator[](uint32_t component) const {
    uint32_t index = component - first;
    return index < times.size() ? times[index] : 0;
  }
  void raise(uint32_t component, uint32_t time) {
    uint32_t &own = times[component - first];
    own = std::max(own, time);
  }
  void lower(uint32_t component, uint32_t time) {
    uint32_t &own = times[component - first];
    own = std::min(own, time);
  }
  void join(const VectorClock &other) {
    for (size_t i = 0, e = other.times.size(); i < e; ++i)
      times[i] = std::max(times[i], other.times[i]);
  }
  /// Keeps what both have seen.
  void meet(const VectorClock &other) {
    for (size_t i = 0, e = other.times.size(); i < e; ++i)
      times[i] = std::min(times[i], other.times[i]);
  }
  void clear() { std::fill(times.begin(), times.end(), 0); }
  /// Forgets `count` components.
  void drop(uint32_t component, uint32_t count) {
    std::fill_n(times.begin() + (component - first), count, 0);
  }

private:
  uint32_t first = 0;
  std::vector<uint32_t> times;
};

/// What somebody knows: accesses that happened before, and the ordinary writes
/// among them that a proxy fence made visible to the async proxy.
struct Knowledge {
  VectorClock seen;
  VectorClock fenced;

  Knowledge() = default;
  Knowledge(uint32_t first, uint32_t count)
      : seen(first, count), fenced(first, count) {}
  void join(const Knowledge &other) {
    seen.join(other.seen);
    fenced.join(other.fenced);
  }
  void meet(const Knowledge &other) {
    seen.meet(other.seen);
    fenced.meet(other.fenced);
  }
  void clear() {
    seen.clear();
    fenced.clear();
  }
};

/// An access, left at the bytes that it touched.
struct Stamp {
  static constexpr uint32_t nobody = ~uint32_t(0);
  /// Several lanes of the warp.
  static constexpr uint8_t manyLanes = 0xff;

  uint32_t component = nobody;
  uint32_t time = 0;
  /// Index of the instruction, for reports.
  uint32_t instruction = 0;
  uint8_t lane = 0;
  Party party = Party::Warp;
  bool isAtomic = false;

  bool exists() const { return component != nobody; }
};

/// Up to when a warp has synchronised its own lanes.
struct LaneSync {
  uint32_t ordinary = 0;
  uint32_t copies = 0;
};

/// Who makes an access, and what it knows.
struct Accessor {
  const Knowledge *knows = nullptr;
  /// What it leaves.
  Stamp stamp;
  /// The accesses of these components are the accessor's own: ordered by lane
  /// only. Two ranges, the warps' and their copy queues', of equal length.
  uint32_t firstWarp = 0, firstQueue = 0, warps = 0;
  /// One a warp of the range.
  llvm::ArrayRef<LaneSync> lanes;
  /// Reads and writes by the async proxy.
  bool isAsync = false;
};

/// Why an access may not happen.
enum class Conflict : uint8_t { Unordered, Unfenced };

struct ConflictReport {
  Conflict conflict;
  /// The access that is not seen.
  Stamp other;
  bool otherIsWrite;
};

/// The last accesses of a run of bytes.
class Shadow {
public:
  /// Nothing is known to be written; reads of unwritten cells are told by
  /// `isWritten`.
  bool isWritten() const { return written; }
  void setWritten() { written = true; }

  std::optional<ConflictReport> read(const Accessor &by);
  std::optional<ConflictReport> write(const Accessor &by);

private:
  void addRead(const Accessor &by);

  Stamp lastWrite;
  llvm::SmallVector<Stamp, 2> reads;
  bool written = false;
};

} // namespace opgraph::tile::interp

#endif // OPGRAPH_CODEGEN_TILEINTERPRETER_CLOCKS_H
