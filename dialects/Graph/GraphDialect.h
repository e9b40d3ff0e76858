//===- GraphDialect.h - The graph dialect -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dialect, attributes, interfaces and ops of `graph`.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_DIALECTS_GRAPH_GRAPHDIALECT_H
#define OPGRAPH_DIALECTS_GRAPH_GRAPHDIALECT_H

#include "dialects/Graph/Inference.h"
#include "dialects/Graph/PlanId.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <limits>

#include "dialects/Graph/GraphEnums.h.inc"

#include "dialects/Graph/GraphDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Graph/GraphAttrs.h.inc"

#include "dialects/Graph/GraphInterfaces.h.inc"

#define GET_OP_CLASSES
#include "dialects/Graph/GraphOps.h.inc"

#endif // OPGRAPH_DIALECTS_GRAPH_GRAPHDIALECT_H
