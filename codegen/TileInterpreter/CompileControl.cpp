//===- CompileControl.cpp - Loops and branches as jumps -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A branch on a per-warp condition runs both arms, one after the other, each
// with the warps that take it; the results are put together by owner.
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/Compiler.h"
#include "codegen/TileInterpreter/Machine.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace opgraph::tile;
using namespace opgraph::tile::interp;

namespace {
struct ForPayload : Payload {
  bool isUnsigned = false;
};
/// Who holds the elements of an `if`'s results; null for what is no tile.
struct ArmPayload : Payload {
  SmallVector<std::shared_ptr<const OwnerTable>> owners;
};
} // namespace

static Step runJump(Agent &agent, const Instruction &to) {
  agent.position = to.target;
  return Step::Jumped;
}

/// All sources are read before a target is written: yields may permute.
static Step runMove(Agent &agent, const Instruction &move) {
  SmallVector<interp::Value> values;
  for (SlotIndex from : move.operands)
    values.push_back(agent.frame[from]);
  for (auto [to, value] : llvm::zip(move.results, values))
    agent.frame[to] = std::move(value);
  return Step::Next;
}

/// Operands: induction variable, upper bound.
static Step runForTest(Agent &agent, const Instruction &test) {
  int64_t at = agent.integer(test.operands[0]);
  int64_t end = agent.integer(test.operands[1]);
  bool goesOn = test.as<ForPayload>().isUnsigned ? uint64_t(at) < uint64_t(end)
                                                 : at < end;
  return goesOn ? Step::Next : runJump(agent, test);
}

/// Operands: induction variable, step.
static Step runForStep(Agent &agent, const Instruction &step) {
  const Numbers &at = agent.numbers(step.operands[0]);
  agent.frame[step.operands[0]] =
      makeInteger(at.format, at.integers[0] + agent.integer(step.operands[1]));
  return runJump(agent, step);
}

static Step runBranch(Agent &agent, const Instruction &branch) {
  SlotIndex condition = branch.operands[0];
  const auto *mask = std::get_if<WarpMask>(&agent.frame[condition]);
  if (!mask)
    return agent.integer(condition) ? Step::Next : runJump(agent, branch);
  uint32_t taken = mask->bits & agent.active;
  if (taken == agent.active)
    return Step::Next;
  if (taken == 0)
    return runJump(agent, branch);
  agent.divergences.push_back(
      {branch.op, agent.active & ~taken, agent.active, false, {}});
  agent.active = taken;
  return Step::Next;
}

static Step runWhileTest(Agent &agent, const Instruction &test) {
  if (std::holds_alternative<WarpMask>(agent.frame[test.operands[0]]))
    return agent.fail(FaultKind::Unsupported,
                      "a loop whose trip count differs between warps");
  return agent.integer(test.operands[0]) ? Step::Next : runJump(agent, test);
}

/// Whether `agent` is in an arm of `op` with some of its warps only.
static bool isApart(const Agent &agent, Operation *op) {
  return !agent.divergences.empty() && agent.divergences.back().op == op;
}

/// After the `then` arm. Operands: its yields; target: the other arm.
static Step runThenEnd(Agent &agent, const Instruction &end) {
  if (!isApart(agent, end.op)) {
    runMove(agent, end);
    return Step::Next;
  }
  Divergence &divergence = agent.divergences.back();
  for (SlotIndex yielded : end.operands)
    divergence.thenValues.push_back(agent.frame[yielded]);
  divergence.inElse = true;
  agent.active = divergence.elseWarps;
  return runJump(agent, end);
}

/// Elements of `mine` for warps of `warps`, of `other` for the rest; null
/// where copies of one element differ.
static NumbersPtr mergeByOwner(const Numbers &mine, const Numbers &other,
                               const OwnerTable &owners, uint32_t warps) {
  auto merged = std::make_shared<Numbers>(other);
  for (int64_t r = 0, i = 0; r < mine.rows; ++r)
    for (int64_t c = 0; c < mine.cols; ++c, ++i) {
      int32_t first = owners.at(r, c).warp;
      unsigned holders = 0;
      for (int32_t copy : owners.warpCopies())
        holders += warps >> (first + copy) & 1;
      if (holders == owners.warpCopies().size())
        merged->copy(i, mine, i);
      else if (holders > 0 && mine.at(i) != other.at(i))
        return nullptr;
    }
  return merged;
}

