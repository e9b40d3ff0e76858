//===- KernelOps.td - Kernels, roles and the schedule -------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_TILE_KERNELOPS_TD
#define OPGRAPH_TILE_KERNELOPS_TD

include "dialects/Tile/TileBase.td"

def Tile_KernelOp : Tile_Op<"kernel", [Symbol, IsolatedFromAbove,
    NoTerminator, SingleBlock], ["getExecutor", "getFeatures"]> {
  let docGroup = "Kernel";
  let summary = "A kernel and the launch shape that it is written for";
  let description = [{
    Arguments are its parameters one to one: pointers, tensor maps, i32, i64 and
    float scalars. The body's prologue (scalars, views, shared tiles, rings) is
    run by all; then either ops of the whole CTA, or `tile.role`s. Constraints
    K1 to K8. PTX: `.entry`, `.reqntid`, `.reqnctapercluster`, `.minnctapersm`.

    ```mlir
    tile.kernel @opgraph_copy(%x: !tile.ptr<f32>, %n: i32) warps(8)
        targets [sm_80, sm_90a] { }
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    ConfinedAttr<I32Attr, [IntMinValue<1>, IntMaxValue<32>]>:$warps,
    Tile_TargetArray:$targets,
    OptionalAttr<DenseI32ArrayAttr>:$cluster,
    OptionalAttr<I32Attr>:$min_ctas,
    OptionalAttr<I32Attr>:$shared_bytes);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name custom<KernelBody>($body, $warps, $targets, $cluster, $min_ctas,
                                 $shared_bytes, attr-dict)
  }];
  let hasRegionVerifier = 1;
}

def Tile_RoleOp : Tile_Op<"role", [HasParent<"KernelOp">, NoTerminator,
    SingleBlock], ["getExecutor", "getFeatures"]> {
  let docGroup = "Kernel";
  let summary = "What one set of warps does";
  let description = [{
    `agents` groups of `warps_each` warps, from warp `first_warp` on, run the
    body, each with its index as argument. `registers` is the budget of each of
    their threads; it is a warpgroup's, so roles that share one agree. `single`:
    one elected thread runs the body. Constraints K3 to K6. PTX: a branch on the
    (shuffle-uniform) warp index, `setmaxnreg`, `elect.sync` with `single`.

    ```mlir
    tile.role @consumer warps(4) agents(2) of 4 registers(232) as %wg { }
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    I32Attr:$first_warp,
    DefaultValuedAttr<I32Attr, "1">:$agents,
    DefaultValuedAttr<I32Attr, "1">:$warps_each,
    OptionalAttr<I32Attr>:$registers,
    UnitAttr:$single,
    OptionalAttr<I32Attr>:$barrier);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name custom<RoleBody>($body, $first_warp, $agents, $warps_each,
                               $registers, $single, $barrier, attr-dict)
  }];
  let hasRegionVerifier = 1;
}

class Tile_IndexOp<string mnemonic, string what, string ptx>
    : Tile_StructureOp<mnemonic, [Pure]> {
  let summary = what;
  let description = "PTX: `" # ptx # "`.";
  let arguments = (ins Tile_Dim:$dim);
  let results = (outs I32:$result);
  let assemblyFormat = "`` $dim attr-dict";
}
def Tile_BlockIdOp : Tile_IndexOp<"block_id", "Index of the CTA in the grid", "%ctaid">;
def Tile_GridSizeOp : Tile_IndexOp<"grid_size", "CTAs along an axis of the grid", "%nctaid">;
def Tile_ClusterIdOp : Tile_IndexOp<"cta_in_cluster",
    "Index of the CTA in its cluster", "%cluster_ctaid">;

def Tile_RasterOp : Tile_StructureOp<"raster", [Pure]> {
  let summary = "Turn a tile's number into its row and column in a schedule";
  let description = [{
    With group G, tiles run down G rows before the next column; the last group
    may hold fewer rows. One persistent loop is `scf.for %t = %cta to %tiles
    step %ctas` around it. PTX: i32 arithmetic.
  }];
  let arguments = (ins I32:$tile, I32:$row_tiles, I32:$col_tiles, I32Attr:$group);
  let results = (outs I32:$row, I32:$col);
  let assemblyFormat = "$tile `of` `(` $row_tiles `,` $col_tiles `)` `group` `(` $group `)` attr-dict";
}

def Tile_DrawOp : Tile_AccessOp<"draw"> {
  let summary = "Draw the next number of a counter in global memory";
  let description = [{
    The elected thread adds 1; the draw that returns `limit` - 1 sets the counter
    back to 0, so `limit` is the number of draws of the whole launch (first tiles
    are static, then each CTA draws until it is told to stop: as many draws as
    tiles). A role of one warp or `single` draws and sends the number to the other
    roles as a word of a ring. PTX: `atom.inc.relaxed.gpu`, a shuffle.
  }];
  let arguments = (ins Tile_PtrType:$counter, I32:$limit);
  let results = (outs I32:$number);
  let assemblyFormat = "$counter `limit` $limit attr-dict `:` type($counter)";
}

#endif // OPGRAPH_TILE_KERNELOPS_TD
