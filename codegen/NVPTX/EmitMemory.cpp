//===- EmitMemory.cpp - Register tiles and global memory ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/MemoryAccess.h"
#include "codegen/NVPTX/ScalarOps.h"
#include "codegen/NVPTX/SharedLayout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

static LogicalResult emitView(KernelEmitter &emitter, tile::MakeViewOp op) {
  auto type = cast<tile::ViewType>(op.getView().getType());
  Value base = emitter.scalar(op.getBase());
  if (op.getOffset())
    base = emitter.offset(base,
                          emitter.mul(emitter.scalar(op.getOffset()),
                                      getElementBytes(type.getElementType())));
  SmallVector<Value> parts = {base};
  unsigned next = 0;
  for (int64_t extent : type.getShape())
    parts.push_back(ShapedType::isDynamic(extent)
                        ? emitter.scalar(op.getSizes()[next++])
                        : emitter.i32(extent));
  next = 0;
  for (int64_t stride : type.getStrides())
    parts.push_back(ShapedType::isDynamic(stride)
                        ? emitter.scalar(op.getStrides()[next++])
                        : emitter.i64(stride));
  emitter.set(op.getView(), parts);
  return success();
}

namespace {

/// Addresses and predicates of the vectors that a thread moves between a
/// register tile and a view.
class TileAccess {
public:
  TileAccess(KernelEmitter &emitter, tile::RegType tile, Value view,
             ValueRange offsets, ValueRange limits,
             std::optional<ArrayRef<int32_t>> axes, bool isStore);

  /// Widest vector that the layout allows, in elements.
  int64_t getWidth() const { return width; }
  /// Whether the limit may be within a vector.
  bool mayCut() const;
  /// Whether it is within the vector whose first register is `reg`.
  Value isCut(int64_t reg);
  int64_t countRegisters() const {
    return static_cast<int64_t>(thread.parts.size());
  }
  Value getAddress(int64_t reg);
  Value getPredicate(int64_t reg);

private:
  int64_t computeWidth() const;
  void computeBase();
  void computeRooms();
  int64_t extentOf(unsigned tileAxis) const {
    return tileAxis == 0 ? tile.getRows() : tile.getCols();
  }
  /// The tile's axis along a view's axis; none where the view's coordinate is
  /// the same for the whole tile.
  std::optional<unsigned> tileAxisOf(unsigned viewAxis) const {
    for (unsigned axis : {0u, 1u})
      if (viewAxes[axis] == static_cast<int64_t>(viewAxis))
        return axis;
    return std::nullopt;
  }

  KernelEmitter &emitter;
  ImplicitLocOpBuilder &b;
  tile::RegType tile;
  ViewParts view;
  ValueRange offsets, limits; ///< of the kernel, not lowered
  ThreadTile thread;
  /// The view's axis of the tile's rows and columns; -1: none.
  std::array<int64_t, 2> viewAxes;
  int64_t width = 1;
  Value base;
  /// How far the limit is from the thread's first element, by the tile's axis;
  /// null: every element is below it.
  std::array<Value, 2> rooms;
  Value always; ///< predicate of all registers
  llvm::DenseMap<std::pair<int32_t, int32_t>, Value> bases;
  std::array<llvm::DenseMap<int32_t, Value>, 2> predicates;
};

} // namespace

TileAccess::TileAccess(KernelEmitter &emitter, tile::RegType tile, Value view,
                       ValueRange offsets, ValueRange limits,
                       std::optional<ArrayRef<int32_t>> axes, bool isStore)
    : emitter(emitter), b(emitter.b), tile(tile),
      view(getViewParts(emitter, view)), offsets(offsets), limits(limits),
      thread(getThreadTile(emitter, tile,
                           isStore ? Holder::OneOfGroup : Holder::Any)) {
  auto rank = static_cast<int64_t>(offsets.size());
  viewAxes = {rank - 2, rank - 1};
  if (axes)
    viewAxes = {(*axes)[0], (*axes)[1]};
  always = thread.isHolder;
  width = computeWidth();
  computeBase();
  if (!limits.empty())
    computeRooms();
}

/// The largest power of two that divides `value` (0: any).
static int64_t powerOf(int64_t value) {
  return value == 0 ? int64_t(1) << 16
                    : int64_t(1) << std::min(
                          llvm::countr_zero(static_cast<uint64_t>(value)), 16);
}

