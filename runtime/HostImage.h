//===- HostImage.h - Machine code in memory ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_HOSTIMAGE_H
#define OPGRAPH_RUNTIME_HOSTIMAGE_H

#include "opgraph-c/host_abi.h"
#include "opgraph-c/status.h"

#include <cstddef>

namespace opgraph::planfile::fb {
struct Variant;
} // namespace opgraph::planfile::fb

namespace opgraph::runtime {

/// An executable image, mapped and relocated; unmapped when destroyed. No page
/// is ever writable and executable at once.
class HostImage {
public:
  HostImage() = default;
  ~HostImage();
  HostImage(const HostImage &) = delete;
  HostImage &operator=(const HostImage &) = delete;

  /// Maps the code of `variant`, which the verifier has passed. `planName` is
  /// for error texts.
  og_status load(const planfile::fb::Variant &variant, const char *planName);

  /// The entry at `offset` of the image.
  og_host_entry entry(size_t offset) const {
    return reinterpret_cast<og_host_entry>(base + offset);
  }

private:
  og_status relocate(const planfile::fb::Variant &variant,
                     const char *planName);
  og_status protect(const planfile::fb::Variant &variant, const char *planName);

  unsigned char *base = nullptr;
  size_t size = 0;
};

} // namespace opgraph::runtime

#endif // OPGRAPH_RUNTIME_HOSTIMAGE_H
