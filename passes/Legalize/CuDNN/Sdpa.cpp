//===- Sdpa.cpp - Attention for cuDNN -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pattern of operations that the library's attention engines look for: two
// matmuls with scale, bias and mask between them, and a softmax that always
// makes its statistics.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Attention.h"
#include "dialects/Graph/Layout.h"
#include "passes/Legalize/CuDNN/Lowering.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::cudnn_lowering;

namespace {
/// Lowers one attention op.
class SdpaLowering {
public:
  SdpaLowering(Lowering &lowering, graph::SdpaOp op)
      : lowering(lowering), op(op) {}

  LogicalResult run();

private:
  LogicalResult check();
  void scaleScores();
  LogicalResult maskScores();
  void writeSoftmax();

  /// Scores of f32 and masks that stay inside.
  Value score(cudnn::DataType type = cudnn::DataType::FLOAT) {
    return lowering.temporary(scores, type);
  }
  /// `scores` becomes `mode` of itself and `with`.
  void apply(cudnn::PointwiseMode mode, Value with) {
    Value next = score();
    lowering.pointwise(mode, current, next, with);
    current = next;
  }

  Lowering &lowering;
  graph::SdpaOp op;
  TensorShape scores;
  /// The scores so far, then the probabilities.
  Value current;
};
} // namespace

/// The first part of the op that the pattern lacks; empty if it has all.
static StringRef findUnserved(graph::SdpaOp op) {
  std::pair<StringRef, bool> parts[] = {
      {"score_mod", !op.getScoreMod().empty()},
      {"kv_mask", bool(op.getKvMask())},
      {"block_mask", bool(op.getBlockMask())},
      {"padding_mask", op.getUsePaddingMask() || op.getSeqLenQ() ||
                           op.getSeqLenKv() || op.getCuSeqLenQ() ||
                           op.getCuSeqLenKv()},
      {"alibi_mask", op.getUseAlibiMask()},
      {"dropout", op.getDropoutProbability() || op.getDropoutMask()},
      {"paged", op.getPagedAttentionKTable() || op.getPagedAttentionVTable()},
      {"sink", bool(op.getSinkToken())},
      {"ragged", op.getRaggedOffsetQ() || op.getRaggedOffsetK() ||
                     op.getRaggedOffsetV() || op.getRaggedOffsetO()},
      {"left_bound", bool(op.getDiagonalBandLeftBound())},
      {"max or sum_exp", op.getMax() || op.getSumExp()},
      {"rng_dump", bool(op.getRNG_DUMP())},
      {"stats_use_log2", op.getStatsUseLog2()},
      {"softmax_precision",
       op.getSoftmaxPrecision() && !op.getSoftmaxPrecision()->isF32()}};
  for (auto &[name, isUsed] : parts)
    if (isUsed)
      return name;
  return "";
}

LogicalResult SdpaLowering::check() {
  if (!lowering.computeType(op))
    return failure();
  if (StringRef part = findUnserved(op); !part.empty())
    return lowering.refuse("sdpa", "scale, bias, one diagonal bound and stats",
                           part);
  if (!lowering.getAxes().keeps(4))
    return lowering.refuse("rank(sdpa)", "4 of all tensors",
                           std::to_string(lowering.getAxes().getRank()));
  if (!lowering.isMemory(op.getK()))
    return lowering.refuse("K", "an argument", "a computed value");
  if (Value scale = op.getAttnScale(); scale && !lowering.isByValue(scale))
    return lowering.refuse("Attn_scale", "a constant or by value", "in memory");
  // With channels apart from each other, 9.19 crashes in its heuristics; its
  // kernels load 16 bytes at a time from rows that do not begin there.
  constexpr int64_t kVectorBits = 128;
  for (Value value : {op.getQ(), op.getK(), op.getV(), op.getO()}) {
    const TensorShape &shape = lowering.shape(value);
    int64_t bits = graph::getStorageBits(
        cast<RankedTensorType>(value.getType()).getElementType());
    if (shape.strides[3] != 1)
      return lowering.refuse("stride(sdpa)", "1 on the last axis", "another");
    for (int64_t axis = 0; axis < 3; ++axis)
      if (shape.dims[axis] != 1 &&
          shape.strides[axis] * bits % kVectorBits != 0)
        return lowering.refuse("stride(sdpa)", "a multiple of 16 bytes",
                               "another");
  }
  return success();
}

void SdpaLowering::scaleScores() {
  if (op.getAttnScalePrefolded())
    return;
  if (Value scale = op.getAttnScale())
    apply(cudnn::PointwiseMode::MUL, lowering.tensor(scale));
  else if (op.getAttnScaleValue())
    apply(cudnn::PointwiseMode::MUL,
          lowering.constant(op.getAttnScaleValue()->convertToDouble(), 4));
}

