//===- TensorOps.td - Matmul, reduction and layout ops -----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_GRAPH_TENSOR_OPS_TD
#define OPGRAPH_GRAPH_TENSOR_OPS_TD

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "dialects/Graph/GraphBase.td"

def Graph_MatmulOp : Graph_Op<"matmul", [AttrSizedOperandSegments, ComputeTypeOpInterface]> {
  let summary = "Multiply two (batches of) matrices";
  let docGroup = "Matmul";
  let description = [{
    `C[b, m, n] = sum over k of A[b, m, k] * B[b, k, n]`, where an axis of
    extent 1 in the batch of `A` or `B` broadcasts.

    The overrides are per-batch true sizes, clamped to [0, extent]: elements of
    `A` with `m >= M_override[b]` or `k >= K_override[b]` and of `B` with
    `n >= N_override[b]` or `k >= K_override[b]` read as `padding`.

    Constraints:
    - (C1) `A` and `B` have one rank, at least 2.
    - (C2) the last extent of `A` is the last but one of `B`.
    - (C3) batch extents match or are 1.
    - (C4) an override broadcasts to C's batch extents followed by 1, 1.
    - (C5) an override is i32 or i64.
    - (C6) the compute type is a number.

    Shapes: `C` is `[batch..., M, N]`, row-major unless declared.

    Numerics: operands convert to the compute type, products are summed in f32
    (f64 for compute type f64, wrapping i32 or i64 for those) in unspecified
    order, and the sum rounds once to C's element type. A sum over no elements
    is +0. NaN and infinities propagate as IEEE products and sums do, zeros
    included: nothing is skipped because a factor is 0. f32 operands may be
    read as tf32 unless `ieee` is set; `fast_fp8_accumulation` allows the
    narrow accumulator of fp8 hardware.

    Tolerance: `u(C) * |c| + 2 * K * u(acc) * sum |a * b|`, and
    `+ 2 * u(tf32) * sum |a * b|` where tf32 is allowed; u is the unit roundoff
    of a type. Integer compute types are exact.

    ```mlir
    graph.graph @matmul(%a: tensor<2x4x8xf16> {graph.uid = 1 : i64},
                        %b: tensor<1x8x16xf16> {graph.uid = 2 : i64})
        -> (tensor<2x4x16xf16> {graph.uid = 3 : i64}) {
      %0 = graph.matmul %a, %b
          : (tensor<2x4x8xf16>, tensor<1x8x16xf16>) -> tensor<2x4x16xf16>
      graph.return %0 : tensor<2x4x16xf16>
    }
    ```
  }];
  let operandPorts = ["A", "B", "M_override", "N_override", "K_override"];
  let resultPorts = ["C"];
  let arguments = (ins Graph_Tensor:$A, Graph_Tensor:$B,
                   Optional<Graph_Tensor>:$M_override, Optional<Graph_Tensor>:$N_override,
                   Optional<Graph_Tensor>:$K_override,
                   Graph_ComputeTypeAttr:$compute_type,
                   DefaultValuedAttr<F64Attr, "0.0">:$padding,
                   UnitAttr:$ieee, UnitAttr:$fast_fp8_accumulation);
  let results = (outs Graph_Tensor:$C);
  let assemblyFormat = [{
    $A `,` $B (`m_override` $M_override^)? (`n_override` $N_override^)?
    (`k_override` $K_override^)? attr-dict `:` `(` type(operands) `)` `->` type($C)
  }];
}

