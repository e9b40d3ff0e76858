//===- Views.h - Values that are memory of an argument ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_VIEWS_H
#define OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_VIEWS_H

#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/Layout.h"

namespace opgraph::legalize::nvptx {

/// An argument of the graph, or part of it in another order of axes.
struct ArgumentView {
  mlir::BlockArgument argument;
  /// Of the value's axes, and of its first element, in elements.
  graph::Dims strides;
  int64_t offset = 0;
};

/// What `value` is where transposes, slices and reshapes of packed row-major
/// memory alone make it of an argument; nullopt where arithmetic does, or a
/// reshape that would move elements.
std::optional<ArgumentView> findView(mlir::Value value);

} // namespace opgraph::legalize::nvptx

#endif // OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_VIEWS_H
