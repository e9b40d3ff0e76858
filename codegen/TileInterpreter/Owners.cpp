//===- Owners.cpp - Which thread holds which element ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/Owners.h"

using namespace mlir;
using namespace opgraph::tile;
using namespace opgraph::tile::interp;

FailureOr<SmallVector<Factor>> opgraph::tile::interp::factorsOf(RegType type,
                                                                unsigned axis) {
  auto distribution =
      dyn_cast<DistributionAttrInterface>(type.getDistribution());
  if (!distribution)
    return failure();
  int64_t shape[] = {type.getRows(), type.getCols()};
  // The type has been verified, so this cannot be what is reported.
  auto emit = [&]() { return InFlightDiagnostic(); };
  return distribution.getFactors(axis, shape, emit);
}

/// The owner of each of `extent` indices along an axis.
static SmallVector<OwnerPart> multiplyOut(ArrayRef<Factor> factors,
                                          int64_t extent) {
  SmallVector<OwnerPart> parts(extent);
  for (int64_t index = 0; index < extent; ++index) {
    int64_t rest = index;
    for (const Factor &factor : llvm::reverse(factors)) {
      int32_t digit = int32_t(rest % factor.extent) * factor.stride;
      rest /= factor.extent;
      OwnerPart &part = parts[index];
      switch (factor.owner) {
      case Owner::Register:
        part.reg += digit;
        break;
      case Owner::Lane:
        part.lane += digit;
        break;
      case Owner::Warp:
        part.warp += digit;
        break;
      }
    }
  }
  return parts;
}

/// Whether some factor tells `index` of `owner` from 0.
static bool isTold(ArrayRef<Factor> factors, Owner owner, int32_t index) {
  return llvm::any_of(factors, [&](const Factor &factor) {
    return factor.owner == owner && index / factor.stride % factor.extent != 0;
  });
}

FailureOr<OwnerTable> OwnerTable::get(RegType type) {
  FailureOr<SmallVector<Factor>> rowFactors = factorsOf(type, 0);
  FailureOr<SmallVector<Factor>> colFactors = factorsOf(type, 1);
  if (failed(rowFactors) || failed(colFactors))
    return failure();
  OwnerTable table;
  table.rows = multiplyOut(*rowFactors, type.getRows());
  table.cols = multiplyOut(*colFactors, type.getCols());
  table.warps =
      cast<DistributionAttrInterface>(type.getDistribution()).getNumWarps();
  SmallVector<Factor> all(*rowFactors);
  all.append(*colFactors);
  for (int32_t warp = 0; warp < table.warps; ++warp)
    if (!isTold(all, Owner::Warp, warp))
      table.copies.push_back(warp);
  for (int32_t lane = 1; lane < 32; ++lane)
    table.laneReplicated |= !isTold(all, Owner::Lane, lane);
  for (const Factor &factor : all)
    if (factor.owner == Owner::Register)
      table.registers *= factor.extent;
  return table;
}
