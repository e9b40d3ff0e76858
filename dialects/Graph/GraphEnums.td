//===- GraphEnums.td - Closed sets of names in the dialect -*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values are the peers' (reference/op_surface.md, sections 4.2 and 4.4).
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_GRAPH_ENUMS_TD
#define OPGRAPH_GRAPH_ENUMS_TD

include "mlir/IR/EnumAttr.td"
include "dialects/Graph/GraphDialect.td"

class Graph_I32Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::opgraph::graph";
  let genSpecializedAttr = 0;
}

class Graph_EnumAttr<EnumAttrInfo info, string mnemonic>
    : EnumAttr<Graph_Dialect, info, mnemonic> {
  let assemblyFormat = "$value";
}

def Graph_ReductionModeInfo : Graph_I32Enum<"ReductionMode",
    "How a reduction combines elements", [
  I32EnumAttrCase<"ADD", 1, "add">, I32EnumAttrCase<"MUL", 2, "mul">,
  I32EnumAttrCase<"MIN", 3, "min">, I32EnumAttrCase<"MAX", 4, "max">,
  I32EnumAttrCase<"AMAX", 5, "amax">, I32EnumAttrCase<"AVG", 6, "avg">,
  I32EnumAttrCase<"NORM1", 7, "norm1">, I32EnumAttrCase<"NORM2", 8, "norm2">,
  I32EnumAttrCase<"MUL_NO_ZEROS", 9, "mul_no_zeros">]>;
def Graph_NormForwardPhaseInfo : Graph_I32Enum<"NormForwardPhase",
    "Whether a norm also returns its statistics", [
  I32EnumAttrCase<"INFERENCE", 1, "inference">,
  I32EnumAttrCase<"TRAINING", 2, "training">]>;
def Graph_ReshapeModeInfo : Graph_I32Enum<"ReshapeMode",
    "Whether a reshape keeps memory or logical order", [
  I32EnumAttrCase<"VIEW_ONLY", 1, "view_only">,
  I32EnumAttrCase<"LOGICAL", 2, "logical">]>;
def Graph_DiagonalAlignmentInfo : Graph_I32Enum<"DiagonalAlignment",
    "Which corner the diagonal band of an attention mask starts from", [
  I32EnumAttrCase<"TOP_LEFT", 0, "top_left">,
  I32EnumAttrCase<"BOTTOM_RIGHT", 1, "bottom_right">]>;
def Graph_ReorderingInfo : Graph_I32Enum<"Reordering",
    "Physical element order beyond strides", [
  I32EnumAttrCase<"NONE", 0, "none">, I32EnumAttrCase<"INT8x32", 1, "int8x32">,
  I32EnumAttrCase<"F16x16", 2, "f16x16">,
  I32EnumAttrCase<"F8_128x4", 3, "f8_128x4">]>;

def Graph_ConvolutionModeInfo : Graph_I32Enum<"ConvolutionMode",
    "Whether a convolution flips its filter", [
  I32EnumAttrCase<"CONVOLUTION", 1, "convolution">,
  I32EnumAttrCase<"CROSS_CORRELATION", 2, "cross_correlation">]>;
def Graph_ResampleModeInfo : Graph_I32Enum<"ResampleMode",
    "What a resampling window computes", [
  I32EnumAttrCase<"AVGPOOL_EXCLUDE_PADDING", 1, "avgpool_exclude_padding">,
  I32EnumAttrCase<"AVGPOOL_INCLUDE_PADDING", 2, "avgpool_include_padding">,
  I32EnumAttrCase<"BILINEAR", 3, "bilinear">,
  I32EnumAttrCase<"NEAREST", 4, "nearest">,
  I32EnumAttrCase<"MAXPOOL", 5, "maxpool">]>;
def Graph_PaddingModeInfo : Graph_I32Enum<"PaddingMode",
    "What a resampling window reads outside of its input", [
  I32EnumAttrCase<"EDGE_VAL_PAD", 1, "edge_val_pad">,
  I32EnumAttrCase<"NEG_INF_PAD", 2, "neg_inf_pad">,
  I32EnumAttrCase<"ZERO_PAD", 3, "zero_pad">]>;
def Graph_RngDistributionInfo : Graph_I32Enum<"RngDistribution",
    "What random numbers are drawn from", [
  I32EnumAttrCase<"BERNOULLI", 1, "bernoulli">,
  I32EnumAttrCase<"UNIFORM", 2, "uniform">,
  I32EnumAttrCase<"NORMAL", 3, "normal">]>;
def Graph_MoeGroupedMatmulModeInfo : Graph_I32Enum<"MoeGroupedMatmulMode",
    "Where a grouped matmul reads its rows and writes its results", [
  I32EnumAttrCase<"NONE", 1, "none">, I32EnumAttrCase<"GATHER", 2, "gather">,
  I32EnumAttrCase<"SCATTER", 3, "scatter">,
  I32EnumAttrCase<"COMBINE", 4, "combine">]>;
def Graph_AttentionImplementationInfo : Graph_I32Enum<"AttentionImplementation",
    "Which of a library's forms of attention to ask for; a hint", [
  I32EnumAttrCase<"AUTO", 0, "auto">, I32EnumAttrCase<"COMPOSITE", 1, "composite">,
  I32EnumAttrCase<"UNIFIED", 2, "unified">]>;

