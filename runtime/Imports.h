//===- Imports.h - Resolving the imports of host images ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_IMPORTS_H
#define OPGRAPH_RUNTIME_IMPORTS_H

namespace opgraph::runtime {

/// The address of an importable function; null when it is not on the list.
const void *findImport(const char *name);

} // namespace opgraph::runtime

#endif // OPGRAPH_RUNTIME_IMPORTS_H
