//===- Lowering.cpp - What the lowerings of all ops share -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/CuDNN/Lowering.h"
#include "dialects/CuDNN/Program.h"
#include "dialects/Graph/Attention.h"
#include "dialects/Graph/Layout.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::cudnn_lowering;

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

static bool isRowOp(mlir::Operation &op) {
  return isa<graph::ReductionOp, graph::SoftmaxOp, graph::LayernormOp,
             graph::RmsnormOp, graph::AdalayernormOp,
             graph::LayernormBackwardOp, graph::RmsnormBackwardOp,
             graph::AdalayernormBackwardOp>(op);
}

ShapeForm opgraph::legalize::cudnn_lowering::chooseForm(graph::GraphOp graph) {
  bool hasRows = false, hasMatmul = false;
  for (mlir::Operation &op : graph.getBody().front().without_terminator()) {
    if (isa<graph::MatmulOp, graph::MatmulFp8Op>(op))
      hasMatmul = true;
    else if (isRowOp(op))
      hasRows = true;
    else if (isa<graph::GenIndexOp>(op) ||
             !isa<graph::PointwiseOpInterface, graph::ConstantOp,
                  graph::ReshapeOp, graph::TransposeOp, graph::SliceOp>(op))
      return ShapeForm::Channels;
  }
  if (hasMatmul)
    return ShapeForm::Matrix;
  return hasRows ? ShapeForm::Rows : ShapeForm::Pointwise;
}

Lowering::Lowering(graph::GraphOp graph, int64_t version,
                   cudnn::Builder &builder, CudnnRefusal &refusal)
    : graph(graph), version(version), b(builder), refusal(refusal) {}

LogicalResult Lowering::refuse(StringRef constraint, StringRef limit,
                               const Twine &actual) {
  refusal = {constraint.str(), limit.str(), actual.str()};
  return failure();
}

LogicalResult Lowering::require(int64_t least, StringRef what) {
  if (version >= least)
    return success();
  return refuse(("version(" + what + ")").str(),
                "cuDNN " + cudnn::printVersion(least) + " or newer",
                cudnn::printVersion(version));
}

/// Since when the library has booleans of one byte.
static constexpr int64_t kByteBooleans = 92500;

LogicalResult Lowering::checkTypes() {
  bool hasScales = llvm::any_of(
      graph.getBody().front().without_terminator(), [](mlir::Operation &op) {
        return isa<graph::BlockScaleQuantizeOp, graph::BlockScaleDequantizeOp>(
            op);
      });
  for (auto &[key, memory] : memories) {
    Value value = key.first;
    auto type = cast<RankedTensorType>(value.getType());
    if (type.getNumElements() == 0)
      return refuse("extent", "at least 1", "0");
    std::string constraint = "element type";
    if (!elementType(value))
      return refuse(constraint,
                    "a type of cuDNN " + cudnn::printVersion(version),
                    debugString(type.getElementType()));
    // No kernel of the library compiles with these outside of block scaling.
    if (!hasScales && (graph::isPackedInHalves(type.getElementType()) ||
                       isa<Float8E8M0FNUType>(type.getElementType())))
      return refuse(constraint, "at least 8 bits, no e8m0",
                    debugString(type.getElementType()));
    if (isStrict() && type.getElementType().isUnsignedInteger(8))
      return refuse(constraint, "no ui8", "ui8");
    // Older ones have booleans of a bit each, graphs have bytes.
    if (!memory.isFree && type.getElementType().isInteger(1) &&
        failed(require(kByteBooleans, "boolean arguments and results")))
      return failure();
  }
  return success();
}

/// Engines store vectors of neighbours over the gaps between elements.
LogicalResult Lowering::checkStrides() {
  for (auto &[key, memory] : memories) {
    int64_t least = std::numeric_limits<int64_t>::max();
    for (auto [extent, stride] :
         llvm::zip_equal(memory.shape.dims, memory.shape.strides))
      if (extent != 1)
        least = std::min(least, stride);
    if (!memory.isFree && least != 1 &&
        least != std::numeric_limits<int64_t>::max())
      return refuse("stride", "1 along an axis", Twine(least));
  }
  return success();
}

LogicalResult Lowering::checkGraph() {
  if (graph.getDynamic())
    return refuse("overrides", "none", "extents may be overridden");
  mlir::Block &block = graph.getBody().front();
  auto isStatic = [](Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    return type.hasStaticShape() &&
           !llvm::is_contained(graph::getStrides(type),
                               mlir::ShapedType::kDynamic);
  };
  for (mlir::BlockArgument argument : block.getArguments())
    if (!isStatic(argument))
      return refuse("extents", "static", "dynamic");
  for (mlir::Operation &op : block.without_terminator())
    for (Value result : op.getResults())
      if (!isStatic(result))
        return refuse("extents", "static", "dynamic");
  return success();
}

