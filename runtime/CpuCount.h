//===- CpuCount.h - How many threads the process may keep busy --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_CPUCOUNT_H
#define OPGRAPH_RUNTIME_CPUCOUNT_H

namespace opgraph::runtime {

/// No pool has more workers than this.
inline constexpr int maxThreads = 1024;

/// OPGRAPH_NUM_THREADS when set to a number in 1 .. maxThreads; else the size
/// of the affinity mask, cut to the CPU quota of the cgroup (v2), rounded up.
int usableCpuCount();

/// The quota of one `cpu.max` file in whole CPUs, rounded up; `limit` when it
/// sets none or cannot be read.
int readCpuMax(const char *path, int limit);

} // namespace opgraph::runtime

#endif // OPGRAPH_RUNTIME_CPUCOUNT_H
