//===- Diagnostics.h - Collecting MLIR's diagnostics as text ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_LIB_SUPPORT_DIAGNOSTICS_H
#define OPGRAPH_LIB_SUPPORT_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include <string>

namespace opgraph::lib {

/// While it lives, errors of a context (with their notes) go into a text and
/// everything else is dropped, so that the library prints nothing.
class DiagnosticCollector {
public:
  explicit DiagnosticCollector(mlir::MLIRContext *context);

  /// All errors so far, one per line; "" when there was none.
  const std::string &text() const { return collected; }
  /// The errors, or `fallback` when a failure came without any.
  std::string textOr(llvm::StringRef fallback) const;
  void clear() { collected.clear(); }

private:
  std::string collected;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace opgraph::lib

#endif // OPGRAPH_LIB_SUPPORT_DIAGNOSTICS_H
