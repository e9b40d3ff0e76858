//===- ImageLinker.h - Object files to relocatable images -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_HOST_IMAGELINKER_H
#define OPGRAPH_CODEGEN_HOST_IMAGELINKER_H

#include "codegen/PlanFile/PlanContents.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace opgraph::codegen {

/// Links one x86-64 ELF object into an image that is loaded by copying it and
/// applying its relocations. `entries` are the functions to keep. The image's
/// target is left empty. Fails, naming symbol or section, on an import off the
/// closed list, thread-local or writable data, and any reference that is
/// neither PC-relative inside the image nor a 64-bit pointer.
llvm::Expected<planfile::Variant>
linkImage(llvm::MemoryBufferRef object, llvm::ArrayRef<std::string> entries);

} // namespace opgraph::codegen

#endif // OPGRAPH_CODEGEN_HOST_IMAGELINKER_H
