//===- Assemble.cpp - PTX to a cubin by what this machine has -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/NVPTX/Assemble.h"
#include "codegen/NVPTX/NvJitLink.h"

#include <cstdlib>

using namespace llvm;
using namespace opgraph::codegen;

Expected<std::optional<Cubin>>
opgraph::codegen::assemble(const std::string &ptx, StringRef cpu) {
  auto wrap = [](Expected<Cubin> cubin) -> Expected<std::optional<Cubin>> {
    if (!cubin)
      return cubin.takeError();
    return std::optional<Cubin>(std::move(*cubin));
  };
  if (std::optional<std::string> ptxas = findPtxas())
    return wrap(runPtxas(*ptxas, ptx, cpu));
  if (std::optional<std::string> library = findNvJitLink())
    return wrap(runNvJitLink(*library, ptx, cpu));
  return std::nullopt;
}

std::optional<std::string> opgraph::codegen::findAssembler() {
  std::optional<std::string> ptxas = findPtxas();
  return ptxas ? ptxas : findNvJitLink();
}

std::string opgraph::codegen::describeAssembler() {
  return findAssembler().value_or("the driver");
}

std::string opgraph::codegen::getAssemblerSettings() {
  const char *const values[] = {
      std::getenv("OPGRAPH_PTXAS"), std::getenv("OPGRAPH_NVJITLINK"),
      std::getenv("PATH"),          std::getenv("CUDA_HOME"),
      std::getenv("CUDA_PATH"),     std::getenv("VIRTUAL_ENV")};
  std::string text;
  for (const char *value : values) {
    text += value ? value : "\t";
    text += '\n';
  }
  return text;
}
