//===- CompilerImpl.cpp - What all graphs of a compiler share -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "lib/Compiler/CompilerImpl.h"
#include "lib/Support/CApi.h"
#include "mlir/IR/MLIRContext.h"

using namespace opgraph;
using namespace opgraph::lib;

og_status og_compiler_create(og_compiler **out) {
  OG_TRY(checkNotNull(out, "out"));
  *out = new og_compiler{std::make_shared<CompilerImpl>()};
  return OG_OK;
}

void og_compiler_release(og_compiler *compiler) { delete compiler; }

const char *opgraph_version(void) { return OPGRAPH_VERSION; }

const char *og_compiler_identity(void) { return "opgraph " OPGRAPH_VERSION; }
