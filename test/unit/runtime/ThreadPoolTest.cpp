//===- ThreadPoolTest.cpp - Parallel loops --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/ThreadPool.h"
#include "runtime/CpuCount.h"
#include "runtime/ImportTable.h"
#include "test/unit/runtime/TestPlans.h"

#include <atomic>
#include <cstdio>
#include <fstream>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace opgraph::runtime;
using namespace opgraph::planfile;
using namespace opgraph::test;

namespace {

/// What the bodies below share.
struct LoopState {
  explicit LoopState(int64_t count) : hits(count) {}
  std::vector<std::atomic<int>> hits;
  std::atomic<int> inUse[64] = {};
  std::atomic<bool> workerClash{false};
  std::atomic<int64_t> greatestWorker{0};
  std::atomic<int64_t> nestedSum{0};
};

void countBody(void **args, int64_t begin, int64_t end, int64_t worker) {
  auto *state = static_cast<LoopState *>(args[0]);
  if (state->inUse[worker].exchange(1))
    state->workerClash = true;
  int64_t greatest = state->greatestWorker.load();
  while (worker > greatest &&
         !state->greatestWorker.compare_exchange_weak(greatest, worker)) {
  }
  for (int64_t i = begin; i < end; ++i)
    state->hits[i].fetch_add(1);
  for (int spin = 0; spin < 2000; ++spin)
    __builtin_ia32_pause();
  state->inUse[worker] = 0;
}

void expectEachOnce(const LoopState &state) {
  for (const std::atomic<int> &hit : state.hits)
    EXPECT_EQ(hit.load(), 1);
  EXPECT_FALSE(state.workerClash);
}

void runLoop(int64_t count, int64_t maxWorkers) {
  LoopState state(count);
  void *args[] = {&state};
  ExecutionScope scope(maxWorkers);
  ogParallelFor(countBody, args, count);
  expectEachOnce(state);
  EXPECT_LT(state.greatestWorker, maxWorkers);
}

TEST(ThreadPool, CoversEveryIndexOnce) {
  for (int64_t count : {0, 1, 2, 3, 7, 64, 1000})
    for (int64_t workers : {1, 2, 3, 64})
      for (int repeat = 0; repeat < 10; ++repeat)
        runLoop(count, workers);
}

void nestedBody(void **args, int64_t begin, int64_t end, int64_t worker) {
  auto *state = static_cast<LoopState *>(args[0]);
  struct Inner {
    LoopState *state;
    int64_t outerWorker;
  } inner = {state, worker};
  void *innerArgs[] = {&inner};
  for (int64_t i = begin; i < end; ++i)
    ogParallelFor(
        [](void **args, int64_t begin, int64_t end, int64_t worker) {
          auto *inner = static_cast<Inner *>(args[0]);
          if (worker != inner->outerWorker)
            inner->state->workerClash = true;
          inner->state->nestedSum += end - begin;
        },
        innerArgs, 5);
}

TEST(ThreadPool, NestedLoopsRunOnTheirCaller) {
  LoopState state(0);
  void *args[] = {&state};
  ExecutionScope scope(4);
  ogParallelFor(nestedBody, args, 100);
  EXPECT_EQ(state.nestedSum, 500);
  EXPECT_FALSE(state.workerClash);
}

TEST(ThreadPool, ConcurrentExecutionsDoNotWaitForEachOther) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([] {
      for (int repeat = 0; repeat < 200; ++repeat)
        runLoop(100, 4);
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST(ThreadPool, PlansRunInParallel) {
  PlanContents contents = makeEmptyPlan();
  contents.operands = {makeOperand(1, "out", OG_DTYPE_INT64, {1000}, true)};
  contents.steps = {HostCall{Parallel}};
  contents.maxWorkers = 4;
  PlanPtr plan = load(contents);
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([&] {
      std::vector<int64_t> out(1000), shape = {1000};
      for (int repeat = 0; repeat < 200; ++repeat) {
        std::fill(out.begin(), out.end(), -1);
        ASSERT_EQ(execute(plan, {makeBuffer(1, out.data(), shape)}), OG_OK);
        for (int64_t worker : out) {
          ASSERT_GE(worker, 0);
          ASSERT_LT(worker, 4);
        }
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST(ThreadPool, SurvivesFork) {
  runLoop(100, 4);
  for (int repeat = 0; repeat < 5; ++repeat) {
    pid_t child = fork();
    if (child == 0) {
      // Fails by the alarm when the child waits for threads it has not.
      alarm(20);
      for (int again = 0; again < 20; ++again)
        runLoop(100, 4);
      _exit(::testing::Test::HasFailure() ? 1 : 0);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    runLoop(100, 4);
  }
}

TEST(CpuCount, HonoursTheVariable) {
  setenv("OPGRAPH_NUM_THREADS", "3", 1);
  EXPECT_EQ(usableCpuCount(), 3);
  unsetenv("OPGRAPH_NUM_THREADS");
  int machine = usableCpuCount();
  EXPECT_GE(machine, 1);
  for (const char *bad : {"0", "-1", "many", "4x", "99999"}) {
    setenv("OPGRAPH_NUM_THREADS", bad, 1);
    EXPECT_EQ(usableCpuCount(), machine) << bad;
  }
  unsetenv("OPGRAPH_NUM_THREADS");
}

TEST(CpuCount, HonoursAffinity) {
  cpu_set_t saved, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof(saved), &saved), 0);
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &saved)) {
      CPU_SET(cpu, &one);
      break;
    }
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  EXPECT_EQ(usableCpuCount(), 1);
  sched_setaffinity(0, sizeof(saved), &saved);
}

TEST(CpuCount, ReadsQuotas) {
  std::string path = ::testing::TempDir() + "opgraph_cpu_max";
  auto read = [&](const char *text) {
    std::ofstream(path) << text;
    return readCpuMax(path.c_str(), 8);
  };
  EXPECT_EQ(read("max 100000\n"), 8);
  EXPECT_EQ(read("200000 100000\n"), 2);
  EXPECT_EQ(read("150000 100000\n"), 2);
  EXPECT_EQ(read("1000 100000\n"), 1);
  EXPECT_EQ(read("1600000 100000\n"), 8);
  EXPECT_EQ(read(""), 8);
  std::remove(path.c_str());
  EXPECT_EQ(readCpuMax(path.c_str(), 8), 8);
}

} // namespace
