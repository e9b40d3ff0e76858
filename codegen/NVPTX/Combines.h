//===- Combines.h - How a GPU combines elements -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to codegen/NVPTX.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_NVPTX_COMBINES_H
#define OPGRAPH_CODEGEN_NVPTX_COMBINES_H

#include "codegen/NVPTX/KernelEmitter.h"

namespace mlir::NVVM {
enum class TMAReduxKind : uint32_t;
} // namespace mlir::NVVM

namespace opgraph::codegen {

/// Combines two values of `element` in register form.
mlir::Value emitCombine(KernelEmitter &emitter, tile::Combine combine,
                        mlir::Type element, mlir::Value lhs, mlir::Value rhs);

/// In memory, by an atomic; none where there is no such instruction.
std::optional<mlir::LLVM::AtomicBinOp> getAtomic(tile::Combine combine,
                                                 mlir::Type element);

/// In memory, by a tensor copy.
std::optional<mlir::NVVM::TMAReduxKind> getRedux(tile::Combine combine);

} // namespace opgraph::codegen

#endif // OPGRAPH_CODEGEN_NVPTX_COMBINES_H
