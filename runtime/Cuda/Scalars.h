//===- Scalars.h - By-value operands as kernel parameters -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_CUDA_SCALARS_H
#define OPGRAPH_RUNTIME_CUDA_SCALARS_H

#include "opgraph-c/types.h"
#include "runtime/plan_generated.h"

namespace opgraph::runtime::cuda {

/// Whether a value of this type can be a Scalar argument.
bool isScalarDtype(og_dtype dtype);

/// The value at `source`, of type `dtype`, converted to `type`, in the low
/// bytes of the result: to nearest between floats; to an integer towards zero,
/// clamped, NaN to 0.
uint64_t convertScalar(og_dtype dtype, const void *source,
                       planfile::fb::ArgType type);

} // namespace opgraph::runtime::cuda

#endif // OPGRAPH_RUNTIME_CUDA_SCALARS_H
