//===- Machine.h - CTAs, agents and what is in flight -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_TILEINTERPRETER_MACHINE_H
#define OPGRAPH_CODEGEN_TILEINTERPRETER_MACHINE_H

#include "codegen/TileInterpreter/Fault.h"
#include "codegen/TileInterpreter/Program.h"
#include "codegen/TileInterpreter/Sync.h"

#include <deque>
#include <functional>
#include <map>

namespace opgraph::tile::interp {

class World;

struct WarpState {
  Knowledge knows;
  LaneSync lanes;
  uint32_t clock = 0;
  /// Copies of its own that it has waited for.
  uint32_t copiesDone = 0;
  /// When a lane other than the elected one last accessed memory.
  uint32_t lastOfOthers = 0;
};

/// A thread block.
struct Cta {
  int64_t id[3] = {0, 0, 0};
  int64_t idInCluster[3] = {0, 0, 0};
  /// Index among the CTAs that run together, of its cluster's first one, and
  /// its rank there.
  uint32_t index = 0, clusterFirst = 0, rank = 0;
  SharedMemory shared;
  std::vector<WarpState> warps;
  std::vector<Mbarrier> mbarriers;
  std::vector<NamedBarrier> barriers;
  /// Of the whole cluster, in its first CTA.
  NamedBarrier clusterBarrier;
  /// First component in vector clocks.
  uint32_t firstComponent = 0;
  unsigned liveAgents = 0;

  Cta(int64_t sharedBytes, int64_t granularity)
      : shared(sharedBytes, granularity) {}
};

/// Something asynchronous: done when the scheduler says so.
enum class FlightKind : uint8_t { Load, Copy, Mma, StoreRead, StoreWrite };

struct Flight {
  mlir::Operation *op = nullptr;
  std::function<void()> finish;
};

/// An in-order queue of an agent.
struct FlightQueue {
  std::deque<Flight> flights;
  uint32_t issued = 0, finished = 0;
  /// Last sequence number of each committed group.
  std::vector<uint32_t> groups;

  /// The sequence up to which all but the last `pending` groups reach.
  uint32_t endOfAllBut(unsigned pending) const {
    return groups.size() > pending ? groups[groups.size() - 1 - pending] : 0;
  }
  void finishOne() {
    Flight flight = std::move(flights.front());
    flights.pop_front();
    ++finished;
    flight.finish();
  }
  void finishUntil(uint32_t sequence) {
    while (finished < sequence && !flights.empty())
      finishOne();
  }
};

/// The arms of an `scf.if` on a per-warp condition, run one after the other.
struct Divergence {
  mlir::Operation *op;
  uint32_t elseWarps, before;
  bool inElse = false;
  llvm::SmallVector<Value> thenValues;
};

/// A group of warps that run one text.
class Agent {
public:
  Agent(World &world, Cta &cta, const RoleProgram &role, unsigned index,
        unsigned indexInCta);

  World &world;
  Cta &cta;
  const RoleProgram &role;
  const unsigned index, indexInCta;
  const unsigned firstWarp, warps;

  uint32_t position = 0;
  bool isDone = false;
  /// Set by an instruction that waits for a barrier it has arrived at: the
  /// barrier's generation.
  std::optional<int64_t> waitingFor;
  /// Generation of the cluster's barrier that it has arrived at.
  std::optional<int64_t> clusterWaits;
  /// What a blocked agent waits for, for the report of a deadlock.
  const Mbarrier *blockedMbarrier = nullptr;
  const NamedBarrier *blockedBarrier = nullptr;
  uint64_t priority = 0;
  std::vector<Value> frame;
  /// Warps that run, bit 0 the group's first.
  uint32_t active;
  std::vector<Divergence> divergences;
  /// Acquired, waited, awaited so far, by ring and by semaphore.
  std::vector<int64_t> acquired, waited, awaited;
  FlightQueue copies, mmas, storeReads, storeWrites;
  /// Bulk stores that a wait has covered (sources read).
  uint32_t storesReadAwaited = 0;

  std::string name() const;
  std::string describeBlock() const;
  bool isActive(unsigned warp) const { return active >> warp & 1; }

  //===-- Values ----------------------------------------------------------===//
  template <typename T>
  const T &get(SlotIndex slot) const {
    return *std::get_if<T>(&frame[slot]);
  }
  const Numbers &numbers(SlotIndex slot) const {
    return *get<NumbersPtr>(slot);
  }
  int64_t integer(SlotIndex slot) const { return numbers(slot).integers[0]; }
  llvm::SmallVector<int64_t, 4> integers(llvm::ArrayRef<SlotIndex> slots) const;

