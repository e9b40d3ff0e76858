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
  int64_t cell = getCell(offset);
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

int64_t TensorMapModel::locate(llvm::ArrayRef<int64_t> coordinates) const {
  int64_t at = offset;
  for (size_t axis = 0; axis < box.size(); ++axis) {
    if (coordinates[axis] < 0 || coordinates[axis] >= extents[axis])
      return -1;
    at += coordinates[axis] * strides[axis];
  }
  return at;
}

int64_t TensorMapModel::locate(llvm::ArrayRef<int64_t> corner, int64_t row,
                               int64_t col) const {
  Pixel at(corner);
  int64_t inBox = col;
  for (size_t axis = box.size(); axis-- > 0;) {
    at[axis] += inBox;
    if (axis > 0) {
      inBox = row % box[axis - 1];
      row /= box[axis - 1];
    }
  }
  return locate(at);
}

bool TensorMapModel::walk(llvm::ArrayRef<int64_t> corner,
                          llvm::ArrayRef<int64_t> offsets,
                          std::vector<Pixel> &pixels) const {
  auto last = [&](size_t axis) { return extents[axis + 1] - 1 + upper[axis]; };
  for (size_t axis = 0; axis < steps.size(); ++axis)
    if (corner[axis + 1] < lower[axis] || corner[axis + 1] > last(axis))
      return false;
  Pixel at(corner);
  for (int64_t count = 0; count < box.front(); ++count) {
    Pixel &pixel = pixels.emplace_back(at);
    for (size_t axis = 0; axis < steps.size(); ++axis)
      pixel[axis + 1] += offsets[axis];
    // The innermost axis that is not at its end goes on; the images, if none.
    size_t axis = steps.size();
    for (; axis-- > 0;) {
      at[axis + 1] += steps[axis];
      if (at[axis + 1] <= last(axis))
        break;
      at[axis + 1] = lower[axis];
      if (axis == 0)
        ++at[0];
    }
  }
  return true;
}
