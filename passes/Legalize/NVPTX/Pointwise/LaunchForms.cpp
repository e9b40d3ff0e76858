//===- LaunchForms.cpp - Launches that differ in constants ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/NVPTX/Pointwise/LaunchForms.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;

bool nvptx::haveOneForm(AffineExpr a, AffineExpr b) {
  if (a == b)
    return true;
  if (a.getKind() != b.getKind())
    return false;
  if (isa<AffineConstantExpr>(a))
    return true;
  auto left = dyn_cast<AffineBinaryOpExpr>(a);
  auto right = dyn_cast<AffineBinaryOpExpr>(b);
  return left && right && haveOneForm(left.getLHS(), right.getLHS()) &&
         haveOneForm(left.getRHS(), right.getRHS());
}

bool nvptx::haveOneForm(AffineMap a, AffineMap b) {
  if (!a || !b)
    return !a && !b;
  return a.getNumResults() == b.getNumResults() &&
         llvm::all_of(llvm::zip(a.getResults(), b.getResults()), [](auto pair) {
           return haveOneForm(std::get<0>(pair), std::get<1>(pair));
         });
}

static bool haveOneForm(Attribute a, Attribute b) {
  if (a == b)
    return true;
  if (auto first = dyn_cast<IntegerAttr>(a)) {
    auto second = dyn_cast<IntegerAttr>(b);
    return second && first.getType() == second.getType();
  }
  if (auto first = dyn_cast<plan::IntegerArgAttr>(a)) {
    auto second = dyn_cast<plan::IntegerArgAttr>(b);
    return second && first.getType() == second.getType() &&
           nvptx::haveOneForm(first.getValue(), second.getValue());
  }
  if (auto first = dyn_cast<plan::PointerAttr>(a)) {
    auto second = dyn_cast<plan::PointerAttr>(b);
    return second && first.getOperand() == second.getOperand() &&
           nvptx::haveOneForm(first.getOffset(), second.getOffset());
  }
  if (auto first = dyn_cast<plan::ScratchAttr>(a)) {
    auto second = dyn_cast<plan::ScratchAttr>(b);
    return second && nvptx::haveOneForm(first.getOffset(), second.getOffset());
  }
  return false;
}

bool nvptx::haveOneForm(plan::LaunchOp a, plan::LaunchOp b) {
  return a.getDependent() == b.getDependent() &&
         haveOneForm(a.getGrid(), b.getGrid()) &&
         a.getArgs().size() == b.getArgs().size() &&
         llvm::all_of(llvm::zip(a.getArgs(), b.getArgs()), [](auto pair) {
           return ::haveOneForm(std::get<0>(pair), std::get<1>(pair));
         });
}
