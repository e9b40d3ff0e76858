//===- Scores.cpp - The scores of attention for cuDNN ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/CuDNN/Scores.h"
#include "dialects/Graph/Layout.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::cudnn_lowering;
using opgraph::cudnn::Attr;
using opgraph::cudnn::DataType;
using opgraph::cudnn::PointwiseMode;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// What the pattern lacks
//===----------------------------------------------------------------------===//

/// Whether a ragged offset of `op` counts anything but elements.
static bool hasMultipliers(const graph::Attention &a) {
  return a.raggedMultipliers &&
         llvm::any_of(*a.raggedMultipliers,
                      [](int64_t factor) { return factor != 1; });
}

static bool isType(mlir::Operation *op, StringRef name) {
  auto attr = op->getAttrOfType<TypeAttr>(name);
  return !attr || attr.getValue().isF32();
}

LogicalResult Scores::checkParts() {
  const graph::Attention &a = attention;
  bool isBottomRight =
      a.alignment == graph::DiagonalAlignment::BOTTOM_RIGHT && a.hasBand();
  bool isBackward = isa<graph::SdpaBackwardOp>(a.op);
  bool isMasked =
      a.usePaddingMask || a.seqLenQ || a.useAlibiMask || a.hasBand() || a.bias;
  // The library's random numbers are not those of docs/Random.md.
  std::pair<StringRef, bool> parts[] = {
      {"score_mod with masks", a.hasScoreMod() && isMasked},
      {"score_mod of gradients", a.hasScoreMod() && isBackward},
      {"kv_mask", bool(a.kvMask)},
      {"block_mask", bool(a.blockMask)},
      {"cumulative lengths", a.cuSeqLenQ || a.cuSeqLenKv},
      {"dropout by probability", bool(a.dropoutProbability)},
      {"stats_use_log2", a.statsUseLog2},
      {"ragged multipliers", hasMultipliers(a)},
      {"ragged page tables", graph::getRaggedOffset(a.op, "page_table_k") ||
                                 graph::getRaggedOffset(a.op, "page_table_v")},
      {"a bottom-right band with a bias, ALiBi or dropout",
       isBottomRight && (a.bias || a.useAlibiMask || a.dropoutMask)}};
  for (auto &[name, isUsed] : parts)
    if (isUsed)
      return lowering.refuse("sdpa", "what the library's pattern has", name);
  // Engines add another number for each row.
  if (a.bias && graph::typeOf(a.bias).getShape().back() == 1 &&
      shape.dims[3] != 1)
    return lowering.refuse("bias", "a number for each key", "one for all");
  constexpr int64_t kSink = 91300;
  if (a.sinkToken)
    return lowering.require(kSink, "sink");
  return success();
}

LogicalResult Scores::checkTypes() {
  const graph::Attention &a = attention;
  if (a.isPaged() && !a.usePaddingMask)
    return lowering.refuse("paged", "lengths", "none");
  // Engines leave rows beyond the lengths as they are.
  if (a.usePaddingMask && graph::typeOf(a.q).getElementType().isF32())
    return lowering.refuse("lengths", "f16, bf16 or fp8", "f32");
  if (!isType(a.op, "softmax_precision"))
    return lowering.refuse("softmax_precision", "f32", "another");
  for (Value length : {a.seqLenQ, a.seqLenKv, a.cuSeqLenQ, a.cuSeqLenKv,
                       a.pageTableK, a.pageTableV})
    if (length && !graph::typeOf(length).getElementType().isInteger(32))
      return lowering.refuse("element type(lengths and pages)", "i32", "i64");
  return success();
}

