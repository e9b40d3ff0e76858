//===- DeviceMath.cpp - Math functions on the GPU -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/Math/DeviceMath.h"
#include "codegen/NVPTX/Math/Arithmetic.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph::codegen;
using opgraph::codegen::math::AngleTraits;
using opgraph::codegen::math::Arithmetic;
using opgraph::codegen::math::LogBase;

static bool isApproximate(Operation *op) {
  auto flags = dyn_cast<arith::ArithFastMathInterface>(op);
  return flags && bitEnumContainsAny(flags.getFastMathFlagsAttr().getValue(),
                                     arith::FastMathFlags::afn);
}

/// The type that a float operand of `op` was widened from, its own otherwise.
static Type getSourceType(Operation *op) {
  Value operand = op->getOperand(0);
  auto widened = operand.getDefiningOp<arith::ExtFOp>();
  return widened ? widened.getIn().getType() : operand.getType();
}

/// The hardware's function, or a short sequence on it, where one is good enough
/// for the next rounding to 16 bits. Null: there is none.
static Value emitApproximate(Arithmetic &a, Operation *op, Value x) {
  // The hardware's logarithm has an absolute error: near 1 it has no digits,
  // but no 16-bit number is that near.
  bool isNarrow = getSourceType(op).getIntOrFloatBitWidth() <= 16;
  if (isa<mlir::math::LogOp, mlir::math::Log2Op>(op) && !isNarrow)
    return {};
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](mlir::math::Exp2Op) { return a.exp2Approx(x); })
      .Case([&](mlir::math::ExpOp) {
        return a.exp2Approx(a.mul(x, a.real(1.44269502f)));
      })
      .Case([&](mlir::math::Log2Op) { return a.log2ApproxFull(x); })
      .Case([&](mlir::math::LogOp) {
        return a.mul(a.log2ApproxFull(x), a.real(0.693147182f));
      })
      .Case([&](mlir::math::Log1pOp) { return emitLog1pApprox(a, x); })
      .Case([&](mlir::math::SqrtOp) {
        return a.call("llvm.nvvm.sqrt.approx.f", x);
      })
      .Case([&](mlir::math::TanhOp) {
        return LLVM::TanhOp::create(a.b, x.getType(), x,
                                    LLVM::FastmathFlags::afn)
            .getResult();
      })
      .Case([&](mlir::math::ErfOp) { return emitErfApprox(a, x); })
      .Case([&](mlir::math::ErfcOp) { return emitErfcApprox(a, x); })
      .Default(Value());
}

static Value emitAccurate(Arithmetic &a, Operation *op, Value x,
                          ValueRange operands, AngleTraits angle) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](mlir::math::Exp2Op) { return a.exp2ApproxFull(x); })
      .Case([&](mlir::math::ExpOp) { return emitExp(a, x); })
      .Case([&](mlir::math::ExpM1Op) { return emitExpM1(a, x); })
      .Case([&](mlir::math::LogOp) { return emitLog(a, x, LogBase::E); })
      .Case([&](mlir::math::Log2Op) { return emitLog(a, x, LogBase::Two); })
      .Case([&](mlir::math::Log10Op) { return emitLog(a, x, LogBase::Ten); })
      .Case([&](mlir::math::Log1pOp) { return emitLog1p(a, x); })
      .Case([&](mlir::math::PowFOp) { return emitPow(a, x, operands[1]); })
      .Case([&](mlir::math::RsqrtOp) {
        return a.call("llvm.nvvm.rsqrt.approx.f", x);
      })
      .Case([&](mlir::math::TanhOp) { return emitTanh(a, x); })
      .Case([&](mlir::math::ErfOp) { return emitErf(a, x); })
      .Case([&](mlir::math::ErfcOp) { return emitErfc(a, x); })
      .Case([&](mlir::math::SinOp) { return emitSin(a, x, angle); })
      .Case([&](mlir::math::CosOp) { return emitCos(a, x, angle); })
      .Case([&](mlir::math::TanOp) { return emitTan(a, x, angle); })
      .Default(Value());
}

Value opgraph::codegen::emitDeviceQuotient(OpBuilder &builder, Location loc,
                                           Value x, Value y,
                                           bool isByReciprocal) {
  ImplicitLocOpBuilder b(loc, builder);
  Type type = x.getType(), f32 = b.getF32Type();
  auto widen = [&](Value value) -> Value {
    return type == f32 ? value : arith::ExtFOp::create(b, f32, value);
  };
  SmallVector<Value> operands = {widen(x), widen(y)};
  Value result;
  if (isByReciprocal) {
    Arithmetic a(b);
    result = a.reciprocalApprox(operands[1]);
    if (!matchPattern(operands[0], m_OneFloat()))
      result = a.mul(operands[0], result);
  } else {
    result = LLVM::CallIntrinsicOp::create(
                 b, f32, b.getStringAttr("llvm.nvvm.div.full"), operands)
                 .getResult(0);
  }
  return type == f32 ? result : arith::TruncFOp::create(b, type, result);
}

Value opgraph::codegen::emitDeviceMath(OpBuilder &builder, Operation *mathOp,
                                       ValueRange scalars,
                                       SmallVectorImpl<Value> *largeAngles) {
  ImplicitLocOpBuilder b(mathOp->getLoc(), builder);
  Type type = mathOp->getResult(0).getType();
  auto f32 = b.getF32Type();
  SmallVector<Value> operands(scalars);
  if (type.isF64()) {
    Arithmetic a(b);
    return emitLibraryCall(a, mathOp, operands);
  }
  if (!type.isF32() && !type.isF16() && !type.isBF16())
    return {};
  if (type != f32)
    for (Value &operand : operands)
      operand = arith::ExtFOp::create(b, f32, operand);
  Arithmetic a(b);
  bool approximate = isApproximate(mathOp);
  Value result;
  if (approximate)
    result = emitApproximate(a, mathOp, operands[0]);
  AngleTraits angle = {/*isSmall=*/getSourceType(mathOp).isF16(), approximate};
  bool isAngular =
      isa<mlir::math::SinOp, mlir::math::CosOp, mlir::math::TanOp>(mathOp);
  if (largeAngles && isAngular && !angle.isSmall) {
    largeAngles->push_back(emitIsLargeAngle(a, operands[0]));
    angle.isSmall = true;
  }
  if (!result)
    result = emitAccurate(a, mathOp, operands[0], operands, angle);
  if (!result)
    result = emitLibraryCall(a, mathOp, operands);
  if (result && type != f32)
    result = arith::TruncFOp::create(b, type, result);
  return result;
}
