//===- ContextPool.cpp - MLIR contexts used again -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "lib/Compiler/ContextPool.h"
#include "codegen/Host/HostCodegen.h"
#include "codegen/NVPTX/Passes.h"
#include "dialects/CuDNN/CudnnDialect.h"
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Tile/TileDialect.h"
#include <cstdlib>

using namespace mlir;
using namespace opgraph;
using namespace opgraph::lib;

bool opgraph::lib::usesClassCache() {
  const char *value = std::getenv("OPGRAPH_CLASS_CACHE");
  return !value || llvm::StringRef(value) != "0";
}

ContextPool::ContextPool() {
  registry
      .insert<cudnn::CudnnDialect, graph::GraphDialect, tile::TileDialect>();
  codegen::registerHostCodegenDialects(registry);
  codegen::registerNVPTXDialects(registry);
}

ContextLease::~ContextLease() {
  ++held.uses;
  if (!isCondemned)
    pool.giveBack(std::move(held));
}

void ContextLease::loadAllDialects() {
  if (held.hasAllDialects)
    return;
  get()->loadAllAvailableDialects();
  held.hasAllDialects = true;
}

PooledContext ContextPool::take() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (!idle.empty()) {
      PooledContext context = std::move(idle.back());
      idle.pop_back();
      return context;
    }
  }
  PooledContext made;
  made.context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  made.context->loadDialect<graph::GraphDialect>();
  // Text comes from users; an op of no dialect is an error, not a guess.
  made.context->allowUnregisteredDialects(false);
  made.context->printOpOnDiagnostic(false);
  made.simplifier = std::make_unique<GraphSimplifier>(made.context.get());
  made.kernelTexts = std::make_unique<legalize::nvptx::KernelTexts>();
  legalize::nvptx::keepKernelTexts(made.context.get(), *made.kernelTexts);
  return made;
}

void ContextPool::giveBack(PooledContext context) {
  // Destroyed after the lock.
  if (context.uses >= kMostUses || !usesClassCache())
    return;
  std::lock_guard<std::mutex> lock(mutex);
  if (idle.size() < kMostIdle)
    idle.push_back(std::move(context));
}
