//===- ExecReduce.cpp - Reductions of register tiles ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements are combined in the order that the ops fix: registers ascending,
// then lanes by butterfly (the nearest lanes first), then warps ascending.
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/Compiler.h"
#include "codegen/TileInterpreter/ExecMemory.h"
#include "codegen/TileInterpreter/ExecShared.h"
#include "codegen/TileInterpreter/Machine.h"
#include "codegen/TileInterpreter/ReducePlan.h"

#include <cmath>

using namespace mlir;
using namespace opgraph::tile;
using namespace opgraph::tile::interp;

namespace {
/// Some lines' running values, one vector per reduced tile.
using Lines = SmallVector<NumbersPtr>;
using CombineLines =
    std::function<Lines(const Agent &, const Lines &, const Lines &)>;

struct ReducePayload : Payload {
  ReducePlan plan;
  bool alongRows = false;
  /// Lines: extent of the other axis.
  int64_t lines = 1;
  CombineLines combine;
  /// amax: magnitudes are combined, a lone element's too.
  bool takesMagnitudes = false;
  /// Scratch of reductions across warps, one for each tile, as the last
  /// operands; their owners.
  SmallVector<SharedLayout> through;
  std::shared_ptr<const OwnerTable> owners;
};

/// The word of warp `word` of a line (of the result's element), and which warps
/// hold parts of the line.
struct ScratchWord {
  int64_t line, word;
  ArrayRef<int32_t> holders;
};
} // namespace

//===----------------------------------------------------------------------===//
// Combining
//===----------------------------------------------------------------------===//

static double pickExtreme(double a, double b, bool larger, bool keepsNaN) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) == keepsNaN ? a : b;
  if (a == b) // -0 is below +0
    return std::signbit(a) == larger ? b : a;
  return (a > b) == larger ? a : b;
}

static double combineFloats(Combine combine, double a, double b) {
  switch (combine) {
  case Combine::add:
    return a + b;
  case Combine::mul:
    return a * b;
  case Combine::min:
    return pickExtreme(a, b, false, false);
  case Combine::max:
    return pickExtreme(a, b, true, false);
  case Combine::amax:
    return pickExtreme(std::fabs(a), std::fabs(b), true, false);
  case Combine::min_nan:
    return pickExtreme(a, b, false, true);
  case Combine::max_nan:
    return pickExtreme(a, b, true, true);
  default:
    return a;
  }
}

static int64_t combineIntegers(Combine combine, int64_t a, int64_t b) {
  switch (combine) {
  case Combine::add:
    return int64_t(uint64_t(a) + uint64_t(b));
  case Combine::mul:
    return int64_t(uint64_t(a) * uint64_t(b));
  case Combine::min:
  case Combine::min_nan:
    return std::min(a, b);
  case Combine::max:
  case Combine::max_nan:
    return std::max(a, b);
  case Combine::amax:
    return std::max(std::abs(a), std::abs(b));
  case Combine::bit_and:
    return a & b;
  case Combine::bit_or:
    return a | b;
  case Combine::bit_xor:
    return a ^ b;
  }
  return a;
}

void opgraph::tile::interp::combineInto(Combine combine, Numbers &to, int64_t i,
                                        const Numbers &other, int64_t j) {
  switch (holderOf(to.format)) {
  case Holder::Float:
    // A sum or product of two floats rounds once: f64 holds enough of it.
    to.floats[i] = float(roundTo(
        to.format, combineFloats(combine, to.floats[i], other.floats[j])));
    break;
  case Holder::Double:
    to.doubles[i] = combineFloats(combine, to.doubles[i], other.doubles[j]);
    break;
  case Holder::Integer:
    to.integers[i] = wrapInteger(
        to.format, combineIntegers(combine, to.integers[i], other.integers[j]));
    break;
  }
}

static CombineLines combineBy(Combine combine) {
  return [=](const Agent &, const Lines &a, const Lines &b) -> Lines {
    auto result = std::make_shared<Numbers>(*a[0]);
    for (int64_t i = 0, e = result->count(); i < e; ++i)
      combineInto(combine, *result, i, *b[0], i);
    return {result};
  };
}

static CombineLines combineWith(std::shared_ptr<const RegionProgram> region) {
  return [=](const Agent &agent, const Lines &a, const Lines &b) {
    Lines arguments(a);
    arguments.append(b.begin(), b.end());
    return region->run(agent, arguments, a[0]->rows, a[0]->cols);
  };
}