def Graph_ReductionOp : Graph_Op<"reduction", [ComputeTypeOpInterface]> {
  let summary = "Reduce along the axes where the result's extent is 1";
  let docGroup = "Reduction";
  let description = [{
    Combines the elements of `X` along every axis where `Y` has extent 1; with
    `GROUP_OFFSET`, separately for each group of rows.

    | mode | result over the reduced elements x | over none |
    |---|---|---|
    | add | sum of x | 0 |
    | mul | product of x | 1 |
    | min, max | least, greatest x | +inf, -inf; an integer's greatest, least |
    | amax | greatest abs(x) | 0 |
    | avg | sum of x / count | NaN |
    | norm1 | sum of abs(x) | 0 |
    | norm2 | sqrt(sum of x * x) | 0 |
    | mul_no_zeros | product of the x that are not 0 | 1 |

    Constraints:
    - (C1) `Y` is declared and has the rank of `X`.
    - (C2) each extent of `Y` is 1 or that of `X`, without `GROUP_OFFSET`.
    - (C3) `avg` and `norm2` have a floating-point compute type.
    - (C4) the compute type is a number.
    - (C5) `GROUP_OFFSET` is i32 or i64, with at least one element and at most one
      axis of more.
    - (C6) with `GROUP_OFFSET` of G + 1 elements, `X` is [1, T, N] and `Y` is
      [G, 1, N] or [G, 1, 1].

    With `GROUP_OFFSET`, `Y[g]` is the result over the rows r of `X` with
    `offset[g] <= r < offset[g + 1]`, bounds clamped to [0, T]; over none where the
    end is not above the start. The count of `avg` is that of the group.

    Shapes: dims of `Y` are required. Its strides, unless declared, are packed
    channels-last (batch slowest, then the spatial axes, channel fastest;
    row-major below rank 3).

    Numerics: elements convert to the compute type and are combined in it (f16
    and bf16 in f32) in unspecified order; the result rounds once. NaN
    propagates in every mode. `max(-0, +0)` is +0 and `min(-0, +0)` is -0; both
    zeros are skipped by `mul_no_zeros`. `norm2` sums squares without
    rescaling, so it overflows where the sum does.

    Tolerance: add, norm1, avg: `u(Y) * |y| + 2 * n * u(compute) * sum |x|` (over n
    for avg); mul, mul_no_zeros: `u(Y) * |y| + 2 * n * u(compute) * |y|`; norm2:
    `(u(Y) + (n + 2) * u(compute)) * |y|`; min, max, amax: the rounding to Y only.

    ```mlir
    graph.graph @reduction(%x: tensor<4x32x64xf32> {graph.uid = 1 : i64})
        -> (tensor<4x32x1xf32> {graph.uid = 2 : i64}) {
      %0 = graph.reduction add %x : (tensor<4x32x64xf32>) -> tensor<4x32x1xf32>
      graph.return %0 : tensor<4x32x1xf32>
    }
    ```
  }];
  let operandPorts = ["X", "GROUP_OFFSET"];
  let resultPorts = ["Y"];
  let arguments = (ins Graph_Tensor:$input, Optional<Graph_Tensor>:$group_offset,
                   Graph_ReductionMode:$mode,
                   Graph_ComputeTypeAttr:$compute_type);
  let results = (outs Graph_Tensor:$Y);
  let assemblyFormat = [{
    $mode $input (`group_offset` $group_offset^)? attr-dict `:`
    functional-type(operands, results)
  }];
}

