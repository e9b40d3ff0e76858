//===- GraphDialect.td - The graph dialect -----------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_GRAPH_DIALECT_TD
#define OPGRAPH_GRAPH_DIALECT_TD

include "mlir/IR/OpBase.td"

def Graph_Dialect : Dialect {
  let name = "graph";
  let cppNamespace = "::opgraph::graph";
  let summary = "What a user means: a graph of deep-learning operations";
  let description = [{
    The `graph` dialect holds a user's operation graph exactly as declared:
    one op per operation, values as ranked tensors whose encoding
    (`#graph.layout`) carries strides and symbolic extents, and element types
    that say where a value rounds. Nothing in it names an engine or a kernel.

    Numerics shared by all ops (each op's page states only what it adds):
    operands and float attributes convert to the op's compute type; the result is
    computed there and rounds once, to nearest even, to the result's element
    type. Conversions to fp8 saturate to the largest finite value and keep NaN. Conversions to f4E2M1FN
    saturate to 6 and take NaN, which it lacks, to +6, as hardware does.
    Conversions to the scale type f8E8M0FNU round up to the next power of two:
    the least one, 2^-127, for what is not above it (0 and negative values too),
    2^127 for what is above that, NaN for NaN. Integer arithmetic
    wraps in two's complement; a float converts to an integer by truncation
    towards zero, saturating, with NaN to 0. A boolean operand is any non-zero
    byte and a boolean result is 0 or 1.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasCanonicalizer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

#endif // OPGRAPH_GRAPH_DIALECT_TD
