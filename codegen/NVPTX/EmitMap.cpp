//===- EmitMap.cpp - tile.map, element by element -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/ScalarOps.h"
#include "codegen/NVPTX/TileParts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

namespace {

/// Runs the body of a map on the registers of a thread, two at a time where
/// the number of registers is even: pairs share instructions. What is the same
/// for neighbouring registers is computed once: four neighbours' random numbers
/// come from one block.
class MapEmitter {
public:
  MapEmitter(KernelEmitter &emitter, tile::MapOp op)
      : emitter(emitter), op(op), body(op.getBody().front()) {}

  LogicalResult run();

private:
  using Lanes = std::array<Value, 2>;

  LogicalResult emitAll(SmallVectorImpl<Value> *largeAngles);
  LogicalResult emitAgain(Value isWrong);
  LogicalResult emitRegisters(int64_t first, int64_t count);
  LogicalResult emitOp(Operation &inner, int64_t first, int64_t count);
  LogicalResult emitLane(Operation &inner, ArrayRef<Value> operands,
                         int64_t lane);
  Value emitPlace(unsigned axis, int64_t reg);
  bool emitPartOfPlace(Operation &inner, int64_t first, int64_t count);
  Value getNumber(int64_t value);
  Value lookup(Value value, int64_t lane) const {
    auto found = local.find(value);
    return found == local.end() ? emitter.scalar(value) : found->second[lane];
  }

  KernelEmitter &emitter;
  tile::MapOp op;
  Block &body;
  ThreadTile threadTile;
  /// By input: the register that each of the result's registers reads.
  SmallVector<SmallVector<int32_t>> sources;
  SmallVector<SmallVector<Value>> results;
  /// Values of the body, by lane of the pair.
  llvm::DenseMap<Value, Lanes> local;
  /// What each op was given last, and its results.
  struct Last {
    SmallVector<Value> operands, results;
  };
  llvm::DenseMap<Operation *, Last> last;
  /// Where angles are taken for small: when that is wrong.
  SmallVectorImpl<Value> *largeAngles = nullptr;
  llvm::DenseMap<int64_t, Value> numbers;
  /// By axis and distance from the thread's first element; by shift and shifted
  /// distance.
  llvm::DenseMap<std::pair<unsigned, int64_t>, Value> places, shifted;
};

} // namespace

/// Sines of many registers are computed without branches, as of small angles;
/// where one is not, all are computed again.
LogicalResult MapEmitter::run() {
  auto type = cast<tile::RegType>(op.getTiles().front().getType());
  threadTile = getThreadTile(emitter, type);
  for (Value input : op.getInputs())
    sources.push_back(getSources(cast<tile::RegType>(input.getType()), type));
  SmallVector<Value> large;
  if (failed(emitAll(threadTile.parts.size() > 1 ? &large : nullptr)))
    return failure();
  if (!large.empty()) {
    Value isWrong = large.front();
    for (Value other : ArrayRef(large).drop_front())
      isWrong = arith::OrIOp::create(emitter.b, isWrong, other);
    if (failed(emitAgain(isWrong)))
      return failure();
  }
  for (auto [tile, values] : llvm::zip(op.getTiles(), results))
    emitter.set(tile, values);
  return success();
}

LogicalResult MapEmitter::emitAll(SmallVectorImpl<Value> *large) {
  largeAngles = large;
  results.assign(op.getTiles().size(), {});
  auto count = static_cast<int64_t>(threadTile.parts.size());
  int64_t step = count % 2 == 0 ? 2 : 1;
  for (int64_t first = 0; first < count; first += step)
    if (failed(emitRegisters(first, step)))
      return failure();
  return success();
}

