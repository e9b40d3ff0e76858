//===- BatchnormLoops.cpp - The judge's batch normalisation ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Norm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Legalize/Host/Reference/NormEmitter.h"
#include "passes/Legalize/Host/Scalar/Emit.h"
#include <limits>

using namespace mlir;
using namespace opgraph::graph;
using namespace opgraph::legalize;

using Indices = LoopEmitter::Indices;

static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

//===----------------------------------------------------------------------===//
// Shorthand
//===----------------------------------------------------------------------===//

namespace {
/// What is known of the elements of one channel.
struct Moments {
  Value count, mean, squares;
};

/// One channel's three values of a peer.
struct PeerValues {
  Value count, first, second;
};
} // namespace

/// Arithmetic on f64 values.
static scalar::Emit makeFloats(LoopEmitter &e) {
  return {e.b, e.loc, e.b.getF64Type()};
}

/// Whether `a` is above 0; a NaN is not.
static Value isPositive(scalar::Emit &f, Value a) {
  return f.cmp(arith::CmpFPredicate::OGT, a, f.constant(0));
}

static PeerValues loadPeer(LoopEmitter &e, Value peer, ValueRange row,
                           Type computeType) {
  Value values[3];
  for (int64_t number = 0; number < 3; ++number) {
    Indices indices(row);
    indices[0] = e.index(number);
    values[number] = e.load(peer, indices, computeType);
  }
  return {values[0], values[1], values[2]};
}

//===----------------------------------------------------------------------===//
// Forward
//===----------------------------------------------------------------------===//

/// The moments of the local elements; those of no elements are 0.
static Moments computeMoments(LoopEmitter &e, NormEmitter &norm,
                              ValueRange row) {
  scalar::Emit f = makeFloats(e);
  Value count = norm.count();
  Value sum =
      norm.sum(row, [&](ValueRange indices) { return norm.element(indices); });
  Value mean = f.select(isPositive(f, count), f.div(sum, count), e.constant(0));
  Value squares = norm.sum(row, [&](ValueRange indices) {
    Value centred = f.sub(norm.element(indices), mean);
    return f.mul(centred, centred);
  });
  return {count, mean, squares};
}

/// The moments of the elements of both (Chan, Golub and LeVeque 1979).
static Moments merge(LoopEmitter &e, Moments a, PeerValues b) {
  scalar::Emit f = makeFloats(e);
  Value count = f.add(a.count, b.count);
  Value delta = f.sub(b.first, a.mean);
  Value mean = f.add(a.mean, f.div(f.mul(delta, b.count), count));
  Value between =
      f.div(f.mul(f.mul(delta, delta), f.mul(a.count, b.count)), count);
  Value squares = f.add(f.add(a.squares, b.second), between);
  Value isThere = isPositive(f, b.count);
  return {f.select(isThere, count, a.count), f.select(isThere, mean, a.mean),
          f.select(isThere, squares, a.squares)};
}

/// The next running statistic: `previous` moved towards `current`, unless there
/// are no elements.
static Value advance(LoopEmitter &e, Value previous, Value current,
                     Value momentum, Value hasElements) {
  scalar::Emit f = makeFloats(e);
  Value kept = f.mul(f.sub(e.constant(1), momentum), previous);
  Value next = f.add(kept, f.mul(momentum, current));
  return f.select(hasElements, next, previous);
}

/// Reads both running statistics before it writes either, so that each may be
/// updated in place.
template <typename OpTy>
static void writeRunning(LoopEmitter &e, OpTy op, ValueRange indices,
                         Value previousMean, Value previousVariance,
                         Moments moments, Value momentum) {
  scalar::Emit f = makeFloats(e);
  Type computeType = op.getEffectiveComputeType();
  Value hasElements = isPositive(f, moments.count);
  // Unbiased, but of a single element, which has no unbiased variance.
  Value degrees = f.max(f.sub(moments.count, e.constant(1)), e.constant(1));
  Value variance = f.div(moments.squares, degrees);
  Value nextMean = advance(e, e.load(previousMean, indices, computeType),
                           moments.mean, momentum, hasElements);
  Value nextVariance =
      advance(e, e.load(previousVariance, indices, computeType), variance,
              momentum, hasElements);
  e.store(nextMean, op.getNEXT_RUNNING_MEAN(), indices);
  e.store(nextVariance, op.getNEXT_RUNNING_VAR(), indices);
}

