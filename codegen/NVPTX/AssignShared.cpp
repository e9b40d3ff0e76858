//===- AssignShared.cpp - Offsets of shared tiles and rings ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/LowerTile.h"
#include "codegen/NVPTX/Passes.h"
#include "codegen/NVPTX/SharedLayout.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace opgraph::codegen {
#define GEN_PASS_DEF_TILEASSIGNSHARED
#include "codegen/NVPTX/Passes.h.inc"
} // namespace opgraph::codegen

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

namespace {

/// Bytes that are placed as one: a ring, a tile, or the tiles that overlays
/// tie together, each at its offset within.
struct Unit {
  SmallVector<std::pair<Operation *, int64_t>> members;
  int64_t bytes = 0;
  int64_t alignment = 1;
  std::optional<int64_t> fixed; ///< offset of the first member, if it is set

  void append(Operation *op, int64_t size, int64_t boundary) {
    bytes = llvm::alignTo(bytes, boundary);
    members.emplace_back(op, bytes);
    bytes += size;
    alignment = std::max(alignment, boundary);
  }
};

class Assignment {
public:
  explicit Assignment(tile::KernelOp kernel) : kernel(kernel) {}
  LogicalResult run();

private:
  LogicalResult addTile(tile::AllocSharedOp op);
  void addUnit(Operation *op, int64_t bytes, int64_t alignment);
  void reserveBroadcastWord();

  tile::KernelOp kernel;
  SmallVector<Unit> units;
  llvm::DenseMap<Operation *, unsigned> unitOf;
};

} // namespace

static IntegerAttr getOffset(Operation *op) {
  return op->getAttrOfType<IntegerAttr>("offset");
}

void Assignment::addUnit(Operation *op, int64_t bytes, int64_t alignment) {
  unitOf[op] = units.size();
  Unit &unit = units.emplace_back();
  unit.append(op, bytes, alignment);
  if (IntegerAttr offset = getOffset(op))
    unit.fixed = offset.getInt();
}

/// An overlay joins the units below it, in order, and starts where the first
/// does.
LogicalResult Assignment::addTile(tile::AllocSharedOp op) {
  auto type = cast<tile::SharedType>(op.getTile().getType());
  int64_t bytes = getSharedBytes(type), alignment = getSharedAlignment(type);
  if (op.getOverlay().empty()) {
    addUnit(op, bytes, alignment);
    return success();
  }
  auto first = op.getOverlay().front().getDefiningOp<tile::AllocSharedOp>();
  if (!first)
    return op.emitOpError("overlays a value that no 'tile.shared' made");
  unsigned target = unitOf.lookup(first);
  for (Value overlaid : op.getOverlay().drop_front()) {
    Operation *below = overlaid.getDefiningOp<tile::AllocSharedOp>();
    if (!below)
      return op.emitOpError("overlays a value that no 'tile.shared' made");
    unsigned other = unitOf.lookup(below);
    if (other == target)
      continue;
    for (auto [member, offset] : units[other].members)
      unitOf[member] = target;
    Unit &into = units[target], moved = std::exchange(units[other], {});
    int64_t base = llvm::alignTo(into.bytes, moved.alignment);
    for (auto [member, offset] : moved.members)
      into.members.emplace_back(member, base + offset);
    into.bytes = base + moved.bytes;
    into.alignment = std::max(into.alignment, moved.alignment);
  }
  Unit &unit = units[target];
  int64_t start = llvm::find_if(unit.members, [&](const auto &member) {
                    return member.first == first.getOperation();
                  })->second;
  if (start % alignment)
    return op.emitOpError("needs a boundary of ")
           << alignment << " bytes, but the first tile that it overlays stands "
           << start << " bytes into another overlay";
  unit.members.emplace_back(op, start);
  unit.bytes = std::max(unit.bytes, start + bytes);
  unit.alignment = std::max(unit.alignment, alignment);
  unitOf[op] = target;
  return success();
}

/// A group of several warps learns what its elected thread read through a word
/// of shared memory.
void Assignment::reserveBroadcastWord() {
  bool isNeeded = false;
  kernel.walk([&](Operation *op) {
    if (!isa<tile::FetchAddOp, tile::DrawOp>(op))
      return;
    auto role = op->getParentOfType<tile::RoleOp>();
    int64_t warps =
        role ? (role.getSingle() ? 1 : role.getWarpsEach()) : kernel.getWarps();
    isNeeded |= warps > 1;
  });
  if (!isNeeded)
    return;
  // One word for each warp that may be the first of a group.
  addUnit(kernel, 8 * int64_t(kernel.getWarps()), 8);
}

LogicalResult Assignment::run() {
  for (Operation &op : kernel.getBody().front()) {
    if (auto tile = dyn_cast<tile::AllocSharedOp>(op)) {
      if (failed(addTile(tile)))
        return failure();
    } else if (auto ring = dyn_cast<tile::MakeRingOp>(op)) {
      RingLayout layout =
          getRingLayout(cast<tile::RingType>(ring.getRing().getType()));
      addUnit(ring, layout.bytes, layout.alignment);
    } else if (isa<tile::MakeSemaphoreOp>(op)) {
      addUnit(&op, 8, 8);
    }
  }
  reserveBroadcastWord();
  llvm::stable_sort(units, [](const Unit &lhs, const Unit &rhs) {
    return lhs.alignment > rhs.alignment;
  });

  int64_t end = 0;
  for (const Unit &unit : units)
    if (unit.fixed)
      end = std::max(end, *unit.fixed + unit.bytes);
  Builder b(kernel.getContext());
  for (const Unit &unit : units) {
    if (unit.members.empty())
      continue;
    int64_t base =
        unit.fixed ? *unit.fixed : llvm::alignTo(end, unit.alignment);
    if (!unit.fixed)
      end = base + unit.bytes;
    for (auto [op, offset] : unit.members)
      op->setAttr(op == kernel.getOperation() ? "tile.broadcast_offset"
                                              : "offset",
                  b.getI32IntegerAttr(static_cast<int32_t>(base + offset)));
  }
  if (end == 0)
    return success();
  int64_t slack = getSharedAlignment(kernel) - 16;
  kernel.setSharedBytes(static_cast<uint32_t>(end + slack));
  return success();
}

LogicalResult opgraph::codegen::assignShared(tile::KernelOp kernel) {
  return Assignment(kernel).run();
}

namespace {
struct TileAssignShared
    : opgraph::codegen::impl::TileAssignSharedBase<TileAssignShared> {
  void runOnOperation() override {
    WalkResult result = getOperation().walk([](tile::KernelOp kernel) {
      return failed(assignShared(kernel)) ? WalkResult::interrupt()
                                          : WalkResult::skip();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