LogicalResult MapEmitter::emitAgain(Value isWrong) {
  ImplicitLocOpBuilder &b = emitter.b;
  auto flatten = [&] {
    SmallVector<Value> values;
    for (ArrayRef<Value> tile : results)
      llvm::append_range(values, tile);
    return values;
  };
  SmallVector<Value> guessed = flatten();
  auto branch = scf::IfOp::create(b, ValueRange(guessed).getTypes(), isWrong,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(b, guessed);
  b.setInsertionPointToEnd(branch.thenBlock());
  last.clear();
  if (failed(emitAll(nullptr)))
    return failure();
  scf::YieldOp::create(b, flatten());
  auto next = branch.getResults().begin();
  for (SmallVector<Value> &tile : results)
    for (Value &value : tile)
      value = *next++;
  return success();
}

LogicalResult MapEmitter::emitRegisters(int64_t first, int64_t count) {
  for (auto [index, argument] : llvm::enumerate(body.getArguments())) {
    ArrayRef<Value> input = emitter.get(op.getInputs()[index]);
    for (int64_t lane = 0; lane < count; ++lane)
      local[argument][lane] = input[sources[index][first + lane]];
  }
  for (Operation &inner : body.without_terminator())
    if (failed(emitOp(inner, first, count)))
      return failure();
  for (auto [index, yielded] :
       llvm::enumerate(body.getTerminator()->getOperands()))
    for (int64_t lane = 0; lane < count; ++lane)
      results[index].push_back(lookup(yielded, lane));
  return success();
}

Value MapEmitter::getNumber(int64_t value) {
  Value &number = numbers[value];
  if (!number)
    number = emitter.i32(value);
  return number;
}

Value MapEmitter::emitPlace(unsigned axis, int64_t reg) {
  int32_t part = threadTile.parts[reg][axis];
  Value &place = places[{axis, part}];
  if (!place)
    place = emitter.add(threadTile.thread[axis], getNumber(part));
  return place;
}

/// A column over, or modulo, a power of two that the thread's vectors are
/// multiples of: neighbours are seen to agree.
bool MapEmitter::emitPartOfPlace(Operation &inner, int64_t first,
                                 int64_t count) {
  if (!isa<arith::ShRUIOp, arith::AndIOp>(inner))
    return false;
  auto coord = inner.getOperand(0).getDefiningOp<tile::CoordOp>();
  APInt constant;
  if (!coord || static_cast<unsigned>(coord.getAxis()) != 1 ||
      !matchPattern(inner.getOperand(1), m_ConstantInt(&constant)) ||
      constant.uge(16))
    return false;
  auto number = static_cast<int64_t>(constant.getZExtValue());
  bool isShift = isa<arith::ShRUIOp>(inner);
  int64_t unit = isShift ? int64_t(1) << number : number + 1;
  if (threadTile.vectorWidth % unit != 0 || !llvm::isPowerOf2_64(unit))
    return false;
  for (int64_t lane = 0; lane < count; ++lane) {
    int64_t part = threadTile.parts[first + lane][1];
    Value &result = local[inner.getResult(0)][lane];
    if (!isShift) {
      result = getNumber(part & number);
      continue;
    }
    Value &quotient = shifted[{static_cast<unsigned>(number), part >> number}];
    if (!quotient)
      quotient =
          emitter.add(arith::ShRUIOp::create(emitter.b, threadTile.thread[1],
                                             getNumber(number)),
                      getNumber(part >> number));
    result = quotient;
  }
  return true;
}

LogicalResult MapEmitter::emitLane(Operation &inner, ArrayRef<Value> operands,
                                   int64_t lane) {
  auto [known, isNew] = last.try_emplace(&inner);
  Last &memo = known->second;
  if (isNew || ArrayRef(memo.operands) != operands) {
    SmallVector<Value> values;
    if (failed(emitScalarOp(emitter, &inner, operands, values, largeAngles)))
      return failure();
    memo = {SmallVector<Value>(operands), std::move(values)};
  }
  for (auto [result, value] : llvm::zip(inner.getResults(), memo.results))
    local[result][lane] = value;
  return success();
}

LogicalResult MapEmitter::emitOp(Operation &inner, int64_t first,
                                 int64_t count) {
  if (auto coord = dyn_cast<tile::CoordOp>(inner)) {
    for (int64_t lane = 0; lane < count; ++lane)
      local[coord.getIndex()][lane] =
          emitPlace(static_cast<unsigned>(coord.getAxis()), first + lane);
    return success();
  }
  if (emitPartOfPlace(inner, first, count))
    return success();
  std::array<SmallVector<Value>, 2> operands;
  for (int64_t lane = 0; lane < count; ++lane)
    for (Value operand : inner.getOperands())
      operands[lane].push_back(lookup(operand, lane));
  Lanes pair;
  if (count == 2 && operands[0] != operands[1] &&
      emitScalarPair(emitter, &inner, operands[0], operands[1], pair)) {
    local[inner.getResult(0)] = pair;
    return success();
  }
  for (int64_t lane = 0; lane < count; ++lane)
    if (failed(emitLane(inner, operands[lane], lane)))
      return failure();
  return success();
}

static LogicalResult emitMap(KernelEmitter &emitter, tile::MapOp op) {
  return MapEmitter(emitter, op).run();
}

void opgraph::codegen::addMapHandlers(Handlers &handlers) {
  handlers.add<tile::MapOp, emitMap>();
}
