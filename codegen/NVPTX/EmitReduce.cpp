//===- EmitReduce.cpp - Reductions of register tiles ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers in ascending order, lanes by butterfly from the nearest on, warps
// in ascending order through one word each: an order that is fixed by the
// tile's type, so that a result is too.
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/MemoryAccess.h"
#include "codegen/NVPTX/ScalarOps.h"
#include "codegen/NVPTX/SharedAccess.h"
#include "codegen/NVPTX/SharedLayout.h"
#include "codegen/NVPTX/TileParts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

namespace {

using Values = SmallVector<Value, 4>;

/// Reduces tiles of one shape together: what is combined is a tuple with one
/// value of each.
class Reducer {
public:
  using Combine =
      llvm::function_ref<FailureOr<Values>(const Values &, const Values &)>;

  Reducer(KernelEmitter &emitter, tile::RegType from, tile::RegType to,
          tile::Axis axis, tile::ReduceLevel level, int64_t block,
          Combine combine, bool isOrdered)
      : emitter(emitter), b(emitter.b), from(from), to(to),
        axis(static_cast<unsigned>(axis)), level(level), block(block),
        combine(combine), isOrdered(isOrdered) {
    auto distribution = tile::Distribution::get(from, nullptr);
    assert(succeeded(distribution) && "a verified tile fits");
    llvm::append_range(factors, distribution->factors(this->axis));
  }

  /// Tuples by register of the result, from tuples by register of the source.
  FailureOr<SmallVector<Values>>
  run(ArrayRef<Values> registers, ValueRange through, ArrayRef<Type> elements);
  /// How many warps meet.
  int64_t countWarps() const;

private:
  FailureOr<SmallVector<Values>> combineRegisters(ArrayRef<Values> registers);
  LogicalResult combineLanes(Values &tuple);
  LogicalResult combineWarps(SmallVectorImpl<Values> &tuples,
                             ValueRange through, ArrayRef<Type> elements);
  void orderLanes(int32_t mask, Values &own, Values &other);
  Value getWarpIndex();
  Value getWordAddress(const ThreadTile &lines, Value shared, size_t reg,
                       Value word);
  void storeWords(const ThreadTile &lines, ArrayRef<Values> tuples,
                  ValueRange through, ArrayRef<Type> elements);
  SmallVector<Value> loadWords(const ThreadTile &lines, size_t reg,
                               Value shared, Type element);
  /// Factors of the axis that the reduction combines, of one owner.
  SmallVector<tile::Factor> getReduced(tile::Owner owner) const;

  KernelEmitter &emitter;
  ImplicitLocOpBuilder &b;
  tile::RegType from, to;
  unsigned axis;
  tile::ReduceLevel level;
  int64_t block; ///< 0: the whole axis
  Combine combine;
  bool isOrdered; ///< which operand of `combine` is first matters
  SmallVector<tile::Factor> factors;
};

} // namespace

/// Least significant first.
SmallVector<tile::Factor> Reducer::getReduced(tile::Owner owner) const {
  SmallVector<tile::Factor> reduced;
  int64_t weight = 1;
  for (const tile::Factor &factor : llvm::reverse(factors)) {
    // A block may end within a digit.
    int64_t inside = block ? block / weight : factor.extent;
    if (factor.owner == owner && inside > 1)
      reduced.push_back(
          {owner,
           static_cast<int32_t>(std::min<int64_t>(factor.extent, inside)),
           factor.stride});
    weight *= factor.extent;
  }
  return reduced;
}

