//===- Clocks.cpp - Who has seen which access -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/Clocks.h"

using namespace opgraph::tile::interp;

/// Whether `by` may rely on `other`, an ordinary access or copy of one of its
/// own warps: the same lane's program order, or a sync of the warp since.
static bool isOwnAndOrdered(const Stamp &other, const Accessor &by,
                            uint32_t warp, uint32_t syncedUntil) {
  bool sameLane = by.warps == 1 && other.lane == by.stamp.lane &&
                  other.lane != Stamp::manyLanes;
  return sameLane || other.time <= syncedUntil;
}

static bool isOrdered(const Stamp &other, const Accessor &by) {
  if (by.knows->seen[other.component] < other.time)
    return false;
  uint32_t warp = other.component - by.firstWarp;
  if (other.party == Party::Warp && warp < by.warps)
    return isOwnAndOrdered(other, by, warp, by.lanes[warp].ordinary);
  uint32_t queue = other.component - by.firstQueue;
  if (other.party == Party::CopyQueue && queue < by.warps)
    return isOwnAndOrdered(other, by, queue, by.lanes[queue].copies);
  return true;
}

/// Whether the last write may be read or overwritten.
static std::optional<ConflictReport> checkWrite(const Stamp &last,
                                                const Accessor &by) {
  if (!last.exists() || (last.isAtomic && by.stamp.isAtomic))
    return std::nullopt;
  if (!isOrdered(last, by))
    return ConflictReport{Conflict::Unordered, last, /*otherIsWrite=*/true};
  bool crossesProxies = by.isAsync && last.party == Party::Warp;
  if (crossesProxies && by.knows->fenced[last.component] < last.time)
    return ConflictReport{Conflict::Unfenced, last, /*otherIsWrite=*/true};
  return std::nullopt;
}

void Shadow::addRead(const Accessor &by) {
  for (Stamp &old : reads) {
    if (old.component != by.stamp.component)
      continue;
    // Later times cover earlier ones for everybody but the warp's own lanes.
    uint32_t warp = old.component - by.firstWarp;
    bool otherLane = old.lane != by.stamp.lane;
    bool isSynced = warp >= by.warps || old.time <= by.lanes[warp].ordinary;
    old = by.stamp;
    if (otherLane && !isSynced)
      old.lane = Stamp::manyLanes;
    return;
  }
  reads.push_back(by.stamp);
}

std::optional<ConflictReport> Shadow::read(const Accessor &by) {
  if (std::optional<ConflictReport> report = checkWrite(lastWrite, by))
    return report;
  addRead(by);
  return std::nullopt;
}

std::optional<ConflictReport> Shadow::write(const Accessor &by) {
  for (const Stamp &old : reads)
    if (!(old.isAtomic && by.stamp.isAtomic) && !isOrdered(old, by))
      return ConflictReport{Conflict::Unordered, old, /*otherIsWrite=*/false};
  if (std::optional<ConflictReport> report = checkWrite(lastWrite, by))
    return report;
  reads.clear();
  lastWrite = by.stamp;
  written = true;
  return std::nullopt;
}
