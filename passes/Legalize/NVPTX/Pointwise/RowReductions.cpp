//===- RowReductions.cpp - Reductions of a row kernel ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A long row is walked once for all reductions that do not need one another's
// results. A thread adds what it loads to one vector a reduction, so that many
// loads are in flight and few registers accumulate.
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/Legalize/Host/Scalar/Reduction.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"
#include "passes/Legalize/NVPTX/Pointwise/Elements.h"
#include "passes/Legalize/NVPTX/Pointwise/RowKernel.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::nvptx;
using graph::ReductionMode;

static Type elementOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getElementType();
}

Type opgraph::legalize::nvptx::getReductionType(graph::ReductionOp op) {
  return getAccumulatorType(getCombination(op.getMode()),
                            getWorkType(op.getEffectiveComputeType()));
}

static tile::Combine getCombine(ReductionMode mode, Type type) {
  bool isFloat = isa<FloatType>(type);
  switch (getCombination(mode)) {
  case Combination::Sum:
    return tile::Combine::add;
  case Combination::Product:
    return tile::Combine::mul;
  case Combination::Min:
    return isFloat ? tile::Combine::min_nan : tile::Combine::min;
  case Combination::Max:
    return isFloat ? tile::Combine::max_nan : tile::Combine::max;
  }
  llvm_unreachable("all ways handled");
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// What each element of the current tile contributes; past the last column,
/// what leaves others as they are.
Value RowKernel::emitContributions(graph::ReductionOp op) {
  Value input = op.getInput();
  Type compute = op.getEffectiveComputeType(), type = getReductionType(op);
  ReductionMode mode = op.getMode();
  const ReductionPair *pair = findPair(op);
  if (pair && pair->second == op && !buffers.portionsOf.empty())
    return emitPortionsOfSecond(*pair);
  if (auto portions = buffers.portionsOf.find(op);
      portions != buffers.portionsOf.end()) {
    Value tile = load(portions->second);
    if (!hasTail())
      return tile;
    return map(tile, regType(shapeOf(op), type),
               [&](OpBuilder &builder, ValueRange args) {
                 return selectInside(builder, args[0], mode);
               });
  }
  return map(evaluate(input), regType(shapeOf(input), type),
             [&](OpBuilder &builder, ValueRange args) {
               Location loc = b.getLoc();
               Value x = readOperand(builder, loc, args[0], elementOf(input),
                                     compute, type);
               x = emitContribution(builder, loc, mode, x);
               return hasTail() && !isNeutralOutside(op)
                          ? selectInside(builder, x, mode)
                          : x;
             });
}

std::array<int64_t, 2> RowKernel::shapeOf(graph::ReductionOp op) {
  auto portions = buffers.portionsOf.find(op);
  return portions == buffers.portionsOf.end()
             ? shapeOf(op.getInput())
             : shapeOf(buffers.list[portions->second]);
}

//===----------------------------------------------------------------------===//
// Walks
//===----------------------------------------------------------------------===//

SmallVector<Value>
RowKernel::forEachChunk(ValueRange initial,
                        function_ref<SmallVector<Value>(ValueRange)> body,
                        bool isBackwards) {
  if (!space.isLooped)
    return body(initial);
  tiles.clear();
  Value last;
  if (isBackwards && !space.chunks) {
    Value number =
        arith::DivUIOp::create(b, arith::SubIOp::create(b, numColumns, i32(1)),
                               i32(space.tileColumns));
    last = arith::MulIOp::create(b, number, i32(space.tileColumns));
  }
  auto chunks = scf::ForOp::create(b, space.isShifted ? wholeColumn : column,
                                   columnEnd ? columnEnd : numColumns,
                                   i32(space.tileColumns), initial);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(chunks.getBody());
  loop = chunks;
  Value outside = firstColumn = column, wholeOutside = wholeColumn;
  column = wholeColumn = chunks.getInductionVar();
  if (last)
    column = arith::SubIOp::create(b, last, column);
  if (space.isShifted)
    column = arith::SubIOp::create(b, wholeColumn, shift);
  SmallVector<Value> results = body(chunks.getRegionIterArgs());
  if (!initial.empty())
    scf::YieldOp::create(b, results);
  column = outside;
  wholeColumn = wholeOutside;
  loop = nullptr;
  isFirstWalk = false;
  tiles.clear();
  return llvm::to_vector_of<Value>(chunks.getResults());
}

SmallVector<Value> RowKernel::splitParts(Value tile, tile::RegType type) {
  type = tile::RegType::get(
      b.getContext(), type.getRows(), type.getCols(),
      cast<tile::RegType>(tile.getType()).getElementType(), distribution);
  int64_t step = getColumnAxis() == 0 ? type.getRows() : type.getCols();
  if (space.vectorsPerThread == 1)
    return {tile};
  SmallVector<Value> parts;
  for (int64_t part = 0; part < space.vectorsPerThread; ++part) {
    std::array<int64_t, 2> at = {0, 0};
    at[getColumnAxis()] = part * step;
    parts.push_back(tile::ExtractOp::create(b, type, tile, at[0], at[1]));
  }
  return parts;
}

/// Whether what the reduction adds are products that f32 holds without
/// rounding: those of two floats of at most 11 bits.
bool RowKernel::addsExactProducts(graph::ReductionOp op) {
  auto isNarrow = [&](Value value) {
    return buffers.inputs.contains(value) && isa<FloatType>(elementOf(value)) &&
           elementOf(value).getIntOrFloatBitWidth() <= 16;
  };
  Value input = op.getInput();
  if (!getReductionType(op).isF32())
    return false;
  if (op.getMode() == ReductionMode::NORM2)
    return isNarrow(input);
  auto product = input.getDefiningOp<graph::MulOp>();
  return product && getCombination(op.getMode()) == Combination::Sum &&
         getArithmeticType(product).isF32() && elementOf(input).isF32() &&
         llvm::all_of(product->getOperands(), isNarrow);
}

/// Lets sums and products of a map be one operation with those of another.
static void contract(Value tile) {
  for (Operation &op : tile.getDefiningOp<tile::MapOp>().getBody().front())
    if (isa<arith::AddFOp, arith::MulFOp>(op))
      cast<arith::ArithFastMathInterface>(op)->setAttr(
          "fastmath", arith::FastMathFlagsAttr::get(
                          op.getContext(), arith::FastMathFlags::contract));
}

/// The tile's parts of one vector a thread, and `sum`, combined element by
/// element.
Value RowKernel::addParts(graph::ReductionOp op, Value sum, Value tile) {
  auto type = cast<tile::RegType>(sum.getType());
  SmallVector<Value> inputs = {sum};
  llvm::append_range(inputs, splitParts(tile, type));
  Combination how = getCombination(op.getMode());
  Value next = map(inputs, type, [&](OpBuilder &builder, ValueRange args) {
    // The chunk's own elements first: the carried sum waits for one result.
    Value chunk = args[1];
    for (Value other : args.drop_front(2))
      chunk = emitCombination(builder, b.getLoc(), how, chunk, other);
    return emitCombination(builder, b.getLoc(), how, args[0], chunk);
  });
  if (addsExactProducts(op)) {
    contract(op.getMode() == ReductionMode::NORM2 ? tile
                                                  : evaluate(op.getInput()));
    contract(next);
  }
  return next;
}

/// What the walk begins with: of most reductions one tile of neutral elements.
SmallVector<Value> RowKernel::startReduction(graph::ReductionOp op) {
  if (walksAsPair(op))
    return op == findPair(op)->first ? startPair(*findPair(op))
                                     : SmallVector<Value>();
  tile::RegType type = getSlotType(op);
  Value neutral = arith::ConstantOp::create(
      b, getNeutral(op.getMode(), type.getElementType()));
  return {tile::SplatOp::create(b, type, neutral)};
}

/// Of each reduction tiles of which a row's elements are still to be combined;
/// what belongs to a pair is the first one's.
SmallVector<SmallVector<Value>>
RowKernel::accumulate(ArrayRef<graph::ReductionOp> reductions) {
  SmallVector<SmallVector<Value>> found;
  if (!space.isLooped) {
    for (graph::ReductionOp op : reductions)
      found.push_back({emitContributions(op)});
    return found;
  }
  SmallVector<Value> initial;
  for (graph::ReductionOp op : reductions) {
    found.push_back(startReduction(op));
    llvm::append_range(initial, found.back());
  }
  Value start = column;
  SmallVector<Value> sums = forEachChunk(initial, [&](ValueRange kept) {
    SmallVector<Value> next;
    for (auto [op, own] : llvm::zip_equal(reductions, found)) {
      if (walksAsPair(op) && !own.empty())
        llvm::append_range(
            next, addPair(*findPair(op), kept.take_front(own.size()), start));
      else if (!own.empty())
        next.push_back(addParts(op, kept[0], emitContributions(op)));
      kept = kept.drop_front(own.size());
    }
    return next;
  });
  ArrayRef<Value> rest = sums;
  for (SmallVector<Value> &own : found) {
    llvm::copy(rest.take_front(own.size()), own.begin());
    rest = rest.drop_front(own.size());
  }
  return found;
}

Value RowKernel::reduceTile(graph::ReductionOp op, Value tile) {
  auto type = cast<tile::RegType>(tile.getType());
  std::array<int64_t, 2> shape = {type.getRows(), type.getCols()};
  int64_t numLines = shape[getRowAxis()];
  if (shape[getColumnAxis()] == 1)
    return tile;
  int64_t numWarps = space.warps[getColumnAxis()];
  bool meetsWarps = numWarps > 1;
  Value through;
  if (meetsWarps) {
    auto words = tile::SharedType::get(b.getContext(), {numLines, numWarps},
                                       type.getElementType(),
                                       tile::Swizzle::none, 0, 0, false);
    // One of its own for each reduction: nothing waits before it is written.
    through = tile::AllocSharedOp::create(b, words, ValueRange(), nullptr);
  }
  auto level = meetsWarps                         ? tile::ReduceLevel::group
               : space.lanes[getColumnAxis()] > 1 ? tile::ReduceLevel::warp
                                                  : tile::ReduceLevel::thread;
  return tile::ReduceOp::create(
      b, regType({numLines, 1}, type.getElementType()),
      getCombine(op.getMode(), type.getElementType()), tile, getReducedAxis(),
      level, /*block=*/nullptr, through);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

Value RowKernel::evaluateSingle(graph::ReductionOp op) {
  Value input = op.getInput();
  Type element = elementOf(op.getY()), type = getReductionType(op);
  return map(evaluate(input), regType(shapeOf(input), getStorageType(element)),
             [&](OpBuilder &builder, ValueRange args) {
               Location loc = b.getLoc();
               Value x = readOperand(builder, loc, args[0], elementOf(input),
                                     op.getEffectiveComputeType(), type);
               x = emitContribution(builder, loc, op.getMode(), x);
               x = emitReduced(builder, loc, op.getMode(), x, Value());
               return writeElement(builder, loc, x, element);
             });
}

Value RowKernel::finish(graph::ReductionOp op, Value tile) {
  auto type = cast<tile::RegType>(tile.getType());
  Type element = elementOf(op.getY());
  auto result =
      tile::RegType::get(b.getContext(), type.getRows(), type.getCols(),
                         getStorageType(element), distribution);
  return map(tile, result, [&](OpBuilder &builder, ValueRange args) {
    Location loc = b.getLoc();
    Value divisor;
    if (op.getMode() == ReductionMode::AVG)
      divisor = arith::UIToFPOp::create(builder, loc, args[0].getType(),
                                        count ? count : numColumns);
    Value value = emitReduced(builder, loc, op.getMode(), args[0], divisor);
    return writeElement(builder, loc, value, element);
  });
}

/// How many of the kernel's reductions `value` waits for, one after the other.
unsigned RowKernel::countWalks(Value value) {
  if (buffers.inputs.contains(value))
    return 0;
  Operation *op = value.getDefiningOp();
  if (!op)
    return 0;
  auto [entry, isNew] = numWalks.insert({value, 0});
  if (!isNew)
    return entry->second;
  unsigned count = 0;
  for (Value operand : op->getOperands())
    count = std::max(count, countWalks(operand));
  auto reduction = dyn_cast<graph::ReductionOp>(op);
  bool isOwn = reduction && llvm::is_contained(spec.reductions, reduction);
  if (isOwn && walksAsPair(reduction))
    isOwn = findPair(reduction)->first == reduction;
  count += isOwn;
  return numWalks[value] = count;
}

void RowKernel::reduceAll() {
  // In registers the order of the reductions does not matter.
  SmallVector<SmallVector<graph::ReductionOp>> walks;
  for (graph::ReductionOp op : spec.reductions) {
    size_t number = space.isLooped ? countWalks(op.getY()) - 1 : walks.size();
    walks.resize(std::max(walks.size(), number + 1));
    walks[number].push_back(op);
  }
  for (SmallVector<graph::ReductionOp> &walk : walks)
    finishWalk(walk, accumulate(walk));
}

/// Brings together what threads, and the CTAs of a cluster, have of each
/// reduction of a walk.
void RowKernel::finishWalk(ArrayRef<graph::ReductionOp> walk,
                           ArrayRef<SmallVector<Value>> tilesOf) {
  // Without a cluster one after the other, so that few registers are in use.
  auto isAlone = [&](graph::ReductionOp op) {
    return space.cluster == 1 && !walksAsPair(op);
  };
  SmallVector<Value> own;
  for (auto [op, kept] : llvm::zip_equal(walk, tilesOf)) {
    if (kept.empty())
      continue;
    if (walksAsPair(op))
      llvm::append_range(own, finishPair(*findPair(op), kept));
    else if (isAlone(op))
      keepReduced(op, reduceTile(op, kept[0]));
    else
      own.push_back(reduceTile(op, kept[0]));
  }
  // Of each of them, what each CTA has.
  SmallVector<SmallVector<Value>> all = exchange(own);
  ArrayRef<SmallVector<Value>> rest = all;
  for (auto [op, kept] : llvm::zip_equal(walk, tilesOf)) {
    if (kept.empty() || isAlone(op))
      continue;
    if (walksAsPair(op)) {
      joinPair(*findPair(op), rest[0], rest[1]);
      rest = rest.drop_front(2);
      continue;
    }
    keepReduced(op, combine(op, rest[0]));
    rest = rest.drop_front();
  }
}

void RowKernel::keepReduced(graph::ReductionOp op, Value tile) {
  auto number = static_cast<unsigned>(llvm::find(spec.reductions, op) -
                                      spec.reductions.begin());
  if (buffers.atomics.contains(op))
    combineInMemory(op, tile);
  else if (space.portion)
    storePortion(tile, buffers.portions[number], number);
  else if (!rowTiles.contains(op.getY()))
    rowTiles[op.getY()] = finish(op, tile);
}
