//===- Arithmetic.cpp - Short names for f32 arithmetic --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/Math/Arithmetic.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using opgraph::codegen::math::Arithmetic;

Value Arithmetic::real(float value) {
  return arith::ConstantOp::create(b, b.getF32FloatAttr(value));
}
Value Arithmetic::number(int64_t value) {
  return arith::ConstantOp::create(
      b, b.getI32IntegerAttr(static_cast<int32_t>(value)));
}

Value Arithmetic::add(Value lhs, Value rhs) {
  return arith::AddFOp::create(b, lhs, rhs);
}
Value Arithmetic::sub(Value lhs, Value rhs) {
  return arith::SubFOp::create(b, lhs, rhs);
}
Value Arithmetic::mul(Value lhs, Value rhs) {
  return arith::MulFOp::create(b, lhs, rhs);
}
Value Arithmetic::fma(Value x, Value y, Value z) {
  return mlir::math::FmaOp::create(b, x, y, z);
}
Value Arithmetic::neg(Value value) { return arith::NegFOp::create(b, value); }
Value Arithmetic::abs(Value value) {
  return mlir::math::AbsFOp::create(b, value);
}
Value Arithmetic::copySign(Value magnitude, Value sign) {
  return mlir::math::CopySignOp::create(b, magnitude, sign);
}
Value Arithmetic::minNum(Value lhs, Value rhs) {
  return arith::MinNumFOp::create(b, lhs, rhs);
}
Value Arithmetic::maxNum(Value lhs, Value rhs) {
  return arith::MaxNumFOp::create(b, lhs, rhs);
}
Value Arithmetic::minimum(Value lhs, Value rhs) {
  return arith::MinimumFOp::create(b, lhs, rhs);
}
Value Arithmetic::maximum(Value lhs, Value rhs) {
  return arith::MaximumFOp::create(b, lhs, rhs);
}
Value Arithmetic::trunc(Value value) {
  return mlir::math::TruncOp::create(b, value);
}

Value Arithmetic::cmp(arith::CmpFPredicate predicate, Value lhs, Value rhs) {
  return arith::CmpFOp::create(b, predicate, lhs, rhs);
}
Value Arithmetic::cmp(arith::CmpIPredicate predicate, Value lhs, int64_t rhs) {
  return arith::CmpIOp::create(b, predicate, lhs, number(rhs));
}
Value Arithmetic::select(Value condition, Value yes, Value no) {
  return arith::SelectOp::create(b, condition, yes, no);
}
Value Arithmetic::both(Value lhs, Value rhs) {
  return arith::AndIOp::create(b, lhs, rhs);
}
Value Arithmetic::negated(Value condition) {
  Value yes = arith::ConstantOp::create(b, b.getBoolAttr(true));
  return arith::XOrIOp::create(b, condition, yes);
}
Value Arithmetic::either(Value lhs, Value rhs) {
  return arith::OrIOp::create(b, lhs, rhs);
}

Value Arithmetic::bits(Value real) {
  return arith::BitcastOp::create(b, b.getI32Type(), real);
}
Value Arithmetic::fromBits(Value bits) {
  return arith::BitcastOp::create(b, b.getF32Type(), bits);
}
Value Arithmetic::addBits(Value lhs, int64_t rhs) {
  return arith::AddIOp::create(b, lhs, number(rhs));
}
Value Arithmetic::subBits(Value lhs, Value rhs) {
  return arith::SubIOp::create(b, lhs, rhs);
}
Value Arithmetic::mask(Value value, int64_t bits) {
  return arith::AndIOp::create(b, value, number(bits));
}
Value Arithmetic::left(Value value, int64_t by) {
  return arith::ShLIOp::create(b, value, number(by));
}
Value Arithmetic::right(Value value, int64_t by) {
  return arith::ShRUIOp::create(b, value, number(by));
}
Value Arithmetic::toReal(Value number) {
  return arith::SIToFPOp::create(b, b.getF32Type(), number);
}

Value Arithmetic::polynomial(Value x, ArrayRef<float> coefficients) {
  Value sum = real(coefficients.back());
  for (float coefficient : llvm::reverse(coefficients.drop_back()))
    sum = fma(sum, x, real(coefficient));
  return sum;
}

Value Arithmetic::call(StringRef intrinsic, Value value) {
  return LLVM::CallIntrinsicOp::create(b, value.getType(),
                                       b.getStringAttr(intrinsic), value)
      .getResult(0);
}
Value Arithmetic::exp2Approx(Value value) {
  return call("llvm.nvvm.ex2.approx.ftz", value);
}
Value Arithmetic::exp2ApproxFull(Value value) {
  return call("llvm.nvvm.ex2.approx", value);
}
Value Arithmetic::log2Approx(Value value) {
  return call("llvm.nvvm.lg2.approx.ftz.f", value);
}
Value Arithmetic::log2ApproxFull(Value value) {
  return call("llvm.nvvm.lg2.approx.f", value);
}
Value Arithmetic::reciprocalApprox(Value value) {
  return call("llvm.nvvm.rcp.approx.ftz.f", value);
}

Value Arithmetic::power(Value shifted) {
  return fromBits(left(bits(shifted), 23));
}
