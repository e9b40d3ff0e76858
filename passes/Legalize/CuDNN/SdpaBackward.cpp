//===- SdpaBackward.cpp - Gradients of attention for cuDNN ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pattern of five products that the library's engines look for. Two of its
// tensors must have memory, which is of the plan's workspace: the sums of dO *
// O and, where its parts are added by atomics, dQ in f32.
//===----------------------------------------------------------------------===//
#include "passes/Legalize/CuDNN/Scores.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::cudnn_lowering;
using opgraph::cudnn::Attr;
using opgraph::cudnn::DataType;
using opgraph::cudnn::PointwiseMode;
using opgraph::cudnn::ReductionOperator;

static mlir::Type elementOf(Value value) {
  return graph::typeOf(value).getElementType();
}

static DataType typeOf(Value value) {
  return *cudnn::dataTypeOf(elementOf(value));
}

namespace {
/// The names are the op's.
class BackwardLowering {
public:
  BackwardLowering(Lowering &lowering, graph::SdpaBackwardOp op)
      : lowering(lowering), op(op), scores(lowering, op),
        a(scores.getAttention()), o(op.getO()), dO(op.getDO()),
        stats(op.getStats()), dQ(op.getDQ()), dK(op.getDK()), dV(op.getDV()) {}

  LogicalResult run();

private:
  LogicalResult check();
  LogicalResult checkParts();
  LogicalResult prepare();
  /// D, in memory.
  void writeSums();
  LogicalResult writePowers();
  void writeScoreGradients(Value values);
  /// The product of `left` and `right` for dV or dK: summed over the query
  /// heads of a group.
  void writeHeads(Value left, Value right, Value result);
  void writeDQ(Value keys);

  /// [B, Hq, rows, columns], packed.
  TensorShape headShape(int64_t rows, int64_t columns) const;
  /// `from`, the same memory, under another shape.
  Value reshape(Value from, const TensorShape &shape, DataType type,
                Value raggedOffset = {});
  /// The scores in Q's type, with rows and columns swapped.
  Value turned(Value from);
  /// rowsum(dO * O).
  Value sumRows();

  Lowering &lowering;
  graph::SdpaBackwardOp op;
  Scores scores;
  const graph::Attention &a;
  Value o, dO, stats, dQ, dK, dV;
  /// D; exp(S - Stats).
  Value sums, powers;
};
} // namespace

LogicalResult BackwardLowering::check() {
  if (failed(scores.check({{a.q, "q"},
                           {a.k, "k"},
                           {a.v, "v"},
                           {o, "o"},
                           {dO, "do"},
                           {dQ, "dq"},
                           {dK, "dk"},
                           {dV, "dv"}})))
    return failure();
  for (Value value : {a.k, a.v})
    if (!lowering.isMemory(value))
      return lowering.refuse("K and V", "arguments", "a computed value");
  const TensorShape &shape = scores.getShape();
  if (shape.dims[2] == 1 && shape.dims[3] == 1)
    return lowering.refuse("scores(sdpa_backward)", "more than one", "one");
  // Older ones read keys beyond the last one.
  constexpr int64_t kWhole = 91600, kTile = 128;
  if (!a.usePaddingMask && shape.dims[3] % kTile != 0)
    return lowering.require(kWhole, "keys other than a multiple of 128");
  return success();
}

LogicalResult BackwardLowering::prepare() {
  return scores.prepare({{a.q, "q"},
                         {a.k, "k"},
                         {a.v, "v"},
                         {o, "o"},
                         {dO, "do"},
                         {stats, "stats"},
                         {dQ, "dq"},
                         {dK, "dk"},
                         {dV, "dv"}});
}

TensorShape BackwardLowering::headShape(int64_t rows, int64_t columns) const {
  const TensorShape &shape = scores.getShape();
  TensorShape made;
  made.dims = {shape.dims[0], shape.dims[1], rows, columns};
  made.strides = packRowMajor(made.dims);
  return made;
}

Value BackwardLowering::reshape(Value from, const TensorShape &shape,
                                DataType type, Value raggedOffset) {
  Value made = lowering.temporary(shape, type, raggedOffset);
  lowering.add(lowering.builder()
                   .descriptor(cudnn::Kind::OPERATION_RESHAPE)
                   .set(Attr::OPERATION_RESHAPE_XDESC, from)
                   .set(Attr::OPERATION_RESHAPE_YDESC, made)
                   .finish());
  return made;
}

Value BackwardLowering::turned(Value from) {
  TensorShape shape = scores.getShape();
  std::swap(shape.dims[2], shape.dims[3]);
  std::swap(shape.strides[2], shape.strides[3]);
  return reshape(from, shape, typeOf(a.q));
}

Value BackwardLowering::sumRows() {
  TensorShape shape =
      headShape(lowering.shape(o).dims[2], lowering.shape(o).dims[3]);
  Value product = lowering.temporary(shape), total = scores.row();
  lowering.pointwise(PointwiseMode::MUL, lowering.tensor(dO), product,
                     lowering.tensor(o));
  lowering.reduce(ReductionOperator::ADD, product, total);
  return total;
}

