//===- TileDialect.cpp - Registration of the tile dialect -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Tile/TileDialect.h"

using namespace mlir;
using namespace opgraph::tile;

#include "dialects/Tile/TileDialect.cpp.inc"

#include "dialects/Tile/TileOpInterfaces.cpp.inc"

namespace {
/// Names for what would be spelled on every line: distributions and the types
/// of register tiles.
struct AliasInterface : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attribute, raw_ostream &os) const override {
    if (isa<BlockedAttr>(attribute))
      os << "spread";
    else if (isa<FactorsAttr>(attribute))
      os << "factors";
    else
      return AliasResult::NoAlias;
    return AliasResult::FinalAlias;
  }

  AliasResult getAlias(Type type, raw_ostream &os) const override {
    auto tile = dyn_cast<RegType>(type);
    if (!tile)
      return AliasResult::NoAlias;
    os << "reg" << tile.getRows() << 'x' << tile.getCols() << 'x'
       << tile.getElementType();
    return AliasResult::FinalAlias;
  }
};
} // namespace

void TileDialect::initialize() {
  addInterfaces<AliasInterface>();
  registerAttributes();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "dialects/Tile/TileOps.cpp.inc"
      >();
}