FailureOr<SmallVector<Values>>
Reducer::combineRegisters(ArrayRef<Values> registers) {
  Parts results = getParts(to), sources = getParts(from);
  llvm::DenseMap<std::pair<int32_t, int32_t>, size_t> index;
  for (auto [number, part] : llvm::enumerate(results))
    index.try_emplace({part[0], part[1]}, number);
  SmallVector<Values> tuples(results.size());
  for (auto [part, tuple] : llvm::zip(sources, registers)) {
    std::array<int32_t, 2> kept = part;
    kept[axis] = block ? static_cast<int32_t>(part[axis] / block) : 0;
    auto found = index.find({kept[0], kept[1]});
    assert(found != index.end() && "a verified result has the line");
    Values &sum = tuples[found->second];
    if (sum.empty()) {
      sum = tuple;
      continue;
    }
    FailureOr<Values> combined = combine(sum, tuple);
    if (failed(combined))
      return failure();
    sum = std::move(*combined);
  }
  return tuples;
}

LogicalResult Reducer::combineLanes(Values &tuple) {
  for (const tile::Factor &factor : getReduced(tile::Owner::Lane))
    for (int32_t step = 1; step < factor.extent; step *= 2) {
      Values other;
      for (Value value : tuple)
        other.push_back(emitter.shuffleXor(value, step * factor.stride));
      Values first = tuple;
      if (isOrdered)
        orderLanes(step * factor.stride, first, other);
      FailureOr<Values> combined = combine(first, other);
      if (failed(combined))
        return failure();
      tuple = std::move(*combined);
    }
  return success();
}

/// The lower lane's tuple comes first, so that both lanes compute the same.
void Reducer::orderLanes(int32_t mask, Values &own, Values &other) {
  Value bit = arith::AndIOp::create(b, emitter.group.lane, emitter.i32(mask));
  Value isUpper =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ne, bit, emitter.i32(0));
  for (auto [mine, theirs] : llvm::zip(own, other)) {
    Value first = arith::SelectOp::create(b, isUpper, theirs, mine);
    theirs = arith::SelectOp::create(b, isUpper, mine, theirs);
    mine = first;
  }
}

int64_t Reducer::countWarps() const {
  int64_t count = 1;
  for (const tile::Factor &factor : getReduced(tile::Owner::Warp))
    count *= factor.extent;
  return count;
}

/// The warp's place among those that are combined.
Value Reducer::getWarpIndex() {
  Value sum = emitter.i32(0);
  int64_t weight = 1;
  int64_t warps = emitter.group.warps;
  Value warp = emitter.digit(emitter.group.thread, 32, 0);
  for (const tile::Factor &factor : getReduced(tile::Owner::Warp)) {
    bool isTop = int64_t(factor.stride) * factor.extent >= warps;
    Value digit = emitter.digit(warp, factor.stride, isTop ? 0 : factor.extent);
    sum = emitter.add(sum, emitter.mul(digit, weight));
    weight *= factor.extent;
  }
  return sum;
}

Value Reducer::getWordAddress(const ThreadTile &lines, Value shared, size_t reg,
                              Value word) {
  auto coordinate = [&](unsigned along) {
    return emitter.add(lines.thread[along],
                       emitter.i32(lines.parts[reg][along]));
  };
  Value line =
      emitter.add(emitter.mul(coordinate(0), to.getCols()), coordinate(1));
  return emitSharedAddress(emitter, cast<tile::SharedType>(shared.getType()),
                           emitter.scalar(shared), line, word);
}

/// One word of each warp for each line, by one lane.
void Reducer::storeWords(const ThreadTile &lines, ArrayRef<Values> tuples,
                         ValueRange through, ArrayRef<Type> elements) {
  Value own = getWarpIndex();
  auto storeAll = [&] {
    for (auto [reg, tuple] : llvm::enumerate(tuples))
      for (auto [shared, value, element] : llvm::zip(through, tuple, elements))
        emitVectorStore(emitter, AccessMode{element},
                        getWordAddress(lines, shared, reg, own), value,
                        Value());
  };
  if (lines.isHolder)
    emitter.guarded(lines.isHolder, storeAll);
  else
    storeAll();
}

