//===- HotPath.h - Counting allocations -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_TEST_UNIT_RUNTIME_HOTPATH_H
#define OPGRAPH_TEST_UNIT_RUNTIME_HOTPATH_H

namespace opgraph::test {

/// Calls of the C library's allocator so far.
int numAllocations();

} // namespace opgraph::test

#endif // OPGRAPH_TEST_UNIT_RUNTIME_HOTPATH_H
