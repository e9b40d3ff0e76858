//===- Assemble.h - PTX to a cubin by what this machine has -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_NVPTX_ASSEMBLE_H
#define OPGRAPH_CODEGEN_NVPTX_ASSEMBLE_H

#include "codegen/NVPTX/Ptxas.h"

namespace opgraph::codegen {

/// Assembles with ptxas where it is found, else with nvJitLink, else not at
/// all: the driver compiles the PTX when the plan is loaded.
llvm::Expected<std::optional<Cubin>> assemble(const std::string &ptx,
                                              llvm::StringRef cpu);

/// The path of what assembles for this process; none where the driver does.
std::optional<std::string> findAssembler();

/// What assembles for this process: the path of ptxas or nvJitLink, or "the
/// driver".
std::string describeAssembler();

/// What of the environment decides which assembler that is, as text: to ask for
/// it is cheaper than to look for files.
std::string getAssemblerSettings();

} // namespace opgraph::codegen

#endif // OPGRAPH_CODEGEN_NVPTX_ASSEMBLE_H
