//===- CudnnDialect.h - The cudnn dialect -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dialect, type and ops of `cudnn`.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_DIALECTS_CUDNN_CUDNNDIALECT_H
#define OPGRAPH_DIALECTS_CUDNN_CUDNNDIALECT_H

#include "dialects/CuDNN/Table.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace opgraph::cudnn {

/// One attribute of a descriptor: its number and type, how many elements, and
/// their words (see `cudnn.descriptor`).
struct RecordView {
  int64_t attr;
  int64_t type;
  int64_t count;
  llvm::ArrayRef<int64_t> words;
};

/// Words that an element of a type takes in a record; 1 for unknown types.
int64_t wordsOf(int64_t type);

} // namespace opgraph::cudnn

#include "dialects/CuDNN/CudnnDialect.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/CuDNN/CudnnTypes.h.inc"

#define GET_OP_CLASSES
#include "dialects/CuDNN/CudnnOps.h.inc"

#endif // OPGRAPH_DIALECTS_CUDNN_CUDNNDIALECT_H
