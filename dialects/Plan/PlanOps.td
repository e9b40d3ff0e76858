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
    - (P1) declarations (`plan.symbol`, `plan.operand`, `plan.alias`) come
      before steps (`plan.host_call`, `plan.fill`); no other op stands here.
    - (P2) symbol names, and uids, are unique.
    - (P3) a symbol's operand and axis exist, and the operand's extent (or
      stride) at that axis is just this symbol.
    - (P4) every map has no dimensions and no symbol beyond the program's.
    - (P5) an alias names an input and an output of equal rank and element type.
    - (P6) a by-value operand is an input.

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
