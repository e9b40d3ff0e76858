//===- CompilerImpl.cpp - What all graphs of a compiler share -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "lib/Compiler/CompilerImpl.h"
#include "codegen/Host/HostCodegen.h"
#include "codegen/NVPTX/Passes.h"
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Tile/TileDialect.h"
#include "lib/Support/CApi.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/MLIRContext.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::lib;

CompilerImpl::CompilerImpl() {
  registry.insert<graph::GraphDialect>();
  codegen::registerHostCodegenDialects(registry);
  codegen::registerNVPTXDialects(registry);
  registry.insert<tile::TileDialect>();
}

std::unique_ptr<MLIRContext> CompilerImpl::makeContext() const {
  auto context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->loadDialect<graph::GraphDialect>();
  // Text comes from users; an op of no dialect is an error, not a guess.
  context->allowUnregisteredDialects(false);
  context->printOpOnDiagnostic(false);
  return context;
}

//===----------------------------------------------------------------------===//
// C API
//===----------------------------------------------------------------------===//

og_status og_compiler_create(og_compiler **out) {
  OG_TRY(checkNotNull(out, "out"));
  *out = new og_compiler{std::make_shared<CompilerImpl>()};
  return OG_OK;
}

void og_compiler_release(og_compiler *compiler) { delete compiler; }

const char *opgraph_version(void) { return OPGRAPH_VERSION; }

const char *og_compiler_identity(void) { return "opgraph " OPGRAPH_VERSION; }
