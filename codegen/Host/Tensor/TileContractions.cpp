//===- TileContractions.cpp - Blocks matrix products ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A contraction at the top level of a function becomes: B packed into panels;
// an `scf.forall` over blocks of the result; in it the block's product and, on
// the still cached block, the elementwise op that consumes it. A contraction
// inside a parallel body (attention) is small: its B is read where it is.
//===----------------------------------------------------------------------===//
#include "codegen/Host/Tensor/BlockGemm.h"
#include "codegen/Host/Tensor/Contraction.h"
#include "codegen/Host/Tensor/TensorPasses.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace opgraph::codegen;

namespace {
/// Rows and columns of the result that one parallel tile computes.
struct BlockSize {
  int64_t rows;
  int64_t columns;
};

/// Largest blocks of wide results: 96 x 256 x 4 bytes of A stay in the second
/// level of cache.
BlockSize chooseBlock(int64_t m, int64_t n, RegisterTile tile) {
  BlockSize block{96, 256};
  bool isStatic = !ShapedType::isDynamic(m) && !ShapedType::isDynamic(n);
  int64_t blocks = isStatic ? llvm::divideCeil(std::max<int64_t>(m, 1), 96) *
                                  llvm::divideCeil(std::max<int64_t>(n, 1), 256)
                            : 16;
  if (blocks < 16)
    block = {48, 64};
  if (!ShapedType::isDynamic(m))
    block.rows = std::min<int64_t>(
        block.rows, llvm::alignTo(std::max<int64_t>(m, 1), tile.rows));
  if (!ShapedType::isDynamic(n))
    block.columns = std::min<int64_t>(
        block.columns, llvm::alignTo(std::max<int64_t>(n, 1), tile.lanes));
  return block;
}

/// The register tile of a result of few rows whose B is read where it is.
RegisterTile chooseInPlaceTile(Type type, int64_t m, int64_t n) {
  RegisterTile tile = RegisterTile::getForRows(type, std::max<int64_t>(m, 1));
  while (n % tile.lanes != 0)
    tile.lanes /= 2;
  return tile;
}

/// Rewrites one top-level contraction.
class TopLevelTiling {
public:
  TopLevelTiling(IRRewriter &rewriter, Contraction contraction)
      : rewriter(rewriter), contraction(contraction),
        loc(contraction.op.getLoc()), type(contraction.getType()),
        tile(RegisterTile::get(type)) {}

  LogicalResult run();

private:
  linalg::GenericOp findEpilogue();
  linalg::GenericOp makeEpilogue();
  Value computeBlock(ArrayRef<OpFoldResult> offsets,
                     ArrayRef<OpFoldResult> sizes);
  Value makeZeroBlock();
  Value loadPanelRow(OpBuilder &b, ArrayRef<Value> base, Value panel, Value k);
  Value countTiles(OpFoldResult size, int64_t step);
  bool readsInPlace();
  std::optional<int64_t> getWork();
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  }

  IRRewriter &rewriter;
  Contraction contraction;
  Location loc;
  Type type;
  RegisterTile tile;
  BlockSize block;
  Value panels;
  OpFoldResult depth;
  Value lastRow;
};
} // namespace

/// The only user, if it is an elementwise op over the whole result.
linalg::GenericOp TopLevelTiling::findEpilogue() {
  Value result = contraction.op.getResult(0);
  if (!result.hasOneUse())
    return nullptr;
  OpOperand &use = *result.getUses().begin();
  auto consumer = dyn_cast<linalg::GenericOp>(use.getOwner());
  if (!consumer || consumer->getBlock() != contraction.op->getBlock() ||
      consumer.getNumParallelLoops() != consumer.getNumLoops() ||
      !consumer.isDpsInput(&use) ||
      !consumer.getMatchingIndexingMap(&use).isIdentity())
    return nullptr;
  return consumer;
}

