//===- WritePlan.cpp - Plan files for tests in Python ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
///
/// \file
/// usage: WriteCudaPlan FILE KIND. Writes the plan out = x + y of the stub
/// driver's tests: `static` over 8 values, `overridable` with that as the
/// declared size, `workspace` that needs 256 bytes besides.
///
//===----------------------------------------------------------------------===//

#include "test/unit/runtime/Cuda/TestCuda.h"

#include <cstdio>

using namespace opgraph::planfile;
using namespace opgraph::test;

int main(int argc, char **argv) {
  std::string kind = argc == 3 ? argv[2] : "";
  PlanContents contents =
      kind == "overridable" ? makeDynamicAddPlan(8) : makeAddPlan();
  if (kind == "workspace") {
    contents.workspaceShared = 256;
    contents.steps.insert(contents.steps.begin(), Fill{0, 256, 7});
  }
  std::vector<uint8_t> bytes;
  std::string error;
  if (argc != 3 || !writePlanFile(contents, bytes, error))
    return 1;
  std::FILE *file = std::fopen(argv[1], "wb");
  if (!file)
    return 1;
  bool written =
      std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  return std::fclose(file) == 0 && written ? 0 : 1;
}
