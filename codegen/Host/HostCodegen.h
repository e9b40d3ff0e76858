//===- HostCodegen.h - Host code for compiled plans -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
///
/// \file
/// From a module that legalization made for the host to machine code. The
/// module holds one `plan.program` and the functions that it calls, marked
/// `opgraph.host_entry`, on memrefs or (linalg) on tensors. The unit attribute
/// `opgraph.fp_contract` on the module lets a multiplication and an addition
/// become one instruction.
///
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_CODEGEN_HOST_HOSTCODEGEN_H
#define OPGRAPH_CODEGEN_HOST_HOSTCODEGEN_H

#include "codegen/PlanFile/PlanContents.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace opgraph::codegen {

/// Module attribute: fused multiply-add is allowed.
inline constexpr llvm::StringLiteral fpContractAttrName = "opgraph.fp_contract";

/// What compileHost shall make.
struct HostOptions {
  /// Names of instruction sets, such as "x86-64-v3" (TargetVariant.h).
  llvm::SmallVector<std::string> variants;
  /// Upper limit of workers of a plan with parallel loops.
  unsigned maxWorkers = 32;
  /// Make the image: what a plan file holds.
  bool emitImage = true;
  /// Keep the object file that the image is linked from.
  bool keepObject = false;
  /// Keep assembly text.
  bool keepAssembly = false;
  /// Keep LLVM IR text, after optimisation.
  bool keepLLVM = false;
  /// Run MLIR's verifier after each pass.
  bool verifyPasses = false;
};

/// The code for one instruction set.
struct HostVariantCode {
  std::string target;
  planfile::Variant image;
  std::string object;
  std::string assembly;
  std::string llvmIR;
};

/// How long a stage took, summed over variants.
struct StageTime {
  std::string stage;
  double milliseconds = 0;
};

/// The code for all instruction sets asked for, in that order.
struct HostCode {
  std::vector<HostVariantCode> variants;
  std::vector<StageTime> times;
};

/// Compiles `module`, which is rewritten: afterwards its `plan.program` has
/// its workspace, and functions are loops over memrefs. Every error is an
/// internal failure of the code generator and says which stage failed; the
/// process can compile again. No other thread may use the module's context.
llvm::Expected<HostCode> compileHost(mlir::ModuleOp module,
                                     const HostOptions &options);

/// Adds the dialects of such modules, and what translates them to LLVM IR.
void registerHostCodegenDialects(mlir::DialectRegistry &registry);

} // namespace opgraph::codegen

#endif // OPGRAPH_CODEGEN_HOST_HOSTCODEGEN_H
