//===- FileCheck.cpp - Header, digest and structure of a plan file --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Error.h"
#include "runtime/PlanAlignment.h"
#include "runtime/PlanFormat.h"
#include "runtime/Verifier.h"

#include <cstring>

using namespace opgraph::runtime;
using namespace opgraph;

static og_status checkHeader(const unsigned char *bytes, size_t size) {
  planfile::Header header;
  if (size < sizeof(header))
    return fail(OG_DATA_LOSS,
                "plan file is truncated: %zu bytes, its header alone has %zu",
                size, sizeof(header));
  std::memcpy(&header, bytes, sizeof(header));
  if (std::memcmp(header.magic, planfile::magic, sizeof(planfile::magic)))
    return fail(OG_DATA_LOSS, "not a plan file: the magic bytes differ");
  if (header.major != planfile::formatMajor)
    return fail(OG_VERSION_MISMATCH,
                "plan file has format %u.%u, this runtime reads %u.x",
                header.major, header.minor, planfile::formatMajor);
  if (header.headerBytes != sizeof(header))
    return fail(OG_DATA_LOSS, "plan file: header of %u bytes, expected %zu",
                header.headerBytes, sizeof(header));
  if (header.totalBytes != size)
    return fail(OG_DATA_LOSS,
                "plan file is truncated or has bytes appended: %zu bytes, its "
                "header says %llu",
                size, static_cast<unsigned long long>(header.totalBytes));
  if (size >= planfile::maxFileBytes)
    return fail(OG_DATA_LOSS, "plan file of %zu bytes, expected below %llu",
                size, static_cast<unsigned long long>(planfile::maxFileBytes));
  unsigned char digest[16];
  planfile::computeDigest(bytes, size, digest);
  if (std::memcmp(digest, header.digest, sizeof(digest)))
    return fail(OG_DATA_LOSS,
                "plan file is altered: its digest starts %02x%02x%02x%02x, the "
                "header says %02x%02x%02x%02x",
                digest[0], digest[1], digest[2], digest[3], header.digest[0],
                header.digest[1], header.digest[2], header.digest[3]);
  if (header.minor != header.minorCopy)
    return fail(OG_DATA_LOSS,
                "plan file: format minor %u in its header, %u under the digest",
                header.minor, header.minorCopy);
  // A newer minor may have given them a meaning.
  for (unsigned char byte : header.reserved)
    if (byte && header.minor <= planfile::formatMinor)
      return fail(OG_DATA_LOSS, "plan file: reserved header bytes are not 0");
  return OG_OK;
}

og_status opgraph::runtime::verifyFile(const unsigned char *bytes, size_t size,
                                       const planfile::fb::Plan **body) {
  if (og_status status = checkHeader(bytes, size))
    return status;
  const unsigned char *start = bytes + sizeof(planfile::Header);
  flatbuffers::Verifier verifier(start, size - sizeof(planfile::Header),
                                 /*max_depth=*/16, /*max_tables=*/1 << 20);
  if (!planfile::fb::VerifyPlanBuffer(verifier))
    return fail(OG_DATA_LOSS,
                "plan file: the body is no well-formed FlatBuffers table");
  *body = planfile::fb::GetPlan(start);
  if (!planfile::structsAreAligned(**body))
    return fail(OG_DATA_LOSS, "plan file: a vector of the body is misaligned");
  return OG_OK;
}
