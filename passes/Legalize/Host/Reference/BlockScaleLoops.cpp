//===- BlockScaleLoops.cpp - The judge's block scaling --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/GroupOffset.h"
#include "dialects/Graph/Layout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "passes/Legalize/Host/Reference/Groups.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"
#include "llvm/ADT/APFloat.h"

using namespace mlir;
using namespace opgraph::graph;
using namespace opgraph::legalize;

using Indices = LoopEmitter::Indices;

void opgraph::legalize::emitLoops(LoopEmitter &e, BlockScaleDequantizeOp op) {
  Type computeType = op.getEffectiveComputeType();
  ArrayRef<int64_t> blocks = op.getBlockSize();
  e.forEach(e.extents(op.getY()), [&](ValueRange indices) {
    Indices position(indices);
    size_t first = indices.size() - blocks.size();
    for (auto [offset, block] : llvm::enumerate(blocks)) {
      Value &index = position[first + offset];
      index = e.make<arith::DivSIOp>(index, e.index(block));
    }
    Value x = e.load(op.getInput(), indices, computeType);
    Value scale = e.load(op.getDescale(), position, computeType);
    e.store(e.make<arith::MulFOp>(x, scale), op.getY(), indices);
  });
}

namespace {
/// The loops of a quantization: blocks outside, the elements of a block inside.
class Quantizer {
public:
  Quantizer(LoopEmitter &e, BlockScaleQuantizeOp op)
      : e(e), op(op), computeType(op.getEffectiveComputeType()),
        axis(op.getAxis().value_or(LoopEmitter::rankOf(op.getInput()) - 1)) {}

  void run();

private:
  void clearScale();
  Value emitScale(ValueRange block, const RowRange &elements);
  void storeScale(Value stored, ValueRange block);
  void storeInGroups(Value stored, ValueRange block);
  /// How many blocks there are along the axis, whose extent is static.
  int64_t countBlocks() {
    int64_t extent = LoopEmitter::typeOf(op.getInput()).getDimSize(axis);
    return extent == 0 ? 0 : (extent - 1) / int64_t(op.getBlockSize()) + 1;
  }

  /// The elements of a block: where the block begins along the axis, and how
  /// many are inside.
  RowRange getElements(Value block) {
    Value size = e.index(op.getBlockSize());
    Value begin = e.make<arith::MulIOp>(block, size);
    Value rest = e.make<arith::SubIOp>(e.extent(op.getInput(), axis), begin);
    return {begin, e.make<arith::MinSIOp>(rest, size)};
  }
  Indices at(ValueRange block, Value begin, Value position) {
    Indices indices(block);
    indices[axis] = e.make<arith::AddIOp>(begin, position);
    return indices;
  }

  LoopEmitter &e;
  BlockScaleQuantizeOp op;
  Type computeType;
  int64_t axis;
};
} // namespace

/// Padding reads as zero bits.
void Quantizer::clearScale() {
  e.forEach(e.extents(op.getScale()), [&](ValueRange indices) {
    Type stored = getStorageType(LoopEmitter::elementTypeOf(op.getScale()));
    Value zero =
        e.make<arith::ConstantOp>(cast<TypedAttr>(e.b.getZeroAttr(stored)));
    e.storeStored(zero, op.getScale(), indices);
  });
}

/// The scale of the block at `block`, as it is stored.
Value Quantizer::emitScale(ValueRange block, const RowRange &elements) {
  Value greatest = e.reduce(
      {elements.length}, e.constant(0),
      [&](ValueRange inner, Value current) -> Value {
        Value x = e.load(op.getInput(), at(block, elements.begin, inner[0]),
                         computeType);
        return e.make<arith::MaximumFOp>(current, e.make<math::AbsFOp>(x));
      });
  // Some scale types saturate: an infinity must not pass as a number.
  Value isFinite = e.make<arith::CmpFOp>(
      arith::CmpFPredicate::OLT, greatest,
      e.constant(std::numeric_limits<double>::infinity()));
  Value amax = e.make<arith::SelectOp>(
      isFinite, greatest, e.constant(std::numeric_limits<double>::quiet_NaN()));
  auto type = cast<FloatType>(LoopEmitter::elementTypeOf(op.getY()));
  double largest =
      APFloat::getLargest(type.getFloatSemantics()).convertToDouble();
  return convertToStorage(e.b, e.loc,
                          e.make<arith::DivFOp>(amax, e.constant(largest)),
                          LoopEmitter::elementTypeOf(op.getScale()));
}

void Quantizer::storeScale(Value stored, ValueRange block) {
  bool isTiled =
      getReordering(LoopEmitter::typeOf(op.getScale())) == Reordering::F8_128x4;
  if (op.getGroupOffset() && isTiled)
    return storeInGroups(stored, block);
  e.storeStored(stored, op.getScale(), block);
}

/// Stores the scale in each group that has its row; groups begin at tiles.
void Quantizer::storeInGroups(Value stored, ValueRange block) {
  int64_t count = *countOffsets(LoopEmitter::typeOf(op.getGroupOffset())) - 1;
  Groups groups(e, op.getGroupOffset(), count, /*hasEnd=*/true,
                e.extent(op.getInput(), 1));
  constexpr int64_t kTile = 128;
  e.reduce({groups.getCount()}, e.index(0),
           [&](ValueRange group, Value first) -> Value {
             RowRange range = groups.get(group[0]);
             Value row = e.make<arith::AddIOp>(
                 first, e.make<arith::SubIOp>(block[1], range.begin));
             Value isInside = e.make<arith::CmpIOp>(
                 arith::CmpIPredicate::slt, row, e.extent(op.getScale(), 1));
             isInside =
                 e.make<arith::AndIOp>(isInside, range.contains(e, block[1]));
             e.ifThen(isInside, [&] {
               e.storeStored(stored, op.getScale(), {block[0], row, block[2]});
             });
             Value tiles = e.make<arith::DivSIOp>(
                 e.make<arith::AddIOp>(range.length, e.index(kTile - 1)),
                 e.index(kTile));
             return e.make<arith::AddIOp>(
                 first, e.make<arith::MulIOp>(tiles, e.index(kTile)));
           });
}

void Quantizer::run() {
  clearScale();
  Indices bounds = e.extents(op.getInput());
  bounds[axis] = e.index(countBlocks());
  e.forEach(bounds, [&](ValueRange block) {
    RowRange elements = getElements(block[axis]);
    Value stored = emitScale(block, elements);
    Value scale = convertFromStorage(e.b, e.loc, stored,
                                     LoopEmitter::elementTypeOf(op.getScale()),
                                     e.b.getF64Type());
    Value isZero =
        e.make<arith::CmpFOp>(arith::CmpFPredicate::OEQ, scale, e.constant(0));
    e.forEach({elements.length}, [&](ValueRange inner) {
      Indices indices = at(block, elements.begin, inner[0]);
      Value x = e.load(op.getInput(), indices, computeType);
      Value y = e.make<arith::SelectOp>(isZero, e.constant(0),
                                        e.make<arith::DivFOp>(x, scale));
      e.store(y, op.getY(), indices);
    });
    storeScale(stored, block);
  });
}

void opgraph::legalize::emitLoops(LoopEmitter &e, BlockScaleQuantizeOp op) {
  Quantizer(e, op).run();
}
