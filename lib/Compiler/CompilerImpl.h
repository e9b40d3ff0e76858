//===- CompilerImpl.h - What all graphs of a compiler share -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_LIB_COMPILER_COMPILERIMPL_H
#define OPGRAPH_LIB_COMPILER_COMPILERIMPL_H

#include "lib/Compiler/ContextPool.h"
#include "lib/Compiler/EngineSet.h"
#include "opgraph-c/compiler.h"
#include <memory>

namespace opgraph::lib {

struct CompilerImpl {
  /// Set before the first graph is made, if at all.
  EngineSet engines = EngineSet::own();
  /// Every living graph has one to itself.
  ContextPool contexts;
};

} // namespace opgraph::lib

/// The C handle.
struct og_compiler {
  std::shared_ptr<opgraph::lib::CompilerImpl> impl;
};

#endif // OPGRAPH_LIB_COMPILER_COMPILERIMPL_H
