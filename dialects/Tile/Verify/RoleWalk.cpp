//===- RoleWalk.cpp - Loops and branches of a group's text ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Tile/Verify/RoleWalk.h"
#include "dialects/Tile/Verify/Verify.h"

using namespace mlir;
using namespace opgraph::tile;

std::optional<int> RoleWalk::find(Value value) const {
  auto it = state.names.find(value);
  return it == state.names.end() ? std::optional<int>() : it->second;
}

std::optional<int> RoleWalk::slotOf(Value tile) const {
  while (auto slice = tile.getDefiningOp<SliceOp>())
    tile = slice.getTile();
  return find(tile);
}

void RoleWalk::rename(ValueRange from, ValueRange to) {
  for (auto [source, target] : llvm::zip(from, to)) {
    if (std::optional<int> number = find(source))
      state.names[target] = *number;
    if (isa<RegType>(target.getType()))
      state.defined[target] = time;
  }
}

//===----------------------------------------------------------------------===//
// Where paths meet
//===----------------------------------------------------------------------===//

static std::string countText(const RoleState &state) {
  return std::to_string(state.held.size()) + " slot(s) held and " +
         std::to_string(state.open.size()) + " group(s) open";
}

LogicalResult RoleWalk::close(Operation *op, const RoleState &wanted,
                              ValueRange values, ValueRange names) {
  // What is called otherwise here than where the paths meet.
  std::map<int, int> called;
  for (auto [value, name] : llvm::zip(values, names)) {
    std::optional<int> number = find(value);
    auto it = wanted.names.find(name);
    if (number && it != wanted.names.end())
      called[*number] = it->second;
  }
  auto rename = [&](int number) {
    auto it = called.find(number);
    return it == called.end() ? number : it->second;
  };
  bool isHeldAlike = state.held.size() == wanted.held.size();
  for (const auto &[number, slot] : state.held) {
    auto it = wanted.held.find(rename(number));
    isHeldAlike &= it != wanted.held.end() && it->second == slot;
  }
  if (!isHeldAlike)
    return op->emitOpError("expected the same slots to be held on each path "
                           "and at both ends of a loop (P2), got ")
           << countText(wanted) << " and " << countText(state);
  bool isOpenAlike = state.open.size() == wanted.open.size() &&
                     !state.uncommitted && !wanted.uncommitted;
  for (size_t i = 0; isOpenAlike && i < state.open.size(); ++i)
    isOpenAlike = rename(state.open[i].number) == wanted.open[i].number;
  if (!isOpenAlike)
    return op->emitOpError("expected the same groups of MMAs to be open on "
                           "each path and at both ends of a loop (W4), got ")
           << countText(wanted) << " and " << countText(state);
  return success();
}

/// Accesses and operands that are known at `from` hold at `to` as well: both
/// have been found alike, group by group.
static void mergeInto(RoleState &to, const RoleState &from) {
  for (auto [mine, other] : llvm::zip(to.open, from.open))
    mine.operands.insert(other.operands.begin(), other.operands.end());
  bool isAccessed = false, isUnsynced = false;
  for (const auto &[number, slot] : from.held) {
    isAccessed |= slot.isAccessed;
    isUnsynced |= slot.isUnsynced;
  }
  for (auto &[number, slot] : to.held) {
    slot.isAccessed |= isAccessed;
    slot.isUnsynced |= isUnsynced;
  }
  if (!to.openStore)
    to.openStore = from.openStore;
  if (!to.uncommittedStore)
    to.uncommittedStore = from.uncommittedStore;
}

LogicalResult RoleWalk::visitFor(scf::ForOp loop) {
  Block &body = *loop.getBody();
  rename(loop.getInitArgs(), loop.getRegionIterArgs());
  RoleState entry = state;
  // A second time with what the first left in flight: W6 is about what the
  // next iteration does.
  for (unsigned pass = 0; pass < 2; ++pass) {
    state = entry;
    if (failed(walk(body)) ||
        failed(close(loop, entry, body.getTerminator()->getOperands(),
                     loop.getRegionIterArgs())))
      return failure();
    mergeInto(entry, state);
  }
  state = std::move(entry);
  rename(loop.getRegionIterArgs(), loop.getResults());
  return success();
}

LogicalResult RoleWalk::visitWhile(scf::WhileOp loop) {
  rename(loop.getInits(), loop.getBeforeArguments());
  RoleState entry = state, exit;
  for (unsigned pass = 0; pass < 2; ++pass) {
    state = entry;
    if (failed(walk(*loop.getBeforeBody())))
      return failure();
    rename(loop.getConditionOp().getArgs(), loop.getResults());
    exit = state;
    rename(loop.getConditionOp().getArgs(), loop.getAfterArguments());
    if (failed(walk(*loop.getAfterBody())) ||
        failed(close(loop, entry,
                     loop.getAfterBody()->getTerminator()->getOperands(),
                     loop.getBeforeArguments())))
      return failure();
    mergeInto(entry, state);
  }
  state = std::move(exit);
  return success();
}

LogicalResult RoleWalk::visitIf(scf::IfOp branch) {
  bool hasOpen = !state.open.empty() || state.uncommitted;
  if (hasOpen && isPerWarp(branch.getCondition()))
    return branch.emitOpError("expected no MMA in flight where warps part "
                              "(W7), got ")
           << countText(state);
  RoleState before = state;
  if (failed(walk(*branch.thenBlock())))
    return failure();
  rename(branch.thenYield().getOperands(), branch.getResults());
  RoleState then = std::move(state);
  state = std::move(before);
  ValueRange otherwise;
  if (branch.elseBlock()) {
    if (failed(walk(*branch.elseBlock())))
      return failure();
    otherwise = branch.elseYield().getOperands();
  }
  if (failed(close(branch, then, otherwise, branch.getResults())))
    return failure();
  mergeInto(then, state);
  state = std::move(then);
  return success();
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

LogicalResult RoleWalk::walk(Block &block) {
  for (Operation &op : block)
    if (failed(visit(op)))
      return failure();
  return success();
}

LogicalResult RoleWalk::checkEnd(Operation *end) {
  if (!state.held.empty()) {
    const HeldSlot &slot = state.held.begin()->second;
    return slot.taken->emitOpError("expected its slot to be ")
           << (slot.isWaited ? "released" : "filled")
           << " before the role ends (P2)";
  }
  if (!state.open.empty() || state.uncommitted)
    return end->emitOpError("expected every group of MMAs to be waited for "
                            "(W4), got ")
           << countText(state);
  if (state.uncommittedStore)
    return state.uncommittedStore->emitOpError(
        "expected a tile.bulk_commit behind it (A8)");
  if (state.openStore)
    return state.openStore->emitOpError("expected a tile.bulk_wait pending(0) "
                                        "behind it before the role ends (A8)");
  return success();
}

LogicalResult RoleWalk::run(Block &text) {
  if (failed(walk(text)))
    return failure();
  return checkEnd(text.getParentOp());
}

LogicalResult opgraph::tile::verifyTexts(KernelOp kernel) {
  Block &body = kernel.getBody().front();
  bool hasRoles = false;
  for (RoleOp role : body.getOps<RoleOp>()) {
    hasRoles = true;
    if (failed(RoleWalk().run(role.getBody().front())))
      return failure();
  }
  return hasRoles ? success() : RoleWalk().run(body);
}
