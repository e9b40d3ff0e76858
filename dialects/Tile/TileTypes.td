//===- TileTypes.td - Enums, layouts and types of tile -----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_TILE_TYPES_TD
#define OPGRAPH_TILE_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "dialects/Tile/TileDialect.td"
include "dialects/Tile/TileInterfaces.td"

//===-- Enums -------------------------------------------------------------===//

class Tile_I32Enum<string name, string summary, list<string> cases>
    : I32EnumAttr<name, summary, !foreach(i, !range(!size(cases)),
          I32EnumAttrCase<cases[i], i, cases[i]>)> {
  let cppNamespace = "::opgraph::tile";
  let genSpecializedAttr = 0;
}
class Tile_EnumAttr<EnumAttrInfo info, string mnemonic>
    : EnumAttr<Tile_Dialect, info, mnemonic> {
  let assemblyFormat = "$value";
}

def Tile_SwizzleInfo : Tile_I32Enum<"Swizzle",
    "How 16-byte chunks of a shared row are permuted",
    ["none", "sw32", "sw64", "sw128"]>;
def Tile_AxisInfo : Tile_I32Enum<"Axis", "A tile's axis", ["rows", "cols"]>;
def Tile_DimInfo : Tile_I32Enum<"Dim", "A grid's axis", ["x", "y", "z"]>;
def Tile_CombineInfo : Tile_I32Enum<"Combine", "How elements are combined",
    ["add", "mul", "min", "max", "amax", "min_nan", "max_nan", "bit_and", "bit_or",
     "bit_xor"]>;
def Tile_ScopeInfo : Tile_I32Enum<"Scope", "Threads among which an order holds",
    ["warp", "group", "cta", "cluster", "gpu", "sys"]>;
def Tile_OrderInfo : Tile_I32Enum<"Order", "Memory order of a synchronising op",
    ["relaxed", "acquire", "release", "acq_rel"]>;
def Tile_ReduceLevelInfo : Tile_I32Enum<"ReduceLevel",
    "How far a reduction goes", ["thread", "warp", "group"]>;
def Tile_SharedPathInfo : Tile_I32Enum<"SharedPath",
    "The instruction between shared memory and registers",
    ["plain", "matrix", "matrix_trans"]>;
def Tile_MajorInfo : Tile_I32Enum<"Major", "The contiguous axis of an operand",
    ["k", "mn"]>;
def Tile_CacheInfo : Tile_I32Enum<"Cache", "Cache policy of a global access",
    ["normal", "evict_first", "evict_last", "no_allocate"]>;
def Tile_FilledByInfo : Tile_I32Enum<"FilledBy", "What completes a slot",
    ["bytes", "arrivals", "copies"]>;
def Tile_ArriveByInfo : Tile_I32Enum<"ArriveBy",
    "Who arrives for a group", ["one", "each_warp", "each_thread"]>;
def Tile_ProxyInfo : Tile_I32Enum<"Proxy", "Which proxies a fence joins",
    ["async_shared", "async_global", "tensormap"]>;
def Tile_MapFieldInfo : Tile_I32Enum<"MapField",
    "A field of a tensor map that a kernel may replace",
    ["address", "extent", "stride"]>;
def Tile_TargetInfo : Tile_I32Enum<"Target", "A GPU that a kernel claims",
    ["sm_80", "sm_86", "sm_89", "sm_90a", "sm_100a", "sm_120a"]>;

def Tile_FillInfo : Tile_I32Enum<"Fill", "What a masked-off element reads as",
    ["zero", "one", "neg_inf", "pos_inf", "nan"]>;

def Tile_FillAttr : Tile_EnumAttr<Tile_FillInfo, "fill">;
def Tile_Swizzle : Tile_EnumAttr<Tile_SwizzleInfo, "swizzle">;
def Tile_Axis : Tile_EnumAttr<Tile_AxisInfo, "axis">;
def Tile_Dim : Tile_EnumAttr<Tile_DimInfo, "dim">;
def Tile_Combine : Tile_EnumAttr<Tile_CombineInfo, "combine">;
def Tile_Scope : Tile_EnumAttr<Tile_ScopeInfo, "scope">;
def Tile_Order : Tile_EnumAttr<Tile_OrderInfo, "order">;
def Tile_ReduceLevel : Tile_EnumAttr<Tile_ReduceLevelInfo, "reduce_level">;
def Tile_SharedPath : Tile_EnumAttr<Tile_SharedPathInfo, "shared_path">;
def Tile_Major : Tile_EnumAttr<Tile_MajorInfo, "major">;
def Tile_Cache : Tile_EnumAttr<Tile_CacheInfo, "cache">;
def Tile_FilledBy : Tile_EnumAttr<Tile_FilledByInfo, "filled_by">;
def Tile_ArriveBy : Tile_EnumAttr<Tile_ArriveByInfo, "arrive_by">;
def Tile_Proxy : Tile_EnumAttr<Tile_ProxyInfo, "proxy">;
def Tile_MapField : Tile_EnumAttr<Tile_MapFieldInfo, "map_field">;
def Tile_TargetAttr : Tile_EnumAttr<Tile_TargetInfo, "target">;
def Tile_TargetArray : TypedArrayAttrBase<Tile_TargetAttr, "targets">;

