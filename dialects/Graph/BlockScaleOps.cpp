//===- BlockScaleOps.cpp - Inference of block scaling ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/GroupOffset.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace opgraph::graph;

/// What rows and columns of a matrix of scales may be rounded up to.
static constexpr int64_t rowTile = 128;
static constexpr int64_t columnTile = 4;

static int64_t countBlocks(int64_t extent, int64_t block) {
  return extent == 0 ? 0 : (extent - 1) / block + 1;
}

/// Extents without elements may be as large as an int64_t: those stay.
static int64_t roundUp(int64_t extent, int64_t multiple) {
  return extent > INT64_MAX - multiple ? extent
                                       : llvm::alignTo(extent, multiple);
}

/// Fails unless the extent of 'SCALE' at `axis` is `expected`, or where it
/// `mayBePadded`, that rounded up to a whole tile.
static LogicalResult checkScaleExtent(Inference &inference, int64_t axis,
                                      const Extent &expected,
                                      const Extent &actual, bool mayBePadded) {
  // block_scale_dequantize_c5, block_scale_quantize_c7
  mayBePadded &= expected.isStatic() && actual.isStatic();
  if (actual == expected ||
      (mayBePadded && (actual.size == roundUp(expected.size, columnTile) ||
                       actual.size == roundUp(expected.size, rowTile))))
    return success();
  InFlightDiagnostic error = inference.error(ErrorKind::ShapeDeduction);
  error << "expected dim " << axis << " of 'SCALE' to be "
        << printExtent(expected);
  if (mayBePadded)
    error << ", or that rounded up to a multiple of " << columnTile << " or "
          << rowTile;
  return error << ", got " << printExtent(actual);
}

//===----------------------------------------------------------------------===//
// Dequantize
//===----------------------------------------------------------------------===//

/// Checks the blocks' extents against X and SCALE, of one rank.
static LogicalResult checkBlocks(Inference &inference, ArrayRef<int64_t> blocks,
                                 ArrayRef<Extent> x, ArrayRef<Extent> scale) {
  int64_t rank = x.size(), first = rank - blocks.size();
  for (int64_t axis = 0; axis < rank; ++axis) {
    int64_t block = axis < first ? 1 : blocks[axis - first];
    // block_scale_dequantize_c2
    if (block < 1)
      return inference.error(ErrorKind::InvalidValue)
             << "expected entries of 'block_size' to be at least 1, got "
             << block << " for axis " << axis;
    Extent expected = x[axis];
    if (block != 1) {
      // block_scale_dequantize_c4
      for (auto [name, extent] :
           {std::pair("X", x[axis]), std::pair("SCALE", scale[axis])})
        if (!extent.isStatic())
          return inference.error(ErrorKind::NotSupported)
                 << "expected dim " << axis << " of '" << name
                 << "', in blocks of " << block << ", to be static, got "
                 << printExtent(extent);
      expected.size = countBlocks(x[axis].size, block);
    }
    if (failed(checkScaleExtent(inference, axis, expected, scale[axis],
                                axis >= rank - 2)))
      return failure();
  }
  return success();
}

