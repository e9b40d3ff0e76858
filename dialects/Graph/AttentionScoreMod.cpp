//===- AttentionScoreMod.cpp - Constraints on a score_mod region ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Attention.h"

using namespace mlir;
using namespace opgraph::graph;

/// Whether `value` has the extents of the scores.
static bool hasScoreExtents(Value value, ArrayRef<Extent> scores) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && ArrayRef<Extent>(getExtents(type)) == scores;
}

/// The block's arguments are the scores, then the captures.
static LogicalResult checkArguments(const Attention &a, Inference &inference,
                                    Block &block, unsigned numScores) {
  size_t expected = numScores + a.captures.size();
  if (block.getNumArguments() != expected)
    return inference.error(ErrorKind::AttributeNotSet)
           << "expected 'score_mod' to take " << expected
           << " arguments, the scores and the captures, got "
           << block.getNumArguments();
  Extents scores = a.getScoreExtents();
  for (BlockArgument argument : block.getArguments().take_front(numScores)) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!hasScoreExtents(argument, scores) ||
        type.getElementType() != a.computeType)
      return inference.error(ErrorKind::ShapeDeduction)
             << "expected argument #" << argument.getArgNumber()
             << " of 'score_mod' to be the scores, " << printExtents(scores)
             << " of " << a.computeType << ", got " << argument.getType();
  }
  for (auto [argument, capture] :
       llvm::zip(block.getArguments().drop_front(numScores), a.captures)) {
    if (argument.getType() != capture.getType())
      return inference.error(ErrorKind::ShapeDeduction)
             << "expected argument #" << argument.getArgNumber()
             << " of 'score_mod' to be of its capture's type "
             << capture.getType() << ", got " << argument.getType();
    if (!broadcastsTo(getExtents(capture), scores))
      return inference.error(ErrorKind::ShapeDeduction)
             << "expected what 'score_mod' captures ("
             << printExtents(getExtents(capture))
             << ") to broadcast to the scores (" << printExtents(scores) << ")";
  }
  return success();
}

/// The block holds scalar functions only, none of which reads a value from
/// outside, and yields scores.
static LogicalResult checkBody(const Attention &a, Inference &inference,
                               Block &block, unsigned numYields) {
  Extents scores = a.getScoreExtents();
  for (Operation &op : block.without_terminator()) {
    // The op's own verifier runs after this one.
    if (op.getNumResults() != 1 ||
        !isa<RankedTensorType>(op.getResult(0).getType()))
      return inference.error(ErrorKind::NotSupported)
             << "expected '" << op.getName()
             << "' in 'score_mod' to have one tensor as result";
    bool isScalar =
        isa<PointwiseOpInterface>(op) ||
        (isa<ConstantOp>(op) && isSingleElement(typeOf(op.getResult(0))));
    if (!isScalar)
      return inference.error(ErrorKind::NotSupported)
             << "expected 'score_mod' to hold pointwise operations and "
                "constants of one element, got '"
             << op.getName() << "'";
    for (Value operand : op.getOperands())
      if (operand.getParentBlock() != &block)
        return inference.error(ErrorKind::InvalidValue)
               << "expected '" << op.getName()
               << "' in 'score_mod' to use values of the region and its "
                  "captures, got a value from outside";
    if (!broadcastsTo(getExtents(op.getResult(0)), scores))
      return inference.error(ErrorKind::ShapeDeduction)
             << "expected the result of '" << op.getName()
             << "' in 'score_mod' ("
             << printExtents(getExtents(op.getResult(0)))
             << ") to broadcast to the scores (" << printExtents(scores) << ")";
  }
  auto yield = dyn_cast<YieldOp>(block.back());
  if (!yield || yield.getNumOperands() != numYields)
    return inference.error(ErrorKind::AttributeNotSet)
           << "expected 'score_mod' to end in 'graph.yield' of " << numYields
           << (numYields == 1 ? " value, got " : " values, got ")
           << (yield ? yield.getNumOperands() : 0);
  for (Value value : yield.getOperands()) {
    if (!hasScoreExtents(value, scores))
      return inference.error(ErrorKind::ShapeDeduction)
             << "expected 'score_mod' to yield the extents of the scores, "
             << printExtents(scores) << ", got " << value.getType();
    if (value.getParentBlock() != &block)
      return inference.error(ErrorKind::InvalidValue)
             << "expected 'score_mod' to yield a value of the region, got one "
                "from outside";
  }
  return success();
}

LogicalResult opgraph::graph::checkScoreMod(const Attention &a,
                                            Inference &inference,
                                            unsigned numScores,
                                            unsigned numYields) {
  if (!a.hasScoreMod()) {
    if (a.captures.empty())
      return success();
    return inference.error(ErrorKind::AttributeNotSet)
           << "expected 'score_mod' with captures, got none";
  }
  if (!a.scoreMod->hasOneBlock() || a.scoreMod->front().empty())
    return inference.error(ErrorKind::AttributeNotSet)
           << "expected 'score_mod' to be one block that ends in 'graph.yield'";
  Block &block = a.scoreMod->front();
  if (failed(checkArguments(a, inference, block, numScores)))
    return failure();
  return checkBody(a, inference, block, numYields);
}
