//===- Cuda.h - Plans for CUDA devices --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
///
/// \file
/// What the rest of the runtime asks of a plan for a CUDA device.
///
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_CUDA_CUDA_H
#define OPGRAPH_RUNTIME_CUDA_CUDA_H

#include "opgraph-c/runtime.h"

namespace opgraph::runtime {

/// Makes the records of a verified plan. May throw std::bad_alloc.
void loadProgram(og_plan &plan);

/// og_plan_prepare.
og_status prepareCuda(const og_plan &plan, og_device device);

/// Bytes of stack that executeCuda is to be given besides the frame.
size_t cudaBlockBytes(const og_plan &plan);

/// og_plan_execute, with `storage` of plan.frameBytes and `block` of
/// cudaBlockBytes bytes.
og_status executeCuda(const og_plan &plan, const og_variant_pack &pack,
                      void *stream, void *storage, void *block);

/// The variant in use on the first device that the plan is prepared for; "".
const char *cudaVariantName(const og_plan &plan);

} // namespace opgraph::runtime

#endif // OPGRAPH_RUNTIME_CUDA_CUDA_H
