//===- InPlace.h - Operands that an op updates in place ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_INPLACE_H
#define OPGRAPH_PASSES_LEGALIZE_INPLACE_H

#include "passes/Legalize/PlanProgram.h"

namespace opgraph::legalize {

/// Allows one buffer for each argument and result of `graph` that an op's
/// definition updates in place: running statistics, a tensor that is rotated.
/// For engines that read an element of such an argument just before they write
/// the same one.
void addUpdatesInPlace(graph::GraphOp graph, ProgramSpec &spec);

} // namespace opgraph::legalize

#endif // OPGRAPH_PASSES_LEGALIZE_INPLACE_H
