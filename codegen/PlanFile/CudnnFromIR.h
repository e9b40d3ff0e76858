//===- CudnnFromIR.h - cuDNN steps to plan file -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_PLANFILE_CUDNNFROMIR_H
#define OPGRAPH_CODEGEN_PLANFILE_CUDNNFROMIR_H

#include "codegen/PlanFile/PlanContents.h"
#include "dialects/Plan/PlanDialect.h"
#include "llvm/Support/Error.h"

namespace opgraph::planfile {

/// A verified step, with the operation graph that it names; an error where the
/// module has none.
llvm::Expected<CudnnExecute> convertCudnn(plan::CudnnExecuteOp op);

} // namespace opgraph::planfile

#endif // OPGRAPH_CODEGEN_PLANFILE_CUDNNFROMIR_H
