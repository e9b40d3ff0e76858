//===- HostCodegen.cpp - Host code for compiled plans ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/Host/HostCodegen.h"
#include "codegen/Host/ImageLinker.h"
#include "codegen/Host/MachineCode.h"
#include "codegen/Host/Passes.h"
#include "codegen/Host/Recovery.h"
#include "codegen/Host/TargetVariant.h"
#include "codegen/Host/TensorPipeline.h"
#include "dialects/Plan/PlanDialect.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <chrono>

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

void opgraph::codegen::registerHostCodegenDialects(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, arith::ArithDialect,
                  bufferization::BufferizationDialect, cf::ControlFlowDialect,
                  func::FuncDialect, linalg::LinalgDialect, LLVM::LLVMDialect,
                  math::MathDialect, memref::MemRefDialect, plan::PlanDialect,
                  scf::SCFDialect, tensor::TensorDialect, ub::UBDialect,
                  vector::VectorDialect>();
  registerTensorPipelineExtensions(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

namespace {
/// One call of compileHost.
class HostCompiler {
public:
  HostCompiler(ModuleOp module, const HostOptions &options)
      : module(module), options(options), context(module.getContext()) {}

  llvm::Error run(HostCode &code);

private:
  llvm::Error prepare();
  llvm::Expected<OwningOpRef<ModuleOp>> lower(bool expandBF16);
  llvm::Error compile(ModuleOp lowered, const TargetVariant &variant,
                      HostVariantCode &code);
  llvm::Error emit(llvm::Module &llvmModule, llvm::TargetMachine &machine,
                   HostVariantCode &code);
  llvm::Error runPasses(ModuleOp on, StringRef stage,
                        function_ref<void(OpPassManager &)> build);
  /// Adds the time since the last call to `stage`.
  void lap(StringRef stage);

  ModuleOp module;
  const HostOptions &options;
  MLIRContext *context;
  SmallVector<std::string> entries;
  std::vector<StageTime> times;
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
};
} // namespace

void HostCompiler::lap(StringRef stage) {
  auto now = std::chrono::steady_clock::now();
  double spent = std::chrono::duration<double, std::milli>(now - last).count();
  last = now;
  for (StageTime &time : times)
    if (time.stage == stage) {
      time.milliseconds += spent;
      return;
    }
  times.push_back({stage.str(), spent});
}

llvm::Error HostCompiler::runPasses(ModuleOp on, StringRef stage,
                                    function_ref<void(OpPassManager &)> build) {
  PassManager manager(context);
  manager.enableVerifier(options.verifyPasses);
  build(manager);
  LogicalResult result = manager.run(on);
  lap(stage);
  if (failed(result))
    return llvm::createStringError(stage + " failed");
  return llvm::Error::success();
}

static bool usesTensors(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// What all variants share.
llvm::Error HostCompiler::prepare() {
  module.walk([&](plan::HostCallOp call) {
    if (!llvm::is_contained(entries, call.getCallee()))
      entries.push_back(call.getCallee().str());
  });
  if (usesTensors(module))
    if (llvm::Error error = runPasses(module, "tensors", buildTensorPipeline))
      return error;
  HostPipelineOptions pipeline;
  pipeline.maxWorkers = options.maxWorkers;
  return runPasses(module, "prepare", [&](OpPassManager &manager) {
    buildHostPreparePipeline(manager, pipeline);
  });
}

/// A copy of the module in the LLVM dialect alone.
llvm::Expected<OwningOpRef<ModuleOp>> HostCompiler::lower(bool expandBF16) {
  OwningOpRef<ModuleOp> copy(module.clone());
  // A graph may be called like a C function that its code will call ("exp").
  for (auto program : copy->getOps<plan::ProgramOp>())
    program.setSymName(("opgraph_program_" + program.getSymName()).str());
  HostPipelineOptions pipeline;
  pipeline.expandBF16 = expandBF16;
  if (llvm::Error error =
          runPasses(*copy, "lower", [&](OpPassManager &manager) {
            buildHostLowerPipeline(manager, pipeline);
          }))
    return error;
  for (auto program :
       llvm::make_early_inc_range(copy->getOps<plan::ProgramOp>()))
    program.erase();
  return copy;
}

static std::string toText(const llvm::SmallVector<char, 0> &buffer) {
  return std::string(buffer.begin(), buffer.end());
}

/// Emits what was asked for from an optimized module.
llvm::Error HostCompiler::emit(llvm::Module &llvmModule,
                               llvm::TargetMachine &machine,
                               HostVariantCode &code) {
  if (options.keepLLVM) {
    llvm::raw_string_ostream os(code.llvmIR);
    llvmModule.print(os, nullptr);
  }
  if (options.keepAssembly) {
    std::unique_ptr<llvm::Module> copy = llvm::CloneModule(llvmModule);
    auto text = emitMachineCode(*copy, machine, /*assembly=*/true);
    if (!text)
      return text.takeError();
    code.assembly = toText(*text);
  }
  if (!options.emitImage && !options.keepObject)
    return llvm::Error::success();
  auto object = emitMachineCode(llvmModule, machine, /*assembly=*/false);
  lap("codegen");
  if (!object)
    return object.takeError();
  if (options.keepObject)
    code.object = toText(*object);
  if (!options.emitImage)
    return llvm::Error::success();
  StringRef bytes(object->data(), object->size());
  auto image = linkImage(llvm::MemoryBufferRef(bytes, code.target), entries);
  lap("link");
  if (!image)
    return image.takeError();
  code.image = std::move(*image);
  code.image.target = code.target;
  return llvm::Error::success();
}

llvm::Error HostCompiler::compile(ModuleOp lowered,
                                  const TargetVariant &variant,
                                  HostVariantCode &code) {
  code.target = variant.name.str();
  bool fuse = module->hasAttr(fpContractAttrName);
  auto machine = BorrowedTargetMachine::borrow(variant, fuse);
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext llvmContext;
  DiagnosticCollector diagnostics(llvmContext);
  std::unique_ptr<llvm::Module> llvmModule =
      translateModuleToLLVMIR(lowered, llvmContext, "opgraph");
  lap("translate");
  if (!llvmModule)
    return llvm::createStringError("translation to LLVM IR failed");
  optimizeModule(*llvmModule, **machine);
  lap("optimize");
  if (llvm::Error error = diagnostics.take("optimization failed"))
    return error;
  llvm::Error error = emit(*llvmModule, **machine, code);
  // An error diagnostic says more than what it led to.
  if (llvm::Error diagnosed = diagnostics.take("code generation failed")) {
    llvm::consumeError(std::move(error));
    return diagnosed;
  }
  return error;
}

llvm::Error HostCompiler::run(HostCode &code) {
  if (llvm::Error error = prepare())
    return error;
  OwningOpRef<ModuleOp> lowered[2];
  for (const std::string &name : options.variants) {
    const TargetVariant *variant = findTargetVariant(name);
    if (!variant)
      return llvm::createStringError("unknown code variant '" + name + "'");
    OwningOpRef<ModuleOp> &mine = lowered[variant->convertsBF16];
    if (!mine) {
      auto made = lower(!variant->convertsBF16);
      if (!made)
        return made.takeError();
      mine = std::move(*made);
    }
    code.variants.emplace_back();
    if (llvm::Error error = compile(*mine, *variant, code.variants.back()))
      return error;
  }
  code.times = std::move(times);
  return llvm::Error::success();
}

llvm::Expected<HostCode>
opgraph::codegen::compileHost(ModuleOp module, const HostOptions &options) {
  MLIRContext *context = module.getContext();
  DialectRegistry registry;
  registerHostCodegenDialects(registry);
  context->appendDialectRegistry(registry);

  // A fatal error is only recovered from on this thread.
  bool threaded = context->isMultithreadingEnabled();
  context->disableMultithreading();

  std::string diagnostics;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error) {
      llvm::raw_string_ostream os(diagnostics);
      os << (diagnostics.empty() ? "" : "; ") << diagnostic;
    }
    return success();
  });
  HostCode code;
  llvm::Error error = recoverFatalErrors(
      [&] { return HostCompiler(module, options).run(code); });
  context->disableMultithreading(!threaded);
  if (!error)
    return code;
  if (diagnostics.empty())
    return error;
  return llvm::createStringError(llvm::toString(std::move(error)) + ": " +
                                 diagnostics);
}
