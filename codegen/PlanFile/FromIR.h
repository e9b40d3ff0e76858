//===- FromIR.h - plan.program to plan file ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_PLANFILE_FROMIR_H
#define OPGRAPH_CODEGEN_PLANFILE_FROMIR_H

#include "codegen/PlanFile/PlanContents.h"
#include "dialects/Plan/PlanDialect.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace opgraph::planfile {

/// Everything that a plan file holds of `program`, with `variants` as its code.
/// Each variant's entries are those that the program calls, in the order of
/// their first call; so are the kernels of each device variant, by first
/// launch.
llvm::Expected<PlanContents>
contentsFromIR(plan::ProgramOp program, std::vector<Variant> variants,
               std::vector<DeviceVariant> deviceVariants = {});

/// The bytes of the plan file.
llvm::Expected<std::vector<uint8_t>>
planFileFromIR(plan::ProgramOp program, std::vector<Variant> variants,
               std::vector<DeviceVariant> deviceVariants = {});

/// The kernels that the program launches, in the order of their first launch:
/// the one that device variants list them in.
llvm::SmallVector<llvm::StringRef> launchedKernels(plan::ProgramOp program);

/// The number of the graph's element type; OG_DTYPE_NOT_SET for another type.
og_dtype dtypeFromType(mlir::Type type);

} // namespace opgraph::planfile

#endif // OPGRAPH_CODEGEN_PLANFILE_FROMIR_H
