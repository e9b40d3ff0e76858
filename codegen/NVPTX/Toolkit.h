//===- Toolkit.h - Where files of the CUDA toolkit lie ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_NVPTX_TOOLKIT_H
#define OPGRAPH_CODEGEN_NVPTX_TOOLKIT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace opgraph::codegen {

/// Where one file may lie, relative to the roots that are searched.
struct ToolkitFile {
  /// Its path by a variable of the environment, "none" (found nowhere), or
  /// null.
  const char *given;
  /// Below a toolkit: the one whose ptxas is on PATH, CUDA_HOME, CUDA_PATH,
  /// /usr/local/cuda.
  llvm::ArrayRef<const char *> inToolkit;
  /// Below Python's site-packages: the folder that holds opgraph, else that of
  /// VIRTUAL_ENV.
  llvm::ArrayRef<const char *> inPackages;
};

/// The first that exists, in the order above. What is given is taken without a
/// look, so that its reader can complain of it by name.
std::optional<std::string> findToolkitFile(const ToolkitFile &file);

} // namespace opgraph::codegen

#endif // OPGRAPH_CODEGEN_NVPTX_TOOLKIT_H
