//===- KernelTexts.h - The text of kernels, printed once --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels are named and found again by their text. Printing one takes longer
// than making it, so that the texts of a context's kernels are kept; they are
// found by comparing operation by operation.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_NVPTX_KERNELTEXTS_H
#define OPGRAPH_PASSES_LEGALIZE_NVPTX_KERNELTEXTS_H

#include "dialects/Tile/TileDialect.h"
#include "mlir/IR/OwningOpRef.h"
#include <string>
#include <unordered_map>

namespace opgraph::legalize::nvptx {

/// The texts of one context's kernels; dies before the context does.
class KernelTexts {
public:
  /// The text of `kernel` as getKernelText prints it.
  llvm::StringRef find(tile::KernelOp kernel);

private:
  struct Entry {
    mlir::OwningOpRef<tile::KernelOp> kernel;
    std::string text;
  };
  /// By a hash of the operations.
  std::unordered_multimap<size_t, Entry> entries;
};

/// Lets getKernelText find the texts of the context's kernels in `texts`.
void keepKernelTexts(mlir::MLIRContext *context, KernelTexts &texts);

/// `kernel` in MLIR's syntax, aliases spelled out.
std::string getKernelText(tile::KernelOp kernel);

} // namespace opgraph::legalize::nvptx

#endif // OPGRAPH_PASSES_LEGALIZE_NVPTX_KERNELTEXTS_H
