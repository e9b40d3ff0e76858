//===- CudnnLowering.h - Graph to descriptors of cuDNN ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph as a descriptor program of the `cudnn` dialect. Nothing here asks the
// library: what its version has is decided by the version that the caller
// names.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_CUDNN_CUDNNLOWERING_H
#define OPGRAPH_PASSES_LEGALIZE_CUDNN_CUDNNLOWERING_H

#include "dialects/CuDNN/CudnnDialect.h"
#include "dialects/Graph/GraphDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace opgraph::legalize {

/// Why a graph has no descriptor program; the fields of a decline.
struct CudnnRefusal {
  std::string constraint;
  std::string limit;
  std::string actual;
};

/// What one tensor of a descriptor program is given at execution.
struct CudnnBinding {
  int64_t uid = 0;
  /// Of the graph: its arguments, then its results; -1 for `constant`.
  int64_t operand = -1;
  /// From the operand's first byte on; of a scratch tensor, from the
  /// workspace's.
  int64_t offset = 0;
  /// Memory of the plan's own, no operand.
  bool isScratch = false;
  /// By value: the type that the operand's value is converted to, null for
  /// memory.
  mlir::Type scalarType;
  mlir::TypedAttr constant;
};

struct CudnnProgram {
  cudnn::GraphOp graph;
  /// By increasing uid.
  llvm::SmallVector<CudnnBinding> bindings;
  /// Of the plan's own memory, which lies before the library's workspace.
  int64_t scratchBytes = 0;
};

/// Appends to `into` the descriptor program `symbol` of `graph` for version
/// `version` of the library (91900 for 9.19.0). Fills `refusal` where it has
/// none; then nothing stays appended.
std::optional<CudnnProgram> lowerToCudnn(graph::GraphOp graph, int64_t version,
                                         llvm::StringRef symbol,
                                         mlir::ModuleOp into,
                                         CudnnRefusal &refusal);

} // namespace opgraph::legalize

#endif // OPGRAPH_PASSES_LEGALIZE_CUDNN_CUDNNLOWERING_H
