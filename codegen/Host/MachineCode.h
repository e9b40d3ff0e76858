//===- MachineCode.h - LLVM IR to object files ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_HOST_MACHINECODE_H
#define OPGRAPH_CODEGEN_HOST_MACHINECODE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace llvm {
class LLVMContext;
class Module;
class PipelineTuningOptions;
class TargetLibraryInfoImpl;
class TargetMachine;
} // namespace llvm

namespace opgraph::codegen {

/// Keeps error diagnostics of an LLVMContext, which would otherwise print and
/// end the process.
class DiagnosticCollector {
public:
  /// Installs itself in `context`, which must not outlive it.
  explicit DiagnosticCollector(llvm::LLVMContext &context);

  /// The first error since the last call, naming `stage`; success without one.
  llvm::Error take(const char *stage);

private:
  /// Shared with the handler that the context owns.
  std::shared_ptr<std::string> firstError;
};

/// Runs the O2 pipeline, with what `library` says of functions, or by default
/// what the module's triple does.
void runDefaultPipeline(llvm::Module &module, llvm::TargetMachine &machine,
                        const llvm::PipelineTuningOptions &tuning,
                        const llvm::TargetLibraryInfoImpl *library = nullptr);

/// Sets the module's target and runs the O2 pipeline.
void optimizeModule(llvm::Module &module, llvm::TargetMachine &machine);

/// Emits an ELF object, or with `assembly` its text. Uses the module up.
llvm::Expected<llvm::SmallVector<char, 0>>
emitMachineCode(llvm::Module &module, llvm::TargetMachine &machine,
                bool assembly);

} // namespace opgraph::codegen

#endif // OPGRAPH_CODEGEN_HOST_MACHINECODE_H
