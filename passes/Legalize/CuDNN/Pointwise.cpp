//===- Pointwise.cpp - Pointwise and layout ops for cuDNN -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/CuDNN/Lowering.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::cudnn_lowering;

namespace {
/// A function of the graph dialect and the library's.
struct ModeRow {
  graph::PointwiseMode mode;
  cudnn::PointwiseMode libraryMode;
  /// Whether integers may be computed with: the library's results are ours.
  bool isForIntegers = false;
};
} // namespace

static constexpr ModeRow kModes[] = {
    {graph::PointwiseMode::ADD, cudnn::PointwiseMode::ADD, true},
    {graph::PointwiseMode::MUL, cudnn::PointwiseMode::MUL, true},
    {graph::PointwiseMode::SQRT, cudnn::PointwiseMode::SQRT},
    {graph::PointwiseMode::MAX, cudnn::PointwiseMode::MAX, true},
    {graph::PointwiseMode::MIN, cudnn::PointwiseMode::MIN, true},
    {graph::PointwiseMode::RELU_FWD, cudnn::PointwiseMode::RELU_FWD},
    {graph::PointwiseMode::TANH_FWD, cudnn::PointwiseMode::TANH_FWD},
    {graph::PointwiseMode::SIGMOID_FWD, cudnn::PointwiseMode::SIGMOID_FWD},
    {graph::PointwiseMode::ELU_FWD, cudnn::PointwiseMode::ELU_FWD},
    {graph::PointwiseMode::GELU_FWD, cudnn::PointwiseMode::GELU_FWD},
    {graph::PointwiseMode::SOFTPLUS_FWD, cudnn::PointwiseMode::SOFTPLUS_FWD},
    {graph::PointwiseMode::SWISH_FWD, cudnn::PointwiseMode::SWISH_FWD},
    {graph::PointwiseMode::RELU_BWD, cudnn::PointwiseMode::RELU_BWD},
    {graph::PointwiseMode::TANH_BWD, cudnn::PointwiseMode::TANH_BWD},
    {graph::PointwiseMode::SIGMOID_BWD, cudnn::PointwiseMode::SIGMOID_BWD},
    {graph::PointwiseMode::ELU_BWD, cudnn::PointwiseMode::ELU_BWD},
    {graph::PointwiseMode::GELU_BWD, cudnn::PointwiseMode::GELU_BWD},
    {graph::PointwiseMode::SOFTPLUS_BWD, cudnn::PointwiseMode::SOFTPLUS_BWD},
    {graph::PointwiseMode::SWISH_BWD, cudnn::PointwiseMode::SWISH_BWD},
    {graph::PointwiseMode::ERF, cudnn::PointwiseMode::ERF},
    {graph::PointwiseMode::IDENTITY, cudnn::PointwiseMode::IDENTITY, true},
    {graph::PointwiseMode::GELU_APPROX_TANH_BWD,
     cudnn::PointwiseMode::GELU_APPROX_TANH_BWD},
    {graph::PointwiseMode::GELU_APPROX_TANH_FWD,
     cudnn::PointwiseMode::GELU_APPROX_TANH_FWD},
    {graph::PointwiseMode::GEN_INDEX, cudnn::PointwiseMode::GEN_INDEX, true},
    {graph::PointwiseMode::BINARY_SELECT, cudnn::PointwiseMode::BINARY_SELECT,
     true},
    {graph::PointwiseMode::EXP, cudnn::PointwiseMode::EXP},
    {graph::PointwiseMode::LOG, cudnn::PointwiseMode::LOG},
    {graph::PointwiseMode::NEG, cudnn::PointwiseMode::NEG, true},
    {graph::PointwiseMode::MOD, cudnn::PointwiseMode::MOD},
    {graph::PointwiseMode::POW, cudnn::PointwiseMode::POW},
    {graph::PointwiseMode::ABS, cudnn::PointwiseMode::ABS, true},
    {graph::PointwiseMode::CEIL, cudnn::PointwiseMode::CEIL},
    {graph::PointwiseMode::COS, cudnn::PointwiseMode::COS},
    {graph::PointwiseMode::FLOOR, cudnn::PointwiseMode::FLOOR},
    {graph::PointwiseMode::RSQRT, cudnn::PointwiseMode::RSQRT},
    {graph::PointwiseMode::SIN, cudnn::PointwiseMode::SIN},
    {graph::PointwiseMode::LOGICAL_NOT, cudnn::PointwiseMode::LOGICAL_NOT},
    {graph::PointwiseMode::TAN, cudnn::PointwiseMode::TAN},
    {graph::PointwiseMode::SUB, cudnn::PointwiseMode::SUB, true},
    {graph::PointwiseMode::ADD_SQUARE, cudnn::PointwiseMode::ADD_SQUARE},
    {graph::PointwiseMode::DIV, cudnn::PointwiseMode::DIV},
    {graph::PointwiseMode::CMP_EQ, cudnn::PointwiseMode::CMP_EQ, true},
    {graph::PointwiseMode::CMP_NEQ, cudnn::PointwiseMode::CMP_NEQ, true},
    {graph::PointwiseMode::CMP_GT, cudnn::PointwiseMode::CMP_GT, true},
    {graph::PointwiseMode::CMP_GE, cudnn::PointwiseMode::CMP_GE, true},
    {graph::PointwiseMode::CMP_LT, cudnn::PointwiseMode::CMP_LT, true},
    {graph::PointwiseMode::CMP_LE, cudnn::PointwiseMode::CMP_LE, true},
    {graph::PointwiseMode::LOGICAL_AND, cudnn::PointwiseMode::LOGICAL_AND},
    {graph::PointwiseMode::LOGICAL_OR, cudnn::PointwiseMode::LOGICAL_OR},
    {graph::PointwiseMode::RECIPROCAL, cudnn::PointwiseMode::RECIPROCAL},
};

