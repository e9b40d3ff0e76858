//===- Ptx.cpp - Lowered kernels to PTX -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/NVPTX/Ptx.h"
#include "codegen/Host/MachineCode.h"
#include "codegen/Host/Recovery.h"
#include "codegen/NVPTX/Libdevice.h"
#include "dialects/Tile/TileDialect.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <mutex>

using namespace llvm;
using namespace opgraph;
using namespace opgraph::codegen;

static constexpr StringLiteral kTriple = "nvptx64-nvidia-cuda";

void opgraph::codegen::buildNvvmPipeline(mlir::OpPassManager &manager) {
  manager.addPass(mlir::createCanonicalizerPass());
  manager.addPass(mlir::createCSEPass());
  manager.addPass(mlir::createSCFToControlFlowPass());
  manager.addPass(mlir::createConvertMathToLLVMPass());
  // Before arith-expand, which would split maximumf into compares.
  manager.addPass(mlir::createArithToLLVMConversionPass());
  manager.addPass(mlir::arith::createArithExpandOpsPass());
  manager.addPass(mlir::createArithToLLVMConversionPass());
  manager.addPass(mlir::createConvertControlFlowToLLVMPass());
  manager.addPass(mlir::createConvertNVVMToLLVMPass());
  manager.addPass(mlir::createReconcileUnrealizedCastsPass());
}

static Expected<std::unique_ptr<TargetMachine>>
makeMachine(const tile::TargetInfo &target) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  Triple triple(kTriple);
  std::string text;
  const Target *registered = TargetRegistry::lookupTarget(triple, text);
  if (!registered)
    return createStringError(text);
  std::string features = "+ptx" + std::to_string(target.leastPtx);
  TargetOptions options;
  // -O0 code generation serialises asynchronous MMAs.
  std::unique_ptr<TargetMachine> machine(registered->createTargetMachine(
      triple, target.cpu, features, options, std::nullopt, std::nullopt,
      CodeGenOptLevel::Aggressive));
  if (!machine)
    return createStringError("LLVM has no NVPTX target machine");
  return machine;
}

/// Data layout and triple go on the module before it is translated: without
/// them i64 counts as 4-aligned.
static void setTarget(mlir::ModuleOp module, TargetMachine &machine) {
  mlir::Builder builder(module.getContext());
  module->setAttr(mlir::LLVM::LLVMDialect::getDataLayoutAttrName(),
                  builder.getStringAttr(
                      machine.createDataLayout().getStringRepresentation()));
  module->setAttr(mlir::LLVM::LLVMDialect::getTargetTripleAttrName(),
                  builder.getStringAttr(kTriple));
}

Expected<std::string>
opgraph::codegen::emitPtx(mlir::ModuleOp module,
                          const tile::TargetInfo &target) {
  mlir::DialectRegistry registry;
  mlir::registerBuiltinDialectTranslation(registry);
  mlir::registerLLVMDialectTranslation(registry);
  mlir::registerNVVMDialectTranslation(registry);
  module.getContext()->appendDialectRegistry(registry);

  Expected<std::unique_ptr<TargetMachine>> machine = makeMachine(target);
  if (!machine)
    return machine.takeError();
  setTarget(module, **machine);
  LLVMContext context;
  DiagnosticCollector diagnostics(context);
  std::unique_ptr<Module> ir =
      mlir::translateModuleToLLVMIR(module, context, "opgraph");
  if (!ir)
    return createStringError("translation to LLVM IR failed");
  std::string text;
  Error error = recoverFatalErrors([&]() -> Error {
    if (Error error = linkLibdevice(*ir))
      return error;
    runDefaultPipeline(*ir, **machine, PipelineTuningOptions());
    Expected<SmallVector<char, 0>> code =
        emitMachineCode(*ir, **machine, /*assembly=*/true);
    if (!code)
      return code.takeError();
    text.assign(code->begin(), code->end());
    return diagnostics.take("NVPTX code generation");
  });
  if (error)
    return std::move(error);
  return text;
}
