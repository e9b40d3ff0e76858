//===- RowValues.cpp - Values and reductions of a row kernel --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"
#include "passes/Legalize/NVPTX/Pointwise/RowKernel.h"

#include <limits>

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::nvptx;
using graph::ReductionMode;

static Type elementOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getElementType();
}

/// What arithmetic of `computeType` is emitted in.
static Type getWorkType(Type computeType) {
  bool isNarrow = computeType.isF16() || computeType.isBF16();
  if (isNarrow)
    return Float32Type::get(computeType.getContext());
  return computeType.isInteger(1)
             ? IntegerType::get(computeType.getContext(), 32)
             : computeType;
}

/// Whether the hardware's approximations, of 2^-11 and better, are hidden by
/// the rounding of `value`, or by that of all that is made of it.
static bool hidesApproximations(Value value) {
  Type type = elementOf(value);
  if (type.isBF16() || isa<Float8E4M3FNType, Float8E5M2Type>(type))
    return true;
  return isa<FloatType>(type) && !value.use_empty() &&
         llvm::all_of(value.getUsers(), [](Operation *user) {
           return isa<graph::IdentityOp>(user) &&
                  hidesApproximations(user->getResult(0));
         });
}

/// Lets functions and divisions of the block be the hardware's.
static void approximate(Block &block) {
  auto flags = arith::FastMathFlagsAttr::get(block.getParentOp()->getContext(),
                                             arith::FastMathFlags::afn);
  for (Operation &op : block)
    if (isa<math::MathDialect>(op.getDialect()) || isa<arith::DivFOp>(op))
      if (auto fast = dyn_cast<arith::ArithFastMathInterface>(op))
        op.setAttr(fast.getFastMathAttrName(), flags);
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

Value RowKernel::map(ValueRange inputs, tile::RegType type, Body body) {
  OpBuilder::InsertionGuard guard(b);
  auto op = tile::MapOp::create(b, TypeRange(type), inputs);
  Block &block = op.getBody().emplaceBlock();
  for (Value input : inputs)
    block.addArgument(cast<tile::RegType>(input.getType()).getElementType(),
                      b.getLoc());
  b.setInsertionPointToStart(&block);
  tile::YieldOp::create(b, body(b, block.getArguments()));
  return op.getTiles()[0];
}

Value RowKernel::getScalar(OpBuilder &builder, Value value) {
  Location loc = b.getLoc();
  Type element = elementOf(value), storage = getStorageType(element);
  if (auto constant = value.getDefiningOp<graph::ConstantOp>()) {
    TypedAttr attr = constant.getValue();
    if (auto number = dyn_cast<FloatAttr>(attr); number && storage == element) {
      APFloat rounded = number.getValue();
      bool losesInfo;
      rounded.convert(cast<FloatType>(element).getFloatSemantics(),
                      APFloat::rmNearestTiesToEven, &losesInfo);
      return arith::ConstantOp::create(builder, loc,
                                       FloatAttr::get(element, rounded));
    }
    bool isFloat = isa<FloatAttr>(attr);
    TypedAttr wide =
        isFloat ? TypedAttr(builder.getF32FloatAttr(static_cast<float>(
                      cast<FloatAttr>(attr).getValueAsDouble())))
                : TypedAttr(builder.getI64IntegerAttr(
                      cast<IntegerAttr>(attr).getValue().getSExtValue()));
    return convertToStorage(
        builder, loc, arith::ConstantOp::create(builder, loc, wide), element);
  }
  auto found = scalars.find(value);
  if (found == scalars.end())
    return {};
  Value scalar = found->second;
  return scalar.getType() == storage
             ? scalar
             : convertToStorage(builder, loc, scalar, element);
}

Value RowKernel::evaluate(Value value) {
  bool isOfRows = !hasColumns(value);
  auto &memo = isOfRows ? rowTiles : tiles;
  if (Value known = memo.lookup(value))
    return known;
  OpBuilder::InsertionGuard guard(b);
  if (isOfRows && loop)
    b.setInsertionPoint(loop);
  Value tile;
  if (auto input = buffers.inputs.find(value); input != buffers.inputs.end())
    tile = load(input->second);
  else if (buffers.scalars.contains(value) ||
           value.getDefiningOp<graph::ConstantOp>())
    tile = map({}, regType({1, 1}, getStorageType(elementOf(value))),
               [&](OpBuilder &builder, ValueRange) {
                 return getScalar(builder, value);
               });
  else if (auto reshape = value.getDefiningOp<graph::ReshapeOp>())
    tile = evaluate(reshape.getInput());
  else if (auto reduction = value.getDefiningOp<graph::ReductionOp>())
    tile = evaluateSingle(reduction);
  else
    tile = evaluateOp(value.getDefiningOp());
  return memo[value] = tile;
}

Value RowKernel::evaluateOp(Operation *op) {
  auto pointwise = cast<graph::PointwiseOpInterface>(op);
  Value result = op->getResult(0);
  Type compute = getArithmeticType(pointwise), work = getWorkType(compute);
  graph::PointwiseMode mode = pointwise.getMode();
  // Scalars are captured, tiles are inputs.
  SmallVector<Value> inputs;
  SmallVector<int64_t> inputOf;
  for (Value operand : op->getOperands()) {
    bool isScalar = buffers.scalars.contains(operand) ||
                    operand.getDefiningOp<graph::ConstantOp>();
    inputOf.push_back(isScalar ? -1 : static_cast<int64_t>(inputs.size()));
    if (!isScalar)
      inputs.push_back(evaluate(operand));
  }
  tile::RegType type =
      regType(shapeOf(result), getStorageType(elementOf(result)));
  Value tile = map(inputs, type, [&](OpBuilder &builder, ValueRange args) {
    Location loc = b.getLoc();
    SmallVector<Value> operands;
    for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
      Value stored = inputOf[number] < 0 ? getScalar(builder, operand)
                                         : args[inputOf[number]];
      Type element = elementOf(operand);
      bool isMask = mode == graph::PointwiseMode::BINARY_SELECT && number == 2;
      operands.push_back(isMask ? emitIsNonZero(builder, loc, stored, element)
                                : convertOperand(builder, loc, stored, element,
                                                 compute, work));
    }
    Value value = emitPointwise(builder, loc, mode, getPointwiseParams(op),
                                operands, work);
    return convertToStorage(builder, loc, value, elementOf(result));
  });
  if (hidesApproximations(result))
    approximate(tile.getDefiningOp<tile::MapOp>().getBody().front());
  return tile;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Products leave the range of f32 long before their factors are used up.
static Type getReductionType(graph::ReductionOp op) {
  Type work = getWorkType(op.getEffectiveComputeType());
  bool isProduct = op.getMode() == ReductionMode::MUL ||
                   op.getMode() == ReductionMode::MUL_NO_ZEROS;
  return isProduct && work.isF32() ? Type(Float64Type::get(op.getContext()))
                                   : work;
}

static tile::Combine getCombine(ReductionMode mode, Type work) {
  bool isFloat = isa<FloatType>(work);
  switch (mode) {
  case ReductionMode::ADD:
  case ReductionMode::AVG:
  case ReductionMode::NORM1:
  case ReductionMode::NORM2:
    return tile::Combine::add;
  case ReductionMode::MUL:
  case ReductionMode::MUL_NO_ZEROS:
    return tile::Combine::mul;
  case ReductionMode::MIN:
    return isFloat ? tile::Combine::min_nan : tile::Combine::min;
  case ReductionMode::MAX:
  case ReductionMode::AMAX:
    return isFloat ? tile::Combine::max_nan : tile::Combine::max;
  }
  llvm_unreachable("all modes handled");
}

static Value emitCombine(OpBuilder &b, Location loc, tile::Combine how, Value l,
                         Value r) {
  bool isFloat = isa<FloatType>(l.getType());
  switch (how) {
  case tile::Combine::add:
    if (isFloat)
      return arith::AddFOp::create(b, loc, l, r);
    return arith::AddIOp::create(b, loc, l, r);
  case tile::Combine::mul:
    if (isFloat)
      return arith::MulFOp::create(b, loc, l, r);
    return arith::MulIOp::create(b, loc, l, r);
  case tile::Combine::min_nan:
    return arith::MinimumFOp::create(b, loc, l, r);
  case tile::Combine::max_nan:
    return arith::MaximumFOp::create(b, loc, l, r);
  case tile::Combine::min:
    return arith::MinSIOp::create(b, loc, l, r);
  case tile::Combine::max:
    return arith::MaxSIOp::create(b, loc, l, r);
  default:
    llvm_unreachable("no reduction combines so");
  }
}

/// What leaves other elements as they are.
static TypedAttr getNeutral(ReductionMode mode, Type work) {
  Builder b(work.getContext());
  bool isProduct =
      mode == ReductionMode::MUL || mode == ReductionMode::MUL_NO_ZEROS;
  if (isProduct)
    return b.getOneAttr(work);
  bool isMin = mode == ReductionMode::MIN;
  // amax is never below 0, and is 0 over nothing.
  if (!isMin && mode != ReductionMode::MAX)
    return b.getZeroAttr(work);
  if (isa<FloatType>(work)) {
    double infinity = std::numeric_limits<double>::infinity();
    return b.getFloatAttr(work, isMin ? infinity : -infinity);
  }
  unsigned bits = work.getIntOrFloatBitWidth();
  return b.getIntegerAttr(work, isMin ? APInt::getSignedMaxValue(bits)
                                      : APInt::getSignedMinValue(bits));
}

static Value emitElement(OpBuilder &b, Location loc, ReductionMode mode,
                         Value x) {
  bool isFloat = isa<FloatType>(x.getType());
  switch (mode) {
  case ReductionMode::AMAX:
  case ReductionMode::NORM1:
    return isFloat ? math::AbsFOp::create(b, loc, x).getResult()
                   : math::AbsIOp::create(b, loc, x).getResult();
  case ReductionMode::NORM2:
    return arith::MulFOp::create(b, loc, x, x);
  case ReductionMode::MUL_NO_ZEROS: {
    Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(x.getType()));
    Value one = arith::ConstantOp::create(b, loc, b.getOneAttr(x.getType()));
    Value isZero =
        isFloat
            ? arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OEQ, x, zero)
                  .getResult()
            : arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, x, zero)
                  .getResult();
    return arith::SelectOp::create(b, loc, isZero, one, x);
  }
  default:
    return x;
  }
}

