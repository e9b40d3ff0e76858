//===- Verifier.h - Meaning of a plan file's numbers ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_VERIFIER_H
#define OPGRAPH_RUNTIME_VERIFIER_H

#include "opgraph-c/status.h"

#include <cstddef>
#include <cstdint>

namespace opgraph::planfile::fb {
struct CudnnExecute;
struct Plan;
} // namespace opgraph::planfile::fb

namespace opgraph::runtime {

class ExprPool;

/// Limits of a plan, which bound an execution's stack frame.
inline constexpr size_t maxOperands = 1024;
inline constexpr size_t maxSymbols = 1024;
inline constexpr size_t maxFrameBytes = 256 * 1024;

/// Checks header, digest and FlatBuffers structure of a whole file, which is
/// aligned to 64 bytes. On success `*body` points into it.
og_status verifyFile(const unsigned char *bytes, size_t size,
                     const planfile::fb::Plan **body);

/// Bounds every index, offset, rank, expression, symbol, relocation, import,
/// segment and step of a structurally sound body. What passes can be loaded
/// and executed without a further check of the file.
og_status verifyPlan(const planfile::fb::Plan &plan);

/// As verifyPlan, for launches, tensor maps and device code (VerifyDevice.cpp).
/// Operands and expressions have been checked.
og_status verifyDevice(const planfile::fb::Plan &plan, const ExprPool &exprs);

/// As verifyPlan, for the device code alone (VerifyDeviceCode.cpp).
og_status verifyDeviceCode(const planfile::fb::Plan &plan);

/// As verifyPlan, for the code variants alone (VerifyImage.cpp).
og_status verifyVariants(const planfile::fb::Plan &plan);

/// Checks a cuDNN step but for what its arguments name (VerifyCudnn.cpp).
og_status verifyCudnn(size_t step, const planfile::fb::CudnnExecute &execute);

} // namespace opgraph::runtime

#endif // OPGRAPH_RUNTIME_VERIFIER_H
