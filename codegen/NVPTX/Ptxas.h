//===- Ptxas.h - PTX to a cubin by the toolkit's assembler ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_NVPTX_PTXAS_H
#define OPGRAPH_CODEGEN_NVPTX_PTXAS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace opgraph::codegen {

/// What `ptxas -v` says of one kernel; bytes per thread but for shared memory,
/// which is per block and does not count what a launch adds.
struct KernelResources {
  uint32_t registers = 0;
  uint32_t stackBytes = 0;
  uint32_t spillStores = 0;
  uint32_t spillLoads = 0;
  uint32_t staticShared = 0;
};

struct PtxasReport {
  llvm::StringMap<KernelResources> kernels;
  /// Lines of C75xx: asynchronous MMAs were serialised, or setmaxnreg ignored.
  std::vector<std::string> warnings;
};

/// Parses the output of `ptxas -v`.
PtxasReport parsePtxasReport(llvm::StringRef output);

/// The assembler: OPGRAPH_PTXAS, else `ptxas` on PATH, else bin/ptxas of a
/// toolkit, else of the Python packages nvidia-cuda-nvcc or triton (Toolkit.h).
/// OPGRAPH_PTXAS=none finds none.
std::optional<std::string> findPtxas();

struct Cubin {
  std::vector<uint8_t> bytes;
  PtxasReport report;
};

/// Assembles for `cpu` ("sm_90a"); an error holds ptxas's own words.
llvm::Expected<Cubin> runPtxas(llvm::StringRef ptxas, llvm::StringRef ptx,
                               llvm::StringRef cpu);

} // namespace opgraph::codegen

#endif // OPGRAPH_CODEGEN_NVPTX_PTXAS_H
