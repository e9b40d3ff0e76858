//===- ExpandNorms.cpp - Norms as pointwise ops and reductions ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Norm.h"
#include "mlir/Pass/Pass.h"
#include "passes/Transforms/ExpandBatchnorm.h"
#include "passes/Transforms/ExpandBlockScale.h"
#include "passes/Transforms/ExpandGroups.h"
#include "passes/Transforms/ExpandMask.h"
#include "passes/Transforms/ExpandRope.h"
#include "passes/Transforms/Expansion.h"
#include "passes/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

#include <limits>

namespace opgraph {
#define GEN_PASS_DEF_GRAPHEXPANDPASS
#include "passes/Transforms/Passes.h.inc"
} // namespace opgraph

using namespace mlir;
using namespace opgraph;
using namespace opgraph::graph;

namespace {
/// A row's statistics and its elements after normalisation.
struct Normalised {
  Value mean;
  Value inverse;
  Value elements;
};

/// What the three gradients of a norm with an affine part are.
struct Gradients {
  Value dx;
  Value products;
};
} // namespace

static Value inverseDeviation(Expansion &e, Value variance, Value epsilon) {
  return e.reciprocal(e.sqrt(e.add(variance, epsilon)));
}

/// The biased variance is taken about the mean, so that it is never negative.
static Normalised normalise(Expansion &e, Value x, Value epsilon,
                            ArrayRef<int64_t> axes) {
  Value mean = e.mean(x, axes);
  Value centred = e.sub(x, mean);
  Value inverse = inverseDeviation(e, e.mean(e.square(centred), axes), epsilon);
  return {mean, inverse, e.mul(centred, inverse)};
}

static Value applyAffine(Expansion &e, Value x, Value scale, Value bias) {
  if (scale)
    x = e.mul(x, scale);
  return bias ? e.add(x, bias) : x;
}

/// DX of a norm with statistics over `axes`; `mean` is null for rmsnorm.
static Gradients differentiate(Expansion &e, Value dy, Value x, Value scale,
                               Value mean, Value inverse,
                               ArrayRef<int64_t> axes) {
  Value normalised = e.mul(mean ? e.sub(x, mean) : x, inverse);
  Value g = scale ? e.mul(dy, scale) : dy;
  Value rest = mean ? e.sub(g, e.mean(g, axes)) : g;
  Value along = e.mul(normalised, e.mean(e.mul(g, normalised), axes));
  return {e.mul(inverse, e.sub(rest, along)), e.mul(dy, normalised)};
}

template <typename OpTy>
static void expandForward(IRRewriter &rewriter, OpTy op,
                          ArrayRef<int64_t> axes) {
  Expansion e(rewriter, op);
  Normalised parts = normalise(e, op.getInput(), op.getEpsilon(), axes);
  e.replace(op.getY(),
            applyAffine(e, parts.elements, op.getScale(), op.getBias()));
  if (op.getMEAN())
    e.replace(op.getMEAN(), parts.mean);
  if (op.getINV_VARIANCE())
    e.replace(op.getINV_VARIANCE(), parts.inverse);
  e.finish();
}

template <typename OpTy>
static void expandBackward(IRRewriter &rewriter, OpTy op,
                           ArrayRef<int64_t> axes) {
  Expansion e(rewriter, op);
  Gradients parts = differentiate(e, op.getGrad(), op.getInput(), op.getScale(),
                                  op.getMean(), op.getInvVariance(), axes);
  e.replace(op.getDX(), parts.dx);
  if (op.getDSCALE())
    e.replace(op.getDSCALE(), e.sumTo(parts.products, op.getDSCALE()));
  if (op.getDBIAS())
    e.replace(op.getDBIAS(), e.sumTo(op.getGrad(), op.getDBIAS()));
  e.finish();
}

static void expand(IRRewriter &rewriter, LayernormBackwardOp op) {
  expandBackward(rewriter, op, getScaledAxes(op.getInput(), op.getScale()));
}

static void expand(IRRewriter &rewriter, RmsnormBackwardOp op) {
  Expansion e(rewriter, op);
  Gradients parts = differentiate(e, op.getGrad(), op.getInput(), op.getScale(),
                                  /*mean=*/Value(), op.getInvVariance(),
                                  getScaledAxes(op.getInput(), op.getScale()));
  e.replace(op.getDX(), parts.dx);
  if (op.getDscale())
    e.replace(op.getDscale(), e.sumTo(parts.products, op.getDscale()));
  if (op.getDbias())
    e.replace(op.getDbias(), e.sumTo(op.getGrad(), op.getDbias()));
  e.finish();
}

