//===- Error.cpp - Status names and the thread's last error ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Error.h"

#include <cstdio>
#include <cstring>

using namespace opgraph::runtime;

namespace {

/// Fixed size, so that reporting an exhausted heap needs no heap.
struct LastError {
  og_status status;
  char text[4096];
};

thread_local LastError lastError = {OG_OK, ""};

} // namespace

og_status opgraph::runtime::failV(og_status status, const char *format,
                                  va_list args) {
  lastError.status = status;
  std::vsnprintf(lastError.text, sizeof(lastError.text), format, args);
  return status;
}

og_status opgraph::runtime::fail(og_status status, const char *format, ...) {
  va_list args;
  va_start(args, format);
  failV(status, format, args);
  va_end(args);
  return status;
}

ListText::ListText(const int64_t *values, size_t count) {
  size_t used = 0;
  text[used++] = '[';
  // Room for one more number, the ellipsis and the bracket is always kept.
  for (size_t i = 0; i < count; ++i) {
    if (used + 32 > sizeof(text)) {
      used += std::snprintf(text + used, sizeof(text) - used, ", ...");
      break;
    }
    used += std::snprintf(text + used, sizeof(text) - used, "%s%lld",
                          i ? ", " : "", static_cast<long long>(values[i]));
  }
  text[used] = ']';
  text[used + 1] = '\0';
}

extern "C" {

const char *og_status_name(og_status status) {
  switch (status) {
  case OG_OK:
    return "OK";
  case OG_INVALID_ARGUMENT:
    return "INVALID_ARGUMENT";
  case OG_ATTRIBUTE_NOT_SET:
    return "ATTRIBUTE_NOT_SET";
  case OG_SHAPE_DEDUCTION:
    return "SHAPE_DEDUCTION";
  case OG_INVALID_VALUE:
    return "INVALID_VALUE";
  case OG_GRAPH_NOT_SUPPORTED:
    return "GRAPH_NOT_SUPPORTED";
  case OG_INVALID_VARIANT_PACK:
    return "INVALID_VARIANT_PACK";
  case OG_UNSUPPORTED:
    return "UNSUPPORTED";
  case OG_LIBRARY_MISSING:
    return "LIBRARY_MISSING";
  case OG_RESOURCE:
    return "RESOURCE";
  case OG_UNAVAILABLE:
    return "UNAVAILABLE";
  case OG_DATA_LOSS:
    return "DATA_LOSS";
  case OG_VERSION_MISMATCH:
    return "VERSION_MISMATCH";
  case OG_NOT_PREPARED:
    return "NOT_PREPARED";
  case OG_FROZEN:
    return "FROZEN";
  case OG_IO_ERROR:
    return "IO_ERROR";
  case OG_INTERNAL:
    return "INTERNAL";
  case OG_OUT_OF_MEMORY:
    return "OUT_OF_MEMORY";
  case OG_NOT_FOUND:
    return "NOT_FOUND";
  case OG_OUT_OF_RANGE:
    return "OUT_OF_RANGE";
  case OG_ALREADY_EXISTS:
    return "ALREADY_EXISTS";
  case OG_FAILED_PRECONDITION:
    return "FAILED_PRECONDITION";
  case OG_CANCELLED:
    return "CANCELLED";
  case OG_PARSE_ERROR:
    return "PARSE_ERROR";
  }
  return "UNKNOWN";
}

const char *og_last_error(void) { return lastError.text; }

og_status og_last_status(void) { return lastError.status; }

og_status og_set_last_error(og_status status, const char *text) {
  // `text` may be this very buffer, or a part of it.
  size_t size = text ? strnlen(text, sizeof(lastError.text) - 1) : 0;
  if (size)
    std::memmove(lastError.text, text, size);
  lastError.text[size] = '\0';
  lastError.status = status;
  return status;
}
}
