//===- OperandStorage.h - How operands of a graph lie in memory -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which bytes of a buffer an operand takes: all that its declaration spans, or
// what ragged offsets and page tables say at run time.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_OPERANDSTORAGE_H
#define OPGRAPH_PASSES_LEGALIZE_OPERANDSTORAGE_H

#include "dialects/Graph/GraphDialect.h"
#include "dialects/Plan/PlanDialect.h"

namespace opgraph::legalize {

struct OperandStorage {
  plan::Storage storage = plan::Storage::Dense;
  /// Of a ragged operand, where its ops declare its rows in total.
  std::optional<int64_t> bytes;
};

/// The storage of operand `index` of `graph`: its arguments, then its results.
/// A value is ragged or paged where every op that knows it says so; any other
/// op reads all of what is declared.
OperandStorage getOperandStorage(graph::GraphOp graph, unsigned index);

} // namespace opgraph::legalize

#endif // OPGRAPH_PASSES_LEGALIZE_OPERANDSTORAGE_H