LogicalResult BackwardLowering::checkParts() {
  if (!elementOf(a.q).isF16() && !elementOf(a.q).isBF16())
    return lowering.refuse("element type(sdpa_backward)", "f16 or bf16",
                           "another");
  if (a.dropoutMask)
    return lowering.refuse("sdpa_backward", "no dropout", "dropout_mask");
  if (op.getDBias() && !a.bias)
    return lowering.refuse("dBias", "that of a bias", "no bias");
  bool isRagged = a.hasRagged();
  constexpr int64_t kRaggedSink = 92600;
  if (isRagged && a.sinkToken)
    return lowering.require(kRaggedSink, "ragged tensors with a sink");
  return success();
}

void BackwardLowering::writeSums() {
  Value total = sumRows();
  if (Value result = op.getDSINK_TOKEN()) {
    // The engine negates the sum.
    Value shifted = scores.row(), power = scores.row(), part = scores.row();
    lowering.pointwise(PointwiseMode::SUB, lowering.tensor(a.sinkToken),
                       shifted, lowering.tensor(stats));
    lowering.pointwise(PointwiseMode::EXP, shifted, power);
    lowering.pointwise(PointwiseMode::MUL, power, part, total);
    lowering.reduce(ReductionOperator::ADD, part,
                    lowering.resultOrScratch(result));
  }
  const TensorShape &shape = scores.getShape();
  sums = lowering.scratch({shape.dims[0], shape.dims[1], shape.dims[2], 1},
                          DataType::FLOAT, sizeof(float));
  // Engines look for this product, with what dropout divides by.
  lowering.pointwise(PointwiseMode::MUL, total, sums,
                     lowering.constant(1.0, /*rank=*/4));
}

LogicalResult BackwardLowering::writePowers() {
  scores.applyScale();
  if (failed(scores.addBiases()))
    return failure();
  scores.apply(PointwiseMode::SUB, lowering.tensor(stats));
  scores.maskPadding();
  scores.maskBand();
  scores.apply(PointwiseMode::EXP);
  powers = scores.get();
  return success();
}

void BackwardLowering::writeHeads(Value left, Value right, Value result) {
  Value y = lowering.resultOrScratch(result);
  MatmulBounds bounds = scores.boundColumns();
  const TensorShape &shape = lowering.shape(result);
  if (shape.dims[1] == scores.getShape().dims[1]) {
    lowering.matmul(left, right, y, DataType::FLOAT, bounds);
    return;
  }
  Value full =
      lowering.temporary(headShape(shape.dims[2], shape.dims[3]), typeOf(a.q));
  lowering.matmul(left, right, full, DataType::FLOAT, bounds);
  lowering.reduce(ReductionOperator::ADD, full, y);
}

void BackwardLowering::writeScoreGradients(Value values) {
  scores.multiply(lowering.tensor(dO), values);
  scores.apply(PointwiseMode::SUB, sums);
  scores.apply(PointwiseMode::MUL, powers);
  if (Value result = op.getDBias())
    lowering.reduce(ReductionOperator::ADD, scores.get(),
                    lowering.resultOrScratch(result));
  scores.applyScale();
}

void BackwardLowering::writeDQ(Value keys) {
  Value k =
      reshape(keys, lowering.shape(a.k), typeOf(a.k), lowering.getRagged(a.k));
  Value y = lowering.resultOrScratch(dQ);
  MatmulBounds bounds = scores.boundRows();
  // Equal bits in every run, and a bias's gradient, need dP in the library's
  // workspace instead of sums by atomics.
  if (op.getUseDeterministicAlgorithm() || op.getDBias()) {
    lowering.matmul(scores.get(), k, y, DataType::FLOAT, bounds);
    return;
  }
  Value sum =
      lowering.scratch(lowering.shape(dQ).dims, DataType::FLOAT, sizeof(float));
  lowering.matmul(scores.get(), k, sum, DataType::FLOAT, bounds);
  lowering.pointwise(PointwiseMode::IDENTITY, sum, y);
}

LogicalResult BackwardLowering::run() {
  if (failed(check()) || failed(checkParts()) || failed(prepare()))
    return failure();
  Value keys = scores.transposed(a.k), values = scores.transposed(a.v);
  writeSums();
  scores.multiply(lowering.tensor(a.q), keys);
  if (failed(writePowers()))
    return failure();
  writeHeads(turned(scores.get()), lowering.tensor(dO), dV);
  writeScoreGradients(values);
  writeHeads(turned(scores.get()), lowering.tensor(a.q), dK);
  writeDQ(keys);
  return success();
}

LogicalResult
opgraph::legalize::cudnn_lowering::lowerSdpaBackward(Lowering &lowering,
                                                     graph::SdpaBackwardOp op) {
  return BackwardLowering(lowering, op).run();
}