void opgraph::legalize::emitLoops(LoopEmitter &e, BatchnormOp op) {
  scalar::Emit f = makeFloats(e);
  Value x = op.getInput();
  Type computeType = op.getEffectiveComputeType();
  NormEmitter norm(e, x, getAxesBesideChannel(x), computeType);
  norm.forEachRow([&](ValueRange row) {
    Moments moments = computeMoments(e, norm, row);
    for (Value peer : op.getPeerStats())
      moments = merge(e, moments, loadPeer(e, peer, row, computeType));
    // 0 / 0, a NaN, without elements.
    Value variance = f.div(moments.squares, moments.count);
    Value mean = f.select(isPositive(f, moments.count), moments.mean, variance);
    Value inverse = norm.inverseDeviation(variance, op.getEpsilon());
    norm.writeRow(row, op.getY(), op.getScale(), op.getBias(),
                  [&](ValueRange indices) {
                    return f.mul(f.sub(norm.element(indices), mean), inverse);
                  });
    e.store(mean, op.getMEAN(), row);
    e.store(inverse, op.getINV_VARIANCE(), row);
    if (op.getNEXT_RUNNING_MEAN())
      writeRunning(e, op, row, op.getInRunningMean(), op.getInRunningVar(),
                   moments, norm.loadSingle(op.getMomentum()));
  });
}

void opgraph::legalize::emitLoops(LoopEmitter &e, BatchnormInferenceOp op) {
  scalar::Emit f = makeFloats(e);
  Value x = op.getInput();
  NormEmitter norm(e, x, getAxesBesideChannel(x), op.getEffectiveComputeType());
  norm.forEachRow([&](ValueRange row) {
    Value mean = norm.load(op.getMean(), row);
    Value inverse = norm.load(op.getInvVariance(), row);
    norm.writeRow(row, op.getY(), op.getScale(), op.getBias(),
                  [&](ValueRange indices) {
                    return f.mul(f.sub(norm.element(indices), mean), inverse);
                  });
  });
}

void opgraph::legalize::emitLoops(LoopEmitter &e, GenstatsOp op) {
  Value x = op.getInput();
  NormEmitter norm(e, x, getAxesBesideChannel(x), op.getEffectiveComputeType());
  norm.forEachRow([&](ValueRange row) {
    Value sum = norm.sum(
        row, [&](ValueRange indices) { return norm.element(indices); });
    Value squares = norm.sum(row, [&](ValueRange indices) {
      Value element = norm.element(indices);
      return e.make<arith::MulFOp>(element, element);
    });
    e.store(sum, op.getSUM(), row);
    e.store(squares, op.getSQ_SUM(), row);
  });
}

void opgraph::legalize::emitLoops(LoopEmitter &e, BnFinalizeOp op) {
  scalar::Emit f = makeFloats(e);
  Type computeType = op.getEffectiveComputeType();
  NormEmitter norm(e, op.getSum(), /*axes=*/{}, computeType);
  norm.forEachRow([&](ValueRange indices) {
    Value count = norm.loadSingle(op.getAccumCount());
    Value hasElements = isPositive(f, count);
    Value n = f.select(hasElements, count, e.constant(kNaN));
    Value mean = f.div(norm.element(indices), n);
    Value meanSquare = f.div(norm.load(op.getSqSum(), indices), n);
    Value variance = f.max(f.sub(meanSquare, f.mul(mean, mean)), e.constant(0));
    Value inverse = norm.inverseDeviation(variance, op.getEpsilon());
    Value scale = f.mul(norm.load(op.getScale(), indices), inverse);
    Value bias = f.sub(norm.load(op.getBias(), indices), f.mul(mean, scale));
    e.store(scale, op.getEQ_SCALE(), indices);
    e.store(bias, op.getEQ_BIAS(), indices);
    e.store(mean, op.getMEAN(), indices);
    e.store(inverse, op.getINV_VARIANCE(), indices);
    if (op.getNEXT_RUNNING_MEAN())
      writeRunning(e, op, indices, op.getPrevRunningMean(),
                   op.getPrevRunningVar(),
                   {count, mean, f.mul(variance, count)},
                   norm.loadSingle(op.getMomentum()));
  });
}

