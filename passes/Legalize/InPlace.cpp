//===- InPlace.cpp - Operands that an op updates in place -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/InPlace.h"
#include "dialects/Graph/GraphDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;

/// An argument that something else reads too keeps its buffer.
static void addPair(graph::GraphOp graph, Value previous, Value next,
                    ProgramSpec &spec) {
  auto argument = dyn_cast_or_null<BlockArgument>(previous);
  if (!argument || !next || argument.getType() != next.getType() ||
      !argument.hasOneUse() || graph.isByValue(argument.getArgNumber()))
    return;
  Operation *terminator = graph.getBody().front().getTerminator();
  for (auto [index, value] : llvm::enumerate(terminator->getOperands()))
    if (value == next)
      spec.aliases.push_back(
          {argument.getArgNumber(), static_cast<int64_t>(index)});
}

void legalize::addUpdatesInPlace(graph::GraphOp graph, ProgramSpec &spec) {
  auto add = [&](Value previous, Value next) {
    addPair(graph, previous, next, spec);
  };
  for (Operation &op : graph.getBody().front().without_terminator())
    llvm::TypeSwitch<Operation *>(&op)
        .Case([&](graph::BatchnormOp norm) {
          add(norm.getInRunningMean(), norm.getNEXT_RUNNING_MEAN());
          add(norm.getInRunningVar(), norm.getNEXT_RUNNING_VAR());
        })
        .Case([&](graph::BnFinalizeOp norm) {
          add(norm.getPrevRunningMean(), norm.getNEXT_RUNNING_MEAN());
          add(norm.getPrevRunningVar(), norm.getNEXT_RUNNING_VAR());
        })
        .Case([&](graph::RopeOp rope) { add(rope.getInput(), rope.getY()); })
        .Case([&](graph::RopeBackwardOp rope) {
          add(rope.getDY(), rope.getDX());
        });
}
