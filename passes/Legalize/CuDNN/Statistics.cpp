//===- Statistics.cpp - The parts of batch norm for cuDNN -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/CuDNN/Lowering.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::cudnn_lowering;
using opgraph::cudnn::Attr;

/// Refuses tensors whose batch and channels are not the first two axes.
static LogicalResult checkChannels(Lowering &lowering, mlir::Operation *op) {
  int64_t rank = cast<RankedTensorType>(op->getOperand(0).getType()).getRank();
  if (lowering.getAxes().place(0, rank) == 0)
    return success();
  return lowering.refuse(("rank(" + op->getName().stripDialect() + ")").str(),
                         "that of the graph's other tensors",
                         std::to_string(rank));
}

/// The library's norm takes no statistics; four pointwise operations do.
LogicalResult opgraph::legalize::cudnn_lowering::lowerBatchnormInference(
    Lowering &lowering, graph::BatchnormInferenceOp op) {
  if (!lowering.computeType(op) || failed(checkChannels(lowering, op)))
    return failure();
  TensorShape shape = lowering.shape(op.getInput());
  // A scale along the middle one of three axes is read wrongly.
  if (shape.dims.size() == 3)
    return lowering.refuse("rank(batchnorm_inference)", "not 3", "3");
  Value centred = lowering.temporary(shape);
  Value normalised = lowering.temporary(shape);
  Value scaled = lowering.temporary(shape);
  lowering.pointwise(cudnn::PointwiseMode::SUB, lowering.tensor(op.getInput()),
                     centred, lowering.tensor(op.getMean()));
  lowering.pointwise(cudnn::PointwiseMode::MUL, centred, normalised,
                     lowering.tensor(op.getInvVariance()));
  lowering.pointwise(cudnn::PointwiseMode::MUL, normalised, scaled,
                     lowering.tensor(op.getScale()));
  lowering.pointwise(cudnn::PointwiseMode::ADD, scaled,
                     lowering.tensor(op.getY()), lowering.tensor(op.getBias()));
  return success();
}

static LogicalResult lowerGenstats(Lowering &lowering, graph::GenstatsOp op) {
  std::optional<cudnn::DataType> compute = lowering.computeType(op);
  if (!compute || failed(checkChannels(lowering, op)))
    return failure();
  Value x = lowering.tensor(op.getInput());
  Value sum = lowering.tensor(op.getSUM());
  Value squares = lowering.tensor(op.getSQ_SUM());
  lowering.add(
      lowering.builder()
          .descriptor(cudnn::Kind::OPERATION_GEN_STATS)
          .set(Attr::OPERATION_GENSTATS_MODE, cudnn::GenStatsMode::SUM_SQSUM)
          .set(Attr::OPERATION_GENSTATS_MATH_PREC, *compute)
          .set(Attr::OPERATION_GENSTATS_XDESC, x)
          .set(Attr::OPERATION_GENSTATS_SUMDESC, sum)
          .set(Attr::OPERATION_GENSTATS_SQSUMDESC, squares)
          .finish());
  return success();
}