/// With channels apart from each other, 9.19 crashes in its heuristics; its
/// kernels load 16 bytes at a time from rows that do not begin there.
LogicalResult Scores::checkPort(Value value) {
  constexpr int64_t kVectorBits = 128;
  const TensorShape &shape = lowering.shape(value);
  int64_t bits = graph::getStorageBits(graph::typeOf(value).getElementType());
  if (shape.strides[3] != 1)
    return lowering.refuse("stride(sdpa)", "1 on the last axis", "another");
  if (shape.dims[3] * bits % kVectorBits != 0)
    return lowering.refuse("channels(sdpa)", "a multiple of 16 bytes",
                           Twine(shape.dims[3]));
  for (int64_t axis = 0; axis < 3; ++axis)
    if (shape.dims[axis] != 1 && shape.strides[axis] * bits % kVectorBits != 0)
      return lowering.refuse("stride(sdpa)", "a multiple of 16 bytes",
                             "another");
  return success();
}

LogicalResult Scores::checkScale(Value scale) {
  if (scale && lowering.isMemory(scale))
    return success();
  return lowering.refuse("scale(fp8)", "in memory",
                         scale ? "by value" : "none");
}

int64_t Scores::getShift() const {
  return attention.alignment == graph::DiagonalAlignment::BOTTOM_RIGHT
             ? shape.dims[3] - shape.dims[2]
             : 0;
}

/// The library's softmax of a row without columns is NaN, ours is 0.
LogicalResult Scores::checkBand() {
  const graph::Attention &a = attention;
  if (a.usePaddingMask)
    return success();
  int64_t last = shape.dims[3] - 1;
  // The first row ends first, the last one begins last.
  bool isEmpty = right && getShift() + *right < 0;
  if (left) {
    int64_t begin = shape.dims[2] - 1 + getShift() - *left;
    isEmpty |= begin >= last;
    isEmpty |= right && *left + *right < 1;
  }
  if (isEmpty)
    return lowering.refuse("diagonal band", "a column for each row",
                           "rows without one");
  return success();
}

LogicalResult Scores::check(ArrayRef<AttentionPort> ports, bool isUnified) {
  if (!lowering.computeType(attention.op))
    return failure();
  constexpr int64_t kBroken[] = {91000, 91001};
  if (llvm::is_contained(kBroken, lowering.getVersion()))
    return lowering.refuse("version(sdpa)", "not 9.10.0 nor 9.10.1", "it");
  graph::Extents extents = attention.getScoreExtents();
  for (const graph::Extent &extent : extents)
    shape.dims.push_back(extent.size);
  if (failed(checkTypes()) || (!isUnified && failed(checkParts())))
    return failure();
  if (!lowering.getAxes().keeps(4))
    return lowering.refuse("rank(sdpa)", "4 of all tensors",
                           std::to_string(lowering.getAxes().getRank()));
  for (const AttentionPort &port : ports)
    if (failed(checkPort(port.value)))
      return failure();
  if (shape.dims[3] < 1)
    return lowering.refuse("keys(sdpa)", "at least 1", Twine(shape.dims[3]));
  shape.strides = packRowMajor(shape.dims);
  // Bounds beyond all scores mask none.
  int64_t most = shape.dims[2] + shape.dims[3];
  if (attention.leftBound && *attention.leftBound < most)
    left = attention.leftBound;
  if (attention.rightBound && *attention.rightBound < most)
    right = attention.rightBound;
  return checkBand();
}

