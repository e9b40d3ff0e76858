//===- ScalarOps.cpp - Scalar operations as the GPU has them --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/ScalarOps.h"
#include "codegen/NVPTX/Math/DeviceMath.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

//===-- One register ------------------------------------------------------===//

/// Whether a register holds values of `type` in another type.
static bool isReplaced(KernelEmitter &emitter, Type type) {
  return emitter.scalarType(type) != type;
}

/// The op again, on lowered operands and with lowered result types.
static Operation *cloneScalarOp(KernelEmitter &emitter, Operation *op,
                                ValueRange operands) {
  SmallVector<Type> types;
  for (Type type : op->getResultTypes())
    types.push_back(emitter.scalarType(type));
  Operation *clone = Operation::create(
      op->getLoc(), op->getName(), types, operands,
      op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
      BlockRange(), /*numRegions=*/0);
  return emitter.b.insert(clone);
}

/// A constant of an 8-bit float is its bits.
static Value emitConstant(KernelEmitter &emitter, arith::ConstantOp op) {
  auto value = dyn_cast<FloatAttr>(op.getValue());
  if (!value || !isReplaced(emitter, op.getType()))
    return emitter.constant(op.getValue());
  if (isa<FloatTF32Type>(op.getType()))
    return emitter.constant(emitter.b.getF32FloatAttr(
        static_cast<float>(value.getValueAsDouble())));
  llvm::APInt bits = value.getValue().bitcastToAPInt();
  return emitter.constant(
      emitter.b.getI8IntegerAttr(static_cast<int8_t>(bits.getSExtValue())));
}

/// Math that LLVM turns into an instruction or a short exact sequence; the rest
/// is device math.
static bool isInstruction(Operation *op) {
  if (isa<IntegerType>(op->getResult(0).getType()))
    return true;
  if (auto root = dyn_cast<math::SqrtOp>(op))
    if (!root.getType().isF64() &&
        bitEnumContainsAny(root.getFastmath(), arith::FastMathFlags::afn))
      return false;
  return isa<math::AbsFOp, math::CopySignOp, math::FmaOp, math::FloorOp,
             math::CeilOp, math::RoundEvenOp, math::TruncOp, math::SqrtOp>(op);
}

/// Conversion of out-of-range floats saturates, as hardware does it; NaN is 0.
static Value emitFloatToInt(KernelEmitter &emitter, Operation *op,
                            Value operand) {
  Type type = emitter.scalarType(op->getResult(0).getType());
  StringRef name =
      isa<arith::FPToSIOp>(op) ? "llvm.fptosi.sat" : "llvm.fptoui.sat";
  return LLVM::CallIntrinsicOp::create(emitter.b, type,
                                       emitter.b.getStringAttr(name), operand)
      .getResult(0);
}

static LogicalResult emitMathOp(KernelEmitter &emitter, Operation *op,
                                ValueRange operands,
                                SmallVectorImpl<Value> &results,
                                SmallVectorImpl<Value> *largeAngles) {
  if (isInstruction(op)) {
    llvm::append_range(results,
                       cloneScalarOp(emitter, op, operands)->getResults());
    return success();
  }
  Value result = emitDeviceMath(emitter.b, op, operands, largeAngles);
  if (!result)
    return op->emitOpError("of ")
           << op->getResult(0).getType() << " has no device function for "
           << emitter.info.cpu;
  results.push_back(result);
  return success();
}

/// Floats that there are conversions of, and no arithmetic.
static bool isStorageOnly(Type type) {
  return isa<FloatTF32Type>(type) ||
         (isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8);
}

/// Ops that may have one as operand or result.
static bool servesStorage(Operation *op) {
  return isa<arith::SelectOp, arith::BitcastOp>(op);
}

LogicalResult opgraph::codegen::emitScalarOp(
    KernelEmitter &emitter, Operation *op, ValueRange operands,
    SmallVectorImpl<Value> &results, SmallVectorImpl<Value> *largeAngles) {
  ImplicitLocOpBuilder &b = emitter.b;
  b.setLoc(op->getLoc());
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    results.push_back(emitConstant(emitter, constant));
    return success();
  }
  if (isa<arith::ExtFOp, arith::TruncFOp>(op)) {
    results.push_back(emitConvertFloat(
        emitter, operands[0], cast<FloatType>(op->getOperand(0).getType()),
        cast<FloatType>(op->getResult(0).getType())));
    return success();
  }
  if (isa<arith::FPToSIOp, arith::FPToUIOp>(op)) {
    results.push_back(emitFloatToInt(emitter, op, operands[0]));
    return success();
  }
  if ((llvm::any_of(op->getOperandTypes(), isStorageOnly) ||
       llvm::any_of(op->getResultTypes(), isStorageOnly)) &&
      !servesStorage(op))
    return op->emitOpError("computes in an 8-bit float or tf32, which has "
                           "conversions only: expected f16, bf16, f32 or f64");
  if (isa<arith::RemFOp>(op)) {
    results.push_back(
        emitDeviceRemainder(b, op->getLoc(), operands[0], operands[1]));
    return success();
  }
  if (auto divide = dyn_cast<arith::DivFOp>(op);
      divide && !divide.getType().isF64() &&
      bitEnumContainsAny(divide.getFastmath(), arith::FastMathFlags::afn)) {
    bool isByReciprocal =
        bitEnumContainsAny(divide.getFastmath(), arith::FastMathFlags::arcp);
    results.push_back(emitDeviceQuotient(b, op->getLoc(), operands[0],
                                         operands[1], isByReciprocal));
    return success();
  }
  if (isa<arith::BitcastOp>(op) &&
      operands[0].getType() == emitter.scalarType(op->getResult(0).getType())) {
    results.push_back(operands[0]);
    return success();
  }
  if (isa<math::MathDialect>(op->getDialect()))
    return emitMathOp(emitter, op, operands, results, largeAngles);
  llvm::append_range(results,
                     cloneScalarOp(emitter, op, operands)->getResults());
  return success();
}

