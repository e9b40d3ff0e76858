//===- PlanDialect.cpp - The plan dialect and its attributes --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Plan/PlanDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph::plan;

/// An affine map as `affine_map<...>`: the builtin attribute's spelling.
static ParseResult parseMapParameter(AsmParser &parser, AffineMap &map) {
  AffineMapAttr attr;
  if (parser.parseAttribute(attr))
    return failure();
  map = attr.getValue();
  return success();
}

static void printMapParameter(AsmPrinter &printer, AffineMap map) {
  printer.printAttribute(AffineMapAttr::get(map));
}

#include "dialects/Plan/PlanDialect.cpp.inc"
#include "dialects/Plan/PlanEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Plan/PlanAttrs.cpp.inc"

void PlanDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Plan/PlanAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Plan/PlanOps.cpp.inc"
      >();
}

LogicalResult EngineAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 int64_t id, StringAttr name, uint32_t version,
                                 ArrayRef<int64_t> knobs) {
  if (id < 0)
    return emitError() << "engine id must not be negative, got " << id;
  if (name.getValue().empty())
    return emitError() << "engine name must not be empty";
  if (knobs.size() % 2 != 0)
    return emitError() << "knobs are (type, value) pairs, got " << knobs.size()
                       << " numbers";
  for (size_t i = 2; i < knobs.size(); i += 2)
    if (knobs[i] <= knobs[i - 2])
      return emitError() << "knob types must ascend, got " << knobs[i - 2]
                         << " before " << knobs[i];
  return success();
}

/// A workspace size is one expression of the program's symbols.
static LogicalResult verifySizeMap(function_ref<InFlightDiagnostic()> emitError,
                                   StringRef name, AffineMap map) {
  if (map.getNumDims() != 0 || map.getNumResults() != 1)
    return emitError() << name
                       << " size must be a map without dimensions and with "
                          "one result, got "
                       << AffineMapAttr::get(map);
  return success();
}

LogicalResult
WorkspaceAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                      AffineMap sharedSize, AffineMap privateSize,
                      uint32_t maxWorkers) {
  if (failed(verifySizeMap(emitError, "shared", sharedSize)) ||
      failed(verifySizeMap(emitError, "private", privateSize)))
    return failure();
  if (maxWorkers == 0)
    return emitError() << "max_workers must be at least 1, got 0";
  return success();
}
