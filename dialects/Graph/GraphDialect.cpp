//===- GraphDialect.cpp - Registration and attribute checks ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/PlanAttrs.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph::graph;

#include "dialects/Graph/GraphDialect.cpp.inc"
#include "dialects/Graph/GraphEnums.cpp.inc"
#include "dialects/Graph/GraphInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Graph/GraphAttrs.cpp.inc"

void GraphDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Graph/GraphAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Graph/GraphOps.cpp.inc"
      >();
}

LogicalResult GraphDialect::verifyOperationAttribute(Operation *op,
                                                     NamedAttribute attr) {
  return verifyPlanningAttribute(op, attr);
}

/// The largest pointer alignment of an operand in bytes (OG_MAX_ALIGNMENT).
static constexpr int64_t maxAlignment = 4096;

/// Checks one `graph.*` attribute of an argument or a result.
static LogicalResult verifyPortAttribute(Operation *op, NamedAttribute attr,
                                         bool isArgument) {
  StringRef name = attr.getName().getValue();
  auto expects = [&](StringRef kind) {
    return op->emitOpError("expected attribute '")
           << name << "' to be " << kind << ", got " << attr.getValue();
  };
  if (name == "graph.uid") {
    auto value = dyn_cast<IntegerAttr>(attr.getValue());
    if (!value || !value.getType().isInteger(64))
      return expects("an i64");
    return success();
  }
  if (name == "graph.name")
    return isa<StringAttr>(attr.getValue()) ? success() : expects("a string");
  if (name == "graph.alignment") {
    auto value = dyn_cast<IntegerAttr>(attr.getValue());
    if (!value || !value.getType().isInteger(64) || value.getInt() < 1 ||
        value.getInt() > maxAlignment ||
        (value.getInt() & (value.getInt() - 1)) != 0)
      return expects("an i64 power of two up to 4096");
    return success();
  }
  if (isArgument && name == "graph.by_value")
    return isa<UnitAttr>(attr.getValue()) ? success() : expects("a unit");
  if (isArgument && name == "graph.default")
    return isa<IntegerAttr, FloatAttr>(attr.getValue())
               ? success()
               : expects("a typed scalar");
  return op->emitOpError("unknown ") << (isArgument ? "argument" : "result")
                                     << " attribute '" << name << "'";
}

LogicalResult GraphDialect::verifyRegionArgAttribute(Operation *op,
                                                     unsigned regionIndex,
                                                     unsigned argIndex,
                                                     NamedAttribute attr) {
  return verifyPortAttribute(op, attr, /*isArgument=*/true);
}

LogicalResult GraphDialect::verifyRegionResultAttribute(Operation *op,
                                                        unsigned regionIndex,
                                                        unsigned resultIndex,
                                                        NamedAttribute attr) {
  return verifyPortAttribute(op, attr, /*isArgument=*/false);
}