/// The words of all warps for one line, by every thread that has the line.
SmallVector<Value> Reducer::loadWords(const ThreadTile &lines, size_t reg,
                                      Value shared, Type element) {
  int64_t size = getElementBytes(element), warps = countWarps();
  int64_t bytes = getKnownAlignment(shared);
  if (to.getRows() * to.getCols() != 1) {
    int64_t pitch = getRowBytes(cast<tile::SharedType>(shared.getType()));
    bytes = std::min(bytes, pitch & -pitch);
  }
  int64_t width = std::max<int64_t>(bytes / size, 1);
  width = std::min(width, warps & -warps);
  Value address = getWordAddress(lines, shared, reg, emitter.i32(0));
  SmallVector<Value> words;
  for (int64_t word = 0; word < warps; word += width)
    llvm::append_range(words,
                       emitVectorLoad(emitter, AccessMode{element},
                                      emitter.offset(address, word * size),
                                      width, Value(), Value()));
  return words;
}

LogicalResult Reducer::combineWarps(SmallVectorImpl<Values> &tuples,
                                    ValueRange through,
                                    ArrayRef<Type> elements) {
  int64_t warps = countWarps();
  if (warps == 1)
    return success();
  ThreadTile lines = getThreadTile(emitter, to, Holder::OneOfWarp);
  storeWords(lines, tuples, through, elements);
  emitter.syncGroup();
  for (auto [reg, tuple] : llvm::enumerate(tuples)) {
    SmallVector<SmallVector<Value>> words;
    for (auto [shared, element] : llvm::zip(through, elements))
      words.push_back(loadWords(lines, reg, shared, element));
    for (int64_t word = 0; word < warps; ++word) {
      Values next;
      for (ArrayRef<Value> line : words)
        next.push_back(line[word]);
      if (word == 0) {
        tuple = next;
        continue;
      }
      FailureOr<Values> combined = combine(tuple, next);
      if (failed(combined))
        return failure();
      tuple = std::move(*combined);
    }
  }
  return success();
}

FailureOr<SmallVector<Values>> Reducer::run(ArrayRef<Values> registers,
                                            ValueRange through,
                                            ArrayRef<Type> elements) {
  FailureOr<SmallVector<Values>> tuples = combineRegisters(registers);
  if (failed(tuples) || level == tile::ReduceLevel::thread)
    return tuples;
  for (Values &tuple : *tuples)
    if (failed(combineLanes(tuple)))
      return failure();
  if (level == tile::ReduceLevel::group &&
      failed(combineWarps(*tuples, through, elements)))
    return failure();
  return tuples;
}

/// Tuples by register.
static SmallVector<Values> getTuples(KernelEmitter &emitter, ValueRange tiles) {
  SmallVector<Values> tuples;
  for (Value tile : tiles) {
    ArrayRef<Value> registers = emitter.get(tile);
    tuples.resize(registers.size());
    for (auto [tuple, value] : llvm::zip(tuples, registers))
      tuple.push_back(value);
  }
  return tuples;
}

static void setTuples(KernelEmitter &emitter, ValueRange tiles,
                      ArrayRef<Values> tuples) {
  for (auto [index, tile] : llvm::enumerate(tiles)) {
    SmallVector<Value> registers;
    for (const Values &tuple : tuples)
      registers.push_back(tuple[index]);
    emitter.set(tile, registers);
  }
}

/// The shared tile has a line for each element of the result and a word for
/// each warp that meets.
static LogicalResult verifyThrough(Operation *op, const Reducer &reducer,
                                   tile::RegType result, ValueRange through) {
  int64_t warps = reducer.countWarps();
  SmallVector<int64_t> shape = {result.getRows() * result.getCols(), warps};
  for (Value shared : through) {
    auto type = cast<tile::SharedType>(shared.getType());
    if (type.getShape() != ArrayRef(shape))
      return op->emitOpError("expected to go through ")
             << shape[0] << 'x' << shape[1] << " elements, got " << type;
  }
  return success();
}

