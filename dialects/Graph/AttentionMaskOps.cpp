//===- AttentionMaskOps.cpp - Inference of the parts of attention ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Attention.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace opgraph::graph;

/// Checks that `lengths` are [batch, 1, 1, 1] of i32 or i64.
static LogicalResult checkLengths(Inference &inference, StringRef name,
                                  Value lengths, const Extent &batch) {
  Extents expected = {batch, {}, {}, {}};
  if (getExtents(lengths) != expected)
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected '" << name << "' to be " << printExtents(expected)
           << ", got " << printExtents(getExtents(lengths));
  return requireIndexType(inference, {{name, lengths}});
}

//===----------------------------------------------------------------------===//
// paged_cache_load
//===----------------------------------------------------------------------===//

/// The sequence of the result: declared by the attribute or the result, else
/// all positions of the table's pages. Dynamic without a symbol where nothing
/// says.
static Extent getSequence(PagedCacheLoadOp op, Inference &inference) {
  if (std::optional<int64_t> size = op.getMaxSeqLenKv())
    return {static_cast<int64_t>(*size), {}};
  ResultSpec &spec = inference.result(0);
  if (spec.dims && spec.dims->size() == 4)
    return getExtents(spec)[2];
  Extent pages = getExtents(op.getPageTable())[2];
  Extent block = getExtents(op.getContainer())[2];
  int64_t size;
  if (pages.isStatic() && block.isStatic() &&
      !llvm::MulOverflow(pages.size, block.size, size))
    return {size, {}};
  return block.isOne() ? pages : Extent{ShapedType::kDynamic, {}};
}

/// paged_cache_load_c4
static LogicalResult checkSequence(PagedCacheLoadOp op, Inference &inference,
                                   const Extent &sequence) {
  if (!sequence.isStatic() && !sequence.symbol)
    return inference.error(ErrorKind::AttributeNotSet)
           << "expected 'max_seq_len_kv' or the extents of 'Y' to be declared "
              "with a page table of unknown extents, got none";
  if (sequence.isStatic() && sequence.size < 0)
    return inference.error(ErrorKind::InvalidValue)
           << "expected 'max_seq_len_kv' to be at least 0, got "
           << sequence.size;
  Extents container = getExtents(op.getContainer());
  Extent pages = getExtents(op.getPageTable())[2], block = container[2];
  if (sequence.size == 0 || !sequence.isStatic() || !pages.isStatic() ||
      !block.isStatic())
    return success();
  int64_t needed = block.size == 0
                       ? std::numeric_limits<int64_t>::max()
                       : llvm::divideCeil(sequence.size, block.size);
  if (pages.size >= needed && container[0].size != 0)
    return success();
  return inference.error(ErrorKind::ShapeDeduction)
         << "expected pages for " << sequence.size << " positions, got "
         << pages.size << " in 'Page_table' of 'Container' "
         << printExtents(container);
}

LogicalResult PagedCacheLoadOp::inferResults(Inference &inference) {
  // paged_cache_load_c1
  Extents container = getExtents(getContainer());
  if (container.size() != 4)
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected 'Container' to have rank 4, got " << container.size();
  // paged_cache_load_c2
  Extents table = getExtents(getPageTable());
  if (table.size() != 4 || !table[1].isOne() || !table[3].isOne())
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected 'Page_table' to be [B, 1, pages, 1], got "
           << printExtents(table);
  if (failed(requireIndexType(inference, {{"Page_table", getPageTable()}})))
    return failure();
  // paged_cache_load_c3
  if (failed(checkLengths(inference, "SEQ_LEN", getSeqLen(), table[0])))
    return failure();
  Extent sequence = getSequence(*this, inference);
  if (failed(checkSequence(*this, inference, sequence)))
    return failure();
  Extents extents = {table[0], container[1], sequence, container[3]};
  if (failed(setExtents(inference, 0, extents)))
    return failure();
  inference.setLike(0, typeOf(getContainer()));
  // paged_cache_load_c5
  return requireElementType(
      inference, 0, typeOf(getContainer()).getElementType(), "'Container'");
}

//===----------------------------------------------------------------------===//
// diagonal_band_mask
//===----------------------------------------------------------------------===//

LogicalResult DiagonalBandMaskOp::inferResults(Inference &inference) {
  Extents x = getExtents(getInput());
  // diagonal_band_mask_c1
  if (x.size() < 2)
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected 'X' to have rank 2 or more, got " << x.size();
  // diagonal_band_mask_c2
  if (failed(requireFloatCompute(inference, getEffectiveComputeType())))
    return failure();
  // diagonal_band_mask_c3
  std::pair<StringRef, std::optional<int64_t>> bounds[] = {
      {"diagonal_band_left_bound", getDiagonalBandLeftBound()},
      {"diagonal_band_right_bound", getDiagonalBandRightBound()}};
  for (auto [name, bound] : bounds)
    if (bound && *bound < 0)
      return inference.error(ErrorKind::InvalidValue)
             << "expected '" << name << "' to be at least 0, got " << *bound;
  // diagonal_band_mask_c4
  if (bool(getSeqLenQ()) != bool(getSeqLenKv()))
    return inference.error(ErrorKind::AttributeNotSet)
           << "expected 'SEQ_LEN_Q' and 'SEQ_LEN_KV' together, got one";
  // diagonal_band_mask_c5
  if (getSeqLenQ()) {
    if (x.size() != 4)
      return inference.error(ErrorKind::ShapeDeduction)
             << "expected 'X' to have rank 4 with lengths, got " << x.size();
    if (failed(checkLengths(inference, "SEQ_LEN_Q", getSeqLenQ(), x[0])) ||
        failed(checkLengths(inference, "SEQ_LEN_KV", getSeqLenKv(), x[0])))
      return failure();
  }
  if (failed(setExtents(inference, 0, x)))
    return failure();
  inference.setLayoutOf(0, typeOf(getInput()));
  return success();
}
