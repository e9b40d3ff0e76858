//===- TestCudnn.cpp - The stub library as the process's cuDNN ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include <cstdlib>

/// Before any test opens the library.
[[maybe_unused]] static const int stubIsSet =
    setenv("OPGRAPH_CUDNN", OPGRAPH_STUB_CUDNN_LIBRARY, /*replace=*/1);
