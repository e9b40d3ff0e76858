//===- RowTurns.cpp - Inputs that change hands in shared memory -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An input whose neighbours in memory are neighbouring rows is read as a tile
// of columns x rows, and taken from shared memory as one of rows x columns.
//===----------------------------------------------------------------------===//
#include "passes/Legalize/Host/Scalar/Scalar.h"
#include "passes/Legalize/NVPTX/Pointwise/RowKernel.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::nvptx;

/// A view of columns x rows, read by vectors along the rows.
Value RowKernel::makeTurnedView(unsigned index, Value offset) {
  const Buffer &buffer = buffers.list[index];
  auto pointer = cast<tile::PtrType>(pointers[index].getType());
  int64_t vector =
      getTurnedDistribution(b.getContext(), space, buffer, index).getVector();
  auto getDivisor = [&](int64_t value) {
    return value % vector == 0 ? vector : 1;
  };
  int64_t step = space.columns.back().strides[index];
  bool isWhole = buffer.alignment >= vector * buffer.getElementBytes();
  for (const SpaceAxis &axis : ArrayRef(space.rows).drop_back())
    isWhole &= axis.strides[index] % vector == 0;
  int64_t alignment = std::min<int64_t>(buffer.alignment, 16);
  if (offset)
    alignment =
        std::min(alignment, (isWhole ? vector : 1) * buffer.getElementBytes());
  auto type = tile::ViewType::get(
      b.getContext(), {ShapedType::kDynamic, ShapedType::kDynamic},
      {1, getDivisor(space.numRows)}, pointer.getElementType(),
      {ShapedType::kDynamic, 1}, {getDivisor(step), 1}, alignment,
      pointer.getReadonly());
  return tile::MakeViewOp::create(b, type, pointers[index], offset,
                                  {numColumns, numRows},
                                  columnStrides.lookup({index, 0}));
}

/// The shared tile of a turned input: columns x rows. Single elements are in
/// different banks both ways if a word or element follows each row; vectors are
/// by a swizzle.
Value RowKernel::makeTurnedTile(unsigned index) {
  constexpr int64_t kBankBytes = 4;
  const Buffer &buffer = buffers.list[index];
  int64_t vector =
      getTurnedDistribution(b.getContext(), space, buffer, index).getVector();
  int64_t rowBytes = space.tileRows * buffer.getElementBytes();
  bool isPadded = vector == 1 && space.vector == 1;
  tile::Swizzle swizzle = isPadded          ? tile::Swizzle::none
                          : rowBytes >= 128 ? tile::Swizzle::sw128
                          : rowBytes == 64  ? tile::Swizzle::sw64
                                            : tile::Swizzle::sw32;
  auto type = tile::SharedType::get(
      b.getContext(), {space.tileColumns, space.tileRows},
      getStorageType(buffer.elementType), swizzle, /*plane_rows=*/0,
      /*pad=*/isPadded ? std::max(kBankBytes, buffer.getElementBytes()) : 0,
      /*peer=*/false);
  return tile::AllocSharedOp::create(b, type, ValueRange(), nullptr);
}

/// Brings all turned inputs to shared memory, all reads in flight at once.
void RowKernel::stageTurned() {
  SmallVector<std::pair<Value, Value>> staged;
  for (unsigned index : space.turned) {
    const Access &access = accesses[index];
    Type element = getStorageType(buffers.list[index].elementType);
    auto type = tile::RegType::get(
        b.getContext(), space.tileColumns, space.tileRows, element,
        getTurnedDistribution(b.getContext(), space, buffers.list[index],
                              index));
    Value tile = tile::LoadOp::create(
        b, type, access.view, ValueRange{column, row},
        ValueRange{numColumns, numRows},
        tile::FillAttr::get(b.getContext(), tile::Fill::zero),
        /*axes=*/nullptr, tile::Cache::normal);
    staged.push_back({tile, access.turned});
  }
  for (auto [tile, shared] : staged)
    tile::StoreSharedOp::create(b, tile, shared, tile::SharedPath::plain,
                                /*transposed=*/false);
  if (!staged.empty())
    tile::SyncOp::create(b, tile::Scope::group);
}

Value RowKernel::loadTurned(unsigned index) {
  Type element = getStorageType(buffers.list[index].elementType);
  bool isMatrix = element.getIntOrFloatBitWidth() == 16 && space.lanes[1] == 4;
  return tile::LoadSharedOp::create(
      b, regType({space.tileRows, space.tileColumns}, element),
      accesses[index].turned,
      isMatrix ? tile::SharedPath::matrix_trans : tile::SharedPath::plain,
      /*transposed=*/true);
}
