//===- MatrixFragment.cpp - Tiles that move by ldmatrix -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Tile/MatrixFragment.h"
#include "dialects/Tile/Verify/Local.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace opgraph::tile;

/// Takes the last digit where it is that of `owner`.
static bool take(ArrayRef<Factor> &factors, Owner owner, int32_t extent,
                 int32_t stride) {
  if (factors.empty() || factors.back().owner != owner ||
      factors.back().extent != extent || factors.back().stride != stride)
    return false;
  factors = factors.drop_back();
  return true;
}

static bool hasLanes(ArrayRef<Factor> factors) {
  return llvm::any_of(factors, [](const Factor &factor) {
    return factor.owner == Owner::Lane;
  });
}

/// `[… lane 4 : 1][register run]`, and no other lanes; 0: it is not.
static int64_t matchPairs(ArrayRef<Factor> factors) {
  int32_t run = factors.empty() ? 0 : factors.back().extent;
  if (run < 2 || !llvm::isPowerOf2_32(run) ||
      !take(factors, Owner::Register, run, 1) ||
      !take(factors, Owner::Lane, 4, 1) || hasLanes(factors))
    return 0;
  return run;
}

/// `[… lane 8 : 4]`, and no other lanes.
static bool matchRows(ArrayRef<Factor> factors) {
  return take(factors, Owner::Lane, 8, 4) && !hasLanes(factors);
}

std::optional<MatrixFragment> opgraph::tile::findMatrixFragment(RegType type) {
  FailureOr<Distribution> distribution = Distribution::get(type, nullptr);
  if (failed(distribution))
    return std::nullopt;
  for (unsigned axis : {1u, 0u})
    if (int64_t run = matchPairs(distribution->factors(axis));
        run && matchRows(distribution->factors(1 - axis)))
      return MatrixFragment{axis, run};
  return std::nullopt;
}

LogicalResult opgraph::tile::verifyMatrixPath(Operation *op, RegType tile,
                                              SharedPath via,
                                              bool isTransposed) {
  if (via == SharedPath::plain)
    return success();
  if (getStorageBits(tile.getElementType()) != 16)
    return op->emitOpError("expected elements of 16 bits via ")
           << stringifySharedPath(via) << " (G6), got "
           << tile.getElementType();
  std::optional<MatrixFragment> fragment = findMatrixFragment(tile);
  if (!fragment)
    return op->emitOpError("expected a tile of 8x8 blocks, lanes 8:4 along one "
                           "axis and 4:1 of pairs along the other, via ")
           << stringifySharedPath(via) << " (G6), got " << tile;
  bool isTransposing = fragment->isTransposing(isTransposed);
  auto want = isTransposing ? SharedPath::matrix_trans : SharedPath::matrix;
  if (via != want)
    return op->emitOpError("expected via ")
           << stringifySharedPath(want)
           << ", since the tile's pairs lie along the "
           << getAxisName(fragment->pairAxis) << " (G6), got "
           << stringifySharedPath(via);
  if (fragment->run > 2 && !(isTransposing && isa<LoadSharedOp>(op)))
    return op->emitOpError("expected lanes of 2 neighbours, but where a load "
                           "transposes (G6), got ")
           << fragment->run;
  return success();
}