LogicalResult Lowering::lower(mlir::Operation &op) {
  return llvm::TypeSwitch<mlir::Operation *, LogicalResult>(&op)
      .Case([&](graph::ConstantOp) { return success(); })
      .Case([&](graph::PointwiseOpInterface pointwise) {
        return lowerPointwise(*this, pointwise);
      })
      .Case<graph::ReshapeOp, graph::TransposeOp, graph::SliceOp>(
          [&](mlir::Operation *layout) { return lowerLayout(*this, *layout); })
      .Case([&](graph::ConcatenateOp concatenate) {
        return lowerConcatenate(*this, concatenate);
      })
      .Case([&](graph::MatmulOp matmul) { return lowerMatmul(*this, matmul); })
      .Case([&](graph::MatmulFp8Op matmul) {
        return lowerMatmulFp8(*this, matmul);
      })
      .Case([&](graph::ReductionOp reduction) {
        return lowerReduction(*this, reduction);
      })
      .Case([&](graph::SoftmaxOp softmax) {
        return lowerSoftmax(*this, softmax);
      })
      .Case<graph::ConvFpropOp, graph::ConvDgradOp, graph::ConvWgradOp>(
          [&](mlir::Operation *conv) { return lowerConvolution(*this, *conv); })
      .Case<graph::LayernormOp, graph::RmsnormOp, graph::AdalayernormOp,
            graph::InstancenormOp, graph::BatchnormOp>(
          [&](mlir::Operation *norm) { return lowerNorm(*this, *norm); })
      .Case<graph::LayernormBackwardOp, graph::RmsnormBackwardOp,
            graph::AdalayernormBackwardOp, graph::InstancenormBackwardOp,
            graph::BatchnormBackwardOp>([&](mlir::Operation *norm) {
        return lowerNormBackward(*this, *norm);
      })
      .Case([&](graph::BatchnormInferenceOp norm) {
        return lowerBatchnormInference(*this, norm);
      })
      .Case<graph::GenstatsOp, graph::BnFinalizeOp, graph::DbnWeightOp>(
          [&](mlir::Operation *stats) {
            return lowerStatistics(*this, *stats);
          })
      .Case<graph::ResampleOp, graph::ResampleBackwardOp>(
          [&](mlir::Operation *sample) {
            return lowerResample(*this, *sample);
          })
      .Case([&](graph::MoeGroupedMatmulOp moe) { return lowerMoe(*this, moe); })
      .Case([&](graph::MoeGroupedMatmulBwdOp moe) {
        return lowerMoeBackward(*this, moe);
      })
      .Case<graph::RopeOp, graph::RopeBackwardOp>(
          [&](mlir::Operation *rope) { return lowerRope(*this, *rope); })
      .Case<graph::BlockScaleQuantizeOp, graph::BlockScaleDequantizeOp>(
          [&](mlir::Operation *scale) {
            return lowerBlockScale(*this, *scale);
          })
      .Case<graph::SdpaOp, graph::SdpaFp8Op>(
          [&](mlir::Operation *sdpa) { return lowerSdpa(*this, *sdpa); })
      .Case([&](graph::SdpaBackwardOp sdpa) {
        return lowerSdpaBackward(*this, sdpa);
      })
      .Default([&](mlir::Operation *other) {
        return refuse("op", "an op with a lowering to cuDNN",
                      other->getName().stripDialect());
      });
}

LogicalResult Lowering::run() {
  if (failed(checkGraph()))
    return failure();
  form = chooseForm(graph);
  hasAnchor = llvm::any_of(
      graph.getBody().front().without_terminator(), [](mlir::Operation &op) {
        return isa<graph::ConvFpropOp, graph::ConvDgradOp, graph::ConvWgradOp,
                   graph::MatmulOp, graph::MatmulFp8Op,
                   graph::MoeGroupedMatmulOp>(op) ||
               graph::isAttention(&op);
      });
  memories = getMemories(graph, views);
  // An operation moves axes that keep their places.
  if (llvm::any_of(
          graph.getBody().front().without_terminator(),
          [&](mlir::Operation &op) {
            return isa<graph::ReshapeOp, graph::TransposeOp, graph::SliceOp>(
                       op) &&
                   !isView(op.getResult(0));
          }))
    form = ShapeForm::Channels;
  if (failed(checkTypes()))
    return failure();
  bool keepLast = !graph.getBody().getOps<graph::SoftmaxOp>().empty();
  axes = chooseShapes(memories, form, keepLast);
  if (failed(checkStrides()))
    return failure();
  constexpr int64_t kMaxRank = 8;
  if (axes.getRank() > kMaxRank)
    return refuse("rank", std::to_string(kMaxRank), Twine(axes.getRank()));
  for (mlir::Operation &op : graph.getBody().front().without_terminator())
    if (failed(lower(op)))
      return failure();
  if (operations.empty())
    return refuse("ops", "at least one that computes", "none");
  return success();
}