def Graph_ReshapeOp : Graph_Op<"reshape"> {
  let summary = "Give the same elements other extents";
  let docGroup = "Layout";
  let description = [{
    Mode `logical`: the k-th element of `Y` in row-major order of its indices is
    the k-th of `X` in row-major order of its own, whatever either's strides.

    Mode `view_only`: the k-th element of `Y` in the order in which it lies in
    memory is the k-th of `X` in the order in which that lies in memory
    (axes by descending stride, or the layout's `order`). For packed layouts and
    for swapped axes with swapped strides this is the same memory under other
    extents; gaps in either layout are stepped over, never read as elements.

    Constraints:
    - (C1) `Y` is declared and has as many elements as `X`, for any value of the
      symbols: equal products of the numbers, the same symbols.
    - (C2) both have one element type.
    - (C3) `view_only`: no stride is `?` on an axis of extent other than 1.
    - (C4) `view_only`: no two elements of `X` share an address.
    - (C5) `view_only`: neither `X` nor `Y` has a reordering.

    Shapes: dims of `Y` are required. Its strides, unless declared, are packed
    channels-last (row-major below rank 3), so they are usually declared.

    Numerics: elements are copied bit for bit, NaN payloads included.

    ```mlir
    graph.graph @reshape(%x: tensor<3x4x5xf32> {graph.uid = 1 : i64})
        -> (tensor<6x10xf32> {graph.uid = 2 : i64}) {
      %0 = graph.reshape logical %x : (tensor<3x4x5xf32>) -> tensor<6x10xf32>
      graph.return %0 : tensor<6x10xf32>
    }
    ```
  }];
  let operandPorts = ["X"];
  let resultPorts = ["Y"];
  let arguments = (ins Graph_Tensor:$input,
                   DefaultValuedAttr<Graph_ReshapeMode, "::opgraph::graph::ReshapeMode::VIEW_ONLY">:$reshape_mode);
  let results = (outs Graph_Tensor:$Y);
  let assemblyFormat = "$reshape_mode $input attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def Graph_TransposeOp : Graph_Op<"transpose"> {
  let summary = "Permute axes";
  let docGroup = "Layout";
  let description = [{
    `Y[i_0, ..., i_n] = X[j]` with `j[permutation[a]] = i_a`: axis `a` of the
    result is axis `permutation[a]` of the input.

    Constraints:
    - (C1) `permutation` is a permutation of X's axes.
    - (C2) both have one element type.

    Shapes: extents and strides of `X`, permuted; where X's strides are known at
    a call only or make elements overlap, packed in the permuted memory order.

    Numerics: elements are copied bit for bit.

    ```mlir
    graph.graph @transpose(%x: tensor<2x3x4xf16> {graph.uid = 1 : i64})
        -> (tensor<2x4x3xf16, #graph.layout<strides = [12, 1, 4]>>
            {graph.uid = 2 : i64}) {
      %0 = graph.transpose %x [0, 2, 1] : (tensor<2x3x4xf16>)
          -> tensor<2x4x3xf16, #graph.layout<strides = [12, 1, 4]>>
      graph.return %0 : tensor<2x4x3xf16, #graph.layout<strides = [12, 1, 4]>>
    }
    ```
  }];
  let operandPorts = ["X"];
  let resultPorts = ["Y"];
  let arguments = (ins Graph_Tensor:$input, DenseI64ArrayAttr:$permutation);
  let results = (outs Graph_Tensor:$Y);
  let assemblyFormat = "$input $permutation attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def Graph_SliceOp : Graph_Op<"slice"> {
  let summary = "Take a strided sub-box";
  let docGroup = "Layout";
  let description = [{
    `Y[i] = X[start + i * step]` on each axis.

    Constraints:
    - (C1) `start`, `stop` and `step` have an entry per axis of `X`.
    - (C2) `step >= 1`.
    - (C3) `0 <= start <= stop <= extent` on a static axis.
    - (C4) a dynamic axis is taken whole: start 0, stop -1 (its end), step 1.
    - (C5) both have one element type.

    Shapes: extent `ceil((stop - start) / step)`, strides of `X` times `step`;
    where X's strides are known at a call only or make elements overlap, packed
    in X's memory order. A result that is an output is written where it was
    declared; it does not alias `X`.

    Numerics: elements are copied bit for bit.

    ```mlir
    graph.graph @slice(%x: tensor<4x10xf32> {graph.uid = 1 : i64})
        -> (tensor<4x5xf32, #graph.layout<strides = [10, 2]>>
            {graph.uid = 2 : i64}) {
      %0 = graph.slice %x [0, 0] to [4, 10] step [1, 2] : (tensor<4x10xf32>)
          -> tensor<4x5xf32, #graph.layout<strides = [10, 2]>>
      graph.return %0 : tensor<4x5xf32, #graph.layout<strides = [10, 2]>>
    }
    ```
  }];
  let operandPorts = ["X"];
  let resultPorts = ["Y"];
  let arguments = (ins Graph_Tensor:$input, DenseI64ArrayAttr:$start,
                   DenseI64ArrayAttr:$stop, DenseI64ArrayAttr:$step);
  let results = (outs Graph_Tensor:$Y);
  let assemblyFormat = "$input $start `to` $stop `step` $step attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def Graph_ConcatenateOp : Graph_Op<"concatenate"> {
  let summary = "Join tensors along an axis";
  let docGroup = "Layout";
  let description = [{
    `Y` holds the inputs one after another along `axis`.

    Constraints:
    - (C1) at least one input.
    - (C2) `0 <= axis < rank`.
    - (C3) inputs have one rank, and one extent on every axis but `axis`.
    - (C4) extents along `axis` are static where there are several inputs.
    - (C5) inputs and result have one element type.
    - (C6) `in_place_index` is the number of an input.

    Shapes: extents of input 0 with those along `axis` added; packed in the
    memory order of input 0 unless declared.

    `in_place_index` is a hint that this input may already lie inside the
    result's buffer; it never changes a value.

    Numerics: elements are copied bit for bit.

    ```mlir
    graph.graph @concatenate(%a: tensor<2x3x8xf32> {graph.uid = 1 : i64},
                             %b: tensor<2x5x8xf32> {graph.uid = 2 : i64})
        -> (tensor<2x8x8xf32> {graph.uid = 3 : i64}) {
      %0 = graph.concatenate %a, %b axis 1
          : (tensor<2x3x8xf32>, tensor<2x5x8xf32>) -> tensor<2x8x8xf32>
      graph.return %0 : tensor<2x8x8xf32>
    }
    ```
  }];
  let operandPorts = ["X"];
  let resultPorts = ["Y"];
  let arguments = (ins Variadic<Graph_Tensor>:$inputs, I64Attr:$axis,
                   OptionalAttr<I64Attr>:$in_place_index);
  let results = (outs Graph_Tensor:$Y);
  let assemblyFormat = "$inputs `axis` $axis attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

def Graph_ConstantOp : Graph_Op<"constant"> {
  let summary = "A scalar fixed at compile time";
  let docGroup = "Constants";
  let description = [{
    A tensor whose only element is `value`. This is what a `COMPILE_TIME_CONST`
    scalar becomes: it has no uid and is in no variant pack.

    Constraints:
    - (C1) `value` is an integer or a float, positive if it is a f8E8M0FNU.
    - (C2) every extent is 1.
    - (C3) the element type is that of `value`.

    ```mlir
    graph.graph @constant(%x: tensor<4x8xf32> {graph.uid = 1 : i64})
        -> (tensor<4x8xf32> {graph.uid = 2 : i64}) {
      %0 = graph.constant 5.000000e-01 : f32 : tensor<1x1xf32>
      %1 = graph.mul %x, %0 : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
      graph.return %1 : tensor<4x8xf32>
    }
    ```
  }];
  let resultPorts = ["OUT_0"];
  let arguments = (ins TypedAttrInterface:$value);
  let results = (outs Graph_Tensor:$out);
  let assemblyFormat = "$value attr-dict `:` type($out)";
}

#endif // OPGRAPH_GRAPH_TENSOR_OPS_TD
