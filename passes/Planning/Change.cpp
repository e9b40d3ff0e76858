//===- Change.cpp - A change that would turn a decline around -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Planning/Change.h"
#include "mlir/IR/BuiltinTypes.h"
#include "passes/Planning/Facts.h"
#include "passes/Planning/Planner.h"
#include "passes/Planning/Work.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;
using namespace opgraph::planning;

/// The extent of two axes as one; unknown where either is.
static int64_t joinExtents(int64_t a, int64_t b) {
  if (mlir::ShapedType::isDynamic(a) || mlir::ShapedType::isDynamic(b))
    return mlir::ShapedType::kDynamic;
  return countElements({a, b});
}

std::string Change::str(const GraphFacts &facts) const {
  switch (kind) {
  case ChangeKind::TargetHost:
    return "target = host";
  case ChangeKind::OptIn:
    return "opt_in = true";
  case ChangeKind::MaxWorkspace:
    return "max_workspace = " + (value < 0 ? "none" : std::to_string(value));
  case ChangeKind::ElementType:
    return ("element_type(" + facts.values[index].name +
            ") = " + stringifyDType(static_cast<DType>(value)))
        .str();
  case ChangeKind::ComputeType:
    return ("compute_type(" + facts.ops[index].mnemonic +
            ") = " + stringifyDType(static_cast<DType>(value)))
        .str();
  case ChangeKind::StaticExtents:
    return "static extents";
  case ChangeKind::NoOverrides:
    return "dynamic = false";
  case ChangeKind::NoReordering:
    return "reordering(" + facts.values[index].name + ") = none";
  case ChangeKind::Rank:
    return "rank(" + facts.values[index].name + ") = " + std::to_string(value);
  }
  llvm_unreachable("covered switch");
}

void Change::apply(GraphFacts &facts, PlanRequest &request) const {
  switch (kind) {
  case ChangeKind::TargetHost:
    request.target = Target::host();
    return;
  case ChangeKind::OptIn:
    request.allowOptIn = true;
    return;
  case ChangeKind::MaxWorkspace:
    request.filters.maxWorkspace.reset();
    if (value >= 0)
      request.filters.maxWorkspace = value;
    return;
  case ChangeKind::ElementType:
    facts.setElementType(index, static_cast<DType>(value));
    return;
  case ChangeKind::ComputeType:
    facts.ops[index].compute = static_cast<DType>(value);
    return;
  case ChangeKind::StaticExtents:
    facts.fixExtents();
    return;
  case ChangeKind::NoOverrides:
    facts.allowsOverrides = false;
    return;
  case ChangeKind::NoReordering:
    facts.values[index].reordering = "none";
    return;
  case ChangeKind::Rank: {
    ValueFacts &joined = facts.values[index];
    while (static_cast<int64_t>(joined.dims.size()) > value) {
      int64_t last = joined.dims.pop_back_val();
      joined.dims.back() = joinExtents(joined.dims.back(), last);
    }
    return;
  }
  }
}
