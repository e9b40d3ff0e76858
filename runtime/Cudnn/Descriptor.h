//===- Descriptor.h - A backend descriptor of cuDNN -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_CUDNN_DESCRIPTOR_H
#define OPGRAPH_RUNTIME_CUDNN_DESCRIPTOR_H

#include "runtime/Cudnn/Backend.h"
#include "runtime/Cudnn/Library.h"

#include <utility>
#include <vector>

namespace opgraph::runtime::cudnn {

/// Owns one descriptor. Its errors name the kind, the attribute, and what the
/// library says.
class BackendDescriptor {
public:
  BackendDescriptor() = default;
  BackendDescriptor(BackendDescriptor &&other) noexcept { swap(other); }
  BackendDescriptor &operator=(BackendDescriptor &&other) noexcept {
    swap(other);
    return *this;
  }
  ~BackendDescriptor();

  /// Makes it; it must be empty.
  og_status create(const Library &library, int32_t kind);
  og_status finalize();

  /// Sets an attribute to `count` elements of the library's form at `elements`.
  og_status set(int32_t attr, int32_t type, int64_t count,
                const void *elements);
  og_status setInteger(int32_t attr, int64_t value) {
    return set(attr, TYPE_INT64, 1, &value);
  }
  /// A value of a 32-bit type.
  og_status setNumber(int32_t attr, int32_t type, int32_t value) {
    return set(attr, type, 1, &value);
  }
  og_status setDescriptor(int32_t attr, const BackendDescriptor &value) {
    return set(attr, TYPE_BACKEND_DESCRIPTOR, 1, &value.handle);
  }

  /// Reads up to `capacity` elements; `*count` is how many there are.
  og_status get(int32_t attr, int32_t type, int64_t capacity, int64_t *count,
                void *elements) const;
  og_status getInteger(int32_t attr, int64_t *value) const;
  /// The one element of a 32-bit type.
  og_status getNumber(int32_t attr, int32_t type, int32_t *value) const;
  /// All elements of a 32-bit type, of an attribute that has several.
  og_status getNumbers(int32_t attr, int32_t type,
                       std::vector<int32_t> &values) const;

  Desc get() const { return handle; }
  explicit operator bool() const { return handle != nullptr; }

private:
  void swap(BackendDescriptor &other) {
    std::swap(library, other.library);
    std::swap(handle, other.handle);
    std::swap(kind, other.kind);
  }

  const Library *library = nullptr;
  Desc handle = nullptr;
  int32_t kind = -1;
};

} // namespace opgraph::runtime::cudnn

#endif // OPGRAPH_RUNTIME_CUDNN_DESCRIPTOR_H
