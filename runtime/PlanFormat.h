//===- PlanFormat.h - Header of a plan file ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
///
/// \file
/// The fixed header in front of a plan file's FlatBuffers body (plan.fbs), and
/// the digest that both writer and loader compute. All numbers are
/// little-endian.
///
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_PLANFORMAT_H
#define OPGRAPH_RUNTIME_PLANFORMAT_H

#include <cstddef>
#include <cstdint>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace opgraph::planfile {

/// First bytes of every plan file.
inline constexpr unsigned char magic[8] = {0x89, 'O', 'G', 'P',
                                           'L',  'A', 'N', '\n'};

/// A loader reads every minor of its own major.
inline constexpr uint16_t formatMajor = 1;
inline constexpr uint16_t formatMinor = 0;

/// A whole file is shorter than this.
inline constexpr uint64_t maxFileBytes = uint64_t(1) << 31;

/// The file's first bytes. The digest covers everything after the field.
struct Header {
  unsigned char magic[8];
  uint16_t major;
  /// Repeated after the digest, which covers it there.
  uint16_t minor;
  uint32_t headerBytes;
  /// Length of the whole file.
  uint64_t totalBytes;
  /// XXH3, 128 bits, canonical (big-endian) form.
  unsigned char digest[16];
  uint16_t minorCopy;
  unsigned char reserved[22];
};

static_assert(sizeof(Header) == 64, "the body must start 64-byte aligned");

/// Where the bytes that the digest covers start.
inline constexpr size_t digestedFrom = offsetof(Header, digest) + 16;

/// Computes the digest of a whole file of `size` bytes at `file`.
inline void computeDigest(const void *file, size_t size,
                          unsigned char (&digest)[16]) {
  XXH128_hash_t hash =
      XXH3_128bits(static_cast<const unsigned char *>(file) + digestedFrom,
                   size - digestedFrom);
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, hash);
  std::memcpy(digest, canonical.digest, sizeof(digest));
}

} // namespace opgraph::planfile

#endif // OPGRAPH_RUNTIME_PLANFORMAT_H