static LogicalResult emitReduce(KernelEmitter &emitter, tile::ReduceOp op) {
  auto from = cast<tile::RegType>(op.getTile().getType());
  Type element = from.getElementType();
  tile::Combine kind = op.getCombine();
  auto combine = [&](const Values &lhs,
                     const Values &rhs) -> FailureOr<Values> {
    return Values{emitCombine(emitter, kind, element, lhs[0], rhs[0])};
  };
  if (isa<FloatType>(element) && element.getIntOrFloatBitWidth() == 8)
    return op.emitOpError("combines an 8-bit float, which has conversions "
                          "only: expected f16, bf16, f32 or f64");
  SmallVector<Values> registers = getTuples(emitter, op.getTile());
  if (kind == tile::Combine::amax)
    for (Values &tuple : registers)
      tuple[0] = isa<FloatType>(element)
                     ? Value(math::AbsFOp::create(emitter.b, tuple[0]))
                     : Value(math::AbsIOp::create(emitter.b, tuple[0]));
  Reducer reducer(emitter, from, cast<tile::RegType>(op.getResult().getType()),
                  op.getAxis(), op.getLevel(), op.getBlock().value_or(0),
                  combine, /*isOrdered=*/false);
  SmallVector<Value> through;
  if (op.getThrough())
    through.push_back(op.getThrough());
  if (failed(verifyThrough(
          op, reducer, cast<tile::RegType>(op.getResult().getType()), through)))
    return failure();
  auto tuples = reducer.run(registers, through, element);
  if (failed(tuples))
    return failure();
  setTuples(emitter, op.getResult(), *tuples);
  return success();
}

/// The region on two tuples.
static FailureOr<Values> emitBody(KernelEmitter &emitter, Block &body,
                                  const Values &lhs, const Values &rhs) {
  llvm::DenseMap<Value, Value> local;
  size_t count = lhs.size();
  for (size_t index = 0; index < count; ++index) {
    local[body.getArgument(index)] = lhs[index];
    local[body.getArgument(count + index)] = rhs[index];
  }
  auto lookup = [&](Value value) {
    auto found = local.find(value);
    return found == local.end() ? emitter.scalar(value) : found->second;
  };
  for (Operation &op : body.without_terminator()) {
    SmallVector<Value> operands, results;
    for (Value operand : op.getOperands())
      operands.push_back(lookup(operand));
    if (failed(emitScalarOp(emitter, &op, operands, results)))
      return failure();
    for (auto [result, value] : llvm::zip(op.getResults(), results))
      local[result] = value;
  }
  Values yielded;
  for (Value value : body.getTerminator()->getOperands())
    yielded.push_back(lookup(value));
  return yielded;
}

static LogicalResult emitReduceWith(KernelEmitter &emitter,
                                    tile::ReduceWithOp op) {
  Block &body = op.getBody().front();
  auto combine = [&](const Values &lhs, const Values &rhs) {
    return emitBody(emitter, body, lhs, rhs);
  };
  SmallVector<Type> elements;
  for (Value tile : op.getTiles())
    elements.push_back(cast<tile::RegType>(tile.getType()).getElementType());
  Reducer reducer(emitter, cast<tile::RegType>(op.getTiles().front().getType()),
                  cast<tile::RegType>(op.getResults().front().getType()),
                  op.getAxis(), op.getLevel(), /*block=*/0, combine,
                  /*isOrdered=*/true);
  if (failed(verifyThrough(
          op, reducer, cast<tile::RegType>(op.getResults().front().getType()),
          op.getThrough())))
    return failure();
  auto tuples =
      reducer.run(getTuples(emitter, op.getTiles()), op.getThrough(), elements);
  if (failed(tuples))
    return failure();
  setTuples(emitter, op.getResults(), *tuples);
  return success();
}

void opgraph::codegen::addReduceHandlers(Handlers &handlers) {
  handlers.add<tile::ReduceOp, emitReduce>();
  handlers.add<tile::ReduceWithOp, emitReduceWith>();
}
