//===- Libdevice.h - NVIDIA's library of device functions -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_NVPTX_LIBDEVICE_H
#define OPGRAPH_CODEGEN_NVPTX_LIBDEVICE_H

#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace opgraph::codegen {

/// libdevice.10.bc: OPGRAPH_LIBDEVICE, else nvvm/libdevice of a toolkit, else
/// of the Python packages nvidia-nvvm or triton (Toolkit.h).
std::optional<std::string> findLibdevice();

/// Links the `__nv_*` functions that `module` declares, and what they need, as
/// internal functions. Does nothing where it declares none.
llvm::Error linkLibdevice(llvm::Module &module);

} // namespace opgraph::codegen

#endif // OPGRAPH_CODEGEN_NVPTX_LIBDEVICE_H
