//===- NvJitLink.h - PTX to a cubin by nvJitLink ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_NVPTX_NVJITLINK_H
#define OPGRAPH_CODEGEN_NVPTX_NVJITLINK_H

#include "codegen/NVPTX/Ptxas.h"

namespace opgraph::codegen {

/// The library: OPGRAPH_NVJITLINK, else lib64 of a toolkit, else of the Python
/// package nvidia-nvjitlink (Toolkit.h). OPGRAPH_NVJITLINK=none finds none.
std::optional<std::string> findNvJitLink();

/// Assembles for `cpu` ("sm_90a") in this process; an error holds the library's
/// own words. The library stays loaded.
llvm::Expected<Cubin> runNvJitLink(llvm::StringRef library,
                                   const std::string &ptx, llvm::StringRef cpu);

} // namespace opgraph::codegen

#endif // OPGRAPH_CODEGEN_NVPTX_NVJITLINK_H
