//===- CompileKernels.cpp - Tile kernels to device code -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/NVPTX/CompileKernels.h"
#include "codegen/NVPTX/Assemble.h"
#include "codegen/NVPTX/LowerTile.h"
#include "codegen/NVPTX/Ptx.h"
#include "dialects/Tile/TileDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

/// What a launch must ask for.
static planfile::DeviceKernel describeKernel(LLVM::LLVMFuncOp function) {
  planfile::DeviceKernel kernel;
  kernel.name = function.getName().str();
  if (auto threads = function->getAttrOfType<DenseI32ArrayAttr>(
          NVVM::NVVMDialect::getReqntidAttrName()))
    for (int32_t extent : threads.asArrayRef())
      kernel.threads = std::max(kernel.threads, 1u) * extent;
  if (auto cluster = function->getAttrOfType<DenseI32ArrayAttr>(
          NVVM::NVVMDialect::getClusterDimAttrName()))
    llvm::copy(cluster.asArrayRef().take_front(3), kernel.cluster);
  if (auto bytes = function->getAttrOfType<IntegerAttr>(sharedBytesAttrName))
    kernel.dynamicShared = bytes.getInt();
  return kernel;
}

/// Blocks of a kernel that an SM holds at once, by its limits.
static uint32_t countBlocksPerSm(const planfile::DeviceKernel &kernel,
                                 const tile::TargetInfo &target) {
  if (kernel.threads == 0 || kernel.registers == 0)
    return 0;
  constexpr uint32_t kWarp = 32, kRegisterUnit = 256, kMostBlocks = 32;
  // Of shared memory that each block takes beside its own.
  constexpr uint32_t kReservedShared = 1024;
  uint32_t warps = llvm::divideCeil(kernel.threads, kWarp);
  uint32_t registers = llvm::alignTo(kernel.registers * kWarp, kRegisterUnit);
  uint32_t shared =
      kernel.dynamicShared + kernel.staticShared + kReservedShared;
  uint32_t blocks =
      std::min<uint32_t>(kMostBlocks, target.maxWarpsPerSm / warps);
  blocks = std::min(blocks, target.registersPerSm / registers / warps);
  return std::min<uint32_t>(blocks, target.sharedBytesPerSm / shared);
}

static llvm::Error addResources(planfile::DeviceVariant &variant,
                                const PtxasReport &report,
                                const tile::TargetInfo &target,
                                const CompileOptions &options) {
  if (!report.warnings.empty())
    return llvm::createStringError("the assembler warns: " +
                                   report.warnings.front());
  for (planfile::DeviceKernel &kernel : variant.kernels) {
    auto found = report.kernels.find(kernel.name);
    if (found == report.kernels.end())
      return llvm::createStringError("the assembler did not report on kernel " +
                                     kernel.name);
    const KernelResources &resources = found->second;
    kernel.registers = resources.registers;
    kernel.stackBytes = resources.stackBytes;
    kernel.spillStores = resources.spillStores;
    kernel.spillLoads = resources.spillLoads;
    kernel.staticShared = resources.staticShared;
    kernel.blocksPerSm = countBlocksPerSm(kernel, target);
    if (options.refuseSpills && kernel.spillStores + kernel.stackBytes > 0)
      return llvm::createStringError(
          "kernel " + kernel.name + " spills: expected 0 bytes, got " +
          std::to_string(kernel.spillStores) + " bytes of spills and " +
          std::to_string(kernel.stackBytes) + " of stack");
  }
  return llvm::Error::success();
}

static bool usesStack(const KernelResources &kernel) {
  return kernel.spillStores + kernel.spillLoads + kernel.stackBytes > 0;
}

/// `ptx` without `.minnctapersm` of the kernels that use a stack; nothing where
/// none of them has one.
static std::optional<std::string> dropMinBlocks(StringRef ptx,
                                                const PtxasReport &report) {
  std::string text;
  bool spills = false, dropped = false;
  SmallVector<StringRef> lines;
  ptx.split(lines, '\n');
  for (StringRef line : lines) {
    if (line.contains(".entry ")) {
      auto found =
          report.kernels.find(line.split(".entry ").second.split('(').first);
      spills = found != report.kernels.end() && usesStack(found->second);
    }
    if (spills && line.starts_with(".minnctapersm")) {
      dropped = true;
      continue;
    }
    text += line;
    text += '\n';
  }
  return dropped ? std::optional<std::string>(std::move(text)) : std::nullopt;
}

/// Assembles; where many blocks per SM were asked for at the price of spills,
/// once more without asking, which `ptx` then says too.
static llvm::Expected<std::optional<Cubin>> assembleBest(std::string &ptx,
                                                         StringRef cpu) {
  llvm::Expected<std::optional<Cubin>> cubin = assemble(ptx, cpu);
  if (!cubin || !*cubin)
    return cubin;
  std::optional<std::string> relaxed = dropMinBlocks(ptx, (*cubin)->report);
  if (!relaxed)
    return cubin;
  ptx = std::move(*relaxed);
  return assemble(ptx, cpu);
}

llvm::Expected<planfile::DeviceVariant>
opgraph::codegen::compileKernels(ModuleOp module, tile::Target target,
                                 const CompileOptions &options) {
  const tile::TargetInfo &info = tile::getTargetInfo(target);
  if (failed(lowerTile(module, target)))
    return llvm::createStringError("lowering of tile kernels failed");
  planfile::DeviceVariant variant;
  variant.target = info.cpu.str();
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()))
      variant.kernels.push_back(describeKernel(function));
  PassManager manager(module.getContext());
  buildNvvmPipeline(manager);
  if (failed(manager.run(module)))
    return llvm::createStringError("lowering to LLVM's dialect failed");
  llvm::Expected<std::string> ptx = emitPtx(module, info);
  if (!ptx)
    return ptx.takeError();
  llvm::Expected<std::optional<Cubin>> cubin = assembleBest(*ptx, info.cpu);
  if (!cubin)
    return cubin.takeError();
  if (*cubin) {
    if (llvm::Error error =
            addResources(variant, (*cubin)->report, info, options))
      return std::move(error);
    variant.cubin = std::move((*cubin)->bytes);
  }
  if (!*cubin || options.keepPtx) {
    variant.ptx = std::move(*ptx);
    variant.ptxVersion = info.leastPtx;
  }
  return variant;
}
