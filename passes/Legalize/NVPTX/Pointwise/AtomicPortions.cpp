//===- AtomicPortions.cpp - Portions combined where the result lies -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel writes what leaves numbers as they are into the results, and the
// blocks of the next one combine their portions with it by atomics: nothing
// passes through workspace.
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Legalize/Host/Scalar/Reduction.h"
#include "passes/Legalize/NVPTX/Pointwise/PointwiseLegalizer.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::nvptx;
using graph::ReductionMode;

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

void PointwiseLegalizer::writeNeutral(unsigned number) {
  const KernelSpec &spec = partition.kernels[number];
  OpBuilder builder = OpBuilder::atBlockBegin(&graph.getBody().front());
  KernelSpec fill;
  KernelBuffers buffers;
  for (unsigned store : spec.stores) {
    Value result = layouts.getStores()[store].value;
    auto op = result.getDefiningOp<graph::ReductionOp>();
    fill.shape = getAlignedShape(result, partition.rank);
    fill.reduced.assign(fill.shape.size(), false);
    TypedAttr neutral = getNeutral(op.getMode(), getReductionType(op));
    SmallVector<int64_t> dims(graph::typeOf(result).getRank(), 1);
    Value constant = graph::ConstantOp::create(
        builder, graph.getLoc(), RankedTensorType::get(dims, neutral.getType()),
        neutral);
    Buffer buffer = makeResultBuffer(layouts.getStores()[store], fill.shape);
    buffer.isWritten = true;
    buffers.outputs.push_back({constant, buffers.list.size()});
    buffers.list.push_back(buffer);
  }
  launch(fill, buffers, makeSpace(fill, buffers.list, vectorsPerThread),
         partition.rank);
}

void PointwiseLegalizer::writeAtomicKernel(unsigned number) {
  writeNeutral(number);
  KernelSpec spec = partition.kernels[number];
  KernelBuffers buffers;
  addInputs(buffers, getInputs(number).getArrayRef(), spec.shape);
  for (unsigned store : spec.stores) {
    Value result = layouts.getStores()[store].value;
    Buffer buffer = makeResultBuffer(layouts.getStores()[store], spec.shape);
    buffer.isWritten = true;
    // Floats that are not negative compare as integers.
    if (cast<graph::ReductionOp>(result.getDefiningOp()).getMode() ==
            ReductionMode::AMAX &&
        buffer.elementType.isF32())
      buffer.elementType = IntegerType::get(graph.getContext(), 32);
    buffers.atomics[result.getDefiningOp()] = buffers.list.size();
    buffers.list.push_back(buffer);
  }
  spec.stores.clear();
  spec.mostPortions = countPortions(spec);
  launch(spec, buffers, makeSpace(spec, buffers.list, vectorsPerThread),
         partition.rank);
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

static tile::Combine getAtomic(ReductionMode mode) {
  switch (mode) {
  case ReductionMode::MIN:
    return tile::Combine::min;
  case ReductionMode::MAX:
  case ReductionMode::AMAX:
    return tile::Combine::max;
  default:
    return tile::Combine::add;
  }
}

void RowKernel::combineInMemory(graph::ReductionOp op, Value tile) {
  const Access &access = accesses[buffers.atomics.lookup(op)];
  auto view = cast<tile::ViewType>(access.view.getType());
  auto type = cast<tile::RegType>(tile.getType());
  if (type.getElementType() != view.getElementType())
    tile =
        map(tile,
            tile::RegType::get(b.getContext(), type.getRows(), type.getCols(),
                               view.getElementType(), type.getDistribution()),
            [&](OpBuilder &builder, ValueRange args) -> Value {
              return arith::BitcastOp::create(builder, b.getLoc(),
                                              view.getElementType(), args[0]);
            });
  BoxPlace place = getPlace(view);
  auto scatter = tile::ScatterOp::create(
      b, tile, access.view,
      tile::CombineAttr::get(b.getContext(), getAtomic(op.getMode())),
      /*vector=*/1);
  OpBuilder::InsertionGuard guard(b);
  Block &block = scatter.getBody().emplaceBlock();
  block.addArguments({b.getI32Type(), b.getI32Type()},
                     {b.getLoc(), b.getLoc()});
  b.setInsertionPointToStart(&block);
  SmallVector<Value> at;
  Value isInside;
  for (unsigned axis : {0u, 1u}) {
    at.push_back(
        arith::AddIOp::create(b, block.getArgument(axis), place.offsets[axis]));
    Value isBelow = arith::CmpIOp::create(b, arith::CmpIPredicate::slt,
                                          at[axis], place.limits[axis]);
    isInside =
        isInside ? Value(arith::AndIOp::create(b, isInside, isBelow)) : isBelow;
  }
  at.push_back(isInside);
  tile::YieldOp::create(b, at);
}
