//===- CpuTarget.h - Instruction sets of code variants ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_CPUTARGET_H
#define OPGRAPH_RUNTIME_CPUTARGET_H

namespace opgraph::runtime {

/// Code variants, each of which contains those before it.
enum class CpuTarget { None, V2, V3, V4, V4Bf16 };

/// The variant's name; "none" for None.
const char *cpuTargetName(CpuTarget target);

/// False when `name` is no variant's name.
bool parseCpuTarget(const char *name, CpuTarget &target);

/// The best variant that the processor and the operating system can run.
CpuTarget machineCpuTarget();

/// The machine's, not above OPGRAPH_CPU_TARGET. A value of the variable that is
/// no variant's name is reported in the log and ignored.
CpuTarget usableCpuTarget();

} // namespace opgraph::runtime

#endif // OPGRAPH_RUNTIME_CPUTARGET_H
