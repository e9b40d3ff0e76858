//===- ExpandBlockScale.cpp - Block scaling in simpler ops ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An axis is reshaped into blocks and their elements, so that a scale is the
// result of a reduction, and is broadcast. A last block that is shorter is a
// part of its own.
//===----------------------------------------------------------------------===//
#include "passes/Transforms/ExpandBlockScale.h"
#include "dialects/Graph/Layout.h"

#include <limits>

using namespace mlir;
using namespace opgraph;
using namespace opgraph::graph;

namespace {
class BlockScaling {
public:
  BlockScaling(IRRewriter &rewriter, ComputeTypeOpInterface op)
      : rewriter(rewriter), loc(op.getLoc()), expansion(rewriter, op) {}

  void quantize(BlockScaleQuantizeOp op);
  void dequantize(BlockScaleDequantizeOp op);

private:
  struct Quantized {
    Value elements, scale;
  };
  Quantized quantizeBlocks(BlockScaleQuantizeOp op, Value x, int64_t axis,
                           int64_t block);
  Value emitScale(Value x, Type element, Type scaleElement, int64_t axis);
  Value dequantizeBlocks(Value x, Value scale, ArrayRef<int64_t> blocks,
                         Type element, size_t axis);
  /// Zeros of any extents, without an operand.
  Value zeros(ArrayRef<int64_t> dims, Type element);
  Value pad(Value value, int64_t axis, int64_t extent);

  Value reshape(Value value, ArrayRef<int64_t> dims) {
    Type element = typeOf(value).getElementType();
    return ReshapeOp::create(rewriter, loc,
                             RankedTensorType::get(dims, element), value,
                             ReshapeMode::LOGICAL);
  }
  Value slice(Value value, int64_t axis, int64_t begin, int64_t end);
  Value concatenate(ArrayRef<Value> parts, int64_t axis);
  Value round(Value value, Type element) {
    auto type = RankedTensorType::get(typeOf(value).getShape(), element);
    bool isWide = typeOf(value).getElementType().isF64();
    return IdentityOp::create(rewriter, loc, type, value,
                              isWide ? TypeAttr::get(rewriter.getF64Type())
                                     : expansion.getComputeType());
  }
  bool isF32() const { return expansion.getComputeType().getValue().isF32(); }
  /// The quotient for one that is rounded to a narrow float.
  Value divideSticky(Value a, Value b) {
    Value quotient = exactly(expansion.div(a, b));
    quotient.getDefiningOp()->setAttr(kStickyAttrName, rewriter.getUnitAttr());
    return quotient;
  }
  Value divideWide(Value a, Value b) {
    Type f64 = rewriter.getF64Type();
    auto type = RankedTensorType::get(typeOf(a).getShape(), f64);
    return DivOp::create(rewriter, loc, type, a, b, TypeAttr::get(f64));
  }
  /// `value`, which is not to be approximated.
  static Value exactly(Value value) {
    Operation *op = value.getDefiningOp();
    op->setAttr(kExactAttrName, UnitAttr::get(op->getContext()));
    return value;
  }
  void replace(Value result, Value value);

  IRRewriter &rewriter;
  Location loc;
  Expansion expansion;
};
} // namespace

Value BlockScaling::slice(Value value, int64_t axis, int64_t begin,
                          int64_t end) {
  RankedTensorType type = typeOf(value);
  if (begin == 0 && end == type.getDimSize(axis))
    return value;
  Dims dims(type.getShape()), start(dims.size(), 0), stop(dims),
      step(dims.size(), 1);
  start[axis] = begin;
  stop[axis] = end;
  dims[axis] = end - begin;
  return SliceOp::create(rewriter, loc,
                         RankedTensorType::get(dims, type.getElementType()),
                         value, start, stop, step);
}

