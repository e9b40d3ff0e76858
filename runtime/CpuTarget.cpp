//===- CpuTarget.cpp - Which code variants this machine runs --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/CpuTarget.h"

#include "opgraph-c/runtime.h"
#include "runtime/Log.h"

#include <cpuid.h>
#include <cstdint>
#include <cstdlib>
#include <cstring>

using namespace opgraph::runtime;

static const char *const targetNames[] = {"none", "x86-64-v2", "x86-64-v3",
                                          "x86-64-v4", "x86-64-v4-bf16"};

namespace {

struct CpuidLeaf {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
};

CpuidLeaf cpuid(unsigned leaf, unsigned subleaf) {
  CpuidLeaf result;
  if (!__get_cpuid_count(leaf, subleaf, &result.eax, &result.ebx, &result.ecx,
                         &result.edx))
    return CpuidLeaf();
  return result;
}

bool has(unsigned value, unsigned mask) { return (value & mask) == mask; }

/// Which register states the operating system saves (XCR0).
unsigned enabledStates(const CpuidLeaf &leaf1) {
  if (!has(leaf1.ecx, bit_OSXSAVE))
    return 0;
  unsigned low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

CpuTarget detect() {
  const unsigned ymmStates = 0x06, zmmStates = 0xe6;
  CpuidLeaf leaf1 = cpuid(1, 0), leaf7 = cpuid(7, 0), leaf7b = cpuid(7, 1);
  CpuidLeaf extended = cpuid(0x80000001u, 0);
  if (!has(leaf1.ecx, bit_CMPXCHG16B | bit_POPCNT | bit_SSE3 | bit_SSSE3 |
                          bit_SSE4_1 | bit_SSE4_2) ||
      !has(extended.ecx, bit_LAHF_LM))
    return CpuTarget::None;
  unsigned states = enabledStates(leaf1);
  if (!has(leaf1.ecx, bit_AVX | bit_F16C | bit_FMA | bit_MOVBE) ||
      !has(leaf7.ebx, bit_AVX2 | bit_BMI | bit_BMI2) ||
      !has(extended.ecx, bit_LZCNT) || !has(states, ymmStates))
    return CpuTarget::V2;
  if (!has(leaf7.ebx, bit_AVX512F | bit_AVX512BW | bit_AVX512CD | bit_AVX512DQ |
                          bit_AVX512VL) ||
      !has(states, zmmStates))
    return CpuTarget::V3;
  if (!has(leaf7b.eax, bit_AVX512BF16) || !has(leaf7.ecx, bit_AVX512VNNI))
    return CpuTarget::V4;
  return CpuTarget::V4Bf16;
}

} // namespace

const char *opgraph::runtime::cpuTargetName(CpuTarget target) {
  return targetNames[int(target)];
}

bool opgraph::runtime::parseCpuTarget(const char *name, CpuTarget &target) {
  for (int i = int(CpuTarget::V2); i <= int(CpuTarget::V4Bf16); ++i)
    if (std::strcmp(name, targetNames[i]) == 0) {
      target = CpuTarget(i);
      return true;
    }
  return false;
}

CpuTarget opgraph::runtime::machineCpuTarget() {
  static const CpuTarget machine = detect();
  return machine;
}

CpuTarget opgraph::runtime::usableCpuTarget() {
  CpuTarget machine = machineCpuTarget();
  const char *value = std::getenv("OPGRAPH_CPU_TARGET");
  if (!value || !*value)
    return machine;
  CpuTarget cap;
  if (!parseCpuTarget(value, cap)) {
    logf(OG_LOG_WARNING,
         "OPGRAPH_CPU_TARGET: expected x86-64-v2|x86-64-v3|x86-64-v4|"
         "x86-64-v4-bf16, got '%s'; ignored",
         value);
    return machine;
  }
  return cap < machine ? cap : machine;
}

extern "C" const char *og_cpu_target(void) {
  return cpuTargetName(usableCpuTarget());
}
