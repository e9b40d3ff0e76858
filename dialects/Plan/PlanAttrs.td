//===- PlanAttrs.td - Enums and attributes of plan ---------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PLAN_ATTRS_TD
#define OPGRAPH_PLAN_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "dialects/Plan/PlanDialect.td"

class Plan_I32Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::opgraph::plan";
  let genSpecializedAttr = 0;
}

class Plan_EnumAttr<EnumAttrInfo info, string mnemonic>
    : EnumAttr<Plan_Dialect, info, mnemonic> {
  // Prints a space first: uses in op formats leave theirs out (``).
  let assemblyFormat = "$value";
}

// Values are those of the plan file.
def Plan_RoleInfo : Plan_I32Enum<"Role", "Whether execution reads or writes an operand", [
  I32EnumAttrCase<"In", 0, "in">, I32EnumAttrCase<"Out", 1, "out">]>;
def Plan_StorageInfo : Plan_I32Enum<"Storage", "How an operand's bytes follow from its declaration", [
  I32EnumAttrCase<"Dense", 0, "dense">, I32EnumAttrCase<"Ragged", 1, "ragged">,
  I32EnumAttrCase<"Paged", 2, "paged">,
  I32EnumAttrCase<"Packed4", 3, "packed4">]>;
def Plan_StrideRuleInfo : Plan_I32Enum<"StrideRule", "Which strides a bound buffer may have", [
  I32EnumAttrCase<"Exact", 0, "exact">,
  I32EnumAttrCase<"UnitInner", 1, "unit_inner">,
  I32EnumAttrCase<"Any", 2, "any">]>;
def Plan_SymbolSourceInfo : Plan_I32Enum<"SymbolSource", "Where a symbol's value comes from", [
  I32EnumAttrCase<"Extent", 0, "extent">,
  I32EnumAttrCase<"Stride", 1, "stride">]>;

def Plan_SwizzleInfo : Plan_I32Enum<"Swizzle", "How a tensor map permutes the 16-byte chunks of a row of its box", [
  I32EnumAttrCase<"None", 0, "none">, I32EnumAttrCase<"Sw32", 1, "sw32">,
  I32EnumAttrCase<"Sw64", 2, "sw64">, I32EnumAttrCase<"Sw128", 3, "sw128">]>;

def Plan_Swizzle : Plan_EnumAttr<Plan_SwizzleInfo, "swizzle">;
def Plan_Role : Plan_EnumAttr<Plan_RoleInfo, "role">;
def Plan_Storage : Plan_EnumAttr<Plan_StorageInfo, "storage">;
def Plan_StrideRule : Plan_EnumAttr<Plan_StrideRuleInfo, "stride_rule">;
def Plan_SymbolSource : Plan_EnumAttr<Plan_SymbolSourceInfo, "symbol_source">;

class Plan_Attr<string name, string attrMnemonic>
    : AttrDef<Plan_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Plan_EngineAttr : Plan_Attr<"Engine", "engine"> {
  let summary = "Which engine made a plan, with which knobs";
  let description = [{
    Engine id, name, version, and the knobs as (type, value) pairs in order of
    type.

    ```mlir
    #plan.engine<10001, "host.fused", 1, [100000, 8, 100001, 32]>
    ```
  }];
  let parameters = (ins
    "int64_t":$id,
    "::mlir::StringAttr":$name,
    "uint32_t":$version,
    OptionalArrayRefParameter<"int64_t">:$knobs);
  let assemblyFormat = [{
    `<` $id `,` $name `,` $version (`,` `[` $knobs^ `]`)? `>`
  }];
  let genVerifyDecl = 1;
}

def Plan_WorkspaceAttr : Plan_Attr<"Workspace", "workspace"> {
  let summary = "How much scratch memory a plan needs";
  let description = [{
    Execution needs `shared` bytes, and `private` bytes for each of
    `max_workers` workers, all multiples of 64: maps with one result over the
    program's symbols.

    ```mlir
    #plan.workspace<shared = affine_map<()[s0] -> (s0 * 64)>,
                    private = affine_map<() -> (0)>, max_workers = 1>
    ```
  }];
  let parameters = (ins
    "::mlir::AffineMap":$shared_size,
    "::mlir::AffineMap":$private_size,
    "uint32_t":$max_workers);
  let assemblyFormat = [{
    `<` `shared` `=` custom<MapParameter>($shared_size) `,`
    `private` `=` custom<MapParameter>($private_size) `,`
    `max_workers` `=` $max_workers `>`
  }];
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Arguments of a launch. Besides these, a builtin attribute of type i32, i64,
// f32 or f64 is a constant.
//===----------------------------------------------------------------------===//

def Plan_PointerAttr : Plan_Attr<"Pointer", "pointer"> {
  let summary = "The device address of an operand, plus bytes";
  let description = [{
    ```mlir
    #plan.pointer<0>
    #plan.pointer<0, offset = affine_map<()[s0] -> (s0 * 4)>>
    ```
  }];
  let parameters = (ins "int64_t":$operand,
                    OptionalParameter<"::mlir::AffineMap">:$offset);
  let assemblyFormat = [{
    `<` $operand (`,` `offset` `=` custom<MapParameter>($offset)^)? `>`
  }];
}

def Plan_ScratchAttr : Plan_Attr<"Scratch", "scratch"> {
  let summary = "The address of the workspace, plus bytes";
  let parameters = (ins "::mlir::AffineMap":$offset);
  let assemblyFormat = "`<` custom<MapParameter>($offset) `>`";
}

def Plan_IntegerArgAttr : Plan_Attr<"IntegerArg", "integer"> {
  let summary = "An integer of the shapes: i32, ui32 or i64";
  let description = [{
    Execution refuses a value that the type cannot hold.

    ```mlir
    #plan.integer<affine_map<()[s0] -> (s0 ceildiv 8)>, i32>
    ```
  }];
  let parameters = (ins "::mlir::AffineMap":$value, "::mlir::Type":$type);
  let assemblyFormat = "`<` custom<MapParameter>($value) `,` $type `>`";
}

def Plan_StrideAttr : Plan_Attr<"Stride", "stride"> {
  let summary = "The stride, in elements, of an axis of the bound buffer";
  let description = [{
    For operands whose buffers may keep their own strides (`stride_rule` is not
    `exact`), which the program's maps do not tell.

    ```mlir
    #plan.stride<0, 1, i64>
    ```
  }];
  let parameters = (ins "int64_t":$operand, "int64_t":$axis,
                    "::mlir::Type":$type);
  let assemblyFormat = "`<` $operand `,` $axis `,` $type `>`";
}

def Plan_ScalarAttr : Plan_Attr<"Scalar", "scalar"> {
  let summary = "The value of a by-value operand, as f32, f64, i32 or i64";
  let description = [{
    Converted from the operand's own type: to nearest between floats; from a
    float to an integer towards zero, clamped.
  }];
  let parameters = (ins "int64_t":$operand, "::mlir::Type":$type);
  let assemblyFormat = "`<` $operand `,` $type `>`";
}

def Plan_MapAttr : Plan_Attr<"Map", "map"> {
  let summary = "The program's tensor map with this number";
  let parameters = (ins "int64_t":$index);
  let assemblyFormat = "`<` $index `>`";
}

#endif // OPGRAPH_PLAN_ATTRS_TD
