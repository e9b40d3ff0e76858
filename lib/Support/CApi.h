//===- CApi.h - What every C entry point needs ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recording an error, and reading and writing structs whose size the caller
// gives.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_LIB_SUPPORT_CAPI_H
#define OPGRAPH_LIB_SUPPORT_CAPI_H

#include "opgraph-c/status.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>
#include <cstddef>
#include <cstring>

namespace opgraph::lib {

/// Records `text` as this thread's last error and returns `status`.
og_status fail(og_status status, const llvm::Twine &text);

/// Reads a caller's struct of another library version: fields it lacks read as
/// zero, fields we do not know are left alone. `minimum` is the size of the
/// struct's first version.
template <typename T>
og_status readStruct(const T *from, T &to, const char *typeName,
                     size_t minimum = sizeof(T)) {
  std::memset(static_cast<void *>(&to), 0, sizeof(T));
  if (!from)
    return OG_OK;
  if (from->struct_size < minimum)
    return fail(
        OG_INVALID_ARGUMENT,
        llvm::Twine(typeName) + ": expected struct_size to be at least " +
            llvm::Twine(minimum) + ", got " + llvm::Twine(from->struct_size));
  std::memcpy(static_cast<void *>(&to), from,
              std::min(sizeof(T), from->struct_size));
  return OG_OK;
}

/// Writes as much of `from` as the caller's struct has room for.
template <typename T>
og_status writeStruct(const T &from, T *to, const char *typeName,
                      size_t minimum = sizeof(T)) {
  if (!to)
    return fail(OG_INVALID_ARGUMENT, llvm::Twine(typeName) + " is null");
  size_t size = to->struct_size;
  if (size < minimum)
    return fail(OG_INVALID_ARGUMENT,
                llvm::Twine(typeName) +
                    ": expected struct_size to be at least " +
                    llvm::Twine(minimum) + ", got " + llvm::Twine(size));
  std::memcpy(static_cast<void *>(to), &from, std::min(sizeof(T), size));
  to->struct_size = size;
  return OG_OK;
}

/// Fails with OG_INVALID_ARGUMENT unless `pointer` is set.
inline og_status checkNotNull(const void *pointer, const char *what) {
  if (pointer)
    return OG_OK;
  return fail(OG_INVALID_ARGUMENT, llvm::Twine(what) + " is null");
}

/// The member of `names` nearest to `name`, as "; did you mean 'x'?", or "".
template <typename Range>
std::string suggestName(llvm::StringRef name, const Range &names) {
  std::string best;
  unsigned bestDistance = std::max<size_t>(2, name.size() / 3) + 1;
  for (llvm::StringRef candidate : names) {
    unsigned distance = candidate.edit_distance(name, true, bestDistance);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = candidate.str();
    }
  }
  return best.empty() ? best : "; did you mean '" + best + "'?";
}

} // namespace opgraph::lib

/// Returns from a C entry point when `expr` is not OG_OK.
#define OG_TRY(expr)                                                           \
  do {                                                                         \
    if (og_status status_ = (expr); status_ != OG_OK)                          \
      return status_;                                                          \
  } while (false)

#endif // OPGRAPH_LIB_SUPPORT_CAPI_H
