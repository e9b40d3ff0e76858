//===- Recovery.cpp - Survives LLVM's fatal errors ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// The only compiler file built with exceptions: LLVM's fatal-error handler may
// not return, so it throws across LLVM's frames, which were built without.
//
//===----------------------------------------------------------------------===//

#include "codegen/Host/Recovery.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/PrettyStackTrace.h"

#include <mutex>
#include <string>

using namespace opgraph::codegen;

namespace {
/// Thrown by the handler, caught by recoverFatalErrors.
struct FatalError {
  std::string reason;
};
} // namespace

/// How many recoverFatalErrors are on this thread's stack.
static thread_local unsigned recoveryDepth = 0;

/// Returning, outside any recovery, lets LLVM end the process.
static void handleFatalError(void *, const char *reason, bool) {
  if (recoveryDepth > 0)
    throw FatalError{reason};
}

llvm::Error
opgraph::codegen::recoverFatalErrors(llvm::function_ref<llvm::Error()> work) {
  static std::once_flag once;
  std::call_once(once,
                 [] { llvm::install_fatal_error_handler(handleFatalError); });
  const void *prettyStack = llvm::SavePrettyStackState();
  ++recoveryDepth;
  try {
    llvm::Error result = work();
    --recoveryDepth;
    return result;
  } catch (const FatalError &error) {
    --recoveryDepth;
    // Its entries lay in the frames that are gone.
    llvm::RestorePrettyStackState(prettyStack);
    return llvm::createStringError("LLVM failed: " + error.reason);
  }
}