Value BlockScaling::concatenate(ArrayRef<Value> parts, int64_t axis) {
  if (parts.size() == 1)
    return parts.front();
  RankedTensorType type = typeOf(parts.front());
  Dims dims(type.getShape());
  dims[axis] = 0;
  for (Value part : parts)
    dims[axis] += typeOf(part).getDimSize(axis);
  return ConcatenateOp::create(
      rewriter, loc, RankedTensorType::get(dims, type.getElementType()), parts,
      axis, /*in_place_index=*/IntegerAttr());
}

Value BlockScaling::zeros(ArrayRef<int64_t> dims, Type element) {
  return RngOp::create(rewriter, loc, RankedTensorType::get(dims, element),
                       /*seed=*/Value(),
                       /*offset=*/Value(), RngDistribution::BERNOULLI,
                       rewriter.getI64IntegerAttr(0),
                       rewriter.getF64FloatAttr(0), expansion.getComputeType());
}

Value BlockScaling::pad(Value value, int64_t axis, int64_t extent) {
  RankedTensorType type = typeOf(value);
  Dims dims(type.getShape());
  dims[axis] = extent - dims[axis];
  if (dims[axis] == 0)
    return value;
  return concatenate({value, zeros(dims, type.getElementType())}, axis);
}

//===----------------------------------------------------------------------===//
// Scales in tiles
//===----------------------------------------------------------------------===//

static bool isTiled(Value value) {
  return getReordering(typeOf(value)) == Reordering::F8_128x4;
}

static bool isGraphReturn(Operation *user) { return isa<ReturnOp>(user); }

/// The same memory with more axes, whose strides say where elements are: in a
/// tile, row r and column c lie at (r % 32) * 16 + r / 32 * 4 + c.
static RankedTensorType getTiledType(RankedTensorType type) {
  constexpr int64_t kTileRows = 128, kTileColumns = 4, kTile = 512;
  ScaleAxes axes = getScaleAxes(type);
  int64_t rowTiles = axes.rows / kTileRows;
  int64_t columnTiles = axes.columns / kTileColumns;
  Dims dims, strides, own = getStrides(type);
  auto append = [&](int64_t extent, int64_t stride) {
    dims.push_back(extent);
    strides.push_back(stride);
  };
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    if (axis == axes.rowAxis) {
      append(rowTiles, columnTiles * kTile);
      append(4, 4);
      append(32, 16);
    } else if (axis == axes.columnAxis) {
      append(columnTiles, kTile);
      append(kTileColumns, 1);
    } else {
      append(type.getDimSize(axis), own[axis]);
    }
  }
  return makeStrided(dims, type.getElementType(), strides,
                     Symbols(dims.size()));
}

/// Makes the graph's signature that of its block.
static void updateSignature(GraphOp graph) {
  Block &body = graph.getBody().front();
  graph.setFunctionType(
      FunctionType::get(graph.getContext(), body.getArgumentTypes(),
                        body.getTerminator()->getOperandTypes()));
}

void BlockScaling::replace(Value result, Value value) {
  RankedTensorType type = typeOf(result);
  bool isOutput = llvm::any_of(result.getUsers(), isGraphReturn);
  bool changesSignature = isTiled(result) && isOutput;
  if (changesSignature)
    value = ReshapeOp::create(rewriter, loc, getTiledType(type), value,
                              ReshapeMode::LOGICAL);
  else if (isOutput)
    value.setType(type);
  auto graph = result.getDefiningOp()->getParentOfType<GraphOp>();
  rewriter.replaceAllUsesWith(result, value);
  if (changesSignature)
    updateSignature(graph);
}

/// Extents with `axis` cut into blocks of `block`.
static Dims cut(ArrayRef<int64_t> dims, int64_t axis, int64_t block) {
  Dims found(dims);
  found[axis] /= block;
  found.insert(found.begin() + axis + 1, block);
  return found;
}

//===----------------------------------------------------------------------===//
// Quantization
//===----------------------------------------------------------------------===//

