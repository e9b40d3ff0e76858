//===- TileOps.cpp - Ops of tile: generated definitions -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Tile/KernelText.h"

using namespace mlir;
using namespace opgraph::tile;

//===----------------------------------------------------------------------===//
// Inferred types
//===----------------------------------------------------------------------===//

/// Acquire and wait: the slot, then its fields.
static void inferSlot(Type type, SmallVectorImpl<Type> &types) {
  types.push_back(SlotType::get(type.getContext()));
  if (auto ring = dyn_cast<RingType>(type))
    llvm::append_range(types, ring.getFields());
}

LogicalResult AcquireOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location>,
                                          ValueRange operands, DictionaryAttr,
                                          OpaqueProperties, RegionRange,
                                          SmallVectorImpl<Type> &types) {
  inferSlot(operands[0].getType(), types);
  return success();
}

LogicalResult WaitOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                       ValueRange operands, DictionaryAttr,
                                       OpaqueProperties, RegionRange,
                                       SmallVectorImpl<Type> &types) {
  inferSlot(operands[0].getType(), types);
  return success();
}

LogicalResult MmaWaitOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location>,
                                          ValueRange operands, DictionaryAttr,
                                          OpaqueProperties, RegionRange,
                                          SmallVectorImpl<Type> &types) {
  for (Value retired : operands.drop_front()) {
    auto type = dyn_cast<PendingType>(retired.getType());
    if (!type)
      return failure();
    types.push_back(RegType::get(type.getContext(), type.getRows(),
                                 type.getCols(), type.getElementType(),
                                 type.getDistribution()));
  }
  return success();
}

#define GET_OP_CLASSES
#include "dialects/Tile/TileOps.cpp.inc"
