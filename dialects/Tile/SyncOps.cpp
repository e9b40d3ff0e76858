//===- SyncOps.cpp - Rings and arrivals: rules ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Tile/KernelText.h"
#include "dialects/Tile/Verify/Local.h"

using namespace mlir;
using namespace opgraph::tile;

ParseResult opgraph::tile::parseSyncScope(OpAsmParser &parser,
                                          ScopeAttr &scope) {
  // By name: any other keyword is the next op's.
  bool isWarp = succeeded(parser.parseOptionalKeyword("warp"));
  Scope value = isWarp ? Scope::warp : Scope::group;
  scope = ScopeAttr::get(parser.getContext(), value);
  return success();
}

void opgraph::tile::printSyncScope(OpAsmPrinter &printer, Operation *op,
                                   ScopeAttr scope) {
  if (scope.getValue() != Scope::group)
    printer << ' ' << stringifyScope(scope.getValue());
}

LogicalResult MakeRingOp::verify() {
  if (getFrees() < 1 || getFills() < 1)
    return emitOpError("expected at least one arrival that fills and frees a "
                       "slot (P1), got ")
           << getFills() << " and " << getFrees();
  if (getScope() != Scope::cta && getScope() != Scope::cluster)
    return emitOpError("expected scope cta or cluster, got ")
           << stringifyScope(getScope());
  return success();
}

/// Bytes that copies `on` this slot in the slot's block deliver; nullopt where
/// one is not static.
static std::optional<int64_t> countBytes(FillOp fill) {
  int64_t bytes = 0;
  for (Operation *user : fill.getSlot().getUsers()) {
    if (user->getBlock() != fill->getBlock())
      continue;
    if (isa<BulkLoadOp>(user))
      return std::nullopt;
    if (auto load = dyn_cast<TensorLoadOp>(user)) {
      if (load.getMulticast())
        return std::nullopt;
      SharedType tile = load.getTo().getType();
      int64_t size = getStorageBits(tile.getElementType());
      for (int64_t extent : tile.getShape())
        size *= extent;
      bytes += size / 8;
    }
  }
  return bytes;
}

LogicalResult FillOp::verify() {
  if (getBytes() && getDynamicBytes())
    return emitOpError("expected bytes as a number or as a value, got both");
  if (getOrder() != Order::release && getOrder() != Order::relaxed)
    return emitOpError("expected order release or relaxed, got ")
           << stringifyOrder(getOrder());
  if (!getBytes() || !isa<SlotType>(getSlot().getType()))
    return success();
  std::optional<int64_t> delivered = countBytes(*this);
  if (delivered && *delivered != 0 &&
      *delivered != static_cast<int64_t>(*getBytes()))
    return emitOpError("expected the ")
           << *delivered << " bytes that copies on this slot deliver (P3), got "
           << *getBytes();
  return success();
}

LogicalResult ReleaseOp::verify() {
  if (getOrder() != Order::release && getOrder() != Order::relaxed)
    return emitOpError("expected order release or relaxed, got ")
           << stringifyOrder(getOrder());
  if (static_cast<bool>(getPin()) != static_cast<bool>(getZero()))
    return emitOpError("expected 'pin' with a value and a zero");
  return success();
}
