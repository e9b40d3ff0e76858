//===- Error.h - Recording the thread's last error --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_ERROR_H
#define OPGRAPH_RUNTIME_ERROR_H

#include "opgraph-c/status.h"

#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <new>

namespace opgraph::runtime {

/// Formats as printf does into this thread's last error, returns `status`.
/// Allocates nothing.
[[gnu::format(printf, 2, 3)]] og_status fail(og_status status,
                                             const char *format, ...);

/// As fail, for wrappers with their own variable arguments.
og_status failV(og_status status, const char *format, va_list args);

/// Text of an integer list such as "[2, 3]", for messages; cut when long.
class ListText {
public:
  ListText(const int64_t *values, size_t count);
  const char *str() const { return text; }

private:
  char text[192];
};

/// Runs `body`, turning an exhausted heap into a status. The C functions that
/// allocate are wrapped in it, since no exception may leave them.
template <typename Body>
og_status guarded(Body &&body) {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return fail(OG_OUT_OF_MEMORY, "host memory is exhausted");
  }
}

} // namespace opgraph::runtime

#endif // OPGRAPH_RUNTIME_ERROR_H
