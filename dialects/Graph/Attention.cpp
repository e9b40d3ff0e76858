//===- Attention.cpp - What the attention ops have in common --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Attention.h"

using namespace mlir;
using namespace opgraph::graph;

//===----------------------------------------------------------------------===//
// Operands by name
//===----------------------------------------------------------------------===//

/// The operands of ODS operand `name`: none where it is absent.
static OperandRange findOperands(Operation *op, StringRef name) {
  ArrayRef<StringLiteral> names = cast<GraphOpInterface>(op).getOperandNames();
  size_t index = llvm::find(names, name) - names.begin();
  OperandRange all = op->getOperands();
  if (index == names.size())
    return all.take_front(0);
  Attribute attr =
      op->getInherentAttr("operandSegmentSizes").value_or(Attribute());
  auto sizes = dyn_cast_or_null<DenseI32ArrayAttr>(attr);
  if (!sizes)
    return all.slice(index, 1);
  size_t start = 0;
  for (int32_t size : sizes.asArrayRef().take_front(index))
    start += size;
  return all.slice(start, sizes[index]);
}

Value opgraph::graph::getNamedOperand(Operation *op, StringRef name) {
  OperandRange found = findOperands(op, name);
  return found.empty() ? Value() : found.front();
}

/// Whether ODS operand `name` is a ragged offset.
static bool isRaggedName(StringRef name) {
  return name.starts_with("ragged_offset_");
}

RaggedOffset opgraph::graph::getRaggedOffset(Operation *op, StringRef port) {
  RaggedOffset result;
  std::string wanted = ("ragged_offset_" + port).str();
  result.offsets = getNamedOperand(op, wanted);
  auto multipliers = op->getAttrOfType<DenseI64ArrayAttr>("ragged_multipliers");
  if (!result.offsets || !multipliers)
    return result;
  size_t number = 0;
  for (StringRef name : cast<GraphOpInterface>(op).getOperandNames()) {
    if (name == wanted)
      break;
    if (isRaggedName(name) && getNamedOperand(op, name))
      ++number;
  }
  if (number < static_cast<size_t>(multipliers.size()))
    result.multiplier = multipliers[number];
  return result;
}

//===----------------------------------------------------------------------===//
// The view
//===----------------------------------------------------------------------===//

static std::optional<double> getFloat(Operation *op, StringRef name) {
  if (auto attr = op->getAttrOfType<FloatAttr>(name))
    return attr.getValueAsDouble();
  return std::nullopt;
}

static std::optional<int64_t> getInteger(Operation *op, StringRef name) {
  if (auto attr = op->getAttrOfType<IntegerAttr>(name))
    return attr.getInt();
  return std::nullopt;
}

static bool getFlag(Operation *op, StringRef name) {
  return bool(op->getAttr(name));
}

Attention::Attention(Operation *op) : op(op) {
  std::pair<Value *, StringRef> operands[] = {
      {&q, "q"},
      {&k, "k"},
      {&v, "v"},
      {&attnScale, "attn_scale"},
      {&bias, "bias"},
      {&kvMask, "kv_mask"},
      {&blockMask, "block_mask"},
      {&seqLenQ, "seq_len_q"},
      {&seqLenKv, "seq_len_kv"},
      {&cuSeqLenQ, "cu_seq_len_q"},
      {&cuSeqLenKv, "cu_seq_len_kv"},
      {&seed, "dropout_seed"},
      {&offset, "dropout_offset"},
      {&dropoutMask, "dropout_mask"},
      {&dropoutScale, "dropout_scale"},
      {&dropoutScaleInv, "dropout_scale_inv"},
      {&pageTableK, "paged_attention_k_table"},
      {&pageTableV, "paged_attention_v_table"},
      {&sinkToken, "sink_token"}};
  for (auto [value, name] : operands)
    *value = getNamedOperand(op, name);
  captures = SmallVector<Value, 4>(findOperands(op, "captures"));
  if (op->getNumRegions() != 0)
    scoreMod = &op->getRegion(0);
  computeType = cast<ComputeTypeOpInterface>(op).getEffectiveComputeType();

  attnScaleValue = getFloat(op, "attn_scale_value");
  dropoutProbability = getFloat(op, "dropout_probability");
  isScalePrefolded = getFlag(op, "attn_scale_prefolded");
  usePaddingMask = getFlag(op, "use_padding_mask");
  useAlibiMask = getFlag(op, "use_alibi_mask");
  statsUseLog2 = getFlag(op, "stats_use_log2");
  hasRngDump = getFlag(op, "generate_rng_dump");
  if (auto attr =
          op->getAttrOfType<DiagonalAlignmentAttr>("diagonal_alignment"))
    alignment = attr.getValue();
  leftBound = getInteger(op, "diagonal_band_left_bound");
  rightBound = getInteger(op, "diagonal_band_right_bound");
  maxSeqLenKv = getInteger(op, "paged_attention_max_seq_len_kv");
  maxTotalSeqLenQ = getInteger(op, "max_total_seq_len_q");
  maxTotalSeqLenKv = getInteger(op, "max_total_seq_len_kv");
  if (auto attr = op->getAttrOfType<DenseI64ArrayAttr>("ragged_multipliers"))
    raggedMultipliers = attr.asArrayRef();
}

