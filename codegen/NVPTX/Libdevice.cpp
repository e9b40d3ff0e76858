//===- Libdevice.cpp - NVIDIA's library of device functions ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/NVPTX/Libdevice.h"
#include "codegen/NVPTX/Toolkit.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/IPO/Internalize.h"

#include <cstdlib>

using namespace llvm;
using namespace opgraph::codegen;

std::optional<std::string> opgraph::codegen::findLibdevice() {
  static constexpr const char *kInToolkit[] = {
      "nvvm/libdevice/libdevice.10.bc"};
  static constexpr const char *kInPackages[] = {
      "nvidia/cu13/nvvm/libdevice/libdevice.10.bc",
      "nvidia/cuda_nvcc/nvvm/libdevice/libdevice.10.bc",
      "triton/backends/nvidia/lib/libdevice.10.bc"};
  return findToolkitFile(
      {std::getenv("OPGRAPH_LIBDEVICE"), kInToolkit, kInPackages});
}

/// The first `__nv_*` function that is called and has no body.
static Function *findUndefined(Module &module) {
  for (Function &function : module)
    if (function.isDeclaration() && function.getName().starts_with("__nv_") &&
        !function.use_empty())
      return &function;
  return nullptr;
}

Error opgraph::codegen::linkLibdevice(Module &module) {
  Function *needed = findUndefined(module);
  if (!needed)
    return Error::success();
  std::string first = needed->getName().str();
  std::optional<std::string> path = findLibdevice();
  if (!path)
    return createStringError(first + " needs libdevice.10.bc of the CUDA "
                                     "toolkit, which was not found; "
                                     "OPGRAPH_LIBDEVICE names it");
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(*path);
  if (!buffer)
    return createStringError("cannot read " + *path + ": " +
                             buffer.getError().message());
  Expected<std::unique_ptr<Module>> library =
      getOwningLazyBitcodeModule(std::move(*buffer), module.getContext());
  if (!library)
    return createStringError("cannot read " + *path + ": " +
                             toString(library.takeError()));
  // Its own triple and layout say the same in older words.
  (*library)->setTargetTriple(module.getTargetTriple());
  (*library)->setDataLayout(module.getDataLayout());
  bool failed = Linker::linkModules(
      module, std::move(*library), Linker::LinkOnlyNeeded,
      [](Module &linked, const StringSet<> &added) {
        internalizeModule(linked, [&](const GlobalValue &value) {
          return !value.hasName() || !added.contains(value.getName());
        });
      });
  if (failed)
    return createStringError("linking of " + *path + " failed");
  if (Function *missing = findUndefined(module))
    return createStringError(*path + " has no function " + missing->getName());
  return Error::success();
}