def Graph_ConvolutionMode : Graph_EnumAttr<Graph_ConvolutionModeInfo, "convolution_mode">;
def Graph_ResampleMode : Graph_EnumAttr<Graph_ResampleModeInfo, "resample_mode">;
def Graph_PaddingMode : Graph_EnumAttr<Graph_PaddingModeInfo, "padding_mode">;
def Graph_RngDistribution : Graph_EnumAttr<Graph_RngDistributionInfo, "rng_distribution">;
def Graph_MoeGroupedMatmulMode : Graph_EnumAttr<Graph_MoeGroupedMatmulModeInfo, "moe_mode">;
def Graph_AttentionImplementation
    : Graph_EnumAttr<Graph_AttentionImplementationInfo, "attention_implementation">;
def Graph_ReductionMode : Graph_EnumAttr<Graph_ReductionModeInfo, "reduction_mode">;
def Graph_NormForwardPhase : Graph_EnumAttr<Graph_NormForwardPhaseInfo, "norm_phase">;
def Graph_ReshapeMode : Graph_EnumAttr<Graph_ReshapeModeInfo, "reshape_mode">;
def Graph_DiagonalAlignment : Graph_EnumAttr<Graph_DiagonalAlignmentInfo, "diagonal_alignment">;

/// The function of a pointwise op; numbered as the peers number it.
def Graph_PointwiseModeInfo : Graph_I32Enum<"PointwiseMode",
    "The function of a pointwise op", [
  I32EnumAttrCase<"ADD", 1, "add">, I32EnumAttrCase<"MUL", 2, "mul">,
  I32EnumAttrCase<"SQRT", 3, "sqrt">, I32EnumAttrCase<"MAX", 4, "max">,
  I32EnumAttrCase<"MIN", 5, "min">, I32EnumAttrCase<"RELU_FWD", 6, "relu">,
  I32EnumAttrCase<"TANH_FWD", 7, "tanh">,
  I32EnumAttrCase<"SIGMOID_FWD", 8, "sigmoid">,
  I32EnumAttrCase<"ELU_FWD", 9, "elu">, I32EnumAttrCase<"GELU_FWD", 10, "gelu">,
  I32EnumAttrCase<"SOFTPLUS_FWD", 11, "softplus">,
  I32EnumAttrCase<"SWISH_FWD", 12, "swish">,
  I32EnumAttrCase<"RELU_BWD", 13, "relu_backward">,
  I32EnumAttrCase<"TANH_BWD", 14, "tanh_backward">,
  I32EnumAttrCase<"SIGMOID_BWD", 15, "sigmoid_backward">,
  I32EnumAttrCase<"ELU_BWD", 16, "elu_backward">,
  I32EnumAttrCase<"GELU_BWD", 17, "gelu_backward">,
  I32EnumAttrCase<"SOFTPLUS_BWD", 18, "softplus_backward">,
  I32EnumAttrCase<"SWISH_BWD", 19, "swish_backward">,
  I32EnumAttrCase<"ERF", 20, "erf">, I32EnumAttrCase<"IDENTITY", 21, "identity">,
  I32EnumAttrCase<"GELU_APPROX_TANH_BWD", 22, "gelu_approx_tanh_backward">,
  I32EnumAttrCase<"GELU_APPROX_TANH_FWD", 23, "gelu_approx_tanh">,
  I32EnumAttrCase<"GEN_INDEX", 24, "gen_index">,
  I32EnumAttrCase<"BINARY_SELECT", 25, "binary_select">,
  I32EnumAttrCase<"EXP", 26, "exp">, I32EnumAttrCase<"LOG", 27, "log">,
  I32EnumAttrCase<"NEG", 28, "neg">, I32EnumAttrCase<"MOD", 29, "mod">,
  I32EnumAttrCase<"POW", 30, "pow">, I32EnumAttrCase<"ABS", 31, "abs">,
  I32EnumAttrCase<"CEIL", 32, "ceil">, I32EnumAttrCase<"COS", 33, "cos">,
  I32EnumAttrCase<"FLOOR", 34, "floor">, I32EnumAttrCase<"RSQRT", 35, "rsqrt">,
  I32EnumAttrCase<"SIN", 36, "sin">,
  I32EnumAttrCase<"LOGICAL_NOT", 37, "logical_not">,
  I32EnumAttrCase<"TAN", 38, "tan">, I32EnumAttrCase<"SUB", 39, "sub">,
  I32EnumAttrCase<"ADD_SQUARE", 40, "add_square">,
  I32EnumAttrCase<"DIV", 41, "div">, I32EnumAttrCase<"CMP_EQ", 42, "cmp_eq">,
  I32EnumAttrCase<"CMP_NEQ", 43, "cmp_neq">,
  I32EnumAttrCase<"CMP_GT", 44, "cmp_gt">, I32EnumAttrCase<"CMP_GE", 45, "cmp_ge">,
  I32EnumAttrCase<"CMP_LT", 46, "cmp_lt">, I32EnumAttrCase<"CMP_LE", 47, "cmp_le">,
  I32EnumAttrCase<"LOGICAL_AND", 48, "logical_and">,
  I32EnumAttrCase<"LOGICAL_OR", 49, "logical_or">,
  I32EnumAttrCase<"RECIPROCAL", 50, "reciprocal">]>;

#endif // OPGRAPH_GRAPH_ENUMS_TD
