//===- Agent.cpp - What an agent knows and touches ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/Machine.h"

using namespace mlir;
using namespace opgraph::tile::interp;

Agent::Agent(World &world, Cta &cta, const RoleProgram &role, unsigned index,
             unsigned indexInCta)
    : world(world), cta(cta), role(role), index(index), indexInCta(indexInCta),
      firstWarp(role.firstWarp + index * role.warpsEach), warps(role.warpsEach),
      frame(world.program.slots),
      active(uint32_t((uint64_t(1) << role.warpsEach) - 1)),
      acquired(world.program.resources.rings.size()),
      waited(world.program.resources.rings.size()),
      awaited(world.program.resources.semaphores.size()) {}

std::string Agent::name() const {
  std::string text = "@" + role.name;
  if (role.agents > 1)
    text += "#" + std::to_string(index);
  if (world.ctas.size() > 1)
    text += " of CTA " + std::to_string(cta.index);
  return text;
}

std::string Agent::describeBlock() const {
  std::string text;
  if (blockedMbarrier)
    text = ", for phase " + std::to_string(blockedMbarrier->getCompleted()) +
           ", which misses " +
           std::to_string(blockedMbarrier->getMissingArrivals()) +
           " arrival(s) and " +
           std::to_string(blockedMbarrier->getMissingBytes()) + " byte(s)";
  else if (blockedBarrier)
    text = ", where " + std::to_string(blockedBarrier->getMissing()) +
           " threads are missing";
  return text;
}

SmallVector<int64_t, 4> Agent::integers(ArrayRef<SlotIndex> slots) const {
  SmallVector<int64_t, 4> values;
  for (SlotIndex slot : slots)
    values.push_back(integer(slot));
  return values;
}

//===----------------------------------------------------------------------===//
// Knowledge
//===----------------------------------------------------------------------===//

uint32_t Agent::copyComponent(unsigned inGroup) const {
  return warpComponent(inGroup) + world.program.warps;
}

uint32_t Agent::queueComponent(Party party) const {
  uint32_t first = cta.firstComponent + 2 * world.program.warps;
  uint32_t kind = uint32_t(party) - uint32_t(Party::MmaQueue);
  return first + 3 * indexInCta + kind;
}

void Agent::tick() {
  for (unsigned w = 0; w < warps; ++w) {
    if (!isActive(w))
      continue;
    WarpState &state = warp(w);
    state.knows.seen.raise(warpComponent(w), ++state.clock);
  }
}

void Agent::syncLanes(unsigned inGroup) {
  WarpState &state = warp(inGroup);
  state.lanes = {state.clock, state.copiesDone};
}

void Agent::meetAll() {
  Knowledge all = warp(0).knows;
  for (unsigned w = 1; w < warps; ++w)
    all.join(warp(w).knows);
  for (unsigned w = 0; w < warps; ++w) {
    warp(w).knows = all;
    syncLanes(w);
  }
}

void Agent::learn(const Knowledge &news) {
  for (unsigned w = 0; w < warps; ++w) {
    if (!isActive(w))
      continue;
    WarpState &state = warp(w);
    state.knows.join(news);
    state.lanes.ordinary =
        std::max(state.lanes.ordinary, news.seen[warpComponent(w)]);
    state.lanes.copies =
        std::max(state.lanes.copies, news.seen[copyComponent(w)]);
  }
}

Knowledge Agent::tellings(bool ofAll) const {
  const WarpState &first = cta.warps[firstWarp];
  Knowledge told = first.knows;
  if (ofAll) {
    for (unsigned w = 1; w < warps; ++w)
      told.join(cta.warps[firstWarp + w].knows);
    return told;
  }
  if (first.lastOfOthers > first.lanes.ordinary)
    told.seen.lower(warpComponent(0), first.lanes.ordinary);
  told.seen.lower(copyComponent(0), first.lanes.copies);
  return told;
}

