//===- ExecSync.cpp - Barriers and fences ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/Compiler.h"
#include "codegen/TileInterpreter/Machine.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph::tile;
using namespace opgraph::tile::interp;

static Step runSync(Agent &agent, const Instruction &op) {
  if (cast<SyncOp>(op.op).getScope() != Scope::warp) {
    agent.meetAll();
    return Step::Next;
  }
  for (unsigned w = 0; w < agent.warps; ++w)
    if (agent.isActive(w))
      agent.syncLanes(w);
  return Step::Next;
}

static Step runFenceProxy(Agent &agent, const Instruction &op) {
  if (cast<FenceProxyOp>(op.op).getProxy() == Proxy::tensormap)
    return Step::Next;
  // Own writes only: what others have written, they fence themselves.
  for (unsigned w = 0; w < agent.warps; ++w)
    if (agent.isActive(w))
      agent.warp(w).knows.fenced.raise(agent.warpComponent(w),
                                       agent.warp(w).clock);
  return Step::Next;
}

/// Orders own accesses, which clocks take in program order already; what makes
/// others see them is an arrival or an atomic.
static Step runFence(Agent &, const Instruction &) { return Step::Next; }

//===----------------------------------------------------------------------===//
// Named barriers
//===----------------------------------------------------------------------===//

static NamedBarrier *barrierOf(Agent &agent, const Instruction &op) {
  auto resource = agent.get<ResourceValue>(op.operands[0]);
  const BarrierInfo &info =
      agent.world.program.resources.barriers[resource.index];
  int64_t index = op.operands.size() > 1 ? agent.integer(op.operands[1]) : 0;
  if (index >= 0 && index < info.count)
    return &agent.cta.barriers[info.first + index];
  agent.fail(FaultKind::OutOfBounds, "barrier " + std::to_string(index) +
                                         " of " + std::to_string(info.count));
  return nullptr;
}

/// Arrives for all threads of the agent; the generation, none with a fault.
static std::optional<int64_t> arrive(Agent &agent, NamedBarrier &barrier) {
  Misuse misuse;
  int64_t generation =
      barrier.arrive(agent.tellings(/*ofAll=*/true), 32 * agent.warps, misuse);
  if (misuse.empty())
    return generation;
  agent.fail(FaultKind::PhaseMisuse, std::move(misuse));
  return std::nullopt;
}

static Step runBarrierArrive(Agent &agent, const Instruction &op) {
  NamedBarrier *barrier = barrierOf(agent, op);
  if (!barrier || !arrive(agent, *barrier))
    return Step::Failed;
  return Step::Next;
}

static Step runBarrierSync(Agent &agent, const Instruction &op) {
  NamedBarrier *barrier = barrierOf(agent, op);
  if (!barrier)
    return Step::Failed;
  if (!agent.waitingFor) {
    agent.waitingFor = arrive(agent, *barrier);
    if (!agent.waitingFor)
      return Step::Failed;
  }
  agent.blockedBarrier = barrier;
  if (!barrier->isOver(*agent.waitingFor))
    return Step::Blocked;
  agent.waitingFor.reset();
  agent.blockedBarrier = nullptr;
  agent.learn(barrier->getPublished());
  agent.meetAll();
  return Step::Next;
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

/// The cluster's barrier, which is its first CTA's.
static NamedBarrier &clusterBarrier(Agent &agent) {
  return agent.world.ctas[agent.cta.clusterFirst]->clusterBarrier;
}

static Step runClusterArrive(Agent &agent, const Instruction &op) {
  bool isRelaxed = cast<ClusterArriveOp>(op.op).getOrder() == Order::relaxed;
  Misuse misuse;
  Knowledge told = agent.tellings(/*ofAll=*/true);
  if (isRelaxed)
    agent.forgetOrdinary(told);
  if (agent.clusterWaits)
    return agent.fail(FaultKind::PhaseMisuse,
                      "arrives twice without a wait between");
  agent.clusterWaits =
      clusterBarrier(agent).arrive(told, 32 * agent.warps, misuse);
  if (!misuse.empty())
    return agent.fail(FaultKind::PhaseMisuse, std::move(misuse));
  return Step::Next;
}

static Step runClusterWait(Agent &agent, const Instruction &) {
  if (!agent.clusterWaits)
    return agent.fail(FaultKind::PhaseMisuse, "waits without an arrival");
  NamedBarrier &barrier = clusterBarrier(agent);
  agent.blockedBarrier = &barrier;
  if (!barrier.isOver(*agent.clusterWaits))
    return Step::Blocked;
  agent.blockedBarrier = nullptr;
  agent.clusterWaits.reset();
  agent.learn(barrier.getPublished());
  agent.meetAll();
  return Step::Next;
}

bool opgraph::tile::interp::bindSync(Operation *op, Instruction &to,
                                     Compiler &) {
  to.handler =
      llvm::TypeSwitch<Operation *, Handler>(op)
          .Case([](SyncOp) { return runSync; })
          .Case([](FenceProxyOp) { return runFenceProxy; })
          // One kernel is interpreted at a time: the one before has ended.
          .Case<FenceOp, GridWaitOp, GridLaunchOp>(
              [](auto) { return runFence; })
          .Case([](BarrierArriveOp) { return runBarrierArrive; })
          .Case([](BarrierSyncOp) { return runBarrierSync; })
          .Case([](ClusterArriveOp) { return runClusterArrive; })
          .Case([](ClusterWaitOp) { return runClusterWait; })
          .Default([](Operation *) { return nullptr; });
  return to.handler != nullptr;
}
