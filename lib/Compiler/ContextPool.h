//===- ContextPool.h - MLIR contexts used again -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Making a context and loading its dialects takes longer than planning a small
// graph. A context serves one graph at a time, so that graphs on different
// threads share nothing that changes; what it has made unique stays in it, so
// it is dropped after a number of graphs.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_LIB_COMPILER_CONTEXTPOOL_H
#define OPGRAPH_LIB_COMPILER_CONTEXTPOOL_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "passes/Legalize/NVPTX/KernelTexts.h"
#include "passes/Transforms/Simplify.h"
#include <memory>
#include <mutex>
#include <vector>

namespace opgraph::lib {

class ContextPool;

/// A context and what goes with it from graph to graph.
struct PooledContext {
  std::unique_ptr<mlir::MLIRContext> context;
  /// Prepares a graph for planning: its patterns are made once.
  std::unique_ptr<GraphSimplifier> simplifier;
  std::unique_ptr<legalize::nvptx::KernelTexts> kernelTexts;
  /// Graphs that it has served, host code counted more.
  unsigned uses = 0;
  /// The dialects of code generation are loaded, which is late, because only
  /// building needs them: describing and ranking a graph stay cheap.
  bool hasAllDialects = false;
};

/// A graph's hold on its context.
class ContextLease {
public:
  ContextLease(ContextPool &pool, PooledContext held)
      : pool(pool), held(std::move(held)) {}
  ~ContextLease();
  ContextLease(const ContextLease &) = delete;
  ContextLease &operator=(const ContextLease &) = delete;

  mlir::MLIRContext *get() const { return held.context.get(); }
  mlir::MLIRContext *operator->() const { return get(); }

  const GraphSimplifier &getSimplifier() { return *held.simplifier; }
  legalize::nvptx::KernelTexts &getKernelTexts() { return *held.kernelTexts; }

  /// Loads what building needs, once in a context.
  void loadAllDialects();

  /// Tells that much was made in the context: it serves fewer graphs then.
  void addUse(unsigned uses = 1) { held.uses += uses; }
  /// The context is for no other graph: a fault may have left it unsound, or
  /// what it holds is large.
  void condemn() { isCondemned = true; }

private:
  ContextPool &pool;
  PooledContext held;
  bool isCondemned = false;
};

/// Thread-safe.
class ContextPool {
public:
  /// Contexts that wait for a graph, and uses after which one is dropped.
  static constexpr size_t kMostIdle = 4;
  static constexpr unsigned kMostUses = 256;

  ContextPool();

  /// A context with the graph dialect loaded and every dialect of the pipeline
  /// available, single-threaded.
  PooledContext take();
  void giveBack(PooledContext context);

private:
  /// The dialects and their extensions, registered once.
  mlir::DialectRegistry registry;
  std::mutex mutex;
  std::vector<PooledContext> idle;
};

/// False where OPGRAPH_CLASS_CACHE=0 is set: each graph is then compiled as if
/// it were the first one of the process.
bool usesClassCache();

} // namespace opgraph::lib

#endif // OPGRAPH_LIB_COMPILER_CONTEXTPOOL_H
