//===- Commands.h - The smaller commands ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_TOOLS_OPGRAPH_COMMANDS_H
#define OPGRAPH_TOOLS_OPGRAPH_COMMANDS_H

#include "Session.h"

namespace opgraph::cli {

struct CompileOptions {
  PlanOptions plan;
  /// "aot", or a form of og_graph_emit ("obj" for a GPU is "aot").
  std::string emit = "aot";
  std::string output, header;
  /// Of the C functions; empty takes the graph's.
  std::string name;
};

/// Each returns the process's exit code.
int plans(const PlanOptions &options, bool json);
int explain(const PlanOptions &options, bool json);
int compile(const CompileOptions &options);
int inspect(const PlanOptions &options, bool json);

} // namespace opgraph::cli

#endif // OPGRAPH_TOOLS_OPGRAPH_COMMANDS_H
