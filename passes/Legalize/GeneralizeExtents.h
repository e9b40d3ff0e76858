//===- GeneralizeExtents.h - Symbols for what a call overrides ---*- C++ -*-==//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph marked `dynamic` declares extents and strides that a call may
// override. Engines serve it by legalizing a copy of it in which such numbers
// are symbols; the declared ones become the symbols' default values.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_GENERALIZEEXTENTS_H
#define OPGRAPH_PASSES_LEGALIZE_GENERALIZEEXTENTS_H

#include "dialects/Graph/GraphDialect.h"
#include "mlir/IR/OwningOpRef.h"

namespace opgraph::legalize {

/// A copy of `graph`, outside of any module, in which every extent that may
/// vary is a symbol, one symbol for extents that the ops require to be equal.
/// These stay numbers: 1; what an attribute or a number of elements fixes (a
/// partly taken slice axis, the joined axis of concatenate, reshaped axes);
/// the heads of grouped attention and attention's head sizes; extents of the
/// operands and results of every other op than pointwise ops, reductions,
/// norms, softmax, matmul, attention and layout ops. Strides that do not follow
/// from a packed order become `?`. Null, after an error on the graph, if the
/// copy does not verify.
mlir::OwningOpRef<graph::GraphOp> generalizeExtents(graph::GraphOp graph);

} // namespace opgraph::legalize

#endif // OPGRAPH_PASSES_LEGALIZE_GENERALIZEEXTENTS_H