static LogicalResult lowerFinalize(Lowering &lowering, graph::BnFinalizeOp op) {
  std::optional<cudnn::DataType> compute = lowering.computeType(op);
  if (!compute)
    return failure();
  if (!op.getMomentum())
    return lowering.refuse("bn_finalize", "running statistics", "none");
  // The library counts in i64, and has no answer for a count of none.
  std::optional<double> count = lowering.findConstant(op.getAccumCount());
  if (!count || *count != std::floor(*count) || *count < 1 || *count > 1e15)
    return lowering.refuse("ACCUM_COUNT", "a whole constant above 0",
                           "another value");
  for (Value scalar : {op.getEpsilon(), op.getMomentum()})
    if (!lowering.isByValue(scalar))
      return lowering.refuse("EPSILON or MOMENTUM", "a constant or by value",
                             "in memory");
  int64_t rank = lowering.getAxes().getRank();
  mlir::Builder types(op.getContext());
  std::pair<Attr, Value> ports[] = {
      {Attr::OPERATION_BN_FINALIZE_Y_SUM_DESC, op.getSum()},
      {Attr::OPERATION_BN_FINALIZE_Y_SQ_SUM_DESC, op.getSqSum()},
      {Attr::OPERATION_BN_FINALIZE_SCALE_DESC, op.getScale()},
      {Attr::OPERATION_BN_FINALIZE_BIAS_DESC, op.getBias()},
      {Attr::OPERATION_BN_FINALIZE_PREV_RUNNING_MEAN_DESC,
       op.getPrevRunningMean()},
      {Attr::OPERATION_BN_FINALIZE_PREV_RUNNING_VAR_DESC,
       op.getPrevRunningVar()},
      {Attr::OPERATION_BN_FINALIZE_UPDATED_RUNNING_MEAN_DESC,
       op.getNEXT_RUNNING_MEAN()},
      {Attr::OPERATION_BN_FINALIZE_UPDATED_RUNNING_VAR_DESC,
       op.getNEXT_RUNNING_VAR()},
      {Attr::OPERATION_BN_FINALIZE_SAVED_MEAN_DESC, op.getMEAN()},
      {Attr::OPERATION_BN_FINALIZE_SAVED_INV_STD_DESC, op.getINV_VARIANCE()},
      {Attr::OPERATION_BN_FINALIZE_EQ_SCALE_DESC, op.getEQ_SCALE()},
      {Attr::OPERATION_BN_FINALIZE_EQ_BIAS_DESC, op.getEQ_BIAS()},
      {Attr::OPERATION_BN_FINALIZE_EPSILON_DESC, op.getEpsilon()},
      {Attr::OPERATION_BN_FINALIZE_EXP_AVERATE_FACTOR_DESC, op.getMomentum()}};
  SmallVector<Value> tensors;
  for (auto &[attr, value] : ports)
    tensors.push_back(lowering.tensor(value));
  Value number = lowering.constant(types.getI64IntegerAttr(*count), rank);
  auto operation = lowering.builder().descriptor(
      cudnn::Kind::OPERATION_BN_FINALIZE_STATISTICS);
  operation
      .set(Attr::OPERATION_BN_FINALIZE_STATS_MODE,
           cudnn::BnFinalizeStatsMode::TRAINING)
      .set(Attr::OPERATION_BN_FINALIZE_MATH_PREC, *compute)
      .set(Attr::OPERATION_BN_FINALIZE_ACCUM_COUNT_DESC, number);
  for (auto [port, tensor] : llvm::zip_equal(ports, tensors))
    operation.set(port.first, tensor);
  lowering.add(operation.finish());
  return success();
}

static LogicalResult lowerWeights(Lowering &lowering, graph::DbnWeightOp op) {
  std::optional<cudnn::DataType> compute = lowering.computeType(op);
  if (!compute || failed(checkChannels(lowering, op)))
    return failure();
  std::pair<Attr, Value> ports[] = {
      {Attr::OPERATION_BN_BWD_WEIGHTS_MEAN_DESC, op.getMean()},
      {Attr::OPERATION_BN_BWD_WEIGHTS_INVSTD_DESC, op.getInvVariance()},
      {Attr::OPERATION_BN_BWD_WEIGHTS_BN_SCALE_DESC, op.getScale()},
      {Attr::OPERATION_BN_BWD_WEIGHTS_X_DESC, op.getInput()},
      {Attr::OPERATION_BN_BWD_WEIGHTS_DY_DESC, op.getGrad()},
      {Attr::OPERATION_BN_BWD_WEIGHTS_DBN_SCALE_DESC, op.getDSCALE()},
      {Attr::OPERATION_BN_BWD_WEIGHTS_DBN_BIAS_DESC, op.getDBIAS()},
      {Attr::OPERATION_BN_BWD_WEIGHTS_EQ_DY_SCALE_DESC, op.getEQ_SCALE_DY()},
      {Attr::OPERATION_BN_BWD_WEIGHTS_EQ_X_SCALE_DESC, op.getEQ_SCALE_X()},
      {Attr::OPERATION_BN_BWD_WEIGHTS_EQ_BIAS, op.getEQ_BIAS()}};
  SmallVector<Value> tensors;
  for (auto &[attr, value] : ports)
    tensors.push_back(lowering.tensor(value));
  auto operation =
      lowering.builder().descriptor(cudnn::Kind::OPERATION_BN_BWD_WEIGHTS);
  operation.set(Attr::OPERATION_BN_BWD_WEIGHTS_MATH_PREC, *compute);
  for (auto [port, tensor] : llvm::zip_equal(ports, tensors))
    operation.set(port.first, tensor);
  lowering.add(operation.finish());
  return success();
}

LogicalResult
opgraph::legalize::cudnn_lowering::lowerStatistics(Lowering &lowering,
                                                   mlir::Operation &op) {
  return llvm::TypeSwitch<mlir::Operation *, LogicalResult>(&op)
      .Case([&](graph::GenstatsOp stats) {
        return lowerGenstats(lowering, stats);
      })
      .Case([&](graph::BnFinalizeOp stats) {
        return lowerFinalize(lowering, stats);
      })
      .Case([&](graph::DbnWeightOp stats) {
        return lowerWeights(lowering, stats);
      });
}
