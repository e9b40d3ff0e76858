//===- Failure.cpp - Errors of the command line ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Failure.h"

using namespace opgraph::cli;

ExitCode opgraph::cli::toExitCode(og_status status) {
  switch (status) {
  case OG_OK:
    return ExitOk;
  case OG_GRAPH_NOT_SUPPORTED:
  case OG_UNSUPPORTED:
  case OG_LIBRARY_MISSING:
  case OG_RESOURCE:
  case OG_UNAVAILABLE:
  case OG_VERSION_MISMATCH:
    return ExitUnsupported;
  case OG_INTERNAL:
  case OG_OUT_OF_MEMORY:
    return ExitInternal;
  case OG_IO_ERROR:
    return ExitIoError;
  default:
    return ExitUserError;
  }
}

void opgraph::cli::check(og_status status) {
  if (status != OG_OK)
    throw Failure(toExitCode(status), og_last_error());
}
