//===- VerifyDevice.cpp - Checks of a plan for a CUDA device --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "opgraph-c/types.h"
#include "runtime/Cuda/Scalars.h"
#include "runtime/Cuda/Target.h"
#include "runtime/Expression.h"
#include "runtime/Verifier.h"
#include "runtime/VerifierContext.h"

#include <climits>
#include <cstring>
#include <elf.h>

using namespace opgraph::runtime;
namespace fb = opgraph::planfile::fb;

namespace {

constexpr size_t maxDeviceVariants = 16;
constexpr size_t maxKernels = 1024;
constexpr size_t maxTensorMaps = 64;
/// A kernel has at most 4 KiB of parameters.
constexpr size_t maxArguments = 512;
/// Bounds the stack that an execution takes for its parameters.
constexpr size_t maxProgramSteps = 1024;
constexpr size_t maxProgramArguments = 4096;
constexpr unsigned maxBlockThreads = 1024;
constexpr unsigned maxClusterBlocks = 16;
constexpr unsigned maxDynamicShared = 1 << 20;

unsigned long long ull(uint64_t value) { return value; }

/// Checks launches, tensor maps and device code of one plan.
class DeviceVerifier {
public:
  DeviceVerifier(const fb::Plan &plan, const ExprPool &exprs)
      : plan(plan), exprs(exprs) {}

  og_status run();

private:
  og_status verifyHost();
  og_status verifyVariants();
  og_status verifyVariant(const fb::DeviceVariant &variant);
  og_status verifyKernel(const fb::DeviceVariant &variant,
                         const fb::Kernel &kernel);
  og_status verifySameKernels(const fb::DeviceVariant &variant);
  og_status verifyTensorMaps();
  og_status verifyTensorMap(size_t number, const fb::TensorMap &map);
  og_status verifyBox(size_t number, const fb::TensorMap &map, unsigned bytes);
  og_status verifySteps();
  og_status verifyLaunch(size_t step, const fb::Launch &launch);
  og_status verifyGrid(size_t step, const fb::Launch &launch);
  og_status verifyArgument(const char *what, size_t number,
                           const fb::LaunchArg &arg);
  og_status verifyOperand(const char *what, size_t number,
                          const fb::LaunchArg &arg);

  const fb::Plan &plan;
  const ExprPool &exprs;
  size_t numKernels = 0;
};

} // namespace

og_status DeviceVerifier::run() {
  if (plan.device() > fb::DeviceKind_MAX)
    return fail(OG_VERSION_MISMATCH,
                "plan file is for device kind %d, this runtime knows 0..%d",
                plan.device(), fb::DeviceKind_MAX);
  if (plan.device() == fb::DeviceKind_Host)
    return verifyHost();
  if (length(plan.variants()))
    return corrupt("a plan for a CUDA device has host code");
  if (og_status status = verifyVariants())
    return status;
  if (og_status status = verifyTensorMaps())
    return status;
  return verifySteps();
}

