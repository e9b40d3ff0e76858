//===- TensorPasses.h - Passes of the tensor pipeline -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_HOST_TENSOR_TENSORPASSES_H
#define OPGRAPH_CODEGEN_HOST_TENSOR_TENSORPASSES_H

#include "mlir/Pass/Pass.h"
#include <memory>

namespace opgraph::codegen {

/// Merges elementwise ops into their only consumer.
std::unique_ptr<mlir::Pass> createFuseElementwisePass();
/// Blocks contractions; see Contraction.h.
std::unique_ptr<mlir::Pass> createTileContractionsPass();
/// Cuts the other big ops of a function into parallel tiles.
std::unique_ptr<mlir::Pass> createTileParallelPass();
/// Turns linalg on memrefs and copies into loops, innermost along memory.
std::unique_ptr<mlir::Pass> createLowerToLoopsPass();
/// Replaces f32 exp, tanh, erf and erfc by polynomials.
std::unique_ptr<mlir::Pass> createApproximateMathPass();
/// Turns parallel loops marked `opgraph.sequential` into loops.
std::unique_ptr<mlir::Pass> createSequentializePass();
/// Moves static buffers out of loops, to the start of what runs in parallel.
std::unique_ptr<mlir::Pass> createHoistBuffersPass();

/// Parallel work below this many element operations runs on the calling thread.
inline constexpr int64_t kMinParallelWork = 1 << 16;
/// How many element operations one parallel tile should hold.
inline constexpr int64_t kTileWork = 1 << 15;

} // namespace opgraph::codegen

#endif // OPGRAPH_CODEGEN_HOST_TENSOR_TENSORPASSES_H