/// The largest magnitude along `axis` over the greatest number of `element`;
/// an infinity must not pass as a number where a scale saturates.
Value BlockScaling::emitScale(Value x, Type element, Type scaleElement,
                              int64_t axis) {
  int64_t rank = typeOf(x).getRank();
  double largest =
      APFloat::getLargest(cast<FloatType>(element).getFloatSemantics())
          .convertToDouble();
  Value greatest = expansion.amax(x, {axis});
  Value infinity =
      expansion.constant(std::numeric_limits<double>::infinity(), rank);
  Value nan =
      expansion.constant(std::numeric_limits<double>::quiet_NaN(), rank);
  Value amax =
      expansion.select(expansion.isLess(greatest, infinity), greatest, nan);
  Value divisor = expansion.constant(largest, rank);
  // Such a scale rounds a quotient whose divisor has three bits.
  bool isNarrow = scaleElement.getIntOrFloatBitWidth() <= 16;
  return isF32() && isNarrow ? divideSticky(amax, divisor)
                             : exactly(expansion.div(amax, divisor));
}

BlockScaling::Quantized BlockScaling::quantizeBlocks(BlockScaleQuantizeOp op,
                                                     Value x, int64_t axis,
                                                     int64_t block) {
  Type element = typeOf(op.getY()).getElementType();
  Type scaleElement = typeOf(op.getScale()).getElementType();
  Dims dims(typeOf(x).getShape()), scaleDims = dims;
  scaleDims[axis] /= block;
  Value blocks = reshape(x, cut(dims, axis, block));
  Value scale =
      round(emitScale(blocks, element, scaleElement, axis + 1), scaleElement);
  Value quotient;
  if (isa<Float8E8M0FNUType>(scaleElement)) {
    // A product with a power of two is the quotient.
    quotient =
        exactly(expansion.mul(blocks, exactly(expansion.reciprocal(scale))));
  } else if (isF32() && isa<Float8E4M3FNType, Float8E5M2Type>(scaleElement)) {
    Value zero = expansion.constant(0, typeOf(blocks).getRank());
    quotient = exactly(expansion.select(expansion.isEqual(scale, zero), zero,
                                        divideSticky(blocks, scale)));
  } else {
    // In f64: a quotient that f32 has rounded would round again.
    Value zero = expansion.constant(0, typeOf(blocks).getRank());
    quotient = expansion.select(expansion.isEqual(scale, zero), zero,
                                round(divideWide(blocks, scale), element));
  }
  return {reshape(round(quotient, element), dims), reshape(scale, scaleDims)};
}

void BlockScaling::quantize(BlockScaleQuantizeOp op) {
  Value x = op.getInput();
  RankedTensorType type = typeOf(x);
  if (type.getNumElements() == 0) {
    RankedTensorType scale = typeOf(op.getScale());
    replace(op.getY(), round(x, typeOf(op.getY()).getElementType()));
    replace(op.getScale(), zeros(scale.getShape(), scale.getElementType()));
    rewriter.eraseOp(op);
    return;
  }
  int64_t axis = op.getAxis().value_or(type.getRank() - 1);
  int64_t extent = type.getDimSize(axis);
  int64_t block = std::min<int64_t>(op.getBlockSize(), extent);
  int64_t whole = extent / block * block;
  SmallVector<Value> elements, scales;
  auto append = [&](int64_t begin, int64_t end, int64_t size) {
    if (begin == end)
      return;
    Quantized part = quantizeBlocks(op, slice(x, axis, begin, end), axis, size);
    elements.push_back(part.elements);
    scales.push_back(part.scale);
  };
  append(0, whole, block);
  append(whole, extent, extent - whole);
  Value scale = concatenate(scales, axis);
  for (auto [at, padded] : llvm::enumerate(typeOf(op.getScale()).getShape()))
    scale = pad(scale, at, padded);
  replace(op.getY(), concatenate(elements, axis));
  replace(op.getScale(), scale);
  rewriter.eraseOp(op);
}

//===----------------------------------------------------------------------===//
// Dequantization
//===----------------------------------------------------------------------===//

