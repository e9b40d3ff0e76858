//===- SyncOps.td - Rings, barriers and fences --------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_TILE_SYNCOPS_TD
#define OPGRAPH_TILE_SYNCOPS_TD

include "dialects/Tile/TileBase.td"

def Tile_MakeRingOp : Tile_OrderOp<"ring"> {
  let summary = "Make a ring of shared slots";
  let description = [{
    A slot is full when its bytes have arrived (`bytes`), after `fills` arrivals
    (`arrivals`), or when its producers' cp.async copies have landed (`copies`);
    it is free after `frees` arrivals. `scope cluster`: slots are released to
    every CTA of the cluster. Stage and parity are each agent's own: its n-th
    acquire (wait) of the ring is stage n mod S, phase n div S. PTX:
    `mbarrier.init` of 2 S barriers, `fence.mbarrier_init`, CTA or cluster
    barrier (once, after the prologue). Constraints P1 to P5.

    ```mlir
    %ring = tile.ring filled_by(bytes) freed_by(2) : !ring
    ```
  }];
  let arguments = (ins Tile_FilledBy:$filled_by,
    DefaultValuedAttr<I32Attr, "1">:$fills, I32Attr:$frees,
    DefaultValuedAttr<Tile_Scope, "Scope::cta">:$scope,
    OptionalAttr<I32Attr>:$offset);
  let results = (outs Tile_RingType:$ring);
  let assemblyFormat = [{
    `filled_by` `(` $filled_by (`,` $fills^)? `)` `freed_by` `(` $frees `)` (`scope` `` $scope^)?
    (`offset` `(` $offset^ `)`)? attr-dict `:` type($ring)
  }];
  let hasVerifier = 1;
}

class Tile_TakeOp<string mnemonic> : Tile_OrderOp<mnemonic,
    [DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let arguments = (ins Tile_RingType:$ring);
  let results = (outs Tile_SlotType:$slot, Variadic<Tile_SharedType>:$fields);
  let assemblyFormat = "$ring attr-dict `:` type($ring)";
}
def Tile_AcquireOp : Tile_TakeOp<"acquire"> {
  let summary = "Producer: wait until the next slot is free";
  let description = "The first S never wait. PTX: `mbarrier.try_wait.parity` loop.";
}
def Tile_WaitOp : Tile_TakeOp<"wait"> {
  let summary = "Consumer: wait until the next slot is full";
  let description = "PTX: `mbarrier.try_wait.parity` loop (acquire).";
}

def Tile_FillOp : Tile_OrderOp<"fill", [AttrSizedOperandSegments]> {
  let summary = "Producer: arrive for a slot's contents";
  let description = [{
    `bytes` (static or computed) is what copies `on` this slot will deliver to
    this CTA. Plain words and ordinary stores come before it. Constraints P2, P3.
    PTX: `mbarrier.arrive.expect_tx` (bytes, elected), `mbarrier.arrive`
    (arrivals, by `by`), `cp.async.mbarrier.arrive.noinc` (copies).
  }];
  let arguments = (ins Tile_Slot:$slot, Optional<I32>:$dynamic_bytes,
    OptionalAttr<I32Attr>:$bytes, Optional<I32>:$rank,
    DefaultValuedAttr<Tile_ArriveBy, "ArriveBy::one">:$by,
    DefaultValuedAttr<Tile_Order, "Order::release">:$order,
    DefaultValuedAttr<Tile_Scope, "Scope::cta">:$scope);
  let assemblyFormat = [{
    $slot (`bytes` `(` $bytes^ `)`)? (`bytes_of` $dynamic_bytes^)? (`peer` $rank^)?
    (`by` `` $by^)? (`order` `` $order^)? (`scope` `` $scope^)? attr-dict `:` type($slot)
  }];
  let hasVerifier = 1;
}

