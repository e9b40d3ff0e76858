//===- GraphInterfaces.td - What every graph op can be asked -*- tablegen -*-=//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_GRAPH_INTERFACES_TD
#define OPGRAPH_GRAPH_INTERFACES_TD

include "mlir/IR/Interfaces.td"
include "mlir/IR/EnumAttr.td"
include "dialects/Graph/GraphEnums.td"

def GraphOpInterface : OpInterface<"GraphOpInterface"> {
  let cppNamespace = "::opgraph::graph";
  let description = [{
    Implemented by every operation of a graph. `inferResults` is the one home
    of an op's numbered constraints and of its shape, dtype and stride rules:
    the builder calls it to fill what the user left unset, the verifier calls
    it with everything declared and compares.
  }];
  let methods = [
    InterfaceMethod<[{
      Checks the op's constraints and fills unset fields of the results.
      Reports through `inference.error(kind)` and returns failure.
    }], "::llvm::LogicalResult", "inferResults",
    (ins "::opgraph::graph::Inference &":$inference)>,
    StaticInterfaceMethod<[{
      Whether ODS result `index` exists for an op with these attributes and
      operands (a norm's statistics exist in training only, say).
      `hasOperand(name)` answers whether the operand of that ODS name is given.
    }], "bool", "isResultPresent",
    (ins "unsigned":$index, "::mlir::DictionaryAttr":$attributes,
         "::llvm::function_ref<bool(::llvm::StringRef)>":$hasOperand), [{}],
    [{ return true; }]>,
    InterfaceMethod<[{
      Types of the first `count` block arguments of the op's region, those
      before the captures; the builder asks before the region exists. Empty
      where the op has no region, or where its operands do not say (inferResults
      then reports why).
    }], "::llvm::SmallVector<::mlir::RankedTensorType>", "getRegionArgumentTypes",
    (ins "unsigned":$count), [{}], [{ return {}; }]>,
    StaticInterfaceMethod<[{
      Names of the ODS operands, as the builder and `isResultPresent` know them.
    }], "::llvm::ArrayRef<::llvm::StringLiteral>", "getOperandNames", (ins),
    [{}], [{ return {}; }]>,
    StaticInterfaceMethod<[{
      Port names of the ODS results, absent ones included; their number is the
      number of ODS results.
    }], "::llvm::ArrayRef<::llvm::StringLiteral>", "getResultPorts", (ins),
    [{}], [{ return {}; }]>,
  ];
  let verify = [{ return ::opgraph::graph::detail::verifyGraphOp($_op); }];
}

def PointwiseOpInterface : OpInterface<"PointwiseOpInterface"> {
  let cppNamespace = "::opgraph::graph";
  let description = [{
    One result element is a function of the operand elements at the same
    (broadcast) coordinates. Engines switch over the closed enum `mode`;
    aliases (`bias`, `scale`, `leaky_relu`) share the mode they alias.
  }];
  let methods = [
    StaticInterfaceMethod<"The function computed", "::opgraph::graph::PointwiseMode",
                          "getMode">,
    StaticInterfaceMethod<"The compute types that the function is defined for",
                          "::opgraph::graph::PointwiseDomain", "getDomain">,
  ];
}

def ComputeTypeOpInterface : OpInterface<"ComputeTypeOpInterface"> {
  let cppNamespace = "::opgraph::graph";
  let description = "Ops whose arithmetic happens in a declared compute type.";
  let methods = [
    InterfaceMethod<[{
      The op's own `compute_type`, else its graph's.
    }], "::mlir::Type", "getEffectiveComputeType", (ins), [{}], [{
      if (auto type = $_op.getComputeType())
        return *type;
      return ::opgraph::graph::detail::getGraphComputeType($_op);
    }]>,
  ];
}

#endif // OPGRAPH_GRAPH_INTERFACES_TD
