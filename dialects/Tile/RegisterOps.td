//===- RegisterOps.td - Computing on register tiles ---------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_TILE_REGISTEROPS_TD
#define OPGRAPH_TILE_REGISTEROPS_TD

include "dialects/Tile/TileBase.td"

def Tile_SplatOp : Tile_RegisterOp<"splat", [Pure]> {
  let summary = "A register tile of one value";
  let description = "PTX: `mov`.";
  let arguments = (ins Tile_Scalar:$value);
  let results = (outs Tile_RegType:$tile);
  let assemblyFormat = "$value attr-dict `:` type($value) `->` type($tile)";
}

def Tile_MapOp : Tile_RegisterOp<"map", [Pure, RecursiveMemoryEffects]> {
  let summary = "Compute a tile element by element";
  let description = [{
    The region has one scalar argument per operand and yields one per result; it
    holds arith, math and `tile.coord`, and may use scalars from outside. An
    operand with an extent of 1 (or, of a `partial` by blocks, one per block) is
    broadcast. Constraints V1 to V3. PTX: the scalar ops per element, two to an
    instruction for pairs of 16-bit floats.

    ```mlir
    %e = tile.map (%a = %f, %m = %max) : (!row, !stat) -> !row {
      %d = arith.subf %a, %m : f32
      %x = math.exp2 %d fastmath<afn> : f32
      tile.yield %x : f32
    }
    ```
  }];
  let arguments = (ins Variadic<Tile_RegType>:$inputs);
  let results = (outs Variadic<Tile_RegType>:$tiles);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "custom<MapBody>($inputs, type($inputs), type($tiles), $body) attr-dict";
  let hasRegionVerifier = 1;
}
def Tile_CoordOp : Tile_RegisterOp<"coord", [Pure]> {
  let summary = "The element's row or column within its tile";
  let description = "Stands in a `tile.map`. PTX: lane arithmetic, shared by a thread's elements.";
  let arguments = (ins Tile_Axis:$axis);
  let results = (outs I32:$index);
  let assemblyFormat = "`` $axis attr-dict";
  let hasVerifier = 1;
}
def Tile_YieldOp : Tile_RegisterOp<"yield", [Pure, Terminator, ReturnLike]> {
  let summary = "Results of a region of scalars";
  let description = "PTX: none.";
  let arguments = (ins Variadic<Tile_Scalar>:$values);
  let assemblyFormat = "$values attr-dict `:` type($values)";
}

def Tile_ReduceOp : Tile_RegisterOp<"reduce"> {
  let summary = "Combine a tile along an axis";
  let description = [{
    Within a thread (registers), a warp (and shuffles) or the group (and one
    shared word per warp and line, `through`); `block` B combines runs of B
    elements. Order of combination is fixed: registers ascending, lanes by
    butterfly, warps ascending. At level group: store, `tile.sync`, load; nothing
    guards `through` afterwards (two scratch tiles in turn do; the interpreter
    checks). Constraints V4, V5. PTX: op per register, `shfl.sync.bfly`,
    `st/ld.shared`, `bar.sync`.

    ```mlir
    %m = tile.reduce max %f along cols within group through %s : !row, !scratch -> !stat
    ```
  }];
  let arguments = (ins Tile_Combine:$combine, Tile_RegType:$tile, Tile_Axis:$axis,
    Tile_ReduceLevel:$level, OptionalAttr<I32Attr>:$block, Optional<Tile_SharedType>:$through);
  let results = (outs Tile_RegType:$result);
  let assemblyFormat = [{
    `` $combine $tile `along` `` $axis `within` `` $level (`block` `(` $block^ `)`)?
    (`through` $through^ `:` type($through))? attr-dict `:` type($tile) `->` type($result)
  }];
  let hasVerifier = 1;
}
def Tile_ReduceWithOp : Tile_RegisterOp<"reduce_with", [AttrSizedOperandSegments]> {
  let summary = "Combine several tiles along an axis with a region";
  let description = [{
    The region takes two elements of each tile and yields one of each: mean and
    M2 (Chan), argmax, online softmax. Else, and in PTX, as `tile.reduce`;
    `through` has one shared tile for each tile.
  }];
  let arguments = (ins Variadic<Tile_RegType>:$tiles, Tile_Axis:$axis,
    Tile_ReduceLevel:$level, Variadic<Tile_SharedType>:$through);
  let results = (outs Variadic<Tile_RegType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $tiles `along` `` $axis `within` `` $level (`through` `(` $through^ `:` type($through) `)`)?
    attr-dict `:` type($tiles) `->` type($results) $body
  }];
  let hasRegionVerifier = 1;
}

