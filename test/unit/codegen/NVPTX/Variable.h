//===- Variable.h - Variables of the environment ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_TEST_UNIT_CODEGEN_NVPTX_VARIABLE_H
#define OPGRAPH_TEST_UNIT_CODEGEN_NVPTX_VARIABLE_H

#include "llvm/Support/Process.h"

#include <cstdlib>
#include <optional>
#include <string>

namespace opgraph::test {

/// A variable of the environment for one test.
class Variable {
public:
  Variable(const char *name, const std::string &value) : name(name) {
    before = llvm::sys::Process::GetEnv(name);
    setenv(name, value.c_str(), 1);
  }
  ~Variable() {
    if (before)
      setenv(name, before->c_str(), 1);
    else
      unsetenv(name);
  }

private:
  const char *name;
  std::optional<std::string> before;
};

} // namespace opgraph::test

#endif // OPGRAPH_TEST_UNIT_CODEGEN_NVPTX_VARIABLE_H
