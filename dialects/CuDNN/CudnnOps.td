//===- CudnnOps.td - Operations of cudnn -------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CUDNN_OPS_TD
#define OPGRAPH_CUDNN_OPS_TD

include "dialects/CuDNN/CudnnDialect.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Cudnn_Op<string mnemonic, list<Trait> traits = []>
    : Op<Cudnn_Dialect, mnemonic, traits>;

def Cudnn_GraphOp : Cudnn_Op<"graph",
    [Symbol, IsolatedFromAbove, NoTerminator, SingleBlock, NoRegionArguments]> {
  let summary = "An operation graph, descriptor by descriptor";
  let description = [{
    Constraints:
    - (G1) the last descriptor, and no other, is an `operationgraph`; each
      operation of the graph is on its list.
    - (G2) the unique ids of tensors differ.

    ```mlir
    cudnn.graph @scale {
      %0 = cudnn.descriptor tensor {unique_id = 1, data_type = half,
          dimensions = [4, 8], strides = [8, 1], byte_alignment = 16}
      %1 = cudnn.descriptor tensor {unique_id = 2, data_type = half,
          dimensions = [4, 8], strides = [8, 1], byte_alignment = 16}
      %2 = cudnn.descriptor pointwise {mode = relu_fwd, math_prec = float}
      %3 = cudnn.descriptor operation_pointwise {pw_descriptor = %2, xdesc = %0,
          ydesc = %1}
      %4 = cudnn.descriptor operationgraph {ops = [%3]}
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

def Cudnn_DescriptorOp : Cudnn_Op<"descriptor",
    [HasParent<"GraphOp">, Pure]> {
  let summary = "Creates, sets and finalises one descriptor";
  let description = [{
    `records` holds for each attribute its number, the number of its type, how
    many elements it has, and one 64-bit word for each element (two for a
    fraction): integers, enumerators and booleans as numbers, floats as their
    bits, descriptors as positions among the operands. An attribute takes a
    second type where its printed name says so: `seed: backend_descriptor = %0`.

    Constraints:
    - (D1) the kind is in the table and part of programs.
    - (D2) each attribute is the kind's, set once, with a type and a number of
      elements that the table has; required ones are set.
    - (D3) enumerators are in the table, and descriptors of the kind that the
      attribute takes.
    - (D4) a tensor has 1 to 8 dimensions, as many strides, no extent below 1,
      and an alignment that is a power of two.
  }];
  let arguments = (ins
    I32Attr:$kind,
    DenseI64ArrayAttr:$records,
    Variadic<Cudnn_DescriptorType>:$descriptors);
  let results = (outs Cudnn_DescriptorType:$result);
  let builders = [OpBuilder<(ins
    "::opgraph::cudnn::Kind":$kind,
    "::llvm::ArrayRef<int64_t>":$records,
    "::mlir::ValueRange":$descriptors)>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The row of its kind; null for a number that the table lacks.
    const ::opgraph::cudnn::KindRow *getRow();
    /// Its records taken apart; stops at one that is cut off.
    ::llvm::SmallVector<::opgraph::cudnn::RecordView> getRecordViews();
    /// The first word of an attribute, where it is set.
    ::std::optional<int64_t> getWord(::opgraph::cudnn::Attr attr);
  }];
}

#endif // OPGRAPH_CUDNN_OPS_TD