/// A copy of the result to stand in for an epilogue.
linalg::GenericOp TopLevelTiling::makeEpilogue() {
  rewriter.setInsertionPointAfter(contraction.op);
  Value result = contraction.op.getResult(0);
  auto tensorType = cast<RankedTensorType>(result.getType());
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, contraction.getC()),
      type);
  AffineMap identity = rewriter.getMultiDimIdentityMap(tensorType.getRank());
  SmallVector<utils::IteratorType> iterators(tensorType.getRank(),
                                             utils::IteratorType::parallel);
  auto copy = linalg::GenericOp::create(
      rewriter, loc, tensorType, result, empty,
      ArrayRef<AffineMap>{identity, identity}, iterators,
      [](OpBuilder &b, Location l, ValueRange args) {
        linalg::YieldOp::create(b, l, args[0]);
      });
  rewriter.replaceUsesWithIf(result, copy.getResult(0), [&](OpOperand &use) {
    return use.getOwner() != copy;
  });
  return copy;
}

/// Few rows do not pay for packing: read B where it is, if vectors can.
bool TopLevelTiling::readsInPlace() {
  auto shape = cast<RankedTensorType>(contraction.getC().getType()).getShape();
  int64_t m = shape[shape.size() - 2], n = shape.back();
  AffineMap map = contraction.getMapB();
  return !ShapedType::isDynamic(m) && m <= 8 && !ShapedType::isDynamic(n) &&
         n % tile.lanes == 0 && map.getNumResults() > 0 &&
         map.getResult(map.getNumResults() - 1) ==
             rewriter.getAffineDimExpr(contraction.batch + 1) &&
         hasUnitInnerStride(contraction.getB());
}

std::optional<int64_t> TopLevelTiling::getWork() {
  int64_t work = 1;
  for (int64_t extent : contraction.op.getStaticLoopRanges()) {
    if (ShapedType::isDynamic(extent) || extent > (int64_t(1) << 40) / work)
      return std::nullopt;
    work *= std::max<int64_t>(extent, 1);
  }
  return work;
}

Value TopLevelTiling::makeZeroBlock() {
  SmallVector<int64_t> shape(contraction.batch, 1);
  shape.append({block.rows, block.columns});
  // Not a tensor.empty, which could become the memory of the result itself:
  // vectors need columns to be neighbours.
  Value empty = bufferization::AllocTensorOp::create(
      rewriter, loc, RankedTensorType::get(shape, type), ValueRange());
  Value zero =
      arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
  return linalg::FillOp::create(rewriter, loc, zero, empty).getResult(0);
}

/// Row `k` of panel `panel` of the block at loop positions `base`: one vector
/// of B, packed or where it is.
Value TopLevelTiling::loadPanelRow(OpBuilder &b, ArrayRef<Value> base,
                                   Value panel, Value k) {
  unsigned batch = contraction.batch;
  if (!panels) {
    SmallVector<Value> loops(base);
    Value width = arith::ConstantIndexOp::create(b, loc, tile.lanes);
    loops[batch + 1] = arith::MulIOp::create(b, loc, panel, width);
    loops[batch + 2] = k;
    return readLanes(b, loc, contraction.getB(),
                     mapIndices(b, loc, contraction.getMapB(), loops),
                     tile.lanes);
  }
  SmallVector<Value> at;
  for (AffineExpr expr : contraction.getMapB().getResults())
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      if (dim.getPosition() < batch)
        at.push_back(base[dim.getPosition()]);
  at.append({panel, k, arith::ConstantIndexOp::create(b, loc, 0)});
  return readLanes(b, loc, panels, at, tile.lanes);
}

/// Tiles of `step` elements that cover `size`.
Value TopLevelTiling::countTiles(OpFoldResult size, int64_t step) {
  AffineExpr d0 = rewriter.getAffineDimExpr(0);
  OpFoldResult count = affine::makeComposedFoldedAffineApply(
      rewriter, loc, AffineMap::get(1, 0, d0.ceilDiv(step)), {size});
  return getValueOrCreateConstantIndexOp(rewriter, loc, count);
}

