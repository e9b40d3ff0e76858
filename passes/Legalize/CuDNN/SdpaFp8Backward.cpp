//===- SdpaFp8Backward.cpp - Gradients of fp8 attention for cuDNN ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pattern of five products, each with the descales of its sides, the scale
// of its result and its largest magnitude.
//===----------------------------------------------------------------------===//
#include "passes/Legalize/CuDNN/SdpaBackward.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::cudnn_lowering;
using opgraph::cudnn::DataType;
using opgraph::cudnn::PointwiseMode;
using opgraph::cudnn::ReductionOperator;

static mlir::Type elementOf(Value value) {
  return graph::typeOf(value).getElementType();
}

static DataType typeOf(Value value) {
  return *cudnn::dataTypeOf(elementOf(value));
}

namespace {
class Fp8Backward : public BackwardLowering {
public:
  Fp8Backward(Lowering &lowering, graph::SdpaFp8BackwardOp op)
      : BackwardLowering(lowering, op), backward(op) {}

  LogicalResult run();

private:
  LogicalResult checkFp8();
  void multiplyBy(Value scale) {
    scores.apply(PointwiseMode::MUL, lowering.tensor(scale));
  }
  /// The scores times `scale`, rounded to `type`.
  Value rounded(Value scale, DataType type);
  /// A product with the descales of its sides, the scale of its result and the
  /// largest magnitude.
  struct Product {
    Value left, right, leftDescale, rightDescale, scale, result, amax;
    MatmulBounds bounds;
  };
  void write(const Product &product);

  graph::SdpaFp8BackwardOp backward;
};
} // namespace

LogicalResult Fp8Backward::checkFp8() {
  if (a.dropoutMask || a.sinkToken || a.hasRagged())
    return lowering.refuse("sdpa_fp8_backward",
                           "no dropout, sink nor ragged tensors",
                           "one of them");
  // Engines write 0 there.
  if (!backward.getAmaxDV().use_empty())
    return lowering.refuse("Amax_dV", "not read", "read");
  graph::SdpaFp8BackwardOp b = backward;
  Value scales[] = {b.getDescaleQ(),  b.getDescaleK(),  b.getDescaleV(),
                    b.getDescaleO(),  b.getDescaleDO(), b.getDescaleS(),
                    b.getDescaleDP(), b.getScaleS(),    b.getScaleDQ(),
                    b.getScaleDK(),   b.getScaleDV(),   b.getScaleDP()};
  for (Value scale : scales)
    if (failed(scores.checkScale(scale)))
      return failure();
  for (Value value : {a.k, a.v})
    if (elementOf(value) != elementOf(a.q))
      return lowering.refuse("element type(sdpa_fp8_backward)",
                             "one of Q, K and V", "several");
  return success();
}

Value Fp8Backward::rounded(Value scale, DataType type) {
  Value made = scores.score(type);
  lowering.pointwise(PointwiseMode::MUL, scores.get(), made,
                     lowering.tensor(scale));
  return made;
}

void Fp8Backward::write(const Product &product) {
  TensorShape own;
  own.dims = lowering.shape(product.result).dims;
  own.strides = packRowMajor(own.dims);
  TensorShape full = headShape(own.dims[2], own.dims[3]);
  Value value = lowering.temporary(full);
  lowering.matmul(product.left, product.right, value, DataType::FLOAT,
                  product.bounds);
  if (own.dims[1] != full.dims[1]) {
    Value total = lowering.temporary(own);
    lowering.reduce(ReductionOperator::ADD, value, total);
    value = total;
  }
  apply(value, own, PointwiseMode::MUL, lowering.tensor(product.leftDescale));
  apply(value, own, PointwiseMode::MUL, lowering.tensor(product.rightDescale));
  lowering.pointwise(PointwiseMode::MUL, value,
                     lowering.resultOrScratch(product.result),
                     lowering.tensor(product.scale));
  lowering.reduce(ReductionOperator::AMAX, value,
                  lowering.resultOrScratch(product.amax));
}

LogicalResult Fp8Backward::run() {
  if (failed(check()) || failed(checkFp8()) || failed(prepare()))
    return failure();
  graph::SdpaFp8BackwardOp b = backward;
  Value keys = scores.transposed(a.k), values = scores.transposed(a.v);
  DataType half = typeOf(a.q), gradient = typeOf(dO);
  TensorShape row = scores.getShape();
  row.dims[3] = 1;
  row.strides = packRowMajor(row.dims);
  Value sums = sumRows();
  apply(sums, row, PointwiseMode::MUL, lowering.tensor(b.getDescaleDO()));
  apply(sums, row, PointwiseMode::MUL, lowering.tensor(b.getDescaleO()));
  scores.multiply(lowering.tensor(a.q), keys);
  scores.applyScale();
  multiplyBy(b.getDescaleQ());
  multiplyBy(b.getDescaleK());
  scores.maskPadding();
  scores.maskBand();
  scores.apply(PointwiseMode::SUB, lowering.tensor(stats));
  scores.apply(PointwiseMode::EXP);
  Value powers = scores.get();
  write({turned(rounded(b.getScaleS(), half), half), lowering.tensor(dO),
         b.getDescaleS(), b.getDescaleDO(), b.getScaleDV(), dV, b.getAmaxDV(),
         scores.boundColumns()});
  scores.multiply(lowering.tensor(dO), values);
  multiplyBy(b.getDescaleDO());
  multiplyBy(b.getDescaleV());
  scores.apply(PointwiseMode::SUB, sums);
  scores.apply(PointwiseMode::MUL, powers);
  scores.applyScale();
  lowering.reduce(ReductionOperator::AMAX, scores.get(),
                  lowering.resultOrScratch(b.getAmaxDP()));
  Value gradients = rounded(b.getScaleDP(), gradient);
  write({gradients, untransposed(keys, a.k), b.getDescaleDP(), b.getDescaleK(),
         b.getScaleDQ(), dQ, b.getAmaxDQ(), scores.boundRows()});
  write({turned(gradients, gradient), lowering.tensor(a.q), b.getDescaleDP(),
         b.getDescaleQ(), b.getScaleDK(), dK, b.getAmaxDK(),
         scores.boundColumns()});
  return success();
}

LogicalResult opgraph::legalize::cudnn_lowering::lowerSdpaFp8Backward(
    Lowering &lowering, graph::SdpaFp8BackwardOp op) {
  return Fp8Backward(lowering, op).run();
}
