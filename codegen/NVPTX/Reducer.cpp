//===- Reducer.cpp - Combines register tiles along an axis ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/Reducer.h"
#include "codegen/NVPTX/MemoryAccess.h"
#include "codegen/NVPTX/SharedAccess.h"
#include "codegen/NVPTX/SharedLayout.h"
#include "codegen/NVPTX/TileParts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

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

/// Lines that a thread's neighbouring registers hold, where the words of a warp
/// for neighbouring lines are put side by side: lanes that read the words of
/// their lines would meet in few banks otherwise. 1: they are not.
int64_t Reducer::getRun(const ThreadTile &lines, ValueRange through) const {
  if (to.getRows() != 1)
    return 1;
  int64_t run = lines.vectorWidth;
  for (Value shared : through) {
    auto type = cast<tile::SharedType>(shared.getType());
    int64_t bytes = std::min<int64_t>(getKnownAlignment(shared), 16);
    run = std::min(run, bytes / getElementBytes(type.getElementType()));
    if (type.getPad() != 0)
      return 1;
  }
  return to.getCols() % std::max<int64_t>(run, 1) == 0 ? run : 1;
}

Value Reducer::getRunAddress(const ThreadTile &lines, Value shared, size_t reg,
                             int64_t word) {
  auto type = cast<tile::SharedType>(shared.getType());
  int64_t size = getElementBytes(type.getElementType());
  Value line = emitter.offset(emitter.scalar(shared),
                              emitter.mul(lines.thread[1], size));
  return emitter.offset(line,
                        (lines.parts[reg][1] + word * to.getCols()) * size);
}

void Reducer::storeRuns(const ThreadTile &lines, ArrayRef<Values> tuples,
                        ValueRange through, ArrayRef<Type> elements,
                        int64_t run) {
  Value own = getWarpIndex();
  auto storeAll = [&] {
    for (size_t reg = 0; reg < tuples.size(); reg += run)
      for (auto [index, shared] : llvm::enumerate(through)) {
        int64_t pitch = to.getCols() * getElementBytes(elements[index]);
        SmallVector<Value> values;
        for (const Values &tuple : tuples.slice(reg, run))
          values.push_back(tuple[index]);
        Value address =
            emitter.offset(getRunAddress(lines, shared, reg, /*word=*/0),
                           emitter.mul(own, pitch));
        emitVectorStore(emitter, AccessMode{elements[index]}, address, values,
                        Value());
      }
  };
  if (lines.isHolder)
    emitter.guarded(lines.isHolder, storeAll);
  else
    storeAll();
}

LogicalResult Reducer::combineRuns(const ThreadTile &lines,
                                   SmallVectorImpl<Values> &tuples,
                                   ValueRange through, ArrayRef<Type> elements,
                                   int64_t run) {
  for (int64_t word = 0, warps = countWarps(); word < warps; ++word) {
    SmallVector<Values> next(tuples.size());
    for (auto [shared, element] : llvm::zip(through, elements))
      for (size_t reg = 0; reg < tuples.size(); reg += run)
        for (auto [line, value] : llvm::enumerate(
                 emitVectorLoad(emitter, AccessMode{element},
                                getRunAddress(lines, shared, reg, word), run,
                                Value(), Value())))
          next[reg + line].push_back(value);
    for (auto [tuple, other] : llvm::zip(tuples, next)) {
      if (word == 0) {
        tuple = other;
        continue;
      }
      FailureOr<Values> combined = combine(tuple, other);
      if (failed(combined))
        return failure();
      tuple = std::move(*combined);
    }
  }
  return success();
}

LogicalResult Reducer::combineWarps(SmallVectorImpl<Values> &tuples,
                                    ValueRange through,
                                    ArrayRef<Type> elements) {
  int64_t warps = countWarps();
  if (warps == 1)
    return success();
  ThreadTile lines = getThreadTile(emitter, to, Holder::OneOfWarp);
  if (int64_t run = getRun(lines, through); run > 1) {
    storeRuns(lines, tuples, through, elements, run);
    emitter.syncGroup();
    return combineRuns(lines, tuples, through, elements, run);
  }
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