static void expand(IRRewriter &rewriter, AdalayernormOp op) {
  expandForward(rewriter, op, getScaledAxes(op.getInput(), op.getScale(), 1));
}

static void expand(IRRewriter &rewriter, AdalayernormBackwardOp op) {
  expandBackward(rewriter, op, getScaledAxes(op.getInput(), op.getScale(), 1));
}

static void expand(IRRewriter &rewriter, InstancenormOp op) {
  expandForward(rewriter, op, getSpatialAxes(op.getInput()));
}

static void expand(IRRewriter &rewriter, InstancenormBackwardOp op) {
  expandBackward(rewriter, op, getSpatialAxes(op.getInput()));
}

static void expand(IRRewriter &rewriter, BatchnormInferenceOp op) {
  Expansion e(rewriter, op);
  Value normalised =
      e.mul(e.sub(op.getInput(), op.getMean()), op.getInvVariance());
  e.replace(op.getY(), applyAffine(e, normalised, op.getScale(), op.getBias()));
  e.finish();
}

static void expand(IRRewriter &rewriter, BatchnormBackwardOp op) {
  expandBackward(rewriter, op, getAxesBesideChannel(op.getInput()));
}

static void expand(IRRewriter &rewriter, GenstatsOp op) {
  Expansion e(rewriter, op);
  Dims axes = getAxesBesideChannel(op.getInput());
  e.replace(op.getSUM(), e.sum(op.getInput(), axes));
  e.replace(op.getSQ_SUM(), e.sum(e.square(op.getInput()), axes));
  e.finish();
}

/// previous + MOMENTUM * (statistic - previous).
static Value moveTowards(Expansion &e, Value previous, Value statistic,
                         Value momentum) {
  Value one = e.constant(1, 1);
  return e.add(e.mul(e.sub(one, momentum), previous),
               e.mul(momentum, statistic));
}

static void expand(IRRewriter &rewriter, BatchnormOp op) {
  Expansion e(rewriter, op);
  Value x = op.getInput();
  Dims axes = getAxesBesideChannel(x);
  Value mean = e.mean(x, axes);
  Value centred = e.sub(x, mean);
  Value variance = e.mean(e.square(centred), axes);
  Value inverse = inverseDeviation(e, variance, op.getEpsilon());
  e.replace(op.getY(), applyAffine(e, e.mul(centred, inverse), op.getScale(),
                                   op.getBias()));
  e.replace(op.getMEAN(), mean);
  e.replace(op.getINV_VARIANCE(), inverse);
  if (op.getNEXT_RUNNING_MEAN()) {
    int64_t channels = typeOf(x).getDimSize(1);
    double count = channels == 0 ? 0 : typeOf(x).getNumElements() / channels;
    Value unbiased =
        e.mul(variance, e.constant(count / std::max(count - 1, 1.0), 1));
    e.replace(op.getNEXT_RUNNING_MEAN(),
              moveTowards(e, op.getInRunningMean(), mean, op.getMomentum()));
    e.replace(op.getNEXT_RUNNING_VAR(),
              moveTowards(e, op.getInRunningVar(), unbiased, op.getMomentum()));
  }
  e.finish();
}

static void expand(IRRewriter &rewriter, LayernormOp op) {
  expandForward(rewriter, op, getScaledAxes(op.getInput(), op.getScale()));
}

static void expand(IRRewriter &rewriter, RmsnormOp op) {
  Expansion e(rewriter, op);
  Value x = op.getInput();
  Dims axes = getScaledAxes(x, op.getScale());
  Value inverse =
      inverseDeviation(e, e.mean(e.square(x), axes), op.getEpsilon());
  e.replace(op.getY(),
            applyAffine(e, e.mul(x, inverse), op.getScale(), op.getBias()));
  if (op.getINV_VARIANCE())
    e.replace(op.getINV_VARIANCE(), inverse);
  e.finish();
}

