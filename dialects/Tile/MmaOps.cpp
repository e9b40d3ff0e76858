//===- MmaOps.cpp - Matrix multiply-accumulate: rules ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Tile/Verify/Local.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph::tile;

static bool isInt8(Type type) { return type.isInteger(8); }

/// W1: which accumulators an element type has.
static bool isAccumulator(Type element, Type accumulator) {
  if (element.isF16())
    return accumulator.isF16() || accumulator.isF32();
  if (isInt8(element))
    return accumulator.isInteger(32);
  bool isFloat = element.isBF16() || element.isF32() ||
                 isa<FloatTF32Type, Float8E4M3FNType, Float8E5M2Type>(element);
  return isFloat && accumulator.isF32();
}

/// Elements along K of one instruction.
static int64_t getInstructionK(Type element) {
  return 256 / getStorageBits(element);
}

static LogicalResult verifyAccumulator(Operation *op, Type element,
                                       Type accumulator) {
  if (isAccumulator(element, accumulator))
    return success();
  return op->emitOpError("expected an accumulator type that ")
         << element << " has (W1), got " << accumulator;
}

LogicalResult MmaAsyncOp::verify() {
  PendingType d = getD().getType();
  SharedType b = getB().getType();
  auto sharedA = dyn_cast<SharedType>(getA().getType());
  auto registerA = dyn_cast<RegType>(getA().getType());
  Type element =
      sharedA ? sharedA.getElementType() : registerA.getElementType();
  if (failed(verifyAccumulator(*this, element, d.getElementType())))
    return failure();
  bool isFloat8 = isa<Float8E4M3FNType, Float8E5M2Type>(element) &&
                  isa<Float8E4M3FNType, Float8E5M2Type>(b.getElementType());
  if (element != b.getElementType() && !isFloat8)
    return emitOpError("expected B of ")
           << element << " (W1), got " << b.getElementType();
  if (d.getDistribution() != AccAttr::get(getContext(), {}))
    return emitOpError("expected D in #tile.acc (W1), got ")
           << d.getDistribution();
  std::array<int64_t, 2> shapeB = getMatrix(b);
  if (getBMajor() == Major::k)
    std::swap(shapeB[0], shapeB[1]);
  std::array<int64_t, 2> shapeA = {0, 0};
  if (sharedA) {
    shapeA = getMatrix(sharedA);
    if (getAMajor() == Major::mn)
      std::swap(shapeA[0], shapeA[1]);
  } else {
    shapeA = {registerA.getRows(), registerA.getCols()};
  }
  if (shapeA[1] != shapeB[0] || shapeA[0] != d.getRows() ||
      shapeB[1] != d.getCols())
    return emitOpError(
               "expected D of M x N for A of M x K and B of K x N (W1), "
               "got ")
           << d.getRows() << 'x' << d.getCols() << " for " << shapeA[0] << 'x'
           << shapeA[1] << " and " << shapeB[0] << 'x' << shapeB[1];
  int64_t k = getInstructionK(element);
  if (d.getRows() % 64 != 0 || d.getCols() % 8 != 0 || d.getCols() > 256 ||
      shapeA[1] % k != 0)
    return emitOpError(
               "expected M a multiple of 64, N of 8 up to 256 and K of ")
           << k << " (W1), got " << d.getRows() << ", " << d.getCols()
           << " and " << shapeA[1];
  bool isTransposed = getBMajor() == Major::mn || getAMajor() == Major::mn;
  if (isTransposed && getStorageBits(element) != 16)
    return emitOpError("expected K-major operands of ")
           << element << ": only 16-bit types have the other (W2)";
  if (registerA && getAMajor() == Major::mn)
    return emitOpError("expected a K-major operand A in registers (W2)");
  if (registerA &&
      registerA.getDistribution() !=
          OperandAttr::get(getContext(), 0, getStorageBits(element), {}))
    return emitOpError("expected A in registers as #tile.operand<0, bits = ")
           << getStorageBits(element) << "> (W1), got "
           << registerA.getDistribution();
  if (getC() && !llvm::TypeSwitch<Type, bool>(getC().getType())
                     .Case<RegType, PendingType>([&](auto c) {
                       return c.getRows() == d.getRows() &&
                              c.getCols() == d.getCols() &&
                              c.getElementType() == d.getElementType() &&
                              c.getDistribution() == d.getDistribution();
                     })
                     .Default([](Type) { return false; }))
    return emitOpError("expected C of D's shape, type and distribution, got ")
           << getC().getType();
  for (Value operand : {getC(), getA()})
    if (operand && isa<PendingType>(operand.getType()) && !operand.hasOneUse())
      return emitOpError("expected the only use of a pending accumulator (W5)");
  int64_t warps = getGroupWarps(*this);
  if (warps && warps != 4)
    return emitOpError("expected a group of 4 warps (K6), got ") << warps;
  return success();
}

LogicalResult MmaSyncOp::verify() {
  RegType a = getA().getType(), b = getB().getType(), c = getC().getType();
  if (failed(verifyAccumulator(*this, a.getElementType(), c.getElementType())))
    return failure();
  if (a.getRows() != c.getRows() || b.getCols() != c.getCols() ||
      a.getCols() != b.getRows())
    return emitOpError(
               "expected C of M x N for A of M x K and B of K x N (W8), "
               "got ")
           << c.getRows() << 'x' << c.getCols() << " for " << a.getRows() << 'x'
           << a.getCols() << " and " << b.getRows() << 'x' << b.getCols();
  auto acc = dyn_cast<AccAttr>(c.getDistribution());
  auto left = dyn_cast<OperandAttr>(a.getDistribution());
  auto right = dyn_cast<OperandAttr>(b.getDistribution());
  unsigned bits = getStorageBits(a.getElementType());
  if (!acc || !left || !right || left.getIndex() != 0 ||
      right.getIndex() != 1 || left.getBits() != bits ||
      right.getBits() != bits || acc.getWarps().empty() ||
      left.getWarps() != acc.getWarps() || right.getWarps() != acc.getWarps())
    return emitOpError(
               "expected #tile.operand<0>, #tile.operand<1> and #tile.acc "
               "over the same warps, of ")
           << bits << " bits (W8), got " << a.getDistribution() << ", "
           << b.getDistribution() << " and " << c.getDistribution();
  return verifyWarps(*this, c);
}
