//===- MemoryOps.cpp - Views, shared tiles and accesses: rules ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Tile/MatrixFragment.h"
#include "dialects/Tile/Verify/Local.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace opgraph::tile;

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

LogicalResult MakeViewOp::verify() {
  ViewType view = getView().getType();
  PtrType base = getBase().getType();
  if (view.getElementType() != base.getElementType())
    return emitOpError("expected a view of ")
           << base.getElementType() << " (G3), got " << view.getElementType();
  int64_t sizes = llvm::count(view.getShape(), ShapedType::kDynamic);
  int64_t strides = llvm::count(view.getStrides(), ShapedType::kDynamic);
  if (sizes != static_cast<int64_t>(getSizes().size()) ||
      strides != static_cast<int64_t>(getStrides().size()))
    return emitOpError("expected an operand for each '?' of the view (")
           << sizes << " sizes, " << strides << " strides), got "
           << getSizes().size() << " and " << getStrides().size();
  if (view.getAlign() > base.getAlign())
    return emitOpError("expected an alignment of at most the pointer's ")
           << base.getAlign() << " bytes, got " << view.getAlign();
  if (view.getReadonly() && !base.getReadonly())
    return emitOpError("expected a read-only pointer for a read-only view");
  return success();
}

/// G1 to G4 of load, store and cp_async.
static LogicalResult verifyBox(Operation *op, ViewType view,
                               OperandRange offsets, OperandRange limits,
                               Type elementType,
                               std::optional<ArrayRef<int32_t>> axes) {
  int64_t rank = view.getRank();
  if (static_cast<int64_t>(offsets.size()) != rank)
    return op->emitOpError("expected one offset for each of ")
           << rank << " axes (G1), got " << offsets.size();
  if (!limits.empty() && static_cast<int64_t>(limits.size()) != rank)
    return op->emitOpError("expected one limit for each of ")
           << rank << " axes (G1), got " << limits.size();
  if (!axes && rank < 2)
    return op->emitOpError("expected 'axes' for a view of rank 1 (G1)");
  if (axes) {
    bool isRight = axes->size() == 2 && (*axes)[0] != (*axes)[1];
    for (int32_t axis : *axes)
      isRight &= axis >= -1 && axis < rank;
    if (!isRight)
      return op->emitOpError(
                 "expected two distinct axes of the view, or -1 for "
                 "none (G1), got [")
             << *axes << "]";
  }
  if (view.getElementType() != elementType)
    return op->emitOpError("expected elements of ")
           << view.getElementType() << " (G3), got " << elementType;
  return success();
}

LogicalResult LoadOp::verify() {
  RegType tile = getTile().getType();
  if (failed(verifyBox(*this, getView().getType(), getOffsets(), getLimits(),
                       tile.getElementType(), getAxes())))
    return failure();
  if (getFill().has_value() == getLimits().empty())
    return emitOpError("expected 'fill' if and only if there is 'below' (G2)");
  return verifyWarps(*this, tile);
}

LogicalResult StoreOp::verify() {
  RegType tile = getTile().getType();
  if (getView().getType().getReadonly())
    return emitOpError("expected a view that may be written");
  if (failed(verifyBox(*this, getView().getType(), getOffsets(), getLimits(),
                       tile.getElementType(), getAxes())))
    return failure();
  return verifyWarps(*this, tile);
}