def Tile_ReleaseOp : Tile_OrderOp<"release", [AttrSizedOperandSegments]> {
  let summary = "Consumer: give a slot back";
  let description = [{
    `by`, `order` and `scope` are printed and checked against what the slot was
    read with (P4). `pin %v, %z`: a register value and an i32 argument that is 0
    at run time; ptxas cannot sink what makes %v below this arrive. PTX:
    `mbarrier.arrive[.relaxed][.shared::cluster]` (to peers by `mapa`).
  }];
  let arguments = (ins Tile_SlotType:$slot, Optional<Tile_RegType>:$pin, Optional<I32>:$zero,
    DefaultValuedAttr<Tile_ArriveBy, "ArriveBy::one">:$by,
    DefaultValuedAttr<Tile_Order, "Order::release">:$order,
    DefaultValuedAttr<Tile_Scope, "Scope::cta">:$scope);
  let assemblyFormat = [{
    $slot (`pin` $pin^ `,` $zero `:` type($pin))? (`by` `` $by^)? (`order` `` $order^)?
    (`scope` `` $scope^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Tile_DrainOp : Tile_OrderOp<"drain"> {
  let summary = "Producer: wait until every slot has been given back";
  let description = "Before a CTA of a cluster exits (P5). PTX: S parity waits.";
  let arguments = (ins Tile_RingType:$ring);
  let assemblyFormat = "$ring attr-dict `:` type($ring)";
}

def Tile_MakeSemaphoreOp : Tile_OrderOp<"semaphore"> {
  let summary = "Make a lone semaphore";
  let description = [{
    Its phase completes after `count` arrivals and all expected bytes. An agent's
    n-th `tile.await` waits for phase n. `tile.fill` arrives. PTX: `mbarrier.init`.
  }];
  let arguments = (ins OptionalAttr<I32Attr>:$offset);
  let results = (outs Tile_SemaphoreType:$semaphore);
  let assemblyFormat = "(`offset` `(` $offset^ `)`)? attr-dict `:` type($semaphore)";
}
def Tile_AwaitOp : Tile_OrderOp<"await"> {
  let summary = "Wait for the next phase of a semaphore";
  let description = "PTX: `mbarrier.try_wait.parity[.acquire.scope]` loop.";
  let arguments = (ins Tile_SemaphoreType:$semaphore,
                       DefaultValuedAttr<Tile_Scope, "Scope::cta">:$scope);
  let assemblyFormat = "$semaphore (`scope` `` $scope^)? attr-dict `:` type($semaphore)";
}

def Tile_SyncOp : Tile_OrderOp<"sync"> {
  let summary = "Wait for all threads of the group (or of each warp)";
  let description = "PTX: `bar.sync id, threads` (id of the group), `bar.warp.sync`.";
  let arguments = (ins DefaultValuedAttr<Tile_Scope, "Scope::group">:$scope);
  let assemblyFormat = "custom<SyncScope>($scope) attr-dict";
}
def Tile_MakeBarrierOp : Tile_OrderOp<"barrier"> {
  let summary = "Reserve a named hardware barrier";
  let description = "At most 16 a kernel, groups' own included (K7). PTX: a constant id.";
  let arguments = (ins OptionalAttr<I32Attr>:$id);
  let results = (outs Tile_BarrierType:$barrier);
  let assemblyFormat = "(`id` `(` $id^ `)`)? attr-dict `:` type($barrier)";
}
class Tile_BarrierUse<string mnemonic> : Tile_OrderOp<mnemonic> {
  let arguments = (ins Tile_BarrierType:$barrier, Optional<I32>:$index);
  let assemblyFormat = "$barrier (`[` $index^ `]`)? attr-dict `:` type($barrier)";
}
def Tile_BarrierArriveOp : Tile_BarrierUse<"barrier_arrive"> {
  let summary = "Arrive at a named barrier and go on";
  let description = [{
    PTX: `barrier.arrive id, n`; with `index` a register id (ptxas then reserves
    all 16: one CTA an SM).
  }];
}
def Tile_BarrierSyncOp : Tile_BarrierUse<"barrier_sync"> {
  let summary = "Arrive at a named barrier and wait";
  let description = "PTX: `barrier.sync id, n`, as `tile.barrier_arrive`.";
}

def Tile_FenceProxyOp : Tile_OrderOp<"fence_proxy"> {
  let summary = "Let asynchronous copies and MMAs see own ordinary writes";
  let description = [{
    By every writing thread, before the barrier or arrive that hands the bytes
    over. PTX: `fence.proxy.async{.shared::cta,.global}`.
  }];
  let arguments = (ins Tile_Proxy:$proxy);
  let assemblyFormat = "`` $proxy attr-dict";
}
def Tile_FenceOp : Tile_OrderOp<"fence"> {
  let summary = "Order own ordinary accesses at a scope";
  let description = "PTX: `fence.acq_rel.{cta,cluster,gpu,sys}`.";
  let arguments = (ins Tile_Scope:$scope);
  let assemblyFormat = "`` $scope attr-dict";
}
def Tile_ClusterArriveOp : Tile_OrderOp<"cluster_arrive"> {
  let summary = "Arrive at the cluster's barrier and go on";
  let description = "PTX: `barrier.cluster.arrive.{release,relaxed}.aligned`.";
  let arguments = (ins DefaultValuedAttr<Tile_Order, "Order::release">:$order);
  let assemblyFormat = "(`order` `` $order^)? attr-dict";
}
def Tile_ClusterWaitOp : Tile_OrderOp<"cluster_wait"> {
  let summary = "Wait for the cluster's barrier";
  let description = "PTX: `barrier.cluster.wait.acquire.aligned`.";
  let assemblyFormat = "attr-dict";
}
def Tile_GridWaitOp : Tile_OrderOp<"grid_wait"> {
  let summary = "Wait until the kernel before this one has finished writing";
  let description = "PTX: `griddepcontrol.wait`.";
  let assemblyFormat = "attr-dict";
}
def Tile_GridLaunchOp : Tile_OrderOp<"grid_launch"> {
  let summary = "Let the kernel after this one start";
  let description = "PTX: `griddepcontrol.launch_dependents`.";
  let assemblyFormat = "attr-dict";
}

#endif // OPGRAPH_TILE_SYNCOPS_TD
