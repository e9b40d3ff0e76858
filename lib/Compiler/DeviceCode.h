//===- DeviceCode.h - Kernels of a plan, compiled once ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_LIB_COMPILER_DEVICECODE_H
#define OPGRAPH_LIB_COMPILER_DEVICECODE_H

#include "codegen/PlanFile/PlanContents.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace opgraph::lib {

/// Compiles the tile kernels of `module`, which it may take out, for `target`,
/// the name of a plan's CUDA target ("sm_90:NVIDIA_H200"). Kernels hold no
/// extents: equal ones are compiled once in a process, whatever the shapes. PTX
/// is kept beside a cubin where `keepPtx` says so. None where a kernel that is
/// not known has been left out: it has to be written. Thread-safe.
llvm::Expected<std::optional<planfile::DeviceVariant>>
compileDevice(mlir::ModuleOp module, llvm::StringRef target, bool keepPtx);

} // namespace opgraph::lib

#endif // OPGRAPH_LIB_COMPILER_DEVICECODE_H
