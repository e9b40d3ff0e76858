//===- opgraph/opgraph.h - Graphs, plans and compilers in C++ ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Header-only over the C API; C++17; no exceptions.
//
//   opgraph::Compiler compiler = opgraph::Compiler::create().take();
//   opgraph::Graph graph(compiler, {"mlp", opgraph::DataType::Float});
//   auto x = graph.tensor({64, 256}), w = graph.tensor({256, 128});
//   auto y = graph.relu(graph.matmul(x, w)).setOutput();
//   opgraph::Result<opgraph::Plan> plan = graph.build();
//   if (!plan) ... plan.error().text
//   plan->execute({{x.uid(), a}, {w.uid(), b}, {y.uid(), c}});
//
// Describing a graph does not fail call by call: a method that is given
// something wrong returns a tensor that is not valid(), and the first error is
// kept (Graph::error) and returned by validate, createPlans and build.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_OPGRAPH_H
#define OPGRAPH_OPGRAPH_H

#include "opgraph/Graph.h"
#include "opgraph/Plan.h"
#include "opgraph/Result.h"
#include "opgraph/Tensor.h"

#endif // OPGRAPH_OPGRAPH_H
