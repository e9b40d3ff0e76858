//===- SharedAccess.h - Register tiles and shared tiles ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to codegen/NVPTX.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_NVPTX_SHAREDACCESS_H
#define OPGRAPH_CODEGEN_NVPTX_SHAREDACCESS_H

#include "codegen/NVPTX/KernelEmitter.h"

namespace opgraph::codegen {

/// Address of the element at (row, column) of a shared matrix, i32 values; of
/// a swizzled tile both parts of the address are permuted as its type says.
mlir::Value emitSharedAddress(KernelEmitter &emitter, tile::SharedType type,
                              mlir::Value base, mlir::Value row,
                              mlir::Value column);

/// The alignment that is known of a shared tile's first byte, at most 16.
int64_t getKnownAlignment(mlir::Value shared);

/// Puts what is at `place ^ key` to each place of `run`, a power of two of
/// values. So lanes of different keys may read the run's elements in different
/// orders, which keeps those of one instruction in different banks.
void exchangeByKey(KernelEmitter &emitter,
                   llvm::MutableArrayRef<mlir::Value> run, mlir::Value key);

/// The key of the thread whose runs of `length` rows of a swizzled tile start
/// at `row`, of equal distance: neighbours whose rows share a phase differ in
/// it.
mlir::Value emitExchangeKey(KernelEmitter &emitter, mlir::Value row,
                            int64_t length);

/// Moves a register tile from or to a shared tile with plain accesses;
/// `transposed`: element (r, c) is the tile's (c, r). Of replicated elements
/// one holder writes.
llvm::SmallVector<mlir::Value> loadSharedPlain(KernelEmitter &emitter,
                                               tile::RegType type,
                                               mlir::Value shared,
                                               bool transposed);
void storeSharedPlain(KernelEmitter &emitter, tile::RegType type,
                      llvm::ArrayRef<mlir::Value> registers, mlir::Value shared,
                      bool transposed);

/// The same by `ldmatrix` and `stmatrix`, of tiles that G6 admits: 8 x 8 blocks
/// of 16-bit units, four to an instruction.
llvm::SmallVector<mlir::Value> loadSharedMatrix(KernelEmitter &emitter,
                                                tile::RegType type,
                                                mlir::Value shared,
                                                bool transposed);
void storeSharedMatrix(KernelEmitter &emitter, tile::RegType type,
                       llvm::ArrayRef<mlir::Value> registers,
                       mlir::Value shared, bool transposed);

} // namespace opgraph::codegen

#endif // OPGRAPH_CODEGEN_NVPTX_SHAREDACCESS_H
