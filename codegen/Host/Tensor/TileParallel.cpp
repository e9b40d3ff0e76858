//===- TileParallel.cpp - Cuts big ops into parallel tiles ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tile sizes depend on the declared extents alone, never on the number of
// threads, so neither do results.
//===----------------------------------------------------------------------===//
#include "codegen/Host/Tensor/TensorPasses.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace opgraph::codegen;

/// What a dynamic extent is taken to be when tiles are sized.
static constexpr int64_t kAssumedExtent = 256;

/// Elements along the innermost loop that a tile holds at least: a few cache
/// lines of each row.
static constexpr int64_t kMinInnerTile = 128;

static int64_t multiply(int64_t a, int64_t b) {
  return a > (int64_t(1) << 40) / b ? int64_t(1) << 40 : a * b;
}

/// Tile sizes that leave about kTileWork element operations per tile; empty
/// where the whole op is too small to be worth sharing.
static SmallVector<int64_t> chooseTiles(linalg::LinalgOp op) {
  SmallVector<int64_t> extents = op.getStaticLoopRanges();
  // Upstream's tiling crashes on a loop that never runs; nor is there work.
  if (llvm::is_contained(extents, 0))
    return {};
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  for (int64_t &extent : extents)
    extent = ShapedType::isDynamic(extent) ? kAssumedExtent
                                           : std::max<int64_t>(extent, 1);
  int64_t inside = 1;
  for (int64_t extent : extents)
    inside = multiply(inside, extent);
  bool isDynamic = op.hasDynamicShape();
  if (!isDynamic && inside < kMinParallelWork)
    return {};
  SmallVector<int64_t> tiles(extents.size(), 0);
  bool any = false;
  for (auto [loop, extent] : llvm::enumerate(extents)) {
    if (!linalg::isParallelIterator(iterators[loop]))
      continue;
    inside = std::max<int64_t>(inside / extent, 1);
    if (extent == 1)
      continue;
    int64_t least = loop + 1 == extents.size() ? kMinInnerTile : 1;
    tiles[loop] = std::max<int64_t>(least, kTileWork / inside);
    any = true;
    if (tiles[loop] > 1)
      break;
  }
  return any ? tiles : SmallVector<int64_t>();
}

namespace {
class TileParallelPass
    : public PassWrapper<TileParallelPass, OperationPass<func::FuncOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileParallelPass)
  StringRef getArgument() const override { return "host-tile-parallel"; }
  StringRef getDescription() const override {
    return "Cut big tensor ops into fixed tiles that run in parallel";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<affine::AffineDialect, scf::SCFDialect,
                    tensor::TensorDialect>();
  }

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::GenericOp> ops(
        getOperation().getBody().getOps<linalg::GenericOp>());
    for (linalg::GenericOp op : ops) {
      if (!op.hasPureTensorSemantics())
        continue;
      SmallVector<int64_t> tiles = chooseTiles(op);
      if (tiles.empty())
        continue;
      scf::SCFTilingOptions options;
      options.setTileSizes(getAsIndexOpFoldResult(&getContext(), tiles));
      options.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
      rewriter.setInsertionPoint(op);
      FailureOr<scf::SCFTilingResult> tiled = scf::tileUsingSCF(
          rewriter, cast<TilingInterface>(op.getOperation()), options);
      // An op that cannot be cut still runs, on one thread.
      if (succeeded(tiled))
        rewriter.replaceOp(op, tiled->replacements);
    }
  }
};
} // namespace

std::unique_ptr<Pass> opgraph::codegen::createTileParallelPass() {
  return std::make_unique<TileParallelPass>();
}
