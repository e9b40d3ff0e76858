//===- Fused.cpp - Engine host.fused --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function for the whole graph, as linalg on tensors: codegen/Host tiles,
// fuses, vectorises and bufferizes it (TensorPipeline.h).
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "passes/Legalize/GeneralizeExtents.h"
#include "passes/Legalize/Host/Fused/Emitter.h"
#include "passes/Legalize/Host/HostLegalize.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"
#include "passes/Legalize/InPlace.h"
#include "passes/Legalize/PlanProgram.h"
#include "passes/Transforms/Expansion.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::fused;

/// The engine's row in the manifest (passes/Planning), for null plans.
static constexpr int64_t kEngineId = 10100;

/// A pointwise graph that becomes one loop may run in place: each element is
/// read before the same one is written.
static void addAliases(graph::GraphOp graph,
                       const llvm::DenseMap<Operation *, Operation *> &groups,
                       ProgramSpec &spec) {
  Operation *root = nullptr;
  for (Operation &op : graph.getBody().front().without_terminator()) {
    if (isa<graph::ConstantOp>(op) || groups.contains(&op))
      continue;
    if (root || !isa<graph::PointwiseOpInterface>(op))
      return;
    root = &op;
  }
  if (!root)
    return;
  for (BlockArgument argument : graph.getBody().front().getArguments())
    if (argument.getType() == root->getResult(0).getType() &&
        !graph.isByValue(argument.getArgNumber()))
      spec.aliases.push_back({argument.getArgNumber(), 0});
}

/// Reads the arguments as tensors and each symbol as the extent that binds it.
static void bindOperands(Emitter &e, graph::GraphOp graph, func::FuncOp entry) {
  for (BlockArgument argument : graph.getBody().front().getArguments()) {
    Value buffer = entry.getArgument(argument.getArgNumber());
    auto type = cast<MemRefType>(buffer.getType());
    auto tensorType =
        RankedTensorType::get(type.getShape(), type.getElementType());
    e.define(argument, bufferization::ToTensorOp::create(
                           e.b, e.loc, tensorType, buffer, /*restrict=*/true));
  }
  for (auto &[symbol, source] : getSymbolSources(graph))
    e.bindSymbol(symbol, memref::DimOp::create(
                             e.b, e.loc, entry.getArgument(source.operand),
                             static_cast<int64_t>(source.axis)));
}

static void writeResults(Emitter &e, graph::GraphOp graph, func::FuncOp entry) {
  Operation *terminator = graph.getBody().front().getTerminator();
  for (auto [number, value] : llvm::enumerate(terminator->getOperands())) {
    Value buffer = entry.getArgument(graph.getNumArguments() + number);
    auto store = bufferization::MaterializeInDestinationOp::create(
        e.b, e.loc, e.lookup(value), buffer);
    store.setRestrict(true);
    store.setWritable(true);
  }
}

/// Whether no result has an element, by its type. Boxes of such tensors are
/// refused by the tensor dialect, and there is nothing to compute.
static bool hasNoElements(Operation &op) {
  return llvm::all_of(op.getResults(), Emitter::isEmpty);
}

static void defineEmpty(Emitter &e, Operation &op) {
  for (Value result : op.getResults())
    e.define(result, e.emptyFor(result));
}

static LogicalResult emitOp(Emitter &e, Operation &op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(&op)
      .Case<graph::ConstantOp, graph::MatmulOp, graph::ReductionOp,
            graph::ReshapeOp, graph::TransposeOp, graph::SliceOp,
            graph::ConcatenateOp, graph::LayernormOp, graph::RmsnormOp,
            graph::SoftmaxOp, graph::SdpaOp>([&](auto typed) {
        emit(e, typed);
        return success();
      })
      .Default([](Operation *other) {
        return other->emitOpError("is not served by engine host.fused");
      });
}

LogicalResult legalize::legalizeFused(graph::GraphOp graph,
                                      graph::PlanAttr plan, ModuleOp into) {
  ProgramSpec spec;
  spec.suffix = "fused";
  spec.engineId = kEngineId;
  spec.engineName = "host.fused";
  OwningOpRef<graph::GraphOp> general, expanded;
  if (graph.getDynamic()) {
    general = generalizeExtents(graph);
    if (!general)
      return failure();
    spec.declared = graph;
    graph = *general;
  }
  // What is expanded updates a statistic in one elementwise loop.
  addUpdatesInPlace(graph, spec);
  expanded = expandOps(graph);
  if (expanded)
    graph = *expanded;
  auto groups = groupPointwise(graph);
  addAliases(graph, groups, spec);
  FailureOr<HostProgram> program = buildHostProgram(graph, plan, spec, into);
  if (failed(program))
    return failure();
  func::FuncOp entry = program->entry;
  OpBuilder builder(entry.getBody().front().getTerminator());
  Emitter e(builder, graph.getLoc());
  bindOperands(e, graph, entry);
  for (Operation &op : graph.getBody().front().without_terminator()) {
    e.loc = op.getLoc();
    if (hasNoElements(op)) {
      defineEmpty(e, op);
    } else if (isa<graph::PointwiseOpInterface>(op)) {
      if (!groups.contains(&op))
        emitPointwise(e, &op, groups);
    } else if (failed(emitOp(e, op))) {
      return failure();
    }
  }
  e.loc = graph.getLoc();
  writeResults(e, graph, entry);
  return success();
}
