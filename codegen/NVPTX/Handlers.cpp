//===- Handlers.cpp - Which function emits which tile op ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/KernelEmitter.h"

using namespace mlir;
using namespace opgraph::codegen;

const Handlers &Handlers::get() {
  static const Handlers all = [] {
    Handlers handlers;
    addStructureHandlers(handlers);
    addMemoryHandlers(handlers);
    addRegisterHandlers(handlers);
    addMapHandlers(handlers);
    addReduceHandlers(handlers);
    addSharedHandlers(handlers);
    addGatherHandlers(handlers);
    addScalarMemoryHandlers(handlers);
    addRingHandlers(handlers);
    addSyncHandlers(handlers);
    addCopyHandlers(handlers);
    addTensorMapHandlers(handlers);
    addMmaHandlers(handlers);
    addMmaSyncHandlers(handlers);
    return handlers;
  }();
  return all;
}

Handlers::Handler Handlers::lookup(Operation *op) const {
  return table.lookup(op->getName().getTypeID());
}
