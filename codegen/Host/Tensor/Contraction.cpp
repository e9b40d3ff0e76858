//===- Contraction.cpp - Recognising and packing matrix products ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/Host/Tensor/Contraction.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace opgraph::codegen;

Type Contraction::getType() const {
  return getElementTypeOrSelf(getC().getType());
}

/// Whether the body yields `out + lhs * rhs`.
static bool isMultiplyAccumulate(linalg::GenericOp op) {
  Block &body = op.getRegion().front();
  if (!llvm::hasNItems(body.without_terminator(), 2))
    return false;
  Operation *mul = &body.front();
  Operation *add = mul->getNextNode();
  bool floats = isa<arith::MulFOp>(mul) && isa<arith::AddFOp>(add);
  bool integers = isa<arith::MulIOp>(mul) && isa<arith::AddIOp>(add);
  if (!floats && !integers)
    return false;
  Value lhs = body.getArgument(0), rhs = body.getArgument(1);
  return mul->getOperand(0) == lhs && mul->getOperand(1) == rhs &&
         add->getOperand(0) == body.getArgument(2) &&
         add->getOperand(1) == mul->getResult(0) &&
         body.getTerminator()->getOperand(0) == add->getResult(0);
}

/// Whether `map` has only loops, other than `unused`, and zeros as results.
static bool isOperandMap(AffineMap map, unsigned unused) {
  return llvm::all_of(map.getResults(), [&](AffineExpr expr) {
    if (auto constant = dyn_cast<AffineConstantExpr>(expr))
      return constant.getValue() == 0;
    auto dim = dyn_cast<AffineDimExpr>(expr);
    return dim && dim.getPosition() != unused;
  });
}

std::optional<Contraction>
opgraph::codegen::matchContraction(linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 2 ||
      op.getNumDpsInits() != 1 || op.getNumLoops() < 3)
    return std::nullopt;
  unsigned loops = op.getNumLoops();
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  if (!linalg::isReductionIterator(iterators.back()) ||
      llvm::count_if(iterators, linalg::isReductionIterator) != 1)
    return std::nullopt;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap identity =
      AffineMap::getMultiDimIdentityMap(loops, op.getContext());
  if (maps[2] != identity.dropResult(loops - 1))
    return std::nullopt;
  if (!isOperandMap(maps[0], loops - 2) || !isOperandMap(maps[1], loops - 3) ||
      !isMultiplyAccumulate(op))
    return std::nullopt;
  return Contraction{op, loops - 3};
}

SmallVector<Value> opgraph::codegen::mapIndices(OpBuilder &builder,
                                                Location loc, AffineMap map,
                                                ArrayRef<Value> loops) {
  SmallVector<Value> indices;
  for (AffineExpr expr : map.getResults()) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      indices.push_back(loops[dim.getPosition()]);
    else
      indices.push_back(arith::ConstantIndexOp::create(builder, loc, 0));
  }
  return indices;
}

static bool isUnitInnerStride(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(type.getStridesAndOffset(strides, offset)) &&
         !strides.empty() && strides.back() == 1;
}

Value opgraph::codegen::readLanes(OpBuilder &builder, Location loc,
                                  Value tensor, ArrayRef<Value> at,
                                  int64_t lanes) {
  Type type = cast<RankedTensorType>(tensor.getType()).getElementType();
  Value padding =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  return vector::TransferReadOp::create(builder, loc,
                                        VectorType::get({lanes}, type), tensor,
                                        at, padding, ArrayRef<bool>{true});
}