/// The region of gather and scatter: (row, column) -> coordinates, inside?
static LogicalResult verifyCoordinates(Operation *op, Region &body,
                                       ViewType view, RegType tile,
                                       int32_t vector) {
  Block &block = body.front();
  if (view.getElementType() != tile.getElementType())
    return op->emitOpError("expected elements of ")
           << view.getElementType() << " (G3), got " << tile.getElementType();
  if (block.getNumArguments() != 2 ||
      !llvm::all_of(block.getArgumentTypes(),
                    [](Type type) { return type.isInteger(32); }))
    return op->emitOpError("expected a region of (row, column), two i32");
  auto yield = dyn_cast<YieldOp>(block.back());
  int64_t rank = view.getRank();
  bool isRight = yield &&
                 static_cast<int64_t>(yield.getValues().size()) == rank + 1 &&
                 yield.getValues().back().getType().isInteger(1);
  for (int64_t axis = 0; isRight && axis < rank; ++axis)
    isRight = yield.getValues()[axis].getType().isInteger(32);
  if (!isRight)
    return op->emitOpError("expected the region to yield ")
           << rank << " i32 coordinates and an i1";
  std::array<int64_t, 2> shape = {tile.getRows(), tile.getCols()};
  if (vector < 1 || shape[1] % vector != 0)
    return op->emitOpError("expected a vector that divides ")
           << shape[1] << " columns, got " << vector;
  return verifyWarps(op, tile);
}

LogicalResult GatherOp::verifyRegions() {
  return verifyCoordinates(*this, getBody(), getView().getType(),
                           getTile().getType(), getVector());
}

LogicalResult ScatterOp::verifyRegions() {
  if (getView().getType().getReadonly())
    return emitOpError("expected a view that may be written");
  if (std::optional<Combine> combine = getCombine()) {
    using C = Combine;
    if (!llvm::is_contained(
            {C::add, C::min, C::max, C::bit_and, C::bit_or, C::bit_xor},
            *combine))
      return emitOpError("expected an atomic add, min, max, bit_and, bit_or or "
                         "bit_xor, got ")
             << stringifyCombine(*combine);
    Type element = getTile().getType().getElementType();
    bool isBits = !llvm::is_contained({C::add, C::min, C::max}, *combine);
    if (getStorageBits(element) < 16 || isa<FloatTF32Type>(element) ||
        (isBits && !isa<IntegerType>(element)))
      return emitOpError("expected ")
             << (isBits ? "integers" : "elements")
             << " of at least 16 bits for an atomic "
             << stringifyCombine(*combine) << ", got " << element;
    if (getVector() != 1)
      return emitOpError("expected vector 1 with 'combine', got ")
             << getVector();
  }
  return verifyCoordinates(*this, getBody(), getView().getType(),
                           getTile().getType(), getVector());
}

/// load_scalar and store_scalar.
static LogicalResult verifyScalar(Operation *op, Value memory,
                                  OperandRange indices, Type value) {
  auto view = dyn_cast<ViewType>(memory.getType());
  int64_t rank = view ? view.getRank()
                      : cast<SharedType>(memory.getType()).getShape().size();
  Type element = view ? view.getElementType()
                      : cast<SharedType>(memory.getType()).getElementType();
  if (static_cast<int64_t>(indices.size()) != rank)
    return op->emitOpError("expected one index for each of ")
           << rank << " axes (G1), got " << indices.size();
  if (element != value)
    return op->emitOpError("expected a scalar of ")
           << element << " (G3), got " << value;
  return success();
}

LogicalResult LoadScalarOp::verify() {
  return verifyScalar(*this, getMemory(), getIndices(), getValue().getType());
}