bool Attention::hasRagged() const {
  return llvm::any_of(cast<GraphOpInterface>(op).getOperandNames(),
                      [&](StringRef name) {
                        return isRaggedName(name) && getNamedOperand(op, name);
                      });
}

/// The last extent of an operand that broadcasts to the scores, where that is
/// Skv for certain.
static std::optional<Extent> getLastExtent(Value value) {
  if (!value || typeOf(value).getRank() == 0)
    return std::nullopt;
  Extent last = getExtents(value).back();
  return last.isOne() ? std::nullopt : std::optional(last);
}

Extent Attention::getKeyExtent() const {
  for (auto [value, table] : {std::pair(k, pageTableK), {v, pageTableV}})
    if (!table)
      return getExtents(value)[2];
  if (maxSeqLenKv)
    return {*maxSeqLenKv, {}};
  for (Value value : {bias, dropoutMask, kvMask})
    if (std::optional<Extent> last = getLastExtent(value))
      return *last;
  // As many as the pages of the table hold.
  if (typeOf(pageTableK).getRank() == 4) {
    Extent pages = getExtents(pageTableK)[2], block = getExtents(k)[2];
    int64_t size;
    if (pages.isStatic() && block.isStatic() &&
        !llvm::MulOverflow(pages.size, block.size, size))
      return {size, {}};
    if (block.isOne())
      return pages;
  }
  return {ShapedType::kDynamic, {}};
}

Extents Attention::getScoreExtents() const {
  Extents rows = getExtents(q);
  return {rows[0], rows[1], rows[2], getKeyExtent()};
}

RankedTensorType Attention::getScoreType() const {
  Dims dims;
  Symbols symbols;
  for (const Extent &extent : getScoreExtents()) {
    dims.push_back(extent.size);
    symbols.push_back(extent.symbol);
  }
  return makePacked(op->getContext(), dims, computeType, rowMajorOrder(4),
                    symbols);
}