og_status DeviceVerifier::verifyHost() {
  if (length(plan.device_variants()) || length(plan.tensor_maps()))
    return corrupt("a host plan has device code or tensor maps");
  for (const fb::Step *step : *plan.steps())
    if (step->body_as_Launch())
      return corrupt("a host plan launches a kernel");
  return OG_OK;
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

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

og_status DeviceVerifier::verifyVariant(const fb::DeviceVariant &variant) {
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
  return verifySameKernels(variant);
}

og_status DeviceVerifier::verifyKernel(const fb::DeviceVariant &variant,
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
og_status DeviceVerifier::verifySameKernels(const fb::DeviceVariant &variant) {
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

og_status DeviceVerifier::verifyVariants() {
  size_t count = length(plan.device_variants());
  if (count > maxDeviceVariants)
    return corrupt("%zu device variants, expected at most %zu", count,
                   maxDeviceVariants);
  for (size_t i = 0; i < count; ++i) {
    const fb::DeviceVariant *variant = plan.device_variants()->Get(i);
    if (og_status status = verifyVariant(*variant))
      return status;
    for (size_t j = 0; j < i; ++j)
      if (!std::strcmp(plan.device_variants()->Get(j)->target()->c_str(),
                       variant->target()->c_str()))
        return corrupt("two device variants are '%s'",
                       variant->target()->c_str());
  }
  if (count)
    numKernels = plan.device_variants()->Get(0)->kernels()->size();
  return OG_OK;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// The operand that an argument names.
og_status DeviceVerifier::verifyOperand(const char *what, size_t number,
                                        const fb::LaunchArg &arg) {
  if (arg.index() >= plan.operands()->size())
    return corrupt("%s %zu names operand %u of %u", what, number, arg.index(),
                   plan.operands()->size());
  const fb::Operand &operand = *plan.operands()->Get(arg.index());
  bool isScalar = arg.kind() == fb::ArgKind_Scalar;
  if (operand.by_value() != isScalar)
    return corrupt("%s %zu takes operand '%s' %s", what, number,
                   operand.name()->c_str(),
                   isScalar ? "by value, which it is not"
                            : "in memory, but it is by value");
  if (isScalar && !cuda::isScalarDtype(og_dtype(operand.dtype())))
    return corrupt("%s %zu takes operand '%s' of dtype %s by value", what,
                   number, operand.name()->c_str(),
                   og_dtype_name(og_dtype(operand.dtype())));
  if (arg.kind() == fb::ArgKind_Stride &&
      arg.axis() >= operand.extents()->size())
    return corrupt("%s %zu names axis %u of operand '%s' of rank %u", what,
                   number, arg.axis(), operand.name()->c_str(),
                   operand.extents()->size());
  return OG_OK;
}

og_status DeviceVerifier::verifyArgument(const char *what, size_t number,
                                         const fb::LaunchArg &arg) {
  if (arg.kind() > fb::ArgKind_MAX || arg.type() > fb::ArgType_MAX)
    return corrupt("%s %zu has kind %d and type %d", what, number, arg.kind(),
                   arg.type());
  bool isInteger =
      arg.kind() == fb::ArgKind_Integer || arg.kind() == fb::ArgKind_Stride;
  if (isInteger && arg.type() > fb::ArgType_I64)
    return corrupt("%s %zu is an integer passed as type %d", what, number,
                   arg.type());
  switch (arg.kind()) {
  case fb::ArgKind_Pointer:
  case fb::ArgKind_Scratch:
  case fb::ArgKind_Integer:
    if (arg.expr() >= exprs.size())
      return corrupt("%s %zu is expression %u of %zu", what, number, arg.expr(),
                     exprs.size());
    break;
  case fb::ArgKind_Scalar:
    if (arg.type() == fb::ArgType_U32)
      return corrupt("%s %zu is a scalar passed as type %d", what, number,
                     arg.type());
    break;
  case fb::ArgKind_TensorMap:
    if (arg.index() >= length(plan.tensor_maps()))
      return corrupt("%s %zu names tensor map %u of %zu", what, number,
                     arg.index(), length(plan.tensor_maps()));
    break;
  default:
    break;
  }
  if (arg.kind() == fb::ArgKind_Pointer || arg.kind() == fb::ArgKind_Stride ||
      arg.kind() == fb::ArgKind_Scalar)
    return verifyOperand(what, number, arg);
  return OG_OK;
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

/// Bytes of an element of a tensor map; 0 for a dtype that none has.
static unsigned elementBytes(uint32_t dtype) {
  switch (dtype) {
  case OG_DTYPE_FLOAT:
  case OG_DTYPE_DOUBLE:
  case OG_DTYPE_HALF:
  case OG_DTYPE_BFLOAT16:
  case OG_DTYPE_INT8:
  case OG_DTYPE_UINT8:
  case OG_DTYPE_BOOLEAN:
  case OG_DTYPE_INT32:
  case OG_DTYPE_INT64:
  case OG_DTYPE_FP8_E4M3:
  case OG_DTYPE_FP8_E5M2:
  case OG_DTYPE_FP8_E8M0:
    return og_dtype_bits(og_dtype(dtype)) / 8;
  default:
    return 0;
  }
}

og_status DeviceVerifier::verifyBox(size_t number, const fb::TensorMap &map,
                                    unsigned bytes) {
  for (uint32_t extent : *map.box())
    if (extent < 1 || extent > 256)
      return corrupt("tensor map %zu has a box extent of %u, expected 1 to 256",
                     number, extent);
  unsigned row = map.box()->Get(map.box()->size() - 1) * bytes;
  unsigned span = map.swizzle() == fb::Swizzle_None ? 0 : 16u << map.swizzle();
  if (row % 16 || (span && row > span))
    return corrupt("tensor map %zu has box rows of %u bytes, expected a "
                   "multiple of 16%s",
                   number, row, span ? ", within the swizzle's span" : "");
  return OG_OK;
}

og_status DeviceVerifier::verifyTensorMap(size_t number,
                                          const fb::TensorMap &map) {
  const fb::LaunchArg *base = map.base();
  if (!base || (base->kind() != fb::ArgKind_Pointer &&
                base->kind() != fb::ArgKind_Scratch))
    return corrupt("tensor map %zu has no address", number);
  if (og_status status = verifyArgument("tensor map", number, *base))
    return status;
  if (base->kind() == fb::ArgKind_Pointer &&
      plan.operands()->Get(base->index())->stride_rule() !=
          fb::StrideRule_Exact)
    return corrupt("tensor map %zu is of operand '%s', whose strides are not "
                   "exact",
                   number,
                   plan.operands()->Get(base->index())->name()->c_str());
  size_t rank = map.extents()->size();
  if (rank < 1 || rank > 5 || map.strides()->size() != rank ||
      map.box()->size() != rank)
    return corrupt("tensor map %zu has %zu extents, %u strides and a box of "
                   "%u, expected one rank from 1 to 5",
                   number, rank, map.strides()->size(), map.box()->size());
  for (size_t i = 0; i < rank; ++i)
    if (map.extents()->Get(i) >= exprs.size() ||
        map.strides()->Get(i) >= exprs.size())
      return corrupt("tensor map %zu: axis %zu names expressions %u and %u of "
                     "%zu",
                     number, i, map.extents()->Get(i), map.strides()->Get(i),
                     exprs.size());
  int64_t last = 0;
  uint32_t lastExpr = map.strides()->Get(rank - 1);
  if (exprs.isDynamic(lastExpr) || exprs.evaluate(lastExpr, nullptr, last) ||
      last != 1)
    return corrupt("tensor map %zu: its last stride is not 1", number);
  unsigned bytes = elementBytes(map.dtype());
  if (bytes == 0 || map.swizzle() > fb::Swizzle_MAX)
    return corrupt("tensor map %zu has dtype %u and swizzle %d", number,
                   map.dtype(), map.swizzle());
  return verifyBox(number, map, bytes);
}

og_status DeviceVerifier::verifyTensorMaps() {
  size_t count = length(plan.tensor_maps());
  if (count > maxTensorMaps)
    return corrupt("%zu tensor maps, expected at most %zu", count,
                   maxTensorMaps);
  for (size_t i = 0; i < count; ++i)
    if (og_status status = verifyTensorMap(i, *plan.tensor_maps()->Get(i)))
      return status;
  return OG_OK;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

og_status DeviceVerifier::verifyGrid(size_t step, const fb::Launch &launch) {
  if (launch.grid()->size() != 3)
    return corrupt("step %zu has a grid of %u extents, expected 3", step,
                   launch.grid()->size());
  for (uint32_t axis = 0; axis < 3; ++axis) {
    uint32_t expr = launch.grid()->Get(axis);
    if (expr >= exprs.size())
      return corrupt("step %zu: a grid extent is expression %u of %zu", step,
                     expr, exprs.size());
    int64_t value = 0, limit = axis == 0 ? INT32_MAX : 65535;
    if (!exprs.isDynamic(expr) &&
        (exprs.evaluate(expr, nullptr, value) || value < 0 || value > limit))
      return corrupt("step %zu: grid axis %u is %lld, expected 0 to %lld", step,
                     axis, static_cast<long long>(value),
                     static_cast<long long>(limit));
  }
  return OG_OK;
}

og_status DeviceVerifier::verifyLaunch(size_t step, const fb::Launch &launch) {
  if (launch.kernel() >= numKernels)
    return corrupt("step %zu launches kernel %u of %zu", step, launch.kernel(),
                   numKernels);
  if (og_status status = verifyGrid(step, launch))
    return status;
  if (length(launch.args()) > maxArguments)
    return corrupt("step %zu has %zu arguments, expected at most %zu", step,
                   length(launch.args()), maxArguments);
  for (size_t i = 0; i < length(launch.args()); ++i) {
    char what[48];
    std::snprintf(what, sizeof(what), "step %llu: argument", ull(step));
    if (og_status status = verifyArgument(what, i, *launch.args()->Get(i)))
      return status;
  }
  return OG_OK;
}

og_status DeviceVerifier::verifySteps() {
  size_t arguments = 0;
  if (plan.steps()->size() > maxProgramSteps)
    return corrupt("%u steps, expected at most %zu", plan.steps()->size(),
                   maxProgramSteps);
  for (size_t i = 0; i < plan.steps()->size(); ++i) {
    const fb::Step *step = plan.steps()->Get(i);
    if (step->body_as_HostCall())
      return corrupt("step %zu of a plan for a CUDA device calls host code", i);
    const fb::Launch *launch = step->body_as_Launch();
    if (!launch)
      continue;
    if (og_status status = verifyLaunch(i, *launch))
      return status;
    arguments += length(launch->args());
  }
  if (arguments > maxProgramArguments)
    return corrupt("%zu arguments, expected at most %zu", arguments,
                   maxProgramArguments);
  return OG_OK;
}

og_status opgraph::runtime::verifyDevice(const fb::Plan &plan,
                                         const ExprPool &exprs) {
  return DeviceVerifier(plan, exprs).run();
}