//===-- Distributions -----------------------------------------------------===//

class Tile_Distribution<string name, string attrMnemonic>
    : AttrDef<Tile_Dialect, name, [
          DeclareAttrInterfaceMethods<DistributionAttrInterface>]> {
  let mnemonic = attrMnemonic;
}

def Tile_BlockedAttr : Tile_Distribution<"Blocked", "blocked"> {
  let summary = "Vectors along columns, then lanes, then warps, then registers";
  let description = [{
    Columns = [register rest][warp w1][lane l1][register vector], rows =
    [register rest][warp w0][lane l0]; lane = (row lane) * l1 + (column lane),
    likewise warps. Every warp access of one register vector is one contiguous
    piece of l1 * vector elements per row.

    Constraints:
    - (B1) l0 * l1 = 32; vector, l0, l1, w0, w1 are at least 1.
    - (B2) each extent that is not 1 is a multiple of its lanes * warps
      (* vector).

    ```mlir
    #tile.blocked<vector = 8, lanes = [1, 32], warps = [1, 8]>
    ```
  }];
  let parameters = (ins "int64_t":$vector, ArrayRefParameter<"int64_t">:$lanes,
                    ArrayRefParameter<"int64_t">:$warps);
  let assemblyFormat = [{
    `<` `vector` `=` $vector `,` `lanes` `=` `[` $lanes `]` `,`
    `warps` `=` `[` $warps `]` `>`
  }];
  let genVerifyDecl = 1;
}

def Tile_AccAttr : Tile_Distribution<"Acc", "acc"> {
  let summary = "Accumulator of an MMA";
  let description = [{
    Rows = [register rest][warp w0][register 2][lane 8 : 4], columns =
    [warp w1][register rest][lane 4 : 1][register 2]. With the default
    `warps = [4, 1]` it is wgmma's m64nN; the rest of the rows are further m64
    blocks. Without it, mma.sync's m16n8 with each warp's blocks contiguous:
    rows = [warp w0][register rest][register 2][lane 8 : 4].
  }];
  let parameters = (ins OptionalArrayRefParameter<"int64_t">:$warps);
  let assemblyFormat = "(`<` `warps` `=` `[` $warps^ `]` `>`)?";
  let genVerifyDecl = 1;
}

def Tile_OperandAttr : Tile_Distribution<"Operand", "operand"> {
  let summary = "Operand A or B of an MMA, in registers";
  let description = [{
    `index` 0: A of shape M x K; 1: B of shape K x N. A 16-bit k16 fragment of A
    is, thread by thread, columns 16c to 16c + 15 of an `#tile.acc` tile.
    `bits` is the element's width (16: k16, 8: k32, 32: k8).
  }];
  let parameters = (ins "unsigned":$index, "unsigned":$bits,
                    OptionalArrayRefParameter<"int64_t">:$warps);
  let assemblyFormat = [{
    `<` $index `,` `bits` `=` $bits (`,` `warps` `=` `[` $warps^ `]`)? `>`
  }];
  let genVerifyDecl = 1;
}

def Tile_PartialAttr : Tile_Distribution<"Partial", "partial"> {
  let summary = "What is left of a distribution after part of a reduction";
  let description = [{
    The factors of `of` along `axis` whose weight is at least `block` (a
    segmented reduction), or those above `level` (`thread`: lanes and warps
    stay; `warp`: warps stay). A 64 x 256 `#tile.acc` tile reduced along columns
    within a thread is `64 x 4` of `#tile.partial<#tile.acc, cols, thread>`.
  }];
  let parameters = (ins "::mlir::Attribute":$of, EnumParameter<Tile_AxisInfo>:$axis,
                    DefaultValuedParameter<"int64_t", "0">:$block,
                    EnumParameter<Tile_ReduceLevelInfo>:$level);
  let assemblyFormat = "`<` $of `,` $axis `,` $level (`,` `block` `=` $block^)? `>`";
  let genVerifyDecl = 1;
}

