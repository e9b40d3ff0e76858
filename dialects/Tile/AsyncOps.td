//===- AsyncOps.td - Asynchronous copies --------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_TILE_ASYNCOPS_TD
#define OPGRAPH_TILE_ASYNCOPS_TD

include "dialects/Tile/TileBase.td"

def Tile_CpAsyncOp : Tile_AccessOp<"cp_async", [AttrSizedOperandSegments]> {
  let summary = "Copy a box of a view to a shared tile, 4 to 16 bytes a thread";
  let description = [{
    Rows and columns beyond the limits are zero-filled. Constraints A1, A2. PTX:
    `cp.async.{ca,cg}.shared.global` with src-size.
  }];
  let arguments = (ins Tile_ViewType:$view, Variadic<I32>:$offsets,
    Variadic<I32>:$limits, Tile_SharedType:$to, I32Attr:$bytes);
  let assemblyFormat = [{
    $view `[` $offsets `]` (`below` `[` $limits^ `]`)? `to` $to `bytes` `(` $bytes `)`
    attr-dict `:` type($view) `,` type($to)
  }];
  let hasVerifier = 1;
}

def Tile_BulkLoadOp : Tile_AccessOp<"bulk_load"> {
  let summary = "Copy a contiguous run of global memory to a shared tile";
  let description = [{
    `size` bytes, a multiple of 16, from element `offset`; both ends 16-byte
    aligned. Completes `on` a slot or semaphore. PTX:
    `cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes`.
  }];
  let arguments = (ins Tile_PtrType:$from, I64:$offset, I32:$size,
                       Tile_SharedType:$to, Tile_Slot:$on);
  let assemblyFormat = "$from `[` $offset `]` `size` $size `to` $to `on` $on attr-dict `:` type($from) `,` type($to) `,` type($on)";
  let hasVerifier = 1;
}

def Tile_TensorLoadOp : Tile_AccessOp<"tensor_load", [AttrSizedOperandSegments]> {
  let summary = "Copy a box of a tensor map to a shared tile";
  let description = [{
    Coordinates are outermost first; elements outside of the tensor are zero and
    count as bytes. A tile of P planes is P boxes. `multicast` is the mask of
    CTAs of the cluster that receive the box, each at its own slot. Constraints
    A3 to A6. PTX: `cp.async.bulk.tensor.Nd.shared::cluster.global[.im2col]...
    [.multicast::cluster][.L2::cache_hint]`, elected.

    With `im2col` the coordinates are the first pixel's, before the filter's
    offsets (one for each of D, H, W, at least 0) are added. Pixels go on along
    W, by the map's steps, from W's upper corner to the next row's lower one, so
    through H, D and N. A pixel outside of the image, its offsets added, is
    zero.

    ```mlir
    tile.tensor_load %x[%n, %h, %w, %c] im2col [%r, %s] to %tile on %slot
        : !tile.tensor_map<128x1x1x64xbf16, sw128, im2col>,
          !tile.shared<128x64xbf16, sw128>, !tile.slot
    ```
  }];
  let arguments = (ins Tile_TensorMapType:$map, Variadic<I32>:$coordinates,
    Variadic<I16>:$im2col_offsets, Tile_SharedType:$to, Tile_Slot:$on,
    Optional<I16>:$multicast, DefaultValuedAttr<Tile_Cache, "Cache::normal">:$cache);
  let assemblyFormat = [{
    $map `[` $coordinates `]` (`im2col` `[` $im2col_offsets^ `]`)? `to` $to `on` $on
    (`multicast` $multicast^)? (`cache` `` $cache^)? attr-dict
    `:` type($map) `,` type($to) `,` type($on)
  }];
  let hasVerifier = 1;
}

def Tile_TensorStoreOp : Tile_AccessOp<"tensor_store"> {
  let summary = "Copy a shared tile to a box of a tensor map, or combine it in";
  let description = [{
    Clips at the tensor's end. Joins the issuing thread's bulk queue. Constraints
    A3, A4, A7, A9. PTX: `cp.async.bulk.tensor.Nd.global.shared::cta`,
    `cp.reduce.async.bulk.tensor` with `combine`; elected.
  }];
  let arguments = (ins Tile_SharedType:$from, Tile_TensorMapType:$map,
    Variadic<I32>:$coordinates, OptionalAttr<Tile_Combine>:$combine);
  let assemblyFormat = [{
    (`combine` `` $combine^)? $from `,` $map `[` $coordinates `]` attr-dict
    `:` type($from) `,` type($map)
  }];
  let hasVerifier = 1;
}
def Tile_BulkStoreOp : Tile_AccessOp<"bulk_store"> {
  let summary = "Copy a shared tile to a contiguous run of global memory";
  let description = [{
    As `tile.bulk_load`, in the bulk queue. Constraints A7, A9. PTX:
    `cp.async.bulk.global.shared::cta.bulk_group`, `cp.reduce.async.bulk`.
  }];
  let arguments = (ins Tile_SharedType:$from, Tile_PtrType:$to, I64:$offset,
                       I32:$size, OptionalAttr<Tile_Combine>:$combine);
  let assemblyFormat = "(`combine` `` $combine^)? $from `,` $to `[` $offset `]` `size` $size attr-dict `:` type($from) `,` type($to)";
  let hasVerifier = 1;
}

