//===- OnePass.cpp - Reductions that share a walk -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Transforms/OnePass.h"
#include "dialects/Graph/Extents.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::graph;

/// Whether the two combine elements of equal extents to results of equal ones,
/// in one type that holds what lies between them.
static bool areAlike(ReductionOp first, ReductionOp second) {
  Type type = first.getEffectiveComputeType();
  return (type.isF32() || type.isF64()) &&
         second.getEffectiveComputeType() == type && !first.getGroupOffset() &&
         !second.getGroupOffset() &&
         typeOf(first.getY()).getElementType() == type &&
         typeOf(first.getInput()).getShape() ==
             typeOf(second.getInput()).getShape() &&
         typeOf(first.getY()).getShape() == typeOf(second.getY()).getShape();
}

/// The op of type `OpTy` that computes `value` in `type`, and rounds to no
/// other.
template <typename OpTy>
static OpTy getExact(Value value, Type type) {
  auto op = value.getDefiningOp<OpTy>();
  return op && op.getEffectiveComputeType() == type &&
                 typeOf(value).getElementType() == type
             ? op
             : OpTy();
}

static std::optional<ReductionPair> findMoments(ReductionOp second) {
  if (second.getMode() != ReductionMode::AVG)
    return std::nullopt;
  Type type = second.getEffectiveComputeType();
  auto square = getExact<MulOp>(second.getInput(), type);
  if (!square || square.getA() != square.getB())
    return std::nullopt;
  auto centred = getExact<SubOp>(square.getA(), type);
  if (!centred)
    return std::nullopt;
  auto first = centred.getB().getDefiningOp<ReductionOp>();
  if (!first || first.getMode() != ReductionMode::AVG ||
      first.getInput() != centred.getA() || !areAlike(first, second))
    return std::nullopt;
  return ReductionPair{ReductionPair::Kind::Moments, first, second, Value()};
}

/// Whether `value` is made of `first` and of arguments and constants of its
/// results' extents.
static bool isMadeOf(Value value, ReductionOp first) {
  if (value == first.getY())
    return true;
  RankedTensorType type = typeOf(value);
  if (type.getNumElements() != 1 &&
      type.getShape() != typeOf(first.getY()).getShape())
    return false;
  Operation *op = value.getDefiningOp();
  if (!op)
    return true;
  return isa<PointwiseOpInterface, ConstantOp>(op) && !isa<GenIndexOp>(op) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isMadeOf(operand, first); });
}

static std::optional<ReductionPair> findExponentials(ReductionOp second) {
  if (second.getMode() != ReductionMode::ADD)
    return std::nullopt;
  Type type = second.getEffectiveComputeType();
  auto exponential = getExact<ExpOp>(second.getInput(), type);
  if (!exponential)
    return std::nullopt;
  auto difference = getExact<SubOp>(exponential.getInput(), type);
  if (!difference)
    return std::nullopt;
  for (Operation *user : difference.getA().getUsers()) {
    auto first = dyn_cast<ReductionOp>(user);
    if (first && first.getMode() == ReductionMode::MAX &&
        areAlike(first, second) && isMadeOf(difference.getB(), first))
      return ReductionPair{ReductionPair::Kind::Exponentials, first, second,
                           difference.getB()};
  }
  return std::nullopt;
}

std::optional<ReductionPair> opgraph::findPair(ReductionOp op) {
  if (std::optional<ReductionPair> found = findMoments(op))
    return found;
  return findExponentials(op);
}
