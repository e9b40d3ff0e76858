//===- Sync.h - Barriers of a GPU, with what they publish -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_TILEINTERPRETER_SYNC_H
#define OPGRAPH_CODEGEN_TILEINTERPRETER_SYNC_H

#include "codegen/TileInterpreter/Clocks.h"

#include <string>

namespace opgraph::tile::interp {

/// Why an operation on a barrier is wrong; empty if it is right.
using Misuse = std::string;

/// A barrier in shared memory: a phase completes when `count` arrivals and all
/// expected bytes have come. Phases count from 0.
class Mbarrier {
public:
  Mbarrier() = default;
  /// `component` is its own in vector clocks, `empty` a Knowledge of nothing.
  Mbarrier(uint32_t component, int64_t count, const Knowledge &empty)
      : component(component), count(count), missing(count), gathered(empty),
        published(empty) {}

  uint32_t getComponent() const { return component; }
  int64_t getCompleted() const { return completed; }
  int64_t getMissingArrivals() const { return missing; }
  int64_t getMissingBytes() const { return bytes; }

  /// `times` arrivals of somebody who knows `by`; `bytes` are expected with
  /// the first.
  Misuse arrive(const Knowledge &by, int64_t times, int64_t expectedBytes = 0);
  /// Bytes that a copy has delivered, perhaps before they are expected.
  Misuse deliver(int64_t deliveredBytes);

  enum class WaitState : uint8_t { Pass, Blocked, Misused };
  /// Whether a wait for `phase` passes. The hardware looks at the phase's
  /// parity only, so any but the current and the last one is a misuse.
  WaitState test(int64_t phase) const;
  /// What the last phase published.
  const Knowledge &getPublished() const { return published; }
  /// The phase that a copy of now completes.
  uint32_t getCurrentTime() const { return uint32_t(completed) + 1; }

private:
  Misuse check();

  uint32_t component = 0;
  int64_t count = 0, missing = 0, bytes = 0, completed = 0;
  Knowledge gathered, published;
};

/// A hardware barrier of a fixed number of threads.
class NamedBarrier {
public:
  NamedBarrier() = default;
  NamedBarrier(int64_t threads, const Knowledge &empty)
      : threads(threads), gathered(empty), published(empty) {}

  int64_t getGeneration() const { return generation; }
  int64_t getMissing() const { return threads - arrived; }

  /// Adds `count` threads that know `by`. The generation that they belong to.
  int64_t arrive(const Knowledge &by, int64_t count, Misuse &misuse);
  bool isOver(int64_t ofGeneration) const { return generation > ofGeneration; }
  const Knowledge &getPublished() const { return published; }

private:
  int64_t threads = 0, arrived = 0, generation = 0;
  Knowledge gathered, published;
};

} // namespace opgraph::tile::interp

#endif // OPGRAPH_CODEGEN_TILEINTERPRETER_SYNC_H
