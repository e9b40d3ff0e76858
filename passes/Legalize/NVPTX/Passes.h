//===- Passes.h - Passes that legalize graphs for GPUs ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_NVPTX_PASSES_H
#define OPGRAPH_PASSES_LEGALIZE_NVPTX_PASSES_H

namespace opgraph {

/// Registers the passes by name.
void registerNvptxLegalizePasses();

} // namespace opgraph

#endif // OPGRAPH_PASSES_LEGALIZE_NVPTX_PASSES_H
