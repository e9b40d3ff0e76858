//===- PointwiseOps.td - The 54 pointwise operations -------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_GRAPH_POINTWISE_OPS_TD
#define OPGRAPH_GRAPH_POINTWISE_OPS_TD

include "dialects/Graph/PointwiseBase.td"

//===----------------------------------------------------------------------===//
// Unary
//===----------------------------------------------------------------------===//

let tolerance = Graph_Exact in {
def Graph_IdentityOp : Graph_UnaryOp<"identity", "IDENTITY",
    "Copy, or convert the element type", Graph_Any, "input",
    "-0, infinities and NaN are kept where the result type has them. The way "
    "to cast between two ops: the result's element type is a rounding point."> {
  let hasFolder = 1;
}
def Graph_NegOp : Graph_UnaryOp<"neg", "NEG", "Negate", Graph_Number, "-input",
    "Flips the sign, that of zeros, infinities and NaN too. Of an integer "
    "compute type the least value is its own negative."> {
  let hasFolder = 1;
}
def Graph_AbsOp : Graph_UnaryOp<"abs", "ABS", "Absolute value", Graph_Number,
    "|input|",
    "Clears the sign: -0 gives +0. Of an integer compute type the least value "
    "is its own absolute value.">;
def Graph_CeilOp : Graph_UnaryOp<"ceil", "CEIL",
    "Round towards positive infinity", Graph_Number,
    "the least integer that is at least input",
    "Zeros, infinities and NaN are kept, and (-1, 0) gives -0; integers are "
    "kept.">;
def Graph_FloorOp : Graph_UnaryOp<"floor", "FLOOR",
    "Round towards negative infinity", Graph_Number,
    "the greatest integer that is at most input",
    "Zeros, infinities and NaN are kept; integers are kept.">;
def Graph_LogicalNotOp : Graph_UnaryOp<"logical_not", "LOGICAL_NOT",
    "Logical negation", Graph_Any, "input == 0 ? 1 : 0",
    "-0 is 0; NaN and infinities are true and give 0."> {
  let exampleTypes = ["tensor<4x8xi1>"];
  let exampleResult = "tensor<4x8xi1>";
  let hasFolder = 1;
}
}

let tolerance = Graph_Rounded in {
def Graph_SqrtOp : Graph_UnaryOp<"sqrt", "SQRT", "Square root", Graph_Float,
    "sqrt(input)", "-0 gives -0, anything below gives NaN, +inf gives +inf.">;
def Graph_ReciprocalOp : Graph_UnaryOp<"reciprocal", "RECIPROCAL", "Reciprocal",
    Graph_Float, "1 / input",
    "A zero gives the infinity of its sign, an infinity the zero of its sign.">;
}

let tolerance = Graph_Approximate in {
def Graph_SinOp : Graph_UnaryOp<"sin", "SIN", "Sine", Graph_Float, "sin(input)",
    "In radians. A zero is kept, an infinity gives NaN.">;
def Graph_CosOp : Graph_UnaryOp<"cos", "COS", "Cosine", Graph_Float,
    "cos(input)", "In radians. A zero gives 1, an infinity gives NaN.">;
def Graph_TanOp : Graph_UnaryOp<"tan", "TAN", "Tangent", Graph_Float,
    "tan(input)", "In radians. A zero is kept, an infinity gives NaN.">;
def Graph_ExpOp : Graph_UnaryOp<"exp", "EXP", "Natural exponential",
    Graph_Float, "e^input", "-inf gives +0, +inf gives +inf, a zero gives 1.">;
def Graph_LogOp : Graph_UnaryOp<"log", "LOG", "Natural logarithm", Graph_Float,
    "ln(input)",
    "A zero gives -inf, anything below gives NaN, 1 gives +0, +inf gives "
    "+inf.">;
def Graph_RsqrtOp : Graph_UnaryOp<"rsqrt", "RSQRT", "Reciprocal square root",
    Graph_Float, "1 / sqrt(input)",
    "A zero gives the infinity of its sign, anything below gives NaN, +inf "
    "gives +0.">;
def Graph_ErfOp : Graph_UnaryOp<"erf", "ERF", "Error function", Graph_Float,
    "2 / sqrt(pi) * integral of e^(-t^2) over t from 0 to input",
    "A zero is kept, an infinity gives the 1 of its sign.">;
def Graph_TanhOp : Graph_UnaryOp<"tanh", "TANH_FWD", "Hyperbolic tangent",
    Graph_Float, "tanh(input)",
    "A zero is kept, an infinity gives the 1 of its sign.">;
def Graph_SigmoidOp : Graph_UnaryOp<"sigmoid", "SIGMOID_FWD",
    "Logistic function", Graph_Float, "1 / (1 + e^-input)",
    "-inf gives +0, +inf gives 1, a zero gives 1/2.">;
}

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