LogicalResult
opgraph::codegen::emitScalarBlock(KernelEmitter &emitter, Block &block,
                                  ValueRange arguments,
                                  SmallVectorImpl<Value> &yielded) {
  llvm::DenseMap<Value, Value> local;
  for (auto [argument, value] : llvm::zip(block.getArguments(), arguments))
    local[argument] = value;
  auto lookup = [&](Value value) {
    auto found = local.find(value);
    return found == local.end() ? emitter.scalar(value) : found->second;
  };
  for (Operation &op : block.without_terminator()) {
    SmallVector<Value> operands, results;
    for (Value operand : op.getOperands())
      operands.push_back(lookup(operand));
    if (failed(emitScalarOp(emitter, &op, operands, results)))
      return failure();
    for (auto [result, value] : llvm::zip(op.getResults(), results))
      local[result] = value;
  }
  for (Value value : block.getTerminator()->getOperands())
    yielded.push_back(lookup(value));
  return success();
}

//===-- Two registers -----------------------------------------------------===//

Value opgraph::codegen::packPair(KernelEmitter &emitter, Value first,
                                 Value second) {
  ImplicitLocOpBuilder &b = emitter.b;
  auto from = first.getDefiningOp<LLVM::ExtractElementOp>();
  auto to = second.getDefiningOp<LLVM::ExtractElementOp>();
  auto type = VectorType::get({2}, first.getType());
  if (from && to && from.getVector() == to.getVector() &&
      from.getVector().getType() == type &&
      matchPattern(from.getPosition(), m_Zero()) &&
      matchPattern(to.getPosition(), m_One()))
    return from.getVector();
  Value vector = LLVM::PoisonOp::create(b, type);
  vector = LLVM::InsertElementOp::create(b, vector, first, emitter.i32(0));
  return LLVM::InsertElementOp::create(b, vector, second, emitter.i32(1));
}

std::array<Value, 2> opgraph::codegen::unpackPair(KernelEmitter &emitter,
                                                  Value vector) {
  ImplicitLocOpBuilder &b = emitter.b;
  Value first = LLVM::ExtractElementOp::create(b, vector, emitter.i32(0));
  Value second = LLVM::ExtractElementOp::create(b, vector, emitter.i32(1));
  return {first, second};
}

/// Arithmetic that 16-bit floats have two to an instruction. bf16 has all of it
/// from sm_90 on.
static bool isPacked(KernelEmitter &emitter, Operation *op) {
  if (op->getNumResults() != 1)
    return false;
  Type type = op->getResult(0).getType();
  bool isServed =
      type.isF16() || (type.isBF16() && emitter.target >= tile::Target::sm_90a);
  return isServed && isa<arith::AddFOp, arith::SubFOp, arith::MulFOp,
                         arith::MaxNumFOp, arith::MinNumFOp, arith::MaximumFOp,
                         arith::MinimumFOp, math::FmaOp>(op);
}

bool opgraph::codegen::emitScalarPair(KernelEmitter &emitter, Operation *op,
                                      ValueRange first, ValueRange second,
                                      std::array<Value, 2> &results) {
  ImplicitLocOpBuilder &b = emitter.b;
  b.setLoc(op->getLoc());
  if (isa<arith::ExtFOp, arith::TruncFOp>(op)) {
    results = emitConvertFloatPair(emitter, first[0], second[0],
                                   cast<FloatType>(op->getOperand(0).getType()),
                                   cast<FloatType>(op->getResult(0).getType()));
    return results[0] != nullptr;
  }
  if (!isPacked(emitter, op))
    return false;
  SmallVector<Value> operands;
  for (auto [low, high] : llvm::zip(first, second))
    operands.push_back(packPair(emitter, low, high));
  auto type = VectorType::get({2}, op->getResult(0).getType());
  Operation *packed = Operation::create(
      op->getLoc(), op->getName(), TypeRange(type), operands,
      op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
      BlockRange(), /*numRegions=*/0);
  b.insert(packed);
  results = unpackPair(emitter, packed->getResult(0));
  return true;
}
