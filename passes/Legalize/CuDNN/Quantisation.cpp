//===- Quantisation.cpp - Block scales, MoE, concatenation for cuDNN ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations whose axes have places, one descriptor each.
//===----------------------------------------------------------------------===//
#include "passes/Legalize/CuDNN/Lowering.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::cudnn_lowering;
using opgraph::cudnn::Attr;

/// Since when the library has scaled blocks.
static constexpr int64_t kBlockScale = 90700;
static constexpr int64_t kMoe = 91500;
static constexpr int64_t kMoeBackward = 92200;
static constexpr int64_t kConcatenate = 90700;

static LogicalResult lowerDequantize(Lowering &lowering,
                                     graph::BlockScaleDequantizeOp op) {
  std::optional<cudnn::DataType> compute = lowering.computeType(op);
  if (!compute)
    return failure();
  // One block size for each axis, those before the given ones 1.
  ArrayRef<int64_t> given = op.getBlockSize();
  SmallVector<int64_t> sizes(given);
  Value x = lowering.tensor(op.getInput());
  Value scale = lowering.tensor(op.getDescale());
  Value y = lowering.tensor(op.getY());
  auto operation = lowering.builder().descriptor(
      cudnn::Kind::OPERATION_BLOCK_SCALE_DEQUANTIZE);
  operation.set(Attr::OPERATION_BLOCK_SCALE_DEQUANTIZE_XDESC, x)
      .set(Attr::OPERATION_BLOCK_SCALE_DEQUANTIZE_SCALE_DESC, scale)
      .set(Attr::OPERATION_BLOCK_SCALE_DEQUANTIZE_YDESC, y)
      .set(Attr::OPERATION_BLOCK_SCALE_DEQUANTIZE_MATH_PREC, *compute)
      .set(Attr::OPERATION_BLOCK_SCALE_DEQUANTIZE_BLOCK_SIZE,
           ArrayRef<int64_t>(sizes));
  if (op.getIsNegativeScale())
    operation.set(Attr::OPERATION_BLOCK_SCALE_DEQUANTIZE_NEG_SCALE, true);
  lowering.add(operation.finish());
  return success();
}

static LogicalResult lowerQuantize(Lowering &lowering,
                                   graph::BlockScaleQuantizeOp op) {
  std::optional<cudnn::DataType> compute = lowering.computeType(op);
  if (!compute)
    return failure();
  if (op.getGroupOffset() || op.getTranspose())
    return lowering.refuse("block_scale_quantize",
                           "no group offsets, not transposed", "one of them");
  int64_t rank = cast<RankedTensorType>(op.getInput().getType()).getRank();
  int64_t axis = op.getAxis().value_or(rank - 1);
  if (axis != rank - 1 && axis != -1)
    return lowering.refuse("axis(block_scale_quantize)", "the last",
                           std::to_string(axis));
  const TensorShape &shape = lowering.shape(op.getInput());
  if (shape.dims.back() % int64_t(op.getBlockSize()) != 0)
    return lowering.refuse("extent(block_scale_quantize)",
                           "a multiple of the block", "another");
  Value x = lowering.tensor(op.getInput()), y = lowering.tensor(op.getY());
  Value scale = lowering.tensor(op.getScale());
  lowering.add(
      lowering.builder()
          .descriptor(cudnn::Kind::OPERATION_BLOCK_SCALE_QUANTIZE)
          .set(Attr::OPERATION_BLOCK_SCALE_QUANTIZE_XDESC, x)
          .set(Attr::OPERATION_BLOCK_SCALE_QUANTIZE_YDESC, y)
          .set(Attr::OPERATION_BLOCK_SCALE_QUANTIZE_SCALE_DESC, scale)
          .set(Attr::OPERATION_BLOCK_SCALE_QUANTIZE_MATH_PREC, *compute)
          .set(Attr::OPERATION_BLOCK_SCALE_QUANTIZE_BLOCK_SIZE,
               int64_t(op.getBlockSize()))
          .finish());
  return success();
}

LogicalResult
opgraph::legalize::cudnn_lowering::lowerBlockScale(Lowering &lowering,
                                                   mlir::Operation &op) {
  if (failed(lowering.require(kBlockScale, op.getName().stripDialect())))
    return failure();
  if (auto quantize = dyn_cast<graph::BlockScaleQuantizeOp>(op))
    return lowerQuantize(lowering, quantize);
  return lowerDequantize(lowering, cast<graph::BlockScaleDequantizeOp>(op));
}

/// The library takes the first row of each expert, not the end of the last.
static LogicalResult checkOffsets(Lowering &lowering, Value offsets,
                                  int64_t experts) {
  int64_t count = cast<RankedTensorType>(offsets.getType()).getNumElements();
  if (count == experts)
    return success();
  return lowering.refuse("FIRST_TOKEN_OFFSET", "one for each expert",
                         std::to_string(count));
}

