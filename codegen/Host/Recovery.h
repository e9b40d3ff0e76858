//===- Recovery.h - Survives LLVM's fatal errors ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_HOST_RECOVERY_H
#define OPGRAPH_CODEGEN_HOST_RECOVERY_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace opgraph::codegen {

/// Runs `work`; a fatal error of LLVM in it, on this thread, is returned as an
/// error instead of ending the process. The frames in between are left without
/// running their destructors: what they own leaks, and no lock may be held.
llvm::Error recoverFatalErrors(llvm::function_ref<llvm::Error()> work);

} // namespace opgraph::codegen

#endif // OPGRAPH_CODEGEN_HOST_RECOVERY_H
