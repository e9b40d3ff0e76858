//===- World.cpp - The CTAs that run together -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/Machine.h"

using namespace mlir;
using namespace opgraph::tile::interp;

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

uint32_t World::componentsPerCta() const {
  return 2 * program.warps + 3 * program.agentsPerCta() +
         uint32_t(program.resources.mbarriers.size());
}

void World::addCta(const int64_t (&id)[3], uint32_t clusterFirst, uint32_t rank,
                   const int64_t (&idInCluster)[3]) {
  const Resources &resources = program.resources;
  auto cta =
      std::make_unique<Cta>(resources.sharedBytes, resources.granularity);
  std::copy(id, id + 3, cta->id);
  std::copy(idInCluster, idInCluster + 3, cta->idInCluster);
  for (auto [begin, end] : resources.mbarrierBytes)
    for (uint16_t &writer : cta->shared.writers(begin, end - begin))
      writer = mbarrierAllocation;
  cta->index = uint32_t(ctas.size());
  cta->clusterFirst = clusterFirst;
  cta->rank = rank;
  cta->firstComponent = firstComponent + components;
  components += componentsPerCta();
  ctas.push_back(std::move(cta));
}

void World::addAgents(ArrayRef<Value> arguments) {
  const Resources &resources = program.resources;
  for (std::unique_ptr<Cta> &cta : ctas) {
    for (unsigned w = 0; w < program.warps; ++w)
      cta->warps.push_back({nothing(), {}, 0, 0});
    uint32_t component =
        cta->firstComponent + 2 * program.warps + 3 * program.agentsPerCta();
    for (int64_t count : resources.mbarriers)
      cta->mbarriers.emplace_back(component++, count, nothing());
    for (const BarrierInfo &barrier : resources.barriers)
      for (int64_t i = 0; i < barrier.count; ++i)
        cta->barriers.emplace_back(barrier.threads, nothing());
    const int64_t *cluster = program.cluster;
    cta->clusterBarrier = NamedBarrier(32 * int64_t(program.agentWarps()) *
                                           cluster[0] * cluster[1] * cluster[2],
                                       nothing());
    for (const RoleProgram &role : program.roles) {
      for (unsigned i = 0; i < role.agents; ++i) {
        auto agent =
            std::make_unique<Agent>(*this, *cta, role, i, cta->liveAgents++);
        for (auto [slot, value] : llvm::zip(program.arguments, arguments))
          agent->frame[slot] = value;
        if (role.indexSlot)
          agent->frame[*role.indexSlot] = makeInteger(Format::I32, i);
        agents.push_back(std::move(agent));
      }
    }
  }
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

Operation *World::instructionOp(uint32_t id) const {
  return program.roles[id >> 20].instructions[id & 0xfffff].op;
}

std::string World::describe(const Stamp &stamp) const {
  uint32_t index = stamp.component - firstComponent;
  if (stamp.component < firstComponent)
    return "a CTA that ran before";
  uint32_t inCta = index % componentsPerCta();
  std::string text;
  switch (stamp.party) {
  case Party::Warp:
    text = "warp " + std::to_string(inCta);
    if (stamp.lane != Stamp::manyLanes)
      text += " lane " + std::to_string(stamp.lane);
    break;
  case Party::CopyQueue:
    text = "a cp_async of warp " + std::to_string(inCta - program.warps);
    break;
  case Party::MmaQueue:
    text = "an asynchronous MMA";
    break;
  case Party::BulkRead:
  case Party::BulkWrite:
    text = "a bulk store";
    break;
  case Party::Mbarrier:
    text = "a bulk copy";
    break;
  }
  text += " of @" + program.roles[stamp.instruction >> 20].name;
  if (ctas.size() > 1)
    text += " in CTA " + std::to_string(index / componentsPerCta());
  return text;
}

void World::deliver(Mbarrier &barrier, int64_t bytes, Operation *op) {
  Misuse misuse = barrier.deliver(bytes);
  if (misuse.empty() || fault)
    return;
  fault = Fault{FaultKind::PhaseMisuse, op, std::move(misuse), {}, 0};
}