int64_t TileAccess::computeWidth() const {
  int64_t size = getElementBytes(tile.getElementType());
  int64_t column = viewAxes[1];
  if (column < 0 || view.type.getStrides()[column] != 1)
    return 1;
  int64_t result =
      std::min(powerOf(thread.vectorWidth), std::max<int64_t>(16 / size, 1));
  result = std::min(result,
                    std::max<int64_t>(powerOf(view.type.getAlign()) / size, 1));
  result = std::min(result, getKnownDivisor(offsets[column]));
  for (auto [axis, stride] : llvm::enumerate(view.type.getStrides())) {
    if (static_cast<int64_t>(axis) == column)
      continue;
    auto tileAxis = tileAxisOf(axis);
    bool isFixed = !tileAxis || extentOf(*tileAxis) == 1;
    if (isFixed && matchPattern(offsets[axis], m_Zero()))
      continue;
    int64_t divisor = ShapedType::isDynamic(stride)
                          ? view.type.getStrideDivisors()[axis]
                          : stride;
    if (ShapedType::isDynamic(stride))
      divisor = std::max<int64_t>(divisor, 1);
    result = std::min(result, powerOf(divisor));
  }
  return result;
}

void TileAccess::computeBase() {
  SmallVector<Value> coordinates;
  for (auto [axis, offset] : llvm::enumerate(offsets)) {
    Value coordinate = emitter.scalar(offset);
    if (auto tileAxis = tileAxisOf(axis))
      coordinate = emitter.add(coordinate, thread.thread[*tileAxis]);
    coordinates.push_back(coordinate);
  }
  base = emitElementAddress(emitter, view, coordinates);
}

void TileAccess::computeRooms() {
  for (auto [axis, limit] : llvm::enumerate(limits)) {
    auto tileAxis = tileAxisOf(axis);
    int64_t extent = tileAxis ? extentOf(*tileAxis) : 1;
    APInt most, first;
    if (matchPattern(limit, m_ConstantInt(&most)) &&
        matchPattern(offsets[axis], m_ConstantInt(&first)) &&
        first.getSExtValue() + extent <= most.getSExtValue())
      continue;
    Value offset = emitter.scalar(offsets[axis]);
    Value bound = emitter.scalar(limit);
    if (tileAxis && extent > 1) {
      Value room = arith::SubIOp::create(b, bound, offset);
      rooms[*tileAxis] =
          arith::SubIOp::create(b, room, thread.thread[*tileAxis]);
      continue;
    }
    always = conjunction(
        emitter, always,
        arith::CmpIOp::create(b, arith::CmpIPredicate::slt, offset, bound));
  }
}

/// Vectors are whole where the limit is a multiple of them, or behind the tile.
bool TileAccess::mayCut() const {
  return rooms[1] && width > 1 &&
         getKnownDivisor(limits[viewAxes[1]]) % width != 0;
}

Value TileAccess::isCut(int64_t reg) {
  Value end =
      arith::XOrIOp::create(b, getPredicate(reg + width - 1),
                            arith::ConstantOp::create(b, b.getBoolAttr(true)));
  return arith::AndIOp::create(b, getPredicate(reg), end);
}

Value TileAccess::getAddress(int64_t reg) {
  std::array<int32_t, 2> part = thread.parts[reg];
  int64_t fixed = 0;
  std::pair<int32_t, int32_t> moving = {0, 0};
  for (unsigned axis : {0u, 1u}) {
    int64_t viewAxis = viewAxes[axis];
    if (viewAxis < 0 || part[axis] == 0)
      continue;
    int64_t stride = view.type.getStrides()[viewAxis];
    if (!ShapedType::isDynamic(stride))
      fixed += part[axis] * stride;
    else
      (axis == 0 ? moving.first : moving.second) = part[axis];
  }
  Value &address = bases[moving];
  if (!address) {
    int64_t bytes = getElementBytes(tile.getElementType());
    address = base;
    auto move = [&](int64_t by, int64_t viewAxis) {
      if (by)
        address = emitter.offset(
            address, emitter.mul(view.strides[viewAxis], by * bytes));
    };
    move(moving.first, viewAxes[0]);
    move(moving.second, viewAxes[1]);
  }
  return emitter.offset(address,
                        fixed * getElementBytes(tile.getElementType()));
}

Value TileAccess::getPredicate(int64_t reg) {
  Value predicate = always;
  for (unsigned axis : {0u, 1u}) {
    if (!rooms[axis])
      continue;
    int32_t part = thread.parts[reg][axis];
    Value &below = predicates[axis][part];
    if (!below)
      below = arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, rooms[axis],
                                    emitter.i32(part));
    predicate = conjunction(emitter, predicate, below);
  }
  return predicate;
}

