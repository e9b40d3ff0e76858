//===- Local.cpp - Checks that several ops share --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Tile/Verify/Local.h"

using namespace mlir;
using namespace opgraph::tile;

unsigned opgraph::tile::getStorageBits(Type elementType) {
  if (elementType.isInteger(1))
    return 8;
  if (isa<FloatTF32Type>(elementType))
    return 32;
  return elementType.getIntOrFloatBitWidth();
}

bool opgraph::tile::isFloat8(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(type);
}

std::array<int64_t, 2> opgraph::tile::getMatrix(SharedType type) {
  ArrayRef<int64_t> shape = type.getShape();
  return {shape.size() < 2 ? 1 : shape[shape.size() - 2], shape.back()};
}

int64_t opgraph::tile::getSpan(Swizzle swizzle) {
  return swizzle == Swizzle::none ? 0 : 16 << static_cast<uint32_t>(swizzle);
}

int64_t opgraph::tile::getGroupWarps(Operation *op) {
  if (auto role = op->getParentOfType<RoleOp>())
    return role.getWarpsEach();
  auto kernel = op->getParentOfType<KernelOp>();
  return kernel ? kernel.getWarps() : 0;
}

LogicalResult opgraph::tile::verifyWarps(Operation *op, RegType tile) {
  int64_t group = getGroupWarps(op);
  int64_t warps =
      cast<DistributionAttrInterface>(tile.getDistribution()).getNumWarps();
  if (group == 0 || warps == group)
    return success();
  return op->emitOpError("expected a tile over the ")
         << group << " warps of its group (G4), got one over " << warps;
}

StringRef opgraph::tile::getAxisName(unsigned axis) {
  return axis == 0 ? "rows" : "columns";
}
