//===- ImageTables.h - GOT and stubs in a fixed order -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_HOST_IMAGETABLES_H
#define OPGRAPH_CODEGEN_HOST_IMAGETABLES_H

#include "llvm/Support/Error.h"

namespace llvm::jitlink {
class LinkGraph;
} // namespace llvm::jitlink

namespace opgraph::codegen {

/// Makes the GOT and the stubs, in the order of their targets' names. JITLink
/// would make the same ones in the order of pointers, which differs from run
/// to run; equal modules must give equal images.
llvm::Error buildImageTables(llvm::jitlink::LinkGraph &graph);

} // namespace opgraph::codegen

#endif // OPGRAPH_CODEGEN_HOST_IMAGETABLES_H
