//===- VerifyImage.cpp - Checks of the code variants of a plan ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "opgraph-c/host_abi.h"
#include "runtime/Verifier.h"
#include "runtime/VerifierContext.h"

#include <cstring>

using namespace opgraph::runtime;
namespace fb = opgraph::planfile::fb;

namespace {

constexpr size_t maxVariants = 16;
constexpr size_t maxSegments = 64;
constexpr uint64_t maxImageBytes = uint64_t(1) << 30;

unsigned long long ull(uint64_t value) { return value; }

/// Checks one variant.
class ImageVerifier {
public:
  explicit ImageVerifier(const fb::Variant &variant)
      : variant(variant), name(variant.target()->c_str()) {}

  og_status run() {
    if (og_status status = verifySegments())
      return status;
    if (og_status status = verifyImports())
      return status;
    if (og_status status = verifyRelocations())
      return status;
    if (og_status status = verifySymbols(variant.entries(), "entry"))
      return status;
    return verifySymbols(variant.functions(), "function");
  }

private:
  og_status verifySegments();
  og_status verifyImports();
  og_status verifyRelocations();
  og_status verifySymbols(
      const flatbuffers::Vector<flatbuffers::Offset<fb::ImageSymbol>> *symbols,
      const char *what);

  /// The segment that holds [offset, offset + size), or null.
  const fb::Segment *segmentAt(uint64_t offset, uint64_t size) const {
    for (const fb::Segment *segment : *variant.segments())
      if (offset >= segment->offset() && size <= segment->mem_size() &&
          offset - segment->offset() <= segment->mem_size() - size)
        return segment;
    return nullptr;
  }

  const fb::Variant &variant;
  const char *name;
  uint64_t imageBytes = 0;
};

} // namespace

og_status ImageVerifier::verifySegments() {
  if (variant.segments()->size() > maxSegments)
    return corrupt("variant %s has %u segments, expected at most %zu", name,
                   variant.segments()->size(), maxSegments);
  // In ascending order, and never two on one page: each has one protection.
  for (const fb::Segment *segment : *variant.segments()) {
    if (segment->kind() > fb::SegmentKind_MAX)
      return corrupt("variant %s: a segment has kind %d", name,
                     segment->kind());
    uint64_t offset = segment->offset(), bytes = segment->mem_size();
    if (offset % OG_IMAGE_PAGE || offset < imageBytes ||
        offset > maxImageBytes || bytes > maxImageBytes - offset)
      return corrupt("variant %s: a segment of %llu bytes at offset %llu, "
                     "expected a multiple of %d from %llu on, below %llu",
                     name, ull(bytes), ull(offset), OG_IMAGE_PAGE,
                     ull(imageBytes), ull(maxImageBytes));
    if (bytes == 0 || segment->bytes()->size() > bytes)
      return corrupt("variant %s: a segment of %llu bytes holds %u", name,
                     ull(bytes), segment->bytes()->size());
    imageBytes = offset + bytes;
  }
  return OG_OK;
}

og_status ImageVerifier::verifyImports() {
  if (!variant.imports())
    return OG_OK;
  for (const flatbuffers::String *import : *variant.imports())
    if (og_status status = verifyText(import, "an import's name"))
      return status;
  return OG_OK;
}

og_status ImageVerifier::verifyRelocations() {
  if (!variant.relocations())
    return OG_OK;
  int64_t imports = length(variant.imports());
  for (const fb::Relocation *relocation : *variant.relocations()) {
    if (!segmentAt(relocation->offset(), sizeof(uint64_t)))
      return corrupt("variant %s: a relocation at %llu is in no segment", name,
                     ull(relocation->offset()));
    if (relocation->import_index() < -1 ||
        relocation->import_index() >= imports)
      return corrupt("variant %s: a relocation names import %d of %lld", name,
                     relocation->import_index(),
                     static_cast<long long>(imports));
    if (relocation->import_index() < 0 &&
        (relocation->addend() < 0 ||
         uint64_t(relocation->addend()) > imageBytes))
      return corrupt("variant %s: a relocation points to byte %lld of an image "
                     "of %llu",
                     name, static_cast<long long>(relocation->addend()),
                     ull(imageBytes));
    if (relocation->import_index() >= 0 && relocation->addend() != 0)
      return corrupt("variant %s: a relocation points into an import", name);
  }
  return OG_OK;
}

og_status ImageVerifier::verifySymbols(
    const flatbuffers::Vector<flatbuffers::Offset<fb::ImageSymbol>> *symbols,
    const char *what) {
  if (!symbols)
    return OG_OK;
  for (const fb::ImageSymbol *symbol : *symbols) {
    if (og_status status = verifyText(symbol->name(), "a code symbol's name"))
      return status;
    uint64_t size = symbol->size() ? symbol->size() : 1;
    const fb::Segment *segment = segmentAt(symbol->offset(), size);
    if (!segment || segment->kind() != fb::SegmentKind_Execute)
      return corrupt("variant %s: %s '%s' at %llu is not in executable code",
                     name, what, symbol->name()->c_str(),
                     ull(symbol->offset()));
  }
  return OG_OK;
}

/// Every variant offers the same entries, in the same order.
static og_status verifySameEntries(const fb::Variant &first,
                                   const fb::Variant &other) {
  uint32_t count = first.entries()->size();
  if (other.entries()->size() != count)
    return corrupt("variant %s has %u entries, variant %s has %u",
                   first.target()->c_str(), count, other.target()->c_str(),
                   other.entries()->size());
  for (uint32_t i = 0; i < count; ++i) {
    const fb::ImageSymbol *a = first.entries()->Get(i);
    const fb::ImageSymbol *b = other.entries()->Get(i);
    if (std::strcmp(a->name()->c_str(), b->name()->c_str()))
      return corrupt("entry %u is '%s' in variant %s and '%s' in %s", i,
                     a->name()->c_str(), first.target()->c_str(),
                     b->name()->c_str(), other.target()->c_str());
  }
  return OG_OK;
}

og_status opgraph::runtime::verifyVariants(const fb::Plan &plan) {
  size_t count = length(plan.variants());
  if (count > maxVariants)
    return corrupt("%zu variants, expected at most %zu", count, maxVariants);
  for (size_t i = 0; i < count; ++i) {
    const fb::Variant *variant = plan.variants()->Get(i);
    if (og_status status = verifyText(variant->target(), "a variant's target"))
      return status;
    // A target that is not known here is one that this machine does not run.
    for (size_t j = 0; j < i; ++j)
      if (!std::strcmp(plan.variants()->Get(j)->target()->c_str(),
                       variant->target()->c_str()))
        return corrupt("two variants are '%s'", variant->target()->c_str());
    if (og_status status = ImageVerifier(*variant).run())
      return status;
    if (og_status status =
            verifySameEntries(*plan.variants()->Get(0), *variant))
      return status;
  }
  return OG_OK;
}
