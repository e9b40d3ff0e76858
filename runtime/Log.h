//===- Log.h - Formatting a log message -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_LOG_H
#define OPGRAPH_RUNTIME_LOG_H

#include "opgraph-c/status.h"

namespace opgraph::runtime {

/// Logs a message of component "runtime", formatted as printf does (cut at
/// 1023 bytes). Formats nothing when the level is above the threshold.
[[gnu::format(printf, 2, 3)]] void logf(og_log_level level, const char *format,
                                        ...);

} // namespace opgraph::runtime

#endif // OPGRAPH_RUNTIME_LOG_H
