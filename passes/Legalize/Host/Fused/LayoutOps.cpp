//===- LayoutOps.cpp - Reshape, transpose, slice, concatenate -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Layout.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "passes/Legalize/Host/Fused/Emitter.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::fused;

static Value yieldFirst(OpBuilder &, Location, ValueRange args) {
  return args[0];
}

/// result[i] = tensor[j] with j[permutation[a]] = i[a].
static Value emitPermuted(Emitter &e, Value tensor,
                          ArrayRef<int64_t> permutation,
                          ArrayRef<OpFoldResult> extents) {
  SmallVector<unsigned> inverse(permutation.size());
  for (auto [axis, source] : llvm::enumerate(permutation))
    inverse[source] = axis;
  // getPermutationMap reads the largest entry, which a scalar lacks.
  AffineMap map = inverse.empty()
                      ? AffineMap::get(e.b.getContext())
                      : AffineMap::getPermutationMap(inverse, e.b.getContext());
  Type elementType = cast<RankedTensorType>(tensor.getType()).getElementType();
  return e.elementwise({{tensor, map}}, e.empty(extents, elementType),
                       yieldFirst);
}

void fused::emit(Emitter &e, graph::TransposeOp op) {
  e.define(op.getY(),
           emitPermuted(e, e.lookup(op.getInput()), op.getPermutation(),
                        e.getExtents(op.getY())));
}

void fused::emit(Emitter &e, graph::SliceOp op) {
  Extents sizes = e.getExtents(op.getY());
  Extents offsets, steps;
  for (auto [start, step] : llvm::zip(op.getStart(), op.getStep())) {
    offsets.push_back(e.b.getIndexAttr(start));
    steps.push_back(e.b.getIndexAttr(step));
  }
  e.define(op.getY(),
           tensor::ExtractSliceOp::create(e.b, e.loc, e.lookup(op.getInput()),
                                          offsets, sizes, steps));
}

void fused::emit(Emitter &e, graph::ConcatenateOp op) {
  int64_t axis = op.getAxis();
  Extents extents = e.getExtents(op.getY());
  Value result = e.lookup(op.getInputs().front());
  if (op.getInputs().size() > 1)
    result = e.empty(extents,
                     cast<RankedTensorType>(result.getType()).getElementType());
  else
    return e.define(op.getY(), result);
  int64_t position = 0;
  for (Value input : op.getInputs()) {
    if (Emitter::getType(input).getDimSize(axis) == 0)
      continue;
    Extents offsets(extents.size(), e.b.getIndexAttr(0));
    Extents steps(extents.size(), e.b.getIndexAttr(1));
    offsets[axis] = e.b.getIndexAttr(position);
    result = tensor::InsertSliceOp::create(e.b, e.loc, e.lookup(input), result,
                                           offsets, e.getExtents(input), steps);
    position += Emitter::getType(input).getDimSize(axis);
  }
  e.define(op.getY(), result);
}

/// Row-major reshape of static shapes, by views.
static Value emitStaticReshape(Emitter &e, Value tensor,
                               ArrayRef<int64_t> shape) {
  auto from = cast<RankedTensorType>(tensor.getType());
  auto to = RankedTensorType::get(shape, from.getElementType());
  if (from == to)
    return tensor;
  if (std::optional<SmallVector<ReassociationIndices>> groups =
          getReassociationIndicesForReshape(from, to)) {
    if (from.getRank() > to.getRank())
      return tensor::CollapseShapeOp::create(e.b, e.loc, to, tensor, *groups);
    return tensor::ExpandShapeOp::create(e.b, e.loc, to, tensor, *groups);
  }
  auto flat =
      RankedTensorType::get({from.getNumElements()}, from.getElementType());
  auto allAxes = [](int64_t rank) {
    return SmallVector<ReassociationIndices>{
        llvm::to_vector<2>(llvm::seq<int64_t>(0, rank))};
  };
  if (from.getRank() > 1)
    tensor = tensor::CollapseShapeOp::create(e.b, e.loc, flat, tensor,
                                             allAxes(from.getRank()));
  if (to.getRank() > 1)
    tensor = tensor::ExpandShapeOp::create(e.b, e.loc, to, tensor,
                                           allAxes(to.getRank()));
  return tensor;
}

