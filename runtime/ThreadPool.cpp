//===- ThreadPool.cpp - The process's worker threads ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
///
/// \file
/// One pool for the process runs one loop at a time. A loop that finds it busy
/// runs on its caller alone, so nothing ever waits for a thread that may wait
/// for it. The caller takes part, under worker number 0; a pool thread that
/// joins takes a ticket, which gives it the next number. The caller waits only
/// for threads that have joined.
///
/// After fork() the child has none of the threads: it abandons the pool and
/// makes its own when it needs one.
///
//===----------------------------------------------------------------------===//

#include "runtime/ThreadPool.h"

#include "opgraph-c/runtime.h"
#include "runtime/CpuCount.h"
#include "runtime/ImportTable.h"
#include "runtime/Log.h"

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <new>
#include <pthread.h>

using namespace opgraph::runtime;

namespace {

/// Not of the initial-exec model, although that would spare a thread's first
/// execution the C library's allocation of this block: a library opened with
/// dlopen finds too little static TLS for it and for the last error's text.
thread_local WorkerContext context;

/// Iterations of a pause before a thread sleeps: some 10 us, about what waking
/// it costs.
constexpr int spinLimit = 400;

inline void pauseCpu() { __builtin_ia32_pause(); }

/// One parallel loop. Lives on its caller's stack.
struct Loop {
  og_parallel_body body;
  void **args;
  int64_t count;
  int64_t chunk;
  int64_t maxWorkers;
  std::atomic<int64_t> next{0};

  /// Takes chunks until none is left.
  void work(int64_t worker) {
    WorkerContext saved = context;
    context = {maxWorkers, worker, true};
    while (true) {
      int64_t begin = next.fetch_add(chunk, std::memory_order_relaxed);
      if (begin >= count)
        break;
      int64_t end = count - begin > chunk ? begin + chunk : count;
      body(args, begin, end, worker);
    }
    context = saved;
  }
};

class ThreadPool {
public:
  explicit ThreadPool(int size) : size(size) {}

  /// The pool of this process; never destroyed. Null when memory ran out.
  static ThreadPool *get();

  int workers() const { return size; }

  /// Starts threads that are not running yet.
  void start();

  /// Runs the loop with the pool's help; false when it is busy.
  bool tryRun(Loop &loop, int64_t helpers);

private:
  /// Starts threads up to `wanted`; the error number of the first failure.
  int startMissing(int wanted);
  static void *threadMain(void *pool);
  void serve();

  const int size;
  std::atomic<bool> busy{false};
  std::mutex mutex;
  std::condition_variable wake;
  std::condition_variable done;
  /// Threads that may still join the loop; written under the mutex.
  std::atomic<int> tickets{0};
  /// Threads that work on it; written under the mutex.
  std::atomic<int> active{0};
  int64_t nextWorker = 1;
  Loop *loop = nullptr;
  std::mutex startMutex;
  std::atomic<int> started{0};
  std::atomic<bool> startFailed{false};
};

pthread_once_t forkHandlerOnce = PTHREAD_ONCE_INIT;
pthread_mutex_t currentMutex = PTHREAD_MUTEX_INITIALIZER;
std::atomic<ThreadPool *> current{nullptr};
/// Keeps the parent's pool reachable in a child, for leak checkers.
ThreadPool *abandoned = nullptr;

void installForkHandlers() {
  pthread_atfork([] { pthread_mutex_lock(&currentMutex); },
                 [] { pthread_mutex_unlock(&currentMutex); },
                 [] {
                   if (ThreadPool *pool = current.exchange(nullptr))
                     abandoned = pool;
                   pthread_mutex_unlock(&currentMutex);
                 });
}

ThreadPool *ThreadPool::get() {
  if (ThreadPool *pool = current.load(std::memory_order_acquire))
    return pool;
  pthread_once(&forkHandlerOnce, installForkHandlers);
  // Outside the lock: it may log, and a log callback may come here.
  int size = usableCpuCount();
  pthread_mutex_lock(&currentMutex);
  ThreadPool *pool = current.load(std::memory_order_acquire);
  if (!pool) {
    pool = new (std::nothrow) ThreadPool(size);
    current.store(pool, std::memory_order_release);
  }
  pthread_mutex_unlock(&currentMutex);
  return pool;
}

void ThreadPool::start() {
  int wanted = size - 1;
  if (started.load(std::memory_order_acquire) >= wanted ||
      startFailed.load(std::memory_order_acquire))
    return;
  int error = startMissing(wanted);
  if (error)
    logf(OG_LOG_WARNING,
         "thread pool: started %d of %d threads (error %d); going on with "
         "fewer",
         started.load(), wanted, error);
}

int ThreadPool::startMissing(int wanted) {
  std::lock_guard<std::mutex> guard(startMutex);
  int running = started.load(std::memory_order_relaxed);
  int error = 0;
  // The program's signal handlers are not to run on our threads.
  sigset_t all, saved;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &saved);
  for (; running < wanted && !startFailed; ++running) {
    pthread_t thread;
    error = pthread_create(&thread, nullptr, threadMain, this);
    if (error) {
      startFailed = true;
      break;
    }
    char name[16];
    std::snprintf(name, sizeof(name), "opgraph-%d", running + 1);
    pthread_setname_np(thread, name);
    pthread_detach(thread);
  }
  pthread_sigmask(SIG_SETMASK, &saved, nullptr);
  started.store(running, std::memory_order_release);
  return error;
}

