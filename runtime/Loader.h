//===- Loader.h - From the bytes of a plan file to a plan -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_LOADER_H
#define OPGRAPH_RUNTIME_LOADER_H

#include "runtime/Plan.h"

namespace opgraph::runtime {

/// Verifies a plan file and makes a plan of it. Without `copy` the bytes stay
/// the caller's, if they are aligned to 64. May throw std::bad_alloc.
og_status loadPlan(const void *data, size_t size, bool copy, og_plan **out);

} // namespace opgraph::runtime

#endif // OPGRAPH_RUNTIME_LOADER_H
