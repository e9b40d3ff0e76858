//===- AttentionStorage.cpp - Constraints on ragged and paged operands ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Attention.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace opgraph::graph;

//===----------------------------------------------------------------------===//
// Pages
//===----------------------------------------------------------------------===//

LogicalResult opgraph::graph::checkKeyExtent(const Attention &a,
                                             Inference &inference) {
  if (!a.isPaged()) {
    if (!a.maxSeqLenKv)
      return success();
    return inference.error(ErrorKind::NotSupported)
           << "expected page tables with 'paged_attention_max_seq_len_kv', got "
              "none";
  }
  if (a.maxSeqLenKv && *a.maxSeqLenKv < 0)
    return inference.error(ErrorKind::InvalidValue)
           << "expected 'paged_attention_max_seq_len_kv' to be at least 0, got "
           << *a.maxSeqLenKv;
  Extent keys = a.getKeyExtent();
  if (!keys.isStatic() && !keys.symbol)
    return inference.error(ErrorKind::AttributeNotSet)
           << "expected 'paged_attention_max_seq_len_kv', a bias or a page "
              "table of known extents, got none that gives the sequence length";
  // A K or V that is not paged has gone before.
  if (a.maxSeqLenKv && keys != Extent{*a.maxSeqLenKv, {}})
    return inference.error(ErrorKind::NotSupported)
           << "expected 'paged_attention_max_seq_len_kv' to be "
           << printExtent(keys) << ", the sequence of the operand that is not "
           << "paged, got " << *a.maxSeqLenKv;
  return success();
}

