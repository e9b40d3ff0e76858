//===- MmaOps.cpp - Matrix multiply-accumulate: rules ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Tile/Verify/Local.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph::tile;

static bool isInt8(Type type) { return type.isInteger(8); }

/// W1: which accumulators an element type has. mma.sync sums 8-bit floats in
/// f32 only.
static LogicalResult verifyAccumulator(Operation *op, Type element,
                                       Type accumulator) {
  bool isFloat = element.isBF16() || element.isF16() || element.isF32() ||
                 isa<FloatTF32Type>(element) || isFloat8(element);
  bool hasHalf = element.isF16() || (isFloat8(element) && isa<MmaAsyncOp>(op));
  if ((isInt8(element) && accumulator.isSignlessInteger(32)) ||
      (isFloat && accumulator.isF32()) || (hasHalf && accumulator.isF16()))
    return success();
  return op->emitOpError("expected an accumulator type that ")
         << element << " has (W1), got " << accumulator;
}

/// W1: types that multiply each other: the same, or of 8 bits both.
static LogicalResult verifyFactors(Operation *op, Type left, Type right) {
  if (left == right || (isFloat8(left) && isFloat8(right)) ||
      (isInt8(left) && isInt8(right)))
    return success();
  return op->emitOpError("expected B of ") << left << " (W1), got " << right;
}

/// Elements along K of one instruction.
static int64_t getInstructionK(Type element) {
  return 256 / getStorageBits(element);
}

/// Rows and columns of A as M x K, or of B as K x N.
static std::array<int64_t, 2> getOperandShape(Type type, bool isSwapped) {
  if (auto tile = dyn_cast<RegType>(type))
    return {tile.getRows(), tile.getCols()};
  std::array<int64_t, 2> shape = getMatrix(cast<SharedType>(type));
  if (isSwapped)
    std::swap(shape[0], shape[1]);
  return shape;
}

static Type getElement(Type type) {
  if (auto tile = dyn_cast<RegType>(type))
    return tile.getElementType();
  return cast<SharedType>(type).getElementType();
}

/// W1 of shapes.
static LogicalResult verifyShapes(MmaAsyncOp op, Type element) {
  PendingType d = op.getD().getType();
  auto a = getOperandShape(op.getA().getType(), op.getAMajor() == Major::mn);
  auto b = getOperandShape(op.getB().getType(), op.getBMajor() == Major::k);
  if (a[1] != b[0] || a[0] != d.getRows() || b[1] != d.getCols())
    return op.emitOpError(
               "expected D of M x N for A of M x K and B of K x N (W1), got ")
           << d.getRows() << 'x' << d.getCols() << " for " << a[0] << 'x'
           << a[1] << " and " << b[0] << 'x' << b[1];
  int64_t k = getInstructionK(element);
  if (d.getRows() % 64 != 0 || d.getCols() % 8 != 0 || d.getCols() > 256 ||
      a[1] % k != 0)
    return op.emitOpError(
               "expected M a multiple of 64, N of 8 up to 256 and K of ")
           << k << " (W1), got " << d.getRows() << ", " << d.getCols()
           << " and " << a[1];
  if (isInt8(element) && d.getCols() > 32 && d.getCols() % 16 != 0)
    return op.emitOpError("expected N above 32 to be a multiple of 16 for ")
           << element << " (W1), got " << d.getCols();
  return success();
}

/// W2, and the distribution of a register operand.
static LogicalResult verifyMajors(MmaAsyncOp op, Type element) {
  bool isTransposed =
      op.getBMajor() == Major::mn || op.getAMajor() == Major::mn;
  if (isTransposed && getStorageBits(element) != 16)
    return op.emitOpError("expected K-major operands of ")
           << element << ": only 16-bit types have the other (W2)";
  auto a = dyn_cast<RegType>(op.getA().getType());
  if (a && op.getAMajor() == Major::mn)
    return op.emitOpError("expected a K-major operand A in registers (W2)");
  if (a && a.getDistribution() != OperandAttr::get(op.getContext(), 0,
                                                   getStorageBits(element), {}))
    return op.emitOpError("expected A in registers as #tile.operand<0, bits = ")
           << getStorageBits(element) << "> (W1), got " << a.getDistribution();
  return success();
}

/// W5, and that C is what D will be.
static LogicalResult verifyStart(MmaAsyncOp op) {
  PendingType d = op.getD().getType();
  if (!op.getC())
    return success();
  if (!llvm::TypeSwitch<Type, bool>(op.getC().getType())
           .Case<RegType, PendingType>([&](auto c) {
             return c.getRows() == d.getRows() && c.getCols() == d.getCols() &&
                    c.getElementType() == d.getElementType() &&
                    c.getDistribution() == d.getDistribution();
           })
           .Default([](Type) { return false; }))
    return op.emitOpError(
               "expected C of D's shape, type and distribution, got ")
           << op.getC().getType();
  if (isa<PendingType>(op.getC().getType()) && !op.getC().hasOneUse())
    return op.emitOpError(
        "expected the only use of a pending accumulator (W5)");
  return success();
}

LogicalResult MmaAsyncOp::verify() {
  PendingType d = getD().getType();
  Type element = getElement(getA().getType());
  if (failed(verifyAccumulator(*this, element, d.getElementType())) ||
      failed(verifyFactors(*this, element, getElement(getB().getType()))))
    return failure();
  if (d.getDistribution() != AccAttr::get(getContext(), {}))
    return emitOpError("expected D in #tile.acc (W1), got ")
           << d.getDistribution();
  if (failed(verifyShapes(*this, element)) ||
      failed(verifyMajors(*this, element)) || failed(verifyStart(*this)))
    return failure();
  int64_t warps = getGroupWarps(*this);
  if (warps && warps != 4)
    return emitOpError("expected a group of 4 warps (K6), got ") << warps;
  return success();
}

LogicalResult MmaSyncOp::verify() {
  RegType a = getA().getType(), b = getB().getType(), c = getC().getType();
  if (failed(
          verifyAccumulator(*this, a.getElementType(), c.getElementType())) ||
      failed(verifyFactors(*this, a.getElementType(), b.getElementType())))
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