SmallVector<CudnnBinding> Lowering::takeBindings() {
  llvm::sort(bindings, [](const CudnnBinding &a, const CudnnBinding &b) {
    return a.uid < b.uid;
  });
  return std::move(bindings);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

std::optional<cudnn::DataType> Lowering::computeType(mlir::Operation *op,
                                                     bool allowIntegers) {
  mlir::Type type =
      cast<graph::ComputeTypeOpInterface>(op).getEffectiveComputeType();
  if (type.isF32())
    return cudnn::DataType::FLOAT;
  if (allowIntegers && type.isInteger(32))
    return cudnn::DataType::INT32;
  (void)refuse(("compute type(" + op->getName().stripDialect() + ")").str(),
               allowIntegers ? "f32 or i32" : "f32", debugString(type));
  return std::nullopt;
}

void Lowering::pointwise(cudnn::PointwiseMode mode, Value x, Value y, Value b,
                         Value t, cudnn::DataType compute) {
  using opgraph::cudnn::Attr;
  Value config = this->b.descriptor(cudnn::Kind::POINTWISE)
                     .set(Attr::POINTWISE_MODE, mode)
                     .set(Attr::POINTWISE_MATH_PREC, compute)
                     .finish();
  auto operation = this->b.descriptor(cudnn::Kind::OPERATION_POINTWISE);
  operation.set(Attr::OPERATION_POINTWISE_PW_DESCRIPTOR, config)
      .set(Attr::OPERATION_POINTWISE_XDESC, x);
  if (b)
    operation.set(Attr::OPERATION_POINTWISE_BDESC, b);
  if (t)
    operation.set(Attr::OPERATION_POINTWISE_TDESC, t);
  operation.set(Attr::OPERATION_POINTWISE_YDESC, y);
  add(operation.finish());
}

void Lowering::reduce(cudnn::ReductionOperator mode, Value x, Value y,
                      cudnn::DataType compute) {
  using opgraph::cudnn::Attr;
  Value config = b.descriptor(cudnn::Kind::REDUCTION)
                     .set(Attr::REDUCTION_OPERATOR, mode)
                     .set(Attr::REDUCTION_COMP_TYPE, compute)
                     .finish();
  add(b.descriptor(cudnn::Kind::OPERATION_REDUCTION)
          .set(Attr::OPERATION_REDUCTION_XDESC, x)
          .set(Attr::OPERATION_REDUCTION_YDESC, y)
          .set(Attr::OPERATION_REDUCTION_DESC, config)
          .finish());
}

void Lowering::matmul(Value a, Value bMatrix, Value c, cudnn::DataType compute,
                      const MatmulBounds &bounds) {
  using opgraph::cudnn::Attr;
  Value config = b.descriptor(cudnn::Kind::MATMUL)
                     .set(Attr::MATMUL_COMP_TYPE, compute)
                     .finish();
  add(b.descriptor(cudnn::Kind::OPERATION_MATMUL)
          .set(Attr::OPERATION_MATMUL_ADESC, a)
          .set(Attr::OPERATION_MATMUL_BDESC, bMatrix)
          .set(Attr::OPERATION_MATMUL_CDESC, c)
          .set(Attr::OPERATION_MATMUL_DESC, config)
          .setIf(Attr::OPERATION_MATMUL_GEMM_M_OVERRIDE_DESC, bounds.m)
          .setIf(Attr::OPERATION_MATMUL_GEMM_N_OVERRIDE_DESC, bounds.n)
          .setIf(Attr::OPERATION_MATMUL_GEMM_K_OVERRIDE_DESC, bounds.k)
          .finish());
}

//===----------------------------------------------------------------------===//
// Entry
//===----------------------------------------------------------------------===//

std::optional<CudnnProgram>
opgraph::legalize::lowerToCudnn(graph::GraphOp graph, int64_t version,
                                StringRef symbol, ModuleOp into,
                                CudnnRefusal &refusal) {
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(into.getBody());
  cudnn::Builder descriptors(builder, graph.getLoc(), symbol);
  Lowering lowering(graph, version, descriptors, refusal);
  LogicalResult lowered = lowering.run();
  if (failed(lowered)) {
    into.getBody()->back().erase();
    return std::nullopt;
  }
  CudnnProgram program;
  program.graph = descriptors.finish(lowering.getOperations());
  program.bindings = lowering.takeBindings();
  program.scratchBytes = lowering.getScratchBytes();
  return program;
}
