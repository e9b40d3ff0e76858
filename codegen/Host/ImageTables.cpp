//===- ImageTables.cpp - GOT and stubs in a fixed order -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/Host/ImageTables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ExecutionEngine/JITLink/JITLink.h"
#include "llvm/ExecutionEngine/JITLink/x86_64.h"

using namespace llvm;
using namespace llvm::jitlink;

/// The name that a table entry leads to, through its GOT entry for a stub.
static StringRef targetName(Block &entry) {
  Block *block = &entry;
  for (unsigned steps = 0; steps < 2; ++steps) {
    if (block->edges_empty())
      break;
    Symbol &target = block->edges().begin()->getTarget();
    if (target.hasName())
      return *target.getName();
    if (!target.isDefined())
      break;
    block = &target.getBlock();
  }
  return "";
}

/// Gives the blocks of a table ascending addresses, by which they are laid out.
static void orderTable(LinkGraph &graph, StringRef name) {
  Section *section = graph.findSectionByName(name);
  if (!section)
    return;
  SmallVector<Block *> blocks(section->blocks());
  llvm::sort(blocks, [](Block *lhs, Block *rhs) {
    return targetName(*lhs) < targetName(*rhs);
  });
  uint64_t address = 0;
  for (Block *block : blocks) {
    address = alignTo(address, block->getAlignment());
    block->setAddress(orc::ExecutorAddr(address));
    address += block->getSize();
  }
}

Error opgraph::codegen::buildImageTables(LinkGraph &graph) {
  x86_64::GOTTableManager got(graph);
  x86_64::PLTTableManager stubs(graph, got);
  visitExistingEdges(graph, got, stubs);
  orderTable(graph, got.getSectionName());
  orderTable(graph, stubs.getSectionName());
  return Error::success();
}
