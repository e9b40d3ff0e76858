//===- Pool.h - Handles and variant packs of a device -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
///
/// \file
/// Making a handle takes milliseconds and device memory, making a variant pack
/// allocates: both are made when the first plan is prepared for a device, and
/// executions borrow them.
///
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_CUDNN_POOL_H
#define OPGRAPH_RUNTIME_CUDNN_POOL_H

#include "runtime/Cudnn/Descriptor.h"

#include <atomic>

namespace opgraph::runtime::cudnn {

/// What one execution at a time uses.
struct ExecutionState {
  Handle handle = nullptr;
  Desc pack = nullptr;
};

/// The states of one device. They live as long as the process.
class StatePool {
public:
  /// Executions that run at once on a device; further threads wait for the
  /// microseconds that one takes to be enqueued.
  static constexpr uint32_t size = 2;

  /// The pool of the device whose context is current; filled by its first call.
  static og_status get(const Library &library, int ordinal, StatePool **out);

  ExecutionState &acquire(uint32_t &index);
  void release(uint32_t index) {
    free.fetch_or(1u << index, std::memory_order_release);
  }

private:
  og_status fill(const Library &library, int ordinal);

  ExecutionState states[size];
  /// Bit by state.
  std::atomic<uint32_t> free{0};
};

/// Borrows a state while it lives.
class StateLease {
public:
  explicit StateLease(StatePool &pool)
      : pool(pool), state(pool.acquire(index)) {}
  ~StateLease() { pool.release(index); }
  StateLease(const StateLease &) = delete;
  StateLease &operator=(const StateLease &) = delete;

  const ExecutionState *operator->() const { return &state; }

private:
  StatePool &pool;
  uint32_t index = 0;
  ExecutionState &state;
};

} // namespace opgraph::runtime::cudnn

#endif // OPGRAPH_RUNTIME_CUDNN_POOL_H
