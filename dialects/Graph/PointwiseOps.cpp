//===- PointwiseOps.cpp - Constraints and inference of pointwise ops ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/Storage.h"
#include "llvm/ADT/APFloat.h"
#include <cmath>

using namespace mlir;
using namespace opgraph::graph;

//===----------------------------------------------------------------------===//
// Compute types
//===----------------------------------------------------------------------===//

Type opgraph::graph::detail::getPointwiseComputeType(
    Operation *op, std::optional<Type> declared) {
  Type type = declared ? *declared : getGraphComputeType(op);
  if (!type.isInteger(1))
    return type;
  // Programs write a boolean compute type on comparisons of numbers and on
  // masks; the values are then taken as they are, in the widest type.
  unsigned count = std::min(op->getNumOperands(), 2u);
  bool isInteger =
      llvm::all_of(op->getOperands().take_front(count), [](Value operand) {
        return isa<IntegerType>(getElementTypeOrSelf(operand.getType()));
      });
  if (isInteger)
    return IntegerType::get(op->getContext(), 64);
  return Float64Type::get(op->getContext());
}

/// pointwise_c3
static LogicalResult checkComputeType(PointwiseOpInterface op,
                                      Inference &inference) {
  auto declared = op->getAttrOfType<TypeAttr>("compute_type");
  Type type = declared ? declared.getValue()
                       : opgraph::graph::detail::getGraphComputeType(op);
  auto expects = [&](StringRef types) {
    return inference.error(ErrorKind::NotSupported)
           << "expected compute type to be one of " << types << ", got "
           << type;
  };
  switch (op.getDomain()) {
  case PointwiseDomain::Float:
    if (!isComputeType(type) || !isa<FloatType>(type))
      return expects("f16, bf16, f32, f64");
    return success();
  case PointwiseDomain::Number:
    if (!isComputeType(type) || type.isInteger(1))
      return expects("f16, bf16, f32, f64, i32, i64");
    return success();
  case PointwiseDomain::Any:
    if (!isComputeType(type))
      return expects("f16, bf16, f32, f64, i32, i64, i1");
    return success();
  }
  llvm_unreachable("covered switch over PointwiseDomain");
}

//===----------------------------------------------------------------------===//
// Attributes and constant operands
//===----------------------------------------------------------------------===//

/// pointwise_c4
static LogicalResult checkAxis(GenIndexOp op, Inference &inference) {
  int64_t rank = op.getInput().getType().getRank();
  int64_t axis = op.getAxis();
  if (axis >= 0 && axis < rank)
    return success();
  return inference.error(ErrorKind::InvalidValue)
         << "expected 'axis' to be at least 0 and less than the rank " << rank
         << ", got " << axis;
}

/// pointwise_c5
static LogicalResult checkDivisor(Operation *op, Inference &inference) {
  Type type = cast<ComputeTypeOpInterface>(op).getEffectiveComputeType();
  auto divisor = op->getOperand(1).getDefiningOp<ConstantOp>();
  if (!divisor || !isa<IntegerType>(type))
    return success();
  bool isZero = false;
  if (auto value = dyn_cast<IntegerAttr>(divisor.getValue()))
    isZero = value.getValue().isZero();
  // A fraction truncates to 0 in the compute type.
  else if (auto value = dyn_cast<FloatAttr>(divisor.getValue()))
    isZero = !(std::abs(getElementValue(value)) >= 1.0);
  if (!isZero)
    return success();
  return inference.error(ErrorKind::InvalidValue)
         << "expected a divisor other than 0 in compute type " << type
         << ", got the constant " << divisor.getValue();
}

/// pointwise_c6: a clip may be infinite, nothing may be NaN.
static LogicalResult checkParameters(Operation *op, Inference &inference) {
  for (NamedAttribute attr : op->getAttrs()) {
    auto value = dyn_cast<FloatAttr>(attr.getValue());
    StringRef name = attr.getName().getValue();
    if (!value || name.contains('.'))
      continue;
    double number = value.getValueAsDouble();
    if (std::isnan(number) || (!name.ends_with("clip") && std::isinf(number)))
      return inference.error(ErrorKind::InvalidValue)
             << "expected '" << name << "' to be "
             << (name.ends_with("clip") ? "a number" : "finite") << ", got "
             << number;
    // softplus divides by it.
    if (name == "beta" && number == 0.0)
      return inference.error(ErrorKind::InvalidValue)
             << "expected 'beta' to be other than 0, got 0";
  }
  auto checkClips = [&](APFloat lower, APFloat upper) -> LogicalResult {
    if (lower <= upper)
      return success();
    return inference.error(ErrorKind::InvalidValue)
           << "expected 'lower_clip' to be at most 'upper_clip' ("
           << upper.convertToDouble() << "), got " << lower.convertToDouble();
  };
  if (auto relu = dyn_cast<ReluOp>(op))
    return checkClips(relu.getLowerClip(), relu.getUpperClip());
  if (auto relu = dyn_cast<ReluBackwardOp>(op))
    return checkClips(relu.getLowerClip(), relu.getUpperClip());
  return success();
}

static LogicalResult checkAttributes(PointwiseOpInterface op,
                                     Inference &inference) {
  if (auto genIndex = dyn_cast<GenIndexOp>(*op))
    return checkAxis(genIndex, inference);
  PointwiseMode mode = op.getMode();
  if (mode == PointwiseMode::DIV || mode == PointwiseMode::MOD)
    return checkDivisor(op, inference);
  return checkParameters(op, inference);
}

//===----------------------------------------------------------------------===//
// Inference
//===----------------------------------------------------------------------===//

/// The layout of the first operand that has the result's extents; else packed
/// in the memory order of IN_0; a real result must say.
static LogicalResult inferLayout(Operation *op, ArrayRef<int64_t> dims,
                                 ArrayRef<StringAttr> symbols,
                                 Inference &inference) {
  for (Type operand : op->getOperandTypes()) {
    auto type = cast<RankedTensorType>(operand);
    if (type.getShape() == dims && ArrayRef(getSymbols(type)) == symbols) {
      inference.setLayoutOf(0, type);
      return success();
    }
  }
  ResultSpec &spec = inference.result(0);
  if (!spec.isVirtual && !spec.strides && !spec.order)
    return inference.error(ErrorKind::AttributeNotSet)
           << "strides of result " << inference.getResultName(0)
           << " cannot be derived, expected them to be declared or an operand "
              "with extents "
           << printDims(dims, symbols);
  auto first = cast<RankedTensorType>(op->getOperand(0).getType());
  if (first.getRank() == static_cast<int64_t>(dims.size()))
    inference.setLike(0, first);
  else
    inference.setPacked(0, rowMajorOrder(dims.size()));
  return success();
}

LogicalResult opgraph::graph::detail::inferPointwise(Operation *op,
                                                     Inference &inference) {
  auto pointwise = cast<PointwiseOpInterface>(op);
  if (failed(checkComputeType(pointwise, inference)) ||
      failed(checkAttributes(pointwise, inference)))
    return failure();
  // pointwise_c1 and pointwise_c2
  Dims dims;
  Symbols symbols;
  if (failed(inferBroadcast(inference, op->getOperands(), dims, symbols)) ||
      failed(inference.setDims(0, dims, symbols)))
    return failure();
  return inferLayout(op, dims, symbols, inference);
}