def Tile_FactorsAttr : Tile_Distribution<"Factors", "factors"> {
  let summary = "A distribution spelled out factor by factor";
  let description = [{
    Triples (owner 0 register, 1 lane, 2 warp; extent; stride), most significant
    first, over `warps` warps. What `tile.extract` gives where no name fits.
  }];
  let parameters = (ins OptionalArrayRefParameter<"int64_t">:$rows,
                    OptionalArrayRefParameter<"int64_t">:$cols,
                    "int64_t":$warps);
  let assemblyFormat = [{
    `<` `[` (`]`) : ($rows^ `]`)? `,` `[` (`]`) : ($cols^ `]`)? `,`
    `warps` `=` $warps `>`
  }];
  let genVerifyDecl = 1;
}

//===-- Types -------------------------------------------------------------===//

class Tile_Type<string name, string typeMnemonic>
    : TypeDef<Tile_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Tile_PtrType : Tile_Type<"Ptr", "ptr"> {
  let summary = "Address in global memory";
  let description = [{
    `align` bytes are promised by the plan; `readonly` memory is written by
    nobody while the kernel runs (ld.global.nc).
  }];
  let parameters = (ins "::mlir::Type":$element_type,
                    DefaultValuedParameter<"int64_t", "1">:$align,
                    DefaultValuedParameter<"bool", "false">:$readonly);
  let assemblyFormat = "`<` custom<PtrBody>($element_type, $align, $readonly) `>`";
  let genVerifyDecl = 1;
}