bool opgraph::codegen::hasUnitInnerStride(Value tensor) {
  Operation *def = tensor.getDefiningOp();
  if (!def)
    return false;
  if (auto read = dyn_cast<bufferization::ToTensorOp>(def))
    return isUnitInnerStride(cast<MemRefType>(read.getBuffer().getType()));
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(def)) {
    auto source = slice.getSourceType();
    auto steps = slice.getMixedStrides();
    return source.getRank() == slice.getType().getRank() &&
           isConstantIntValue(steps.back(), 1) &&
           hasUnitInnerStride(slice.getSource());
  }
  if (!isa<linalg::LinalgOp, scf::ForallOp>(def))
    return false;
  // A result may be computed in the memory of the output that it becomes,
  // through any user that is more than a reader.
  return llvm::all_of(tensor.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto reader = dyn_cast<linalg::LinalgOp>(user))
      return reader.isDpsInput(&use);
    if (isa<tensor::DimOp, tensor::ExtractOp, tensor::ExtractSliceOp,
            vector::TransferReadOp>(user))
      return true;
    auto store = dyn_cast<bufferization::MaterializeInDestinationOp>(user);
    if (!store || use.get() != store.getSource())
      return false;
    auto type = dyn_cast<MemRefType>(store.getDest().getType());
    return type && isUnitInnerStride(type);
  });
}

namespace {
/// Fills one panel of B.
struct PanelPacker {
  OpBuilder &builder;
  Location loc;
  const Contraction &contraction;
  int64_t lanes;
  Value n, k, zero, one;
  /// Loop positions (batch..., m, n, k); m is unused, k set by the loops.
  SmallVector<Value> loops;
  /// Position of row k in the panel tensor, without the lane.
  SmallVector<Value> position;

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  SmallVector<Value> sourceAt(OpBuilder &b, Value column, Value row) {
    SmallVector<Value> at = loops;
    at[contraction.batch + 1] = column;
    at[contraction.batch + 2] = row;
    return mapIndices(b, loc, contraction.getMapB(), at);
  }

  /// Rows of `lanes` neighbouring elements.
  Value copyVectors(OpBuilder &b, Value panel, Value firstColumn) {
    auto loop = scf::ForOp::create(
        b, loc, zero, k, one, panel,
        [&](OpBuilder &nested, Location, Value row, ValueRange args) {
          Value values = readLanes(nested, loc, contraction.getB(),
                                   sourceAt(nested, firstColumn, row), lanes);
          SmallVector<Value> to = position;
          to.append({row, zero});
          Value written =
              vector::TransferWriteOp::create(nested, loc, values, args[0], to,
                                              ArrayRef<bool>{true})
                  .getResult();
          scf::YieldOp::create(nested, loc, written);
        });
    return loop.getResult(0);
  }

  /// Element by element: any stride, and columns past the last repeat it.
  Value copyScalars(OpBuilder &b, Value panel, Value firstColumn) {
    Value last = arith::SubIOp::create(b, loc, n, one);
    Value laneCount = arith::ConstantIndexOp::create(b, loc, lanes);
    auto copyLane = [&](OpBuilder &nested, Value row, Value lane, Value to) {
      Value column = arith::AddIOp::create(nested, loc, firstColumn, lane);
      column = arith::MinSIOp::create(nested, loc, column, last);
      Value element = tensor::ExtractOp::create(nested, loc, contraction.getB(),
                                                sourceAt(nested, column, row));
      SmallVector<Value> at = position;
      at.append({row, lane});
      return tensor::InsertOp::create(nested, loc, element, to, at).getResult();
    };
    auto rows = scf::ForOp::create(
        b, loc, zero, k, one, panel,
        [&](OpBuilder &outer, Location, Value row, ValueRange args) {
          auto columns = scf::ForOp::create(
              outer, loc, zero, laneCount, one, args[0],
              [&](OpBuilder &nested, Location, Value lane, ValueRange inner) {
                scf::YieldOp::create(nested, loc,
                                     copyLane(nested, row, lane, inner[0]));
              });
          scf::YieldOp::create(outer, loc, columns.getResults());
        });
    return rows.getResult(0);
  }

  Value copy(Value panel, Value firstColumn) {
    if (!isContiguous())
      return copyScalars(builder, panel, firstColumn);
    Value end = arith::AddIOp::create(builder, loc, firstColumn, index(lanes));
    Value full =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, end, n);
    auto either = scf::IfOp::create(
        builder, loc, full,
        [&](OpBuilder &nested, Location) {
          scf::YieldOp::create(nested, loc,
                               copyVectors(nested, panel, firstColumn));
        },
        [&](OpBuilder &nested, Location) {
          scf::YieldOp::create(nested, loc,
                               copyScalars(nested, panel, firstColumn));
        });
    return either.getResult(0);
  }

