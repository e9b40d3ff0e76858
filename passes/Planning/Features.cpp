//===- Features.cpp - Optional parts of an op that engines tell apart -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Planning/Features.h"
#include "dialects/Graph/Attention.h"
#include "dialects/Graph/GraphDialect.h"
#include "passes/Transforms/Expansion.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace opgraph;

namespace {
/// Using operand or attribute `part` of `op` is using `feature`.
struct FeatureRow {
  StringLiteral op;
  StringLiteral part;
  StringLiteral feature;
};
} // namespace

static constexpr FeatureRow kRows[] = {
    {"batchnorm", "peer_stats", "peer_stats"},
    {"batchnorm_backward", "peer_stats", "peer_stats"},
    {"reduction", "group_offset", "group_offset"},
    {"softmax", "sink", "sink"},
    // A precision of f32 too, which rounds nothing.
    {"sdpa", "softmax_precision", "softmax_precision"},
};

SmallVector<StringRef, 2> opgraph::planning::featuresOf(mlir::Operation *op) {
  SmallVector<StringRef, 2> features;
  auto add = [&](StringRef feature) {
    if (!is_contained(features, feature))
      features.push_back(feature);
  };
  StringRef mnemonic = op->getName().stripDialect();
  for (const FeatureRow &row : kRows)
    if (row.op == mnemonic &&
        (graph::hasOperand(op, row.part) ||
         op->getInherentAttr(row.part).value_or(mlir::Attribute())))
      add(row.feature);
  if (isa<graph::SdpaOp>(op))
    for (StringRef feature : graph::getAttentionFeatures(op))
      add(feature);
  if (any_of(op->getRegions(),
             [](mlir::Region &region) { return !region.empty(); }))
    add("score_mod");
  // What Transforms/Expansion.h leaves alone for another reason than the above.
  if (isa<graph::BatchnormOp>(op) && features.empty() && !isExpandable(op))
    add("running_statistics_of_unknown_count");
  return features;
}
