//===- GraphBase.td - Dialect, types and op base classes ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_GRAPH_BASE_TD
#define OPGRAPH_GRAPH_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/Graph/GraphAttrs.td"
include "dialects/Graph/GraphInterfaces.td"

/// Every element type that a graph value may have.
def Graph_ElementType
    : AnyTypeOf<[F32, F64, F16, BF16, F8E4M3FN, F8E5M2, F8E8M0FNU, F4E2M1FN, I<4>,
                 I8, UI8, I32, I64, I1],
                "graph element type">;
def Graph_Tensor : RankedTensorOf<[Graph_ElementType]>;

/// Base of all operations. `ports` are the peers' names of operands, then
/// results; opgraph-tblgen reads them.
class Graph_Op<string mnemonic, list<Trait> traits = [],
               list<string> overriddenMethods = []>
    : Op<Graph_Dialect, mnemonic,
         !listconcat(traits, [Pure, DeclareOpInterfaceMethods<
                                        GraphOpInterface, overriddenMethods>])> {
  list<string> operandPorts = [];
  list<string> resultPorts = [];
  /// Name of the chapter this op's page belongs to.
  string docGroup = "Other";
  /// What an op class declares beyond its ports.
  code extraDeclarations = "";
  /// ODS names of the operands, which come first among the arguments.
  list<string> operandNames =
      !foreach(i, !range(!size(operandPorts)), !getdagname(arguments, i));
  let extraClassDeclaration = [{
    /// ODS names of the operands, absent ones included.
    static ::llvm::ArrayRef<::llvm::StringLiteral> getOperandNames() {
      static constexpr ::llvm::StringLiteral names[] = }] #
      "{\"" # !interleave(operandNames, "\", \"") # "\"}" # [{;
      return names;
    }
    /// Port names of the ODS results, absent ones included.
    static ::llvm::ArrayRef<::llvm::StringLiteral> getResultPorts() {
      static constexpr ::llvm::StringLiteral ports[] = }] #
      "{\"" # !interleave(resultPorts, "\", \"") # "\"}" # [{;
      return ports;
    }
  }] # extraDeclarations;
}

/// An attribute every computing op has: where its arithmetic happens; absent
/// means the graph's compute type.
def Graph_ComputeTypeAttr : OptionalAttr<TypeAttr>;

#endif // OPGRAPH_GRAPH_BASE_TD
