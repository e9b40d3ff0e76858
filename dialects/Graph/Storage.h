//===- Storage.h - Values that element types lack ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_DIALECTS_GRAPH_STORAGE_H
#define OPGRAPH_DIALECTS_GRAPH_STORAGE_H

#include "mlir/IR/BuiltinAttributes.h"

namespace opgraph::graph {

/// Whether `number`, an integer or a float, is one of its type's: attributes of
/// f8E8M0FNU can have a sign, though their type has none.
bool isElementValue(mlir::TypedAttr number);

/// The value of a float of any element type. (MLIR's own conversion makes an
/// infinity of the NaN of f8E8M0FNU.)
double getElementValue(mlir::FloatAttr number);

} // namespace opgraph::graph

#endif // OPGRAPH_DIALECTS_GRAPH_STORAGE_H
