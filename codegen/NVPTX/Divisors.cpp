//===- Divisors.cpp - Known divisors of a kernel's scalars ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/KernelEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

/// Powers of two only: that is what alignment is about, and products of them
/// stay right when an i32 wraps.
static constexpr int64_t most = 1 << 16;

static int64_t powerIn(const llvm::APInt &value) {
  return value.isZero()
             ? most
             : std::min(most, int64_t(1) << std::min(value.countr_zero(), 16u));
}

/// What views promise of the value that is one of their extents or strides.
static int64_t fromViews(Value value) {
  int64_t divisor = 1;
  for (OpOperand &use : value.getUses()) {
    auto view = dyn_cast<tile::MakeViewOp>(use.getOwner());
    if (!view)
      continue;
    auto type = cast<tile::ViewType>(view.getView().getType());
    auto look = [&](OperandRange operands, ArrayRef<int64_t> sizes,
                    ArrayRef<int64_t> divisors) {
      unsigned operand = 0;
      for (auto [size, promised] : llvm::zip(sizes, divisors))
        if (ShapedType::isDynamic(size) && operands[operand++] == value)
          divisor = std::max(divisor, powerIn(llvm::APInt(
                                          64, std::max<int64_t>(promised, 1))));
    };
    look(view.getSizes(), type.getShape(), type.getExtentDivisors());
    look(view.getStrides(), type.getStrides(), type.getStrideDivisors());
  }
  return divisor;
}

static int64_t divisorOf(Value value, unsigned depth);

static int64_t divisorOfArgument(BlockArgument argument, unsigned depth) {
  Operation *parent = argument.getOwner()->getParentOp();
  auto loop = dyn_cast_or_null<scf::ForOp>(parent);
  if (loop && argument == loop.getInductionVar())
    return std::min(divisorOf(loop.getLowerBound(), depth),
                    divisorOf(loop.getStep(), depth));
  return 1;
}

static int64_t divisorOfOp(Operation *op, unsigned depth) {
  auto both = [&](auto combine) {
    return std::min(most, combine(divisorOf(op->getOperand(0), depth),
                                  divisorOf(op->getOperand(1), depth)));
  };
  auto least = [](int64_t lhs, int64_t rhs) { return std::min(lhs, rhs); };
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case<arith::MulIOp>([&](Operation *) {
        return both([](int64_t lhs, int64_t rhs) { return lhs * rhs; });
      })
      .Case<arith::AndIOp>([&](Operation *) {
        return both(
            [](int64_t lhs, int64_t rhs) { return std::max(lhs, rhs); });
      })
      .Case<arith::AddIOp, arith::SubIOp, arith::OrIOp, arith::MinSIOp,
            arith::MinUIOp, arith::MaxSIOp, arith::MaxUIOp, arith::RemSIOp,
            arith::RemUIOp>([&](Operation *) { return both(least); })
      .Case<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(
          [&](Operation *) { return divisorOf(op->getOperand(0), depth); })
      .Case([&](arith::ShLIOp shift) {
        llvm::APInt bits;
        int64_t known = divisorOf(shift.getLhs(), depth);
        if (!matchPattern(shift.getRhs(), m_ConstantInt(&bits)) || bits.uge(17))
          return known;
        return std::min(most, known << bits.getZExtValue());
      })
      .Case([&](arith::SelectOp select) {
        return least(divisorOf(select.getTrueValue(), depth),
                     divisorOf(select.getFalseValue(), depth));
      })
      .Default(int64_t(1));
}

static int64_t divisorOf(Value value, unsigned depth) {
  llvm::APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return powerIn(number);
  int64_t promised = fromViews(value);
  if (depth == 0)
    return promised;
  Operation *op = value.getDefiningOp();
  return std::max(
      promised, op ? divisorOfOp(op, depth - 1)
                   : divisorOfArgument(cast<BlockArgument>(value), depth - 1));
}

int64_t opgraph::codegen::getKnownDivisor(Value value) {
  return divisorOf(value, /*depth=*/8);
}
