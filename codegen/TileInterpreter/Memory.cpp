//===- Memory.cpp - Memory of a GPU, byte by byte -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/Memory.h"

using namespace opgraph::tile::interp;

int64_t SharedLayout::plainOffset(int64_t row, int64_t col) const {
  int64_t byte = col * elementBytes();
  if (span == 0)
    return row * pitch() + byte;
  return byte / span * planeRows * span + row * span + byte % span;
}

Shadow &GlobalBuffer::shadow(int64_t offset) {
  int64_t cell = offset / granularity;
  std::unique_ptr<Shadow[]> &page = pages[cell / pageCells];
  if (!page) {
    page = std::make_unique<Shadow[]>(pageCells);
  }
  return page[cell % pageCells];
}

int64_t TensorMapModel::boxRows() const {
  int64_t rows = 1;
  for (int64_t extent : llvm::ArrayRef(box).drop_back())
    rows *= extent;
  return rows;
}

int64_t TensorMapModel::locate(llvm::ArrayRef<int64_t> corner, int64_t row,
                               int64_t col) const {
  int64_t at = offset;
  int64_t inBox = col;
  for (size_t axis = box.size(); axis-- > 0;) {
    int64_t index = corner[axis] + inBox;
    if (index < 0 || index >= extents[axis])
      return -1;
    at += index * strides[axis];
    if (axis > 0) {
      inBox = row % box[axis - 1];
      row /= box[axis - 1];
    }
  }
  return at;
}