LogicalResult Scores::prepare(ArrayRef<AttentionPort> ports) {
  if (attention.usePaddingMask) {
    rows = lowering.tensor(attention.seqLenQ);
    columns = lowering.tensor(attention.seqLenKv);
  }
  llvm::DenseMap<Value, Value> made;
  for (const AttentionPort &port : ports) {
    graph::RaggedOffset ragged =
        graph::getRaggedOffset(attention.op, port.name);
    if (!port.value || !ragged)
      continue;
    Value &offsets = made[ragged.offsets];
    if (!offsets) {
      if (!lowering.isMemory(ragged.offsets))
        return lowering.refuse("ragged offset", "an argument",
                               "a computed value");
      int64_t count = graph::typeOf(ragged.offsets).getNumElements();
      offsets =
          lowering.alias(ragged.offsets, {{count, 1, 1, 1}, {1, 1, 1, 1}});
    }
    lowering.setRagged(port.value, offsets);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value Scores::score(DataType type) { return lowering.temporary(shape, type); }

Value Scores::row() {
  TensorShape one = shape;
  one.dims[3] = 1;
  one.strides = packRowMajor(one.dims);
  return lowering.temporary(one);
}

void Scores::apply(PointwiseMode mode, Value with) {
  Value next = score();
  lowering.pointwise(mode, current, next, with);
  current = next;
}

Value Scores::transposed(Value value) {
  TensorShape turned = lowering.shape(value);
  std::swap(turned.dims[2], turned.dims[3]);
  std::swap(turned.strides[2], turned.strides[3]);
  return lowering.alias(value, turned);
}

void Scores::multiply(Value q, Value keys) {
  current = score();
  lowering.matmul(q, keys, current, DataType::FLOAT, boundScores());
}

void Scores::applyScale() {
  if (attention.isScalePrefolded)
    return;
  if (Value scale = attention.attnScale)
    apply(PointwiseMode::MUL, lowering.tensor(scale));
  else if (attention.attnScaleValue)
    apply(PointwiseMode::MUL,
          lowering.constant(*attention.attnScaleValue, /*rank=*/4));
}

//===----------------------------------------------------------------------===//
// Biases and masks
//===----------------------------------------------------------------------===//

Value Scores::index(int64_t axis) {
  Value config = lowering.builder()
                     .descriptor(cudnn::Kind::POINTWISE)
                     .set(Attr::POINTWISE_MODE, PointwiseMode::GEN_INDEX)
                     .set(Attr::POINTWISE_MATH_PREC, DataType::INT32)
                     .set(Attr::POINTWISE_AXIS, axis)
                     .finish();
  Value made = score(DataType::INT32);
  lowering.add(lowering.builder()
                   .descriptor(cudnn::Kind::OPERATION_POINTWISE)
                   .set(Attr::OPERATION_POINTWISE_PW_DESCRIPTOR, config)
                   .set(Attr::OPERATION_POINTWISE_XDESC, current)
                   .set(Attr::OPERATION_POINTWISE_YDESC, made)
                   .finish());
  return made;
}

Value Scores::integer(PointwiseMode mode, Value value, Value with) {
  Value next = score(DataType::INT32);
  lowering.pointwise(mode, value, next, with, {}, DataType::INT32);
  return next;
}

void Scores::keepWhere(Value isKept) {
  Value masked = score();
  lowering.pointwise(PointwiseMode::BINARY_SELECT, current, masked,
                     lowering.constant(-kInfinity, 4), isKept);
  current = masked;
}

/// The slopes of 2^k heads are a power each, which the kernel computes.
LogicalResult Scores::addAlibi() {
  int64_t heads = shape.dims[1];
  if (!llvm::isPowerOf2_64(heads))
    return lowering.refuse("heads(alibi)", "a power of two", Twine(heads));
  Value row = index(2), column = index(3), head = index(1);
  double step = -8 * std::log(2.0) / double(heads);
  Value scaled = score(), moved = score(), slope = score(), bias = score();
  lowering.pointwise(PointwiseMode::MUL, head, scaled,
                     lowering.constant(step, 4));
  lowering.pointwise(PointwiseMode::ADD, scaled, moved,
                     lowering.constant(step, 4));
  lowering.pointwise(PointwiseMode::EXP, moved, slope);
  Value distance = integer(PointwiseMode::SUB, column, row);
  lowering.pointwise(PointwiseMode::MUL, distance, bias, slope);
  apply(PointwiseMode::ADD, bias);
  return success();
}

LogicalResult Scores::modify() {
  if (!attention.hasScoreMod())
    return success();
  mlir::Block &block = attention.scoreMod->front();
  llvm::DenseMap<Value, Value> made;
  made[block.getArgument(0)] = current;
  for (auto [argument, capture] :
       llvm::zip_equal(block.getArguments().drop_front(), attention.captures))
    made[argument] = lowering.tensor(capture);
  for (mlir::Operation &op : block.without_terminator()) {
    Value result = op.getResult(0);
    if (auto constant = dyn_cast<graph::ConstantOp>(op)) {
      made[result] = lowering.constant(
          cast<mlir::TypedAttr>(constant.getValue()), /*rank=*/4);
      continue;
    }
    std::optional<DataType> type =
        cudnn::dataTypeOf(graph::typeOf(result).getElementType());
    if (!type)
      return lowering.refuse("element type(score_mod)", "one of the library's",
                             "another");
    // Engines take it for the softmax's.
    if (isa<graph::MaxOp>(op))
      return lowering.refuse("score_mod", "no max", "max");
    SmallVector<Value> operands;
    for (Value operand : op.getOperands())
      operands.push_back(made.lookup(operand));
    Value tensor = score(*type);
    if (failed(lowerInside(lowering, cast<graph::PointwiseOpInterface>(op),
                           operands, tensor)))
      return failure();
    made[result] = tensor;
  }
  current = made.lookup(block.getTerminator()->getOperand(0));
  return success();
}

LogicalResult Scores::addBiases() {
  if (attention.bias)
    apply(PointwiseMode::ADD, lowering.tensor(attention.bias));
  return attention.useAlibiMask ? addAlibi() : success();
}

void Scores::maskPadding() {
  if (!attention.usePaddingMask)
    return;
  Value row = index(2), column = index(3);
  auto boolean = [&](PointwiseMode mode, Value a, Value b) {
    Value made = score(DataType::BOOLEAN);
    lowering.pointwise(mode, a, made, b, {}, DataType::BOOLEAN);
    return made;
  };
  Value isRow = boolean(PointwiseMode::CMP_LT, row, rows);
  Value isColumn = boolean(PointwiseMode::CMP_LT, column, columns);
  keepWhere(boolean(PointwiseMode::LOGICAL_AND, isRow, isColumn));
}

void Scores::maskBand() {
  const graph::Attention &op = attention;
  mlir::Builder types(op.op->getContext());
  if (!left && !right)
    return;
  bool isMoved = op.usePaddingMask &&
                 op.alignment == graph::DiagonalAlignment::BOTTOM_RIGHT;
  auto constant = [&](int64_t value) {
    return lowering.constant(types.getI32IntegerAttr(value), 4);
  };
  auto compare = [&](PointwiseMode mode, Value a, Value b) {
    Value isKept = score(DataType::BOOLEAN);
    lowering.pointwise(mode, a, isKept, b, {}, DataType::BOOLEAN);
    keepWhere(isKept);
  };
  if (right) {
    Value row = index(2);
    if (isMoved) {
      row = integer(PointwiseMode::ADD, row, columns);
      row = integer(PointwiseMode::SUB, row, rows);
    }
    if (int64_t limit = *right + (isMoved ? 0 : getShift()))
      row = integer(PointwiseMode::ADD, row, constant(limit));
    compare(PointwiseMode::CMP_GE, row, index(3));
  }
  if (!left)
    return;
  Value column = index(3);
  if (isMoved) {
    column = integer(PointwiseMode::ADD, column, constant(*left));
    column = integer(PointwiseMode::SUB, column, columns);
    column = integer(PointwiseMode::ADD, column, rows);
  } else {
    // Engines look for a float here.
    Value moved = score();
    lowering.pointwise(PointwiseMode::ADD, column, moved,
                       lowering.constant(*left - getShift(), 4));
    column = moved;
  }
  compare(PointwiseMode::CMP_GT, column, index(2));
}