def Tile_CpCommitOp : Tile_OrderOp<"cp_commit"> {
  let summary = "Close a group of cp.async copies";
  let description = "PTX: `cp.async.commit_group`.";
  let assemblyFormat = "attr-dict";
}
def Tile_BulkCommitOp : Tile_OrderOp<"bulk_commit"> {
  let summary = "Close a group of bulk stores";
  let description = "PTX: `cp.async.bulk.commit_group`, elected.";
  let assemblyFormat = "attr-dict";
}
def Tile_CpWaitOp : Tile_OrderOp<"cp_wait"> {
  let summary = "Wait until at most N groups of own cp.async copies are open";
  let description = "Orders own copies only: a `tile.sync` follows. PTX: `cp.async.wait_group N`.";
  let arguments = (ins I32Attr:$pending);
  let assemblyFormat = "`pending` `(` $pending `)` attr-dict";
}
def Tile_BulkWaitOp : Tile_OrderOp<"bulk_wait"> {
  let summary = "Wait until at most N groups of bulk stores are open";
  let description = [{
    `read`: until their sources have been read. Only the issuing thread waits: a
    `tile.sync` tells the others. PTX: `cp.async.bulk.wait_group[.read] N`, elected.
  }];
  let arguments = (ins I32Attr:$pending, UnitAttr:$read);
  let assemblyFormat = "`pending` `(` $pending `)` (`read` $read^)? attr-dict";
}

def Tile_PrefetchMapOp : Tile_AccessOp<"prefetch_map"> {
  let summary = "Fetch a tensor map ahead of its use";
  let description = "PTX: `prefetch.tensormap`.";
  let arguments = (ins Tile_TensorMapType:$map);
  let assemblyFormat = "$map attr-dict `:` type($map)";
}
def Tile_CopyMapOp : Tile_AccessOp<"copy_map"> {
  let summary = "Copy a tensor map to a workspace slot, to be edited";
  let description = [{
    To byte 128 * `slot` of `workspace` (128-byte aligned). Every map that a
    kernel edits starts as a copy of an argument. PTX: 8 `st.global.v4` by lanes 0-7.
  }];
  let arguments = (ins Tile_TensorMapType:$map, Tile_PtrType:$workspace, I32:$slot);
  let results = (outs Tile_TensorMapType:$copy);
  let assemblyFormat = "$map `to` $workspace `[` $slot `]` attr-dict `:` type($map) `,` type($workspace) `->` type($copy)";
}
def Tile_ReplaceMapOp : Tile_AccessOp<"replace_map"> {
  let summary = "Replace the address, an extent or a stride of a tensor map";
  let description = [{
    `value` is a pointer, i32 extent, or i64 stride in bytes (16-byte multiple).
    PTX: `tensormap.replace.tile.{global_address,global_dim,global_stride}`,
    inline; elected.
  }];
  let arguments = (ins Tile_TensorMapType:$map, Tile_MapField:$field,
    DefaultValuedAttr<I32Attr, "0">:$axis, AnyType:$value);
  let assemblyFormat = "$map `` $field `` `[` $axis `]` `=` $value attr-dict `:` type($map) `,` type($value)";
  let hasVerifier = 1;
}
def Tile_PublishMapOp : Tile_OrderOp<"publish_map"> {
  let summary = "Make an edited tensor map usable by copies that follow";
  let description = [{
    PTX: `fence.proxy.tensormap::generic.release.gpu` by the editor, a group
    sync, `fence.proxy.tensormap::generic.acquire.gpu [map], 128`.
  }];
  let arguments = (ins Tile_TensorMapType:$map);
  let assemblyFormat = "$map attr-dict `:` type($map)";
}

#endif // OPGRAPH_TILE_ASYNCOPS_TD