/// Which vectors the limit is within, and whether it is within one.
static Value findCuts(KernelEmitter &emitter, TileAccess &access,
                      SmallVectorImpl<Value> &cuts) {
  Value any;
  int64_t width = access.getWidth();
  for (int64_t reg = 0; reg < access.countRegisters(); reg += width) {
    cuts.push_back(access.isCut(reg));
    any = any ? arith::OrIOp::create(emitter.b, any, cuts.back()).getResult()
              : cuts.back();
  }
  return any;
}

/// `registers`, with the elements of a vector that the limit cuts, which is one
/// thread's.
static SmallVector<Value> loadCut(KernelEmitter &emitter,
                                  const AccessMode &mode, TileAccess &access,
                                  ArrayRef<Value> registers) {
  ImplicitLocOpBuilder &b = emitter.b;
  int64_t width = access.getWidth();
  SmallVector<Value> cuts;
  Value any = findCuts(emitter, access, cuts);
  auto branch = scf::IfOp::create(b, ValueRange(registers).getTypes(), any,
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(branch.elseBlock());
  scf::YieldOp::create(b, registers);
  b.setInsertionPointToEnd(branch.thenBlock());
  SmallVector<Value> elements;
  for (auto [reg, value] : llvm::enumerate(registers)) {
    auto number = static_cast<int64_t>(reg);
    Value predicate =
        conjunction(emitter, cuts[number / width], access.getPredicate(number));
    llvm::append_range(elements,
                       emitVectorLoad(emitter, mode, access.getAddress(number),
                                      1, predicate, value));
  }
  scf::YieldOp::create(b, elements);
  return llvm::to_vector_of<Value>(branch.getResults());
}

static LogicalResult emitLoad(KernelEmitter &emitter, tile::LoadOp op) {
  auto type = cast<tile::RegType>(op.getTile().getType());
  auto view = cast<tile::ViewType>(op.getView().getType());
  AccessMode mode{type.getElementType(), op.getCache(), view.getReadonly()};
  TileAccess access(emitter, type, op.getView(), op.getOffsets(),
                    op.getLimits(), op.getAxes(), /*isStore=*/false);
  Value fill = getFillValue(emitter, op.getFill().value_or(tile::Fill::zero),
                            type.getElementType());
  int64_t width = access.getWidth();
  bool mayCut = access.mayCut();
  SmallVector<Value> registers;
  for (int64_t reg = 0; reg < access.countRegisters(); reg += width)
    llvm::append_range(
        registers,
        emitVectorLoad(emitter, mode, access.getAddress(reg), width,
                       access.getPredicate(mayCut ? reg + width - 1 : reg),
                       fill));
  if (mayCut)
    registers = loadCut(emitter, mode, access, registers);
  emitter.set(op.getTile(), registers);
  return success();
}

/// The elements of a vector that the limit cuts.
static void storeCut(KernelEmitter &emitter, const AccessMode &mode,
                     TileAccess &access, ArrayRef<Value> registers) {
  int64_t width = access.getWidth();
  SmallVector<Value> cuts;
  Value any = findCuts(emitter, access, cuts);
  emitter.guarded(any, [&] {
    for (auto [reg, value] : llvm::enumerate(registers)) {
      auto number = static_cast<int64_t>(reg);
      emitVectorStore(emitter, mode, access.getAddress(number), value,
                      conjunction(emitter, cuts[number / width],
                                  access.getPredicate(number)));
    }
  });
}

static LogicalResult emitStore(KernelEmitter &emitter, tile::StoreOp op) {
  auto type = cast<tile::RegType>(op.getTile().getType());
  AccessMode mode{type.getElementType(), op.getCache()};
  TileAccess access(emitter, type, op.getView(), op.getOffsets(),
                    op.getLimits(), op.getAxes(), /*isStore=*/true);
  SmallVector<Value> registers(emitter.get(op.getTile()));
  int64_t width = access.getWidth();
  bool mayCut = access.mayCut();
  for (int64_t reg = 0; reg < access.countRegisters(); reg += width)
    emitVectorStore(emitter, mode, access.getAddress(reg),
                    ArrayRef(registers).slice(reg, width),
                    access.getPredicate(mayCut ? reg + width - 1 : reg));
  if (mayCut)
    storeCut(emitter, mode, access, registers);
  return success();
}

void opgraph::codegen::addMemoryHandlers(Handlers &handlers) {
  handlers.add<tile::MakeViewOp, emitView>();
  handlers.add<tile::LoadOp, emitLoad>();
  handlers.add<tile::StoreOp, emitStore>();
}
