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
  // Columns past the last are in the last tile only.
  bool hasTail =
      space.numColumns == 0 || space.numColumns % space.tileColumns != 0;
  if (auto portions = buffers.portionsOf.find(op);
      portions != buffers.portionsOf.end()) {
    Value tile = load(portions->second);
    if (!hasTail)
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
               return hasTail ? selectInside(builder, x, mode) : x;
             });
}

std::array<int64_t, 2> RowKernel::shapeOf(graph::ReductionOp op) {
  auto portions = buffers.portionsOf.find(op);
  return portions == buffers.portionsOf.end()
             ? shapeOf(op.getInput())
             : shapeOf(buffers.list[portions->second]);
}

/// `x` where the element is a column of the space, else what is neutral.
Value RowKernel::selectInside(OpBuilder &builder, Value x, ReductionMode mode) {
  Location loc = b.getLoc();
  Value at = tile::CoordOp::create(builder, loc, getReducedAxis());
  at = arith::AddIOp::create(builder, loc, at, column);
  Value isInside = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::ult, at, numColumns);
  Value neutral =
      arith::ConstantOp::create(builder, loc, getNeutral(mode, x.getType()));
  return arith::SelectOp::create(builder, loc, isInside, x, neutral);
}

//===----------------------------------------------------------------------===//
// Walks
//===----------------------------------------------------------------------===//

SmallVector<Value>
RowKernel::forEachChunk(ValueRange initial,
                        function_ref<SmallVector<Value>(ValueRange)> body) {
  if (!space.isLooped)
    return body(initial);
  tiles.clear();
  auto chunks =
      scf::ForOp::create(b, column, columnEnd ? columnEnd : numColumns,
                         i32(space.tileColumns), initial);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(chunks.getBody());
  loop = chunks;
  Value outside = column;
  column = chunks.getInductionVar();
  SmallVector<Value> results = body(chunks.getRegionIterArgs());
  if (!initial.empty())
    scf::YieldOp::create(b, results);
  column = outside;
  loop = nullptr;
  tiles.clear();
  return llvm::to_vector_of<Value>(chunks.getResults());
}

/// The tile's parts of one vector a thread, and `sum`, combined element by
/// element.
Value RowKernel::addParts(graph::ReductionOp op, Value sum, Value tile) {
  auto type = cast<tile::RegType>(sum.getType());
  int64_t step = getColumnAxis() == 0 ? type.getRows() : type.getCols();
  SmallVector<Value> inputs = {sum};
  if (space.vectorsPerThread == 1)
    inputs.push_back(tile);
  for (int64_t part = 0;
       space.vectorsPerThread > 1 && part < space.vectorsPerThread; ++part) {
    std::array<int64_t, 2> at = {0, 0};
    at[getColumnAxis()] = part * step;
    inputs.push_back(tile::ExtractOp::create(b, type, tile, at[0], at[1]));
  }
  Combination how = getCombination(op.getMode());
  return map(inputs, type, [&](OpBuilder &builder, ValueRange args) {
    // The chunk's own elements first: the carried sum waits for one result.
    Value chunk = args[1];
    for (Value other : args.drop_front(2))
      chunk = emitCombination(builder, b.getLoc(), how, chunk, other);
    return emitCombination(builder, b.getLoc(), how, args[0], chunk);
  });
}

