//===- TestCuda.cpp - The stub driver as the process's driver -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include <cstdlib>

/// Before any test opens the driver.
[[maybe_unused]] static const int stubIsSet =
    setenv("OPGRAPH_LIBCUDA", OPGRAPH_STUB_CUDA_LIBRARY, /*replace=*/1);
