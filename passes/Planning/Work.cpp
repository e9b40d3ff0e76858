//===- Work.cpp - Arithmetic of an op -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Planning/Work.h"
#include "dialects/Graph/Attention.h"
#include "dialects/Graph/GraphDialect.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace opgraph;
using namespace opgraph::planning;

static ArrayRef<int64_t> dimsOf(mlir::Value value) {
  return cast<mlir::RankedTensorType>(value.getType()).getShape();
}

static double elementsOf(mlir::Value value) {
  return static_cast<double>(countElements(dimsOf(value)));
}

/// An extent, or what it counts as while unknown.
static int64_t nominal(int64_t extent) {
  return mlir::ShapedType::isDynamic(extent) ? kNominalExtent : extent;
}

int64_t opgraph::planning::countElements(ArrayRef<int64_t> dims) {
  constexpr int64_t kLimit = int64_t(1) << 62;
  int64_t count = 1;
  for (int64_t extent : dims) {
    if (extent == 0)
      return 0;
    int64_t product = 0;
    if (MulOverflow(count, nominal(extent), product) || product > kLimit)
      return kLimit;
    count = product;
  }
  return count;
}

int64_t opgraph::planning::extentFromEnd(const ValueFacts &value, size_t back) {
  return back > value.dims.size()
             ? 1
             : countElements(value.dims[value.dims.size() - back]);
}

int64_t opgraph::planning::countMatrices(const ValueFacts &value) {
  ArrayRef<int64_t> dims = value.dims;
  return dims.size() < 2 ? 1 : countElements(dims.drop_back(2));
}

/// Cost of one element of a pointwise function, as (flops, transcendentals).
static std::pair<int, int> pointwiseCost(graph::PointwiseMode mode) {
  using Mode = graph::PointwiseMode;
  switch (mode) {
  case Mode::SQRT:
  case Mode::RSQRT:
  case Mode::DIV:
  case Mode::RECIPROCAL:
  case Mode::MOD:
    return {4, 0};
  case Mode::TANH_FWD:
  case Mode::SIGMOID_FWD:
  case Mode::ERF:
  case Mode::EXP:
  case Mode::LOG:
  case Mode::COS:
  case Mode::SIN:
  case Mode::TAN:
    return {0, 1};
  case Mode::ELU_FWD:
  case Mode::GELU_FWD:
  case Mode::SWISH_FWD:
  case Mode::GELU_APPROX_TANH_FWD:
  case Mode::TANH_BWD:
  case Mode::SIGMOID_BWD:
  case Mode::ELU_BWD:
  case Mode::SOFTPLUS_BWD:
    return {4, 1};
  case Mode::SOFTPLUS_FWD:
  case Mode::POW:
  case Mode::GELU_BWD:
  case Mode::GELU_APPROX_TANH_BWD:
  case Mode::SWISH_BWD:
    return {8, 2};
  default:
    return {1, 0};
  }
}

static Work scaled(double elements, double flops, double transcendentals) {
  return {elements * flops, elements * transcendentals, 0};
}

template <typename OpTy>
static Work matmulWork(OpTy op) {
  ArrayRef<int64_t> a = dimsOf(op.getA());
  double k = a.empty() ? 1 : static_cast<double>(nominal(a.back()));
  return {0, 0, 2 * k * elementsOf(op.getC())};
}

/// Each row meets one expert.
static Work moeWork(graph::MoeGroupedMatmulOp op) {
  mlir::Value rows = op.getTokenIndex() ? op.getTokenIndex() : op.getToken();
  ArrayRef<int64_t> weight = dimsOf(op.getWeight());
  return {0, 0,
          2.0 * nominal(dimsOf(rows)[1]) * nominal(weight[1]) *
              nominal(weight[2])};
}

static Work moeWork(graph::MoeGroupedMatmulBwdOp op) {
  double columns = static_cast<double>(nominal(dimsOf(op.getDoutput())[2]));
  return {0, 0, 2 * columns * elementsOf(op.getToken())};
}

/// `output` is what conv_fprop makes, `filter` one of its operands; all three
/// convolutions have the same products.
static Work convWork(mlir::Value output, mlir::Value filter) {
  ArrayRef<int64_t> dims = dimsOf(filter);
  double products =
      static_cast<double>(countElements(dims.drop_front(!dims.empty())));
  return {0, 0, 2 * products * elementsOf(output)};
}

/// `output` is what resample makes.
static Work resampleWork(mlir::Value output, ArrayRef<int64_t> window) {
  return scaled(elementsOf(output), countElements(window), 0);
}

static Work sdpaWork(mlir::Operation *op) {
  graph::Attention attention(op);
  double scores = 1;
  for (int64_t extent : attention.getScoreType().getShape())
    scores *= static_cast<double>(nominal(extent));
  // A causal mask leaves half of the scores.
  if (attention.rightBound)
    scores /= 2;
  double depth = static_cast<double>(nominal(dimsOf(attention.q)[3])) +
                 static_cast<double>(nominal(dimsOf(attention.v)[3]));
  return {scores * 6, scores, 2 * scores * depth};
}

