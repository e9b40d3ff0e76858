//===- PointwiseBase.td - What the pointwise ops share -----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The base classes put each op's page together: formula, shared and own
// constraints, numerics, tolerance and an example that parses.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_GRAPH_POINTWISE_BASE_TD
#define OPGRAPH_GRAPH_POINTWISE_BASE_TD

include "dialects/Graph/GraphBase.td"

/// The compute types that a function is defined for; `cppName` is a
/// PointwiseDomain.
class Graph_Domain<string cppName, string text> {
  string name = cppName;
  string types = text;
}
def Graph_Float : Graph_Domain<"Float", "f16, bf16, f32 or f64">;
def Graph_Number
    : Graph_Domain<"Number", "f16, bf16, f32, f64, i32 or i64">;
def Graph_Any : Graph_Domain<"Any",
    "f16, bf16, f32, f64, i32, i64 or i1; i1 stands for the widest type of the "
    "operands' kind: i64 if all are integers or booleans (of a select: both "
    "values), else f64">;

/// Tolerances; u(T) is the unit roundoff of T, 0 for integers.
defvar Graph_Exact = "none: every engine gives the same bits";
defvar Graph_Rounded = "`(u(out) + u(compute)) * |out|`";
defvar Graph_Approximate
    = "`(u(out) + 8 * u(compute)) * |out|`, and one subnormal step of either";
defvar Graph_Activation
    = "`u(out) * |out| + 8 * u(compute) * (|out| + |input|)`";
defvar Graph_Derivative
    = "`u(out) * |out| + 16 * u(compute) * |loss| * (1 + |input|)`";

/// Base of the pointwise ops: ports IN_0, IN_1, IN_2 and OUT_0.
class Graph_PointwiseOp<string mnemonic, string pointwiseMode, string text,
                        Graph_Domain domain, string formula, string values,
                        dag operands, dag extra = (ins)>
    : Graph_Op<mnemonic,
               [PointwiseOpInterface,
                DeclareOpInterfaceMethods<ComputeTypeOpInterface,
                                          ["getEffectiveComputeType"]>]> {
  string mode = pointwiseMode;
  let summary = text;
  let docGroup = "Pointwise";
  let operandPorts = !foreach(i, !range(!size(operands)), "IN_" # i);
  let resultPorts = ["OUT_0"];
  let arguments = !con(operands, extra,
                       (ins Graph_ComputeTypeAttr:$compute_type));
  let results = (outs Graph_Tensor:$out);
  let assemblyFormat =
      "operands attr-dict `:` functional-type(operands, results)";
  let extraDeclarations = [{
    static ::opgraph::graph::PointwiseMode getMode() {
      return ::opgraph::graph::PointwiseMode::}] # pointwiseMode # [{;
    }
    static ::opgraph::graph::PointwiseDomain getDomain() {
      return ::opgraph::graph::PointwiseDomain::}] # domain.name # [{;
    }
  }];
  let extraClassDefinition = [{
    ::llvm::LogicalResult
    $cppClass::inferResults(::opgraph::graph::Inference &inference) {
      return ::opgraph::graph::detail::inferPointwise(*this, inference);
    }
    ::mlir::Type $cppClass::getEffectiveComputeType() {
      return ::opgraph::graph::detail::getPointwiseComputeType(
          *this, getComputeType());
    }
  }];

  // The page.
  /// Constraints beyond C1 to C3, with their labels.
  list<string> constraints = [];
  string tolerance = Graph_Rounded;
  /// What the example declares: operand and result types, and attributes.
  list<string> exampleTypes =
      !foreach(i, !range(!size(operands)), "tensor<4x8xf32>");
  string exampleResult = "tensor<4x8xf32>";
  string exampleAttrs = "";
  defvar names = !foreach(i, !range(!size(operands)),
                          !getdagname(operands, i));
  defvar exampleArguments = !interleave(
      !foreach(i, !range(!size(operands)),
               "%" # names[i] # ": " # exampleTypes[i]
                   # " {graph.uid = " # !add(i, 1) # " : i64}"),
      ",\n        ");
  let description = "\n    `out = " # formula # "` at every coordinate of the "
      "operands' broadcast. " # values # "\n"
      "\n    Constraints:\n"
      "    - (C1) counted from the last axis, the operands' extents are equal "
      "or 1; the result has the one that is not 1.\n"
      "    - (C2) a symbolic extent equals itself only and never broadcasts.\n"
      "    - (C3) the compute type is " # domain.types # ".\n"
      # !interleave(!foreach(line, constraints, "    - " # line # "\n"), "")
      # "\n    Element types: any, of operands and result alike. Operands "
      "convert to the compute type; the result rounds once, to its element "
      "type.\n"
      "\n    Layout of a result that declares none: that of the first operand "
      "with the result's extents, else, for a virtual result, packed in the "
      "memory order of IN_0 (row-major if the ranks differ).\n"
      "\n    Tolerance: " # tolerance # ".\n"
      "\n    ```mlir\n"
      "    graph.graph @" # mnemonic # "(\n        " # exampleArguments # ")\n"
      "        -> (" # exampleResult # " {graph.uid = 9 : i64}) {\n"
      "      %out = graph." # mnemonic # " "
      # !interleave(!foreach(name, names, "%" # name), ", ")
      # exampleAttrs # "\n          : ("
      # !interleave(exampleTypes, ", ") # ") -> " # exampleResult # "\n"
      "      graph.return %out : " # exampleResult # "\n"
      "    }\n"
      "    ```\n  ";
}

class Graph_UnaryOp<string mnemonic, string mode, string text,
                    Graph_Domain domain, string formula, string values,
                    dag extra = (ins)>
    : Graph_PointwiseOp<mnemonic, mode, text, domain, formula, values,
                        (ins Graph_Tensor:$input), extra>;
/// The second operand of an example broadcasts.
class Graph_BinaryOp<string mnemonic, string mode, string text,
                     Graph_Domain domain, string formula, string values,
                     dag operands = (ins Graph_Tensor:$a, Graph_Tensor:$b)>
    : Graph_PointwiseOp<mnemonic, mode, text, domain, formula, values,
                        operands> {
  let exampleTypes = ["tensor<4x8xf32>", "tensor<1x8xf32>"];
}
class Graph_CompareOp<string mnemonic, string mode, string text,
                      string relation, string values>
    : Graph_BinaryOp<mnemonic, mode, text, Graph_Any,
                     "input " # relation # " comparison ? 1 : 0", values,
                     (ins Graph_Tensor:$input, Graph_Tensor:$comparison)> {
  let exampleResult = "tensor<4x8xi1>";
  let tolerance = Graph_Exact;
}
/// dx = dy * f'(x): `loss` is dy, `input` the forward op's x.
class Graph_BackwardOp<string mnemonic, string mode, string text,
                       string derivative, string values, dag extra = (ins)>
    : Graph_PointwiseOp<mnemonic, mode, text, Graph_Float,
                        "loss * f'(input)`, `" # derivative, values,
                        (ins Graph_Tensor:$loss, Graph_Tensor:$input), extra> {
  let tolerance = Graph_Derivative;
}

#endif // OPGRAPH_GRAPH_POINTWISE_BASE_TD
