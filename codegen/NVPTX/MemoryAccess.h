//===- MemoryAccess.h - Vector accesses of one thread -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to codegen/NVPTX.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_NVPTX_MEMORYACCESS_H
#define OPGRAPH_CODEGEN_NVPTX_MEMORYACCESS_H

#include "codegen/NVPTX/KernelEmitter.h"

namespace opgraph::codegen {

/// How memory is accessed, apart from where.
struct AccessMode {
  mlir::Type element;
  tile::Cache cache = tile::Cache::normal;
  bool isReadOnly = false; ///< nobody writes it while the kernel runs
};

/// `count` neighbouring elements at `address` (of any space), in register form;
/// `count` times their size is 1, 2, 4, 8 or 16 bytes, the alignment. Where
/// `predicate` is set and false, nothing is touched and `fill` is the result.
llvm::SmallVector<mlir::Value>
emitVectorLoad(KernelEmitter &emitter, AccessMode mode, mlir::Value address,
               int64_t count, mlir::Value predicate, mlir::Value fill);
void emitVectorStore(KernelEmitter &emitter, const AccessMode &mode,
                     mlir::Value address, mlir::ValueRange elements,
                     mlir::Value predicate);

/// `lhs && rhs`; null stands for true.
mlir::Value conjunction(KernelEmitter &emitter, mlir::Value lhs,
                        mlir::Value rhs);

/// Base and strides of an emitted view.
struct ViewParts {
  tile::ViewType type;
  mlir::Value base;
  mlir::ValueRange sizes, strides;
};
ViewParts getViewParts(KernelEmitter &emitter, mlir::Value view);

/// `index` (i32) times the view's stride along `axis`, in elements as i64;
/// null for 0.
mlir::Value emitStrided(KernelEmitter &emitter, const ViewParts &view,
                        unsigned axis, mlir::Value index);
/// Address of the element at these coordinates (i32, one per axis).
mlir::Value emitElementAddress(KernelEmitter &emitter, const ViewParts &view,
                               mlir::ValueRange coordinates);

} // namespace opgraph::codegen

#endif // OPGRAPH_CODEGEN_NVPTX_MEMORYACCESS_H