/// After the `else` arm. Operands: its yields.
static Step runElseEnd(Agent &agent, const Instruction &end) {
  if (!isApart(agent, end.op))
    return runMove(agent, end);
  Divergence divergence = std::move(agent.divergences.back());
  agent.divergences.pop_back();
  agent.active = divergence.before;
  const auto &payload = end.as<ArmPayload>();
  for (auto [i, result] : llvm::enumerate(end.results)) {
    interp::Value mine = agent.frame[end.operands[i]];
    auto *tile = std::get_if<NumbersPtr>(&mine);
    auto *other = std::get_if<NumbersPtr>(&divergence.thenValues[i]);
    NumbersPtr merged;
    if (tile && other && payload.owners[i])
      merged = mergeByOwner(**tile, **other, *payload.owners[i],
                            divergence.elseWarps);
    if (!merged)
      return agent.fail(FaultKind::Unsupported,
                        "result " + std::to_string(i) +
                            " differs between warps that share it");
    agent.frame[result] = std::move(merged);
  }
  return Step::Next;
}

void Compiler::emitMove(Operation *op, ValueRange from, ValueRange to) {
  if (from.empty())
    return;
  Instruction &move = emit(op, runMove);
  for (mlir::Value value : from)
    move.operands.push_back(slotOf(value));
  for (mlir::Value value : to)
    move.results.push_back(slotOf(value));
}

void Compiler::compileFor(Operation &op) {
  auto loop = cast<scf::ForOp>(op);
  auto payload = std::make_shared<ForPayload>();
  payload->isUnsigned = loop.getUnsignedCmp();
  emitMove(&op, loop.getLowerBound(), loop.getInductionVar());
  emitMove(&op, loop.getInitArgs(), loop.getRegionIterArgs());
  auto start = uint32_t(instructions->size());
  Instruction &test = emit(&op, runForTest);
  test.operands = {slotOf(loop.getInductionVar()),
                   slotOf(loop.getUpperBound())};
  test.payload = payload;
  compileBlock(*loop.getBody());
  emitMove(&op, loop.getBody()->getTerminator()->getOperands(),
           loop.getRegionIterArgs());
  Instruction &step = emit(&op, runForStep);
  step.operands = {slotOf(loop.getInductionVar()), slotOf(loop.getStep())};
  step.target = start;
  (*instructions)[start].target = uint32_t(instructions->size());
  emitMove(&op, loop.getRegionIterArgs(), loop.getResults());
}

void Compiler::compileIf(Operation &op) {
  auto branch = cast<scf::IfOp>(op);
  auto payload = std::make_shared<ArmPayload>();
  for (Type type : op.getResultTypes())
    payload->owners.push_back(isa<RegType>(type) ? owners(type) : nullptr);
  auto addYields = [&](Instruction &end, Block *block) {
    end.payload = payload;
    if (op.getNumResults() == 0)
      return;
    for (mlir::Value value : block->getTerminator()->getOperands())
      end.operands.push_back(slotOf(value));
    for (mlir::Value value : op.getResults())
      end.results.push_back(slotOf(value));
  };
  auto start = uint32_t(instructions->size());
  emit(&op, runBranch).operands = {slotOf(branch.getCondition())};
  compileBlock(*branch.thenBlock());
  auto thenEnd = uint32_t(instructions->size());
  addYields(emit(&op, runThenEnd), branch.thenBlock());
  auto skip = uint32_t(instructions->size());
  emit(&op, runJump);
  auto elseStart = uint32_t(instructions->size());
  (*instructions)[start].target = elseStart;
  (*instructions)[thenEnd].target = elseStart;
  if (branch.elseBlock())
    compileBlock(*branch.elseBlock());
  addYields(emit(&op, runElseEnd), branch.elseBlock());
  (*instructions)[skip].target = uint32_t(instructions->size());
}

void Compiler::compileWhile(Operation &op) {
  auto loop = cast<scf::WhileOp>(op);
  emitMove(&op, loop.getInits(), loop.getBeforeArguments());
  auto start = uint32_t(instructions->size());
  compileBlock(*loop.getBeforeBody());
  scf::ConditionOp condition = loop.getConditionOp();
  emitMove(&op, condition.getArgs(), loop.getResults());
  auto test = uint32_t(instructions->size());
  emit(&op, runWhileTest).operands = {slotOf(condition.getCondition())};
  emitMove(&op, loop.getResults(), loop.getAfterArguments());
  compileBlock(*loop.getAfterBody());
  emitMove(&op, loop.getAfterBody()->getTerminator()->getOperands(),
           loop.getBeforeArguments());
  emit(&op, runJump).target = start;
  (*instructions)[test].target = uint32_t(instructions->size());
}
