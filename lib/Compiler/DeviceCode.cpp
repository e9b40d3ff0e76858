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
using SharedVariant = std::shared_ptr<const planfile::DeviceVariant>;

/// Compiled kernels of the process by their text and target.
class CodeCache {
public:
  SharedVariant find(StringRef key) {
    std::lock_guard<std::mutex> lock(mutex);
    return variants.lookup(key);
  }

  void insert(StringRef key, SharedVariant variant) {
    std::lock_guard<std::mutex> lock(mutex);
    // Bounded: a process that compiles more than this starts over.
    constexpr unsigned kMost = 1024;
    if (variants.size() >= kMost)
      variants.clear();
    variants.try_emplace(key, std::move(variant));
  }

private:
  std::mutex mutex;
  llvm::StringMap<SharedVariant> variants;
};
} // namespace

static CodeCache &getCache() {
  static CodeCache cache;
  return cache;
}

/// What the code of the kernels is a function of; none where kernels that are
/// left out are not known any more.
static std::optional<std::string> makeKey(ModuleOp module,
                                          tile::Target target) {
  std::string key = codegen::getAssemblerSettings();
  key += tile::getTargetInfo(target).cpu;
  key += '\n';
  for (auto kernel : module.getOps<tile::KernelOp>()) {
    std::optional<std::string> own = legalize::nvptx::getKernelKey(kernel);
    if (!own)
      return std::nullopt;
    key += *own;
    key += '\n';
  }
  return key;
}

/// Compiled, with PTX.
static llvm::Expected<SharedVariant> compile(ModuleOp module,
                                             tile::Target target) {
  OwningOpRef<ModuleOp> kernels = ModuleOp::create(module.getLoc());
  for (auto kernel :
       llvm::make_early_inc_range(module.getOps<tile::KernelOp>())) {
    kernel->remove();
    kernels->push_back(kernel);
  }
  codegen::CompileOptions options;
  options.keepPtx = true;
  llvm::Expected<planfile::DeviceVariant> variant =
      codegen::compileKernels(*kernels, target, options);
  if (!variant)
    return variant.takeError();
  return std::make_shared<const planfile::DeviceVariant>(std::move(*variant));
}

llvm::Expected<std::optional<planfile::DeviceVariant>>
opgraph::lib::compileDevice(ModuleOp module, StringRef targetName,
                            bool keepPtx) {
  std::optional<tile::Target> target = findTileTarget(targetName);
  if (!target)
    return llvm::createStringError("no code is generated for " + targetName);
  std::optional<std::string> key = makeKey(module, *target);
  SharedVariant known;
  if (key && usesClassCache())
    known = getCache().find(*key);
  if (!known) {
    if (llvm::any_of(module.getOps<tile::KernelOp>(),
                     legalize::nvptx::isLeftOut))
      return std::nullopt;
    llvm::Expected<SharedVariant> compiled = compile(module, *target);
    if (!compiled)
      return compiled.takeError();
    known = *compiled;
    getCache().insert(*key, known);
  }
  if (keepPtx || known->cubin.empty())
    return *known;
  planfile::DeviceVariant variant;
  variant.target = known->target;
  variant.cubin = known->cubin;
  variant.kernels = known->kernels;
  return variant;
}
