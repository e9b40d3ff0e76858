//===- Dtypes.h - Element types between C ABI and MLIR ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_LIB_SUPPORT_DTYPES_H
#define OPGRAPH_LIB_SUPPORT_DTYPES_H

#include "mlir/IR/Types.h"
#include "opgraph-c/types.h"

namespace opgraph::lib {

/// The element type of the graph dialect for `dtype`; null where it has none
/// (FAST_FLOAT_FOR_FP8 included, which is no element type).
mlir::Type toMlirType(mlir::MLIRContext *context, int32_t dtype);

/// The other way; NOT_SET for a type that no dtype has.
og_dtype toDtype(mlir::Type type);

/// Whether `dtype` is a number of og_dtype.
bool isDtype(int32_t dtype);

/// Whether tensors may have `dtype`: toMlirType gives a type for it.
bool isElementDtype(int32_t dtype);

} // namespace opgraph::lib

#endif // OPGRAPH_LIB_SUPPORT_DTYPES_H
