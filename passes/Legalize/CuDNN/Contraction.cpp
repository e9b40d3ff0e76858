//===- Contraction.cpp - Matmuls and reductions for cuDNN -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/CuDNN/Lowering.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::cudnn_lowering;

LogicalResult
opgraph::legalize::cudnn_lowering::lowerMatmul(Lowering &lowering,
                                               graph::MatmulOp op) {
  std::optional<cudnn::DataType> compute =
      lowering.computeType(op, /*allowIntegers=*/true);
  if (!compute)
    return failure();
  if (op.getMOverride() || op.getNOverride() || op.getKOverride())
    return lowering.refuse("matmul", "no overrides of extents", "overrides");
  if (op.getIeee() && lowering.isAnyF32(op.getA(), op.getB()))
    return lowering.refuse("f32_matmul", "tf32", "ieee");
  if (op.getFastFp8Accumulation() && *compute == cudnn::DataType::FLOAT)
    compute = cudnn::DataType::FAST_FLOAT_FOR_FP8;
  lowering.matmul(lowering.tensor(op.getA()), lowering.tensor(op.getB()),
                  lowering.tensor(op.getC()), *compute);
  return success();
}

/// A matmul, the scales of its sides, the largest magnitude before that of C.
LogicalResult
opgraph::legalize::cudnn_lowering::lowerMatmulFp8(Lowering &lowering,
                                                  graph::MatmulFp8Op op) {
  using cudnn::PointwiseMode;
  std::optional<cudnn::DataType> compute = lowering.computeType(op);
  if (!compute)
    return failure();
  if (op.getMOverride() || op.getNOverride() || op.getKOverride())
    return lowering.refuse("matmul_fp8", "no overrides of extents",
                           "overrides");
  if (op.getFastFp8Accumulation())
    compute = cudnn::DataType::FAST_FLOAT_FOR_FP8;
  TensorShape shape;
  shape.dims = lowering.shape(op.getC()).dims;
  shape.strides = packRowMajor(shape.dims);
  Value product = lowering.temporary(shape), first = lowering.temporary(shape),
        second = lowering.temporary(shape);
  lowering.matmul(lowering.tensor(op.getA()), lowering.tensor(op.getB()),
                  product, *compute);
  lowering.pointwise(PointwiseMode::MUL, product, first,
                     lowering.tensor(op.getDescaleA()));
  lowering.pointwise(PointwiseMode::MUL, first, second,
                     lowering.tensor(op.getDescaleB()));
  lowering.pointwise(PointwiseMode::MUL, second, lowering.tensor(op.getC()),
                     lowering.tensor(op.getScaleC()));
  lowering.reduce(cudnn::ReductionOperator::AMAX, second,
                  lowering.resultOrScratch(op.getAmax_C()));
  return success();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// avg, norm1 and norm2, which the library's reductions do not compute, by
/// what it has.
static LogicalResult lowerComposed(Lowering &lowering, graph::ReductionOp op) {
  const TensorShape &from = lowering.shape(op.getInput());
  const TensorShape &to = lowering.shape(op.getY());
  int64_t rank = to.dims.size();
  Value x = lowering.tensor(op.getInput()), y = lowering.tensor(op.getY());
  switch (op.getMode()) {
  case graph::ReductionMode::AVG: {
    int64_t count = 1;
    for (auto [before, after] : llvm::zip_equal(from.dims, to.dims))
      count *= before / after;
    Value sum = lowering.temporary(to);
    lowering.reduce(cudnn::ReductionOperator::ADD, x, sum);
    // A quotient rounds as the mean does; a product with 1 / n would not.
    lowering.pointwise(cudnn::PointwiseMode::DIV, sum, y,
                       lowering.constant(double(count), rank));
    return success();
  }
  case graph::ReductionMode::NORM1: {
    Value magnitude = lowering.temporary({from.dims, from.strides});
    lowering.pointwise(cudnn::PointwiseMode::ABS, x, magnitude);
    lowering.reduce(cudnn::ReductionOperator::ADD, magnitude, y);
    return success();
  }
  case graph::ReductionMode::NORM2: {
    Value square = lowering.temporary({from.dims, from.strides});
    lowering.pointwise(cudnn::PointwiseMode::MUL, x, square, x);
    Value sum = lowering.temporary(to);
    lowering.reduce(cudnn::ReductionOperator::ADD, square, sum);
    lowering.pointwise(cudnn::PointwiseMode::SQRT, sum, y);
    return success();
  }
  default:
    return lowering.refuse("reduction mode",
                           "add, mul, min, max, amax, avg, norm1 or norm2",
                           graph::stringifyReductionMode(op.getMode()));
  }
}

LogicalResult
opgraph::legalize::cudnn_lowering::lowerReduction(Lowering &lowering,
                                                  graph::ReductionOp op) {
  if (op.getGroupOffset())
    return lowering.refuse("reduction", "no group offsets", "group_offset");
  std::optional<cudnn::DataType> compute = lowering.computeType(op);
  if (!compute)
    return failure();
  bool isExtremum = op.getMode() == graph::ReductionMode::MIN ||
                    op.getMode() == graph::ReductionMode::MAX ||
                    op.getMode() == graph::ReductionMode::AMAX;
  if (isExtremum && lowering.isStrict())
    return lowering.refuse("reduction mode", "one that propagates NaN",
                           graph::stringifyReductionMode(op.getMode()));
  auto direct = [&](cudnn::ReductionOperator mode) {
    lowering.reduce(mode, lowering.tensor(op.getInput()),
                    lowering.tensor(op.getY()), *compute);
    return success();
  };
  switch (op.getMode()) {
  case graph::ReductionMode::ADD:
    return direct(cudnn::ReductionOperator::ADD);
  case graph::ReductionMode::MUL:
    return direct(cudnn::ReductionOperator::MUL);
  case graph::ReductionMode::MIN:
    return direct(cudnn::ReductionOperator::MIN);
  case graph::ReductionMode::MAX:
    return direct(cudnn::ReductionOperator::MAX);
  case graph::ReductionMode::AMAX:
    return direct(cudnn::ReductionOperator::AMAX);
  default:
    return lowerComposed(lowering, op);
  }
}

LogicalResult
opgraph::legalize::cudnn_lowering::lowerSoftmax(Lowering &lowering,
                                                graph::SoftmaxOp op) {
  if (op.getSink())
    return lowering.refuse("softmax", "no sink", "sink");
  // The library's five operations give NaN where all of a row is masked.
  if (!op.getNanForMaskedRows())
    return lowering.refuse("softmax", "nan_for_masked_rows", "0 for such rows");
  if (!lowering.computeType(op))
    return failure();
  const TensorShape shape = lowering.shape(op.getInput());
  const TensorShape rows = lowering.reduceLast(shape);
  auto rowTensor = [&](Value result) {
    return result ? lowering.tensor(result) : lowering.temporary(rows);
  };
  Value x = lowering.tensor(op.getInput());
  Value max = rowTensor(op.getMax());
  lowering.reduce(cudnn::ReductionOperator::MAX, x, max);
  Value shifted = lowering.temporary(shape);
  lowering.pointwise(cudnn::PointwiseMode::SUB, x, shifted, max);
  Value power = lowering.temporary(shape);
  lowering.pointwise(cudnn::PointwiseMode::EXP, shifted, power);
  Value sum = rowTensor(op.getSumExp());
  lowering.reduce(cudnn::ReductionOperator::ADD, power, sum);
  if (op.getStats()) {
    Value log = lowering.temporary(rows);
    lowering.pointwise(cudnn::PointwiseMode::LOG, sum, log);
    lowering.pointwise(cudnn::PointwiseMode::ADD, max,
                       lowering.tensor(op.getStats()), log);
  }
  lowering.pointwise(cudnn::PointwiseMode::DIV, power,
                     lowering.tensor(op.getS()), sum);
  return success();
}