SmallVector<RankedTensorType>
Attention::getRegionArgumentTypes(unsigned count) const {
  for (Value value : {q, k, v})
    if (typeOf(value).getRank() != 4)
      return {};
  Extent keys = getKeyExtent();
  bool isKnown = keys.isStatic() ? keys.size >= 0 : bool(keys.symbol);
  if (!isKnown || !isComputeType(computeType))
    return {};
  return SmallVector<RankedTensorType>(count, getScoreType());
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

bool opgraph::graph::isAttention(Operation *op) {
  return isa<SdpaOp, SdpaFp8Op, SdpaMxfp8Op, SdpaBackwardOp, SdpaFp8BackwardOp,
             SdpaMxfp8BackwardOp>(op);
}

SmallVector<StringRef> opgraph::graph::getAttentionFeatures(Operation *op) {
  Attention a(op);
  Type precision;
  if (auto attr = op->getAttrOfType<TypeAttr>("softmax_precision"))
    precision = attr.getValue();
  std::pair<bool, StringRef> features[] = {
      {a.useAlibiMask, "alibi"},
      {bool(a.blockMask), "block_mask"},
      {a.cuSeqLenQ || a.cuSeqLenKv, "cu_seq_len"},
      {a.dropoutProbability || a.dropoutMask, "dropout"},
      {bool(a.kvMask), "kv_mask"},
      {a.statsUseLog2, "stats_use_log2"},
      {getFlag(op, "generate_max"), "max"},
      {a.isPaged(), "paged"},
      {a.isScalePrefolded, "attn_scale_prefolded"},
      {a.hasRagged(), "ragged"},
      {a.hasScoreMod(), "score_mod"},
      {bool(a.sinkToken), "sink"},
      {precision && !precision.isF32(), "softmax_precision"},
      {getFlag(op, "generate_sum_exp"), "sum_exp"}};
  SmallVector<StringRef> used;
  for (auto [isUsed, name] : features)
    if (isUsed)
      used.push_back(name);
  return used;
}

bool opgraph::graph::isRaggedPortNamed(StringRef ods, StringRef port) {
  if (ods == "paged_attention_k_table")
    return port == "page_table_k";
  if (ods == "paged_attention_v_table")
    return port == "page_table_v";
  return ods.equals_insensitive(port);
}

/// The port ("q", "do") of the ragged offset that `op` has for the operand or
/// result named `ods`; empty where it has none.
static StringRef findRaggedPort(GraphOpInterface op, StringRef ods) {
  for (StringRef name : op.getOperandNames()) {
    StringRef port = name;
    if (port.consume_front("ragged_offset_") && getNamedOperand(op, name) &&
        isRaggedPortNamed(ods, port))
      return port;
  }
  return {};
}

/// The ragged port that `value` is in `op`; empty where the op also reads it as
/// anything else.
static StringRef findRaggedPort(Operation *op, Value value) {
  auto graphOp = dyn_cast<GraphOpInterface>(op);
  if (!graphOp)
    return {};
  if (value.getDefiningOp() == op) {
    for (auto [index, name] : llvm::enumerate(graphOp.getResultPorts()))
      if (getNamedResult(op, index) == value)
        return findRaggedPort(graphOp, name);
    return {};
  }
  StringRef found;
  for (StringRef name : graphOp.getOperandNames()) {
    if (!llvm::is_contained(findOperands(op, name), value))
      continue;
    found = findRaggedPort(graphOp, name);
    if (found.empty())
      return {};
  }
  return found;
}

bool opgraph::graph::isRaggedIn(Operation *op, Value value) {
  return !findRaggedPort(op, value).empty();
}

std::optional<int64_t> opgraph::graph::getTotalRows(const Attention &a,
                                                    StringRef port) {
  if (port.starts_with("page_table"))
    return std::nullopt;
  bool isKey = port.ends_with("k") || port.ends_with("v");
  return isKey ? a.maxTotalSeqLenKv : a.maxTotalSeqLenQ;
}

std::optional<int64_t> opgraph::graph::getTotalRows(Operation *op,
                                                    Value value) {
  StringRef port = findRaggedPort(op, value);
  return port.empty() ? std::nullopt : getTotalRows(Attention(op), port);
}

bool opgraph::graph::isPagedIn(Operation *op, Value value) {
  return (getNamedOperand(op, "k") == value &&
          getNamedOperand(op, "paged_attention_k_table")) ||
         (getNamedOperand(op, "v") == value &&
          getNamedOperand(op, "paged_attention_v_table"));
}

/// Whether `isIn` holds for all ops that compute or read `value`.
static bool isEverywhere(Value value, bool (*isIn)(Operation *, Value)) {
  SmallVector<Operation *> ops;
  if (Operation *op = value.getDefiningOp())
    ops.push_back(op);
  for (Operation *user : value.getUsers())
    if (!isa<ReturnOp>(user))
      ops.push_back(user);
  return !ops.empty() &&
         llvm::all_of(ops, [&](Operation *op) { return isIn(op, value); });
}

bool opgraph::graph::isRaggedEverywhere(Value value) {
  return isEverywhere(value, isRaggedIn);
}

bool opgraph::graph::isPagedEverywhere(Value value) {
  return isEverywhere(value, isPagedIn);
}

Value opgraph::graph::getNamedResult(Operation *op, unsigned odsIndex) {
  Attribute attr =
      op->getInherentAttr("resultSegmentSizes").value_or(Attribute());
  auto sizes = dyn_cast_or_null<DenseI32ArrayAttr>(attr);
  if (!sizes)
    return odsIndex < op->getNumResults() ? op->getResult(odsIndex) : Value();
  if (odsIndex >= static_cast<unsigned>(sizes.size()) || !sizes[odsIndex])
    return {};
  unsigned start = 0;
  for (int32_t size : sizes.asArrayRef().take_front(odsIndex))
    start += size;
  return op->getResult(start);
}
