//===- Convolution.cpp - Convolutions and resampling for cuDNN ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/CuDNN/Lowering.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::cudnn_lowering;
using opgraph::cudnn::Attr;

/// Refuses tensors that were given axes besides their own.
static LogicalResult checkAxes(Lowering &lowering, mlir::Operation *op) {
  int64_t rank = cast<RankedTensorType>(op->getOperand(0).getType()).getRank();
  if (lowering.getAxes().keeps(rank))
    return success();
  return lowering.refuse(("rank(" + op->getName().stripDialect() + ")").str(),
                         "that of the graph's other tensors",
                         std::to_string(rank));
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

namespace {
/// The ports of one of the three operations: filter, image, response.
struct ConvPorts {
  cudnn::Kind kind;
  Attr config, alpha, beta, filter, image, response;
};
} // namespace

static constexpr ConvPorts kForward = {
    cudnn::Kind::OPERATION_CONVOLUTION_FORWARD,
    Attr::OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
    Attr::OPERATION_CONVOLUTION_FORWARD_ALPHA,
    Attr::OPERATION_CONVOLUTION_FORWARD_BETA,
    Attr::OPERATION_CONVOLUTION_FORWARD_W,
    Attr::OPERATION_CONVOLUTION_FORWARD_X,
    Attr::OPERATION_CONVOLUTION_FORWARD_Y};
static constexpr ConvPorts kData = {
    cudnn::Kind::OPERATION_CONVOLUTION_BACKWARD_DATA,
    Attr::OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
    Attr::OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
    Attr::OPERATION_CONVOLUTION_BWD_DATA_BETA,
    Attr::OPERATION_CONVOLUTION_BWD_DATA_W,
    Attr::OPERATION_CONVOLUTION_BWD_DATA_DX,
    Attr::OPERATION_CONVOLUTION_BWD_DATA_DY};
static constexpr ConvPorts kFilter = {
    cudnn::Kind::OPERATION_CONVOLUTION_BACKWARD_FILTER,
    Attr::OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
    Attr::OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
    Attr::OPERATION_CONVOLUTION_BWD_FILTER_BETA,
    Attr::OPERATION_CONVOLUTION_BWD_FILTER_DW,
    Attr::OPERATION_CONVOLUTION_BWD_FILTER_X,
    Attr::OPERATION_CONVOLUTION_BWD_FILTER_DY};

namespace {
/// The tensors of one op.
struct ConvTensors {
  Value filter, image, response;
};
} // namespace

template <typename Op>
static LogicalResult lowerConv(Lowering &lowering, Op op,
                               const ConvPorts &ports,
                               const ConvTensors &tensors) {
  std::optional<cudnn::DataType> compute =
      lowering.computeType(op, /*allowIntegers=*/true);
  if (!compute || failed(checkAxes(lowering, op)))
    return failure();
  if (op.getIeee() && lowering.isAnyF32(op->getOperand(0), op->getOperand(1)))
    return lowering.refuse("f32_matmul", "tf32", "ieee");
  for (Value value : {tensors.filter, tensors.image, tensors.response}) {
    const TensorShape &shape = lowering.shape(value);
    if (!isPackedImage(shape))
      return lowering.refuse("layout(conv)",
                             "packed, row-major or channels-last", "another");
    // Row-major images are read otherwise, and others are not known to be
    // right.
    if (cast<RankedTensorType>(value.getType()).getElementType().isInteger())
      return lowering.refuse("element type(conv)", "floating point",
                             "integers");
    // Row-major images of 8-bit floats are read as if channels came last.
    if (isa<Float8E4M3FNType, Float8E5M2Type>(
            cast<RankedTensorType>(value.getType()).getElementType()) &&
        shape.dims[1] != 1 && shape.strides[1] != 1)
      return lowering.refuse("layout(conv)", "channels-last of 8-bit floats",
                             "row-major");
  }
  if (op.getFastFp8Accumulation() && *compute == cudnn::DataType::FLOAT)
    compute = cudnn::DataType::FAST_FLOAT_FOR_FP8;
  auto mode = op.getConvolutionMode() == graph::ConvolutionMode::CONVOLUTION
                  ? cudnn::ConvolutionMode::CONVOLUTION
                  : cudnn::ConvolutionMode::CROSS_CORRELATION;
  cudnn::Builder &b = lowering.builder();
  Value config =
      b.descriptor(cudnn::Kind::CONVOLUTION)
          .set(Attr::CONVOLUTION_COMP_TYPE, *compute)
          .set(Attr::CONVOLUTION_CONV_MODE, mode)
          .set(Attr::CONVOLUTION_DILATIONS, op.getDilation())
          .set(Attr::CONVOLUTION_FILTER_STRIDES, op.getStride())
          .set(Attr::CONVOLUTION_POST_PADDINGS, op.getPostPadding())
          .set(Attr::CONVOLUTION_PRE_PADDINGS, op.getPrePadding())
          .set(Attr::CONVOLUTION_SPATIAL_DIMS, int64_t(op.getStride().size()))
          .finish();
  Value filter = lowering.tensor(tensors.filter);
  Value image = lowering.tensor(tensors.image);
  Value response = lowering.tensor(tensors.response);
  lowering.add(b.descriptor(ports.kind)
                   .set(ports.alpha, 1.0)
                   .set(ports.beta, 0.0)
                   .set(ports.config, config)
                   .set(ports.filter, filter)
                   .set(ports.image, image)
                   .set(ports.response, response)
                   .finish());
  return success();
}

LogicalResult
opgraph::legalize::cudnn_lowering::lowerConvolution(Lowering &lowering,
                                                    mlir::Operation &op) {
  return llvm::TypeSwitch<mlir::Operation *, LogicalResult>(&op)
      .Case([&](graph::ConvFpropOp conv) {
        return lowerConv(lowering, conv, kForward,
                         {conv.getWeight(), conv.getImage(), conv.getY()});
      })
      .Case([&](graph::ConvDgradOp conv) {
        return lowerConv(lowering, conv, kData,
                         {conv.getFilter(), conv.getDX(), conv.getLoss()});
      })
      .Case([&](graph::ConvWgradOp conv) {
        return lowerConv(lowering, conv, kFilter,
                         {conv.getDW(), conv.getImage(), conv.getLoss()});
      });
}

//===----------------------------------------------------------------------===//
// Resampling
//===----------------------------------------------------------------------===//

static cudnn::ResampleMode modeOf(graph::ResampleMode mode) {
  switch (mode) {
  case graph::ResampleMode::AVGPOOL_EXCLUDE_PADDING:
    return cudnn::ResampleMode::AVGPOOL_EXCLUDE_PADDING;
  case graph::ResampleMode::AVGPOOL_INCLUDE_PADDING:
    return cudnn::ResampleMode::AVGPOOL_INCLUDE_PADDING;
  case graph::ResampleMode::BILINEAR:
    return cudnn::ResampleMode::BILINEAR;
  case graph::ResampleMode::NEAREST:
    return cudnn::ResampleMode::NEAREST;
  case graph::ResampleMode::MAXPOOL:
    return cudnn::ResampleMode::MAXPOOL;
  }
  llvm_unreachable("unknown resample mode");
}

static cudnn::PaddingMode modeOf(graph::PaddingMode mode) {
  switch (mode) {
  case graph::PaddingMode::EDGE_VAL_PAD:
    return cudnn::PaddingMode::EDGE_VAL_PAD;
  case graph::PaddingMode::NEG_INF_PAD:
    return cudnn::PaddingMode::NEG_INF_PAD;
  case graph::PaddingMode::ZERO_PAD:
    return cudnn::PaddingMode::ZERO_PAD;
  }
  llvm_unreachable("unknown padding mode");
}

/// Steps in whole elements; fails where one is a fraction, which the library's
/// engines do not run.
static LogicalResult divideSteps(Lowering &lowering, ArrayRef<int64_t> steps,
                                 int64_t unit, SmallVector<int64_t> &whole) {
  for (int64_t step : steps) {
    if (step % unit != 0)
      return lowering.refuse("denominator(resample)", "whole elements",
                             Twine(step) + "/" + Twine(unit));
    whole.push_back(step / unit);
  }
  return success();
}

template <typename Op>
static FailureOr<Value> makeResample(Lowering &lowering, Op op) {
  std::optional<cudnn::DataType> compute = lowering.computeType(op);
  if (!compute || failed(checkAxes(lowering, op)))
    return failure();
  SmallVector<Value> values(op->getOperands());
  llvm::append_range(values, op->getResults());
  for (Value value : values)
    if (!isPackedImage(lowering.shape(value)))
      return lowering.refuse("layout(resample)",
                             "packed, row-major or channels-last", "another");
  int64_t unit = op.getDenominator();
  SmallVector<int64_t> pre, post, stride;
  if (failed(divideSteps(lowering, op.getPrePadding(), unit, pre)) ||
      failed(divideSteps(lowering, op.getPostPadding(), unit, post)) ||
      failed(divideSteps(lowering, op.getStride(), unit, stride)))
    return failure();
  return lowering.builder()
      .descriptor(cudnn::Kind::RESAMPLE)
      .set(Attr::RESAMPLE_MODE, modeOf(op.getResampleMode()))
      .set(Attr::RESAMPLE_COMP_TYPE, *compute)
      .set(Attr::RESAMPLE_SPATIAL_DIMS, int64_t(op.getWindow().size()))
      .set(Attr::RESAMPLE_POST_PADDINGS, ArrayRef<int64_t>(post))
      .set(Attr::RESAMPLE_PRE_PADDINGS, ArrayRef<int64_t>(pre))
      .set(Attr::RESAMPLE_STRIDES, ArrayRef<int64_t>(stride))
      .set(Attr::RESAMPLE_WINDOW_DIMS, op.getWindow())
      .set(Attr::RESAMPLE_PADDING_MODE, modeOf(op.getPaddingMode()))
      .finish();
}

static LogicalResult lowerForward(Lowering &lowering, graph::ResampleOp op) {
  FailureOr<Value> config = makeResample(lowering, op);
  if (failed(config))
    return failure();
  Value x = lowering.tensor(op.getInput()), y = lowering.tensor(op.getY());
  Value index = op.getIndex() ? lowering.tensor(op.getIndex()) : Value();
  auto operation =
      lowering.builder().descriptor(cudnn::Kind::OPERATION_RESAMPLE_FWD);
  operation.set(Attr::OPERATION_RESAMPLE_FWD_XDESC, x)
      .set(Attr::OPERATION_RESAMPLE_FWD_YDESC, y)
      .set(Attr::OPERATION_RESAMPLE_FWD_DESC, *config);
  if (index)
    operation.set(Attr::OPERATION_RESAMPLE_FWD_IDXDESC, index);
  lowering.add(operation.finish());
  return success();
}

static LogicalResult lowerBackward(Lowering &lowering,
                                   graph::ResampleBackwardOp op) {
  if (op.getResampleMode() == graph::ResampleMode::NEAREST ||
      op.getResampleMode() == graph::ResampleMode::BILINEAR)
    return lowering.refuse("resample_backward", "a pooling mode",
                           graph::stringifyResampleMode(op.getResampleMode()));
  // A gradient from X alone would need Y too.
  if (op.getResampleMode() == graph::ResampleMode::MAXPOOL && !op.getIndex())
    return lowering.refuse("resample_backward", "an index", "none");
  if (cast<RankedTensorType>(op.getDX().getType()).getNumElements() == 1)
    return lowering.refuse("resample_backward", "more than one element", "1");
  FailureOr<Value> config = makeResample(lowering, op);
  if (failed(config))
    return failure();
  Value dy = lowering.tensor(op.getLoss()), dx = lowering.tensor(op.getDX());
  Value index = op.getIndex() ? lowering.tensor(op.getIndex()) : Value();
  auto operation =
      lowering.builder().descriptor(cudnn::Kind::OPERATION_RESAMPLE_BWD);
  operation.set(Attr::OPERATION_RESAMPLE_BWD_DXDESC, dx)
      .set(Attr::OPERATION_RESAMPLE_BWD_DYDESC, dy)
      .set(Attr::OPERATION_RESAMPLE_BWD_DESC, *config);
  if (index)
    operation.set(Attr::OPERATION_RESAMPLE_BWD_IDXDESC, index);
  lowering.add(operation.finish());
  return success();
}

LogicalResult
opgraph::legalize::cudnn_lowering::lowerResample(Lowering &lowering,
                                                 mlir::Operation &op) {
  if (auto forward = dyn_cast<graph::ResampleOp>(op))
    return lowerForward(lowering, forward);
  return lowerBackward(lowering, cast<graph::ResampleBackwardOp>(op));
}