static NumbersPtr magnitudes(const Numbers &tile) {
  auto result = std::make_shared<Numbers>(tile);
  for (float &value : result->floats)
    value = std::fabs(value);
  for (double &value : result->doubles)
    value = std::fabs(value);
  for (int64_t &value : result->integers)
    value = wrapInteger(tile.format, std::abs(value));
  return result;
}

/// Element `index` along the axis of every line.
static Lines pickLines(const ReducePayload &reduce, ArrayRef<NumbersPtr> tiles,
                       int64_t index) {
  Lines lines;
  for (const NumbersPtr &tile : tiles) {
    auto line = std::make_shared<Numbers>(tile->format, reduce.lines, 1);
    for (int64_t i = 0; i < reduce.lines; ++i)
      line->copy(i, *tile,
                 reduce.alongRows ? index * tile->cols + i
                                  : i * tile->cols + index);
    lines.push_back(std::move(line));
  }
  return lines;
}

/// All that becomes result `result` of each line.
static Lines reduceLines(const Agent &agent, const ReducePayload &reduce,
                         ArrayRef<NumbersPtr> tiles, int64_t result) {
  const ReducePlan &plan = reduce.plan;
  SmallVector<Lines> warps;
  for (int64_t warp = 0; warp < plan.warps; ++warp) {
    SmallVector<Lines> lanes;
    for (int64_t lane = 0; lane < plan.lanes; ++lane) {
      Lines value = pickLines(reduce, tiles, plan.at(result, warp, lane, 0));
      for (int64_t reg = 1; reg < plan.registers; ++reg)
        value = reduce.combine(
            agent, value,
            pickLines(reduce, tiles, plan.at(result, warp, lane, reg)));
      lanes.push_back(std::move(value));
    }
    for (size_t distance = 1; distance < lanes.size(); distance *= 2)
      for (size_t lane = 0; lane + distance < lanes.size();
           lane += 2 * distance)
        lanes[lane] =
            reduce.combine(agent, lanes[lane], lanes[lane + distance]);
    warps.push_back(std::move(lanes[0]));
  }
  Lines value = std::move(warps[0]);
  for (Lines &warp : MutableArrayRef(warps).drop_front())
    value = reduce.combine(agent, value, warp);
  return value;
}

//===----------------------------------------------------------------------===//
// Scratch
//===----------------------------------------------------------------------===//

/// Written by one lane of its warp, or read by all warps of the line.
static bool touchWord(Agent &agent, const ReducePayload &reduce,
                      const SharedValue &shared, const SharedLayout &layout,
                      const ScratchWord &at, bool isWrite) {
  if (at.line >= layout.allRows() || at.word >= layout.cols) {
    agent.fail(FaultKind::OutOfBounds,
               "'through' has no word for line " + std::to_string(at.line) +
                   " and warp " + std::to_string(at.word));
    return false;
  }
  int64_t offset = shared.base + layout.offsetOfRow(at.line, at.word);
  ArrayRef<int32_t> parties =
      isWrite ? at.holders.slice(at.word, 1) : at.holders;
  for (int32_t holder : parties)
    for (int32_t copy : reduce.owners->warpCopies()) {
      Accessor by =
          agent.ordinary(holder + copy, isWrite ? 0 : Stamp::manyLanes);
      if (!agent.touchShared(by, agent.cta, shared.allocation, offset,
                             layout.elementBytes(), isWrite))
        return false;
      // Of copies, one writes.
      if (isWrite)
        break;
    }
  return true;
}

/// The word of each warp and line: written, or read.
static bool passThrough(Agent &agent, const ReducePayload &reduce,
                        const SharedValue &shared, const SharedLayout &layout,
                        bool isWrite) {
  const ReducePlan &plan = reduce.plan;
  for (int64_t other = 0; other < reduce.lines; ++other)
    for (int64_t result = 0; result < plan.results; ++result) {
      SmallVector<int32_t> holders;
      for (int64_t warp = 0; warp < plan.warps; ++warp) {
        int32_t index = plan.at(result, warp, 0, 0);
        OwnerPart part = reduce.alongRows ? reduce.owners->at(index, other)
                                          : reduce.owners->at(other, index);
        holders.push_back(part.warp);
      }
      int64_t line = reduce.alongRows ? result * reduce.lines + other
                                      : other * plan.results + result;
      for (int64_t word = 0; word < plan.warps; ++word)
        if (!touchWord(agent, reduce, shared, layout, {line, word, holders},
                       isWrite))
          return false;
    }
  return true;
}