/// Row-major reshape of any extents: each element finds its source.
static Value emitGatherReshape(Emitter &e, Value tensor,
                               ArrayRef<OpFoldResult> from,
                               ArrayRef<OpFoldResult> to) {
  SmallVector<Value> sourceExtents, resultExtents;
  for (OpFoldResult extent : from)
    sourceExtents.push_back(e.index(extent));
  for (OpFoldResult extent : to)
    resultExtents.push_back(e.index(extent));
  Type elementType = cast<RankedTensorType>(tensor.getType()).getElementType();
  return e.elementwise(
      {}, e.empty(to, elementType),
      [&](OpBuilder &b, Location loc, ValueRange) -> Value {
        Value linear = arith::ConstantIndexOp::create(b, loc, 0);
        for (auto [axis, extent] : llvm::enumerate(resultExtents)) {
          linear = arith::MulIOp::create(b, loc, linear, extent);
          linear = arith::AddIOp::create(b, loc, linear,
                                         linalg::IndexOp::create(b, loc, axis));
        }
        SmallVector<Value> at(sourceExtents.size());
        for (int64_t axis = at.size() - 1; axis >= 0; --axis) {
          at[axis] =
              arith::RemUIOp::create(b, loc, linear, sourceExtents[axis]);
          linear = arith::DivUIOp::create(b, loc, linear, sourceExtents[axis]);
        }
        return tensor::ExtractOp::create(b, loc, tensor, at);
      });
}

/// The axes of a reshape's operand in the order that it counts elements in.
static graph::Dims getCountingOrder(graph::ReshapeOp op,
                                    RankedTensorType type) {
  if (op.getReshapeMode() == graph::ReshapeMode::LOGICAL)
    return graph::rowMajorOrder(type.getRank());
  return graph::getMemoryOrder(type);
}

static Extents permute(ArrayRef<OpFoldResult> extents,
                       ArrayRef<int64_t> permutation) {
  Extents result;
  for (int64_t axis : permutation)
    result.push_back(extents[axis]);
  return result;
}

static bool isIdentity(ArrayRef<int64_t> permutation) {
  return llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size()));
}

void fused::emit(Emitter &e, graph::ReshapeOp op) {
  RankedTensorType from = Emitter::getType(op.getInput());
  RankedTensorType to = Emitter::getType(op.getY());
  graph::Dims fromOrder = getCountingOrder(op, from);
  graph::Dims toOrder = getCountingOrder(op, to);

  // Bring both to row-major: source permuted, reshape, result permuted back.
  Value tensor = e.lookup(op.getInput());
  Extents source = permute(e.getExtents(op.getInput()), fromOrder);
  Extents target = permute(e.getExtents(op.getY()), toOrder);
  if (!isIdentity(fromOrder))
    tensor = emitPermuted(e, tensor, fromOrder, source);
  if (from.hasStaticShape() && to.hasStaticShape()) {
    SmallVector<int64_t> shape;
    for (int64_t axis : toOrder)
      shape.push_back(to.getDimSize(axis));
    tensor = emitStaticReshape(e, tensor, shape);
  } else {
    tensor = emitGatherReshape(e, tensor, source, target);
  }
  if (!isIdentity(toOrder)) {
    graph::Dims back(toOrder.size());
    for (auto [position, axis] : llvm::enumerate(toOrder))
      back[axis] = position;
    tensor = emitPermuted(e, tensor, back, e.getExtents(op.getY()));
  }
  e.define(op.getY(), tensor);
}