void *ThreadPool::threadMain(void *pool) {
  static_cast<ThreadPool *>(pool)->serve();
  return nullptr;
}

void ThreadPool::serve() {
  std::unique_lock<std::mutex> lock(mutex, std::defer_lock);
  while (true) {
    for (int i = 0; i < spinLimit; ++i) {
      if (tickets.load(std::memory_order_relaxed) > 0)
        break;
      pauseCpu();
    }
    lock.lock();
    wake.wait(lock, [this] { return tickets.load() > 0; });
    tickets.fetch_sub(1);
    active.fetch_add(1);
    int64_t worker = nextWorker++;
    Loop *joined = loop;
    lock.unlock();
    joined->work(worker);
    lock.lock();
    if (active.fetch_sub(1) == 1)
      done.notify_one();
    lock.unlock();
  }
}

bool ThreadPool::tryRun(Loop &work, int64_t helpers) {
  if (busy.exchange(true, std::memory_order_acquire))
    return false;
  start();
  int running = started.load(std::memory_order_relaxed);
  int invited = helpers < running ? int(helpers) : running;
  {
    std::lock_guard<std::mutex> guard(mutex);
    loop = &work;
    nextWorker = 1;
    tickets.store(invited);
  }
  for (int i = 0; i < invited; ++i)
    wake.notify_one();
  work.work(0);
  {
    // Nobody joins any more: all chunks are taken.
    std::lock_guard<std::mutex> guard(mutex);
    tickets.store(0);
  }
  for (int i = 0; i < spinLimit && active.load(std::memory_order_relaxed); ++i)
    pauseCpu();
  {
    std::unique_lock<std::mutex> lock(mutex);
    done.wait(lock, [this] { return active.load() == 0; });
    loop = nullptr;
  }
  busy.store(false, std::memory_order_release);
  return true;
}

} // namespace

ExecutionScope::ExecutionScope(int64_t maxWorkers) : saved(context) {
  context = {maxWorkers, 0, false};
}

ExecutionScope::~ExecutionScope() { context = saved; }

void opgraph::runtime::startThreadPool() {
  if (ThreadPool *pool = ThreadPool::get())
    pool->start();
}

int opgraph::runtime::threadPoolSize() {
  ThreadPool *pool = ThreadPool::get();
  return pool ? pool->workers() : 1;
}

extern "C" int32_t og_num_threads(void) { return threadPoolSize(); }

extern "C" void ogParallelFor(og_parallel_body body, void **args,
                              int64_t count) {
  if (count <= 0)
    return;
  WorkerContext here = context;
  ThreadPool *pool = nullptr;
  if (count > 1 && here.maxWorkers > 1 && !here.inParallel)
    pool = ThreadPool::get();
  int64_t workers = pool ? pool->workers() : 1;
  if (workers > here.maxWorkers)
    workers = here.maxWorkers;
  if (workers > count)
    workers = count;
  // Eight chunks a worker even out unequal progress; on one worker there is
  // nothing to even out.
  int64_t chunk = workers > 1 ? count / (workers * 8) : count;
  Loop loop{body, args, count, chunk > 0 ? chunk : 1, here.maxWorkers};
  if (workers > 1 && pool->tryRun(loop, workers - 1))
    return;
  loop.work(here.worker);
}