def Tile_ViewType : Tile_Type<"View", "view"> {
  let summary = "Strided box of global memory";
  let description = [{
    Extents and strides in elements; `?:8` is a run-time multiple of 8 (`?` of
    1). Rank 1 to 8. What may be vectorised follows from it alone.

    ```mlir
    !tile.view<?x?:8xbf16, strides [?:8, 1], align 16>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                    ArrayRefParameter<"int64_t">:$extent_divisors,
                    "::mlir::Type":$element_type,
                    ArrayRefParameter<"int64_t">:$strides,
                    ArrayRefParameter<"int64_t">:$stride_divisors,
                    DefaultValuedParameter<"int64_t", "1">:$align,
                    DefaultValuedParameter<"bool", "false">:$readonly);
  let assemblyFormat = [{
    `<` custom<ViewBody>($shape, $extent_divisors, $element_type, $strides,
                         $stride_divisors, $align, $readonly) `>`
  }];
  let extraClassDeclaration = [{
    int64_t getRank() const { return getShape().size(); }
  }];
  let genVerifyDecl = 1;
}

def Tile_TensorMapType : Tile_Type<"TensorMap", "tensor_map"> {
  let summary = "TMA descriptor";
  let description = [{
    The box has the tensor's rank, outermost first. A map is a grid constant
    (kernel argument) or, `in_memory`, 128 bytes of workspace that the kernel
    may edit. An `im2col` map is of a tensor of images, N x (D x H x) W x C; its
    box is pixels x 1 ... x channels, and the plan says within which corners,
    and in which steps, the pixels walk (`plan.encode_map`).

    Constraints:
    - (M1) rank 1 to 5; 1 <= box extent <= 256, pixels of im2col <= 1024.
    - (M2) box columns * element size is a multiple of 16 bytes and at most the
      swizzle's span (32, 64, 128; 256 elements without swizzle).
    - (M3) `im2col` needs rank 3 to 5 and extents of 1 between pixels and
      channels; it stays a grid constant.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$box,
                    "::mlir::Type":$element_type,
                    DefaultValuedParameter<"::opgraph::tile::Swizzle",
                                           "::opgraph::tile::Swizzle::none">:$swizzle,
                    DefaultValuedParameter<"bool", "false">:$im2col,
                    DefaultValuedParameter<"bool", "false">:$in_memory);
  let assemblyFormat = "`<` custom<TensorMapBody>($box, $element_type, $swizzle, $im2col, $in_memory) `>`";
  let genVerifyDecl = 1;
}

def Tile_SharedType : Tile_Type<"Shared", "shared"> {
  let summary = "Tile of shared memory";
  let description = [{
    Rows x columns, behind any leading axes, of one element type. With a swizzle
    the columns are cut into *planes* of the swizzle's span; a plane is `rows`
    rows of that many bytes, and plane p starts at p * `plane_rows` * span. The
    16-byte chunk c of row r is at chunk c ^ (r & 7) (sw128), c ^ (r/2 & 3)
    (sw64), c ^ (r/4 & 1) (sw32). `plane_rows` differs from the rows in a slice
    only. Without swizzle a row is followed by `pad` bytes. `peer` = of another
    CTA of the cluster.

    Constraints:
    - (T1) swizzled: columns * size is a multiple of the span, rows of 8;
      address of a 1024-byte (512, 256) boundary.
    - (T2) static extents, at least 1; rank 1 or more; no pad with swizzle.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                    "::mlir::Type":$element_type,
                    DefaultValuedParameter<"::opgraph::tile::Swizzle",
                                           "::opgraph::tile::Swizzle::none">:$swizzle,
                    DefaultValuedParameter<"int64_t", "0">:$plane_rows,
                    DefaultValuedParameter<"int64_t", "0">:$pad,
                    DefaultValuedParameter<"bool", "false">:$peer);
  let assemblyFormat = "`<` custom<SharedBody>($shape, $element_type, $swizzle, $plane_rows, $pad, $peer) `>`";
  let genVerifyDecl = 1;
}

def Tile_RegType : Tile_Type<"Reg", "reg"> {
  let summary = "Register tile";
  let description = [{
    Rows x columns spread over the group's threads as `distribution` says. An
    axis of extent 1 is replicated: a row statistic of a tile is `R x 1` of the
    same distribution.

    Constraints:
    - (R1) the shape fits the distribution.
    - (R2) element type, here and in memory, is f64, f32, tf32, f16, bf16,
      f8E4M3FN, f8E5M2, f8E8M0FNU, i1, i8, i16, i32, i64, or ui8, which differs
      from i8 where an MMA multiplies it or a reduction compares it. Packed
      4-bit elements are i8, two in one.

    ```mlir
    !tile.reg<64x256xf32, #tile.acc>
    ```
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$cols,
                    "::mlir::Type":$element_type,
                    "::mlir::Attribute":$distribution);
  let assemblyFormat = "`<` custom<RegShape>($rows, $cols, $element_type) `,` $distribution `>`";
  let genVerifyDecl = 1;
}

def Tile_PendingType : Tile_Type<"Pending", "pending"> {
  let summary = "Accumulator of an MMA in flight";
  let description = [{
    Only the next `tile.mma_async` of the same shape, a `tile.mma_wait` that
    retires it, and scf's loop-carried positions take one.
  }];
  let parameters = (ins "int64_t":$rows, "int64_t":$cols,
                    "::mlir::Type":$element_type,
                    "::mlir::Attribute":$distribution);
  let assemblyFormat = "`<` custom<RegShape>($rows, $cols, $element_type) `,` $distribution `>`";
  let genVerifyDecl = 1;
}

def Tile_MmaGroupType : Tile_Type<"MmaGroup", "mma_group"> {
  let summary = "Token of a committed group of asynchronous MMAs";
}

def Tile_RingType : Tile_Type<"Ring", "ring"> {
  let summary = "Slots of shared tiles that pass from producer to consumers";
  let description = [{
    `stages` slots, each with the `fields` in order, a full and an empty
    mbarrier. A field is a shared tile; a plain word is `!tile.shared<1xi32>`.

    ```mlir
    !tile.ring<4, !tile.shared<128x64xbf16, sw128>, !tile.shared<1xi32>>
    ```
  }];
  let parameters = (ins "int64_t":$stages,
                    OptionalArrayRefParameter<"::mlir::Type">:$fields);
  let assemblyFormat = "`<` $stages (`,` $fields^)? `>`";
  let genVerifyDecl = 1;
}

def Tile_SlotType : Tile_Type<"Slot", "slot"> {
  let summary = "A stage of a ring that a role holds";
}

def Tile_SemaphoreType : Tile_Type<"Semaphore", "semaphore"> {
  let summary = "One mbarrier that counts arrivals, phase after phase";
  let parameters = (ins "int64_t":$count);
  let assemblyFormat = "`<` $count `>`";
  let genVerifyDecl = 1;
}

def Tile_BarrierType : Tile_Type<"Barrier", "barrier"> {
  let summary = "Named hardware barriers of a fixed number of threads";
  let description = "`count` of them, picked by index, for agents of one role.";
  let parameters = (ins "int64_t":$threads,
                    DefaultValuedParameter<"int64_t", "1">:$count);
  let assemblyFormat = "`<` $threads (`,` $count^)? `>`";
  let genVerifyDecl = 1;
}

#endif // OPGRAPH_TILE_TYPES_TD
