//===- EmitFiles.cpp - The pass nvptx-emit --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/NVPTX/Assemble.h"
#include "codegen/NVPTX/CompileKernels.h"
#include "codegen/NVPTX/Passes.h"
#include "dialects/Tile/TileDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/ToolOutputFile.h"

namespace opgraph::codegen {
#define GEN_PASS_DEF_NVPTXEMIT
#include "codegen/NVPTX/Passes.h.inc"
} // namespace opgraph::codegen

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

static std::string printResources(const planfile::DeviceVariant &variant) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream, 2);
  json.array([&] {
    for (const planfile::DeviceKernel &kernel : variant.kernels)
      json.object([&] {
        json.attribute("name", kernel.name);
        json.attribute("target", variant.target);
        json.attribute("assembler", describeAssembler());
        json.attribute("threads", kernel.threads);
        json.attribute("cluster",
                       llvm::json::Array{kernel.cluster[0], kernel.cluster[1],
                                         kernel.cluster[2]});
        json.attribute("dynamic_shared", kernel.dynamicShared);
        json.attribute("static_shared", kernel.staticShared);
        json.attribute("registers", kernel.registers);
        json.attribute("spill_stores", kernel.spillStores);
        json.attribute("spill_loads", kernel.spillLoads);
        json.attribute("stack", kernel.stackBytes);
        json.attribute("blocks_per_sm", kernel.blocksPerSm);
      });
  });
  stream << '\n';
  return text;
}

static LogicalResult writeFile(ModuleOp module, StringRef path,
                               StringRef text) {
  std::error_code error;
  llvm::ToolOutputFile file(path, error, llvm::sys::fs::OF_None);
  if (error)
    return module.emitError("cannot write ") << path << ": " << error.message();
  file.os() << text;
  file.keep();
  return success();
}

namespace {
struct NVPTXEmit : opgraph::codegen::impl::NVPTXEmitBase<NVPTXEmit> {
  using NVPTXEmitBase::NVPTXEmitBase;

  void runOnOperation() override {
    if (failed(emit()))
      signalPassFailure();
  }

  LogicalResult emit() {
    ModuleOp module = getOperation();
    std::optional<tile::Target> chosen = tile::symbolizeTarget(target);
    if (!chosen)
      return module.emitError("expected a target, sm_80 to sm_120a, got '")
             << target << "'";
    OwningOpRef<ModuleOp> copy = ModuleOp::create(module.getLoc());
    for (auto kernel : module.getOps<tile::KernelOp>())
      copy->push_back(kernel->clone());
    CompileOptions options;
    options.keepPtx = true;
    options.refuseSpills = refuseSpills;
    auto variant = compileKernels(*copy, *chosen, options);
    if (!variant)
      return module.emitError(llvm::toString(variant.takeError()));
    if (!cubin.empty() && variant->cubin.empty())
      return module.emitError("neither ptxas nor nvJitLink was found to make a "
                              "cubin");
    StringRef bytes(reinterpret_cast<const char *>(variant->cubin.data()),
                    variant->cubin.size());
    for (auto [path, text] :
         {std::pair<StringRef, StringRef>(ptx, variant->ptx), {cubin, bytes}})
      if (!path.empty() && failed(writeFile(module, path, text)))
        return failure();
    return resources.empty()
               ? success()
               : writeFile(module, resources, printResources(*variant));
  }
};
} // namespace
