//===- Diagnostics.cpp - Collecting MLIR's diagnostics as text ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "lib/Support/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace opgraph::lib;

/// "file:line:col: ", or "node 'x': " for an operation with a label.
static void printLocation(Location location, llvm::raw_ostream &os) {
  if (auto file = dyn_cast<FileLineColLoc>(location)) {
    os << file.getFilename().getValue() << ':' << file.getLine() << ':'
       << file.getColumn() << ": ";
    return;
  }
  if (auto named = dyn_cast<NameLoc>(location)) {
    printLocation(named.getChildLoc(), os);
    os << "node '" << named.getName().getValue() << "': ";
  }
}

DiagnosticCollector::DiagnosticCollector(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
          return success();
        llvm::raw_string_ostream os(collected);
        if (!collected.empty())
          os << '\n';
        printLocation(diagnostic.getLocation(), os);
        os << diagnostic.str();
        for (Diagnostic &note : diagnostic.getNotes())
          os << "; " << note.str();
        return success();
      }) {}

std::string DiagnosticCollector::textOr(StringRef fallback) const {
  return collected.empty() ? fallback.str() : collected;
}