LogicalResult SdpaLowering::maskScores() {
  std::optional<uint64_t> bound = op.getDiagonalBandRightBound();
  if (!bound)
    return success();
  int64_t rows = scores.dims[2], columns = scores.dims[3];
  int64_t shift =
      op.getDiagonalAlignment() == graph::DiagonalAlignment::BOTTOM_RIGHT
          ? columns - rows
          : 0;
  int64_t limit = shift + int64_t(*bound);
  // The library's softmax of a row without columns is NaN, ours is 0.
  if (limit < 0)
    return lowering.refuse("diagonal_band_right_bound", "a column for each row",
                           "rows without one");
  mlir::Builder types(op.getContext());
  auto index = [&](int64_t axis) {
    using opgraph::cudnn::Attr;
    Value config =
        lowering.builder()
            .descriptor(cudnn::Kind::POINTWISE)
            .set(Attr::POINTWISE_MODE, cudnn::PointwiseMode::GEN_INDEX)
            .set(Attr::POINTWISE_MATH_PREC, cudnn::DataType::INT32)
            .set(Attr::POINTWISE_AXIS, axis)
            .finish();
    Value made = score(cudnn::DataType::INT32);
    lowering.add(lowering.builder()
                     .descriptor(cudnn::Kind::OPERATION_POINTWISE)
                     .set(Attr::OPERATION_POINTWISE_PW_DESCRIPTOR, config)
                     .set(Attr::OPERATION_POINTWISE_XDESC, current)
                     .set(Attr::OPERATION_POINTWISE_YDESC, made)
                     .finish());
    return made;
  };
  Value row = index(2);
  if (limit != 0) {
    Value moved = score(cudnn::DataType::INT32);
    lowering.pointwise(cudnn::PointwiseMode::ADD, row, moved,
                       lowering.constant(types.getI32IntegerAttr(limit), 4), {},
                       cudnn::DataType::INT32);
    row = moved;
  }
  Value column = index(3);
  Value isKept = score(cudnn::DataType::BOOLEAN);
  lowering.pointwise(cudnn::PointwiseMode::CMP_GE, row, isKept, column, {},
                     cudnn::DataType::BOOLEAN);
  Value masked = score();
  lowering.pointwise(
      cudnn::PointwiseMode::BINARY_SELECT, current, masked,
      lowering.constant(-std::numeric_limits<double>::infinity(), 4), isKept);
  current = masked;
  return success();
}

void SdpaLowering::writeSoftmax() {
  TensorShape rows = scores;
  rows.dims[3] = 1;
  rows.strides = packRowMajor(rows.dims);
  Value max = lowering.temporary(rows);
  lowering.reduce(cudnn::ReductionOperator::MAX, current, max);
  Value shifted = score();
  lowering.pointwise(cudnn::PointwiseMode::SUB, current, shifted, max);
  Value power = score();
  lowering.pointwise(cudnn::PointwiseMode::EXP, shifted, power);
  Value sum = lowering.temporary(rows);
  lowering.reduce(cudnn::ReductionOperator::ADD, power, sum);
  Value log = lowering.temporary(rows);
  lowering.pointwise(cudnn::PointwiseMode::LOG, sum, log);
  Value stats =
      op.getStats() ? lowering.tensor(op.getStats()) : lowering.temporary(rows);
  lowering.pointwise(cudnn::PointwiseMode::ADD, max, stats, log);
  auto element = cast<RankedTensorType>(op.getV().getType()).getElementType();
  current = score(*cudnn::dataTypeOf(element));
  lowering.pointwise(cudnn::PointwiseMode::DIV, power, current, sum);
}

LogicalResult SdpaLowering::run() {
  if (failed(check()))
    return failure();
  const TensorShape &q = lowering.shape(op.getQ());
  TensorShape k = lowering.shape(op.getK());
  scores.dims = {q.dims[0], q.dims[1], q.dims[2], k.dims[2]};
  scores.strides = packRowMajor(scores.dims);
  std::swap(k.dims[2], k.dims[3]);
  std::swap(k.strides[2], k.strides[3]);
  current = score();
  lowering.matmul(lowering.tensor(op.getQ()), lowering.alias(op.getK(), k),
                  current);
  scaleScores();
  if (op.getBias())
    apply(cudnn::PointwiseMode::ADD, lowering.tensor(op.getBias()));
  if (failed(maskScores()))
    return failure();
  writeSoftmax();
  lowering.matmul(current, lowering.tensor(op.getV()),
                  lowering.tensor(op.getO()));
  return success();
}

LogicalResult opgraph::legalize::cudnn_lowering::lowerSdpa(Lowering &lowering,
                                                           graph::SdpaOp op) {
  return SdpaLowering(lowering, op).run();
}
