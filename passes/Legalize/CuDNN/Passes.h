//===- Passes.h - Passes that legalize graphs for cuDNN ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_CUDNN_PASSES_H
#define OPGRAPH_PASSES_LEGALIZE_CUDNN_PASSES_H

namespace opgraph {

/// Registers the passes by name.
void registerCudnnLegalizePasses();

} // namespace opgraph

#endif // OPGRAPH_PASSES_LEGALIZE_CUDNN_PASSES_H
