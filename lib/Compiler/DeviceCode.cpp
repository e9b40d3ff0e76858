//===- DeviceCode.cpp - Kernels of a plan, compiled once ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "lib/Compiler/DeviceCode.h"
#include "codegen/NVPTX/Assemble.h"
#include "codegen/NVPTX/CompileKernels.h"
#include "dialects/Tile/TileDialect.h"
#include "lib/Compiler/ContextPool.h"
#include "lib/Compiler/Targets.h"
#include "passes/Legalize/NVPTX/KernelTexts.h"
#include "llvm/ADT/StringMap.h"

#include <mutex>

using namespace mlir;
using namespace opgraph;
using namespace opgraph::lib;

namespace {
/// Compiled kernels of the process by their text and target.
class CodeCache {
public:
  std::optional<planfile::DeviceVariant> find(StringRef key) {
    std::lock_guard<std::mutex> lock(mutex);
    auto known = variants.find(key);
    if (known == variants.end())
      return std::nullopt;
    return known->second;
  }

  void insert(StringRef key, const planfile::DeviceVariant &variant) {
    std::lock_guard<std::mutex> lock(mutex);
    // Bounded: a process that compiles more than this starts over.
    constexpr unsigned kMost = 1024;
    if (variants.size() >= kMost)
      variants.clear();
    variants.try_emplace(key, variant);
  }

private:
  std::mutex mutex;
  llvm::StringMap<planfile::DeviceVariant> variants;
};
} // namespace

static CodeCache &getCache() {
  static CodeCache cache;
  return cache;
}

/// From the cache, or compiled; with PTX.
static llvm::Expected<planfile::DeviceVariant>
compileOnce(ModuleOp kernels, tile::Target target) {
  std::string key = codegen::describeAssembler() + "\n" +
                    tile::getTargetInfo(target).cpu.str() + "\n";
  for (auto kernel : kernels.getOps<tile::KernelOp>())
    key += legalize::nvptx::getKernelText(kernel) + "\n";
  if (usesClassCache())
    if (std::optional<planfile::DeviceVariant> known = getCache().find(key))
      return std::move(*known);
  codegen::CompileOptions options;
  options.keepPtx = true;
  llvm::Expected<planfile::DeviceVariant> variant =
      codegen::compileKernels(kernels, target, options);
  if (variant)
    getCache().insert(key, *variant);
  return variant;
}

llvm::Expected<planfile::DeviceVariant>
opgraph::lib::compileDevice(ModuleOp module, StringRef targetName,
                            bool keepPtx) {
  std::optional<tile::Target> target = findTileTarget(targetName);
  if (!target)
    return llvm::createStringError("no code is generated for " + targetName);
  OwningOpRef<ModuleOp> kernels = ModuleOp::create(module.getLoc());
  for (auto kernel :
       llvm::make_early_inc_range(module.getOps<tile::KernelOp>())) {
    kernel->remove();
    kernels->push_back(kernel);
  }
  llvm::Expected<planfile::DeviceVariant> variant =
      compileOnce(*kernels, *target);
  if (variant && !keepPtx && !variant->cubin.empty()) {
    variant->ptx.clear();
    variant->ptxVersion = 0;
  }
  return variant;
}
