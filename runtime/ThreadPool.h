//===- ThreadPool.h - The process's worker threads --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_THREADPOOL_H
#define OPGRAPH_RUNTIME_THREADPOOL_H

#include "opgraph-c/host_abi.h"

#include <cstdint>

namespace opgraph::runtime {

/// What opgraph_parallel_for needs to know of the execution that calls it.
struct WorkerContext {
  /// Workers 0 .. maxWorkers - 1 have a private part of the workspace.
  int64_t maxWorkers = 1;
  /// The worker that this thread is.
  int64_t worker = 0;
  /// Inside a parallel body already: a nested loop runs here.
  bool inParallel = false;
};

/// Makes this thread worker 0 of an execution while it lives. Executions nest
/// (a log callback may execute a plan).
class ExecutionScope {
public:
  explicit ExecutionScope(int64_t maxWorkers);
  ~ExecutionScope();
  ExecutionScope(const ExecutionScope &) = delete;
  ExecutionScope &operator=(const ExecutionScope &) = delete;

private:
  WorkerContext saved;
};

/// Starts the pool's threads, if they are not running.
void startThreadPool();

/// Workers of the pool, the caller included.
int threadPoolSize();

} // namespace opgraph::runtime

#endif // OPGRAPH_RUNTIME_THREADPOOL_H