static const ModeRow &findMode(graph::PointwiseMode mode) {
  for (const ModeRow &row : kModes)
    if (row.mode == mode)
      return row;
  llvm_unreachable("a pointwise mode without a row");
}

static bool isBackward(graph::PointwiseMode mode) {
  switch (mode) {
  case graph::PointwiseMode::RELU_BWD:
  case graph::PointwiseMode::TANH_BWD:
  case graph::PointwiseMode::SIGMOID_BWD:
  case graph::PointwiseMode::ELU_BWD:
  case graph::PointwiseMode::GELU_BWD:
  case graph::PointwiseMode::SOFTPLUS_BWD:
  case graph::PointwiseMode::SWISH_BWD:
  case graph::PointwiseMode::GELU_APPROX_TANH_BWD:
    return true;
  default:
    return false;
  }
}

/// The compute type of the library; logic on booleans has its own.
static std::optional<cudnn::DataType>
chooseCompute(Lowering &lowering, graph::PointwiseOpInterface op,
              const ModeRow &row) {
  mlir::Type type = cast<graph::ComputeTypeOpInterface>(op.getOperation())
                        .getEffectiveComputeType();
  bool isLogic = row.mode == graph::PointwiseMode::LOGICAL_AND ||
                 row.mode == graph::PointwiseMode::LOGICAL_OR ||
                 row.mode == graph::PointwiseMode::LOGICAL_NOT;
  if (isLogic && llvm::all_of(op->getOperandTypes(), [](mlir::Type operand) {
        return cast<RankedTensorType>(operand).getElementType().isInteger(1);
      }))
    return cudnn::DataType::BOOLEAN;
  if (isLogic && type.isInteger()) {
    (void)lowering.refuse("compute type(logic)", "f32, or boolean operands",
                          "integers");
    return std::nullopt;
  }
  return lowering.computeType(op, row.isForIntegers);
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

namespace {
struct ReluParameters {
  double slope, lower, upper;
};
} // namespace

static std::optional<ReluParameters> reluOf(mlir::Operation *op) {
  auto of = [](auto relu) {
    return ReluParameters{relu.getNegativeSlope().convertToDouble(),
                          relu.getLowerClip().convertToDouble(),
                          relu.getUpperClip().convertToDouble()};
  };
  double infinity = std::numeric_limits<double>::infinity();
  return llvm::TypeSwitch<mlir::Operation *, std::optional<ReluParameters>>(op)
      .Case<graph::ReluOp, graph::ReluBackwardOp>(of)
      .Case<graph::LeakyReluOp, graph::LeakyReluBackwardOp>([&](auto relu) {
        return ReluParameters{relu.getNegativeSlope().convertToDouble(), 0,
                              infinity};
      })
      .Default([](mlir::Operation *) { return std::nullopt; });
}

static LogicalResult setParameters(Lowering &lowering, mlir::Operation *op,
                                   cudnn::DescriptorBuilder &config) {
  using opgraph::cudnn::Attr;
  if (std::optional<ReluParameters> relu = reluOf(op)) {
    // How the library combines them is not documented.
    if (relu->slope != 0 && relu->lower != 0)
      return lowering.refuse("relu", "a slope or a lower clip, not both",
                             "both");
    if (relu->lower != 0)
      config.set(Attr::POINTWISE_RELU_LOWER_CLIP, relu->lower);
    if (std::isfinite(relu->upper))
      config.set(Attr::POINTWISE_RELU_UPPER_CLIP, relu->upper);
    if (relu->slope != 0)
      config.set(Attr::POINTWISE_RELU_LOWER_CLIP_SLOPE, relu->slope);
    return success();
  }
  if (auto index = dyn_cast<graph::GenIndexOp>(op)) {
    auto type = cast<RankedTensorType>(index.getInput().getType());
    std::optional<int64_t> axis =
        lowering.getAxes().place(index.getAxis(), type.getRank());
    if (!axis)
      return lowering.refuse("gen_index", "axes of their own", "merged axes");
    config.set(Attr::POINTWISE_AXIS, *axis);
    return success();
  }
  llvm::TypeSwitch<mlir::Operation *>(op)
      .Case<graph::EluOp, graph::EluBackwardOp>([&](auto elu) {
        config.set(Attr::POINTWISE_ELU_ALPHA, elu.getAlpha().convertToDouble());
      })
      .Case<graph::SoftplusOp, graph::SoftplusBackwardOp>([&](auto softplus) {
        config.set(Attr::POINTWISE_SOFTPLUS_BETA,
                   softplus.getBeta().convertToDouble());
      })
      .Case<graph::SwishOp, graph::SwishBackwardOp>([&](auto swish) {
        config.set(Attr::POINTWISE_SWISH_BETA,
                   swish.getSwishBeta().convertToDouble());
      })
      .Default([](mlir::Operation *) {});
  return success();
}

//===----------------------------------------------------------------------===//
// Differences, as an H200 showed them
//===----------------------------------------------------------------------===//

/// Where the library's function is not ours; empty where it is.
static StringRef findDifference(graph::PointwiseMode mode) {
  switch (mode) {
  case graph::PointwiseMode::TANH_FWD:
  case graph::PointwiseMode::TANH_BWD:
  case graph::PointwiseMode::GELU_APPROX_TANH_FWD:
  case graph::PointwiseMode::GELU_APPROX_TANH_BWD:
    return "an approximate tanh";
  case graph::PointwiseMode::SIN:
  case graph::PointwiseMode::COS:
  case graph::PointwiseMode::TAN:
    return "another result for large arguments";
  case graph::PointwiseMode::DIV:
    return "0 for huge divisors";
  case graph::PointwiseMode::GELU_FWD:
  case graph::PointwiseMode::GELU_BWD:
  case graph::PointwiseMode::SWISH_FWD:
  case graph::PointwiseMode::SWISH_BWD:
    return "NaN at infinities";
  case graph::PointwiseMode::MAX:
  case graph::PointwiseMode::MIN:
  case graph::PointwiseMode::RELU_BWD:
    return "a number for NaN";
  default:
    return "";
  }
}

/// Whether `shape` has extent 1 on some first axes and those of `full` behind.
static bool isSuffixOf(const TensorShape &shape, const TensorShape &full) {
  size_t first = 0;
  while (first < shape.dims.size() && shape.dims[first] == 1)
    ++first;
  return ArrayRef<int64_t>(shape.dims).drop_front(first) ==
         ArrayRef<int64_t>(full.dims).drop_front(first);
}

static LogicalResult checkPointwise(Lowering &lowering, mlir::Operation *op,
                                    graph::PointwiseMode mode) {
  if (mode == graph::PointwiseMode::GEN_INDEX)
    return lowering.refuse("gen_index", "none outside of attention", "one");
  Value result = op->getResult(0);
  const TensorShape &full = lowering.shape(result);
  // Other broadcasts of rank 3 are read as if they were this one.
  if (full.dims.size() == 3)
    for (Value operand : op->getOperands())
      if (!isSuffixOf(lowering.shape(operand), full) ||
          (isBackward(mode) && lowering.shape(operand).dims != full.dims))
        return lowering.refuse("broadcast", "of whole trailing axes",
                               "another");
  if (!lowering.isStrict())
    return success();
  if (StringRef difference = findDifference(mode); !difference.empty())
    return lowering.refuse(
        ("function(" + op->getName().stripDialect() + ")").str(), "the judge's",
        difference);
  // An infinity is NaN there, and the greatest number here.
  if (isa<Float8E4M3FNType, Float8E5M2Type>(
          cast<RankedTensorType>(result.getType()).getElementType()))
    return lowering.refuse("element type(result)", "at least 16 bits", "8");
  return success();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// The operation of `op` on `tensors`, its operands.
static LogicalResult emit(Lowering &lowering, mlir::Operation *op,
                          const ModeRow &row, cudnn::DataType compute,
                          ArrayRef<Value> tensors, Value result) {
  using opgraph::cudnn::Attr;
  cudnn::DescriptorBuilder config =
      lowering.builder().descriptor(cudnn::Kind::POINTWISE);
  config.set(Attr::POINTWISE_MODE, row.libraryMode)
      .set(Attr::POINTWISE_MATH_PREC, compute);
  if (failed(setParameters(lowering, op, config)))
    return failure();
  Value configured = config.finish();
  static constexpr Attr kForward[] = {Attr::OPERATION_POINTWISE_XDESC,
                                      Attr::OPERATION_POINTWISE_BDESC,
                                      Attr::OPERATION_POINTWISE_TDESC};
  // The loss comes first.
  static constexpr Attr kBackward[] = {Attr::OPERATION_POINTWISE_DYDESC,
                                       Attr::OPERATION_POINTWISE_XDESC};
  bool backward = isBackward(row.mode);
  ArrayRef<Attr> ports = backward ? ArrayRef(kBackward) : ArrayRef(kForward);
  cudnn::DescriptorBuilder operation =
      lowering.builder().descriptor(cudnn::Kind::OPERATION_POINTWISE);
  operation.set(Attr::OPERATION_POINTWISE_PW_DESCRIPTOR, configured);
  for (auto [index, tensor] : llvm::enumerate(tensors))
    operation.set(ports[index], tensor);
  operation.set(backward ? Attr::OPERATION_POINTWISE_DXDESC
                         : Attr::OPERATION_POINTWISE_YDESC,
                result);
  lowering.add(operation.finish());
  return success();
}

LogicalResult opgraph::legalize::cudnn_lowering::lowerPointwise(
    Lowering &lowering, graph::PointwiseOpInterface op) {
  const ModeRow &row = findMode(op.getMode());
  std::optional<cudnn::DataType> compute = chooseCompute(lowering, op, row);
  if (!compute || failed(checkPointwise(lowering, op, row.mode)))
    return failure();
  SmallVector<Value> tensors;
  for (Value operand : op->getOperands())
    tensors.push_back(lowering.tensor(operand));
  return emit(lowering, op, row, *compute, tensors,
              lowering.tensor(op->getResult(0)));
}

LogicalResult opgraph::legalize::cudnn_lowering::lowerInside(
    Lowering &lowering, graph::PointwiseOpInterface op, ArrayRef<Value> tensors,
    Value result) {
  const ModeRow &row = findMode(op.getMode());
  std::optional<cudnn::DataType> compute = chooseCompute(lowering, op, row);
  if (!compute)
    return failure();
  return emit(lowering, op, row, *compute, tensors, result);
}

static bool isRowMajor(const TensorShape &shape) {
  return areAlike(shape, {shape.dims, packRowMajor(shape.dims)});
}

/// A layout op of a computed value: an operation of the library.
static LogicalResult lowerComputedLayout(Lowering &lowering,
                                         mlir::Operation &op) {
  using opgraph::cudnn::Attr;
  using opgraph::cudnn::Kind;
  // Since when the library transposes and slices.
  constexpr int64_t kMoves = 92200;
  int64_t rank = cast<RankedTensorType>(op.getOperand(0).getType()).getRank();
  StringRef name = op.getName().stripDialect();
  auto reshape = dyn_cast<graph::ReshapeOp>(op);
  if (!reshape && (failed(lowering.require(kMoves, name))))
    return failure();
  if (!reshape && !lowering.getAxes().keeps(rank))
    return lowering.refuse(("rank(" + name + ")").str(),
                           "that of the graph's other tensors",
                           std::to_string(rank));
  // The library's reshape looks at the same memory another way.
  if (reshape && !(isRowMajor(lowering.shape(op.getOperand(0))) &&
                   isRowMajor(lowering.shape(op.getResult(0)))))
    return lowering.refuse("layout(reshape)", "packed row-major", "another");
  Value x = lowering.tensor(op.getOperand(0));
  Value y = lowering.tensor(op.getResult(0));
  cudnn::Builder &b = lowering.builder();
  if (auto transpose = dyn_cast<graph::TransposeOp>(op)) {
    lowering.add(b.descriptor(Kind::OPERATION_TRANSPOSE)
                     .set(Attr::OPERATION_TRANSPOSE_XDESC, x)
                     .set(Attr::OPERATION_TRANSPOSE_YDESC, y)
                     .set(Attr::OPERATION_TRANSPOSE_PERMUTATION,
                          transpose.getPermutation())
                     .finish());
    return success();
  }
  if (auto slice = dyn_cast<graph::SliceOp>(op)) {
    lowering.add(b.descriptor(Kind::OPERATION_SLICE)
                     .set(Attr::OPERATION_SLICE_XDESC, x)
                     .set(Attr::OPERATION_SLICE_YDESC, y)
                     .set(Attr::OPERATION_SLICE_START_INDICES, slice.getStart())
                     .set(Attr::OPERATION_SLICE_LIMIT_INDICES, slice.getStop())
                     .set(Attr::OPERATION_SLICE_STRIDES, slice.getStep())
                     .finish());
    return success();
  }
  lowering.add(b.descriptor(Kind::OPERATION_RESHAPE)
                   .set(Attr::OPERATION_RESHAPE_XDESC, x)
                   .set(Attr::OPERATION_RESHAPE_YDESC, y)
                   .finish());
  return success();
}

LogicalResult
opgraph::legalize::cudnn_lowering::lowerLayout(Lowering &lowering,
                                               mlir::Operation &op) {
  Value result = op.getResult(0);
  if (lowering.hasTensor(result, TensorRole::Source)) {
    mlir::Type type = cast<RankedTensorType>(result.getType()).getElementType();
    // A copy computes in a type that holds all values.
    if (type.isF64() || type.isInteger(64))
      return lowering.refuse("element type(copy)", "at most 32 bits", "64");
    lowering.pointwise(cudnn::PointwiseMode::IDENTITY,
                       lowering.tensor(result, TensorRole::Source),
                       lowering.tensor(result), {}, {},
                       type.isInteger() ? cudnn::DataType::INT32
                                        : cudnn::DataType::FLOAT);
    return success();
  }
  if (lowering.isView(result))
    return success();
  return lowerComputedLayout(lowering, op);
}
