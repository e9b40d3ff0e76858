//===- CudnnDialect.td - The cudnn dialect -----------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CUDNN_DIALECT_TD
#define OPGRAPH_CUDNN_DIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpBase.td"

def Cudnn_Dialect : Dialect {
  let name = "cudnn";
  let cppNamespace = "::opgraph::cudnn";
  let summary = "The descriptors that a cuDNN operation graph is made of";
  let description = [{
    A `cudnn.graph` is a program for cuDNN's backend API: each
    `cudnn.descriptor` creates one descriptor, sets its attributes and finalises
    it, in order; the last one is the operation graph. What kinds, attributes,
    types and enumerators there are is a table (include/opgraph-c/cudnn.def):
    there are no ops for them, and a new library version is served by rows.

    Names are the library's, in lower case, without what they share: kind
    `operation_matmul` is CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR, its `adesc`
    is CUDNN_ATTR_OPERATION_MATMUL_ADESC, and `bfloat16` is CUDNN_DATA_BFLOAT16.
  }];
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerTypes();
  }];
}

def Cudnn_DescriptorType : TypeDef<Cudnn_Dialect, "Descriptor"> {
  let mnemonic = "desc";
  let summary = "A finalised backend descriptor";
}

#endif // OPGRAPH_CUDNN_DIALECT_TD
