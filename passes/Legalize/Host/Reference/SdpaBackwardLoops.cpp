//===- SdpaBackwardLoops.cpp - The judge's attention gradients -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Legalize/Host/Reference/AttentionGradients.h"

using namespace mlir;
using namespace opgraph::graph;
using namespace opgraph::legalize;

using Load = AttentionScores::Load;
using Indices = LoopEmitter::Indices;

void opgraph::legalize::emitLoops(LoopEmitter &e, SdpaBackwardOp op) {
  GradientEmitter emitter(e, op, op.getStats());
  AttentionTensor o(e, emitter.attention, op.getO(), "o");
  AttentionTensor dO(e, emitter.attention, op.getDO(), "do");
  Load gradient = emitter.loader(dO);
  emitter.sources = {emitter.loader(o), gradient,        emitter.loadV(),
                     gradient,          emitter.loadK(), emitter.loadQ(),
                     gradient};
  emitter.dQ.emplace(emitter.makeGradient(op.getDQ(), "dq"));
  emitter.dK.emplace(emitter.makeGradient(op.getDK(), "dk"));
  emitter.dV.emplace(emitter.makeGradient(op.getDV(), "dv"));
  emitter.dBias = op.getDBias();
  emitter.dSink = op.getDSINK_TOKEN();
  emitter.dump = op.getRNG_DUMP();
  emitter.emit();
}

void opgraph::legalize::emitLoops(LoopEmitter &e, SdpaFp8BackwardOp op) {
  GradientEmitter emitter(e, op, op.getStats());
  auto scalar = [&](Value value) { return emitter.scores.emitScalar(value); };
  AttentionTensor o(e, emitter.attention, op.getO(), "o");
  AttentionTensor dO(e, emitter.attention, op.getDO(), "do");
  auto scale = [&](Load load, Value by) {
    return emitter.scaled(load, scalar(by));
  };
  Load output = scale(emitter.loader(o), op.getDescaleO());
  Load gradient = scale(emitter.loader(dO), op.getDescaleDO());
  Load value = scale(emitter.loadV(), op.getDescaleV());
  emitter.scores.loadQ = scale(emitter.scores.loadQ, op.getDescaleQ());
  emitter.scores.loadK = scale(emitter.scores.loadK, op.getDescaleK());
  emitter.sources = {output,          gradient,        value,   gradient,
                     emitter.loadK(), emitter.loadQ(), gradient};
  Value descaleDS = scalar(op.getDescaleDP());
  emitter.dQ.emplace(emitter.makeGradient(op.getDQ(), "dq", op.getAmaxDQ(),
                                          descaleDS, scalar(op.getScaleDQ())));
  emitter.dK.emplace(emitter.makeGradient(op.getDK(), "dk", op.getAmaxDK(),
                                          descaleDS, scalar(op.getScaleDK())));
  emitter.dV.emplace(emitter.makeGradient(op.getDV(), "dv", op.getAmaxDV(),
                                          scalar(op.getDescaleS()),
                                          scalar(op.getScaleDV())));
  emitter.rounding = {scalar(op.getScaleS()), scalar(op.getScaleDP()),
                      op.getAmaxDP(), LoopEmitter::elementTypeOf(op.getV()),
                      LoopEmitter::elementTypeOf(op.getDO())};
  emitter.dSink = op.getDSINK_TOKEN();
  emitter.emit();
}

/// Elements of `data`, each times its block's scale.
static Load loadBlocks(LoopEmitter &e, Value data, Value scale, int axis,
                       Type computeType) {
  constexpr int64_t kBlock = 32;
  return [&e, data, scale, axis, computeType](ValueRange at) -> Value {
    Indices block(at);
    size_t blocked = block.size() + axis;
    block[blocked] = e.make<arith::DivUIOp>(block[blocked], e.index(kBlock));
    return e.make<arith::MulFOp>(e.load(data, at, computeType),
                                 e.load(scale, block, computeType));
  };
}

void opgraph::legalize::emitLoops(LoopEmitter &e, SdpaMxfp8BackwardOp op) {
  GradientEmitter emitter(e, op, op.getStats());
  Type type = emitter.attention.computeType;
  auto blocks = [&](Value data, Value scale, int axis) {
    return loadBlocks(e, data, scale, axis, type);
  };
  auto plain = [&e, type](Value data) -> Load {
    return [&e, data, type](ValueRange at) { return e.load(data, at, type); };
  };
  emitter.scores.loadQ = blocks(op.getQ(), op.getDescaleQ(), -1);
  emitter.scores.loadK = blocks(op.getK(), op.getDescaleK(), -1);
  emitter.sources = {plain(op.getOF16()),
                     plain(op.getDOF16()),
                     blocks(op.getV(), op.getDescaleV(), -1),
                     blocks(op.getDO(), op.getDescaleDO(), -1),
                     blocks(op.getK_T(), op.getDescaleK_T(), -2),
                     blocks(op.getQ_T(), op.getDescaleQ_T(), -2),
                     blocks(op.getDO_T(), op.getDescaleDO_T(), -2)};
  emitter.dQ.emplace(emitter.makeGradient(op.getDQ(), "dq", op.getAmaxDQ()));
  emitter.dK.emplace(emitter.makeGradient(op.getDK(), "dk", op.getAmaxDK()));
  emitter.dV.emplace(emitter.makeGradient(op.getDV(), "dv", op.getAmaxDV()));
  emitter.dSink = op.getDSINK_TOKEN();
  emitter.emit();
}
