//===- MachineCode.cpp - LLVM IR to object files --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/Host/MachineCode.h"
#include "opgraph-c/host_abi.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace opgraph::codegen;

namespace {
/// Swallows what LLVM would print; keeps the first error.
class CollectingHandler : public DiagnosticHandler {
public:
  explicit CollectingHandler(std::shared_ptr<std::string> firstError)
      : firstError(std::move(firstError)) {}

  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() == DS_Error && firstError->empty()) {
      raw_string_ostream os(*firstError);
      DiagnosticPrinterRawOStream printer(os);
      info.print(printer);
    }
    return true;
  }

private:
  std::shared_ptr<std::string> firstError;
};
} // namespace

DiagnosticCollector::DiagnosticCollector(LLVMContext &context)
    : firstError(std::make_shared<std::string>()) {
  context.setDiagnosticHandler(std::make_unique<CollectingHandler>(firstError));
}

Error DiagnosticCollector::take(const char *stage) {
  if (firstError->empty())
    return Error::success();
  std::string text = std::move(*firstError);
  firstError->clear();
  return createStringError(std::string(stage) + ": " + text);
}

/// Library functions that LLVM may call or recognise: those that an image may
/// import. (It would make pow(10, x) a call of exp10, say.)
static TargetLibraryInfoImpl importableFunctions(const Triple &triple) {
  TargetLibraryInfoImpl functions(triple);
  TargetLibraryInfo info(functions);
  for (unsigned i = 0; i < NumLibFuncs; ++i) {
    auto function = static_cast<LibFunc>(i);
    if (info.has(function) &&
        !og_host_import_allowed(info.getName(function).str().c_str()))
      functions.setUnavailable(function);
  }
  return functions;
}

void opgraph::codegen::runDefaultPipeline(
    Module &module, TargetMachine &machine, const PipelineTuningOptions &tuning,
    const TargetLibraryInfoImpl *library) {
  PassBuilder builder(&machine, tuning);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  if (library)
    functions.registerPass([&] { return TargetLibraryAnalysis(*library); });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(OptimizationLevel::O2)
      .run(module, modules);
}

void opgraph::codegen::optimizeModule(Module &module, TargetMachine &machine) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  module.setPICLevel(PICLevel::BigPIC);

  PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = true;
  static const TargetLibraryInfoImpl library =
      importableFunctions(machine.getTargetTriple());
  runDefaultPipeline(module, machine, tuning, &library);
}

Expected<SmallVector<char, 0>>
opgraph::codegen::emitMachineCode(Module &module, TargetMachine &machine,
                                  bool assembly) {
  SmallVector<char, 0> buffer;
  raw_svector_ostream stream(buffer);
  legacy::PassManager passes;
  auto kind =
      assembly ? CodeGenFileType::AssemblyFile : CodeGenFileType::ObjectFile;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, kind))
    return createStringError("the target emits no such file");
  passes.run(module);
  return buffer;
}
