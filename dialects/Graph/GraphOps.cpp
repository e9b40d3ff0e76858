//===- GraphOps.cpp - Definitions generated from ODS ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/GraphDialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace opgraph::graph;

#define GET_OP_CLASSES
#include "dialects/Graph/GraphOps.cpp.inc"
