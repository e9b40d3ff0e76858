//===- Scheduler.cpp - Who runs next, what arrives when -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/Machine.h"

using namespace mlir;
using namespace opgraph::tile::interp;

/// xorshift: the same numbers on every machine.
uint64_t World::draw(uint64_t limit) {
  random ^= random << 13;
  random ^= random >> 7;
  random ^= random << 17;
  return limit ? (random >> 11) % limit : 0;
}

//===----------------------------------------------------------------------===//
// What is in flight
//===----------------------------------------------------------------------===//

static bool isDue(World &world, Policy::Pace pace) {
  switch (pace) {
  case Policy::Pace::AtOnce:
    return true;
  case Policy::Pace::Late:
    return false;
  case Policy::Pace::Random:
    return world.draw(4) == 0;
  }
  return false;
}

/// Finishes what is due by the policy.
void World::finishSome() {
  while (!loads.empty() && isDue(*this, policy.loads)) {
    size_t index =
        policy.loads == Policy::Pace::Random ? draw(loads.size()) : 0;
    Flight flight = std::move(loads[index]);
    loads.erase(loads.begin() + index);
    flight.finish();
  }
  for (std::unique_ptr<Agent> &agent : agents) {
    std::pair<FlightQueue *, Policy::Pace> queues[] = {
        {&agent->copies, policy.loads},
        {&agent->mmas, policy.mmas},
        {&agent->storeReads, policy.storeReads},
        {&agent->storeWrites, policy.storeWrites}};
    for (auto [queue, pace] : queues)
      while (!queue->flights.empty() && isDue(*this, pace))
        queue->finishOne();
  }
}

/// Finishes one thing that an agent may be waiting for; false if there is none.
bool World::finishAny() {
  if (!loads.empty()) {
    size_t index = draw(loads.size());
    Flight flight = std::move(loads[index]);
    loads.erase(loads.begin() + index);
    flight.finish();
    return true;
  }
  for (std::unique_ptr<Agent> &agent : agents) {
    if (agent->copies.flights.empty())
      continue;
    agent->copies.finishOne();
    return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Agents
//===----------------------------------------------------------------------===//

/// Runs one instruction; false if the agent is blocked.
bool World::runAgent(Agent &agent) {
  const Instruction &instruction = agent.role.instructions[agent.position];
  ++steps;
  if (!agent.waitingFor)
    agent.tick();
  switch (instruction.handler(agent, instruction)) {
  case Step::Next:
    ++agent.position;
    break;
  case Step::Jumped:
    break;
  case Step::Blocked:
    return false;
  case Step::Failed:
    return true;
  }
  if (agent.position == agent.role.instructions.size()) {
    agent.isDone = true;
    --agent.cta.liveAgents;
    checkExit(agent);
  }
  return true;
}

void World::checkExit(Agent &agent) {
  if (agent.storesReadAwaited == agent.storeReads.issued)
    return;
  agent.position = uint32_t(agent.role.instructions.size()) - 1;
  agent.fail(FaultKind::ExitHazard,
             "ends while bulk stores may still read its shared memory");
}

Agent *World::choose(std::vector<Agent *> &runnable) {
  switch (policy.order) {
  case Policy::Order::RoundRobin:
    return runnable[steps % runnable.size()];
  case Policy::Order::Forward:
    return runnable.front();
  case Policy::Order::Backward:
    return runnable.back();
  case Policy::Order::Random:
    break;
  }
  // Random priorities, changed now and then: finds what needs one agent to be
  // far behind another, which fair choices do not.
  Agent *first = *llvm::max_element(
      runnable, [](Agent *a, Agent *b) { return a->priority < b->priority; });
  if (draw(64) == 0)
    first->priority = draw(1 << 20);
  return first;
}

void World::reportDeadlock() {
  Fault report{FaultKind::Deadlock, nullptr, "", {}, 0};
  for (std::unique_ptr<Agent> &agent : agents) {
    if (agent->isDone)
      continue;
    Operation *op = agent->role.instructions[agent->position].op;
    if (!report.op)
      report.op = op;
    report.text += (report.text.empty() ? "nobody can go on: " : ", ") +
                   agent->name() + " waits at '" +
                   op->getName().getStringRef().str() + "'";
    report.notes.push_back(
        {op, agent->name() + " waits here" + agent->describeBlock()});
  }
  fault = std::move(report);
}

void World::run(uint64_t maxSteps) {
  for (std::unique_ptr<Agent> &agent : agents)
    agent->priority = draw(1 << 20);
  std::vector<Agent *> runnable;
  while (!fault) {
    runnable.clear();
    for (std::unique_ptr<Agent> &agent : agents)
      if (!agent->isDone)
        runnable.push_back(agent.get());
    if (runnable.empty())
      break;
    // One step of somebody; who is blocked leaves the round.
    bool moved = false;
    while (!runnable.empty() && !moved && !fault) {
      Agent *agent = choose(runnable);
      moved = runAgent(*agent);
      if (!moved)
        llvm::erase(runnable, agent);
    }
    if (!fault && !moved && !finishAny()) {
      reportDeadlock();
      break;
    }
    if (!fault)
      finishSome();
    if (!fault && steps > maxSteps)
      agents.front()->fail(FaultKind::StepLimit, "no end after " +
                                                     std::to_string(maxSteps) +
                                                     " steps");
  }
  const Flight *left = loads.empty() ? nullptr : &loads.front();
  for (std::unique_ptr<Agent> &agent : agents)
    if (!left && !agent->copies.flights.empty())
      left = &agent->copies.flights.front();
  if (!fault && left)
    fault = Fault{FaultKind::ExitHazard,
                  left->op,
                  "nobody waits for this copy before the CTA ends",
                  {},
                  0};
  // What is left arrives after the last instruction.
  for (std::unique_ptr<Agent> &agent : agents) {
    if (fault)
      return;
    agent->mmas.finishUntil(agent->mmas.issued);
    agent->storeReads.finishUntil(agent->storeReads.issued);
    agent->storeWrites.finishUntil(agent->storeWrites.issued);
  }
}
