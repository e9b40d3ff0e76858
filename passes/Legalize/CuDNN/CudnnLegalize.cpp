//===- CudnnLegalize.cpp - Engine cudnn -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/CuDNN/CudnnLegalize.h"
#include "dialects/Graph/LibraryKnobs.h"
#include "passes/Legalize/CuDNN/CudnnLowering.h"
#include "passes/Legalize/InPlace.h"
#include "passes/Legalize/PlanProgram.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;

/// Newer than any library: all that the project knows is there.
static constexpr int64_t kNewest = 100000 - 1;

/// What the step is given for a binding.
static mlir::Attribute argumentOf(const CudnnBinding &binding,
                                  mlir::MLIRContext *context) {
  if (binding.constant)
    return binding.constant;
  if (binding.scalarType)
    return plan::ScalarAttr::get(context, binding.operand, binding.scalarType);
  if (binding.isScratch)
    return plan::ScratchAttr::get(
        context, mlir::AffineMap::getConstantMap(binding.offset, context));
  mlir::AffineMap offset;
  if (binding.offset != 0)
    offset = mlir::AffineMap::getConstantMap(binding.offset, context);
  return plan::PointerAttr::get(context, binding.operand, offset);
}

/// Knobs by the library's numbers, in increasing order.
static SmallVector<int64_t> libraryKnobs(graph::PlanAttr plan) {
  SmallVector<std::pair<int64_t, int64_t>> pairs;
  if (plan)
    for (const graph::Knob &knob : plan.getKnobs())
      if (std::optional<int64_t> type = graph::toLibraryKnob(knob.key))
        pairs.push_back({*type, knob.value});
  llvm::sort(pairs);
  SmallVector<int64_t> knobs;
  for (auto &[type, value] : pairs)
    knobs.append({type, value});
  return knobs;
}

static LogicalResult legalizeFor(graph::GraphOp graph, graph::PlanAttr plan,
                                 int64_t version, mlir::ModuleOp into) {
  CudnnRefusal refusal;
  std::optional<CudnnProgram> lowered = lowerToCudnn(
      graph, version, getEntrySymbol(graph, "cudnn"), into, refusal);
  if (!lowered)
    return graph.emitOpError("has no lowering to cuDNN: ")
           << refusal.constraint << ": expected " << refusal.limit << ", got "
           << refusal.actual;
  ProgramSpec spec;
  spec.suffix = "cudnn";
  spec.engineName = "cudnn";
  addUpdatesInPlace(graph, spec);
  FailureOr<plan::ProgramOp> program =
      buildDeviceProgram(graph, plan, spec, into);
  if (failed(program))
    return failure();
  mlir::MLIRContext *context = graph.getContext();
  SmallVector<int64_t> uids;
  SmallVector<mlir::Attribute> arguments;
  for (const CudnnBinding &binding : lowered->bindings) {
    uids.push_back(binding.uid);
    arguments.push_back(argumentOf(binding, context));
  }
  // The plan's number is of both parts.
  int64_t scratch = lowered->scratchBytes;
  int64_t bytes =
      plan ? std::max<int64_t>(plan.getWorkspace() - scratch, 0) : 0;
  mlir::OpBuilder builder =
      mlir::OpBuilder::atBlockEnd(&program->getBody().front());
  plan::CudnnExecuteOp::create(
      builder, graph.getLoc(), lowered->graph.getSymName(),
      plan ? plan.getEngine() : 0, libraryKnobs(plan), uids,
      builder.getArrayAttr(arguments), /*workspace=*/scratch, bytes,
      /*serialized=*/nullptr, /*library=*/nullptr);
  if (scratch + bytes != 0)
    program->setWorkspaceAttr(plan::WorkspaceAttr::get(
        context,
        mlir::AffineMap::getConstantMap(llvm::alignTo(scratch + bytes, 64),
                                        context),
        mlir::AffineMap::getConstantMap(0, context), /*max_workers=*/1));
  return success();
}

LogicalResult opgraph::legalize::legalizeCudnn(graph::GraphOp graph,
                                               graph::PlanAttr plan,
                                               mlir::ModuleOp into) {
  return legalizeFor(graph, plan, plan ? plan.getVersion() : kNewest, into);
}

LogicalResult opgraph::legalize::legalizeCudnnFor(graph::GraphOp graph,
                                                  int64_t version,
                                                  mlir::ModuleOp into) {
  return legalizeFor(graph, /*plan=*/{}, version, into);
}
