//===- Pointers.h - Where the operands are ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_CUDA_POINTERS_H
#define OPGRAPH_RUNTIME_CUDA_POINTERS_H

#include "runtime/Binding.h"
#include "runtime/Cuda/Driver.h"

namespace opgraph::runtime::cuda {

/// Finds the device on which operands and workspace are; -1 when none of them
/// has a byte. Refuses memory of the host, and of two devices, by name.
og_status findDevice(const og_plan &plan, const Driver &driver,
                     const Frame &frame, const og_variant_pack &pack,
                     int64_t workspace, int &ordinal);

} // namespace opgraph::runtime::cuda

#endif // OPGRAPH_RUNTIME_CUDA_POINTERS_H
