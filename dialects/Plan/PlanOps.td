//===- PlanOps.td - Operations of plan ---------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PLAN_OPS_TD
#define OPGRAPH_PLAN_OPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "dialects/Plan/PlanAttrs.td"

class Plan_Op<string mnemonic, list<Trait> traits = []>
    : Op<Plan_Dialect, mnemonic, traits>;

def Plan_ProgramOp : Plan_Op<"program",
    [Symbol, IsolatedFromAbove, NoTerminator, SingleBlock, NoRegionArguments]> {
  let summary = "A plan: operands, symbols, workspace and steps";
  let description = [{
    Everything that execution needs to know besides the code. The body declares
    symbols, operands and aliases, then lists the steps in order.

    Constraints:
    - (P1) declarations (`plan.symbol`, `plan.operand`, `plan.alias`,
      `plan.encode_map`) come before steps (`plan.host_call`, `plan.launch`,
      `plan.cudnn_execute`, `plan.fill`); no other op stands here.
    - (P2) symbol names, and uids, are unique.
    - (P3) a symbol's operand and axis exist, and the operand's extent (or
      stride) at that axis is just this symbol.
    - (P4) every map has no dimensions and no symbol beyond the program's.
    - (P5) an alias names an input and an output of equal rank and element type.
    - (P6) a by-value operand is an input.
    - (P7) a program calls host entries or runs on a device, never both.
    - (P8) what a device step's argument names exists: an operand, an axis of it, a
      tensor map; a pointer or stride is of an operand in memory, a scalar of
      one by value.
    - (P9) a tensor map's operand has the declared strides (`exact`).

    ```mlir
    plan.program @relu target "host"
        engine <10000, "host.reference", 1> {
      plan.symbol "M" extent 0, 0
      plan.operand "x" uid 1 in f32 extents affine_map<()[s0] -> (s0, 8)>
          strides affine_map<() -> (8, 1)>
      plan.operand "y" uid 2 out f32 extents affine_map<()[s0] -> (s0, 8)>
          strides affine_map<() -> (8, 1)>
      plan.alias 0, 1
      plan.host_call @opgraph_relu
    }
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    StrAttr:$target,
    Plan_EngineAttr:$engine,
    OptionalAttr<Plan_WorkspaceAttr>:$workspace,
    OptionalAttr<StrAttr>:$compiler,
    OptionalAttr<StrArrayAttr>:$notes,
    OptionalAttr<StrAttr>:$source);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `target` $target `engine` $engine (`workspace` $workspace^)?
    attr-dict-with-keyword $body
  }];
  let extraClassDeclaration = [{
    /// The declarations, in order; an op's position is its index.
    ::std::vector<::opgraph::plan::SymbolOp> getSymbols();
    ::std::vector<::opgraph::plan::OperandOp> getOperandDecls();
    ::std::vector<::opgraph::plan::AliasOp> getAliases();
    ::std::vector<::opgraph::plan::EncodeMapOp> getTensorMaps();
  }];
  let hasRegionVerifier = 1;
}

class Plan_Declaration<string mnemonic>
    : Plan_Op<mnemonic, [HasParent<"ProgramOp">]>;

def Plan_SymbolOp : Plan_Declaration<"symbol"> {
  let summary = "An integer of the shapes, known when operands are bound";
  let description = [{
    Its value is the extent, or stride, of axis `axis` of operand number
    `operand_index`; execution refuses one that is not within [`min`, `max`] or not
    a multiple of `divisor`. With `default_value` only an override changes it;
    without, the bound buffer's shape gives it.
  }];
  let arguments = (ins
    StrAttr:$name,
    Plan_SymbolSource:$source,
    I64Attr:$operand_index,
    I64Attr:$axis,
    DefaultValuedAttr<I64Attr, "0">:$min,
    DefaultValuedAttr<I64Attr, "std::numeric_limits<int64_t>::max()">:$max,
    DefaultValuedAttr<I64Attr, "1">:$divisor,
    OptionalAttr<I64Attr>:$default_value);
  let assemblyFormat = "$name `` $source $operand_index `,` $axis attr-dict";
  let hasVerifier = 1;
}

def Plan_OperandOp : Plan_Declaration<"operand"> {
  let summary = "A buffer, or by-value scalar, that execution is given";
  let description = [{
    Operands are numbered in order: the graph's arguments, then its results.
    Extents and strides (in elements) are maps over the program's symbols;
    `element_type` is the graph's type (`i1` for booleans, `ui8`, `f8E4M3FN`),
    however it is stored. `default_value` lets a by-value operand be left out.
  }];
  let arguments = (ins
    StrAttr:$name,
    I64Attr:$uid,
    Plan_Role:$role,
    TypeAttr:$element_type,
    AffineMapAttr:$extents,
    AffineMapAttr:$strides,
    UnitAttr:$by_value,
    OptionalAttr<TypedAttrInterface>:$default_value,
    DefaultValuedAttr<I64Attr, "1">:$alignment,
    DefaultValuedAttr<Plan_Storage, "Storage::Dense">:$storage,
    OptionalAttr<AffineMapAttr>:$storage_bytes,
    DefaultValuedAttr<Plan_StrideRule, "StrideRule::Exact">:$stride_rule);
  let assemblyFormat = [{
    $name `uid` $uid `` $role $element_type
    `extents` $extents `strides` $strides
    (`storage` `` $storage^)? (`stride_rule` `` $stride_rule^)? attr-dict
  }];
  let extraClassDeclaration = [{
    int64_t getRank() { return getExtents().getNumResults(); }
  }];
  let hasVerifier = 1;
}

def Plan_AliasOp : Plan_Declaration<"alias"> {
  let summary = "An input and an output that may be one buffer";
  let arguments = (ins I64Attr:$input, I64Attr:$output);
  let assemblyFormat = "$input `,` $output attr-dict";
}

def Plan_HostCallOp : Plan_Declaration<"host_call"> {
  let summary = "Calls a host entry on all operands";
  let description = [{
    The callee is a function marked `opgraph.host_entry` that takes the
    program's operands, in order, as memrefs.
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee);
  let assemblyFormat = "$callee attr-dict";
}

def Plan_EncodeMapOp : Plan_Declaration<"encode_map"> {
  let summary = "A TMA descriptor that execution makes for the bound buffers";
  let description = [{
    Tensor maps are numbered in order; `#plan.map<K>` passes one to a kernel.
    `base` is a `#plan.pointer` or a `#plan.scratch`. Extents, strides (in
    elements) and the box are outermost first; the last stride is 1. Elements
    beyond the extents read as zero, or NaN with `fill_nan`.

    With `im2col` the tensor is images, N x (D x H x) W x C, and the box is
    pixels x 1 ... x channels. A copy's pixels walk in `steps` along D, H and W,
    from `lower` to the extent - 1 + `upper`, both included: for a convolution
    the lower corner is -padding, the upper one padding - dilation * (filter - 1)
    and the steps are its strides.

    Constraints:
    - (E1) rank 1 to 5, the same of extents, strides and box.
    - (E2) element type f64, f32, f16, bf16, f8E4M3FN, f8E5M2, f8E8M0FNU, or an
      integer of 1, 8, 32 or 64 bits.
    - (E3) box extents are 1 to 256; the innermost one takes a multiple of 16
      bytes and, with a swizzle, no more than its span.
    - (E4) the last stride is 1.
    - (E5) im2col: rank 3 to 5; a lower, an upper corner and a step for each axis
      between the outer- and the innermost one, where the box is 1. Corners take
      16, 8 or 5 bits (rank 3, 4, 5); steps are 1 to 8; pixels up to 1024.

    ```mlir
    plan.encode_map #plan.pointer<0> element bf16
        extents affine_map<()[s0] -> (s0, 4096)>
        strides affine_map<() -> (4096, 1)> box [128, 64] swizzle sw128
    plan.encode_map #plan.pointer<1> element bf16
        extents affine_map<() -> (8, 56, 56, 64)>
        strides affine_map<() -> (200704, 3584, 64, 1)> box [128, 1, 1, 64]
        im2col lower [-1, -1] upper [-1, -1] steps [1, 1] swizzle sw128
    ```
  }];
  let arguments = (ins
    AnyAttr:$base,
    TypeAttr:$element_type,
    AffineMapAttr:$extents,
    AffineMapAttr:$strides,
    DenseI32ArrayAttr:$box,
    OptionalAttr<DenseI32ArrayAttr>:$lower,
    OptionalAttr<DenseI32ArrayAttr>:$upper,
    OptionalAttr<DenseI32ArrayAttr>:$steps,
    DefaultValuedAttr<Plan_Swizzle, "Swizzle::None">:$swizzle,
    UnitAttr:$fill_nan);
  let assemblyFormat = [{
    $base `element` $element_type `extents` $extents `strides` $strides
    `box` $box (`im2col` `lower` $lower^ `upper` $upper `steps` $steps)?
    (`swizzle` `` $swizzle^)? (`fill_nan` $fill_nan^)? attr-dict
  }];
  let extraClassDeclaration = [{
    bool isIm2col() { return getLower().has_value(); }
  }];
  let hasVerifier = 1;
}

