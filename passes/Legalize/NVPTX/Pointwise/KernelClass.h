//===- KernelClass.h - Kernels that need not be written ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel's text holds no extents: RowKernel may read of them what is spelled
// (0, 1), by which powers of two they can be divided, and whether tiles divide
// them. A class is all that a text is made of, extents and strides by these
// facts only, as words. Kernels of one class have one text, so that a context
// that has written a few of them need not write the next one.
//
// That no fact lacks is checked: the first kernels of a class are written and
// compared, all of them where OPGRAPH_STRICT=1 is set, and a class with two
// texts is an error there and given up elsewhere. What has features whose facts
// are not listed here (places, portions, turned or shifted tiles, packed
// elements, symbols) is of no class.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_KERNELCLASS_H
#define OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_KERNELCLASS_H

#include "passes/Legalize/NVPTX/KernelTexts.h"
#include "passes/Legalize/NVPTX/Pointwise/RowKernel.h"

namespace opgraph::legalize::nvptx {

/// Describes the kernels of one graph.
class KernelClassifier {
public:
  explicit KernelClassifier(graph::GraphOp graph);

  /// The words of the kernel's class; none if it is of no class.
  std::optional<KernelClassWords> describe(const KernelSpec &spec,
                                           const KernelBuffers &buffers,
                                           const Space &space, int64_t rank);

private:
  class Writer;
  void addGraph(graph::GraphOp graph);

  /// Of the graph, whatever the kernel.
  KernelClassWords graphWords;
  llvm::DenseMap<mlir::Value, unsigned> numbers;
  bool isServed = true;
};

} // namespace opgraph::legalize::nvptx

#endif // OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_KERNELCLASS_H