Value RowKernel::emitContribution(graph::ReductionOp op, Type work) {
  Value input = op.getInput();
  Type compute = op.getEffectiveComputeType();
  ReductionMode mode = op.getMode();
  // Columns past the last are in the last tile only.
  bool hasTail =
      space.numColumns == 0 || space.numColumns % space.tileColumns != 0;
  return map(
      evaluate(input), regType(shapeOf(input), work),
      [&](OpBuilder &builder, ValueRange args) {
        Location loc = b.getLoc();
        Value x = convertOperand(builder, loc, args[0], elementOf(input),
                                 compute, work);
        x = emitElement(builder, loc, mode, x);
        if (!hasTail)
          return x;
        Value at = tile::CoordOp::create(builder, loc, getReducedAxis());
        at = arith::AddIOp::create(builder, loc, at, column);
        Value isInside = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::ult, at, numColumns);
        Value neutral =
            arith::ConstantOp::create(builder, loc, getNeutral(mode, work));
        return arith::SelectOp::create(builder, loc, isInside, x, neutral)
            .getResult();
      });
}

/// The sum, say, of all chunks, element by element of a tile.
Value RowKernel::accumulate(graph::ReductionOp op, Type work) {
  if (!space.isLooped)
    return emitContribution(op, work);
  tile::RegType type = regType(shapeOf(op.getInput()), work);
  tile::Combine how = getCombine(op.getMode(), work);
  Value neutral = arith::ConstantOp::create(b, getNeutral(op.getMode(), work));
  Value initial = tile::SplatOp::create(b, type, neutral);
  return forEachChunk(initial, [&](Value accumulator) {
    Value inputs[] = {accumulator, emitContribution(op, work)};
    return map(inputs, type, [&](OpBuilder &builder, ValueRange args) {
      return emitCombine(builder, b.getLoc(), how, args[0], args[1]);
    });
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

Value RowKernel::evaluateSingle(graph::ReductionOp op) {
  Value input = op.getInput();
  Type element = elementOf(op.getY());
  Type compute = op.getEffectiveComputeType(), work = getReductionType(op);
  return map(evaluate(input), regType(shapeOf(input), getStorageType(element)),
             [&](OpBuilder &builder, ValueRange args) {
               Location loc = b.getLoc();
               Value x = convertOperand(builder, loc, args[0], elementOf(input),
                                        compute, work);
               x = emitElement(builder, loc, op.getMode(), x);
               if (op.getMode() == ReductionMode::NORM2)
                 x = math::SqrtOp::create(builder, loc, x);
               return convertToStorage(builder, loc, x, element);
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
    Value value = args[0];
    if (op.getMode() == ReductionMode::AVG) {
      Value count =
          arith::UIToFPOp::create(builder, loc, value.getType(), numColumns);
      value = arith::DivFOp::create(builder, loc, value, count);
    }
    if (op.getMode() == ReductionMode::NORM2)
      value = math::SqrtOp::create(builder, loc, value);
    return convertToStorage(builder, loc, value, element);
  });
}

void RowKernel::reduce(graph::ReductionOp op) {
  Value whole = accumulate(op, getReductionType(op));
  rowTiles[op.getY()] = finish(op, reduceTile(op, whole));
}
