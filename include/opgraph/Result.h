//===- opgraph/Result.h - A value, or why there is none ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_RESULT_H
#define OPGRAPH_RESULT_H

#include "opgraph-c/status.h"

#include <optional>
#include <string>
#include <utility>

namespace opgraph {

/// What went wrong: a status of the C API and its text.
struct Error {
  og_status status = OG_OK;
  std::string text;

  /// The calling thread's last error, for a call that returned `status`.
  static Error last(og_status status) { return {status, og_last_error()}; }
};

/// A T, or an Error. There are no exceptions: look before you take.
///
///   auto plan = graph.build();
///   if (!plan)
///     return report(plan.error().text);
///   plan->execute(...);
template <typename T>
class [[nodiscard]] Result {
public:
  Result(T value) : storage(std::move(value)) {}
  Result(Error error) : failure(std::move(error)) {}

  bool ok() const { return storage.has_value(); }
  explicit operator bool() const { return ok(); }

  /// The value; only when ok().
  T &operator*() { return *storage; }
  const T &operator*() const { return *storage; }
  T *operator->() { return &*storage; }
  const T *operator->() const { return &*storage; }
  /// Moves the value out; only when ok().
  T take() { return std::move(*storage); }

  /// The error; its status is OG_OK when ok().
  const Error &error() const { return failure; }

private:
  std::optional<T> storage;
  Error failure;
};

/// Success, or an Error.
template <>
class [[nodiscard]] Result<void> {
public:
  Result() = default;
  Result(Error error) : failure(std::move(error)) {}

  bool ok() const { return failure.status == OG_OK; }
  explicit operator bool() const { return ok(); }
  const Error &error() const { return failure; }

  /// The outcome of a C call that was just made on this thread.
  static Result of(og_status status) {
    return status == OG_OK ? Result() : Result(Error::last(status));
  }

private:
  Error failure;
};

} // namespace opgraph

#endif // OPGRAPH_RESULT_H
