//===- Target.h - Which device runs which code ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_CUDA_TARGET_H
#define OPGRAPH_RUNTIME_CUDA_TARGET_H

namespace opgraph::runtime::cuda {

/// The name of a device variant, taken apart: "sm_90a" is 90 and 'a'.
struct CodeTarget {
  /// Compute capability, major * 10 + minor.
  int capability = 0;
  /// 'a': this capability only; 'f': its family; 0: it and later ones.
  char suffix = 0;
};

/// False when `name` is no such name.
bool parseCodeTarget(const char *name, CodeTarget &target);

/// Whether a cubin of `target` runs on a device.
bool runsCubin(const CodeTarget &target, int capability);

/// Whether PTX of `target` can be compiled for a device.
bool runsPtx(const CodeTarget &target, int capability);

/// The newest PTX (major * 10 + minor) that a driver of `version` (12040 for
/// 12.4) compiles.
int newestPtx(int version);

} // namespace opgraph::runtime::cuda

#endif // OPGRAPH_RUNTIME_CUDA_TARGET_H
