//===- MmaOps.td - Matrix multiply-accumulate ---------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_TILE_MMAOPS_TD
#define OPGRAPH_TILE_MMAOPS_TD

include "dialects/Tile/TileBase.td"

class Tile_MmaOp<string mnemonic, list<Trait> traits = []>
    : Tile_OrderOp<mnemonic, traits> { let docGroup = "MMA"; }

def Tile_MmaFenceOp : Tile_MmaOp<"mma_fence"> {
  let summary = "Order register writes before the asynchronous MMAs that follow";
  let description = "PTX: `wgmma.fence.sync.aligned`.";
  let assemblyFormat = "attr-dict";
}
def Tile_MmaAsyncOp : Tile_AccessOp<"mma_async"> {
  let summary = "Start D = A * B + C on a warpgroup";
  let description = [{
    A is a shared tile of (64 m) x K or a register operand, B a shared tile of
    N x K (`major k`) or K x N (`mn`); C is a tile, a pending one, or absent (D =
    A * B). K / k instructions, by rows of 64. Constraints W1 to W7. PTX:
    `wgmma.mma_async.sync.aligned.m64nNkK.{f32,f16,s32}.T.T`, scale-D 0 without
    C.
  }];
  let arguments = (ins AnyTypeOf<[Tile_SharedType, Tile_RegType]>:$a, Tile_SharedType:$b,
    Optional<AnyTypeOf<[Tile_RegType, Tile_PendingType]>>:$c,
    DefaultValuedAttr<Tile_Major, "Major::k">:$a_major,
    DefaultValuedAttr<Tile_Major, "Major::k">:$b_major);
  let results = (outs Tile_PendingType:$d);
  let assemblyFormat = [{
    $a `,` $b (`plus` $c^ `:` type($c))? (`a_major` `` $a_major^)?
    (`b_major` `` $b_major^)? attr-dict `:` type($a) `,` type($b) `->` type($d)
  }];
  let hasVerifier = 1;
}
def Tile_MmaCommitOp : Tile_MmaOp<"mma_commit"> {
  let summary = "Close a group of asynchronous MMAs";
  let description = "PTX: `wgmma.commit_group.sync.aligned`.";
  let results = (outs Tile_MmaGroupType:$group);
  let assemblyFormat = "attr-dict";
}
def Tile_MmaWaitOp : Tile_MmaOp<"mma_wait", [
    DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Wait until a group, and all before it, has finished";
  let description = [{
    `pending` is the number of groups committed after it, which the verifier
    counts (W4). Retired accumulators become register tiles. PTX:
    `wgmma.wait_group.sync.aligned N`.

    ```mlir
    %acc = tile.mma_wait %g pending(0) retire(%d : !pending)
    ```
  }];
  let arguments = (ins Tile_MmaGroupType:$group, I32Attr:$pending,
                       Variadic<Tile_PendingType>:$retired);
  let results = (outs Variadic<Tile_RegType>:$tiles);
  let assemblyFormat = "$group `pending` `(` $pending `)` (`retire` `(` $retired^ `:` type($retired) `)`)? attr-dict";
}
def Tile_MmaSyncOp : Tile_Op<"mma_sync", [Pure, AllTypesMatch<["c", "d"]>],
                             ["getFeatures"]> {
  let summary = "D = A * B + C on warps, from registers";
  let description = [{
    PTX: `mma.sync.aligned.m16n8k{8,16,32}.row.col` over the fragments. W8.
  }];
  let arguments = (ins Tile_RegType:$a, Tile_RegType:$b, Tile_RegType:$c);
  let results = (outs Tile_RegType:$d);
  let assemblyFormat = "$a `,` $b `plus` $c attr-dict `:` type($a) `,` type($b) `,` type($c)";
  let docGroup = "MMA";
  let hasVerifier = 1;
}

#endif // OPGRAPH_TILE_MMAOPS_TD
