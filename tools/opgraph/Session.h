//===- Session.h - A graph or plan that a command works on ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_TOOLS_OPGRAPH_SESSION_H
#define OPGRAPH_TOOLS_OPGRAPH_SESSION_H

#include "opgraph-c/compiler.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace opgraph::cli {

template <typename T, void (*release)(T *)>
struct Release {
  void operator()(T *handle) const { release(handle); }
};
using CompilerPtr =
    std::unique_ptr<og_compiler, Release<og_compiler, og_compiler_release>>;
using GraphPtr = std::unique_ptr<og_graph, Release<og_graph, og_graph_release>>;
using PlanPtr = std::unique_ptr<og_plan, Release<og_plan, og_plan_release>>;
using BytesPtr = std::unique_ptr<og_bytes, Release<og_bytes, og_bytes_release>>;

/// Options that decide which plan is made, shared by all commands.
struct PlanOptions {
  std::string file;
  /// The graph to take from a file that holds several.
  std::string graph;
  /// What runs the plan, and what it is made for where that is something else.
  std::string device, target;
  std::vector<std::string> modes;
  int32_t threads = 0;
  std::optional<int64_t> maxWorkspace;
  /// A plan by its spelling, or an engine with knobs.
  std::string plan, engine, knobs;
  std::string variants;
  bool noFallback = false;
};

/// What to plan for: the target, else the device. A Failure where one is the
/// host and the other is not.
const std::string &planningTarget(const PlanOptions &options);

/// Extents of a tensor as its graph declares them.
struct Declaration {
  /// OG_DYNAMIC where only a call tells.
  std::vector<int64_t> extents;
  /// Names of the dynamic ones, "" elsewhere; may be empty.
  std::vector<std::string> symbols;
};

/// An opened file: a graph, or a plan that somebody compiled.
class Session {
public:
  /// Reads `options.file` and tells a plan file from graph text.
  explicit Session(const PlanOptions &options);

  bool isPlanFile() const { return !graph; }
  /// The graph; of a plan file the one it was compiled from, or null.
  og_graph *getGraph() { return graph.get(); }

  /// Ranks the plans, or pins the one that the options name.
  void plan();
  /// Whether the plans are for a GPU; after planning, or of a plan file.
  bool isForDevice() const;
  /// The compiled plan to run.
  og_plan *build();
  /// The same graph, not planned. Null for a plan file without its source.
  GraphPtr parseAgain();

  /// What the graph declares of each tensor, by uid; empty when the graph is
  /// not known.
  std::map<int64_t, Declaration> declarations();

  const PlanOptions &options;

private:
  og_plan_options toPlanOptions();

  CompilerPtr compiler;
  GraphPtr graph;
  PlanPtr compiled;
  std::string text;
  std::vector<int32_t> modes;
};

} // namespace opgraph::cli

#endif // OPGRAPH_TOOLS_OPGRAPH_SESSION_H
