//===- ExpandBatchnorm.cpp - Batch normalisation in simpler ops -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Transforms/ExpandBatchnorm.h"
#include "dialects/Graph/Norm.h"
#include "llvm/ADT/TypeSwitch.h"

#include <limits>

using namespace mlir;
using namespace opgraph;
using namespace opgraph::graph;

namespace {
/// What is known of the elements of each channel.
struct Moments {
  Value count, mean, squares;
};

/// The three values of each channel that a peer has.
struct PeerValues {
  Value count, first, second;
};
} // namespace

static Value slicePeer(IRRewriter &rewriter, Value peer, int64_t number) {
  RankedTensorType type = typeOf(peer);
  Dims dims(type.getShape()), start(dims.size(), 0), stop(dims),
      step(dims.size(), 1);
  start[0] = number;
  stop[0] = number + 1;
  dims[0] = 1;
  return SliceOp::create(rewriter, peer.getLoc(),
                         RankedTensorType::get(dims, type.getElementType()),
                         peer, start, stop, step);
}

static PeerValues readPeer(IRRewriter &rewriter, Value peer) {
  return {slicePeer(rewriter, peer, 0), slicePeer(rewriter, peer, 1),
          slicePeer(rewriter, peer, 2)};
}

/// Whether a count is above 0, which a NaN is not.
static Value isPositive(Expansion &e, Value count) {
  return e.isLess(e.constant(0, 1), count);
}

static Value inverseDeviation(Expansion &e, Value variance, Value epsilon) {
  return e.reciprocal(e.sqrt(e.add(variance, epsilon)));
}

static int64_t countOfChannel(Value x) {
  int64_t count = 1;
  for (int64_t axis : getAxesBesideChannel(x))
    count *= typeOf(x).getDimSize(axis);
  return count;
}

