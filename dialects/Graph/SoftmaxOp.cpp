//===- SoftmaxOp.cpp - Inference of graph.softmax -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Extents.h"
#include "dialects/Graph/GraphDialect.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace opgraph::graph;

/// The attributes that ask for results 1 to 3.
static constexpr StringLiteral generateNames[] = {
    "generate_stats", "generate_max", "generate_sum_exp"};

LogicalResult SoftmaxOp::inferResults(Inference &inference) {
  RankedTensorType input = typeOf(getInput());
  Extents x = getExtents(input);
  // softmax_c1
  if (x.empty())
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected 'P' to have at least one axis, got a scalar";
  // softmax_c2
  if (failed(requireFloatCompute(inference, getEffectiveComputeType())))
    return failure();
  if (failed(setExtents(inference, 0, x)))
    return failure();
  inference.setLayoutOf(0, input);

  x.back() = Extent();
  // softmax_c4
  if (Value sink = getSink(); sink && !broadcastsTo(getExtents(sink), x))
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected 'SINK' (" << printExtents(getExtents(sink))
           << ") to broadcast to one element for each row (" << printExtents(x)
           << ")";
  for (unsigned index = 1; index <= 3; ++index) {
    // softmax_c3: whether a result is there follows from isResultPresent.
    if (!isResultPresent(index, (*this)->getAttrDictionary(), {}))
      continue;
    if (failed(setExtents(inference, index, x)))
      return failure();
    inference.setLike(index, input);
    inference.setElementType(index, Float32Type::get(getContext()));
  }
  return success();
}

bool SoftmaxOp::isResultPresent(unsigned index, DictionaryAttr attributes,
                                llvm::function_ref<bool(StringRef)>) {
  return index == 0 || attributes.contains(generateNames[index - 1]);
}

/// Results that nobody reads are not computed.
LogicalResult SoftmaxOp::canonicalize(SoftmaxOp op, PatternRewriter &rewriter) {
  auto isUnused = [](Value value) { return value && value.use_empty(); };
  if (!isUnused(op.getStats()) && !isUnused(op.getMax()) &&
      !isUnused(op.getSumExp()))
    return rewriter.notifyMatchFailure(op, "every result is used");
  auto keep = [](Value value) {
    return value && !value.use_empty() ? value.getType() : Type();
  };
  Type stats = keep(op.getStats()), max = keep(op.getMax()),
       sumExp = keep(op.getSumExp());
  auto smaller = SoftmaxOp::create(
      rewriter, op.getLoc(), op.getS().getType(), stats, max, sumExp,
      op.getInput(), op.getSink(), !!stats, !!max, !!sumExp,
      op.getNanForMaskedRows(), op.getComputeTypeAttr());
  rewriter.replaceAllUsesWith(op.getS(), smaller.getS());
  if (stats)
    rewriter.replaceAllUsesWith(op.getStats(), smaller.getStats());
  if (max)
    rewriter.replaceAllUsesWith(op.getMax(), smaller.getMax());
  if (sumExp)
    rewriter.replaceAllUsesWith(op.getSumExp(), smaller.getSumExp());
  rewriter.eraseOp(op);
  return success();
}
