//===- Problem.cpp - The problem that a family's engines tile over --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function per family. Each reads the parsed values and ops, not the IR,
// so that a group of a composite has a problem too.
//===----------------------------------------------------------------------===//
#include "passes/Planning/Facts.h"
#include "passes/Planning/Work.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace opgraph::planning;

static PointwiseFacts parsePointwise(const GraphFacts &facts) {
  PointwiseFacts problem;
  for (const ValueFacts &value : facts.values)
    problem.elements = std::max(problem.elements, value.elements);
  for (const OpFacts &op : facts.ops)
    problem.hasReduction |=
        op.mnemonic == "reduction" || op.mnemonic == "softmax" ||
        op.mnemonic == "genstats" || StringRef(op.mnemonic).contains("norm");
  return problem;
}

static GemmFacts parseGemm(const GraphFacts &facts) {
  GemmFacts problem;
  double largest = -1;
  for (const OpFacts &op : facts.ops) {
    if (op.mnemonic != "matmul" && op.mnemonic != "matmul_fp8")
      continue;
    ++problem.matmuls;
    if (op.work.matrixFlops <= largest)
      continue;
    largest = op.work.matrixFlops;
    const ValueFacts &a = facts.values[op.operands[0]];
    const ValueFacts &b = facts.values[op.operands[1]];
    const ValueFacts &c = facts.values[op.results[0]];
    problem.m = extentFromEnd(c, 2);
    problem.n = extentFromEnd(c, 1);
    problem.k = extentFromEnd(a, 1);
    problem.batch = countMatrices(c);
    problem.a = a.type;
    problem.b = b.type;
    problem.c = c.type;
  }
  return problem;
}

static SdpaFacts parseSdpa(const GraphFacts &facts) {
  SdpaFacts problem;
  double largest = -1;
  for (const OpFacts &op : facts.ops) {
    if (!StringRef(op.mnemonic).starts_with("sdpa") ||
        op.work.matrixFlops <= largest)
      continue;
    largest = op.work.matrixFlops;
    const ValueFacts &q = facts.values[op.operands[0]];
    // The block-scaled gradient has Q and K quantised along both axes.
    bool isTwice = op.mnemonic == "sdpa_mxfp8_backward";
    const ValueFacts &k = facts.values[op.operands[isTwice ? 2 : 1]];
    const ValueFacts &v = facts.values[op.operands[isTwice ? 4 : 2]];
    problem.batch = extentFromEnd(q, 4);
    problem.heads = extentFromEnd(q, 3);
    problem.kvHeads = extentFromEnd(k, 3);
    problem.queries = extentFromEnd(q, 2);
    problem.keys = extentFromEnd(k, 2);
    problem.headDim = extentFromEnd(q, 1);
    problem.valueDim = extentFromEnd(v, 1);
  }
  return problem;
}

void opgraph::planning::parseProblem(GraphFacts &facts) {
  switch (facts.family) {
  case Family::Pointwise:
    facts.problem = parsePointwise(facts);
    return;
  case Family::Gemm:
    facts.problem = parseGemm(facts);
    return;
  case Family::Sdpa:
    facts.problem = parseSdpa(facts);
    return;
  case Family::Conv:
  case Family::LinearAttention:
  case Family::Mixed:
    facts.problem = MixedFacts();
    return;
  }
}