defvar Graph_FiniteParameters
    = "(C6) attributes are finite; a clip may be infinite, but is not NaN";

let tolerance = Graph_Activation in {
def Graph_GeluOp : Graph_UnaryOp<"gelu", "GELU_FWD",
    "Gaussian error linear unit, exact", Graph_Float,
    "input / 2 * (1 + erf(input / sqrt(2)))",
    "-inf gives its limit -0, +inf gives +inf, a zero is kept.">;
def Graph_GeluApproxTanhOp : Graph_UnaryOp<"gelu_approx_tanh",
    "GELU_APPROX_TANH_FWD", "Gaussian error linear unit, tanh form",
    Graph_Float,
    "input / 2 * (1 + tanh(sqrt(2 / pi) * (input + 0.044715 * input^3)))",
    "-inf gives its limit -0, +inf gives +inf, a zero is kept.">;
def Graph_EluOp : Graph_UnaryOp<"elu", "ELU_FWD", "Exponential linear unit",
    Graph_Float, "input > 0 ? input : alpha * (e^input - 1)",
    "-inf gives -alpha, +inf gives +inf, a zero gives alpha times it.",
    (ins DefaultValuedAttr<F64Attr, "1.0">:$alpha)> {
  let constraints = [Graph_FiniteParameters # "."];
  let exampleAttrs = " {alpha = 5.000000e-01 : f64}";
}
def Graph_SoftplusOp : Graph_UnaryOp<"softplus", "SOFTPLUS_FWD",
    "Smooth rectifier", Graph_Float, "ln(1 + e^(beta * input)) / beta",
    "Evaluated without overflow. For a positive beta -inf gives +0 and +inf "
    "gives +inf.",
    (ins DefaultValuedAttr<F64Attr, "1.0">:$beta)> {
  let constraints = [Graph_FiniteParameters # "; `beta` is not 0."];
  let exampleAttrs = " {beta = 2.000000e+00 : f64}";
}
def Graph_SwishOp : Graph_UnaryOp<"swish", "SWISH_FWD",
    "The input times its logistic function", Graph_Float,
    "input / (1 + e^(-swish_beta * input))",
    "For a positive swish_beta -inf gives its limit -0 and +inf gives +inf; a "
    "zero is kept.",
    (ins DefaultValuedAttr<F64Attr, "1.0">:$swish_beta)> {
  let constraints = [Graph_FiniteParameters # "."];
  let exampleAttrs = " {swish_beta = 1.500000e+00 : f64}";
}
}

defvar Graph_ReluAttrs = (ins DefaultValuedAttr<F64Attr, "0.0">:$negative_slope,
    DefaultValuedAttr<F64Attr, "0.0">:$lower_clip,
    DefaultValuedAttr<F64Attr,
                      "std::numeric_limits<double>::infinity()">:$upper_clip);

def Graph_ReluOp : Graph_UnaryOp<"relu", "RELU_FWD",
    "Rectifier with slope and clips", Graph_Float,
    "input < lower_clip ? lower_clip + negative_slope * (input - lower_clip) "
    ": min(input, upper_clip)",
    "With slope 0 this is a clamp, in which +0 is greater than -0: plain relu "
    "of -0 is +0. NaN propagates.", Graph_ReluAttrs> {
  let constraints = [Graph_FiniteParameters
                     # "; `lower_clip` is at most `upper_clip`."];
  let exampleAttrs = " {upper_clip = 6.000000e+00 : f64}";
}
def Graph_LeakyReluOp : Graph_UnaryOp<"leaky_relu", "RELU_FWD",
    "Rectifier with slope", Graph_Float,
    "input < 0 ? negative_slope * input : input",
    "`graph.relu` without clips. NaN propagates.",
    (ins F64Attr:$negative_slope)> {
  let constraints = [Graph_FiniteParameters # "."];
  let exampleAttrs = " {negative_slope = 1.000000e-02 : f64}";
}

//===----------------------------------------------------------------------===//
// Binary and ternary
//===----------------------------------------------------------------------===//

defvar Graph_DivisorConstraint
    = "(C5) with an integer compute type, a `graph.constant` divisor is not 0 "
      "once converted.";

def Graph_AddOp : Graph_BinaryOp<"add", "ADD", "Sum", Graph_Number, "a + b",
    "inf - inf is NaN; -0 + -0 is -0, any other sum that is zero is +0. "
    "Integers wrap.">;
def Graph_BiasOp : Graph_BinaryOp<"bias", "ADD", "Add a bias", Graph_Number,
    "input + bias", "The function of `graph.add`.",
    (ins Graph_Tensor:$input, Graph_Tensor:$bias)>;
def Graph_SubOp : Graph_BinaryOp<"sub", "SUB", "Difference", Graph_Number,
    "a - b", "inf - inf is NaN; x - x is +0. Integers wrap.">;
def Graph_MulOp : Graph_BinaryOp<"mul", "MUL", "Product", Graph_Number,
    "a * b", "0 * inf is NaN; signs multiply, those of zeros too. Integers "
    "wrap."> {
  let hasFolder = 1;
}
def Graph_ScaleOp : Graph_BinaryOp<"scale", "MUL", "Multiply by a scale",
    Graph_Number, "input * scale", "The function of `graph.mul`.",
    (ins Graph_Tensor:$input, Graph_Tensor:$scale)> {
  let hasFolder = 1;
}
def Graph_DivOp : Graph_BinaryOp<"div", "DIV", "Quotient", Graph_Number,
    "a / b",
    "x / 0 is the infinity of the signs' product, 0 / 0 and inf / inf are NaN. "
    "Integers truncate towards zero, the least value divided by -1 wraps, and "
    "division by 0 gives 0."> {
  let constraints = [Graph_DivisorConstraint];
  let hasFolder = 1;
}
def Graph_AddSquareOp : Graph_BinaryOp<"add_square", "ADD_SQUARE",
    "Sum with the square of the second operand", Graph_Number, "a + b * b",
    "NaN and infinities as in `graph.mul` and `graph.add`. Integers wrap."> {
  let tolerance = "`(u(out) + u(compute)) * |out| + u(compute) * b * b`";
}
let tolerance = Graph_Exact in {
def Graph_ModOp : Graph_BinaryOp<"mod", "MOD",
    "Remainder with the dividend's sign", Graph_Number,
    "input0 - trunc(input0 / input1) * input1",
    "C's fmod, exact: a zero result has the sign of input0; the remainder of "
    "an infinity and that of a division by 0 are NaN, x modulo an infinity is "
    "x. Of integers, the remainder of a division by 0 is 0.",
    (ins Graph_Tensor:$input0, Graph_Tensor:$input1)> {
  let constraints = [Graph_DivisorConstraint];
}
def Graph_MaxOp : Graph_BinaryOp<"max", "MAX", "Maximum, NaN propagating",
    Graph_Number, "input0 > input1 ? input0 : input1",
    "NaN if either is NaN; the maximum of -0 and +0 is +0.",
    (ins Graph_Tensor:$input0, Graph_Tensor:$input1)>;
def Graph_MinOp : Graph_BinaryOp<"min", "MIN", "Minimum, NaN propagating",
    Graph_Number, "input0 < input1 ? input0 : input1",
    "NaN if either is NaN; the minimum of -0 and +0 is -0.",
    (ins Graph_Tensor:$input0, Graph_Tensor:$input1)>;
def Graph_LogicalAndOp : Graph_BinaryOp<"logical_and", "LOGICAL_AND",
    "Logical conjunction", Graph_Any, "a != 0 and b != 0 ? 1 : 0",
    "-0 is 0; NaN and infinities are true."> {
  let exampleTypes = ["tensor<4x8xi1>", "tensor<1x8xi1>"];
  let exampleResult = "tensor<4x8xi1>";
}
def Graph_LogicalOrOp : Graph_BinaryOp<"logical_or", "LOGICAL_OR",
    "Logical disjunction", Graph_Any, "a != 0 or b != 0 ? 1 : 0",
    "-0 is 0; NaN and infinities are true."> {
  let exampleTypes = ["tensor<4x8xi1>", "tensor<1x8xi1>"];
  let exampleResult = "tensor<4x8xi1>";
}
}
def Graph_PowOp : Graph_BinaryOp<"pow", "POW", "Power", Graph_Float,
    "input0^input1",
    "C's pow: x^0 is 1 and 1^y is 1 for any x and y, NaN too; a negative base "
    "with an exponent that is no integer gives NaN.",
    (ins Graph_Tensor:$input0, Graph_Tensor:$input1)> {
  let tolerance = Graph_Approximate;
}

def Graph_CmpEqOp : Graph_CompareOp<"cmp_eq", "CMP_EQ", "Compare for equality",
    "==", "-0 equals +0; with NaN the result is 0.">;
def Graph_CmpNeqOp : Graph_CompareOp<"cmp_neq", "CMP_NEQ",
    "Compare for inequality", "!=",
    "-0 equals +0; with NaN the result is 1.">;
def Graph_CmpGtOp : Graph_CompareOp<"cmp_gt", "CMP_GT", "Compare for greater",
    ">", "-0 equals +0; with NaN the result is 0.">;
def Graph_CmpGeOp : Graph_CompareOp<"cmp_ge", "CMP_GE",
    "Compare for greater or equal", ">=",
    "-0 equals +0; with NaN the result is 0.">;
def Graph_CmpLtOp : Graph_CompareOp<"cmp_lt", "CMP_LT", "Compare for less",
    "<", "-0 equals +0; with NaN the result is 0.">;
def Graph_CmpLeOp : Graph_CompareOp<"cmp_le", "CMP_LE",
    "Compare for less or equal", "<=",
    "-0 equals +0; with NaN the result is 0.">;

let tolerance = Graph_Exact in {
def Graph_BinarySelectOp : Graph_PointwiseOp<"binary_select", "BINARY_SELECT",
    "Choose between two values by a mask", Graph_Any,
    "mask != 0 ? input0 : input1",
    "The mask is compared as stored, without converting it to the compute "
    "type: NaN is true, -0 is false. The value that is not chosen does not "
    "matter.",
    (ins Graph_Tensor:$input0, Graph_Tensor:$input1, Graph_Tensor:$mask)> {
  let exampleTypes = ["tensor<4x8xf32>", "tensor<1x1xf32>", "tensor<4x8xi1>"];
}
def Graph_GenIndexOp : Graph_UnaryOp<"gen_index", "GEN_INDEX",
    "Coordinate along an axis", Graph_Any, "coordinate along axis",
    "Only the extents of the input are used, not its elements.",
    (ins I64Attr:$axis)> {
  let constraints = ["(C4) `axis` is at least 0 and less than the rank."];
  let exampleAttrs = " {axis = 1 : i64}";
  let exampleResult = "tensor<4x8xi32>";
}
}

//===----------------------------------------------------------------------===//
// Backward: loss times the forward function's derivative
//===----------------------------------------------------------------------===//

defvar Graph_GatedNote = "Where the derivative's limit at an infinity is 0 or "
                         "1, that limit is taken.";

def Graph_ReluBackwardOp : Graph_BackwardOp<"relu_backward", "RELU_BWD",
    "Gradient of relu",
    "f'(x) = x <= lower_clip ? negative_slope : x < upper_clip or upper_clip "
    "= inf ? 1 : 0",
    "Without an upper clip +inf and NaN in the input have derivative 1.",
    Graph_ReluAttrs> {
  let constraints = [Graph_FiniteParameters
                     # "; `lower_clip` is at most `upper_clip`."];
  let exampleAttrs = " {upper_clip = 6.000000e+00 : f64}";
  let tolerance = Graph_Rounded;
}
def Graph_LeakyReluBackwardOp : Graph_BackwardOp<"leaky_relu_backward",
    "RELU_BWD", "Gradient of leaky_relu",
    "f'(x) = x <= 0 ? negative_slope : 1",
    "`graph.relu_backward` without clips: +inf and NaN in the input have "
    "derivative 1.",
    (ins F64Attr:$negative_slope)> {
  let constraints = [Graph_FiniteParameters # "."];
  let exampleAttrs = " {negative_slope = 1.000000e-02 : f64}";
  let tolerance = Graph_Rounded;
}
def Graph_TanhBackwardOp : Graph_BackwardOp<"tanh_backward", "TANH_BWD",
    "Gradient of tanh", "f'(x) = 1 - tanh(x)^2", Graph_GatedNote>;
def Graph_SigmoidBackwardOp : Graph_BackwardOp<"sigmoid_backward",
    "SIGMOID_BWD", "Gradient of sigmoid",
    "f'(x) = s * (1 - s)`, `s = 1 / (1 + e^-x)", Graph_GatedNote>;
def Graph_EluBackwardOp : Graph_BackwardOp<"elu_backward", "ELU_BWD",
    "Gradient of elu", "f'(x) = x > 0 ? 1 : alpha * e^x", Graph_GatedNote,
    (ins DefaultValuedAttr<F64Attr, "1.0">:$alpha)> {
  let constraints = [Graph_FiniteParameters # "."];
  let exampleAttrs = " {alpha = 5.000000e-01 : f64}";
}
def Graph_GeluBackwardOp : Graph_BackwardOp<"gelu_backward", "GELU_BWD",
    "Gradient of gelu",
    "f'(x) = (1 + erf(x / sqrt(2))) / 2 + x * e^(-x^2 / 2) / sqrt(2 * pi)",
    Graph_GatedNote>;
def Graph_GeluApproxTanhBackwardOp
    : Graph_BackwardOp<"gelu_approx_tanh_backward", "GELU_APPROX_TANH_BWD",
    "Gradient of gelu_approx_tanh",
    "f'(x) = (1 + t) / 2 + x * (1 - t^2) / 2 * sqrt(2 / pi) * "
    "(1 + 3 * 0.044715 * x^2)`, `t = tanh(sqrt(2 / pi) * "
    "(x + 0.044715 * x^3))", Graph_GatedNote>;
def Graph_SoftplusBackwardOp : Graph_BackwardOp<"softplus_backward",
    "SOFTPLUS_BWD", "Gradient of softplus",
    "f'(x) = 1 / (1 + e^(-beta * x))", Graph_GatedNote,
    (ins DefaultValuedAttr<F64Attr, "1.0">:$beta)> {
  let constraints = [Graph_FiniteParameters # "; `beta` is not 0."];
  let exampleAttrs = " {beta = 2.000000e+00 : f64}";
}
def Graph_SwishBackwardOp : Graph_BackwardOp<"swish_backward", "SWISH_BWD",
    "Gradient of swish",
    "f'(x) = s + swish_beta * x * s * (1 - s)`, "
    "`s = 1 / (1 + e^(-swish_beta * x))", Graph_GatedNote,
    (ins DefaultValuedAttr<F64Attr, "1.0">:$swish_beta)> {
  let constraints = [Graph_FiniteParameters # "."];
  let exampleAttrs = " {swish_beta = 1.500000e+00 : f64}";
}

#endif // OPGRAPH_GRAPH_POINTWISE_OPS_TD
