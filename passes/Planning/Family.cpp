//===- Family.cpp - The kind of a graph -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Planning/Family.h"
#include "dialects/Graph/GraphDialect.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;
using namespace opgraph;
using namespace opgraph::planning;

namespace {
struct Anchor {
  StringLiteral mnemonic;
  Family family;
};
} // namespace

/// The ops that decide a graph's family; all others go along with any.
static constexpr Anchor kAnchors[] = {
    {"matmul", Family::Gemm},
    {"matmul_fp8", Family::Gemm},
    {"moe_grouped_matmul", Family::Gemm},
    {"moe_grouped_matmul_bwd", Family::Gemm},
    {"conv_fprop", Family::Conv},
    {"conv_dgrad", Family::Conv},
    {"conv_wgrad", Family::Conv},
    {"sdpa", Family::Sdpa},
    {"sdpa_backward", Family::Sdpa},
    {"sdpa_fp8", Family::Sdpa},
    {"sdpa_fp8_backward", Family::Sdpa},
    {"sdpa_mxfp8", Family::Sdpa},
    {"sdpa_mxfp8_backward", Family::Sdpa},
};

// Indexed by Family.
static constexpr StringLiteral kNames[kNumFamilies] = {
    "pointwise", "gemm", "conv", "sdpa", "linear_attention", "mixed"};

StringRef opgraph::planning::stringifyFamily(Family family) {
  return kNames[static_cast<unsigned>(family)];
}

std::string FamilySet::str() const {
  std::string text = "{";
  for (unsigned i = 0; i < kNumFamilies; ++i) {
    if (!contains(static_cast<Family>(i)))
      continue;
    if (text.size() > 1)
      text += ", ";
    text += kNames[i];
  }
  return text + "}";
}

Family opgraph::planning::familyOf(ArrayRef<StringRef> mnemonics) {
  Family family = Family::Pointwise;
  for (StringRef mnemonic : mnemonics)
    for (const Anchor &anchor : kAnchors) {
      if (anchor.mnemonic != mnemonic)
        continue;
      if (family != Family::Pointwise && family != anchor.family)
        return Family::Mixed;
      family = anchor.family;
    }
  return family;
}

Family opgraph::planning::familyFor(graph::GraphOp graph) {
  SmallVector<StringRef> mnemonics;
  for (mlir::Operation &op : graph.getBody().front().without_terminator())
    mnemonics.push_back(op.getName().stripDialect());
  return familyOf(mnemonics);
}
