//===- CudnnService.h - cuDNN for planning and building ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_LIB_COMPILER_CUDNNSERVICE_H
#define OPGRAPH_LIB_COMPILER_CUDNNSERVICE_H

#include "dialects/Plan/PlanDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "opgraph-c/status.h"
#include "passes/Planning/CudnnLibrary.h"

namespace opgraph::lib {

/// The process's library, which is opened when its version is asked.
const planning::CudnnLibrary &getCudnnLibrary();

/// Nanoseconds that this thread has waited for the library's answers to
/// questions of planning since the last call of this function.
int64_t takeLibraryTime();

/// Finalises what the plan.cudnn_execute ops of `module` stand for, on a device
/// of this machine that is `target`, and writes into them the serialised plans
/// and the workspace that they need. Without such a device they stay as they
/// are and say so in the programs' notes: the runtime makes the plans then.
og_status finishCudnnSteps(mlir::ModuleOp module,
                           const planning::Target &target);

} // namespace opgraph::lib

#endif // OPGRAPH_LIB_COMPILER_CUDNNSERVICE_H
