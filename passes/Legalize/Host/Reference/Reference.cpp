//===- Reference.cpp - Engine host.reference ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The judge that every other engine is compared with, so it is written to be
// read, not to be fast: one loop nest per op, no fusion, no reassociation, no
// vectors. Any view of the declared extents is served, because all strides are
// read from the operands.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Layout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "passes/Legalize/GeneralizeExtents.h"
#include "passes/Legalize/Host/HostLegalize.h"
#include "passes/Legalize/Host/Reference/Loops.h"
#include "passes/Legalize/InPlace.h"
#include "passes/Legalize/PlanProgram.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;

/// The engine's row in the manifest (passes/Planning), for null plans.
static constexpr int64_t kEngineId = 10000;

/// A graph of one pointwise op may run in place: each element is read just
/// before the same one is written.
static void addPointwiseAliases(graph::GraphOp graph, ProgramSpec &spec) {
  Block &body = graph.getBody().front();
  if (!llvm::hasNItems(body.without_terminator(), 1) ||
      !isa<graph::PointwiseOpInterface>(body.front()))
    return;
  Type result = body.front().getResult(0).getType();
  for (BlockArgument argument : body.getArguments())
    if (argument.getType() == result &&
        !graph.isByValue(argument.getArgNumber()))
      spec.aliases.push_back({argument.getArgNumber(), 0});
}

/// The pairs of operands that may be one buffer.
static void addAliases(graph::GraphOp graph, ProgramSpec &spec) {
  addPointwiseAliases(graph, spec);
  addUpdatesInPlace(graph, spec);
}

/// Gives arguments and returned values the entry's memrefs, and each symbol
/// the extent that binds it.
static void bindOperands(LoopEmitter &e, graph::GraphOp graph,
                         func::FuncOp entry) {
  Block &body = graph.getBody().front();
  for (BlockArgument argument : body.getArguments())
    e.bindOperand(argument, entry.getArgument(argument.getArgNumber()));
  Operation *terminator = body.getTerminator();
  for (auto [index, value] : llvm::enumerate(terminator->getOperands()))
    e.bindOperand(value, entry.getArgument(body.getNumArguments() + index));
  for (auto &[symbol, source] : getSymbolSources(graph))
    e.bindSymbol(symbol,
                 e.make<memref::DimOp>(entry.getArgument(source.operand),
                                       static_cast<int64_t>(source.axis)));
}

static LogicalResult emitOp(LoopEmitter &e, Operation &op) {
  e.loc = op.getLoc();
  e.allocateResults(&op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case<graph::PointwiseOpInterface, graph::MatmulOp, graph::ReductionOp,
            graph::ReshapeOp, graph::TransposeOp, graph::SliceOp,
            graph::ConcatenateOp, graph::ConstantOp, graph::LayernormOp,
            graph::RmsnormOp, graph::SoftmaxOp, graph::SdpaOp,
            graph::MatmulFp8Op, graph::ConvFpropOp, graph::ConvDgradOp,
            graph::ConvWgradOp, graph::ResampleOp, graph::ResampleBackwardOp,
            graph::LayernormBackwardOp, graph::RmsnormBackwardOp,
            graph::AdalayernormOp, graph::AdalayernormBackwardOp,
            graph::InstancenormOp, graph::InstancenormBackwardOp,
            graph::BatchnormOp, graph::BatchnormInferenceOp,
            graph::BatchnormBackwardOp, graph::GenstatsOp, graph::BnFinalizeOp,
            graph::DbnWeightOp, graph::BlockScaleDequantizeOp,
            graph::BlockScaleQuantizeOp, graph::RngOp, graph::RopeOp,
            graph::RopeBackwardOp, graph::MoeGroupedMatmulOp,
            graph::MoeGroupedMatmulBwdOp, graph::SdpaBackwardOp,
            graph::SdpaFp8BackwardOp, graph::SdpaMxfp8BackwardOp,
            graph::SdpaFp8Op, graph::SdpaMxfp8Op, graph::PagedCacheLoadOp,
            graph::DiagonalBandMaskOp>([&](auto op) {
        emitLoops(e, op);
        return success();
      })
      .Default([](Operation *op) {
        return op->emitOpError("is not served by engine host.reference");
      });
}

LogicalResult legalize::legalizeReference(graph::GraphOp graph,
                                          graph::PlanAttr plan, ModuleOp into) {
  ProgramSpec spec;
  spec.suffix = "reference";
  spec.strideRule = plan::StrideRule::Any;
  spec.engineId = kEngineId;
  spec.engineName = "host.reference";
  OwningOpRef<graph::GraphOp> general;
  if (graph.getDynamic()) {
    general = generalizeExtents(graph);
    if (!general)
      return failure();
    spec.declared = graph;
    graph = *general;
  }
  addAliases(graph, spec);
  FailureOr<HostProgram> program = buildHostProgram(graph, plan, spec, into);
  if (failed(program))
    return failure();
  OpBuilder builder = OpBuilder::atBlockBegin(&program->entry.front());
  LoopEmitter emitter(builder, graph.getLoc());
  bindOperands(emitter, graph, program->entry);
  for (Operation &op : graph.getBody().front().without_terminator())
    if (failed(emitOp(emitter, op)))
      return failure();
  return success();
}
