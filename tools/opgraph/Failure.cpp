//===- Failure.cpp - Errors of the command line ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Failure.h"
#include "opgraph-c/runtime.h"

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

void opgraph::cli::checkHasGpu() {
  int32_t count = 0;
  if (og_status status = og_cuda_device_count(&count))
    throw Failure(toExitCode(status),
                  std::string(og_last_error()) +
                      "; run on the host with --device host, or only compile, "
                      "for a GPU elsewhere: opgraph compile --target sm_90a");
}
