//===- HostImage.cpp - Machine code in memory -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/HostImage.h"

#include "runtime/Error.h"
#include "runtime/Imports.h"
#include "runtime/PerfMap.h"
#include "runtime/plan_generated.h"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace opgraph::runtime;
namespace fb = opgraph::planfile::fb;

HostImage::~HostImage() {
  if (base)
    munmap(base, size);
}

og_status HostImage::load(const fb::Variant &variant, const char *planName) {
  if (sysconf(_SC_PAGESIZE) != OG_IMAGE_PAGE)
    return fail(OG_UNSUPPORTED,
                "plan '%s': host images need pages of %d bytes, this machine "
                "has %ld",
                planName, OG_IMAGE_PAGE, sysconf(_SC_PAGESIZE));
  uint64_t bytes = 0;
  for (const fb::Segment *segment : *variant.segments()) {
    uint64_t end = segment->offset() + segment->mem_size();
    bytes = end > bytes ? end : bytes;
  }
  if (bytes == 0)
    return OG_OK;
  bytes = (bytes + OG_IMAGE_PAGE - 1) / OG_IMAGE_PAGE * OG_IMAGE_PAGE;
  void *mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED)
    return fail(OG_RESOURCE, "plan '%s': cannot map %llu bytes for code: %s",
                planName, static_cast<unsigned long long>(bytes),
                std::strerror(errno));
  base = static_cast<unsigned char *>(mapped);
  size = bytes;
  for (const fb::Segment *segment : *variant.segments())
    if (segment->bytes()->size())
      std::memcpy(base + segment->offset(), segment->bytes()->data(),
                  segment->bytes()->size());
  if (og_status status = relocate(variant, planName))
    return status;
  if (og_status status = protect(variant, planName))
    return status;
  writePerfMap(variant, base);
  return OG_OK;
}

og_status HostImage::relocate(const fb::Variant &variant,
                              const char *planName) {
  // Names are resolved even when no relocation uses them: what a plan asks for
  // is refused when it is loaded, never later.
  if (variant.imports())
    for (const flatbuffers::String *name : *variant.imports())
      if (!findImport(name->c_str()))
        return fail(OG_UNSUPPORTED,
                    "plan '%s': import '%s' is not on the list of host ABI %d",
                    planName, name->c_str(), OG_HOST_ABI_VERSION);
  if (!variant.relocations())
    return OG_OK;
  for (const fb::Relocation *relocation : *variant.relocations()) {
    const void *target = base;
    if (relocation->import_index() >= 0)
      target = findImport(
          variant.imports()->Get(relocation->import_index())->c_str());
    uint64_t value =
        reinterpret_cast<uintptr_t>(target) + uint64_t(relocation->addend());
    std::memcpy(base + relocation->offset(), &value, sizeof(value));
  }
  return OG_OK;
}

og_status HostImage::protect(const fb::Variant &variant, const char *planName) {
  for (const fb::Segment *segment : *variant.segments()) {
    if (segment->mem_size() == 0)
      continue;
    bool execute = segment->kind() == fb::SegmentKind_Execute;
    int protection = execute ? PROT_READ | PROT_EXEC : PROT_READ;
    if (mprotect(base + segment->offset(), segment->mem_size(), protection))
      return fail(OG_RESOURCE, "plan '%s': cannot protect code pages: %s",
                  planName, std::strerror(errno));
  }
  return OG_OK;
}
