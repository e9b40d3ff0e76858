//===- GraphAttrs.td - Layouts and plans as attributes -----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_GRAPH_ATTRS_TD
#define OPGRAPH_GRAPH_ATTRS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/TensorEncoding.td"
include "dialects/Graph/GraphDialect.td"
include "dialects/Graph/GraphEnums.td"

class Graph_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Graph_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Graph_LayoutAttr : Graph_Attr<"Layout", "layout",
    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "Where a tensor's elements lie, and what its extents are called";
  let description = [{
    The encoding of a graph tensor. Absent means packed row-major.

    - `strides`: elements between neighbours along each axis; `?` is bound when
      operands are. Never negative.
    - `order`: instead of strides, packed in this memory order, slowest axis
      first (channels-last of `[N, C, H, W]` is `order = [0, 2, 3, 1]`).
    - `symbols`: the name of each `?` extent, `""` on static axes. Equal names
      are equal extents, checked when operands are bound; a symbol never
      broadcasts.
    - `reordering`: physical order beyond strides.

    Constraints:
    - (C1) `strides`, `order` and `symbols`, where given, have the tensor's rank.
    - (C2) `strides` and `order` exclude each other.
    - (C3) a stride is `?` or at least 0.
    - (C4) `order` is a permutation of the axes.
    - (C5) a `?` extent has a symbol, a static one has none.
    - (C6) the elements, and the span `1 + sum((extent - 1) * stride)`, take less
      than 2^60 bits.
    - (C7) the rank is at most 16.

    ```mlir
    tensor<?x64xf32, #graph.layout<strides = [128, 1], symbols = ["M", ""]>>
    ```
  }];
  let parameters = (ins
    OptionalArrayRefParameter<"int64_t">:$strides,
    OptionalArrayRefParameter<"int64_t">:$order,
    OptionalArrayRefParameter<"::mlir::StringAttr">:$symbols,
    DefaultValuedParameter<"::opgraph::graph::Reordering",
                           "::opgraph::graph::Reordering::NONE">:$reordering);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // OPGRAPH_GRAPH_ATTRS_TD