LogicalResult BlockScaleDequantizeOp::inferResults(Inference &inference) {
  RankedTensorType input = typeOf(getInput()), descale = typeOf(getDescale());
  Extents x = getExtents(input), scale = getExtents(descale);
  ArrayRef<int64_t> blocks = getBlockSize();
  // block_scale_dequantize_c1
  if (blocks.empty())
    return inference.error(ErrorKind::AttributeNotSet)
           << "expected 'block_size' to have at least one entry, got none";
  if (blocks.size() > x.size())
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected 'block_size' to have at most as many entries as 'X' "
              "has "
              "axes ("
           << x.size() << "), got " << blocks.size();
  // block_scale_dequantize_c3
  if (scale.size() != x.size())
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected 'SCALE' to have the rank of 'X' (" << x.size()
           << "), got " << scale.size();
  if (failed(checkBlocks(inference, blocks, x, scale)))
    return failure();
  // block_scale_dequantize_c6
  if (!isa<FloatType>(descale.getElementType()))
    return inference.error(ErrorKind::NotSupported)
           << "expected 'SCALE' to be floating point, got "
           << descale.getElementType();
  // block_scale_dequantize_c7
  if (failed(requireFloatCompute(inference, getEffectiveComputeType())))
    return failure();
  // block_scale_dequantize_c8
  if (!inference.result(0).isVirtual || isReturned(getY()))
    return inference.error(ErrorKind::InvalidValue)
           << "expected 'Y' to be virtual, got an output of the graph";
  if (failed(setExtents(inference, 0, x)))
    return failure();
  inference.setLayoutOf(0, input);
  return success();
}

//===----------------------------------------------------------------------===//
// Quantize
//===----------------------------------------------------------------------===//

namespace {
/// One inference of a quantization.
class QuantizeInference {
public:
  QuantizeInference(BlockScaleQuantizeOp op, Inference &inference)
      : op(op), inference(inference), input(typeOf(op.getInput())),
        x(getExtents(input)), rank(x.size()),
        axis(op.getAxis().value_or(rank - 1)),
        isTiled(inference.result(1).reordering == Reordering::F8_128x4) {}

  LogicalResult run();

private:
  LogicalResult checkAttributes();
  LogicalResult checkTypes();
  LogicalResult checkTiles();
  LogicalResult checkGroups();
  LogicalResult setScaleExtents();
  LogicalResult checkScale(ArrayRef<Extent> expected, Extents declared);
  Dims getOrder(bool isScale);

  bool isMatrixAxis(int64_t other) const { return other >= rank - 2; }

  BlockScaleQuantizeOp op;
  Inference &inference;
  RankedTensorType input;
  Extents x;
  int64_t rank;
  int64_t axis;
  bool isTiled;
  /// Groups of rows; 0 without GROUP_OFFSET.
  int64_t groups = 0;
};
} // namespace

LogicalResult QuantizeInference::checkAttributes() {
  // block_scale_quantize_c1
  if (axis < 0 || axis >= rank)
    return inference.error(ErrorKind::InvalidValue)
           << "expected 'axis' to be in [0, " << rank << "), got " << axis;
  // block_scale_quantize_c2
  int64_t block = op.getBlockSize();
  if (block < 1)
    return inference.error(ErrorKind::InvalidValue)
           << "expected 'block_size' to be at least 1, got " << block;
  // block_scale_quantize_c3
  if (!x[axis].isStatic())
    return inference.error(ErrorKind::NotSupported)
           << "expected dim " << axis << " of 'X', in blocks of " << block
           << ", to be static, got " << printExtent(x[axis]);
  return success();
}

LogicalResult QuantizeInference::checkTypes() {
  // block_scale_quantize_c4
  for (unsigned index : {0, 1})
    if (!inference.result(index).elementType)
      return inference.error(ErrorKind::AttributeNotSet)
             << "expected the element type of result "
             << inference.getResultName(index) << " to be declared, got none";
  Type y = inference.result(0).elementType;
  if (!isa<Float8E4M3FNType, Float8E5M2Type, Float4E2M1FNType>(y))
    return inference.error(ErrorKind::NotSupported)
           << "expected 'Y' to be f8E4M3FN, f8E5M2 or f4E2M1FN, got " << y;
  // block_scale_quantize_c5
  Type scale = inference.result(1).elementType;
  if (!isa<FloatType>(scale) || isa<Float4E2M1FNType>(scale))
    return inference.error(ErrorKind::NotSupported)
           << "expected 'SCALE' to be floating point of 8 bits or more, got "
           << scale;
  // block_scale_quantize_c6
  return requireFloatCompute(inference, op.getEffectiveComputeType());
}

LogicalResult QuantizeInference::checkTiles() {
  // block_scale_quantize_c8
  if (!isTiled)
    return success();
  if (rank < 2 || !isMatrixAxis(axis))
    return inference.error(ErrorKind::NotSupported)
           << "expected 'axis' to be one of the last two for 'SCALE' in "
              "reordering f8_128x4, got "
           << axis << " of " << rank << " axes";
  for (int64_t other : {rank - 2, rank - 1})
    if (!x[other].isStatic())
      return inference.error(ErrorKind::NotSupported)
             << "expected dim " << other << " of 'X' to be static for 'SCALE' "
             << "in reordering f8_128x4, got " << printExtent(x[other]);
  return success();
}

LogicalResult QuantizeInference::checkGroups() {
  if (!op.getGroupOffset())
    return success();
  // block_scale_quantize_c9
  if (rank != 3 || !x[0].isOne() || !x[1].isStatic() || axis != 2)
    return inference.error(ErrorKind::NotSupported)
           << "expected 'X' with 'GROUP_OFFSET' to be 1xTxK with a static T "
              "and "
              "'axis' to be 2, got "
           << printExtents(x) << " and " << axis;
  // block_scale_quantize_c10
  FailureOr<int64_t> count = checkGroupOffset(inference, op.getGroupOffset());
  if (failed(count))
    return failure();
  groups = *count;
  return success();
}

/// Compares what the user declared of SCALE with the extents without padding.
LogicalResult QuantizeInference::checkScale(ArrayRef<Extent> expected,
                                            Extents declared) {
  // block_scale_quantize_c7
  if (declared.size() != expected.size())
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected 'SCALE' to have the rank of 'X' (" << rank << "), got "
           << declared.size();
  bool hasFreeRows = isTiled && op.getGroupOffset();
  for (int64_t other = 0; other < rank; ++other) {
    // A `?` without a name takes that of X.
    if (!declared[other].isStatic() && !declared[other].symbol)
      declared[other].symbol = expected[other].symbol;
    if (hasFreeRows && other == rank - 2)
      continue;
    if (failed(checkScaleExtent(inference, other, expected[other],
                                declared[other],
                                !isTiled && isMatrixAxis(other))))
      return failure();
  }
  return setExtents(inference, 1, declared);
}

LogicalResult QuantizeInference::setScaleExtents() {
  Extents scale = x;
  scale[axis].size = countBlocks(x[axis].size, op.getBlockSize());
  if (isTiled)
    for (int64_t other : {rank - 2, rank - 1})
      scale[other].size =
          roundUp(scale[other].size, other == axis ? columnTile : rowTile);
  if (inference.result(1).dims)
    return checkScale(scale, getExtents(inference.result(1)));
  if (isTiled && op.getGroupOffset()) {
    // Each group may leave up to 127 rows of its last tile empty.
    int64_t spare = 0, rows = 0;
    if (llvm::MulOverflow(groups, rowTile - 1, spare) ||
        llvm::AddOverflow(x[1].size, spare, rows))
      rows = INT64_MAX;
    scale[1].size = rows / rowTile * rowTile;
  }
  return setExtents(inference, 1, scale);
}

/// The memory order of a result, slowest axis first.
Dims QuantizeInference::getOrder(bool isScale) {
  Dims order = getMemoryOrder(input);
  auto moveLast = [&](int64_t moved) {
    order.erase(llvm::find(order, moved));
    order.push_back(moved);
  };
  if (isScale && isTiled)
    moveLast(axis == rank - 1 ? rank - 2 : rank - 1);
  if (op.getTranspose() || (isScale && isTiled))
    moveLast(axis);
  return order;
}

LogicalResult QuantizeInference::run() {
  if (failed(checkAttributes()) || failed(checkTypes()) ||
      failed(checkTiles()) || failed(checkGroups()) ||
      failed(setExtents(inference, 0, x)) || failed(setScaleExtents()))
    return failure();
  inference.setPacked(0, getOrder(/*isScale=*/false));
  inference.setPacked(1, getOrder(/*isScale=*/true));
  return success();
}

LogicalResult BlockScaleQuantizeOp::inferResults(Inference &inference) {
  return QuantizeInference(*this, inference).run();
}
