//===- GraphOps.td - The graph op and all operations -------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_GRAPH_OPS_TD
#define OPGRAPH_GRAPH_OPS_TD

include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "dialects/Graph/PointwiseOps.td"
include "dialects/Graph/TensorOps.td"
include "dialects/Graph/NormOps.td"
include "dialects/Graph/NormBackwardOps.td"
include "dialects/Graph/BatchnormOps.td"
include "dialects/Graph/ConvOps.td"
include "dialects/Graph/ResampleOps.td"
include "dialects/Graph/BlockScaleOps.td"
include "dialects/Graph/RopeOps.td"
include "dialects/Graph/MoeOps.td"
include "dialects/Graph/AttentionOps.td"
include "dialects/Graph/PlanAttrs.td"

def Graph_GraphOp : Op<Graph_Dialect, "graph",
    [IsolatedFromAbove, FunctionOpInterface, SingleBlock, Symbol]> {
  let summary = "An operation graph";
  let description = [{
    The unit that is checked, planned and compiled. Function-like: arguments are
    the graph's inputs, `graph.return` names its outputs.

    Argument and result attributes:
    - `graph.uid` (i64): the key in a variant pack; unique in the graph.
    - `graph.name` (string): a label; need not be unique.
    - `graph.by_value` (unit): a host scalar, copied at the call.
    - `graph.default` (typed scalar): value of a by-value argument that a call
      does not give.
    - `graph.alignment` (i64): bytes of pointer alignment promised, default 16.

    Attributes: the default `compute_type`, `intermediate_type`, `io_type`
    that a builder filled unset element types from; `dynamic` (unit): extents
    and strides may be overridden at a call.

    Constraints:
    - (C1) every argument and result has a `graph.uid`, unique in the graph.
    - (C2) at least one operation and one result.
    - (C3) no result is returned twice or is an argument.
    - (C4) a result's layout has no negative stride and no two elements that
      share an address.
    - (C5) a by-value argument has one element, of at least 8 bits, and no
      symbols.
    - (C6) a `graph.default` stands on a by-value argument and is one of its
      element type's values.
    - (C7) arguments and results are tensors of a graph element type whose
      dynamic extents have symbols and whose span is less than 2^60 bits.
    - (C8) `compute_type` is a compute type, `intermediate_type` and `io_type`
      are element types.

    ```mlir
    graph.graph @relu(%x: tensor<4x8xf32> {graph.uid = 1 : i64})
        -> (tensor<4x8xf32> {graph.uid = 2 : i64}) {
      %0 = graph.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
      graph.return %0 : tensor<4x8xf32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                   TypeAttrOf<FunctionType>:$function_type,
                   OptionalAttr<StrAttr>:$sym_visibility,
                   OptionalAttr<DictArrayAttr>:$arg_attrs,
                   OptionalAttr<DictArrayAttr>:$res_attrs,
                   OptionalAttr<TypeAttr>:$compute_type,
                   OptionalAttr<TypeAttr>:$intermediate_type,
                   OptionalAttr<TypeAttr>:$io_type,
                   UnitAttr:$dynamic);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// FunctionOpInterface.
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() {
      return getFunctionType().getInputs();
    }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() {
      return getFunctionType().getResults();
    }
    ::mlir::Region *getCallableRegion() { return &getBody(); }

    /// The graph's default compute type; f32 where it has none.
    ::mlir::Type getDefaultComputeType();
    /// uid, label and flags of argument or result `index`.
    int64_t getArgumentUid(unsigned index);
    int64_t getResultUid(unsigned index);
    ::llvm::StringRef getArgumentName(unsigned index);
    ::llvm::StringRef getResultName(unsigned index);
    bool isByValue(unsigned argumentIndex);
    /// The argument's `graph.default`, or null.
    ::mlir::TypedAttr getArgumentDefault(unsigned argumentIndex);
    /// Promised pointer alignment in bytes.
    int64_t getArgumentAlignment(unsigned argumentIndex);
    int64_t getResultAlignment(unsigned resultIndex);
    ReturnOp getReturn();
  }];
}

def Graph_ReturnOp : Op<Graph_Dialect, "return",
    [Pure, Terminator, ReturnLike, HasParent<"GraphOp">]> {
  let summary = "Name a graph's outputs";
  let arguments = (ins Variadic<Graph_Tensor>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
}

#endif // OPGRAPH_GRAPH_OPS_TD
