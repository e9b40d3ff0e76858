//===- Graph.h - Graphs of the C API in the extension -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PYTHON_GRAPH_H
#define OPGRAPH_PYTHON_GRAPH_H

#include "Api.h"

#include <nanobind/nanobind.h>
#include <vector>

namespace opgraph::python {

using Integers = std::vector<int64_t>;

/// A graph and the compiler API that it lives in.
class Graph {
public:
  explicit Graph(og_graph *graph) : api(compilerApi()), graph(graph) {}
  Graph(const Graph &) = delete;
  Graph &operator=(const Graph &) = delete;
  ~Graph() { api.og_graph_release(graph); }

  const CompilerApi &api;
  og_graph *graph;
};

/// An og_value with the storage that it points into.
struct Value {
  og_value value{};
  std::string text;
  Integers array;
};

/// Reads (kind, payload), kind one of the og_value_kind names' numbers.
void readValue(nanobind::tuple pair, Value &out);
nanobind::object writeValue(const og_value &value);

/// Operations, nodes and regions.
void bindOperations(nanobind::class_<Graph> &cls);

} // namespace opgraph::python

#endif // OPGRAPH_PYTHON_GRAPH_H