/// Axes before `axis` are whole blocks already.
Value BlockScaling::dequantizeBlocks(Value x, Value scale,
                                     ArrayRef<int64_t> blocks, Type element,
                                     size_t axis) {
  Dims dims(typeOf(x).getShape());
  for (; axis < dims.size(); ++axis) {
    int64_t extent = dims[axis], whole = extent / blocks[axis] * blocks[axis];
    if (whole == extent || extent < blocks[axis])
      continue;
    int64_t count = whole / blocks[axis];
    Value first =
        dequantizeBlocks(slice(x, axis, 0, whole), slice(scale, axis, 0, count),
                         blocks, element, axis + 1);
    Value last = dequantizeBlocks(slice(x, axis, whole, extent),
                                  slice(scale, axis, count, count + 1), blocks,
                                  element, axis + 1);
    return concatenate({first, last}, axis);
  }
  Dims cutDims, scaleDims;
  for (auto [extent, block] : llvm::zip_equal(dims, blocks)) {
    int64_t size = std::min(extent, block);
    cutDims.push_back(extent / size);
    scaleDims.push_back(extent / size);
    if (size == 1)
      continue;
    cutDims.push_back(size);
    scaleDims.push_back(1);
  }
  Value product = expansion.mul(reshape(x, cutDims), reshape(scale, scaleDims));
  return reshape(round(product, element), dims);
}

void BlockScaling::dequantize(BlockScaleDequantizeOp op) {
  RankedTensorType type = typeOf(op.getInput());
  if (type.getNumElements() == 0) {
    replace(op.getY(),
            round(op.getInput(), typeOf(op.getY()).getElementType()));
    rewriter.eraseOp(op);
    return;
  }
  Dims blocks(type.getRank() - op.getBlockSize().size(), 1);
  llvm::append_range(blocks, op.getBlockSize());
  Value scale = op.getDescale();
  if (isa<BlockArgument>(scale) && isTiled(scale)) {
    Dims dims(typeOf(scale).getShape());
    scale.setType(getTiledType(typeOf(scale)));
    updateSignature(op->getParentOfType<GraphOp>());
    scale = reshape(scale, dims);
  }
  for (auto [axis, block] : llvm::enumerate(blocks))
    scale =
        slice(scale, axis, 0, llvm::divideCeil(type.getDimSize(axis), block));
  Value y = dequantizeBlocks(op.getInput(), scale, blocks,
                             typeOf(op.getY()).getElementType(), /*axis=*/0);
  replace(op.getY(), y);
  rewriter.eraseOp(op);
}

//===----------------------------------------------------------------------===//
// Entry
//===----------------------------------------------------------------------===//

/// Whether a scale lies by its strides, or in tiles that nothing else sees.
static bool canPlaceScale(Value scale) {
  if (!isTiled(scale))
    return true;
  bool isSeen = isa<BlockArgument>(scale) ||
                llvm::any_of(scale.getUsers(), isGraphReturn);
  return !isSeen || scale.hasOneUse();
}

bool opgraph::canExpandBlockScale(Operation *op) {
  auto quantize = dyn_cast<BlockScaleQuantizeOp>(op);
  auto dequantize = dyn_cast<BlockScaleDequantizeOp>(op);
  if (!quantize && !dequantize)
    return false;
  auto isServed = [](Value value) {
    RankedTensorType type = typeOf(value);
    return type.hasStaticShape();
  };
  if (!llvm::all_of(op->getOperands(), isServed) ||
      !llvm::all_of(op->getResults(), isServed))
    return false;
  if (dequantize)
    return canPlaceScale(dequantize.getDescale());
  return canPlaceScale(quantize.getScale()) &&
         (!quantize.getGroupOffset() || !isTiled(quantize.getScale()));
}

void opgraph::expandBlockScale(IRRewriter &rewriter, Operation *op) {
  if (!canExpandBlockScale(op))
    return;
  BlockScaling scaling(rewriter, cast<ComputeTypeOpInterface>(op));
  if (auto quantize = dyn_cast<BlockScaleQuantizeOp>(op))
    scaling.quantize(quantize);
  else
    scaling.dequantize(cast<BlockScaleDequantizeOp>(op));
}