LogicalResult
opgraph::legalize::cudnn_lowering::lowerMoe(Lowering &lowering,
                                            graph::MoeGroupedMatmulOp op) {
  if (failed(lowering.require(kMoe, "moe_grouped_matmul")))
    return failure();
  std::optional<cudnn::DataType> compute = lowering.computeType(op);
  if (!compute)
    return failure();
  if (op.getIeee() && lowering.isAnyF32(op.getToken(), op.getWeight()))
    return lowering.refuse("f32_matmul", "tf32", "ieee");
  // Scatter and combine leave rows that nothing is written to; ours are +0.
  if (op.getMode() != graph::MoeGroupedMatmulMode::NONE &&
      op.getMode() != graph::MoeGroupedMatmulMode::GATHER)
    return lowering.refuse("mode(moe_grouped_matmul)", "none or gather",
                           graph::stringifyMoeGroupedMatmulMode(op.getMode()));
  auto weight = cast<RankedTensorType>(op.getWeight().getType());
  if (failed(checkOffsets(lowering, op.getFirstTokenOffset(),
                          weight.getDimSize(0))))
    return failure();
  bool gathers = op.getMode() == graph::MoeGroupedMatmulMode::GATHER;
  Value token = lowering.tensor(op.getToken());
  Value matrix = lowering.tensor(op.getWeight());
  Value offset = lowering.tensor(op.getFirstTokenOffset());
  Value index = gathers ? lowering.tensor(op.getTokenIndex()) : Value();
  Value out = lowering.tensor(op.getOUT());
  auto operation =
      lowering.builder().descriptor(cudnn::Kind::OPERATION_MOE_GROUPED_MATMUL);
  operation
      .set(Attr::OPERATION_MOE_GROUPED_MATMUL_MODE,
           gathers ? cudnn::MoeGroupedMatmulMode::GATHER
                   : cudnn::MoeGroupedMatmulMode::NONE)
      .set(Attr::OPERATION_MOE_GROUPED_MATMUL_MATH_PREC, *compute)
      .set(Attr::OPERATION_MOE_GROUPED_MATMUL_TOKEN_DESC, token)
      .set(Attr::OPERATION_MOE_GROUPED_MATMUL_WEIGHT_DESC, matrix)
      .set(Attr::OPERATION_MOE_GROUPED_MATMUL_FIRST_TOKEN_OFFSET_DESC, offset)
      .setIf(Attr::OPERATION_MOE_GROUPED_MATMUL_TOKEN_INDEX_DESC, index)
      .set(Attr::OPERATION_MOE_GROUPED_MATMUL_OUTPUT_DESC, out);
  lowering.add(operation.finish());
  return success();
}

LogicalResult opgraph::legalize::cudnn_lowering::lowerMoeBackward(
    Lowering &lowering, graph::MoeGroupedMatmulBwdOp op) {
  if (failed(lowering.require(kMoeBackward, "moe_grouped_matmul_bwd")))
    return failure();
  std::optional<cudnn::DataType> compute = lowering.computeType(op);
  if (!compute)
    return failure();
  if (op.getIeee() && lowering.isAnyF32(op.getToken(), op.getDoutput()))
    return lowering.refuse("f32_matmul", "tf32", "ieee");
  auto weight = cast<RankedTensorType>(op.getDWEIGHT().getType());
  if (failed(checkOffsets(lowering, op.getFirstTokenOffset(),
                          weight.getDimSize(0))))
    return failure();
  Value token = lowering.tensor(op.getToken());
  Value out = lowering.tensor(op.getDoutput());
  Value offset = lowering.tensor(op.getFirstTokenOffset());
  Value matrix = lowering.tensor(op.getDWEIGHT());
  using Kind = cudnn::Kind;
  lowering.add(
      lowering.builder()
          .descriptor(Kind::OPERATION_MOE_GROUPED_MATMUL_BWD)
          .set(Attr::OPERATION_MOE_GROUPED_MATMUL_BWD_MATH_PREC, *compute)
          .set(Attr::OPERATION_MOE_GROUPED_MATMUL_BWD_TOKEN_DESC, token)
          .set(Attr::OPERATION_MOE_GROUPED_MATMUL_BWD_DWEIGHT_DESC, matrix)
          .set(Attr::OPERATION_MOE_GROUPED_MATMUL_BWD_FIRST_TOKEN_OFFSET_DESC,
               offset)
          .set(Attr::OPERATION_MOE_GROUPED_MATMUL_BWD_DOUTPUT_DESC, out)
          .finish());
  return success();
}

LogicalResult
opgraph::legalize::cudnn_lowering::lowerConcatenate(Lowering &lowering,
                                                    graph::ConcatenateOp op) {
  if (failed(lowering.require(kConcatenate, "concatenate")))
    return failure();
  int64_t rank = cast<RankedTensorType>(op.getY().getType()).getRank();
  std::optional<int64_t> axis = lowering.getAxes().place(op.getAxis(), rank);
  if (!axis)
    return lowering.refuse("concatenate", "axes of their own", "merged axes");
  SmallVector<Value> inputs;
  for (Value input : op.getInputs())
    inputs.push_back(lowering.tensor(input));
  Value y = lowering.tensor(op.getY());
  // in_place_index is a promise of the caller's that our buffers do not keep.
  lowering.add(
      lowering.builder()
          .descriptor(cudnn::Kind::OPERATION_CONCAT)
          .set(Attr::OPERATION_CONCAT_AXIS, *axis)
          .set(Attr::OPERATION_CONCAT_INPUT_DESCS, mlir::ValueRange(inputs))
          .set(Attr::OPERATION_CONCAT_OUTPUT_DESC, y)
          .finish());
  return success();
}
