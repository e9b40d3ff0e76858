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
    - (C8) elements of 4 bits (i4, f4E2M1FN), where there are more than one, have
      an axis of stride 1 whose extent is static and even, and even strides along
      every other axis of more than one index; none of these strides is `?`.
    - (C9) with reordering `f8_128x4`, elements take 8 bits and extents are
      static; of the last two axes one has stride 1, and the other the extent of
      that one as its stride. The one of stride 1 has a multiple of 4 indices
      (columns), the other a multiple of 128 (rows). Row-major strides of which
      only the transposed reading fits are read so: the last axis then holds the
      rows.

    Elements of 4 bits lie two per byte in the memory of arguments and results:
    the element at linear offset `e = sum(index * stride)` is in byte `e / 2`, in
    the low half where `e` is even and in the high half where it is odd.

    Reordering `f8_128x4` is the layout of block scales. A matrix of R rows and C
    columns takes R * C bytes, cut into tiles of 128 rows and 4 columns; element
    (r, c) is at byte

    ```
    ((r / 128) * (C / 4) + c / 4) * 512 + (r % 32) * 16 + (r / 32 % 4) * 4 + c % 4
    ```

    of its matrix, and matrices lie where the strides of the leading axes say.

    ```mlir
    tensor<?x64xf32, #graph.layout<strides = [128, 1], symbols = ["M", ""]>>
    tensor<2x4x128xf8E8M0FNU,
           #graph.layout<strides = [512, 1, 4], reordering = f8_128x4>>
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
