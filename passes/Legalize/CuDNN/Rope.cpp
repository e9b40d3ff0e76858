//===- Rope.cpp - Rotary embeddings for cuDNN -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/CuDNN/Lowering.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::cudnn_lowering;
using opgraph::cudnn::Attr;

namespace {
/// One of the two operations.
struct RopePorts {
  cudnn::Kind kind;
  /// Since when the library has it.
  int64_t version;
  Attr from, to, angles, scale, width;
};
} // namespace

static constexpr RopePorts kForward = {
    cudnn::Kind::OPERATION_ROPE_FWD,    92400,
    Attr::OPERATION_ROPE_FWD_XDESC,     Attr::OPERATION_ROPE_FWD_YDESC,
    Attr::OPERATION_ROPE_FWD_FREQSDESC, Attr::OPERATION_ROPE_FWD_OUTPUT_SCALE,
    Attr::OPERATION_ROPE_FWD_ROPE_DIM};
static constexpr RopePorts kBackward = {
    cudnn::Kind::OPERATION_ROPE_BWD,    92500,
    Attr::OPERATION_ROPE_BWD_DYDESC,    Attr::OPERATION_ROPE_BWD_DXDESC,
    Attr::OPERATION_ROPE_BWD_FREQSDESC, Attr::OPERATION_ROPE_BWD_OUTPUT_SCALE,
    Attr::OPERATION_ROPE_BWD_ROPE_DIM};

template <typename Op>
static LogicalResult lower(Lowering &lowering, Op op, const RopePorts &ports,
                           Value from, Value to) {
  if (failed(lowering.require(ports.version, op->getName().stripDialect())) ||
      !lowering.computeType(op))
    return failure();
  if (!lowering.getAxes().keeps(4))
    return lowering.refuse("rank(rope)", "4 of all tensors",
                           std::to_string(lowering.getAxes().getRank()));
  if (int64_t width = lowering.shape(from).dims[3]; width % 2 != 0)
    return lowering.refuse("channels(rope)", "an even number", Twine(width));
  Value x = lowering.tensor(from), y = lowering.tensor(to);
  Value angles = lowering.tensor(op.getFreqs());
  auto operation = lowering.builder().descriptor(ports.kind);
  operation.set(ports.from, x)
      .set(ports.to, y)
      .set(ports.angles, angles)
      .set(ports.scale, op.getOutputScale().convertToDouble());
  if (op.getRopeDim() != 0)
    operation.set(ports.width, int64_t(op.getRopeDim()));
  lowering.add(operation.finish());
  return success();
}

LogicalResult
opgraph::legalize::cudnn_lowering::lowerRope(Lowering &lowering,
                                             mlir::Operation &op) {
  if (auto forward = dyn_cast<graph::RopeOp>(op))
    return lower(lowering, forward, kForward, forward.getInput(),
                 forward.getY());
  auto backward = cast<graph::RopeBackwardOp>(op);
  return lower(lowering, backward, kBackward, backward.getDY(),
               backward.getDX());
}
