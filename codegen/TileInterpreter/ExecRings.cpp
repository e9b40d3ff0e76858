//===- ExecRings.cpp - Rings and semaphores -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/ExecRings.h"
#include "codegen/TileInterpreter/Compiler.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph::tile;
using namespace opgraph::tile::interp;

uint32_t opgraph::tile::interp::fullBarrier(const Agent &agent,
                                            const interp::Value &slot) {
  const Resources &resources = agent.world.program.resources;
  if (const auto *held = std::get_if<SlotValue>(&slot))
    return resources.rings[held->ring].full(held->stage);
  return resources.semaphores[std::get_if<ResourceValue>(&slot)->index]
      .mbarrier;
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

/// Waits for `phase`; Next when it is over and known.
static Step waitFor(Agent &agent, Mbarrier &barrier, int64_t phase) {
  switch (barrier.test(phase)) {
  case Mbarrier::WaitState::Blocked:
    agent.blockedMbarrier = &barrier;
    return Step::Blocked;
  case Mbarrier::WaitState::Misused: {
    int64_t completed = barrier.getCompleted();
    bool passes = (phase - completed) % 2 != 0;
    return agent.fail(FaultKind::PhaseMisuse,
                      "waits for phase " + std::to_string(phase) + " where " +
                          std::to_string(completed) +
                          " are complete: the parity " +
                          (passes ? "lets it pass" : "makes it hang"));
  }
  case Mbarrier::WaitState::Pass:
    break;
  }
  agent.blockedMbarrier = nullptr;
  agent.learn(barrier.getPublished());
  return Step::Next;
}

static const RingInfo &ringOf(Agent &agent, const Instruction &op,
                              uint32_t &index) {
  index = agent.get<ResourceValue>(op.operands[0]).index;
  return agent.world.program.resources.rings[index];
}

/// Hands over the stage and its fields.
static void take(Agent &agent, const Instruction &op, uint32_t ring,
                 int64_t stage) {
  const RingInfo &info = agent.world.program.resources.rings[ring];
  agent.frame[op.results[0]] = SlotValue{ring, uint32_t(stage)};
  for (auto [field, offset] : llvm::enumerate(info.fieldOffsets))
    agent.frame[op.results[field + 1]] = SharedValue{
        agent.cta.rank, info.base + stage * info.stageBytes + offset,
        info.allocation};
}

static Step runAcquire(Agent &agent, const Instruction &op) {
  uint32_t index;
  const RingInfo &ring = ringOf(agent, op, index);
  int64_t count = agent.acquired[index];
  int64_t stage = count % ring.stages, phase = count / ring.stages - 1;
  if (phase >= 0) {
    Step step = waitFor(agent, agent.cta.mbarriers[ring.empty(stage)], phase);
    if (step != Step::Next)
      return step;
  }
  ++agent.acquired[index];
  take(agent, op, index, stage);
  return Step::Next;
}

static Step runWait(Agent &agent, const Instruction &op) {
  uint32_t index;
  const RingInfo &ring = ringOf(agent, op, index);
  int64_t count = agent.waited[index];
  int64_t stage = count % ring.stages;
  Step step = waitFor(agent, agent.cta.mbarriers[ring.full(stage)],
                      count / ring.stages);
  if (step != Step::Next)
    return step;
  ++agent.waited[index];
  take(agent, op, index, stage);
  return Step::Next;
}

static Step runAwait(Agent &agent, const Instruction &op) {
  uint32_t index = agent.get<ResourceValue>(op.operands[0]).index;
  uint32_t barrier = agent.world.program.resources.semaphores[index].mbarrier;
  Step step =
      waitFor(agent, agent.cta.mbarriers[barrier], agent.awaited[index]);
  if (step == Step::Next)
    ++agent.awaited[index];
  return step;
}

/// Waits until each of the last stages that were acquired is free again.
static Step runDrain(Agent &agent, const Instruction &op) {
  uint32_t index;
  const RingInfo &ring = ringOf(agent, op, index);
  int64_t count = agent.acquired[index];
  for (int64_t n = std::max<int64_t>(0, count - ring.stages); n < count; ++n) {
    Step step = waitFor(agent, agent.cta.mbarriers[ring.empty(n % ring.stages)],
                        n / ring.stages);
    if (step != Step::Next)
      return step;
  }
  return Step::Next;
}

//===----------------------------------------------------------------------===//
// Arriving
//===----------------------------------------------------------------------===//

static int64_t arrivalsOf(const Agent &agent, ArriveBy by) {
  switch (by) {
  case ArriveBy::one:
    return 1;
  case ArriveBy::each_warp:
    return agent.warps;
  case ArriveBy::each_thread:
    return agent.role.isSingle ? 1 : 32 * agent.warps;
  }
  return 1;
}

/// Before a warp's one arrival its lanes meet.
static void meetLanes(Agent &agent, ArriveBy by) {
  for (unsigned w = 0; by == ArriveBy::each_warp && w < agent.warps; ++w)
    agent.syncLanes(w);
}

/// What an arrival tells: all that its threads have done, but no ordinary
/// accesses when it is relaxed, or at a scope that does not reach a peer.
static Knowledge tellingsOf(Agent &agent, ArriveBy by, Order order,
                            bool reaches) {
  meetLanes(agent, by);
  Knowledge told = agent.tellings(by != ArriveBy::one);
  if (order == Order::relaxed || order == Order::acquire || !reaches)
    agent.forgetOrdinary(told);
  return told;
}

static bool reachesCluster(Scope scope) {
  return scope == Scope::cluster || scope == Scope::gpu || scope == Scope::sys;
}

static Step arriveAt(Agent &agent, Cta &owner, uint32_t barrier,
                     const Knowledge &told, int64_t times, int64_t bytes) {
  if (owner.liveAgents == 0)
    return agent.fail(FaultKind::ExitHazard,
                      "arrives at CTA " + std::to_string(owner.rank) +
                          " of the cluster, which has ended");
  Misuse misuse = owner.mbarriers[barrier].arrive(told, times, bytes);
  if (!misuse.empty())
    return agent.fail(FaultKind::PhaseMisuse, std::move(misuse));
  return Step::Next;
}

/// The cp.async copies before it arrive for their threads when they land.
static Step fillByCopies(Agent &agent, const Instruction &op, Cta &owner,
                         uint32_t barrier) {
  Knowledge told = agent.tellings(/*ofAll=*/true);
  for (unsigned w = 0; w < agent.warps; ++w)
    told.seen.raise(agent.copyComponent(w), agent.copies.issued);
  int64_t times = 32 * int64_t(agent.warps);
  World &world = agent.world;
  agent.copies.flights.push_back(
      {op.op, [&world, &owner, barrier, told, times, op = op.op] {
         Misuse misuse = owner.mbarriers[barrier].arrive(told, times);
         if (!misuse.empty() && !world.fault)
           world.fault =
               Fault{FaultKind::PhaseMisuse, op, std::move(misuse), {}, 0};
       }});
  ++agent.copies.issued;
  return Step::Next;
}

static Step runFill(Agent &agent, const Instruction &op) {
  auto fill = cast<FillOp>(op.op);
  const interp::Value &slot = agent.frame[op.operands[0]];
  uint32_t barrier = fullBarrier(agent, slot);
  Cta *owner = &agent.cta;
  bool isPeer = false;
  size_t next = 1;
  int64_t bytes = fill.getBytes().value_or(0);
  if (fill.getDynamicBytes())
    bytes = agent.integer(op.operands[next++]);
  if (fill.getRank()) {
    int64_t rank = agent.integer(op.operands[next++]);
    const int64_t *cluster = agent.world.program.cluster;
    if (rank < 0 || rank >= cluster[0] * cluster[1] * cluster[2])
      return agent.fail(FaultKind::OutOfBounds,
                        "CTA " + std::to_string(rank) + " of the cluster");
    owner = &agent.world.peer(agent.cta, uint32_t(rank));
    isPeer = owner != &agent.cta;
  }
  if (const auto *held = std::get_if<SlotValue>(&slot)) {
    MakeRingOp ring = agent.world.program.resources.rings[held->ring].op;
    if (ring.getFilledBy() == FilledBy::copies)
      return fillByCopies(agent, op, *owner, barrier);
  }
  bool reaches = !isPeer || reachesCluster(fill.getScope());
  Knowledge told = tellingsOf(agent, fill.getBy(), fill.getOrder(), reaches);
  return arriveAt(agent, *owner, barrier, told, arrivalsOf(agent, fill.getBy()),
                  bytes);
}

static Step runRelease(Agent &agent, const Instruction &op) {
  auto release = cast<ReleaseOp>(op.op);
  auto slot = agent.get<SlotValue>(op.operands[0]);
  const RingInfo &ring = agent.world.program.resources.rings[slot.ring];
  uint32_t barrier = ring.empty(slot.stage);
  MakeRingOp make = ring.op;
  int64_t times = arrivalsOf(agent, release.getBy());
  if (make.getScope() != Scope::cluster)
    return arriveAt(
        agent, agent.cta, barrier,
        tellingsOf(agent, release.getBy(), release.getOrder(), true), times, 0);
  // The slot goes back to the producers of all CTAs of the cluster.
  const int64_t *cluster = agent.world.program.cluster;
  int64_t size = cluster[0] * cluster[1] * cluster[2];
  for (int64_t rank = 0; rank < size; ++rank) {
    Cta &owner = agent.world.peer(agent.cta, uint32_t(rank));
    bool reaches = &owner == &agent.cta || reachesCluster(release.getScope());
    Step step = arriveAt(
        agent, owner, barrier,
        tellingsOf(agent, release.getBy(), release.getOrder(), reaches), times,
        0);
    if (step != Step::Next)
      return step;
  }
  return Step::Next;
}

bool opgraph::tile::interp::bindRings(Operation *op, Instruction &to,
                                      Compiler &) {
  to.handler = llvm::TypeSwitch<Operation *, Handler>(op)
                   .Case([](AcquireOp) { return runAcquire; })
                   .Case([](WaitOp) { return runWait; })
                   .Case([](AwaitOp) { return runAwait; })
                   .Case([](DrainOp) { return runDrain; })
                   .Case([](FillOp) { return runFill; })
                   .Case([](ReleaseOp) { return runRelease; })
                   .Default([](Operation *) { return nullptr; });
  return to.handler != nullptr;
}