/// Q K^T and dO V^T, then dQ, dK and dV.
static Work attentionGradientWork(mlir::Value queries, mlir::Value values) {
  ArrayRef<int64_t> q = dimsOf(queries), v = dimsOf(values);
  if (q.size() != 4 || v.size() != 4)
    return {};
  double scores = static_cast<double>(nominal(q[0])) * nominal(q[1]) *
                  nominal(q[2]) * nominal(v[2]);
  double depth = 3.0 * nominal(q[3]) + 2.0 * nominal(v[3]);
  return {scores * 10, scores, 2 * scores * depth};
}

/// The work of an op that a matrix pipeline runs; nothing for others.
static std::optional<Work> matrixWorkOf(mlir::Operation *op) {
  return TypeSwitch<mlir::Operation *, std::optional<Work>>(op)
      .Case<graph::MatmulOp, graph::MatmulFp8Op>(
          [](auto matmul) { return matmulWork(matmul); })
      .Case<graph::MoeGroupedMatmulOp, graph::MoeGroupedMatmulBwdOp>(
          [](auto moe) { return moeWork(moe); })
      .Case<graph::SdpaOp, graph::SdpaFp8Op, graph::SdpaMxfp8Op>(
          [](auto attention) { return sdpaWork(attention); })
      .Case([](graph::ConvFpropOp conv) {
        return convWork(conv.getY(), conv.getWeight());
      })
      .Case([](graph::ConvDgradOp conv) {
        return convWork(conv.getLoss(), conv.getFilter());
      })
      .Case([](graph::ConvWgradOp conv) {
        return convWork(conv.getLoss(), conv.getDW());
      })
      .Case<graph::SdpaBackwardOp, graph::SdpaFp8BackwardOp,
            graph::SdpaMxfp8BackwardOp>([](auto gradient) {
        return attentionGradientWork(gradient.getQ(), gradient.getV());
      })
      .Default(std::nullopt);
}

Work opgraph::planning::workOf(mlir::Operation *op) {
  if (auto pointwise = dyn_cast<graph::PointwiseOpInterface>(op)) {
    auto [flops, transcendentals] = pointwiseCost(pointwise.getMode());
    return scaled(elementsOf(op->getResult(0)), flops, transcendentals);
  }
  if (std::optional<Work> work = matrixWorkOf(op))
    return *work;
  return TypeSwitch<mlir::Operation *, Work>(op)
      .Case([](graph::BlockScaleQuantizeOp quantize) {
        return scaled(elementsOf(quantize.getInput()), 6, 0);
      })
      .Case([](graph::ResampleOp resample) {
        return resampleWork(resample.getY(), resample.getWindow());
      })
      .Case([](graph::ResampleBackwardOp resample) {
        return resampleWork(resample.getLoss(), resample.getWindow());
      })
      // Ten rounds of four words for four elements.
      .Case([](graph::RngOp rng) {
        return scaled(elementsOf(rng.getY()), 20, 0);
      })
      .Case<graph::RopeOp, graph::RopeBackwardOp>([](auto rope) {
        return scaled(elementsOf(rope->getResult(0)), 4, 1);
      })
      .Case([](graph::SoftmaxOp softmax) {
        return scaled(elementsOf(softmax.getInput()), 4, 1);
      })
      .Case<graph::LayernormOp, graph::RmsnormOp, graph::AdalayernormOp,
            graph::InstancenormOp, graph::BatchnormOp>(
          [](auto norm) { return scaled(elementsOf(norm.getInput()), 8, 0); })
      .Case<graph::BatchnormInferenceOp, graph::GenstatsOp>(
          [](auto norm) { return scaled(elementsOf(norm.getInput()), 4, 0); })
      .Case([](graph::BnFinalizeOp finalize) {
        return scaled(elementsOf(finalize.getSum()), 16, 0);
      })
      .Case([](graph::DbnWeightOp weight) {
        return scaled(elementsOf(weight.getInput()), 5, 0);
      })
      .Case<graph::LayernormBackwardOp, graph::RmsnormBackwardOp,
            graph::AdalayernormBackwardOp, graph::InstancenormBackwardOp,
            graph::BatchnormBackwardOp>(
          [](auto norm) { return scaled(elementsOf(norm.getInput()), 16, 0); })
      .Case([](graph::ReductionOp reduction) {
        return scaled(elementsOf(reduction.getInput()), 1, 0);
      })
      // What only moves elements costs an address computation each.
      .Default([](mlir::Operation *other) {
        return other->getNumResults() == 0
                   ? Work()
                   : scaled(elementsOf(other->getResult(0)), 1, 0);
      });
}
