//===- PointwiseLegalizer.h - Kernels of a pointwise graph ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_POINTWISELEGALIZER_H
#define OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_POINTWISELEGALIZER_H

#include "passes/Legalize/NVPTX/Pointwise/RowKernel.h"
#include "llvm/ADT/SetVector.h"

namespace opgraph::legalize::nvptx {

/// Alignment of what the workspace holds; its base has that of a device
/// allocation.
inline constexpr int64_t kWorkspaceAlignment = 256;

/// Writes the kernels of a graph, and the program that launches them.
class PointwiseLegalizer {
public:
  PointwiseLegalizer(graph::GraphOp graph, plan::ProgramOp program,
                     int64_t vectorsPerThread, mlir::ModuleOp into)
      : graph(graph), program(program), vectorsPerThread(vectorsPerThread),
        into(into), layouts(graph), split(graph),
        partition(partitionGraph(graph, layouts, split)) {}

  void run();

private:
  void placeTemporaries();
  void visitInputs(unsigned kernel, mlir::Value value,
                   llvm::SetVector<mlir::Value> &inputs,
                   llvm::DenseSet<mlir::Value> &visited);
  llvm::SetVector<mlir::Value> getInputs(unsigned kernel);
  llvm::SetVector<mlir::Value> getInputsOfStores(unsigned kernel);
  void placeTemporary(mlir::Value value);
  Buffer makeBuffer(mlir::Value value, const MemoryView &memory,
                    const Shape &kernelShape);
  Buffer makeResultBuffer(const LayoutStore &store, const Shape &kernelShape);
  void addInputs(KernelBuffers &buffers, mlir::ValueRange inputs,
                 const Shape &shape);
  void addOutputs(KernelBuffers &buffers, const KernelSpec &spec);
  void writeKernel(unsigned number);
  void writeSplitKernel(unsigned number);
  void writeCombining(unsigned number, const Space &space,
                      llvm::ArrayRef<Buffer> portions);
  bool isChained();
  void launch(const KernelSpec &spec, KernelBuffers &buffers,
              const Space &space, int64_t rank, bool isLast);
  tile::KernelOp nameKernel(tile::KernelOp kernel, const KernelSpec &spec,
                            const Space &space, mlir::Type element);

  graph::GraphOp graph;
  plan::ProgramOp program;
  int64_t vectorsPerThread;
  mlir::ModuleOp into;
  Layouts layouts;
  ReductionSplit split;
  Partition partition;
  /// Stored values, and results of reductions that later kernels read: bytes
  /// into the workspace.
  llvm::MapVector<mlir::Value, int64_t> temporaries;
  int64_t workspaceBytes = 0;
};

} // namespace opgraph::legalize::nvptx

#endif // OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_POINTWISELEGALIZER_H