//===----------------------------------------------------------------------===//
// Backward
//===----------------------------------------------------------------------===//

namespace {
/// DBIAS and DSCALE of a channel: the sums of dy and of dy * normalised.
struct AffineSums {
  Value bias, scale;
};
} // namespace

/// Computes and stores the sums over the elements of a channel.
template <typename OpTy>
static AffineSums storeAffineSums(LoopEmitter &e, OpTy op, NormEmitter &norm,
                                  NormGradientEmitter &gradient,
                                  ValueRange row) {
  Value bias = norm.sum(
      row, [&](ValueRange indices) { return gradient.outer(indices); });
  Value scale = norm.sum(row, [&](ValueRange indices) {
    return gradient.outerNormalised(indices);
  });
  e.store(scale, op.getDSCALE(), row);
  e.store(bias, op.getDBIAS(), row);
  return {bias, scale};
}

void opgraph::legalize::emitLoops(LoopEmitter &e, BatchnormBackwardOp op) {
  scalar::Emit f = makeFloats(e);
  Value x = op.getInput();
  Type computeType = op.getEffectiveComputeType();
  NormGradientEmitter gradient(
      e, {op.getGrad(), x, op.getScale(), op.getMean(), op.getInvVariance()},
      computeType);
  NormEmitter norm(e, x, getAxesBesideChannel(x), computeType);
  norm.forEachRow([&](ValueRange row) {
    Value count = norm.count();
    auto [sum, sumNormalised] = storeAffineSums(e, op, norm, gradient, row);
    for (Value peer : op.getPeerStats()) {
      auto [peerCount, peerSum, peerSumNormalised] =
          loadPeer(e, peer, row, computeType);
      Value isThere = isPositive(f, peerCount);
      count = f.select(isThere, f.add(count, peerCount), count);
      sum = f.select(isThere, f.add(sum, peerSum), sum);
      sumNormalised = f.select(isThere, f.add(sumNormalised, peerSumNormalised),
                               sumNormalised);
    }
    Value scale = norm.load(op.getScale(), row);
    Value mean = f.div(f.mul(scale, sum), count);
    Value meanNormalised = f.div(f.mul(scale, sumNormalised), count);
    norm.forEachElement(row, [&](ValueRange indices) {
      e.store(gradient.input(indices, mean, meanNormalised), op.getDX(),
              indices);
    });
  });
}

void opgraph::legalize::emitLoops(LoopEmitter &e, DbnWeightOp op) {
  scalar::Emit f = makeFloats(e);
  Value x = op.getInput();
  Type computeType = op.getEffectiveComputeType();
  NormGradientEmitter gradient(
      e, {op.getGrad(), x, op.getScale(), op.getMean(), op.getInvVariance()},
      computeType);
  NormEmitter norm(e, x, getAxesBesideChannel(x), computeType);
  norm.forEachRow([&](ValueRange row) {
    Value count = norm.count();
    auto [sum, sumNormalised] = storeAffineSums(e, op, norm, gradient, row);
    Value inverse = norm.load(op.getInvVariance(), row);
    Value scaleDy = f.mul(norm.load(op.getScale(), row), inverse);
    Value scaleX =
        f.neg(f.mul(f.mul(scaleDy, inverse), f.div(sumNormalised, count)));
    Value bias = f.sub(f.neg(f.mul(scaleDy, f.div(sum, count))),
                       f.mul(scaleX, norm.load(op.getMean(), row)));
    e.store(scaleDy, op.getEQ_SCALE_DY(), row);
    e.store(scaleX, op.getEQ_SCALE_X(), row);
    e.store(bias, op.getEQ_BIAS(), row);
  });
}