  bool isContiguous() {
    AffineMap map = contraction.getMapB();
    return map.getNumResults() > 0 &&
           map.getResult(map.getNumResults() - 1) ==
               builder.getAffineDimExpr(contraction.batch + 1) &&
           hasUnitInnerStride(contraction.getB());
  }
};
} // namespace

namespace {
/// The axes of B by their role.
struct PanelAxes {
  /// Extents and loops of the batch axes, in B's order.
  SmallVector<OpFoldResult> batchExtents;
  SmallVector<unsigned> batchLoops;
  OpFoldResult n, k;
};
} // namespace

static PanelAxes findPanelAxes(OpBuilder &builder, Location loc,
                               const Contraction &contraction) {
  PanelAxes axes;
  for (auto [axis, expr] :
       llvm::enumerate(contraction.getMapB().getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    OpFoldResult extent =
        tensor::getMixedSize(builder, loc, contraction.getB(), axis);
    if (dim && dim.getPosition() == contraction.batch + 1) {
      axes.n = extent;
    } else if (dim && dim.getPosition() == contraction.batch + 2) {
      axes.k = extent;
    } else if (dim) {
      axes.batchExtents.push_back(extent);
      axes.batchLoops.push_back(dim.getPosition());
    }
  }
  return axes;
}

Value opgraph::codegen::packPanels(OpBuilder &builder, Location loc,
                                   const Contraction &contraction,
                                   int64_t lanes) {
  OpBuilder::InsertionGuard guard(builder);
  linalg::GenericOp op = contraction.op;
  PanelAxes axes = findPanelAxes(builder, loc, contraction);
  OpFoldResult n = axes.n, k = axes.k;
  AffineExpr d0 = builder.getAffineDimExpr(0);
  AffineMap panelCount = AffineMap::get(1, 0, d0.ceilDiv(lanes));
  SmallVector<OpFoldResult> counts = axes.batchExtents;
  counts.push_back(
      affine::makeComposedFoldedAffineApply(builder, loc, panelCount, {n}));
  SmallVector<OpFoldResult> extents = counts;
  extents.append({k, builder.getIndexAttr(lanes)});
  Value panels =
      tensor::EmptyOp::create(builder, loc, extents, contraction.getType());
  Value nValue = getValueOrCreateConstantIndexOp(builder, loc, n);
  Value kValue = getValueOrCreateConstantIndexOp(builder, loc, k);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value laneCount = arith::ConstantIndexOp::create(builder, loc, lanes);

  auto forall = scf::ForallOp::create(
      builder, loc, counts, ValueRange{panels}, std::nullopt,
      [&](OpBuilder &nested, Location, ValueRange args) {
        ValueRange ivs = args.take_front(counts.size());
        SmallVector<OpFoldResult> offsets(ivs.begin(), ivs.end());
        offsets.append(2, nested.getIndexAttr(0));
        SmallVector<OpFoldResult> sizes(counts.size(), nested.getIndexAttr(1));
        sizes.append({k, nested.getIndexAttr(lanes)});
        SmallVector<OpFoldResult> steps(offsets.size(), nested.getIndexAttr(1));
        Value panel = tensor::ExtractSliceOp::create(nested, loc, args.back(),
                                                     offsets, sizes, steps);
        PanelPacker packer{nested, loc,  contraction, lanes, nValue,
                           kValue, zero, one,         {},    {}};
        packer.loops.assign(op.getNumLoops(), zero);
        for (auto [iv, loop] : llvm::zip(ivs, axes.batchLoops))
          packer.loops[loop] = iv;
        packer.position.assign(counts.size(), zero);
        Value column =
            arith::MulIOp::create(nested, loc, ivs.back(), laneCount);
        Value filled = packer.copy(panel, column);
        auto parallel = scf::InParallelOp::create(nested, loc);
        OpBuilder::InsertionGuard inner(nested);
        nested.setInsertionPointToStart(parallel.getBody());
        tensor::ParallelInsertSliceOp::create(nested, loc, filled, args.back(),
                                              offsets, sizes, steps);
      });
  return forall.getResult(0);
}
