//===- CompilerImpl.h - What all graphs of a compiler share -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_LIB_COMPILER_COMPILERIMPL_H
#define OPGRAPH_LIB_COMPILER_COMPILERIMPL_H

#include "lib/Compiler/EngineSet.h"
#include "mlir/IR/DialectRegistry.h"
#include "opgraph-c/compiler.h"
#include <memory>

namespace opgraph::lib {

/// The dialects and their extensions, registered once. Every graph has an MLIR
/// context of its own, made from this registry: graphs on different threads
/// then share nothing that changes, and a released graph gives all its memory
/// back.
class CompilerImpl {
public:
  CompilerImpl();

  /// A context with every dialect of the pipeline available, single-threaded.
  std::unique_ptr<mlir::MLIRContext> makeContext() const;

  /// Set before the first graph is made, if at all.
  EngineSet engines = EngineSet::own();

private:
  mlir::DialectRegistry registry;
};

} // namespace opgraph::lib

/// The C handle.
struct og_compiler {
  std::shared_ptr<opgraph::lib::CompilerImpl> impl;
};

#endif // OPGRAPH_LIB_COMPILER_COMPILERIMPL_H