  //===-- Knowledge -------------------------------------------------------===//
  WarpState &warp(unsigned inGroup) { return cta.warps[firstWarp + inGroup]; }
  uint32_t warpComponent(unsigned inGroup) const {
    return cta.firstComponent + firstWarp + inGroup;
  }
  uint32_t copyComponent(unsigned inGroup) const;
  uint32_t queueComponent(Party party) const;
  /// Starts an instruction: later accesses are told from earlier ones.
  void tick();
  /// All warps have met: each knows what any knew.
  void meetAll();
  /// The lanes of a warp have met.
  void syncLanes(unsigned inGroup);
  /// Every lane of every warp learns `news`, of its own warp's lanes too.
  void learn(const Knowledge &news);
  /// What arrivals tell: the elected thread's, or those of all threads. What
  /// other lanes did since their warp met is nothing that the elected one
  /// tells.
  Knowledge tellings(bool ofAll) const;
  /// Drops ordinary accesses: what an arrival without release does not tell.
  void forgetOrdinary(Knowledge &told) const;

  //===-- Accesses --------------------------------------------------------===//
  Accessor ordinary(unsigned warpInGroup, uint8_t lane);
  /// The elected thread's, by the async proxy.
  Accessor elected(bool isAsync);
  /// All warps as one, by the async proxy; `scratch` holds what all know.
  Accessor collective(Knowledge &scratch);
  bool touchShared(const Accessor &by, Cta &owner, uint16_t allocation,
                   int64_t offset, int64_t bytes, bool isWrite);
  bool touchGlobal(const Accessor &by, GlobalBuffer &buffer, int64_t offset,
                   int64_t bytes, bool isWrite);

  //===-- Faults ----------------------------------------------------------===//
  Step fail(FaultKind kind, std::string text,
            std::vector<FaultNote> notes = {});
  /// A fault for an access that lacks `report`'s.
  void failConflict(const ConflictReport &report, const Accessor &by,
                    bool isWrite, const std::string &where);

private:
  llvm::SmallVector<LaneSync, 4> scratchLanes;
};

/// How a schedule chooses.
struct Policy {
  enum class Order : uint8_t { RoundRobin, Forward, Backward, Random };
  enum class Pace : uint8_t { AtOnce, Late, Random };
  Order order = Order::RoundRobin;
  Pace loads = Pace::AtOnce, mmas = Pace::AtOnce, storeReads = Pace::AtOnce,
       storeWrites = Pace::AtOnce;
};

/// The CTAs that run together, and their memory.
class World {
public:
  World(const KernelProgram &program, const Policy &policy, uint64_t seed,
        uint32_t firstComponent)
      : program(program), policy(policy), random(seed * 2 + 1),
        firstComponent(firstComponent) {}

  const KernelProgram &program;
  const Policy policy;
  uint64_t random;
  const uint32_t firstComponent;
  uint32_t components = 0;
  int64_t grid[3] = {1, 1, 1};
  std::vector<std::unique_ptr<Cta>> ctas;
  std::vector<std::unique_ptr<Agent>> agents;
  /// Copies that complete an mbarrier, in any order.
  std::vector<Flight> loads;
  std::optional<Fault> fault;
  /// Of atomics with order, by (buffer, offset).
  std::map<std::pair<GlobalBuffer *, int64_t>, Knowledge> locations;
  /// Tensor maps in memory, by (buffer, offset).
  std::map<std::pair<GlobalBuffer *, int64_t>, std::shared_ptr<TensorMapModel>>
      maps;
  uint64_t steps = 0;

  void addCta(const int64_t (&id)[3], uint32_t clusterFirst, uint32_t rank,
              const int64_t (&idInCluster)[3]);
  void addAgents(llvm::ArrayRef<Value> arguments);
  /// Runs to the end, a fault or the limit.
  void run(uint64_t maxSteps);

  Cta &peer(const Cta &cta, uint32_t rank) {
    return *ctas[cta.clusterFirst + rank];
  }
  uint32_t componentsPerCta() const;
  Knowledge nothing() const { return Knowledge(firstComponent, components); }
  /// A number below `limit`.
  uint64_t draw(uint64_t limit);
  mlir::Operation *instructionOp(uint32_t id) const;
  /// "warp 3 of @producer"
  std::string describe(const Stamp &stamp) const;
  void deliver(Mbarrier &barrier, int64_t bytes, mlir::Operation *op);

private:
  bool runAgent(Agent &agent);
  Agent *choose(std::vector<Agent *> &runnable);
  void finishSome();
  bool finishAny();
  void reportDeadlock();
  void checkExit(Agent &agent);
};

} // namespace opgraph::tile::interp

#endif // OPGRAPH_CODEGEN_TILEINTERPRETER_MACHINE_H