void Agent::forgetOrdinary(Knowledge &told) const {
  for (const std::unique_ptr<Cta> &each : world.ctas)
    told.seen.drop(each->firstComponent, world.program.warps);
  told.fenced.clear();
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Identifies the agent's present instruction in reports.
static uint32_t instructionId(const Agent &agent) {
  size_t role = &agent.role - agent.world.program.roles.data();
  return uint32_t(role << 20) | agent.position;
}

Accessor Agent::ordinary(unsigned warpInGroup, uint8_t lane) {
  WarpState &state = warp(warpInGroup);
  if (lane != 0)
    state.lastOfOthers = state.clock;
  Accessor by;
  by.knows = &state.knows;
  by.stamp.component = warpComponent(warpInGroup);
  by.stamp.time = state.clock;
  by.stamp.instruction = instructionId(*this);
  by.stamp.lane = lane;
  by.firstWarp = warpComponent(warpInGroup);
  by.firstQueue = copyComponent(warpInGroup);
  by.warps = 1;
  by.lanes = ArrayRef(&state.lanes, 1);
  return by;
}

Accessor Agent::elected(bool isAsync) {
  Accessor by = ordinary(0, 0);
  by.isAsync = isAsync;
  return by;
}

Accessor Agent::collective(Knowledge &scratch) {
  scratch = warp(0).knows;
  for (unsigned w = 1; w < warps; ++w)
    scratch.meet(warp(w).knows);
  Accessor by = elected(/*isAsync=*/true);
  by.stamp.lane = Stamp::manyLanes;
  by.knows = &scratch;
  // What a warp of the group wrote by itself needs a sync of that warp, which
  // the others' knowledge does not show.
  scratchLanes.clear();
  for (unsigned w = 0; w < warps; ++w)
    scratchLanes.push_back(warp(w).lanes);
  by.warps = warps;
  by.lanes = scratchLanes;
  return by;
}

bool Agent::touchShared(const Accessor &by, Cta &owner, uint16_t allocation,
                        int64_t offset, int64_t bytes, bool isWrite) {
  if (offset < 0 || offset + bytes > owner.shared.size()) {
    fail(FaultKind::OutOfBounds, "bytes " + std::to_string(offset) + " to " +
                                     std::to_string(offset + bytes) +
                                     " of shared memory, which has " +
                                     std::to_string(owner.shared.size()));
    return false;
  }
  for (Shadow &cell : owner.shared.shadow(offset, bytes)) {
    std::optional<ConflictReport> conflict =
        isWrite ? cell.write(by) : cell.read(by);
    if (!conflict && cell.isWritten())
      continue;
    std::string where = "shared byte " + std::to_string(offset);
    if (conflict)
      failConflict(*conflict, by, isWrite, where);
    else
      fail(FaultKind::UninitialisedRead,
           where + " has not been written by this CTA");
    return false;
  }
  for (uint16_t &writer : owner.shared.writers(offset, bytes)) {
    if (writer == mbarrierAllocation || (!isWrite && writer != allocation)) {
      fail(FaultKind::Overlap,
           "shared byte " + std::to_string(offset) +
               (writer == mbarrierAllocation
                    ? " is an mbarrier's"
                    : " has been written through another allocation"));
      return false;
    }
    writer = allocation;
  }
  return true;
}

bool Agent::touchGlobal(const Accessor &by, GlobalBuffer &buffer,
                        int64_t offset, int64_t bytes, bool isWrite) {
  if (!buffer.contains(offset, bytes)) {
    fail(FaultKind::OutOfBounds, "bytes " + std::to_string(offset) + " to " +
                                     std::to_string(offset + bytes) + " of '" +
                                     buffer.getName() + "', which has " +
                                     std::to_string(buffer.size()));
    return false;
  }
  int64_t step = buffer.getGranularity();
  for (int64_t at = offset; at < offset + bytes; at += step) {
    std::optional<ConflictReport> conflict;
    std::string where;
    if (isWrite || !buffer.isReadonly)
      conflict =
          isWrite ? buffer.shadow(at).write(by) : buffer.shadow(at).read(by);
    if (!conflict && (isWrite || buffer.isWritten(at)))
      continue;
    where = "byte " + std::to_string(at) + " of '" + buffer.getName() + "'";
    if (conflict)
      failConflict(*conflict, by, isWrite, where);
    else
      fail(FaultKind::UninitialisedRead, where + " has not been written");
    return false;
  }
  if (isWrite)
    buffer.setWritten(offset, bytes);
  return true;
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

Step Agent::fail(FaultKind kind, std::string text,
                 std::vector<FaultNote> notes) {
  if (!world.fault) {
    Fault fault;
    fault.kind = kind;
    fault.op = role.instructions[position].op;
    fault.text = std::move(text) + ", in " + name();
    fault.notes = std::move(notes);
    world.fault = std::move(fault);
  }
  return Step::Failed;
}

/// Which fault it is that `by` lacks the other access.
static FaultKind classify(const ConflictReport &report, bool isWrite) {
  if (report.conflict == Conflict::Unfenced)
    return FaultKind::MissingProxyFence;
  bool otherIsAsync = report.other.party != Party::Warp;
  if (!isWrite)
    return otherIsAsync ? FaultKind::ReadBeforeArrival : FaultKind::Race;
  bool isRace = report.otherIsWrite && !otherIsAsync;
  return isRace ? FaultKind::Race : FaultKind::OverwriteBeforeRelease;
}

void Agent::failConflict(const ConflictReport &report, const Accessor &by,
                         bool isWrite, const std::string &where) {
  std::string done = report.otherIsWrite ? "written" : "read";
  FaultKind kind = classify(report, isWrite);
  std::string text = where + " is " + (isWrite ? "written" : "read") +
                     " before its " + (report.otherIsWrite ? "write" : "read") +
                     " by " + world.describe(report.other) +
                     (kind == FaultKind::MissingProxyFence
                          ? " is made visible to the async proxy"
                          : " is seen");
  FaultNote note{world.instructionOp(report.other.instruction),
                 done + " here by " + world.describe(report.other)};
  fail(kind, std::move(text), {std::move(note)});
}
