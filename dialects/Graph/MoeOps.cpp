//===- MoeOps.cpp - Inference of grouped matmuls --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/GroupOffset.h"

using namespace mlir;
using namespace opgraph::graph;

/// Checks that `extents` are those of a matrix in a batch of one.
static LogicalResult checkMatrix(Inference &inference, Value value,
                                 StringRef name, StringRef expected) {
  // moe_grouped_matmul_c1, moe_grouped_matmul_bwd_c1
  Extents extents = getExtents(value);
  if (extents.size() == 3 && extents[0].isOne())
    return success();
  return inference.error(ErrorKind::ShapeDeduction)
         << "expected '" << name << "' to be " << expected << ", got "
         << printExtents(extents);
}

/// Checks the number of experts and the offsets of their rows.
static LogicalResult checkExperts(Inference &inference, const Extent &experts,
                                  Value offsets) {
  // moe_grouped_matmul_c2, moe_grouped_matmul_bwd_c2
  if (!experts.isStatic() || experts.size < 1)
    return inference.error(ErrorKind::NotSupported)
           << "expected the number of experts to be static and at least 1, got "
           << printExtent(experts);
  // moe_grouped_matmul_c3, moe_grouped_matmul_bwd_c3
  if (!getExpertGroups(typeOf(offsets), experts.size))
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected 'FIRST_TOKEN_OFFSET' to hold, along one axis, G + 1 "
              "boundaries"
           << (experts.size == 1 ? "" : " or G starts")
           << " with G a positive multiple of the " << experts.size
           << " experts, got " << printExtents(getExtents(offsets));
  // moe_grouped_matmul_c4, moe_grouped_matmul_bwd_c4
  return requireIndexType(inference, {{"FIRST_TOKEN_OFFSET", offsets}});
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

namespace {
/// One inference of a grouped matmul.
class MoeInference {
public:
  MoeInference(MoeGroupedMatmulOp op, Inference &inference)
      : op(op), inference(inference), mode(op.getMode()) {}

  LogicalResult run();

private:
  LogicalResult checkShapes();
  LogicalResult checkPresence();
  LogicalResult checkIndex(Value value, StringRef name);
  LogicalResult checkSlots();
  LogicalResult checkScores();

  /// How many rows are sorted by expert.
  Extent getRows() {
    return getExtents(mode == MoeGroupedMatmulMode::GATHER ? op.getTokenIndex()
                                                           : op.getToken())[1];
  }

  MoeGroupedMatmulOp op;
  Inference &inference;
  MoeGroupedMatmulMode mode;
};
} // namespace

LogicalResult MoeInference::checkShapes() {
  // moe_grouped_matmul_c1
  if (failed(checkMatrix(inference, op.getToken(), "TOKEN", "1 x rows x K")))
    return failure();
  Extents token = getExtents(op.getToken()),
          weight = getExtents(op.getWeight());
  if (weight.size() != 3 || weight[1] != token[2])
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected 'WEIGHT' to be E x " << printExtent(token[2])
           << " x N for 'TOKEN' (" << printExtents(token) << "), got "
           << printExtents(weight);
  return checkExperts(inference, weight[0], op.getFirstTokenOffset());
}

LogicalResult MoeInference::checkPresence() {
  bool isScatter = mode == MoeGroupedMatmulMode::SCATTER;
  bool isCombine = mode == MoeGroupedMatmulMode::COMBINE;
  struct Optional {
    StringRef name;
    Value value;
    bool isNeeded;
  };
  for (auto [name, value, isNeeded] :
       {Optional{"TOKEN_INDEX", op.getTokenIndex(),
                 mode != MoeGroupedMatmulMode::NONE},
        Optional{"TOKEN_KS", op.getTokenKs(), isScatter || isCombine},
        Optional{"TOP_K_SCORES", op.getTopKScores(), isCombine}}) {
    // moe_grouped_matmul_c5
    if (isNeeded && !value)
      return inference.error(ErrorKind::AttributeNotSet)
             << "expected '" << name << "' in mode "
             << stringifyMoeGroupedMatmulMode(mode) << ", got none";
    // moe_grouped_matmul_c6
    if (!isNeeded && value)
      return inference.error(ErrorKind::InvalidValue)
             << "expected no '" << name << "' in mode "
             << stringifyMoeGroupedMatmulMode(mode) << ", got one";
  }
  return success();
}

LogicalResult MoeInference::checkIndex(Value value, StringRef name) {
  if (!value)
    return success();
  // moe_grouped_matmul_c7
  Extents extents = getExtents(value);
  bool isColumn =
      extents.size() == 3 && extents[0].isOne() && extents[2].isOne();
  if (!isColumn || extents[1] != getRows())
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected '" << name << "' to be 1 x "
           << (isColumn ? printExtent(getRows()) : "rows") << " x 1, got "
           << printExtents(extents);
  // moe_grouped_matmul_c4
  return requireIndexType(inference, {{name, value}});
}

LogicalResult MoeInference::checkSlots() {
  if (mode != MoeGroupedMatmulMode::SCATTER)
    return success();
  // moe_grouped_matmul_c8
  int64_t slots = op.getTopK();
  if (slots == 0)
    return inference.error(ErrorKind::AttributeNotSet)
           << "expected 'top_k' in mode scatter, got none";
  if (slots < 0)
    return inference.error(ErrorKind::InvalidValue)
           << "expected 'top_k' to be at least 1 in mode scatter, got "
           << slots;
  Extent rows = getRows();
  if (rows.isStatic() && rows.size % slots != 0)
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected 'top_k' to divide the number of rows (" << rows.size
           << ") in mode scatter, got " << slots;
  return success();
}

LogicalResult MoeInference::checkScores() {
  if (mode != MoeGroupedMatmulMode::COMBINE)
    return success();
  // moe_grouped_matmul_c9
  Extents scores = getExtents(op.getTopKScores());
  if (failed(checkMatrix(inference, op.getTopKScores(), "TOP_K_SCORES",
                         "1 x tokens x slots")))
    return failure();
  int64_t slots = op.getTopK();
  if (slots != 0 && scores[2] != Extent{slots, {}})
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected 'top_k' in mode combine to be 0 or dim 2 of "
              "'TOP_K_SCORES' ("
           << printExtent(scores[2]) << "), got " << slots;
  return success();
}

LogicalResult MoeInference::run() {
  if (failed(checkShapes()) || failed(checkPresence()) ||
      failed(checkIndex(op.getTokenIndex(), "TOKEN_INDEX")) ||
      failed(checkIndex(op.getTokenKs(), "TOKEN_KS")) || failed(checkSlots()) ||
      failed(checkScores()))
    return failure();
  // moe_grouped_matmul_c10
  bool isCombine = mode == MoeGroupedMatmulMode::COMBINE;
  Type computeType = op.getEffectiveComputeType();
  if (failed(isCombine ? requireFloatCompute(inference, computeType)
                       : requireNumericCompute(inference, computeType)))
    return failure();
  Extent rows = isCombine ? getExtents(op.getTopKScores())[1] : getRows();
  if (failed(setExtents(inference, 0,
                        {Extent(), rows, getExtents(op.getWeight())[2]})))
    return failure();
  inference.setPacked(0, rowMajorOrder(3));
  return success();
}

LogicalResult MoeGroupedMatmulOp::inferResults(Inference &inference) {
  return MoeInference(*this, inference).run();
}

//===----------------------------------------------------------------------===//
// Backward
//===----------------------------------------------------------------------===//

/// The number of experts: as declared, else that of the offsets.
static Extent getExperts(Inference &inference, Value offsets) {
  const std::optional<Dims> &declared = inference.result(0).dims;
  if (declared && !declared->empty())
    return getExtents(inference.result(0)).front();
  return {countOffsets(typeOf(offsets)).value_or(ShapedType::kDynamic), {}};
}

LogicalResult MoeGroupedMatmulBwdOp::inferResults(Inference &inference) {
  // moe_grouped_matmul_bwd_c1
  if (failed(checkMatrix(inference, getDoutput(), "DOUTPUT", "1 x rows x N")) ||
      failed(checkMatrix(inference, getToken(), "TOKEN", "1 x rows x K")))
    return failure();
  Extents doutput = getExtents(getDoutput()), token = getExtents(getToken());
  if (doutput[1] != token[1])
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected dim 1 of 'TOKEN' (" << printExtent(token[1])
           << ") to match that of 'DOUTPUT' (" << printExtent(doutput[1])
           << ")";
  Extent experts = getExperts(inference, getFirstTokenOffset());
  if (failed(checkExperts(inference, experts, getFirstTokenOffset())))
    return failure();
  // moe_grouped_matmul_bwd_c5
  if (failed(requireNumericCompute(inference, getEffectiveComputeType())))
    return failure();
  if (failed(setExtents(inference, 0, {experts, token[2], doutput[2]})))
    return failure();
  inference.setPacked(0, {0, 2, 1});
  return success();
}
