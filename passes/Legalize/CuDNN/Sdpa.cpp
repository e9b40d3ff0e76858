//===- Sdpa.cpp - Attention for cuDNN -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pattern of operations that the library's attention engines look for: two
// matmuls with scale, bias and masks between them, and a softmax that makes its
// statistics.
//===----------------------------------------------------------------------===//
#include "passes/Legalize/CuDNN/Scores.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::cudnn_lowering;
using opgraph::cudnn::Attr;
using opgraph::cudnn::DataType;
using opgraph::cudnn::PointwiseMode;

namespace {
/// Lowers one attention op.
class SdpaLowering {
public:
  SdpaLowering(Lowering &lowering, mlir::Operation *op)
      : lowering(lowering), op(op), scores(lowering, op),
        a(scores.getAttention()), fp8(dyn_cast<graph::SdpaFp8Op>(op)) {
    o = op->getResult(0);
    stats = result("Stats");
    max = result("Max");
    sum = result("Sum_exp");
  }

  LogicalResult run();

private:
  Value result(StringRef port);
  LogicalResult check();
  Value loadPages(Value container, Value table, bool isTransposed);
  void scaleScores();
  void writeSoftmax();
  /// The tensor of `result`, Max or Sum_exp: both are in memory or none.
  Value inMemory(Value result);
  Value writeMax();
  Value writeSum(Value power, Value max);
  void dropOut();
  void quantise();
  void writeOutput(Value v);

  Lowering &lowering;
  mlir::Operation *op;
  Scores scores;
  const graph::Attention &a;
  graph::SdpaFp8Op fp8;
  Value o, stats, max, sum;
};
} // namespace

static mlir::Type elementOf(Value value) {
  return graph::typeOf(value).getElementType();
}

Value SdpaLowering::result(StringRef port) {
  for (auto [index, name] :
       llvm::enumerate(cast<graph::GraphOpInterface>(op).getResultPorts()))
    if (name == port)
      return graph::getNamedResult(op, index);
  return {};
}

LogicalResult SdpaLowering::check() {
  if (failed(scores.check({{a.q, "q"}, {a.k, "k"}, {a.v, "v"}, {o, "o"}})))
    return failure();
  if (!lowering.isMemory(a.k))
    return lowering.refuse("K", "an argument", "a computed value");
  // With the statistics too, the library writes neither.
  if (stats && (max || sum))
    return lowering.refuse("results(sdpa)", "Stats, or Max and Sum_exp",
                           "both");
  bool isDecode = scores.getShape().dims[2] == 1;
  if (isDecode && a.sinkToken)
    return lowering.refuse("sink", "more than one row", "1");
  if (!fp8)
    return success();
  if (a.bias || a.useAlibiMask || a.isPaged() || a.dropoutMask ||
      a.hasScoreMod())
    return lowering.refuse("sdpa_fp8",
                           "no bias, ALiBi, pages, dropout nor score_mod",
                           "one of them");
  for (Value scale : {Value(fp8.getDescaleQ()), Value(fp8.getDescaleK()),
                      Value(fp8.getDescaleV()), Value(fp8.getDescaleS()),
                      Value(fp8.getScaleS()), Value(fp8.getScaleO())})
    if (failed(scores.checkScale(scale)))
      return failure();
  // P is rounded to V's type, which the library takes to be Q's.
  if (elementOf(a.q) != elementOf(a.v) || elementOf(a.q) != elementOf(a.k))
    return lowering.refuse("element type(sdpa_fp8)", "one of Q, K and V",
                           "several");
  return success();
}

/// The rows that `table` gathers from `container`, as the first or the second
/// product reads them.
Value SdpaLowering::loadPages(Value container, Value table, bool isTransposed) {
  const TensorShape &pages = lowering.shape(container);
  int64_t batch = scores.getShape().dims[0];
  int64_t heads = pages.dims[1], rows = scores.getShape().dims[3];
  TensorShape shape;
  shape.dims = {batch, heads, rows, pages.dims[3]};
  shape.strides = packRowMajor(shape.dims);
  if (isTransposed) {
    std::swap(shape.dims[2], shape.dims[3]);
    std::swap(shape.strides[2], shape.strides[3]);
  }
  Value loaded =
      lowering.temporary(shape, *cudnn::dataTypeOf(elementOf(container)));
  Value source = lowering.tensor(container);
  Value entries = lowering.tensor(table);
  lowering.add(
      lowering.builder()
          .descriptor(cudnn::Kind::OPERATION_PAGED_CACHE_LOAD)
          .set(Attr::OPERATION_PAGED_CACHE_LOAD_CONTAINER_DESC, source)
          .set(Attr::OPERATION_PAGED_CACHE_LOAD_YDESC, loaded)
          .set(Attr::OPERATION_PAGED_CACHE_LOAD_SEQUENCE_DESC,
               scores.getColumns())
          .set(Attr::OPERATION_PAGED_CACHE_LOAD_PAGE_TABLE_DESC, entries)
          .finish());
  return loaded;
}

void SdpaLowering::scaleScores() {
  scores.applyScale();
  if (!fp8)
    return;
  scores.apply(PointwiseMode::MUL, lowering.tensor(fp8.getDescaleQ()));
  scores.apply(PointwiseMode::MUL, lowering.tensor(fp8.getDescaleK()));
}

Value SdpaLowering::inMemory(Value result) {
  if (result)
    return lowering.resultOrScratch(result);
  if (!max && !sum)
    return scores.row();
  const TensorShape &shape = scores.getShape();
  return lowering.scratch({shape.dims[0], shape.dims[1], shape.dims[2], 1},
                          DataType::FLOAT, sizeof(float));
}

