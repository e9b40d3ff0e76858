//===- WorkspaceLayout.h - Offsets of temporaries ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_HOST_WORKSPACELAYOUT_H
#define OPGRAPH_CODEGEN_HOST_WORKSPACELAYOUT_H

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/SmallVector.h"

namespace opgraph::codegen {

/// Bytes that are in use from position `begin` to position `end` of a block,
/// both included.
struct TemporaryBuffer {
  mlir::AffineExpr bytes;
  int64_t begin = 0;
  int64_t end = 0;
  /// Set by layOut: a multiple of 64.
  mlir::AffineExpr offset;
};

/// Chooses offsets so that buffers in use at once do not overlap. Constant
/// sizes are packed first-fit in order of `begin`; behind them, buffers of
/// equal symbolic size share a place when their uses are disjoint. Returns the
/// bytes used in all, a multiple of 64.
mlir::AffineExpr layOut(llvm::MutableArrayRef<TemporaryBuffer> buffers,
                        unsigned numSymbols, mlir::MLIRContext *context);

/// `bytes` rounded up to a multiple of 64.
mlir::AffineExpr alignToWorkspace(mlir::AffineExpr bytes, unsigned numSymbols);

} // namespace opgraph::codegen

#endif // OPGRAPH_CODEGEN_HOST_WORKSPACELAYOUT_H