def Plan_LaunchOp : Plan_Declaration<"launch"> {
  let summary = "Launches a kernel on the caller's stream";
  let description = [{
    `args` are the kernel's parameters, one to one. The grid has one to three
    extents, x first; with `at_most` each is cut to that, and the kernel strides
    over the rest. A grid with an extent of 0 launches nothing. `dependent` lets
    the kernel start while the one before it drains (programmatic dependent
    launch). Threads, cluster and dynamic shared memory are the kernel's own and
    come with its code.

    Constraints:
    - (L1) one to three grid extents; `at_most` has as many, each 1 to 2^31 - 1,
      and up to 65535 for y and z.
    - (L2) an argument is a `#plan.pointer`, `scratch`, `integer`, `stride`,
      `scalar` or `map`, or a constant of type i32, i64, f32 or f64; integers
      are i32, ui32 or i64, scalars f32, f64, i32 or i64.

    ```mlir
    plan.launch @opgraph_relu grid affine_map<()[s0] -> (s0 ceildiv 2048)>
        args [#plan.pointer<0>, #plan.pointer<1>,
              #plan.integer<affine_map<()[s0] -> (s0)>, i32>]
    ```
  }];
  let arguments = (ins
    FlatSymbolRefAttr:$kernel,
    AffineMapAttr:$grid,
    OptionalAttr<DenseI64ArrayAttr>:$at_most,
    UnitAttr:$dependent,
    ArrayAttr:$args);
  let assemblyFormat = [{
    $kernel `grid` $grid (`at_most` $at_most^)? (`dependent` $dependent^)?
    `args` $args attr-dict
  }];
  let hasVerifier = 1;
}

