//===- Integer.cpp - Pointwise functions on integers ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two's complement of any width: everything wraps, division truncates, and
// division by zero is 0.
//===----------------------------------------------------------------------===//
#include "passes/Legalize/Host/Scalar/Emit.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mlir;
using namespace opgraph::graph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::scalar;

using Predicate = arith::CmpIPredicate;

static Value isEqual(Emit &e, Value value, int64_t constant) {
  return e.cmp(Predicate::eq, value, e.integer(constant));
}

static Value emitTruth(Emit &e, Value condition) {
  return e.select(condition, e.integer(1), e.integer(0));
}

static Value emitIsTrue(Emit &e, Value value) {
  return e.cmp(Predicate::ne, value, e.integer(0));
}

static Value emitNegate(Emit &e, Value value) {
  return e.make<arith::SubIOp>(e.integer(0), value);
}

/// `OpTy` (a division or a remainder) of a and b. Dividing by 0 yields 0;
/// dividing by -1 yields `byMinusOne`, because the machine traps on
/// INT_MIN / -1.
template <typename OpTy>
static Value emitDivision(Emit &e, Value a, Value b, Value byMinusOne) {
  Value isZero = isEqual(e, b, 0);
  Value isMinusOne = isEqual(e, b, -1);
  Value isSpecial = e.make<arith::OrIOp>(isZero, isMinusOne);
  Value divisor = e.select(isSpecial, e.integer(1), b);
  Value quotient = e.make<OpTy>(a, divisor);
  Value result = e.select(isMinusOne, byMinusOne, quotient);
  return e.select(isZero, e.integer(0), result);
}

static Value emitCompare(Emit &e, Predicate predicate, ValueRange x) {
  return emitTruth(e, e.cmp(predicate, x[0], x[1]));
}

// One function, so that the closed set of modes reads as a table.
Value scalar::emitIntegerPointwise(Emit &e, PointwiseMode mode, ValueRange x) {
  switch (mode) {
  case PointwiseMode::ADD:
    return e.make<arith::AddIOp>(x[0], x[1]);
  case PointwiseMode::SUB:
    return e.make<arith::SubIOp>(x[0], x[1]);
  case PointwiseMode::MUL:
    return e.make<arith::MulIOp>(x[0], x[1]);
  case PointwiseMode::DIV:
    return emitDivision<arith::DivSIOp>(e, x[0], x[1], emitNegate(e, x[0]));
  case PointwiseMode::MOD:
    return emitDivision<arith::RemSIOp>(e, x[0], x[1], e.integer(0));
  case PointwiseMode::ADD_SQUARE:
    return e.make<arith::AddIOp>(x[0], e.make<arith::MulIOp>(x[1], x[1]));
  case PointwiseMode::MAX:
    return e.make<arith::MaxSIOp>(x[0], x[1]);
  case PointwiseMode::MIN:
    return e.make<arith::MinSIOp>(x[0], x[1]);
  case PointwiseMode::IDENTITY:
  case PointwiseMode::CEIL:
  case PointwiseMode::FLOOR:
    return x[0];
  case PointwiseMode::NEG:
    return emitNegate(e, x[0]);
  case PointwiseMode::ABS:
    return e.select(e.cmp(Predicate::slt, x[0], e.integer(0)),
                    emitNegate(e, x[0]), x[0]);
  case PointwiseMode::CMP_EQ:
    return emitCompare(e, Predicate::eq, x);
  case PointwiseMode::CMP_NEQ:
    return emitCompare(e, Predicate::ne, x);
  case PointwiseMode::CMP_GT:
    return emitCompare(e, Predicate::sgt, x);
  case PointwiseMode::CMP_GE:
    return emitCompare(e, Predicate::sge, x);
  case PointwiseMode::CMP_LT:
    return emitCompare(e, Predicate::slt, x);
  case PointwiseMode::CMP_LE:
    return emitCompare(e, Predicate::sle, x);
  case PointwiseMode::LOGICAL_NOT:
    return emitTruth(e, isEqual(e, x[0], 0));
  case PointwiseMode::LOGICAL_AND:
    return emitTruth(
        e, e.make<arith::AndIOp>(emitIsTrue(e, x[0]), emitIsTrue(e, x[1])));
  case PointwiseMode::LOGICAL_OR:
    return emitTruth(
        e, e.make<arith::OrIOp>(emitIsTrue(e, x[0]), emitIsTrue(e, x[1])));
  case PointwiseMode::BINARY_SELECT:
    return e.select(x[2], x[0], x[1]);
  case PointwiseMode::GEN_INDEX:
  case PointwiseMode::SIN:
  case PointwiseMode::COS:
  case PointwiseMode::TAN:
  case PointwiseMode::EXP:
  case PointwiseMode::LOG:
  case PointwiseMode::SQRT:
  case PointwiseMode::RSQRT:
  case PointwiseMode::RECIPROCAL:
  case PointwiseMode::POW:
  case PointwiseMode::RELU_FWD:
  case PointwiseMode::ERF:
  case PointwiseMode::TANH_FWD:
  case PointwiseMode::SIGMOID_FWD:
  case PointwiseMode::ELU_FWD:
  case PointwiseMode::GELU_FWD:
  case PointwiseMode::GELU_APPROX_TANH_FWD:
  case PointwiseMode::SOFTPLUS_FWD:
  case PointwiseMode::SWISH_FWD:
  case PointwiseMode::RELU_BWD:
  case PointwiseMode::TANH_BWD:
  case PointwiseMode::SIGMOID_BWD:
  case PointwiseMode::ELU_BWD:
  case PointwiseMode::GELU_BWD:
  case PointwiseMode::GELU_APPROX_TANH_BWD:
  case PointwiseMode::SOFTPLUS_BWD:
  case PointwiseMode::SWISH_BWD:
    break;
  }
  llvm_unreachable("the verifier refuses integer compute for this mode");
}
