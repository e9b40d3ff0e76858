//===- RowValues.cpp - Values of a row kernel -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"
#include "passes/Legalize/NVPTX/Pointwise/Elements.h"
#include "passes/Legalize/NVPTX/Pointwise/FastFormulas.h"
#include "passes/Legalize/NVPTX/Pointwise/RowKernel.h"
#include "passes/Transforms/Expansion.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::nvptx;

static Type elementOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getElementType();
}

Type opgraph::legalize::nvptx::getWorkType(Type computeType) {
  bool isNarrow = computeType.isF16() || computeType.isBF16();
  if (isNarrow)
    return Float32Type::get(computeType.getContext());
  return computeType.isInteger(1)
             ? IntegerType::get(computeType.getContext(), 32)
             : computeType;
}

void opgraph::legalize::nvptx::approximate(Block &block) {
  for (Operation &op : block)
    if (isa<math::MathDialect>(op.getDialect()) || isa<arith::DivFOp>(op))
      if (auto fast = dyn_cast<arith::ArithFastMathInterface>(op))
        op.setAttr(fast.getFastMathAttrName(),
                   arith::FastMathFlagsAttr::get(
                       op.getContext(), fast.getFastMathFlagsAttr().getValue() |
                                            arith::FastMathFlags::afn));
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

Value RowKernel::map(ValueRange inputs, tile::RegType type, Body body) {
  return mapAll(inputs, TypeRange(type),
                [&](OpBuilder &builder, ValueRange args) {
                  return SmallVector<Value>{body(builder, args)};
                })
      .front();
}

SmallVector<Value> RowKernel::mapAll(ValueRange inputs, TypeRange types,
                                     WideBody body) {
  OpBuilder::InsertionGuard guard(b);
  auto op = tile::MapOp::create(b, types, inputs);
  Block &block = op.getBody().emplaceBlock();
  for (Value input : inputs)
    block.addArgument(cast<tile::RegType>(input.getType()).getElementType(),
                      b.getLoc());
  b.setInsertionPointToStart(&block);
  tile::YieldOp::create(b, body(b, block.getArguments()));
  return llvm::to_vector_of<Value>(op.getTiles());
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
  else if (auto index = value.getDefiningOp<graph::GenIndexOp>())
    tile = evaluateIndex(index);
  else if (auto random = value.getDefiningOp<graph::RngOp>())
    tile = evaluateRandom(random);
  else
    tile = evaluateOp(value.getDefiningOp());
  return memo[value] = tile;
}

Value RowKernel::evaluateOp(Operation *op) {
  auto pointwise = cast<graph::PointwiseOpInterface>(op);
  Value result = op->getResult(0);
  Type compute = getArithmeticType(pointwise), work = getWorkType(compute);
  graph::PointwiseMode mode = pointwise.getMode();
  Hidden hidden = getHidden(result);
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
      operands.push_back(
          isMask ? emitIsNonZero(builder, loc, stored, element)
                 : readOperand(builder, loc, stored, element, compute, work));
    }
    Value value;
    if (op->hasAttr(kStickyAttrName))
      value = emitStickyQuotient(builder, loc, operands[0], operands[1]);
    else if (work.isF32())
      value = emitFastPointwise(builder, loc, mode, getPointwiseParams(op),
                                operands, hidden);
    if (!value)
      value = emitPointwise(builder, loc, mode, getPointwiseParams(op),
                            operands, work);
    return writeElement(builder, loc, value, elementOf(result));
  });
  if (hidden == Hidden::Coarse)
    approximate(tile.getDefiningOp<tile::MapOp>().getBody().front());
  return tile;
}

Value RowKernel::evaluateIndex(graph::GenIndexOp op) {
  Value result = op->getResult(0);
  int64_t rankOfResult = cast<RankedTensorType>(result.getType()).getRank();
  auto axis = static_cast<unsigned>(rank - rankOfResult + op.getAxis());
  Type element = elementOf(result);
  return map({}, regType(shapeOf(result), getStorageType(element)),
             [&](OpBuilder &builder, ValueRange) {
               Location loc = b.getLoc();
               Value at = emitCoordinate(builder, axis);
               Value wide = arith::ExtUIOp::create(builder, loc,
                                                   builder.getI64Type(), at);
               return convertToStorage(builder, loc, wide, element);
             });
}
