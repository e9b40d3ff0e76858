//===- Decline.cpp - Why an engine does not run a graph -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Planning/Decline.h"

using namespace llvm;
using namespace opgraph;
using namespace opgraph::planning;

graph::DeclineAttr Decline::toAttr(mlir::MLIRContext *context) const {
  auto optional = [&](StringRef field) {
    return field.empty() ? mlir::StringAttr()
                         : mlir::StringAttr::get(context, field);
  };
  return graph::DeclineAttr::get(context, engine, name, constraint, limit,
                                 actual, optional(nearestText), optional(plan),
                                 optional(status), optional(text));
}

std::string Decline::str() const {
  std::string line = constraint + ": expected " + limit + ", got " + actual;
  if (!nearestText.empty())
    line += "; nearest accepted: " + nearestText;
  if (!status.empty())
    line += "; " + status + (text.empty() ? "" : ": " + text);
  else if (!text.empty())
    line += "; " + text;
  return line;
}
