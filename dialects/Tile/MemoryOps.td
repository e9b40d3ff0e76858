//===- MemoryOps.td - Views, shared tiles and accesses ------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_TILE_MEMORYOPS_TD
#define OPGRAPH_TILE_MEMORYOPS_TD

include "dialects/Tile/TileBase.td"

def Tile_MakeViewOp : Tile_Op<"view", [Pure, AttrSizedOperandSegments]> {
  let summary = "Describe a strided box of global memory";
  let description = [{
    `offset` elements (i64) from `base`. Operands give the `?` of the type, in
    order. PTX: none.

    ```mlir
    %v = tile.view %x sizes [%m, %n] strides [%ld] : !tile.ptr<bf16, align 16>
        -> !tile.view<?x?xbf16, strides [?:8, 1], align 16>
    ```
  }];
  let arguments = (ins Tile_PtrType:$base, Optional<I64>:$offset,
                       Variadic<I32>:$sizes, Variadic<I64>:$strides);
  let results = (outs Tile_ViewType:$view);
  let assemblyFormat = [{
    $base (`at` $offset^)? (`sizes` `[` $sizes^ `]`)? (`strides` `[` $strides^ `]`)?
    attr-dict `:` type($base) `->` type($view)
  }];
  let hasVerifier = 1;
}

def Tile_LoadOp : Tile_AccessOp<"load", [AttrSizedOperandSegments]> {
  let summary = "Read a register tile from a view";
  let description = [{
    Element (r, c) is `view[offsets + r * e(axes[0]) + c * e(axes[1])]`, axes
    being the last two by default. With `below`, elements with a coordinate that
    is not below its limit are not touched and read as `fill`. Width follows from
    view and distribution. Constraints G1 to G4. PTX: `ld.global[.nc]{.v2,.v4}`,
    predicated per vector.
  }];
  let arguments = (ins Tile_ViewType:$view, Variadic<I32>:$offsets,
    Variadic<I32>:$limits, OptionalAttr<Tile_FillAttr>:$fill,
    OptionalAttr<DenseI32ArrayAttr>:$axes,
    DefaultValuedAttr<Tile_Cache, "Cache::normal">:$cache);
  let results = (outs Tile_RegType:$tile);
  let assemblyFormat = [{
    $view `[` $offsets `]` (`below` `[` $limits^ `]`)? (`fill` `(` $fill^ `)`)?
    (`axes` $axes^)? (`cache` `` $cache^)? attr-dict `:` type($view) `->` type($tile)
  }];
  let hasVerifier = 1;
}

def Tile_StoreOp : Tile_AccessOp<"store", [AttrSizedOperandSegments]> {
  let summary = "Write a register tile to a view";
  let description = [{
    As `tile.load`; of a replicated element one holder writes. Constraints G1 to
    G4. PTX: `st.global{.v2,.v4}`, predicated per vector.
  }];
  let arguments = (ins Tile_RegType:$tile, Tile_ViewType:$view,
    Variadic<I32>:$offsets, Variadic<I32>:$limits,
    OptionalAttr<DenseI32ArrayAttr>:$axes,
    DefaultValuedAttr<Tile_Cache, "Cache::normal">:$cache);
  let assemblyFormat = [{
    $tile `,` $view `[` $offsets `]` (`below` `[` $limits^ `]`)? (`axes` $axes^)?
    (`cache` `` $cache^)? attr-dict `:` type($tile) `,` type($view)
  }];
  let hasVerifier = 1;
}

def Tile_GatherOp : Tile_AccessOp<"gather"> {
  let summary = "Read elements at computed coordinates";
  let description = [{
    The region maps an element's (row, column) to the view's coordinates and
    whether it is read (else 0). `vector` V: evaluated for the first of V
    neighbouring columns, which are neighbours in memory too. Reshape, slice,
    concatenate, embedding and rope fuse as this. PTX: as `tile.load`.
  }];
  let arguments = (ins Tile_ViewType:$view, DefaultValuedAttr<I32Attr, "1">:$vector);
  let results = (outs Tile_RegType:$tile);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $view (`vector` `(` $vector^ `)`)? attr-dict `:` type($view) `->` type($tile) $body
  }];
  let hasRegionVerifier = 1;
}

def Tile_ScatterOp : Tile_AccessOp<"scatter"> {
  let summary = "Write, or atomically combine, elements at computed coordinates";
  let description = [{
    The reverse of `tile.gather`. With `combine` it is a relaxed atomic at gpu
    scope (add, min, max, bit_and, bit_or, bit_xor). PTX: `st.global` or `red.global`.
  }];
  let arguments = (ins Tile_RegType:$tile, Tile_ViewType:$view,
    OptionalAttr<Tile_Combine>:$combine, DefaultValuedAttr<I32Attr, "1">:$vector);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`combine` `` $combine^)? $tile `,` $view (`vector` `(` $vector^ `)`)? attr-dict
    `:` type($tile) `,` type($view) $body
  }];
  let hasRegionVerifier = 1;
}

