//===- Norm.cpp - Norms and their gradients for cuDNN ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/CuDNN/Lowering.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::cudnn_lowering;
using opgraph::cudnn::Attr;

namespace {
/// A tensor of the graph and its port; null values are left out.
struct Port {
  Attr attr;
  Value value;
};

/// One norm, forward or backward.
struct NormOp {
  cudnn::NormMode mode;
  bool isTraining = true;
  /// Of X; normalised axes are told from the scale.
  Value input, scale;
  /// The library wants these to lie as X, and those as the scale.
  SmallVector<Value, 2> likeInput, likeScale;
  SmallVector<Port> ports;
};
} // namespace

/// Checks that the library normalises the axes that the op does: in layer and
/// RMS norms all from one axis on, where the scale has X's extents.
static LogicalResult checkRows(Lowering &lowering, const NormOp &norm) {
  if (!norm.scale)
    return lowering.refuse("SCALE", "given", "absent");
  const TensorShape &x = lowering.shape(norm.input);
  const TensorShape &scale = lowering.shape(norm.scale);
  size_t first = 0;
  while (first < x.dims.size() && scale.dims[first] == 1)
    ++first;
  bool isSuffix = first > 0 && first < x.dims.size() &&
                  ArrayRef<int64_t>(x.dims).drop_front(first) ==
                      ArrayRef<int64_t>(scale.dims).drop_front(first);
  if (isSuffix)
    return success();
  return lowering.refuse("normalised axes", "all from one axis on",
                         "axes between others");
}

static LogicalResult checkLayouts(Lowering &lowering, const NormOp &norm) {
  bool isImage = norm.mode == cudnn::NormMode::BATCH_NORM ||
                 norm.mode == cudnn::NormMode::INSTANCE_NORM;
  for (const Port &port : norm.ports) {
    if (!port.value)
      continue;
    const TensorShape &shape = lowering.shape(port.value);
    TensorShape packed{shape.dims, packRowMajor(shape.dims)};
    if (isImage ? !isPackedImage(shape) : !areAlike(shape, packed))
      return lowering.refuse("layout(norm)",
                             isImage ? "packed, row-major or channels-last"
                                     : "packed row-major",
                             "another");
  }
  const TensorShape &input = lowering.shape(norm.input);
  for (Value value : norm.likeInput)
    if (!areAlike(lowering.shape(value), input))
      return lowering.refuse("layout(norm)", "that of X", "another");
  for (Value value : norm.likeScale)
    if (value && norm.scale &&
        !areAlike(lowering.shape(value), lowering.shape(norm.scale)))
      return lowering.refuse("layout(norm)", "that of SCALE", "another");
  return success();
}

static LogicalResult checkAxes(Lowering &lowering, const NormOp &norm) {
  int64_t rank = cast<RankedTensorType>(norm.input.getType()).getRank();
  switch (norm.mode) {
  case cudnn::NormMode::LAYER_NORM:
  case cudnn::NormMode::RMS_NORM:
    return checkRows(lowering, norm);
  case cudnn::NormMode::ADA_LAYER_NORM: {
    const TensorShape &x = lowering.shape(norm.input);
    const TensorShape &scale = lowering.shape(norm.scale);
    if (x.dims.size() == 3 && scale.dims[0] == x.dims[0] &&
        scale.dims[1] == 1 && scale.dims[2] == x.dims[2] && x.dims[2] != 1)
      return success();
    return lowering.refuse("adalayernorm", "[B, S, C] with a scale [B, 1, C]",
                           "other axes");
  }
  default:
    // Batch and channels stay the first two axes.
    if (lowering.getAxes().place(0, rank) == 0)
      return success();
    return lowering.refuse("rank(norm)", "that of the graph's other tensors",
                           std::to_string(rank));
  }
}

/// The descriptor of `value`, which the library takes by value only.
static Value scalarTensor(Lowering &lowering, Value value) {
  int64_t rank = lowering.shape(value).dims.size();
  if (std::optional<double> number = lowering.findConstant(value))
    return lowering.constant(*number, rank);
  return lowering.tensor(value);
}

static LogicalResult checkScalar(Lowering &lowering, Value value,
                                 StringRef name) {
  if (lowering.isByValue(value))
    return success();
  return lowering.refuse(name, "a constant or by value", "in memory");
}

