//===- Combines.cpp - How a GPU combines elements -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/Combines.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

//===-- In memory ---------------------------------------------------------===//

namespace {
/// The instructions of one `tile::Combine`, where there are any.
struct MemoryCombine {
  std::optional<LLVM::AtomicBinOp> ofFloats, ofSigned, ofUnsigned;
  std::optional<NVVM::TMAReduxKind> redux;
};
} // namespace

static MemoryCombine getMemoryCombine(tile::Combine combine) {
  using Atomic = LLVM::AtomicBinOp;
  using Redux = NVVM::TMAReduxKind;
  switch (combine) {
  case tile::Combine::add:
    return {Atomic::fadd, Atomic::add, Atomic::add, Redux::ADD};
  case tile::Combine::min:
    return {Atomic::fmin, Atomic::min, Atomic::umin, Redux::MIN};
  case tile::Combine::max:
    return {Atomic::fmax, Atomic::max, Atomic::umax, Redux::MAX};
  case tile::Combine::bit_and:
    return {Atomic::_and, Atomic::_and, Atomic::_and, Redux::AND};
  case tile::Combine::bit_or:
    return {Atomic::_or, Atomic::_or, Atomic::_or, Redux::OR};
  case tile::Combine::bit_xor:
    return {Atomic::_xor, Atomic::_xor, Atomic::_xor, Redux::XOR};
  case tile::Combine::mul:
  case tile::Combine::amax:
  case tile::Combine::min_nan:
  case tile::Combine::max_nan:
    return {};
  }
  llvm_unreachable("all combinations handled");
}

std::optional<LLVM::AtomicBinOp>
opgraph::codegen::getAtomic(tile::Combine combine, Type element) {
  MemoryCombine in = getMemoryCombine(combine);
  if (isa<FloatType>(element))
    return in.ofFloats;
  return element.isUnsignedInteger() ? in.ofUnsigned : in.ofSigned;
}

std::optional<NVVM::TMAReduxKind>
opgraph::codegen::getRedux(tile::Combine combine) {
  return getMemoryCombine(combine).redux;
}

//===-- In registers ------------------------------------------------------===//

static Value combineFloats(ImplicitLocOpBuilder &b, tile::Combine combine,
                           Value lhs, Value rhs) {
  switch (combine) {
  case tile::Combine::add:
    return arith::AddFOp::create(b, lhs, rhs);
  case tile::Combine::mul:
    return arith::MulFOp::create(b, lhs, rhs);
  case tile::Combine::min:
    return arith::MinNumFOp::create(b, lhs, rhs);
  case tile::Combine::max:
  case tile::Combine::amax:
    return arith::MaxNumFOp::create(b, lhs, rhs);
  case tile::Combine::min_nan:
    return arith::MinimumFOp::create(b, lhs, rhs);
  case tile::Combine::max_nan:
    return arith::MaximumFOp::create(b, lhs, rhs);
  case tile::Combine::bit_and:
  case tile::Combine::bit_or:
  case tile::Combine::bit_xor:
    break;
  }
  return {};
}

static Value combineIntegers(ImplicitLocOpBuilder &b, tile::Combine combine,
                             bool isUnsigned, Value lhs, Value rhs) {
  switch (combine) {
  case tile::Combine::add:
    return arith::AddIOp::create(b, lhs, rhs);
  case tile::Combine::mul:
    return arith::MulIOp::create(b, lhs, rhs);
  case tile::Combine::min:
  case tile::Combine::min_nan:
    return isUnsigned ? Value(arith::MinUIOp::create(b, lhs, rhs))
                      : Value(arith::MinSIOp::create(b, lhs, rhs));
  case tile::Combine::max:
  case tile::Combine::max_nan:
  case tile::Combine::amax:
    return isUnsigned ? Value(arith::MaxUIOp::create(b, lhs, rhs))
                      : Value(arith::MaxSIOp::create(b, lhs, rhs));
  case tile::Combine::bit_and:
    return arith::AndIOp::create(b, lhs, rhs);
  case tile::Combine::bit_or:
    return arith::OrIOp::create(b, lhs, rhs);
  case tile::Combine::bit_xor:
    return arith::XOrIOp::create(b, lhs, rhs);
  }
  llvm_unreachable("all combinations handled");
}

Value opgraph::codegen::emitCombine(KernelEmitter &emitter,
                                    tile::Combine combine, Type element,
                                    Value lhs, Value rhs) {
  if (isa<FloatType>(lhs.getType()))
    return combineFloats(emitter.b, combine, lhs, rhs);
  bool isUnsigned = element.isUnsignedInteger() || element.isInteger(1);
  return combineIntegers(emitter.b, combine, isUnsigned, lhs, rhs);
}
