//===- StageTimer.h - How long each stage of a graph took -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_LIB_SUPPORT_STAGETIMER_H
#define OPGRAPH_LIB_SUPPORT_STAGETIMER_H

#include "lib/Graph/GraphImpl.h"
#include <chrono>

namespace opgraph::lib {

/// Records the time of its own life as a stage of the graph.
class StageTimer {
public:
  StageTimer(GraphImpl &graph, const char *stage, int64_t plan = -1)
      : graph(graph), stage(stage), plan(plan),
        start(std::chrono::steady_clock::now()) {}
  ~StageTimer() {
    auto time = std::chrono::steady_clock::now() - start;
    graph.stages.push_back(
        {stage, plan,
         std::chrono::duration_cast<std::chrono::nanoseconds>(time).count()});
  }
  StageTimer(const StageTimer &) = delete;
  StageTimer &operator=(const StageTimer &) = delete;

private:
  GraphImpl &graph;
  const char *stage;
  int64_t plan;
  std::chrono::steady_clock::time_point start;
};

} // namespace opgraph::lib

#endif // OPGRAPH_LIB_SUPPORT_STAGETIMER_H