LogicalResult StoreScalarOp::verify() {
  if (auto view = dyn_cast<ViewType>(getMemory().getType());
      view && view.getReadonly())
    return emitOpError("expected a view that may be written");
  return verifyScalar(*this, getMemory(), getIndices(), getValue().getType());
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

LogicalResult AllocSharedOp::verify() {
  SharedType tile = getTile().getType();
  if (tile.getPeer())
    return emitOpError("expected a tile of this CTA, got one of a peer");
  if (!isa<KernelOp>((*this)->getParentOp()))
    return emitOpError("expected to stand in the kernel's prologue (K1)");
  return success();
}

/// G5 of constant offsets; the interpreter sees the others.
static LogicalResult verifyAtoms(SliceOp op, SharedType whole) {
  size_t rank = op.getOffsets().size();
  int64_t span =
      getSpan(whole.getSwizzle()) * 8 / getStorageBits(whole.getElementType());
  int64_t units[] = {8, span};
  for (unsigned axis : {0u, 1u}) {
    APInt offset;
    if (!matchPattern(op.getOffsets()[rank - 2 + axis],
                      m_ConstantInt(&offset)) ||
        offset.getSExtValue() % units[axis] == 0)
      continue;
    return op.emitOpError("expected an offset of a multiple of ")
           << units[axis] << ' ' << getAxisName(axis) << " (G5), got "
           << offset.getSExtValue();
  }
  return success();
}

LogicalResult SliceOp::verify() {
  SharedType whole = getTile().getType(), part = getPart().getType();
  ArrayRef<int64_t> from = whole.getShape(), to = part.getShape();
  if (getOffsets().size() != from.size())
    return emitOpError("expected one offset for each of ")
           << from.size() << " axes, got " << getOffsets().size();
  if (to.size() > from.size())
    return emitOpError("expected a part of at most rank ")
           << from.size() << ", got " << to.size();
  size_t dropped = from.size() - to.size();
  for (size_t axis = 0; axis < to.size(); ++axis)
    if (to[axis] > from[axis + dropped])
      return emitOpError("expected a part of at most ")
             << from[axis + dropped] << " along axis " << axis << ", got "
             << to[axis];
  if (whole.getElementType() != part.getElementType() ||
      whole.getSwizzle() != part.getSwizzle() ||
      whole.getPeer() != part.getPeer() || whole.getPad() != part.getPad())
    return emitOpError(
        "expected the part to keep element type, swizzle, pad and "
        "peer");
  if (whole.getSwizzle() == Swizzle::none)
    return success();
  int64_t rows = getMatrix(whole)[0], partRows = getMatrix(part)[0];
  int64_t plane = whole.getPlaneRows() ? whole.getPlaneRows() : rows;
  int64_t want = partRows == plane ? 0 : plane;
  if (part.getPlaneRows() != want && part.getPlaneRows() != plane)
    return emitOpError("expected plane_rows ")
           << plane << " (G5), got " << part.getPlaneRows();
  return verifyAtoms(*this, whole);
}

LogicalResult FetchAddOp::verify() {
  Type type = getValue().getType();
  if (!type.isInteger(32) && !type.isInteger(64))
    return emitOpError("expected to add i32 or i64 (G8), got ") << type;
  if (getPointer().getType().getElementType() != type ||
      getOld().getType() != type)
    return emitOpError("expected a pointer to ")
           << type << " and a result of it (G3), got " << getPointer().getType()
           << " and " << getOld().getType();
  return success();
}

/// G4, G6, G7 of load_shared and store_shared.
static LogicalResult verifyShared(Operation *op, SharedType shared,
                                  RegType tile, SharedPath via,
                                  bool isTransposed) {
  std::array<int64_t, 2> want = getMatrix(shared);
  if (isTransposed)
    std::swap(want[0], want[1]);
  if (shared.getShape().size() > 2 &&
      llvm::any_of(shared.getShape().drop_back(2),
                   [](int64_t extent) { return extent != 1; }))
    return op->emitOpError("expected a shared tile of rank 1 or 2 (G7), got ")
           << shared;
  if (tile.getRows() != want[0] || tile.getCols() != want[1])
    return op->emitOpError("expected a tile of ")
           << want[0] << 'x' << want[1] << " (G7), got " << tile.getRows()
           << 'x' << tile.getCols();
  if (shared.getElementType() != tile.getElementType())
    return op->emitOpError("expected elements of ")
           << shared.getElementType() << " (G3), got " << tile.getElementType();
  if (failed(verifyMatrixPath(op, tile, via, isTransposed)))
    return failure();
  return verifyWarps(op, tile);
}

LogicalResult LoadSharedOp::verify() {
  return verifyShared(*this, getShared().getType(), getTile().getType(),
                      getVia(), getTransposed());
}

LogicalResult StoreSharedOp::verify() {
  return verifyShared(*this, getShared().getType(), getTile().getType(),
                      getVia(), getTransposed());
}
