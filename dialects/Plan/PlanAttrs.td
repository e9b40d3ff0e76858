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

#endif // OPGRAPH_PLAN_ATTRS_TD
