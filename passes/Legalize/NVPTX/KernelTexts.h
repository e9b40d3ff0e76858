//===- KernelTexts.h - The text of kernels, printed once --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels are named and found again by their text. Printing one takes longer
// than making it, so that the texts of a context's kernels are kept; they are
// found by comparing operation by operation, and no hash is trusted.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_NVPTX_KERNELTEXTS_H
#define OPGRAPH_PASSES_LEGALIZE_NVPTX_KERNELTEXTS_H

#include "dialects/Graph/GraphDialect.h"
#include "dialects/Tile/TileDialect.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"
#include <optional>
#include <string>
#include <unordered_map>

namespace opgraph::legalize::nvptx {

/// What tells a class of kernels from others; addresses are of what is unique
/// in the context.
struct KernelClassWords {
  llvm::SmallVector<uint64_t, 0> words;

  void add(uint64_t word) { words.push_back(word); }
  void add(const void *address) {
    words.push_back(reinterpret_cast<uintptr_t>(address));
  }
};

/// The texts of one context's kernels; dies before the context does.
class KernelTexts {
public:
  /// The text of `kernel` as getKernelText prints it.
  llvm::StringRef find(tile::KernelOp kernel);

  /// Notes that kernels called `name` from now on have the text.
  void setName(llvm::StringRef name, llvm::StringRef text);
  /// The text noted for the name; none where there is not one.
  std::optional<llvm::StringRef> findNamed(llvm::StringRef name) const;

  /// Whether kernels that have a known name may be left out.
  bool leavesOut = false;
  /// The name of the kernels of a class, with these parameters, of which enough
  /// have been written to tell; none else. `graph` is what the words are of.
  std::optional<llvm::StringRef> findOfClass(const KernelClassWords &words,
                                             graph::GraphOp graph,
                                             mlir::TypeRange parameters) const;
  /// Notes that a kernel of the class was written and got its name.
  void confirm(const KernelClassWords &words, graph::GraphOp graph,
               tile::KernelOp kernel);
  /// Two names of kernels of one class, if that has been seen: a fact that
  /// texts depend on is not among the words.
  llvm::StringRef getContradiction() const { return contradiction; }

private:
  struct Entry {
    mlir::OwningOpRef<tile::KernelOp> kernel;
    /// See Flattener.
    llvm::SmallVector<uintptr_t, 0> words;
    std::string text;
  };
  /// By a hash of the words.
  std::unordered_multimap<uint64_t, Entry> entries;
  llvm::StringMap<std::string> named;

  struct Class {
    llvm::SmallVector<uint64_t, 0> words;
    /// For the properties of its operations.
    mlir::OwningOpRef<graph::GraphOp> graph;
    llvm::SmallVector<mlir::Type> parameters;
    std::string name;
    unsigned written = 0;
    bool isGivenUp = false;
  };
  const Class *findClass(const KernelClassWords &words,
                         graph::GraphOp graph) const;
  std::unordered_multimap<uint64_t, Class> classes;
  std::string contradiction;
};

/// Lets the functions below use `texts` for the context's kernels.
void keepKernelTexts(mlir::MLIRContext *context, KernelTexts &texts);

/// `kernel` in MLIR's syntax, aliases spelled out.
std::string getKernelText(tile::KernelOp kernel);

/// Calls the kernel, whose text that was, by its name for good.
void nameKernel(tile::KernelOp kernel, llvm::StringRef name,
                llvm::StringRef text);

/// Where the kernel is one of `words` and need not be written: calls it by its
/// name, without a body, if the context's texts allow that.
bool leaveOut(tile::KernelOp kernel, const KernelClassWords &words,
              graph::GraphOp graph);
bool isLeftOut(tile::KernelOp kernel);
/// Notes that the kernel, which has its name, is one of `words`.
void confirmClass(tile::KernelOp kernel, const KernelClassWords &words,
                  graph::GraphOp graph);

/// What tells the kernel, which has its name, from all others: the name and the
/// text. None where it is left out and its text is not known any more.
std::optional<std::string> getKernelKey(tile::KernelOp kernel);

} // namespace opgraph::legalize::nvptx

#endif // OPGRAPH_PASSES_LEGALIZE_NVPTX_KERNELTEXTS_H
