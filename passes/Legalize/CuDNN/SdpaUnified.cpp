//===- SdpaUnified.cpp - Attention as one operation of cuDNN --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the pattern of operations cannot say and the library's own operation
// can: masks of blocks and cumulative lengths.
//===----------------------------------------------------------------------===//
#include "passes/Legalize/CuDNN/Scores.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::cudnn_lowering;
using opgraph::cudnn::Attr;

bool opgraph::legalize::cudnn_lowering::isUnified(mlir::Operation &op) {
  auto sdpa = dyn_cast<graph::SdpaOp>(op);
  return sdpa &&
         (sdpa.getBlockMask() || sdpa.getCuSeqLenQ() || sdpa.getCuSeqLenKv());
}

/// Refuses what the operation has no attribute for, and versions without those
/// that it needs.
static LogicalResult check(Lowering &lowering, graph::SdpaOp op,
                           const graph::Attention &a) {
  // Since when the operation has each.
  constexpr int64_t kBlockMask = 91400, kLengths = 91500, kCumulative = 92400,
                    kMixed = 92500;
  bool isCumulative = a.cuSeqLenQ || a.cuSeqLenKv;
  if (a.blockMask && failed(lowering.require(kBlockMask, "block_mask")))
    return failure();
  if ((a.seqLenQ || a.isPaged()) &&
      failed(lowering.require(kLengths, "lengths(sdpa_fwd)")))
    return failure();
  if (isCumulative &&
      failed(lowering.require(kCumulative, "cumulative lengths")))
    return failure();
  if (isCumulative && (a.seqLenQ || a.seqLenKv) &&
      failed(lowering.require(kMixed, "lengths of both kinds")))
    return failure();
  std::pair<StringRef, bool> parts[] = {
      {"score_mod", a.hasScoreMod()},
      {"a bias", bool(a.bias)},
      {"kv_mask", bool(a.kvMask)},
      {"ALiBi", a.useAlibiMask},
      {"a diagonal band", a.hasBand()},
      {"dropout", a.dropoutProbability || a.dropoutMask},
      {"a sink", bool(a.sinkToken)},
      {"ragged tensors", a.hasRagged()},
      {"Max or Sum_exp", op.getMax() || op.getSumExp()},
      {"stats_use_log2", a.statsUseLog2},
      {"f32", graph::typeOf(a.q).getElementType().isF32()}};
  for (auto &[name, isUsed] : parts)
    if (isUsed)
      return lowering.refuse("sdpa_fwd", "what the library's operation has",
                             name);
  return success();
}

LogicalResult
opgraph::legalize::cudnn_lowering::lowerUnified(Lowering &lowering,
                                                graph::SdpaOp op) {
  Scores scores(lowering, op);
  const graph::Attention &a = scores.getAttention();
  if (failed(check(lowering, op, a)) ||
      failed(
          scores.check({{a.q, "q"}, {a.k, "k"}, {a.v, "v"}, {op.getO(), "o"}},
                       /*isUnified=*/true)))
    return failure();
  for (Value length : {a.cuSeqLenQ, a.cuSeqLenKv})
    if (length && !lowering.isMemory(length))
      return lowering.refuse("cumulative lengths", "an argument",
                             "a computed value");
  double scale = a.isScalePrefolded ? 1.0 : a.attnScaleValue.value_or(1.0);
  bool isTensor = a.attnScale && !a.isScalePrefolded;
  std::pair<Attr, Value> ports[] = {
      {Attr::OPERATION_SDPA_FWD_QDESC, a.q},
      {Attr::OPERATION_SDPA_FWD_KDESC, a.k},
      {Attr::OPERATION_SDPA_FWD_VDESC, a.v},
      {Attr::OPERATION_SDPA_FWD_ODESC, op.getO()},
      {Attr::OPERATION_SDPA_FWD_STATSDESC, op.getStats()},
      {Attr::OPERATION_SDPA_FWD_BLOCK_MASK_DESC, a.blockMask},
      {Attr::OPERATION_SDPA_FWD_PAGE_TABLE_KDESC, a.pageTableK},
      {Attr::OPERATION_SDPA_FWD_PAGE_TABLE_VDESC, a.pageTableV},
      {Attr::OPERATION_SDPA_FWD_SEQ_LEN_QDESC, a.seqLenQ},
      {Attr::OPERATION_SDPA_FWD_SEQ_LEN_KVDESC, a.seqLenKv},
      {Attr::OPERATION_SDPA_FWD_CU_SEQ_LEN_QDESC, a.cuSeqLenQ},
      {Attr::OPERATION_SDPA_FWD_CU_SEQ_LEN_KVDESC, a.cuSeqLenKv}};
  SmallVector<std::pair<Attr, Value>> tensors;
  for (auto &[attr, value] : ports) {
    if (!value)
      continue;
    bool isCumulative = value == a.cuSeqLenQ || value == a.cuSeqLenKv;
    int64_t count = graph::typeOf(value).getNumElements();
    tensors.push_back(
        {attr, isCumulative
                   ? lowering.alias(value, {{count, 1, 1, 1}, {1, 1, 1, 1}})
                   : lowering.tensor(value)});
  }
  tensors.push_back({Attr::OPERATION_SDPA_FWD_SCALEDESC,
                     isTensor ? lowering.tensor(a.attnScale)
                              : lowering.constant(scale, /*rank=*/4)});
  auto operation =
      lowering.builder().descriptor(cudnn::Kind::OPERATION_SDPA_FWD);
  for (auto &[attr, tensor] : tensors)
    operation.set(attr, tensor);
  lowering.add(operation.finish());
  return success();
}
