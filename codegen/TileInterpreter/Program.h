//===- Program.h - A kernel as flat programs --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
///
/// \file
/// A kernel is compiled once: its prologue and each role become one list of
/// instructions with numbered values, `scf` turned into jumps. An agent is then
/// a position and a frame of values; it can stop at any instruction.
///
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_CODEGEN_TILEINTERPRETER_PROGRAM_H
#define OPGRAPH_CODEGEN_TILEINTERPRETER_PROGRAM_H

#include "codegen/TileInterpreter/Memory.h"
#include "codegen/TileInterpreter/Values.h"
#include "dialects/Tile/TileDialect.h"
#include "llvm/ADT/DenseMap.h"

namespace opgraph::tile::interp {

class Agent;
struct Instruction;

/// What became of an instruction.
enum class Step : uint8_t {
  /// Go on with the next one.
  Next,
  /// The position has been set.
  Jumped,
  /// To be tried again.
  Blocked,
  /// A fault has been noted.
  Failed
};

using Handler = Step (*)(Agent &agent, const Instruction &instruction);

/// What an instruction's handler needs beyond the op, made once.
struct Payload {
  virtual ~Payload();
};

/// Frame index of a value.
using SlotIndex = uint32_t;

struct Instruction {
  Handler handler = nullptr;
  mlir::Operation *op = nullptr;
  /// Of the op's operands and results.
  llvm::SmallVector<SlotIndex, 4> operands;
  llvm::SmallVector<SlotIndex, 2> results;
  /// Where a jump goes.
  uint32_t target = 0;
  std::shared_ptr<const Payload> payload;

  template <typename T>
  const T &as() const {
    return static_cast<const T &>(*payload);
  }
  /// The slots of some of the op's operands.
  llvm::ArrayRef<SlotIndex> slotsOf(mlir::OperandRange range) const {
    if (range.empty())
      return {};
    return llvm::ArrayRef(operands).slice(range.getBeginOperandIndex(),
                                          range.size());
  }
};

struct RingInfo {
  MakeRingOp op;
  int64_t stages = 0;
  int64_t base = 0, stageBytes = 0;
  uint16_t allocation = 0;
  llvm::SmallVector<int64_t> fieldOffsets;
  /// Barriers of full stages, then of empty ones.
  uint32_t firstMbarrier = 0;

  uint32_t full(int64_t stage) const { return firstMbarrier + stage; }
  uint32_t empty(int64_t stage) const { return firstMbarrier + stages + stage; }
};

struct SemaphoreInfo {
  MakeSemaphoreOp op;
  uint32_t mbarrier = 0;
};

struct BarrierInfo {
  MakeBarrierOp op;
  int64_t threads = 0, count = 1;
  uint32_t first = 0;
};

/// What a CTA has of the kernel's.
struct Resources {
  int64_t sharedBytes = 0;
  /// Bytes of the smallest shared element: the cells that are tracked.
  int64_t granularity = 4;
  std::vector<RingInfo> rings;
  std::vector<SemaphoreInfo> semaphores;
  std::vector<BarrierInfo> barriers;
  /// Bytes of mbarriers, first and behind the last.
  std::vector<std::pair<int64_t, int64_t>> mbarrierBytes;
  /// Arrivals that each mbarrier counts.
  std::vector<int64_t> mbarriers;
  uint32_t namedBarriers = 0;
};

/// The text that the agents of a role run.
struct RoleProgram {
  std::string name;
  unsigned firstWarp = 0, agents = 1, warpsEach = 1;
  bool isSingle = false;
  std::vector<Instruction> instructions;
  /// Slot of the agent's index.
  std::optional<SlotIndex> indexSlot;
};

struct KernelProgram {
  KernelOp op;
  unsigned warps = 1;
  /// CTAs of a cluster along x, y, z.
  int64_t cluster[3] = {1, 1, 1};
  /// CTAs meet in global memory, so all run together.
  bool needsWholeGrid = false;
  uint32_t slots = 0;
  /// Slots of the kernel's arguments.
  std::vector<SlotIndex> arguments;
  Resources resources;
  std::vector<RoleProgram> roles;

  /// Warps that run a text: those of a cluster's barrier. Idle ones arrive by
  /// exiting.
  unsigned agentWarps() const {
    unsigned total = 0;
    for (const RoleProgram &role : roles)
      total += role.agents * role.warpsEach;
    return total;
  }
  unsigned agentsPerCta() const {
    unsigned total = 0;
    for (const RoleProgram &role : roles)
      total += role.agents;
    return total;
  }
};

/// Layout of a shared tile's type.
SharedLayout layoutOf(SharedType type);

/// Compiles `kernel`; an op that is not served is an error on it.
mlir::FailureOr<std::unique_ptr<KernelProgram>> compileKernel(KernelOp kernel);

/// What is known while a role is compiled.
class Compiler;

} // namespace opgraph::tile::interp

#endif // OPGRAPH_CODEGEN_TILEINTERPRETER_PROGRAM_H
