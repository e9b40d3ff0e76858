//===- AotObject.h - Plans as object files ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_OBJECT_AOTOBJECT_H
#define OPGRAPH_CODEGEN_OBJECT_AOTOBJECT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>

namespace opgraph::codegen {

/// True for a name that C functions can be made from.
bool isCIdentifier(llvm::StringRef name);

/// An ELF object that holds the plan file `plan` and defines the C functions
/// `<name>_execute`, `<name>_workspace_size` and `<name>_describe`, which call
/// the runtime. It runs on any x86-64 machine that its plan has code for.
llvm::Expected<std::string> emitAotObject(llvm::ArrayRef<uint8_t> plan,
                                          llvm::StringRef name);

/// The C header that declares those functions and names the operands' uids.
llvm::Expected<std::string> emitAotHeader(llvm::ArrayRef<uint8_t> plan,
                                          llvm::StringRef name);

} // namespace opgraph::codegen

#endif // OPGRAPH_CODEGEN_OBJECT_AOTOBJECT_H
