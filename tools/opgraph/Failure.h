//===- Failure.h - Errors of the command line -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_TOOLS_OPGRAPH_FAILURE_H
#define OPGRAPH_TOOLS_OPGRAPH_FAILURE_H

#include "opgraph-c/status.h"

#include <stdexcept>
#include <string>

namespace opgraph::cli {

/// What the process ends with; listed by --help.
enum ExitCode {
  ExitOk = 0,
  /// A wrong argument or graph.
  ExitUserError = 1,
  /// Results differ from the reference by more than the tolerance.
  ExitVerifyFailed = 2,
  /// No engine, or not this machine, can do it.
  ExitUnsupported = 3,
  /// A file could not be read or written.
  ExitIoError = 4,
  /// A defect of opgraph.
  ExitInternal = 5,
};

/// Ends the command: main prints the text and exits with the code.
struct Failure : std::runtime_error {
  Failure(ExitCode code, const std::string &text)
      : std::runtime_error(text), code(code) {}
  ExitCode code;
};

/// The exit code that a status of the C API becomes.
ExitCode toExitCode(og_status status);

/// Throws a Failure with the thread's last error unless `status` is OG_OK.
void check(og_status status);

/// Throws a Failure that says what to do where this machine has no GPU.
void checkHasGpu();

} // namespace opgraph::cli

#endif // OPGRAPH_TOOLS_OPGRAPH_FAILURE_H