def Tile_ExtractOp : Tile_RegisterOp<"extract", [Pure]> {
  let summary = "A static part of a register tile, in place";
  let description = "Every thread keeps its own elements (V6). PTX: none.";
  let arguments = (ins Tile_RegType:$tile, I32Attr:$row, I32Attr:$col);
  let results = (outs Tile_RegType:$part);
  let assemblyFormat = "$tile `[` $row `,` $col `]` attr-dict `:` type($tile) `->` type($part)";
  let hasVerifier = 1;
}
def Tile_RelabelOp : Tile_RegisterOp<"relabel", [Pure]> {
  let summary = "See a tile under another distribution that is thread by thread equal";
  let description = "An accumulator's pairs as operand A (V6). PTX: none.";
  let arguments = (ins Tile_RegType:$tile);
  let results = (outs Tile_RegType:$result);
  let assemblyFormat = "$tile attr-dict `:` type($tile) `->` type($result)";
  let hasVerifier = 1;
}
def Tile_UnpackOp : Tile_RegisterOp<"unpack", [Pure]> {
  let summary = "Bytes as pairs of 4-bit elements";
  let description = [{
    Columns 2c and 2c + 1 of the result are the low and the high half of column
    c, each in a byte of its own whose other half is 0; every thread keeps what
    it holds (V7). PTX: `and`, `shr`.
  }];
  let arguments = (ins Tile_RegType:$tile);
  let results = (outs Tile_RegType:$result);
  let assemblyFormat = "$tile attr-dict `:` type($tile) `->` type($result)";
  let hasVerifier = 1;
}
def Tile_PackOp : Tile_RegisterOp<"pack", [Pure]> {
  let summary = "Pairs of 4-bit elements as bytes";
  let description = [{
    The reverse of `tile.unpack`; of each element the low half counts (V7). So one
    thread writes both halves of a byte. PTX: `and`, `shl`, `or`.
  }];
  let arguments = (ins Tile_RegType:$tile);
  let results = (outs Tile_RegType:$result);
  let assemblyFormat = "$tile attr-dict `:` type($tile) `->` type($result)";
  let hasVerifier = 1;
}
def Tile_ConvertOp : Tile_RegisterOp<"convert"> {
  let summary = "Move a tile to another distribution through shared memory";
  let description = "PTX: `st.shared`/`stmatrix`, `bar.sync`, `ld.shared`/`ldmatrix`.";
  let arguments = (ins Tile_RegType:$tile, Tile_SharedType:$through);
  let results = (outs Tile_RegType:$result);
  let assemblyFormat = "$tile `through` $through `:` type($through) attr-dict `:` type($tile) `->` type($result)";
  let hasVerifier = 1;
}
def Tile_ScalarOp : Tile_RegisterOp<"scalar", [Pure]> {
  let summary = "The value of a 1 x 1 tile";
  let description = "PTX: none; every thread has it.";
  let arguments = (ins Tile_RegType:$tile);
  let results = (outs Tile_Scalar:$value);
  let assemblyFormat = "$tile attr-dict `:` type($tile) `->` type($value)";
  let hasVerifier = 1;
}
def Tile_AnyOp : Tile_RegisterOp<"any", [Pure]> {
  let summary = "Whether any element of the warp's part holds";
  let description = [{
    Uniform per warp only: an `scf.if` on it may hold no op whose executor is
    the group (K8). PTX: `vote.sync.any`.
  }];
  let arguments = (ins Tile_RegType:$tile);
  let results = (outs I1:$any);
  let assemblyFormat = "$tile attr-dict `:` type($tile)";
  let hasVerifier = 1;
}

#endif // OPGRAPH_TILE_REGISTEROPS_TD