/// Checks one page table and its container.
static LogicalResult checkTable(const Attention &a, Inference &inference,
                                StringRef name, Value table,
                                StringRef containerName, Value container) {
  Extents extents = getExtents(table);
  Extent batch = getExtents(a.q)[0];
  if (extents.size() != 4 || extents[0] != batch || !extents[1].isOne() ||
      !extents[3].isOne())
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected '" << name << "' to be [" << printExtent(batch)
           << ", 1, pages, 1], got " << printExtents(extents);
  if (failed(requireIndexType(inference, {{name, table}})))
    return failure();
  Extent keys = a.getKeyExtent(), block = getExtents(container)[2];
  if (block.size == 0 || getExtents(container)[0].size == 0) {
    if (keys.size == 0)
      return success();
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected '" << containerName << "' to have pages, got "
           << printExtents(getExtents(container));
  }
  if (!keys.isStatic() || !block.isStatic() || !extents[2].isStatic())
    return success();
  int64_t needed = llvm::divideCeil(keys.size, block.size);
  if (extents[2].size >= needed)
    return success();
  return inference.error(ErrorKind::ShapeDeduction)
         << "expected '" << name << "' to have " << needed << " pages of "
         << block.size << " for " << keys.size << " positions, got "
         << extents[2].size;
}

LogicalResult opgraph::graph::checkPageTables(const Attention &a,
                                              Inference &inference) {
  if (!a.isPaged())
    return success();
  if (!a.seqLenKv && !a.cuSeqLenKv)
    return inference.error(ErrorKind::NotSupported)
           << "expected sequence lengths with page tables, got none";
  for (auto [table, port] : {std::pair(a.pageTableK, "k"), {a.pageTableV, "v"}})
    if (table && getRaggedOffset(a.op, port).offsets)
      return inference.error(ErrorKind::NotSupported)
             << "expected pages or 'ragged_offset_" << port << "', got both";
  if (a.pageTableK &&
      failed(checkTable(a, inference, "Page_table_K", a.pageTableK, "K", a.k)))
    return failure();
  if (a.pageTableV)
    return checkTable(a, inference, "Page_table_V", a.pageTableV, "V", a.v);
  return success();
}

//===----------------------------------------------------------------------===//
// Ragged tensors
//===----------------------------------------------------------------------===//

/// Whether `extents` are `[batch + 1]`, or that followed by ones.
static bool isOnePerBatchPlusOne(ArrayRef<Extent> extents, Extent batch,
                                 unsigned rank) {
  if (extents.size() != 1 && extents.size() != rank)
    return false;
  if (llvm::any_of(extents.drop_front(),
                   [](const Extent &extent) { return !extent.isOne(); }))
    return false;
  // What is one more than a symbol has no name.
  Extent first = extents.front();
  if (!batch.isStatic() || !first.isStatic())
    return !batch.isStatic() && !first.isStatic();
  return first.size - 1 == batch.size;
}

LogicalResult opgraph::graph::checkOnePerBatchPlusOne(const Attention &a,
                                                      Inference &inference,
                                                      StringRef name,
                                                      Value value) {
  Extent batch = getExtents(a.q)[0];
  if (!value || isOnePerBatchPlusOne(getExtents(value), batch, 4))
    return success();
  return inference.error(ErrorKind::ShapeDeduction)
         << "expected '" << name << "' to be " << printExtent(batch)
         << " + 1 numbers, [B + 1, 1, 1, 1] or [B + 1], got "
         << printExtents(getExtents(value));
}

/// Whether the op has a value for the port that a ragged offset is about.
static bool hasPort(const Attention &a, Inference &inference, StringRef port) {
  auto graphOp = cast<GraphOpInterface>(a.op);
  for (StringRef name : graphOp.getOperandNames())
    if (isRaggedPortNamed(name, port))
      return bool(getNamedOperand(a.op, name));
  for (auto [index, name] : llvm::enumerate(graphOp.getResultPorts()))
    if (isRaggedPortNamed(name, port))
      return inference.result(index).present;
  return false;
}

/// Whether elements of the tensor that a ragged offset is about share bytes or
/// lie in tiles: an offset then does not say where a row is.
static bool isTiledOrHalved(const Attention &a, Inference &inference,
                            StringRef port) {
  auto graphOp = cast<GraphOpInterface>(a.op);
  for (StringRef name : graphOp.getOperandNames())
    if (isRaggedPortNamed(name, port)) {
      RankedTensorType type = typeOf(getNamedOperand(a.op, name));
      return isPackedInHalves(type.getElementType()) ||
             getReordering(type) != Reordering::NONE;
    }
  for (auto [index, name] : llvm::enumerate(graphOp.getResultPorts()))
    if (isRaggedPortNamed(name, port)) {
      const ResultSpec &spec = inference.result(index);
      return (spec.elementType && isPackedInHalves(spec.elementType)) ||
             spec.reordering != Reordering::NONE;
    }
  return false;
}

LogicalResult opgraph::graph::checkRaggedOffsets(const Attention &a,
                                                 Inference &inference) {
  for (StringRef name : cast<GraphOpInterface>(a.op).getOperandNames()) {
    StringRef port = name;
    if (!port.consume_front("ragged_offset_"))
      continue;
    Value offsets = getNamedOperand(a.op, name);
    if (!offsets)
      continue;
    if (!hasPort(a, inference, port))
      return inference.error(ErrorKind::AttributeNotSet)
             << "expected '" << name << "' only where the op has its tensor";
    if (isTiledOrHalved(a, inference, port))
      return inference.error(ErrorKind::NotSupported)
             << "expected '" << name
             << "' to be about elements of whole bytes, not in tiles";
    if (failed(checkOnePerBatchPlusOne(a, inference, name, offsets)) ||
        failed(requireIndexType(inference, {{name, offsets}})))
      return failure();
  }
  return success();
}

LogicalResult opgraph::graph::checkRaggedIsPadded(const Attention &a,
                                                  Inference &inference) {
  if (!a.hasRagged() || a.usePaddingMask || a.hasScoreMod())
    return success();
  return inference.error(ErrorKind::NotSupported)
         << "expected 'use_padding_mask' with ragged offsets, got none";
}

LogicalResult opgraph::graph::checkMultipliers(const Attention &a,
                                               Inference &inference) {
  if (!a.raggedMultipliers)
    return success();
  size_t count = llvm::count_if(cast<GraphOpInterface>(a.op).getOperandNames(),
                                [&](StringRef name) {
                                  return name.starts_with("ragged_offset_") &&
                                         getNamedOperand(a.op, name);
                                });
  if (a.raggedMultipliers->size() != count)
    return inference.error(ErrorKind::AttributeNotSet)
           << "expected one of 'ragged_multipliers' per ragged offset ("
           << count << "), got " << a.raggedMultipliers->size();
  for (int64_t multiplier : *a.raggedMultipliers)
    if (multiplier < 1)
      return inference.error(ErrorKind::InvalidValue)
             << "expected 'ragged_multipliers' to be at least 1, got "
             << multiplier;
  return success();
}

LogicalResult opgraph::graph::checkCapacities(const Attention &a,
                                              Inference &inference) {
  std::pair<StringRef, std::optional<int64_t>> capacities[] = {
      {"max_total_seq_len_q", a.maxTotalSeqLenQ},
      {"max_total_seq_len_kv", a.maxTotalSeqLenKv}};
  for (auto [name, capacity] : capacities) {
    if (!capacity)
      continue;
    if (!a.hasRagged())
      return inference.error(ErrorKind::NotSupported)
             << "expected ragged offsets with '" << name << "', got none";
    if (*capacity < 1)
      return inference.error(ErrorKind::InvalidValue)
             << "expected '" << name << "' to be at least 1, got " << *capacity;
  }
  return success();
}
