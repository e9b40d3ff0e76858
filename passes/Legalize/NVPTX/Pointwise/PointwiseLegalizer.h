//===- PointwiseLegalizer.h - Kernels of a pointwise graph ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_POINTWISELEGALIZER_H
#define OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_POINTWISELEGALIZER_H

#include "passes/Legalize/NVPTX/Pointwise/KernelClass.h"
#include "passes/Transforms/AtomicReductions.h"
#include "llvm/ADT/SetVector.h"

namespace opgraph::legalize::nvptx {

/// Alignment of what the workspace holds; its base has that of a device
/// allocation.
inline constexpr int64_t kWorkspaceAlignment = 256;

/// Strides along the axes of a kernel of those of a value that it computes.
Shape alignStrides(llvm::ArrayRef<int64_t> strides, mlir::RankedTensorType type,
                   const Shape &kernelShape);

/// Writes the kernels of a graph, and the program that launches them.
class PointwiseLegalizer {
public:
  PointwiseLegalizer(graph::GraphOp graph, plan::ProgramOp program,
                     int64_t vectorsPerThread, bool isAtomic,
                     mlir::ModuleOp into, Formulas &formulas)
      : graph(graph), program(program), vectorsPerThread(vectorsPerThread),
        into(into), formulas(formulas), layouts(graph), split(graph),
        isAtomic(isAtomic &&
                 getAtomicCombining(graph, split) != AtomicCombining::None),
        classifier(graph), partition(partitionGraph(graph, layouts, split)) {}

  /// Fails, without a diagnostic, where what a symbol changes has no formula.
  llvm::LogicalResult run();

private:
  void placeTemporaries();
  void visitInputs(unsigned kernel, mlir::Value value,
                   llvm::SetVector<mlir::Value> &inputs,
                   llvm::DenseSet<mlir::Value> &visited);
  llvm::SetVector<mlir::Value> getInputs(unsigned kernel);
  llvm::SetVector<mlir::Value> getInputsOfStores(unsigned kernel);
  void placeTemporary(mlir::Value value);
  void setOffset(Buffer &buffer, int64_t offset, mlir::Value stored,
                 mlir::RankedTensorType type);
  int64_t countBytes(graph::ReductionOp op, const Space &space);
  mlir::Value getOperand(int64_t number);
  mlir::RankedTensorType getOperandType(int64_t number);
  void unpack(int64_t operand);
  void placeOperand(Buffer &buffer, int64_t operand, int64_t alignment,
                    int64_t offset);
  bool unpackWhereCut(const KernelBuffers &buffers, const Space *space);
  bool unpackFor(unsigned number);
  void placePacked();
  void writePacking(bool ofResults);
  Buffer makeBuffer(mlir::Value value, const MemoryView &memory,
                    const Shape &kernelShape);
  Buffer makeResultBuffer(const LayoutStore &store, const Shape &kernelShape);
  void addInputs(KernelBuffers &buffers, mlir::ValueRange inputs,
                 const Shape &shape);
  void addOutputs(KernelBuffers &buffers, const KernelSpec &spec);
  void shareAxes(KernelSpec &spec);
  void writeKernel(unsigned number);
  void writeSplitKernel(unsigned number);
  int64_t countPortions(const KernelSpec &spec);
  void writeNeutral(unsigned number);
  void writeAtomicKernel(unsigned number);
  void writeCombining(unsigned number, const Space &space,
                      llvm::ArrayRef<Buffer> portions);
  bool hasPlaces();
  bool isChained();
  int64_t getMostCtas();
  bool turnAround(const KernelSpec &spec, const KernelBuffers &buffers);
  void launch(const KernelSpec &spec, KernelBuffers &buffers,
              const Space &space, int64_t rank);
  tile::KernelOp nameKernel(tile::KernelOp kernel, const KernelSpec &spec,
                            const Space &space, mlir::Type element);

  graph::GraphOp graph;
  plan::ProgramOp program;
  int64_t vectorsPerThread;
  mlir::ModuleOp into;
  Formulas &formulas;
  Layouts layouts;
  ReductionSplit split;
  /// Portions are combined by atomics.
  bool isAtomic;
  KernelClassifier classifier;
  Partition partition;
  /// Stored values, and results of reductions that later kernels read: bytes
  /// into the workspace.
  llvm::MapVector<mlir::Value, int64_t> temporaries;
  /// Operands whose 4-bit elements lie in workspace, one a byte: bytes into it
  /// of the element that the operand points to.
  llvm::MapVector<int64_t, int64_t> unpacked;
  int64_t workspaceBytes = 0;
  /// Some place in memory has no formula.
  bool isUnserved = false;
  /// Operands that kernels have read whole: whether the last one to do so went
  /// backwards.
  llvm::DenseMap<int64_t, bool> wasBackwards;
};

/// Writes the kernels and launches of `graph`, whose extents are numbers, which
/// `formulas` says the meaning of.
llvm::LogicalResult legalizeStatic(graph::GraphOp graph,
                                   plan::ProgramOp program,
                                   int64_t vectorsPerThread, bool isAtomic,
                                   mlir::ModuleOp into, Formulas &formulas);

/// Those of `graph`, some of whose extents or strides are symbols, which
/// `program` declares.
llvm::LogicalResult legalizeVersions(graph::GraphOp graph,
                                     plan::ProgramOp program,
                                     int64_t vectorsPerThread,
                                     mlir::ModuleOp into);

} // namespace opgraph::legalize::nvptx

#endif // OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_POINTWISELEGALIZER_H