static Step runReduce(Agent &agent, const Instruction &op) {
  const auto &reduce = op.as<ReducePayload>();
  size_t count = op.results.size();
  SmallVector<NumbersPtr> tiles;
  for (size_t i = 0; i < count; ++i)
    tiles.push_back(agent.get<NumbersPtr>(op.operands[i]));
  if (reduce.takesMagnitudes)
    tiles[0] = magnitudes(*tiles[0]);
  for (bool isWrite : {true, false}) {
    for (auto [i, layout] : llvm::enumerate(reduce.through))
      if (!passThrough(agent, reduce,
                       agent.get<SharedValue>(op.operands[count + i]), layout,
                       isWrite))
        return Step::Failed;
    if (isWrite && !reduce.through.empty()) {
      agent.meetAll();
      agent.tick();
    }
  }
  SmallVector<std::shared_ptr<Numbers>> results;
  int64_t kept = reduce.plan.results;
  for (const NumbersPtr &tile : tiles)
    results.push_back(std::make_shared<Numbers>(
        tile->format, reduce.alongRows ? kept : reduce.lines,
        reduce.alongRows ? reduce.lines : kept));
  for (int64_t index = 0; index < kept; ++index) {
    Lines lines = reduceLines(agent, reduce, tiles, index);
    for (auto [result, line] : llvm::zip(results, lines))
      for (int64_t i = 0; i < reduce.lines; ++i)
        result->copy(reduce.alongRows ? index * reduce.lines + i
                                      : i * kept + index,
                     *line, i);
  }
  for (auto [slot, result] : llvm::zip(op.results, results))
    agent.frame[slot] = NumbersPtr(std::move(result));
  return Step::Next;
}

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

static std::shared_ptr<ReducePayload> describe(Operation *op, RegType type,
                                               RegType result, Axis axis,
                                               ReduceLevel level, int64_t block,
                                               ValueRange through,
                                               Compiler &compiler) {
  auto payload = std::make_shared<ReducePayload>();
  payload->alongRows = axis == Axis::rows;
  payload->lines = payload->alongRows ? type.getCols() : type.getRows();
  payload->owners = compiler.owners(type);
  FailureOr<SmallVector<Factor>> factors =
      factorsOf(type, payload->alongRows ? 0 : 1);
  FailureOr<ReducePlan> plan = failure();
  if (succeeded(factors))
    plan = ReducePlan::get(*factors, level, block);
  if (failed(plan)) {
    compiler.refuse(op, "a block that cuts what a thread holds");
    return payload;
  }
  payload->plan = std::move(*plan);
  int64_t kept = payload->alongRows ? result.getRows() : result.getCols();
  if (kept != payload->plan.results)
    compiler.refuse(op, "a result of " + Twine(kept) + " where " +
                            Twine(payload->plan.results) + " are left");
  for (mlir::Value scratch : through)
    payload->through.push_back(layoutOf(cast<SharedType>(scratch.getType())));
  return payload;
}

bool opgraph::tile::interp::bindReduce(Operation *op, Instruction &to,
                                       Compiler &compiler) {
  if (auto reduce = dyn_cast<ReduceOp>(op)) {
    auto through = reduce.getThrough();
    auto payload = describe(
        op, reduce.getTile().getType(), reduce.getResult().getType(),
        reduce.getAxis(), reduce.getLevel(), reduce.getBlock().value_or(0),
        through ? ValueRange(through) : ValueRange(), compiler);
    payload->combine = combineBy(reduce.getCombine());
    payload->takesMagnitudes = reduce.getCombine() == Combine::amax;
    to.payload = std::move(payload);
    to.handler = runReduce;
    return true;
  }
  auto reduce = dyn_cast<ReduceWithOp>(op);
  if (!reduce)
    return false;
  auto payload = describe(op, cast<RegType>(reduce.getTiles()[0].getType()),
                          cast<RegType>(reduce.getResults()[0].getType()),
                          reduce.getAxis(), reduce.getLevel(), 0,
                          reduce.getThrough(), compiler);
  payload->combine = combineWith(compiler.region(reduce.getBody()));
  to.payload = std::move(payload);
  to.handler = runReduce;
  return true;
}
