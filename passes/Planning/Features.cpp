//===- Features.cpp - Optional parts of an op that engines tell apart -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Planning/Features.h"
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
    {"sdpa", "attn_scale_prefolded", "attn_scale_prefolded"},
    {"sdpa", "block_mask", "block_mask"},
    {"sdpa", "kv_mask", "kv_mask"},
    {"sdpa", "cu_seq_len_q", "cu_seq_len"},
    {"sdpa", "cu_seq_len_kv", "cu_seq_len"},
    {"sdpa", "dropout_probability", "dropout"},
    {"sdpa", "dropout_mask", "dropout"},
    {"sdpa", "generate_rng_dump", "dropout"},
    {"sdpa", "paged_attention_k_table", "paged"},
    {"sdpa", "paged_attention_v_table", "paged"},
    {"sdpa", "ragged_offset_q", "ragged"},
    {"sdpa", "ragged_offset_k", "ragged"},
    {"sdpa", "ragged_offset_v", "ragged"},
    {"sdpa", "ragged_offset_o", "ragged"},
    {"sdpa", "ragged_offset_stats", "ragged"},
    {"sdpa", "ragged_offset_max", "ragged"},
    {"sdpa", "ragged_offset_sum_exp", "ragged"},
    {"sdpa", "sink_token", "sink"},
    {"sdpa", "use_alibi_mask", "alibi"},
    {"sdpa", "generate_max", "max"},
    {"sdpa", "generate_sum_exp", "sum_exp"},
    {"sdpa", "stats_use_log2", "stats_use_log2"},
    {"sdpa", "softmax_precision", "softmax_precision"},
};

SmallVector<StringLiteral, 2>
opgraph::planning::featuresOf(mlir::Operation *op) {
  SmallVector<StringLiteral, 2> features;
  auto add = [&](StringLiteral feature) {
    if (!is_contained(features, feature))
      features.push_back(feature);
  };
  StringRef mnemonic = op->getName().stripDialect();
  for (const FeatureRow &row : kRows)
    if (row.op == mnemonic &&
        (graph::hasOperand(op, row.part) ||
         op->getInherentAttr(row.part).value_or(mlir::Attribute())))
      add(row.feature);
  if (any_of(op->getRegions(),
             [](mlir::Region &region) { return !region.empty(); }))
    add("score_mod");
  // What Transforms/Expansion.h leaves alone for another reason than the above.
  if (isa<graph::BatchnormOp>(op) && features.empty() && !isExpandable(op))
    add("running_statistics_of_unknown_count");
  return features;
}