def Tile_LoadScalarOp : Tile_AccessOp<"load_scalar"> {
  let summary = "Read one element, the same for the whole group";
  let description = "PTX: `ld.{global,shared}` at one address by every thread.";
  let arguments = (ins Tile_Memory:$memory, Variadic<I32>:$indices,
                       DefaultValuedAttr<Tile_Order, "Order::relaxed">:$order);
  let results = (outs Tile_Scalar:$value);
  let assemblyFormat = "$memory `[` $indices `]` (`order` `` $order^)? attr-dict `:` type($memory) `->` type($value)";
  let hasVerifier = 1;
}
def Tile_StoreScalarOp : Tile_AccessOp<"store_scalar"> {
  let summary = "Write one element, by the elected thread";
  let description = "PTX: `st.{global,shared}`, `elect.sync`.";
  let arguments = (ins Tile_Scalar:$value, Tile_Memory:$memory, Variadic<I32>:$indices,
                       DefaultValuedAttr<Tile_Order, "Order::relaxed">:$order);
  let assemblyFormat = "$value `,` $memory `[` $indices `]` (`order` `` $order^)? attr-dict `:` type($value) `,` type($memory)";
  let hasVerifier = 1;
}
def Tile_FetchAddOp : Tile_AccessOp<"fetch_add"> {
  let summary = "Add to one global integer, by the elected thread";
  let description = [{
    `acq_rel` is what the last CTA of a split reduction needs. Constraint G8.
    PTX: `atom.add` between `fence.acq_rel.gpu` (LLVM drops the order of
    `atomicrmw`).
  }];
  let arguments = (ins Tile_PtrType:$pointer, AnySignlessInteger:$value, Tile_Order:$order);
  let results = (outs AnySignlessInteger:$old);
  let assemblyFormat = "$pointer `,` $value `order` `` $order attr-dict `:` type($pointer) `,` type($value) `->` type($old)";
  let hasVerifier = 1;
}

def Tile_AllocSharedOp : Tile_Op<"shared"> {
  let summary = "Reserve a shared tile for the kernel's whole life";
  let description = [{
    Stands in the prologue. `offset` is written by `tile-assign-shared`;
    `overlay` shares the bytes of other tiles (the interpreter checks hazards by
    byte). PTX: dynamic shared memory.
  }];
  let arguments = (ins Variadic<Tile_SharedType>:$overlay, OptionalAttr<I32Attr>:$offset);
  let results = (outs Tile_SharedType:$tile);
  let assemblyFormat = "(`overlay` `(` $overlay^ `:` type($overlay) `)`)? (`offset` `(` $offset^ `)`)? attr-dict `:` type($tile)";
  let hasVerifier = 1;
}

def Tile_SliceOp : Tile_Op<"slice", [Pure]> {
  let summary = "Part of a shared tile";
  let description = [{
    Offsets are i32 operands, one per axis; leading axes may be dropped. A row
    offset of a swizzled tile is a multiple of 8 (known divisor, G5), a column
    offset a multiple of the span. PTX: address arithmetic.
  }];
  let arguments = (ins Tile_SharedType:$tile, Variadic<I32>:$offsets);
  let results = (outs Tile_SharedType:$part);
  let assemblyFormat = "$tile `[` $offsets `]` attr-dict `:` type($tile) `->` type($part)";
  let hasVerifier = 1;
}

def Tile_PeerOp : Tile_Op<"peer", [Pure]> {
  let summary = "The same shared tile of another CTA of the cluster";
  let description = "PTX: `mapa`.";
  let arguments = (ins Tile_SharedType:$tile, I32:$rank);
  let results = (outs Tile_SharedType:$peer);
  let assemblyFormat = "$tile `of` $rank attr-dict `:` type($tile) `->` type($peer)";
}

def Tile_LoadSharedOp : Tile_AccessOp<"load_shared"> {
  let summary = "Read a register tile from a shared tile";
  let description = [{
    `transposed`: element (r, c) is the tile's (c, r). `via` names the
    instruction. Constraints G6, G7. PTX: `ld.shared{.v2,.v4}`, `ldmatrix[.trans]`;
    of a peer `ld.shared::cluster`.
  }];
  let arguments = (ins Tile_SharedType:$shared, Tile_SharedPath:$via, UnitAttr:$transposed);
  let results = (outs Tile_RegType:$tile);
  let assemblyFormat = "$shared `via` `` $via (`transposed` $transposed^)? attr-dict `:` type($shared) `->` type($tile)";
  let hasVerifier = 1;
}
def Tile_StoreSharedOp : Tile_AccessOp<"store_shared"> {
  let summary = "Write a register tile to a shared tile";
  let description = "As `tile.load_shared`. PTX: `st.shared{.v2,.v4}`, `stmatrix[.trans]`.";
  let arguments = (ins Tile_RegType:$tile, Tile_SharedType:$shared, Tile_SharedPath:$via, UnitAttr:$transposed);
  let assemblyFormat = "$tile `,` $shared `via` `` $via (`transposed` $transposed^)? attr-dict `:` type($tile) `,` type($shared)";
  let hasVerifier = 1;
}

#endif // OPGRAPH_TILE_MEMORYOPS_TD
