//===- Storage.cpp - Elements that strides alone do not place -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rules of elements narrower than a byte, which share bytes, and of the layout
// of block scales, which is cut into tiles.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Storage.h"
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/Layout.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace opgraph::graph;

/// Rows and columns of a tile of reordering f8_128x4.
static constexpr int64_t tileRows = 128;
static constexpr int64_t tileColumns = 4;

unsigned opgraph::graph::getStorageBits(Type elementType) {
  return elementType.isInteger(1) ? 8 : elementType.getIntOrFloatBitWidth();
}

static std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

static std::string print(int64_t value) {
  return ShapedType::isDynamic(value) ? "?" : std::to_string(value);
}

static std::string print(ArrayRef<int64_t> values) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::interleaveComma(values, stream,
                        [&](int64_t value) { stream << print(value); });
  return "[" + text + "]";
}

/// layout_c8
static std::string findHalvesError(ArrayRef<int64_t> shape, Type elementType,
                                   ArrayRef<int64_t> strides,
                                   bool hasExplicitStrides) {
  if (llvm::is_contained(shape, 0) ||
      llvm::all_of(shape, [](int64_t extent) { return extent == 1; }))
    return "";
  std::string elements = "elements of " + print(elementType);
  int64_t unit = -1;
  for (auto [axis, extent] : llvm::enumerate(shape))
    if (extent != 1 && strides[axis] == 1)
      unit = axis;
  if (unit < 0)
    return "expected " + elements +
           ", two per byte, to have an axis of stride 1, got strides " +
           print(strides);
  int64_t extent = shape[unit];
  if (ShapedType::isDynamic(extent) || extent % 2 != 0)
    return llvm::formatv("expected the extent of axis {0}, along which {1} lie "
                         "two per byte, to be known and even, got {2}",
                         unit, elements, print(extent));
  for (auto [axis, stride] : llvm::enumerate(strides)) {
    if (static_cast<int64_t>(axis) == unit || shape[axis] == 1)
      continue;
    // A stride that follows from extents is a multiple of the even one.
    bool isEven =
        ShapedType::isDynamic(stride) ? !hasExplicitStrides : stride % 2 == 0;
    if (!isEven)
      return llvm::formatv("expected the stride of axis {0} (extent {1}) to be "
                           "known and even for {2}, two per byte, got {3}",
                           axis, print(shape[axis]), elements, print(stride));
  }
  return "";
}

/// The axes of a matrix. Its strides say which of them is the columns', but
/// row-major ones of which only the other reading fits are taken for that: this
/// is how the peers' programs declare scales along an axis that is not the
/// last.
static ScaleAxes findScaleAxes(ArrayRef<int64_t> shape,
                               ArrayRef<int64_t> strides) {
  int64_t last = static_cast<int64_t>(shape.size()) - 1, first = last - 1;
  bool isRowMajor = strides[last] == 1;
  bool fitsTransposedOnly = shape[first] % tileRows != 0 &&
                            shape[first] % tileColumns == 0 &&
                            shape[last] % tileRows == 0;
  bool isTransposed = isRowMajor ? fitsTransposedOnly : strides[first] == 1;
  int64_t column = isTransposed ? first : last;
  int64_t row = isTransposed ? last : first;
  return {row, column, shape[row], shape[column]};
}

/// layout_c9
static std::string findScaleError(ArrayRef<int64_t> shape, Type elementType,
                                  ArrayRef<int64_t> strides) {
  const char *prefix = "expected reordering f8_128x4 to have ";
  if (getStorageBits(elementType) != 8)
    return prefix + ("elements of 8 bits, got " + print(elementType));
  if (shape.size() < 2)
    return prefix +
           ("a rank of at least 2, got " + std::to_string(shape.size()));
  if (ShapedType::isDynamicShape(shape) ||
      llvm::is_contained(strides, ShapedType::kDynamic))
    return prefix + ("known extents and strides, got extents " + print(shape) +
                     " with strides " + print(strides));
  ScaleAxes axes = findScaleAxes(shape, strides);
  if (axes.columns % tileColumns != 0)
    return llvm::formatv("{0}a multiple of {1} columns on axis {2}, got {3}",
                         prefix, tileColumns, axes.columnAxis, axes.columns);
  if (axes.rows % tileRows != 0)
    return llvm::formatv("{0}a multiple of {1} rows on axis {2}, got {3}",
                         prefix, tileRows, axes.rowAxis, axes.rows);
  if (axes.rows == 0 || axes.columns == 0)
    return "";
  int64_t unit = strides[axes.rowAxis] == 1 ? axes.rowAxis : axes.columnAxis;
  int64_t other = unit == axes.rowAxis ? axes.columnAxis : axes.rowAxis;
  if (strides[unit] != 1 || strides[other] != shape[unit])
    return llvm::formatv("{0}strides 1 and {1} on axes {2} and {3}, so that "
                         "rows and columns leave no gap, got {4} and {5}",
                         prefix, shape[unit], unit, other, strides[unit],
                         strides[other]);
  return "";
}

std::string opgraph::graph::findStorageError(ArrayRef<int64_t> shape,
                                             Type elementType,
                                             ArrayRef<int64_t> strides,
                                             bool hasExplicitStrides,
                                             Reordering reordering) {
  // Not yet known to be a type of a graph's.
  if (!elementType.isIntOrFloat())
    return "";
  if (isPackedInHalves(elementType)) {
    std::string error =
        findHalvesError(shape, elementType, strides, hasExplicitStrides);
    if (!error.empty())
      return error;
  }
  if (reordering == Reordering::F8_128x4)
    return findScaleError(shape, elementType, strides);
  return "";
}

bool opgraph::graph::isElementValue(TypedAttr number) {
  auto scale = dyn_cast<FloatAttr>(number);
  return !scale || !isa<Float8E8M0FNUType>(scale.getType()) ||
         !scale.getValue().isNegative();
}

double opgraph::graph::getElementValue(FloatAttr number) {
  if (number.getValue().isNaN())
    return std::numeric_limits<double>::quiet_NaN();
  return number.getValueAsDouble();
}

Reordering opgraph::graph::getReordering(RankedTensorType type) {
  LayoutAttr layout = getLayout(type);
  return layout ? layout.getReordering() : Reordering::NONE;
}

ScaleAxes opgraph::graph::getScaleAxes(RankedTensorType type) {
  return findScaleAxes(type.getShape(), getStrides(type));
}