static LogicalResult emit(Lowering &lowering, mlir::Operation *op,
                          const NormOp &norm, bool isForward,
                          ArrayRef<Port> scalars) {
  if (!lowering.computeType(op) || failed(checkAxes(lowering, norm)) ||
      failed(checkLayouts(lowering, norm)))
    return failure();
  SmallVector<std::pair<Attr, Value>> tensors;
  for (const Port &port : norm.ports)
    if (port.value)
      tensors.push_back({port.attr, lowering.tensor(port.value)});
  for (const Port &port : scalars) {
    if (!port.value)
      continue;
    if (failed(checkScalar(lowering, port.value, "EPSILON or MOMENTUM")))
      return failure();
    tensors.push_back({port.attr, scalarTensor(lowering, port.value)});
  }
  auto operation = lowering.builder().descriptor(
      isForward ? cudnn::Kind::OPERATION_NORM_FORWARD
                : cudnn::Kind::OPERATION_NORM_BACKWARD);
  operation.set(isForward ? Attr::OPERATION_NORM_FWD_MODE
                          : Attr::OPERATION_NORM_BWD_MODE,
                norm.mode);
  if (isForward)
    operation.set(Attr::OPERATION_NORM_FWD_PHASE,
                  norm.isTraining ? cudnn::NormFwdPhase::TRAINING
                                  : cudnn::NormFwdPhase::INFERENCE);
  for (auto &[attr, tensor] : tensors)
    operation.set(attr, tensor);
  lowering.add(operation.finish());
  return success();
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

/// What layer, instance and adaptive norms have in common.
template <typename Op>
static NormOp describeForward(Op op, cudnn::NormMode mode) {
  NormOp norm;
  norm.mode = mode;
  norm.isTraining =
      op.getNormForwardPhase() == graph::NormForwardPhase::TRAINING;
  norm.input = op.getInput();
  norm.scale = op.getScale();
  norm.ports = {
      {Attr::OPERATION_NORM_FWD_XDESC, op.getInput()},
      {Attr::OPERATION_NORM_FWD_INV_VARIANCE_DESC, op.getINV_VARIANCE()},
      {Attr::OPERATION_NORM_FWD_SCALE_DESC, op.getScale()},
      {Attr::OPERATION_NORM_FWD_BIAS_DESC, op.getBias()},
      {Attr::OPERATION_NORM_FWD_YDESC, op.getY()}};
  return norm;
}

template <typename Op>
static LogicalResult lowerMeanNorm(Lowering &lowering, Op op,
                                   cudnn::NormMode mode) {
  NormOp norm = describeForward(op, mode);
  norm.ports.push_back({Attr::OPERATION_NORM_FWD_MEAN_DESC, op.getMEAN()});
  return emit(lowering, op, norm, /*isForward=*/true,
              {{Attr::OPERATION_NORM_FWD_EPSILON_DESC, op.getEpsilon()}});
}

/// They are memory that the devices of a group share, and the library writes.
static LogicalResult checkPeers(Lowering &lowering, mlir::ValueRange peers) {
  return peers.empty() ? success()
                       : lowering.refuse("peer_stats", "none", "some");
}

static LogicalResult lowerBatchnorm(Lowering &lowering, graph::BatchnormOp op) {
  if (failed(checkPeers(lowering, op.getPeerStats())))
    return failure();
  NormOp norm;
  norm.mode = cudnn::NormMode::BATCH_NORM;
  norm.input = op.getInput();
  norm.scale = op.getScale();
  norm.likeInput = {op.getY()};
  norm.likeScale = {op.getBias()};
  norm.ports = {
      {Attr::OPERATION_NORM_FWD_XDESC, op.getInput()},
      {Attr::OPERATION_NORM_FWD_MEAN_DESC, op.getMEAN()},
      {Attr::OPERATION_NORM_FWD_INV_VARIANCE_DESC, op.getINV_VARIANCE()},
      {Attr::OPERATION_NORM_FWD_SCALE_DESC, op.getScale()},
      {Attr::OPERATION_NORM_FWD_BIAS_DESC, op.getBias()},
      {Attr::OPERATION_NORM_FWD_INPUT_RUNNING_MEAN_DESC, op.getInRunningMean()},
      {Attr::OPERATION_NORM_FWD_INPUT_RUNNING_VAR_DESC, op.getInRunningVar()},
      {Attr::OPERATION_NORM_FWD_OUTPUT_RUNNING_MEAN_DESC,
       op.getNEXT_RUNNING_MEAN()},
      {Attr::OPERATION_NORM_FWD_OUTPUT_RUNNING_VAR_DESC,
       op.getNEXT_RUNNING_VAR()},
      {Attr::OPERATION_NORM_FWD_YDESC, op.getY()}};
  return emit(
      lowering, op, norm, /*isForward=*/true,
      {{Attr::OPERATION_NORM_FWD_EPSILON_DESC, op.getEpsilon()},
       {Attr::OPERATION_NORM_FWD_EXP_AVG_FACTOR_DESC, op.getMomentum()}});
}

LogicalResult
opgraph::legalize::cudnn_lowering::lowerNorm(Lowering &lowering,
                                             mlir::Operation &op) {
  return llvm::TypeSwitch<mlir::Operation *, LogicalResult>(&op)
      .Case([&](graph::LayernormOp norm) {
        return lowerMeanNorm(lowering, norm, cudnn::NormMode::LAYER_NORM);
      })
      .Case([&](graph::AdalayernormOp norm) {
        return lowerMeanNorm(lowering, norm, cudnn::NormMode::ADA_LAYER_NORM);
      })
      .Case([&](graph::InstancenormOp norm) {
        return lowerMeanNorm(lowering, norm, cudnn::NormMode::INSTANCE_NORM);
      })
      .Case([&](graph::RmsnormOp norm) {
        return emit(
            lowering, norm, describeForward(norm, cudnn::NormMode::RMS_NORM),
            /*isForward=*/true,
            {{Attr::OPERATION_NORM_FWD_EPSILON_DESC, norm.getEpsilon()}});
      })
      .Case([&](graph::BatchnormOp norm) {
        return lowerBatchnorm(lowering, norm);
      });
}

//===----------------------------------------------------------------------===//
// Backward
//===----------------------------------------------------------------------===//

template <typename Op>
static NormOp describeBackward(Op op, cudnn::NormMode mode) {
  NormOp norm;
  norm.mode = mode;
  norm.input = op.getInput();
  norm.scale = op.getScale();
  norm.likeInput = {op.getDX(), op.getGrad()};
  norm.ports = {
      {Attr::OPERATION_NORM_BWD_XDESC, op.getInput()},
      {Attr::OPERATION_NORM_BWD_DYDESC, op.getGrad()},
      {Attr::OPERATION_NORM_BWD_INV_VARIANCE_DESC, op.getInvVariance()},
      {Attr::OPERATION_NORM_BWD_SCALE_DESC, op.getScale()},
      {Attr::OPERATION_NORM_BWD_DXDESC, op.getDX()}};
  return norm;
}

template <typename Op>
static LogicalResult lowerMeanBackward(Lowering &lowering, Op op,
                                       cudnn::NormMode mode) {
  NormOp norm = describeBackward(op, mode);
  norm.likeScale = {op.getDSCALE(), op.getDBIAS()};
  norm.ports.append({{Attr::OPERATION_NORM_BWD_MEAN_DESC, op.getMean()},
                     {Attr::OPERATION_NORM_BWD_DSCALE_DESC, op.getDSCALE()},
                     {Attr::OPERATION_NORM_BWD_DBIAS_DESC, op.getDBIAS()}});
  return emit(lowering, op, norm, /*isForward=*/false, {});
}

LogicalResult
opgraph::legalize::cudnn_lowering::lowerNormBackward(Lowering &lowering,
                                                     mlir::Operation &op) {
  return llvm::TypeSwitch<mlir::Operation *, LogicalResult>(&op)
      .Case([&](graph::LayernormBackwardOp norm) {
        return lowerMeanBackward(lowering, norm, cudnn::NormMode::LAYER_NORM);
      })
      .Case([&](graph::AdalayernormBackwardOp norm) {
        return lowerMeanBackward(lowering, norm,
                                 cudnn::NormMode::ADA_LAYER_NORM);
      })
      .Case([&](graph::InstancenormBackwardOp norm) {
        return lowerMeanBackward(lowering, norm,
                                 cudnn::NormMode::INSTANCE_NORM);
      })
      .Case([&](graph::BatchnormBackwardOp norm) {
        if (failed(checkPeers(lowering, norm.getPeerStats())))
          return failure();
        return lowerMeanBackward(lowering, norm, cudnn::NormMode::BATCH_NORM);
      })
      .Case([&](graph::RmsnormBackwardOp norm) {
        NormOp described = describeBackward(norm, cudnn::NormMode::RMS_NORM);
        described.likeScale = {norm.getDscale(), norm.getDbias()};
        described.ports.append(
            {{Attr::OPERATION_NORM_BWD_DSCALE_DESC, norm.getDscale()},
             {Attr::OPERATION_NORM_BWD_DBIAS_DESC, norm.getDbias()}});
        return emit(lowering, norm, described, /*isForward=*/false, {});
      });
}