/// `value`, of the extents of `like`, to which it broadcasts.
static Value broadcastTo(Expansion &e, Value value, Value like) {
  return typeOf(value).getShape() == typeOf(like).getShape()
             ? value
             : e.select(like, value, value);
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

/// Those of no elements are 0.
static Moments computeMoments(Expansion &e, Value x) {
  Dims axes = getAxesBesideChannel(x);
  int64_t count = countOfChannel(x);
  Value mean = count > 0 ? e.mean(x, axes) : e.sum(x, axes);
  Value squares = e.sum(e.square(e.sub(x, mean)), axes);
  return {e.constant(static_cast<double>(count), 1), mean, squares};
}

/// The moments of the elements of both (Chan, Golub and LeVeque 1979).
static Moments merge(Expansion &e, const Moments &a, const PeerValues &b) {
  Value count = e.add(a.count, b.count);
  Value delta = e.sub(b.first, a.mean);
  Value mean = e.add(a.mean, e.div(e.mul(delta, b.count), count));
  Value between = e.div(e.mul(e.square(delta), e.mul(a.count, b.count)), count);
  Value squares = e.add(e.add(a.squares, b.second), between);
  Value isThere = isPositive(e, b.count);
  return {e.select(isThere, count, a.count), e.select(isThere, mean, a.mean),
          e.select(isThere, squares, a.squares)};
}

/// `previous` moved towards `statistic`, but where there are no elements.
static Value moveTowards(Expansion &e, Value previous, Value statistic,
                         Value momentum, Value hasElements) {
  Value one = e.constant(1, 1);
  Value next =
      e.add(e.mul(e.sub(one, momentum), previous), e.mul(momentum, statistic));
  return e.select(hasElements, next, previous);
}

template <typename OpTy>
static void replaceRunning(Expansion &e, OpTy op, Value previousMean,
                           Value previousVariance, const Moments &moments) {
  Value hasElements = isPositive(e, moments.count);
  // Unbiased, but of a single element, which has no unbiased variance.
  Value one = e.constant(1, 1);
  Value degrees = e.max(e.sub(moments.count, one), one);
  e.replace(op.getNEXT_RUNNING_MEAN(),
            moveTowards(e, previousMean, moments.mean, op.getMomentum(),
                        hasElements));
  e.replace(op.getNEXT_RUNNING_VAR(),
            moveTowards(e, previousVariance, e.div(moments.squares, degrees),
                        op.getMomentum(), hasElements));
}

static void expand(IRRewriter &rewriter, BatchnormOp op) {
  Expansion e(rewriter, op);
  Value x = op.getInput();
  Moments moments = computeMoments(e, x);
  for (Value peer : op.getPeerStats())
    moments = merge(e, moments, readPeer(rewriter, peer));
  // 0 / 0, a NaN, without elements.
  Value variance = e.div(moments.squares, moments.count);
  Value mean = e.select(isPositive(e, moments.count), moments.mean, variance);
  Value inverse = inverseDeviation(e, variance, op.getEpsilon());
  Value normalised = e.mul(e.sub(x, mean), inverse);
  e.replace(op.getY(), e.add(e.mul(normalised, op.getScale()), op.getBias()));
  e.replace(op.getMEAN(), mean);
  e.replace(op.getINV_VARIANCE(), inverse);
  if (op.getNEXT_RUNNING_MEAN())
    replaceRunning(e, op, op.getInRunningMean(), op.getInRunningVar(), moments);
  e.finish();
}

static void expand(IRRewriter &rewriter, BnFinalizeOp op) {
  Expansion e(rewriter, op);
  int64_t rank = typeOf(op.getSum()).getRank();
  Value count = op.getAccumCount();
  Value n = e.select(isPositive(e, count), count,
                     e.constant(std::numeric_limits<double>::quiet_NaN(), 1));
  Value mean = e.div(op.getSum(), n);
  Value meanSquare = e.div(op.getSqSum(), n);
  Value variance =
      e.max(e.sub(meanSquare, e.square(mean)), e.constant(0, rank));
  Value inverse = inverseDeviation(e, variance, op.getEpsilon());
  Value scale = e.mul(op.getScale(), inverse);
  e.replace(op.getEQ_SCALE(), scale);
  e.replace(op.getEQ_BIAS(), e.sub(op.getBias(), e.mul(mean, scale)));
  e.replace(op.getMEAN(), mean);
  e.replace(op.getINV_VARIANCE(), inverse);
  if (op.getNEXT_RUNNING_MEAN())
    replaceRunning(e, op, op.getPrevRunningMean(), op.getPrevRunningVar(),
                   {count, mean, e.mul(variance, count)});
  e.finish();
}

//===----------------------------------------------------------------------===//
// Backward
//===----------------------------------------------------------------------===//

static void expand(IRRewriter &rewriter, BatchnormBackwardOp op) {
  Expansion e(rewriter, op);
  Value x = op.getInput(), dy = op.getGrad();
  Dims axes = getAxesBesideChannel(x);
  Value normalised = e.mul(e.sub(x, op.getMean()), op.getInvVariance());
  Value sum = e.sum(dy, axes);
  Value sumNormalised = e.sum(e.mul(dy, normalised), axes);
  e.replace(op.getDSCALE(), sumNormalised);
  e.replace(op.getDBIAS(), sum);
  Value count = e.constant(static_cast<double>(countOfChannel(x)), 1);
  for (Value peer : op.getPeerStats()) {
    PeerValues values = readPeer(rewriter, peer);
    Value isThere = isPositive(e, values.count);
    auto enter = [&](Value &own, Value others) {
      own = e.select(isThere, e.add(own, others), own);
    };
    enter(count, values.count);
    enter(sum, values.first);
    enter(sumNormalised, values.second);
  }
  Value mean = e.div(e.mul(op.getScale(), sum), count);
  Value along = e.div(e.mul(op.getScale(), sumNormalised), count);
  Value rest = e.sub(e.mul(dy, op.getScale()), mean);
  e.replace(op.getDX(),
            e.mul(op.getInvVariance(), e.sub(rest, e.mul(normalised, along))));
  e.finish();
}

static void expand(IRRewriter &rewriter, DbnWeightOp op) {
  Expansion e(rewriter, op);
  Value x = op.getInput(), dy = op.getGrad(), inverse = op.getInvVariance();
  Dims axes = getAxesBesideChannel(x);
  Value normalised = e.mul(e.sub(x, op.getMean()), inverse);
  Value sum = e.sum(dy, axes);
  Value sumNormalised = e.sum(e.mul(dy, normalised), axes);
  e.replace(op.getDSCALE(), sumNormalised);
  e.replace(op.getDBIAS(), sum);
  Value count = e.constant(static_cast<double>(countOfChannel(x)), 1);
  Value minus = e.constant(-1, 1);
  Value scaleDy = e.mul(op.getScale(), inverse);
  Value negative = e.mul(minus, scaleDy);
  Value scaleX = e.mul(e.mul(negative, inverse), e.div(sumNormalised, count));
  Value bias =
      e.sub(e.mul(negative, e.div(sum, count)), e.mul(scaleX, op.getMean()));
  e.replace(op.getEQ_SCALE_DY(), broadcastTo(e, scaleDy, sum));
  e.replace(op.getEQ_SCALE_X(), scaleX);
  e.replace(op.getEQ_BIAS(), bias);
  e.finish();
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

/// Whether the number of a channel's elements stays what is declared.
static bool hasKnownCount(Operation *op, Value x) {
  return !op->getParentOfType<GraphOp>().getDynamic() &&
         typeOf(x).hasStaticShape();
}

bool opgraph::canExpandBatchnorm(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([](BnFinalizeOp) { return true; })
      .Case(
          [](DbnWeightOp norm) { return hasKnownCount(norm, norm.getInput()); })
      .Case([](BatchnormOp norm) {
        bool isUsual = norm.getPeerStats().empty() &&
                       typeOf(norm.getInput()).getNumElements() != 0;
        return hasKnownCount(norm, norm.getInput()) && !isUsual;
      })
      .Case([](BatchnormBackwardOp norm) {
        return hasKnownCount(norm, norm.getInput()) &&
               !norm.getPeerStats().empty();
      })
      .Default(false);
}

void opgraph::expandBatchnorm(IRRewriter &rewriter, Operation *op) {
  if (!canExpandBatchnorm(op))
    return;
  llvm::TypeSwitch<Operation *>(op)
      .Case<BatchnormOp, BatchnormBackwardOp, BnFinalizeOp, DbnWeightOp>(
          [&](auto norm) { expand(rewriter, norm); });
}