def Plan_CudnnExecuteOp : Plan_Declaration<"cudnn_execute"> {
  let summary = "Executes a cuDNN operation graph on the caller's stream";
  let description = [{
    `graph` names a `cudnn.graph`; `config` and `knobs`, pairs of type and value,
    are the library's numbers of an engine and its settings. `args` are the data
    of the tensors `uids`, one to one: the address of an operand or of the
    workspace, or, for a tensor by value, a scalar or constant, which the library
    is given the host address of. It may use `bytes` of the workspace from
    `workspace` on.

    `serialized` is the library's own form of the finalised plan, made by version
    `library` (91900 for 9.19). Without, or with another version, the plan is
    made anew from the graph when it is prepared.

    Constraints:
    - (X1) as many args as uids; no uid twice.
    - (X2) an argument is a `#plan.pointer`, `scratch` or `scalar`, or a constant
      of type i32, i64, f32 or f64.
    - (X3) knobs are pairs, by increasing type; engine, offset and size are not
      negative; the offset is a multiple of 64.
    - (X4) a serialised plan comes with the library's version.

    ```mlir
    plan.cudnn_execute @opgraph_mm config 7 knobs [24, 21] uids [1, 2, 4]
        args [#plan.pointer<0>, #plan.pointer<1>, #plan.pointer<2>]
        workspace 0 bytes 1024
    ```
  }];
  let arguments = (ins
    FlatSymbolRefAttr:$graph,
    I64Attr:$config,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$knobs,
    DenseI64ArrayAttr:$uids,
    ArrayAttr:$args,
    DefaultValuedAttr<I64Attr, "0">:$workspace,
    DefaultValuedAttr<I64Attr, "0">:$bytes,
    OptionalAttr<StrAttr>:$serialized,
    OptionalAttr<I64Attr>:$library);
  let assemblyFormat = [{
    $graph `config` $config (`knobs` $knobs^)? `uids` $uids `args` $args
    (`workspace` $workspace^)? (`bytes` $bytes^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Plan_FillOp : Plan_Declaration<"fill"> {
  let summary = "Fills a range of the workspace's shared part with one byte";
  let arguments = (ins
    AffineMapAttr:$offset,
    AffineMapAttr:$size,
    ConfinedAttr<I32Attr, [IntMinValue<0>, IntMaxValue<255>]>:$value);
  let assemblyFormat = [{
    `offset` $offset `size` $size `value` $value attr-dict
  }];
}

def Plan_PrivateMemoryOp : Plan_Op<"private_memory"> {
  let summary = "The running worker's private part of the workspace";
  let description = [{
    Stands in the body of a parallel loop; `host-outline-parallel` replaces it
    by a view of the workspace.
  }];
  let results = (outs MemRefRankOf<[I8], [1]>:$memory);
  let assemblyFormat = "attr-dict `:` type($memory)";
}

def Plan_ParallelForOp : Plan_Op<"parallel_for"> {
  let summary = "Runs a body function over [0, count) on the worker pool";
  let description = [{
    The body is a function marked `opgraph.host_body`. It takes the operands of
    the enclosing entry, the workspace, `begin`, `end` and `worker` (i64), and
    then the captured values.
  }];
  let arguments = (ins
    FlatSymbolRefAttr:$body,
    I64:$count,
    Variadic<AnyTypeOf<[AnySignlessInteger, AnyFloat]>>:$captures);
  let assemblyFormat = [{
    $body `count` $count (`captures` `(` $captures^ `:` type($captures) `)`)?
    attr-dict
  }];
}

#endif // OPGRAPH_PLAN_OPS_TD
