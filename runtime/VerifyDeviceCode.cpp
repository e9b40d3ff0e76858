//===- VerifyDeviceCode.cpp - Checks of a plan's code for GPUs ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Cuda/Target.h"
#include "runtime/Verifier.h"
#include "runtime/VerifierContext.h"

#include <cstring>
#include <elf.h>

using namespace opgraph::runtime;
namespace fb = opgraph::planfile::fb;

static constexpr size_t maxDeviceVariants = 16;
static constexpr size_t maxKernels = 1024;
static constexpr unsigned maxBlockThreads = 1024;
static constexpr unsigned maxClusterBlocks = 16;
static constexpr unsigned maxDynamicShared = 1 << 20;

/// The driver is not told the length of a cubin and believes its ELF header:
/// all that the header and the section table point to must be there.
static const char *checkElf(const uint8_t *bytes, size_t size) {
  Elf64_Ehdr header;
  if (size < sizeof(header))
    return "is shorter than an ELF header";
  std::memcpy(&header, bytes, sizeof(header));
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) ||
      header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB)
    return "is no little-endian ELF file of 64 bits";
  auto inside = [&](uint64_t offset, uint64_t length) {
    return offset <= size && length <= size - offset;
  };
  if (header.e_shnum && header.e_shentsize != sizeof(Elf64_Shdr))
    return "has section headers of another size";
  if (header.e_phnum && header.e_phentsize != sizeof(Elf64_Phdr))
    return "has program headers of another size";
  if (!inside(header.e_shoff, uint64_t(header.e_shnum) * sizeof(Elf64_Shdr)) ||
      !inside(header.e_phoff, uint64_t(header.e_phnum) * sizeof(Elf64_Phdr)))
    return "has headers beyond its end";
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    std::memcpy(&section, bytes + header.e_shoff + i * sizeof(section),
                sizeof(section));
    if (section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL &&
        !inside(section.sh_offset, section.sh_size))
      return "has a section beyond its end";
  }
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    std::memcpy(&segment, bytes + header.e_phoff + i * sizeof(segment),
                sizeof(segment));
    if (!inside(segment.p_offset, segment.p_filesz))
      return "has a segment beyond its end";
  }
  return nullptr;
}

static og_status verifyKernel(const fb::DeviceVariant &variant,
                              const fb::Kernel &kernel) {
  if (og_status status = verifyText(kernel.name(), "a kernel's name"))
    return status;
  const char *name = kernel.name()->c_str();
  if (kernel.threads() < 1 || kernel.threads() > maxBlockThreads)
    return corrupt("variant %s: kernel '%s' has blocks of %u threads, expected "
                   "1 to %u",
                   variant.target()->c_str(), name, kernel.threads(),
                   maxBlockThreads);
  uint64_t blocks = length(kernel.cluster()) == 3;
  for (uint32_t axis = 0; blocks && axis < 3; ++axis) {
    uint32_t extent = kernel.cluster()->Get(axis);
    blocks = extent > maxClusterBlocks ? 0 : blocks * extent;
  }
  if (blocks < 1 || blocks > maxClusterBlocks)
    return corrupt("variant %s: kernel '%s' has a cluster that is not three "
                   "extents of at most %u blocks",
                   variant.target()->c_str(), name, maxClusterBlocks);
  if (kernel.dynamic_shared() > maxDynamicShared)
    return corrupt("variant %s: kernel '%s' asks for %u bytes of shared memory",
                   variant.target()->c_str(), name, kernel.dynamic_shared());
  return OG_OK;
}

/// Every variant offers the same kernels, in the same order.
static og_status verifySameKernels(const fb::Plan &plan,
                                   const fb::DeviceVariant &variant) {
  const fb::DeviceVariant &first = *plan.device_variants()->Get(0);
  uint32_t count = first.kernels()->size();
  if (variant.kernels()->size() != count)
    return corrupt("variant %s has %u kernels, variant %s has %u",
                   first.target()->c_str(), count, variant.target()->c_str(),
                   variant.kernels()->size());
  for (uint32_t i = 0; i < count; ++i) {
    const char *a = first.kernels()->Get(i)->name()->c_str();
    const char *b = variant.kernels()->Get(i)->name()->c_str();
    if (std::strcmp(a, b))
      return corrupt("kernel %u is '%s' in variant %s and '%s' in %s", i, a,
                     first.target()->c_str(), b, variant.target()->c_str());
  }
  return OG_OK;
}

static og_status verifyVariant(const fb::Plan &plan,
                               const fb::DeviceVariant &variant) {
  if (og_status status =
          verifyText(variant.target(), "a device variant's target"))
    return status;
  const char *name = variant.target()->c_str();
  cuda::CodeTarget target;
  if (!cuda::parseCodeTarget(name, target))
    return corrupt("device variant '%s' is named as no target is", name);
  bool hasPtx = variant.ptx() && variant.ptx()->size();
  if (!length(variant.cubin()) && !hasPtx)
    return corrupt("device variant %s has neither a cubin nor PTX", name);
  if (variant.ptx() &&
      (!hasPtx || std::memchr(variant.ptx()->data(), 0, variant.ptx()->size())))
    return corrupt("device variant %s: its PTX is no text", name);
  if (length(variant.cubin()))
    if (const char *error =
            checkElf(variant.cubin()->data(), variant.cubin()->size()))
      return corrupt("device variant %s: its cubin %s", name, error);
  if (variant.kernels()->size() > maxKernels)
    return corrupt("device variant %s has %u kernels, expected at most %zu",
                   name, variant.kernels()->size(), maxKernels);
  for (const fb::Kernel *kernel : *variant.kernels())
    if (og_status status = verifyKernel(variant, *kernel))
      return status;
  return verifySameKernels(plan, variant);
}

og_status opgraph::runtime::verifyDeviceCode(const fb::Plan &plan) {
  size_t count = length(plan.device_variants());
  if (count > maxDeviceVariants)
    return corrupt("%zu device variants, expected at most %zu", count,
                   maxDeviceVariants);
  for (size_t i = 0; i < count; ++i) {
    const fb::DeviceVariant *variant = plan.device_variants()->Get(i);
    if (og_status status = verifyVariant(plan, *variant))
      return status;
    for (size_t j = 0; j < i; ++j)
      if (!std::strcmp(plan.device_variants()->Get(j)->target()->c_str(),
                       variant->target()->c_str()))
        return corrupt("two device variants are '%s'",
                       variant->target()->c_str());
  }
  return OG_OK;
}
