//===- Sync.cpp - Barriers of a GPU, with what they publish ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/Sync.h"

#include <utility>

using namespace opgraph::tile::interp;

/// The pending byte count of an mbarrier is a signed number of 21 bits.
static constexpr int64_t maxBytes = (1 << 20) - 1;

Misuse Mbarrier::check() {
  if (bytes > maxBytes || bytes < -maxBytes)
    return "the phase counts " + std::to_string(bytes) +
           " bytes, more than 2^20 - 1";
  if (missing > 0 || bytes != 0)
    return {};
  ++completed;
  missing = count;
  std::swap(published, gathered);
  gathered.clear();
  published.seen.raise(component, uint32_t(completed));
  return {};
}

Misuse Mbarrier::arrive(const Knowledge &by, int64_t times,
                        int64_t expectedBytes) {
  if (times > missing)
    return std::to_string(times) + " arrival(s) at phase " +
           std::to_string(completed) + ", which misses " +
           std::to_string(missing) + " of " + std::to_string(count);
  gathered.join(by);
  missing -= times;
  bytes += expectedBytes;
  return check();
}

Misuse Mbarrier::deliver(int64_t deliveredBytes) {
  bytes -= deliveredBytes;
  return check();
}

Mbarrier::WaitState Mbarrier::test(int64_t phase) const {
  if (phase == completed)
    return WaitState::Blocked;
  return phase == completed - 1 ? WaitState::Pass : WaitState::Misused;
}

int64_t NamedBarrier::arrive(const Knowledge &by, int64_t count,
                             Misuse &misuse) {
  int64_t own = generation;
  if (arrived + count > threads) {
    misuse = std::to_string(count) + " threads arrive where " +
             std::to_string(threads - arrived) + " of " +
             std::to_string(threads) + " are missing";
    return own;
  }
  gathered.join(by);
  arrived += count;
  if (arrived == threads) {
    ++generation;
    arrived = 0;
    std::swap(published, gathered);
    gathered.clear();
  }
  return own;
}
