//===- Access.h - What ops touch, and what they order -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_DIALECTS_TILE_ACCESS_H
#define OPGRAPH_DIALECTS_TILE_ACCESS_H

#include "dialects/Tile/Targets.h"
#include "mlir/IR/Value.h"

namespace opgraph::tile {

enum class Order : uint32_t;
enum class Scope : uint32_t;
enum class ArriveBy : uint32_t;

/// Who runs an op: all threads of the group, converged; one thread on behalf of
/// the group; or each warp alone.
enum class Executor : uint8_t { Group, Elected, Warp };

/// Ordinary accesses of threads, and those of copy engine and tensor cores.
enum class AccessProxy : uint8_t { Generic, Async };

/// Queues that a commit closes a group of, and a wait waits for.
enum class Queue : uint8_t { None, Copy, BulkRead, BulkWrite, Mma };

/// One access of an op to memory. It is complete at once (`queue` None, no
/// semaphore), with a phase of `semaphore`, or with a group of `queue`.
struct Access {
  mlir::Value memory; ///< view, pointer, tensor map or shared tile
  bool isWrite = false;
  AccessProxy proxy = AccessProxy::Generic;
  Queue queue = Queue::None;
  mlir::Value semaphore = {}; ///< slot or semaphore
};

/// The edge of happens-before that an op makes.
struct SyncEffect {
  enum Kind : uint8_t {
    Arrive,
    Await,
    Barrier,
    BarrierArrive,
    ClusterArrive,
    ClusterWait,
    Commit,
    WaitQueue,
    FenceProxy,
    Fence,
    MmaFence,
    Init
  };
  Kind kind;
  mlir::Value object = {}; ///< ring, slot, semaphore, barrier; null for queues
  Queue queue = Queue::None;
  int32_t pending = 0;
  Order order = static_cast<Order>(2); ///< release
  Scope scope = static_cast<Scope>(2); ///< cta
  ArriveBy by = static_cast<ArriveBy>(0);
  bool expectsBytes = false;
};

} // namespace opgraph::tile

#endif // OPGRAPH_DIALECTS_TILE_ACCESS_H
