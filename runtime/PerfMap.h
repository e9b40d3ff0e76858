//===- PerfMap.h - Names of host functions for perf -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_PERFMAP_H
#define OPGRAPH_RUNTIME_PERFMAP_H

namespace opgraph::planfile::fb {
struct Variant;
} // namespace opgraph::planfile::fb

namespace opgraph::runtime {

/// With OPGRAPH_PERF_MAP=1 appends the functions of an image mapped at `base`
/// to /tmp/perf-<pid>.map, which perf reads.
void writePerfMap(const planfile::fb::Variant &variant,
                  const unsigned char *base);

} // namespace opgraph::runtime

#endif // OPGRAPH_RUNTIME_PERFMAP_H
