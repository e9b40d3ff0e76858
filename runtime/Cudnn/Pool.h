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
#include <cstring>

namespace opgraph::runtime::cudnn {

/// The operands that a variant pack was finalised with.
class PackContents {
public:
  /// Whether the pack holds these already. What the library reads from the host
  /// may have changed behind the same addresses: such operands do not come
  /// here.
  bool matches(const int64_t *otherUids, void *const *otherData, size_t count,
               const void *otherWorkspace) const {
    return count == size && workspace == otherWorkspace &&
           std::memcmp(uids, otherUids, count * sizeof(*uids)) == 0 &&
           std::memcmp(data, otherData, count * sizeof(*data)) == 0;
  }
  void remember(const int64_t *newUids, void *const *newData, size_t count,
                const void *newWorkspace) {
    if (count > most)
      return;
    size = count;
    workspace = newWorkspace;
    std::memcpy(uids, newUids, count * sizeof(*uids));
    std::memcpy(data, newData, count * sizeof(*data));
  }
  void forget() { size = none; }

private:
  static constexpr size_t most = 24, none = SIZE_MAX;

  size_t size = none;
  const void *workspace = nullptr;
  int64_t uids[most];
  void *data[most];
};

/// What one execution at a time uses.
struct ExecutionState {
  Handle handle = nullptr;
  Desc pack = nullptr;
  PackContents contents;
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

  ExecutionState &operator*() { return state; }
  ExecutionState *operator->() { return &state; }

private:
  StatePool &pool;
  uint32_t index = 0;
  ExecutionState &state;
};

} // namespace opgraph::runtime::cudnn

#endif // OPGRAPH_RUNTIME_CUDNN_POOL_H