/// A tile of each reduction, of which a row's elements are still to be
/// combined.
SmallVector<Value>
RowKernel::accumulate(ArrayRef<graph::ReductionOp> reductions) {
  SmallVector<Value> initial;
  if (!space.isLooped) {
    for (graph::ReductionOp op : reductions)
      initial.push_back(emitContributions(op));
    return initial;
  }
  for (graph::ReductionOp op : reductions) {
    std::array<int64_t, 2> shape = shapeOf(op);
    shape[1] /= space.vectorsPerThread;
    Type type = getReductionType(op);
    Value neutral =
        arith::ConstantOp::create(b, getNeutral(op.getMode(), type));
    initial.push_back(tile::SplatOp::create(b, regType(shape, type), neutral));
  }
  return forEachChunk(initial, [&](ValueRange sums) {
    SmallVector<Value> next;
    for (auto [op, sum] : llvm::zip_equal(reductions, sums))
      next.push_back(addParts(op, sum, emitContributions(op)));
    return next;
  });
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
  count += reduction && llvm::is_contained(spec.reductions, reduction);
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
  unsigned number = 0;
  for (SmallVector<graph::ReductionOp> &walk : walks)
    for (auto [op, tile] : llvm::zip_equal(walk, accumulate(walk))) {
      Value reduced = reduceTile(op, tile);
      if (space.portion)
        storePortion(reduced, buffers.portions[number], number);
      else
        rowTiles[op.getY()] = finish(op, reduced);
      ++number;
    }
}

//===----------------------------------------------------------------------===//
// Portions
//===----------------------------------------------------------------------===//

bool RowKernel::hasRows(const Buffer &buffer) {
  return buffer.value ? hasRows(buffer.value) : !space.rows.empty();
}

bool RowKernel::hasColumns(const Buffer &buffer) {
  return buffer.value ? hasColumns(buffer.value) : !space.columns.empty();
}

std::array<int64_t, 2> RowKernel::shapeOf(const Buffer &buffer) {
  return {hasRows(buffer) && space.hasRowTiles() ? space.tileRows : 1,
          hasColumns(buffer) ? space.tileColumns : 1};
}

void RowKernel::addPortionArguments() {
  if (buffers.count && llvm::any_of(spec.reductions, [](graph::ReductionOp op) {
        return op.getMode() == ReductionMode::AVG;
      }))
    count = arguments.addI32(buffers.count);
  if (!space.portion)
    return;
  portion = arguments.addI32(space.portion);
  pitch = arguments.addI64(ReductionSplit::getPitch(space.numRows));
  blocks = arguments.addI32(
      space.isAcross ? space.numBlocks(spec) / space.splits : space.splits);
  for (const Buffer &buffer : buffers.portions)
    portionPointers.push_back(arguments.addPointer(buffer));
}

/// Blocks that follow one another read what does in memory.
void RowKernel::locatePortion() {
  Value outer = arith::DivUIOp::create(b, row, blocks);
  Value inner = arith::RemUIOp::create(b, row, blocks);
  row = space.isAcross ? inner : outer;
  split = space.isAcross ? outer : inner;
  column = arith::MulIOp::create(b, split, portion);
  Value left = arith::SubIOp::create(b, numColumns, column);
  columnEnd = arith::AddIOp::create(b, column,
                                    arith::MinSIOp::create(b, left, portion));
}

/// One number a row, behind those of the portions before.
void RowKernel::storePortion(Value tile, const Buffer &buffer,
                             unsigned number) {
  int64_t step =
      ReductionSplit::getPitch(space.numRows) * buffer.getElementBytes();
  SmallVector<int64_t> shape(2, 1), divisors(2, 1), strides(2, 0);
  unsigned axis = getRowAxis();
  shape[axis] = ShapedType::kDynamic;
  divisors[axis] = space.numRows % space.vector == 0 ? space.vector : 1;
  strides[axis] = 1;
  auto pointer = cast<tile::PtrType>(portionPointers[number].getType());
  auto type = tile::ViewType::get(
      b.getContext(), shape, divisors, pointer.getElementType(), strides,
      SmallVector<int64_t>(2, 1), std::min<int64_t>(step & -step, 16),
      /*readonly=*/false);
  Value wide = arith::ExtSIOp::create(b, b.getI64Type(), split);
  Value view = tile::MakeViewOp::create(
      b, type, portionPointers[number],
      arith::MulIOp::create(b, wide, pitch).getResult(), numRows, ValueRange());
  BoxPlace place = getPlace(type);
  tile::StoreOp::create(b, tile, view, place.offsets, place.limits,
                        /*axes=*/nullptr, tile::Cache::normal);
}