Value SdpaLowering::writeMax() {
  Value most = inMemory(max);
  if (!a.sinkToken) {
    lowering.reduce(cudnn::ReductionOperator::MAX, scores.get(), most);
    return most;
  }
  Value own = scores.row();
  lowering.reduce(cudnn::ReductionOperator::MAX, scores.get(), own);
  lowering.pointwise(PointwiseMode::MAX, own, most,
                     lowering.tensor(a.sinkToken));
  return most;
}

/// The sum of the powers, with the sink's.
Value SdpaLowering::writeSum(Value power, Value most) {
  Value total = inMemory(sum);
  if (!a.sinkToken) {
    lowering.reduce(cudnn::ReductionOperator::ADD, power, total);
    return total;
  }
  Value shifted = scores.row(), sink = scores.row(), own = scores.row();
  lowering.pointwise(PointwiseMode::SUB, lowering.tensor(a.sinkToken), shifted,
                     most);
  lowering.pointwise(PointwiseMode::EXP, shifted, sink);
  lowering.reduce(cudnn::ReductionOperator::ADD, power, own);
  lowering.pointwise(PointwiseMode::ADD, own, total, sink);
  return total;
}

void SdpaLowering::writeSoftmax() {
  Value most = writeMax();
  scores.apply(PointwiseMode::SUB, most);
  scores.apply(PointwiseMode::EXP);
  Value power = scores.get();
  Value total = writeSum(power, most);
  // Engines want the statistics even where nobody reads them.
  if (!max && !sum) {
    Value log = scores.row();
    lowering.pointwise(PointwiseMode::LOG, total, log);
    lowering.pointwise(PointwiseMode::ADD, most,
                       stats ? lowering.tensor(stats) : scores.row(), log);
  }
  bool isLast = !a.dropoutMask && !fp8;
  Value weights = scores.score(isLast ? *cudnn::dataTypeOf(elementOf(a.v))
                                      : DataType::FLOAT);
  lowering.pointwise(PointwiseMode::DIV, power, weights, total);
  scores.set(weights);
}

void SdpaLowering::dropOut() {
  if (!a.dropoutMask)
    return;
  scores.apply(PointwiseMode::MUL, lowering.tensor(a.dropoutScale));
  Value kept = scores.score(*cudnn::dataTypeOf(elementOf(a.v)));
  lowering.pointwise(PointwiseMode::MUL, scores.get(), kept,
                     lowering.tensor(a.dropoutMask));
  scores.set(kept);
}

void SdpaLowering::quantise() {
  if (!fp8)
    return;
  lowering.reduce(cudnn::ReductionOperator::AMAX, scores.get(),
                  lowering.resultOrScratch(fp8.getAmax_S()));
  Value rounded = scores.score(*cudnn::dataTypeOf(elementOf(a.v)));
  lowering.pointwise(PointwiseMode::MUL, scores.get(), rounded,
                     lowering.tensor(fp8.getScaleS()));
  scores.set(rounded);
}

void SdpaLowering::writeOutput(Value v) {
  MatmulBounds bounds = scores.boundRows();
  if (!fp8) {
    lowering.matmul(scores.get(), v, lowering.tensor(o), DataType::FLOAT,
                    bounds);
    return;
  }
  TensorShape shape;
  shape.dims = lowering.shape(o).dims;
  shape.strides = packRowMajor(shape.dims);
  Value product = lowering.temporary(shape);
  Value first = lowering.temporary(shape), second = lowering.temporary(shape);
  lowering.matmul(scores.get(), v, product, DataType::FLOAT, bounds);
  lowering.pointwise(PointwiseMode::MUL, product, first,
                     lowering.tensor(fp8.getDescaleS()));
  lowering.pointwise(PointwiseMode::MUL, first, second,
                     lowering.tensor(fp8.getDescaleV()));
  lowering.pointwise(PointwiseMode::MUL, second, lowering.tensor(o),
                     lowering.tensor(fp8.getScaleO()));
  lowering.reduce(cudnn::ReductionOperator::AMAX, second,
                  lowering.resultOrScratch(fp8.getAmax_O()));
}

LogicalResult SdpaLowering::run() {
  if (failed(check()) || failed(scores.prepare({{a.q, "q"},
                                                {a.k, "k"},
                                                {a.v, "v"},
                                                {o, "o"},
                                                {stats, "stats"},
                                                {max, "max"},
                                                {sum, "sum_exp"}})))
    return failure();
  Value keys = a.pageTableK
                   ? loadPages(a.k, a.pageTableK, /*isTransposed=*/true)
                   : scores.transposed(a.k);
  scores.multiply(lowering.tensor(a.q), keys);
  scaleScores();
  if (failed(scores.modify()) || failed(scores.addBiases()))
    return failure();
  scores.maskPadding();
  scores.maskBand();
  writeSoftmax();
  dropOut();
  quantise();
  writeOutput(a.pageTableV
                  ? loadPages(a.v, a.pageTableV, /*isTransposed=*/false)
                  : lowering.tensor(a.v));
  return success();
}

LogicalResult
opgraph::legalize::cudnn_lowering::lowerSdpa(Lowering &lowering,
                                             mlir::Operation &op) {
  if (isUnified(op))
    return lowerUnified(lowering, cast<graph::SdpaOp>(op));
  return SdpaLowering(lowering, &op).run();
}