Value TopLevelTiling::computeBlock(ArrayRef<OpFoldResult> offsets,
                                   ArrayRef<OpFoldResult> sizes) {
  unsigned batch = contraction.batch;
  SmallVector<Value> base;
  for (OpFoldResult offset : offsets)
    base.push_back(getValueOrCreateConstantIndexOp(rewriter, loc, offset));
  base.push_back(constant(0));
  Value acc = makeZeroBlock();

  auto loadA = [&](OpBuilder &b, Value row, Value k) -> Value {
    SmallVector<Value> at = base;
    Value global = arith::AddIOp::create(b, loc, base[batch], row);
    // The last tile may reach past the operand; what it computes there is
    // never read.
    at[batch] = arith::MinSIOp::create(b, loc, global, lastRow);
    at[batch + 2] = k;
    return tensor::ExtractOp::create(
        b, loc, contraction.getA(),
        mapIndices(b, loc, contraction.getMapA(), at));
  };
  Value firstPanel = arith::DivSIOp::create(rewriter, loc, base[batch + 1],
                                            constant(tile.lanes));
  auto loadB = [&](OpBuilder &b, Value panel, Value k) -> Value {
    Value global = arith::AddIOp::create(b, loc, firstPanel, panel);
    return loadPanelRow(b, base, global, k);
  };
  BlockGemm gemm(rewriter, loc, type, tile, loadA, loadB);
  acc = gemm.run(acc, countTiles(sizes[batch], tile.rows), std::nullopt,
                 countTiles(sizes[batch + 1], tile.lanes), depth);
  SmallVector<OpFoldResult> zeros(batch + 2, rewriter.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(batch + 2, rewriter.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(rewriter, loc, acc, zeros, sizes, ones);
}

LogicalResult TopLevelTiling::run() {
  unsigned batch = contraction.batch;
  linalg::GenericOp epilogue = findEpilogue();
  if (!epilogue)
    epilogue = makeEpilogue();
  auto resultType = cast<RankedTensorType>(contraction.getC().getType());
  ArrayRef<int64_t> shape = resultType.getShape();
  bool inPlace = readsInPlace();
  if (inPlace)
    tile = chooseInPlaceTile(type, shape[batch], shape[batch + 1]);
  block = chooseBlock(shape[batch], shape[batch + 1], tile);

  rewriter.setInsertionPoint(epilogue);
  if (!inPlace)
    panels = packPanels(rewriter, loc, contraction, tile.lanes);
  for (auto [axis, expr] :
       llvm::enumerate(contraction.getMapA().getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (dim && dim.getPosition() == batch + 2)
      depth = tensor::getMixedSize(rewriter, loc, contraction.getA(), axis);
  }
  OpFoldResult m =
      tensor::getMixedSize(rewriter, loc, contraction.getC(), batch);
  lastRow = arith::SubIOp::create(
      rewriter, loc, getValueOrCreateConstantIndexOp(rewriter, loc, m),
      constant(1));

  SmallVector<OpFoldResult> tiles(batch, rewriter.getIndexAttr(1));
  tiles.append({rewriter.getIndexAttr(block.rows),
                rewriter.getIndexAttr(block.columns)});
  std::optional<int64_t> work = getWork();
  bool parallel = !work || *work >= kMinParallelWork;
  scf::SCFTilingOptions options;
  options.setTileSizes(tiles);
  options.setLoopType(parallel ? scf::SCFTilingOptions::LoopType::ForallOp
                               : scf::SCFTilingOptions::LoopType::ForOp);
  unsigned position = 0;
  for (OpOperand &operand : epilogue->getOpOperands())
    if (operand.get() == contraction.op.getResult(0))
      position = operand.getOperandNumber();
  FailureOr<scf::SCFTilingResult> tiled = scf::tileUsingSCF(
      rewriter, cast<TilingInterface>(epilogue.getOperation()), options);
  if (failed(tiled))
    return contraction.op.emitOpError(
        "cannot tile the consumer of the product");
  rewriter.replaceOp(epilogue, tiled->replacements);

  Operation *inner = tiled->tiledOps.front();
  auto slice =
      inner->getOperand(position).getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice)
    return contraction.op.emitOpError("expected the product's tile as a slice");
  rewriter.setInsertionPoint(slice);
  Value product = computeBlock(slice.getMixedOffsets(), slice.getMixedSizes());
  rewriter.replaceOp(slice, product);
  // What is left asks for its extents only.
  rewriter.replaceOp(contraction.op, contraction.getC());
  return success();
}

/// A contraction of a parallel body: accumulates into its C tile in place.
static void lowerNested(IRRewriter &rewriter, Contraction contraction) {
  linalg::GenericOp op = contraction.op;
  Location loc = op.getLoc();
  Type type = contraction.getType();
  RegisterTile tile = RegisterTile::get(type);
  int64_t lanes = tile.lanes;
  unsigned batch = contraction.batch;
  auto shape = cast<RankedTensorType>(contraction.getC().getType()).getShape();
  bool unitBatch = llvm::all_of(shape.take_front(batch),
                                [](int64_t extent) { return extent == 1; });
  AffineMap mapB = contraction.getMapB();
  if (!unitBatch || ShapedType::isDynamic(shape.back()) ||
      shape.back() % lanes != 0 || mapB.getNumResults() == 0 ||
      mapB.getResult(mapB.getNumResults() - 1) !=
          rewriter.getAffineDimExpr(batch + 1))
    return;
  rewriter.setInsertionPoint(op);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  };
  SmallVector<Value> base(batch + 3, constant(0));
  auto loadA = [&](OpBuilder &b, Value row, Value k) -> Value {
    SmallVector<Value> at = base;
    at[batch] = row;
    at[batch + 2] = k;
    return tensor::ExtractOp::create(
        b, loc, contraction.getA(),
        mapIndices(b, loc, contraction.getMapA(), at));
  };
  auto loadB = [&](OpBuilder &b, Value panel, Value k) -> Value {
    SmallVector<Value> at = base;
    Value width = arith::ConstantIndexOp::create(b, loc, lanes);
    at[batch + 1] = arith::MulIOp::create(b, loc, panel, width);
    at[batch + 2] = k;
    return readLanes(b, loc, contraction.getB(), mapIndices(b, loc, mapB, at),
                     lanes);
  };
  OpFoldResult m =
      tensor::getMixedSize(rewriter, loc, contraction.getC(), batch);
  OpFoldResult depth;
  for (auto [axis, expr] : llvm::enumerate(mapB.getResults()))
    if (expr == rewriter.getAffineDimExpr(batch + 2))
      depth = tensor::getMixedSize(rewriter, loc, contraction.getB(), axis);
  AffineExpr d0 = rewriter.getAffineDimExpr(0);
  OpFoldResult tiles = affine::makeComposedFoldedAffineApply(
      rewriter, loc, AffineMap::get(1, 0, d0.floorDiv(tile.rows)), {m});
  BlockGemm gemm(rewriter, loc, type, tile, loadA, loadB);
  Value result = gemm.run(contraction.getC(),
                          getValueOrCreateConstantIndexOp(rewriter, loc, tiles),
                          m, constant(shape.back() / lanes), depth);
  rewriter.replaceOp(op, result);
}

namespace {
class TileContractionsPass
    : public PassWrapper<TileContractionsPass, OperationPass<func::FuncOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileContractionsPass)
  StringRef getArgument() const override { return "host-tile-contractions"; }
  StringRef getDescription() const override {
    return "Block matrix products for registers, cache and threads";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<affine::AffineDialect, arith::ArithDialect,
                    bufferization::BufferizationDialect, scf::SCFDialect,
                    tensor::TensorDialect, vector::VectorDialect>();
  }

  void runOnOperation() override {
    SmallVector<Contraction> contractions;
    getOperation().walk([&](linalg::GenericOp op) {
      if (std::optional<Contraction> contraction = matchContraction(op))
        contractions.push_back(*contraction);
    });
    IRRewriter rewriter(&getContext());
    for (Contraction contraction : contractions) {
      if (contraction.op->getParentOp() != getOperation())
        lowerNested(rewriter, contraction);
      else if (failed(TopLevelTiling(rewriter, contraction).run()))
        return signalPassFailure();
    }
  }
};
} // namespace

std::unique_ptr<Pass> opgraph::codegen::createTileContractionsPass() {
  return std::make_unique<TileContractionsPass>();
}