/// A row whose maximum is -inf is computed as if its maximum were 0 and its sum
/// 1, which makes its results 0.
static void expand(IRRewriter &rewriter, SoftmaxOp op) {
  Expansion e(rewriter, op);
  Value x = op.getInput(), sink = op.getSink();
  int64_t rank = typeOf(x).getRank();
  Value max = e.maximum(x, {rank - 1});
  if (sink)
    max = e.max(max, sink);
  Value shift = max, isMasked;
  if (!op.getNanForMaskedRows()) {
    isMasked = e.isEqual(
        max, e.constant(-std::numeric_limits<double>::infinity(), rank));
    shift = e.select(isMasked, e.constant(0, rank), max);
  }
  Value exponentials = e.exp(e.sub(x, shift));
  Value sum = e.sum(exponentials, {rank - 1});
  if (sink)
    sum = e.add(sum, e.exp(e.sub(sink, shift)));
  Value divisor = isMasked ? e.select(isMasked, e.constant(1, rank), sum) : sum;
  e.replace(op.getS(), e.div(exponentials, divisor));
  if (op.getStats())
    e.replace(op.getStats(), e.add(max, e.log(sum)));
  if (op.getMax())
    e.replace(op.getMax(), max);
  if (op.getSumExp())
    e.replace(op.getSumExp(), sum);
  e.finish();
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

/// Whether the number of a channel's elements, which the unbiased variance
/// needs, is not 0 and stays what is declared.
static bool hasKnownCount(BatchnormOp op) {
  RankedTensorType x = typeOf(op.getInput());
  return !op->getParentOfType<GraphOp>().getDynamic() && x.hasStaticShape() &&
         x.getNumElements() != 0;
}

/// What `visit` says of `op` as the op that it is; false where it is none of
/// those that are expanded.
template <typename Visitor>
static bool visitExpandable(Operation *op, Visitor visit) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](BatchnormOp norm) {
        return norm.getPeerStats().empty() &&
               (!norm.getNEXT_RUNNING_MEAN() || hasKnownCount(norm)) &&
               visit(norm);
      })
      .Case([&](BatchnormBackwardOp norm) {
        return norm.getPeerStats().empty() && visit(norm);
      })
      .template Case<LayernormBackwardOp, RmsnormBackwardOp, AdalayernormOp,
                     AdalayernormBackwardOp, InstancenormOp,
                     InstancenormBackwardOp, BatchnormInferenceOp, GenstatsOp>(
          visit)
      .Default(false);
}

bool opgraph::isExpandable(Operation *op) {
  return visitExpandable(op, [](auto) { return true; });
}

void opgraph::expandInPlace(GraphOp graph) {
  IRRewriter rewriter(graph.getContext());
  for (Operation &op : llvm::make_early_inc_range(graph.getBody().front()))
    visitExpandable(&op, [&](auto norm) {
      expand(rewriter, norm);
      return true;
    });
}

OwningOpRef<GraphOp> opgraph::expandOps(GraphOp graph) {
  if (llvm::none_of(graph.getBody().front(),
                    [](Operation &op) { return isExpandable(&op); }))
    return {};
  OwningOpRef<GraphOp> copy = graph.clone();
  expandInPlace(*copy);
  return copy;
}

OwningOpRef<GraphOp> opgraph::expandAll(GraphOp graph) {
  auto isBasic = [](Operation &op) {
    return canExpandBlockScale(&op) || canExpandBatchnorm(&op) ||
           canExpandGroups(&op) || canExpandMask(&op) ||
           isa<LayernormOp, RmsnormOp, SoftmaxOp, RopeOp, RopeBackwardOp>(op);
  };
  if (llvm::none_of(graph.getBody().front(), [&](Operation &op) {
        return isBasic(op) || isExpandable(&op);
      }))
    return {};
  OwningOpRef<GraphOp> copy = graph.clone();
  IRRewriter rewriter(graph.getContext());
  for (Operation &op : llvm::make_early_inc_range(copy->getBody().front()))
    llvm::TypeSwitch<Operation *>(&op)
        .Case<LayernormOp, RmsnormOp, SoftmaxOp>(
            [&](auto norm) { expand(rewriter, norm); })
        .Case<RopeOp, RopeBackwardOp>(
            [&](auto rope) { expandRope(rewriter, rope); })
        .Case<BlockScaleQuantizeOp, BlockScaleDequantizeOp>(
            [&](auto scaling) { expandBlockScale(rewriter, scaling); })
        .Case<BatchnormOp, BatchnormBackwardOp, BnFinalizeOp, DbnWeightOp>(
            [&](auto norm) { expandBatchnorm(rewriter, norm); })
        .Case([&](DiagonalBandMaskOp mask) { expandMask(rewriter, mask); })
        .Case(
            [&](ReductionOp reduction) { expandGroups(rewriter, reduction); });
  expandInPlace(*copy);
  return copy;
}

namespace {
struct GraphExpandPass : opgraph::impl::GraphExpandPassBase<GraphExpandPass> {
  void runOnOperation() override { expandInPlace(getOperation()); }
};
} // namespace
