//===- ExecMma.cpp - Matrix products, asynchronous and not ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/Compiler.h"
#include "codegen/TileInterpreter/ExecShared.h"
#include "codegen/TileInterpreter/MatrixProduct.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph::tile;
using namespace opgraph::tile::interp;

namespace {
struct MmaPayload : Payload {
  SharedLayout a, b;
  bool isARegister = false;
  /// Shared A is K x M, shared B is K x N (else N x K).
  bool isATransposed = false, isBPlain = false;
  Format format = Format::F32;
  int64_t rows = 1, cols = 1;
};

/// Where an asynchronous MMA finds a matrix.
struct Source {
  NumbersPtr tile;
  const SharedLayout *layout = nullptr;
  int64_t base = 0;
};
} // namespace

/// The matrix of rows x columns, the shared tile's or its transpose.
static NumbersPtr fetch(Cta &cta, const Source &source, bool isTransposed) {
  if (source.tile)
    return source.tile;
  const SharedLayout &layout = *source.layout;
  int64_t rows = layout.rows, cols = layout.cols;
  if (isTransposed)
    std::swap(rows, cols);
  auto matrix = std::make_shared<Numbers>(layout.format, rows, cols);
  for (int64_t r = 0; r < layout.rows; ++r)
    for (int64_t c = 0; c < layout.cols; ++c)
      matrix->load(isTransposed ? c * cols + r : r * cols + c,
                   cta.shared.at(source.base + layout.offset(r, c)));
  return matrix;
}

static NumbersPtr multiply(Cta &cta, const MmaPayload &mma, const Source &a,
                           const Source &b, const NumbersPtr &c) {
  auto d = c ? std::make_shared<Numbers>(*c)
             : std::make_shared<Numbers>(mma.format, mma.rows, mma.cols);
  NumbersPtr left = fetch(cta, a, mma.isATransposed);
  NumbersPtr right = fetch(cta, b, !mma.isBPlain);
  multiplyInto(*d, *left, *right, MmaKind::Async);
  return d;
}

static Step runMmaAsync(Agent &agent, const Instruction &op) {
  const auto &mma = op.as<MmaPayload>();
  Knowledge known;
  Accessor by = agent.collective(known);
  by.stamp.component = agent.queueComponent(Party::MmaQueue);
  by.stamp.time = agent.mmas.issued + 1;
  by.stamp.party = Party::MmaQueue;
  Source a, b;
  auto bind = [&](SlotIndex slot, const SharedLayout &layout, Source &source) {
    auto shared = agent.get<SharedValue>(slot);
    source.layout = &layout;
    source.base = shared.base;
    return touchWhole(agent, by, agent.cta, layout, shared, false);
  };
  if (mma.isARegister)
    a.tile = agent.get<NumbersPtr>(op.operands[0]);
  else if (!bind(op.operands[0], mma.a, a))
    return Step::Failed;
  if (!bind(op.operands[1], mma.b, b))
    return Step::Failed;
  // C: none, a tile, or what an MMA before this one will give.
  NumbersPtr tile;
  std::shared_ptr<NumbersPtr> pending;
  if (op.operands.size() > 2) {
    if (const auto *before =
            std::get_if<PendingValue>(&agent.frame[op.operands[2]]))
      pending = before->result;
    else
      tile = agent.get<NumbersPtr>(op.operands[2]);
  }
  auto result = std::make_shared<NumbersPtr>();
  Cta &cta = agent.cta;
  agent.mmas.flights.push_back({op.op, [=, &cta, &mma] {
                                  *result = multiply(cta, mma, a, b,
                                                     pending ? *pending : tile);
                                }});
  agent.frame[op.results[0]] = PendingValue{result, ++agent.mmas.issued};
  return Step::Next;
}

static Step runMmaCommit(Agent &agent, const Instruction &op) {
  FlightQueue &queue = agent.mmas;
  queue.groups.push_back(queue.issued);
  agent.frame[op.results[0]] =
      GroupValue{queue.issued, uint32_t(queue.groups.size())};
  return Step::Next;
}

static Step runMmaWait(Agent &agent, const Instruction &op) {
  auto wait = cast<MmaWaitOp>(op.op);
  FlightQueue &queue = agent.mmas;
  auto group = agent.get<GroupValue>(op.operands[0]);
  uint32_t end = queue.endOfAllBut(wait.getPending());
  if (end < group.sequence)
    return agent.fail(FaultKind::ReadBeforeArrival,
                      "pending(" + std::to_string(wait.getPending()) +
                          ") lets the group be open: " +
                          std::to_string(queue.groups.size() - group.group) +
                          " were committed after it");
  queue.finishUntil(end);
  uint32_t component = agent.queueComponent(Party::MmaQueue);
  for (unsigned w = 0; w < agent.warps; ++w)
    agent.warp(w).knows.seen.raise(component, end);
  for (auto [i, slot] : llvm::enumerate(op.results)) {
    const auto &pending = agent.get<PendingValue>(op.operands[i + 1]);
    if (pending.sequence > end)
      return agent.fail(FaultKind::ReadBeforeArrival,
                        "retires an accumulator of an MMA that is in flight");
    agent.frame[slot] = *pending.result;
  }
  return Step::Next;
}

static Step runMmaSync(Agent &agent, const Instruction &op) {
  auto d = std::make_shared<Numbers>(agent.numbers(op.operands[2]));
  multiplyInto(*d, agent.numbers(op.operands[0]), agent.numbers(op.operands[1]),
               MmaKind::Sync);
  agent.frame[op.results[0]] = NumbersPtr(std::move(d));
  return Step::Next;
}

/// Orders registers, which values are already.
static Step runMmaFence(Agent &, const Instruction &) { return Step::Next; }

static void bindAsync(MmaAsyncOp op, Instruction &to, Compiler &compiler) {
  auto payload = std::make_shared<MmaPayload>();
  PendingType type = op.getD().getType();
  payload->format = *formatOf(type.getElementType());
  payload->rows = type.getRows();
  payload->cols = type.getCols();
  payload->b = layoutOf(op.getB().getType());
  payload->isBPlain = op.getBMajor() == Major::mn;
  if (auto shared = dyn_cast<SharedType>(op.getA().getType())) {
    payload->a = layoutOf(shared);
    payload->isATransposed = op.getAMajor() == Major::mn;
  } else {
    payload->isARegister = true;
  }
  int64_t n = payload->isBPlain ? payload->b.cols : payload->b.rows;
  int64_t m = payload->isATransposed ? payload->a.cols : payload->a.rows;
  if (n != payload->cols || (!payload->isARegister && m != payload->rows))
    compiler.refuse(op, "operands that do not fit the accumulator");
  to.payload = std::move(payload);
  to.handler = runMmaAsync;
}

bool opgraph::tile::interp::bindMma(Operation *op, Instruction &to,
                                    Compiler &compiler) {
  if (auto mma = dyn_cast<MmaAsyncOp>(op)) {
    bindAsync(mma, to, compiler);
    return true;
  }
  to.handler = llvm::TypeSwitch<Operation *, Handler>(op)
                   .Case([](MmaFenceOp) { return runMmaFence; })
                   .Case([](MmaCommitOp) { return runMmaCommit; })
                   .Case([](MmaWaitOp) { return runMmaWait; })
                   .Case([](MmaSyncOp) { return runMmaSync; })
                   .Default([](Operation *) { return nullptr; });
  return to.handler != nullptr;
}
