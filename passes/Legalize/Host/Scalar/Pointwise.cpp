//===- Pointwise.cpp - What each pointwise mode computes ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/Host/Scalar/Emit.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/ErrorHandling.h"

#include <limits>

using namespace mlir;
using namespace opgraph::graph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::scalar;

using Predicate = arith::CmpFPredicate;

double opgraph::legalize::roundAttribute(APFloat value, Type computeType) {
  bool losesInfo;
  if (auto type = dyn_cast<FloatType>(computeType))
    value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
  return value.convertToDouble();
}

PointwiseParams opgraph::legalize::getPointwiseParams(Operation *op) {
  PointwiseParams params;
  params.upperClip = std::numeric_limits<double>::infinity();
  auto round = [&](const APFloat &value) {
    return roundAttribute(value,
                          getArithmeticType(cast<PointwiseOpInterface>(op)));
  };
  auto readRelu = [&](auto relu) {
    params.negativeSlope = round(relu.getNegativeSlope());
    params.lowerClip = round(relu.getLowerClip());
    params.upperClip = round(relu.getUpperClip());
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case<ReluOp, ReluBackwardOp>(readRelu)
      .Case<LeakyReluOp, LeakyReluBackwardOp>([&](auto relu) {
        params.negativeSlope = round(relu.getNegativeSlope());
      })
      .Case<EluOp, EluBackwardOp>(
          [&](auto elu) { params.alpha = round(elu.getAlpha()); })
      .Case<SoftplusOp, SoftplusBackwardOp>(
          [&](auto softplus) { params.beta = round(softplus.getBeta()); })
      .Case<SwishOp, SwishBackwardOp>(
          [&](auto swish) { params.beta = round(swish.getSwishBeta()); });
  return params;
}

Type opgraph::legalize::getArithmeticType(PointwiseOpInterface op) {
  if (op.getMode() == PointwiseMode::GEN_INDEX)
    return IntegerType::get(op->getContext(), 64);
  return cast<ComputeTypeOpInterface>(op.getOperation())
      .getEffectiveComputeType();
}

/// 1 where `condition` holds, else 0.
static Value emitTruth(Emit &e, Value condition) {
  return e.select(condition, e.constant(1), e.constant(0));
}

/// Whether `value` is other than 0; NaN is.
static Value emitIsTrue(Emit &e, Value value) {
  return e.cmp(Predicate::UNE, value, e.constant(0));
}

static Value emitCompare(Emit &e, Predicate predicate, ValueRange x) {
  return emitTruth(e, e.cmp(predicate, x[0], x[1]));
}

/// `mode` on floats; x[0] of a backward form is the loss, x[1] the input. One
/// function, so that the closed set of modes reads as a table.
static Value emitFloatPointwise(Emit &e, PointwiseMode mode,
                                const PointwiseParams &params, ValueRange x) {
  switch (mode) {
  case PointwiseMode::ADD:
    return e.add(x[0], x[1]);
  case PointwiseMode::MUL:
    return e.mul(x[0], x[1]);
  case PointwiseMode::SUB:
    return e.sub(x[0], x[1]);
  case PointwiseMode::DIV:
    return e.div(x[0], x[1]);
  case PointwiseMode::ADD_SQUARE:
    // One rounding, and no overflow of the square alone.
    return e.make<math::FmaOp>(x[1], x[1], x[0]);
  case PointwiseMode::MAX:
    return e.max(x[0], x[1]);
  case PointwiseMode::MIN:
    return e.min(x[0], x[1]);
  case PointwiseMode::MOD:
    return e.make<arith::RemFOp>(x[0], x[1]);
  case PointwiseMode::POW:
    return e.make<math::PowFOp>(x[0], x[1]);
  case PointwiseMode::IDENTITY:
    return x[0];
  case PointwiseMode::NEG:
    return e.neg(x[0]);
  case PointwiseMode::ABS:
    return e.abs(x[0]);
  case PointwiseMode::CEIL:
    return e.make<math::CeilOp>(x[0]);
  case PointwiseMode::FLOOR:
    return e.make<math::FloorOp>(x[0]);
  case PointwiseMode::SIN:
    return e.make<math::SinOp>(x[0]);
  case PointwiseMode::COS:
    return e.make<math::CosOp>(x[0]);
  case PointwiseMode::TAN:
    return e.make<math::TanOp>(x[0]);
  case PointwiseMode::EXP:
    return e.exp(x[0]);
  case PointwiseMode::LOG:
    return e.make<math::LogOp>(x[0]);
  case PointwiseMode::SQRT:
    return e.make<math::SqrtOp>(x[0]);
  case PointwiseMode::RSQRT:
    return e.div(e.constant(1), e.make<math::SqrtOp>(x[0]));
  case PointwiseMode::RECIPROCAL:
    return e.div(e.constant(1), x[0]);
  case PointwiseMode::ERF:
    return e.make<math::ErfOp>(x[0]);
  case PointwiseMode::CMP_EQ:
    return emitCompare(e, Predicate::OEQ, x);
  case PointwiseMode::CMP_NEQ:
    return emitCompare(e, Predicate::UNE, x);
  case PointwiseMode::CMP_GT:
    return emitCompare(e, Predicate::OGT, x);
  case PointwiseMode::CMP_GE:
    return emitCompare(e, Predicate::OGE, x);
  case PointwiseMode::CMP_LT:
    return emitCompare(e, Predicate::OLT, x);
  case PointwiseMode::CMP_LE:
    return emitCompare(e, Predicate::OLE, x);
  case PointwiseMode::LOGICAL_NOT:
    return emitTruth(e, e.isZero(x[0]));
  case PointwiseMode::LOGICAL_AND:
    return emitTruth(
        e, e.make<arith::AndIOp>(emitIsTrue(e, x[0]), emitIsTrue(e, x[1])));
  case PointwiseMode::LOGICAL_OR:
    return emitTruth(
        e, e.make<arith::OrIOp>(emitIsTrue(e, x[0]), emitIsTrue(e, x[1])));
  case PointwiseMode::BINARY_SELECT:
    return e.select(x[2], x[0], x[1]);
  case PointwiseMode::RELU_FWD:
    return emitRelu(e, params, x[0]);
  case PointwiseMode::TANH_FWD:
    return e.make<math::TanhOp>(x[0]);
  case PointwiseMode::SIGMOID_FWD:
    return emitSigmoid(e, x[0]);
  case PointwiseMode::ELU_FWD:
    return emitElu(e, params.alpha, x[0]);
  case PointwiseMode::GELU_FWD:
    return emitGelu(e, x[0]);
  case PointwiseMode::GELU_APPROX_TANH_FWD:
    return emitGeluTanh(e, x[0]);
  case PointwiseMode::SOFTPLUS_FWD:
    return emitSoftplus(e, params.beta, x[0]);
  case PointwiseMode::SWISH_FWD:
    return emitSwish(e, params.beta, x[0]);
  case PointwiseMode::RELU_BWD:
    return e.mul(x[0], emitReluSlope(e, params, x[1]));
  case PointwiseMode::TANH_BWD:
    return e.mul(x[0], emitTanhSlope(e, x[1]));
  case PointwiseMode::SIGMOID_BWD:
    return e.mul(x[0], emitSigmoidSlope(e, x[1]));
  case PointwiseMode::ELU_BWD:
    return e.mul(x[0], emitEluSlope(e, params.alpha, x[1]));
  case PointwiseMode::GELU_BWD:
    return e.mul(x[0], emitGeluSlope(e, x[1]));
  case PointwiseMode::GELU_APPROX_TANH_BWD:
    return e.mul(x[0], emitGeluTanhSlope(e, x[1]));
  case PointwiseMode::SOFTPLUS_BWD:
    return e.mul(x[0], emitSigmoid(e, e.mul(params.beta, x[1])));
  case PointwiseMode::SWISH_BWD:
    return e.mul(x[0], emitSwishSlope(e, params.beta, x[1]));
  case PointwiseMode::GEN_INDEX:
    break;
  }
  llvm_unreachable("gen_index has no operands to compute from");
}

Value opgraph::legalize::emitPointwise(OpBuilder &builder, Location loc,
                                       PointwiseMode mode,
                                       const PointwiseParams &params,
                                       ValueRange operands, Type workType,
                                       Value coordinate) {
  Emit e(builder, loc, workType);
  if (mode == PointwiseMode::GEN_INDEX) {
    Type i64 = builder.getI64Type();
    Value index = e.make<arith::IndexCastOp>(i64, coordinate);
    return convertFromStorage(builder, loc, index, i64, workType);
  }
  if (isa<FloatType>(workType))
    return emitFloatPointwise(e, mode, params, operands);
  return emitIntegerPointwise(e, mode, operands);
}
