//===- Layout.cpp - Strides, memory orders and symbols of tensors ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Layout.h"
#include "dialects/Graph/GraphDialect.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>
#include <tuple>

using namespace mlir;
using namespace opgraph::graph;

static constexpr int64_t saturated = std::numeric_limits<int64_t>::max();

LayoutAttr opgraph::graph::getLayout(RankedTensorType type) {
  return dyn_cast_or_null<LayoutAttr>(type.getEncoding());
}

Dims opgraph::graph::rowMajorOrder(int64_t rank) {
  return llvm::to_vector<6>(llvm::seq<int64_t>(0, rank));
}

Dims opgraph::graph::channelsLastOrder(int64_t rank) {
  Dims order = rowMajorOrder(rank);
  if (rank >= 3)
    std::rotate(order.begin() + 1, order.begin() + 2, order.end());
  return order;
}

Dims opgraph::graph::packedStrides(ArrayRef<int64_t> shape,
                                   ArrayRef<int64_t> order) {
  Dims strides(shape.size(), 1);
  int64_t stride = 1;
  for (int64_t axis : llvm::reverse(order)) {
    strides[axis] = stride;
    int64_t extent = shape[axis];
    if (ShapedType::isDynamic(stride) || ShapedType::isDynamic(extent))
      stride = ShapedType::kDynamic;
    // A saturated stride makes every span that depends on it overflow.
    else if (llvm::MulOverflow(stride, std::max<int64_t>(extent, 1), stride))
      stride = saturated;
  }
  return strides;
}

Dims opgraph::graph::getStrides(RankedTensorType type) {
  LayoutAttr layout = getLayout(type);
  if (layout && !layout.getStrides().empty())
    return Dims(layout.getStrides());
  if (layout && !layout.getOrder().empty())
    return packedStrides(type.getShape(), layout.getOrder());
  return packedStrides(type.getShape(), rowMajorOrder(type.getRank()));
}

Dims opgraph::graph::getMemoryOrder(RankedTensorType type) {
  LayoutAttr layout = getLayout(type);
  if (layout && !layout.getOrder().empty())
    return Dims(layout.getOrder());
  Dims order = rowMajorOrder(type.getRank());
  if (!layout || layout.getStrides().empty())
    return order;
  ArrayRef<int64_t> strides = layout.getStrides();
  // An unknown stride counts as slowest: it is there because an extent inside
  // of it is unknown or because rows are padded.
  auto key = [&](int64_t axis) {
    return ShapedType::isDynamic(strides[axis]) ? saturated : strides[axis];
  };
  llvm::sort(order, [&](int64_t a, int64_t b) {
    auto rank = [&](int64_t axis) {
      return std::tuple(-key(axis), type.getDimSize(axis) != 1, axis);
    };
    return rank(a) < rank(b);
  });
  return order;
}

bool opgraph::graph::isPacked(RankedTensorType type) {
  LayoutAttr layout = getLayout(type);
  if (!layout || layout.getStrides().empty())
    return true;
  if (llvm::is_contained(type.getShape(), 0))
    return true;
  Dims packed = packedStrides(type.getShape(), getMemoryOrder(type));
  for (auto [extent, stride, expected] :
       llvm::zip_equal(type.getShape(), layout.getStrides(), packed)) {
    if (extent == 1)
      continue;
    if (ShapedType::isDynamic(stride) || stride != expected)
      return false;
  }
  return true;
}

Symbols opgraph::graph::getSymbols(RankedTensorType type) {
  Symbols symbols(type.getRank());
  LayoutAttr layout = getLayout(type);
  if (!layout || layout.getSymbols().empty())
    return symbols;
  for (auto [symbol, name] : llvm::zip_equal(symbols, layout.getSymbols()))
    if (!name.empty())
      symbol = name;
  return symbols;
}

/// The attribute's spelling of `symbols`: empty when no axis has one.
static Symbols spellSymbols(MLIRContext *context,
                            ArrayRef<StringAttr> symbols) {
  if (llvm::none_of(symbols, [](StringAttr name) { return bool(name); }))
    return {};
  return llvm::to_vector<6>(llvm::map_range(symbols, [&](StringAttr name) {
    return name ? name : StringAttr::get(context, "");
  }));
}

static RankedTensorType makeType(MLIRContext *context, ArrayRef<int64_t> shape,
                                 Type elementType, ArrayRef<int64_t> strides,
                                 ArrayRef<int64_t> order,
                                 ArrayRef<StringAttr> symbols) {
  Symbols spelled = spellSymbols(context, symbols);
  if (strides.empty() && order.empty() && spelled.empty())
    return RankedTensorType::get(shape, elementType);
  return RankedTensorType::get(
      shape, elementType,
      LayoutAttr::get(context, strides, order, spelled, Reordering::NONE));
}

RankedTensorType opgraph::graph::makeStrided(ArrayRef<int64_t> shape,
                                             Type elementType,
                                             ArrayRef<int64_t> strides,
                                             ArrayRef<StringAttr> symbols) {
  // An explicit `?` is any stride, not the packed one.
  if (!llvm::is_contained(strides, ShapedType::kDynamic) &&
      strides ==
          ArrayRef<int64_t>(packedStrides(shape, rowMajorOrder(shape.size()))))
    strides = {};
  return ::makeType(elementType.getContext(), shape, elementType, strides, {},
                    symbols);
}

RankedTensorType opgraph::graph::makePacked(MLIRContext *context,
                                            ArrayRef<int64_t> shape,
                                            Type elementType,
                                            ArrayRef<int64_t> order,
                                            ArrayRef<StringAttr> symbols) {
  if (!ShapedType::isDynamicShape(shape))
    return makeStrided(shape, elementType, packedStrides(shape, order),
                       symbols);
  if (llvm::is_sorted(order))
    order = {};
  return ::makeType(context, shape, elementType, {}, order, symbols);
}

bool opgraph::graph::isElementType(Type type) {
  return type.isF16() || type.isBF16() || type.isF32() || type.isF64() ||
         isa<Float8E4M3FNType, Float8E5M2Type, Float8E8M0FNUType,
             Float4E2M1FNType>(type) ||
         type.isSignlessInteger(4) || type.isSignlessInteger(8) ||
         type.isUnsignedInteger(8) || type.isSignlessInteger(32) ||
         type.isSignlessInteger(64) || type.isSignlessInteger(1);
}

bool opgraph::graph::isComputeType(Type type) {
  return type.isF16() || type.isBF16() || type.isF32() || type.isF64() ||
         type.isSignlessInteger(32) || type.isSignlessInteger(64) ||
         type.isSignlessInteger(1);
}

std::optional<int64_t> opgraph::graph::getSpan(ArrayRef<int64_t> shape,
                                               ArrayRef<int64_t> strides) {
  if (llvm::is_contained(shape, 0))
    return 0;
  int64_t span = 1;
  for (auto [extent, stride] : llvm::zip_equal(shape, strides)) {
    if (extent == 1)
      continue;
    int64_t reach;
    if (ShapedType::isDynamic(extent) || ShapedType::isDynamic(stride) ||
        llvm::MulOverflow(extent - 1, stride, reach) ||
        llvm::AddOverflow(span, reach, span))
      return std::nullopt;
  }
  return span;
}

LogicalResult
opgraph::graph::verifyTensorType(RankedTensorType type,
                                 function_ref<InFlightDiagnostic()> emitError) {
  // Only parsers check an encoding when they make its type.
  auto layout = dyn_cast_or_null<LayoutAttr>(type.getEncoding());
  if (type.getEncoding() && !layout)
    return emitError() << "expected the encoding of " << type
                       << " to be a #graph.layout";
  if (!layout)
    layout = LayoutAttr::get(type.getContext(), {}, {}, {}, Reordering::NONE);
  return layout.verifyEncoding(type.getShape(), type.getElementType(),
                               emitError);
}

namespace {
/// Decides whether some differences `d`, not all 0, with `|d[i]| < extent[i]`
/// have `sum(d[i] * stride[i]) = 0`: two elements then share an address.
/// Depth-first from the largest stride; what the smaller strides can still
/// reach bounds each difference, so nested layouts are decided at once.
class OverlapSearch {
public:
  struct Axis {
    int64_t stride;
    int64_t maxDifference;
    /// What the axes after this one reach, and their strides' common divisor.
    int64_t reach = 0;
    int64_t divisor = 0;
  };

  explicit OverlapSearch(SmallVector<Axis> sortedAxes)
      : axes(std::move(sortedAxes)) {
    for (size_t i = axes.size(); i-- > 1;) {
      axes[i - 1].reach =
          axes[i].reach + axes[i].stride * axes[i].maxDifference;
      axes[i - 1].divisor = std::gcd(axes[i].divisor, axes[i].stride);
    }
  }

  bool run() { return visit(0, 0, /*isZero=*/true); }

private:
  /// Whether the axes from `index` on can bring `sum` to 0; `isZero` says that
  /// all differences so far are 0.
  bool visit(size_t index, int64_t sum, bool isZero) {
    if (index == axes.size())
      return !isZero && sum == 0;
    const Axis &axis = axes[index];
    // d * stride + sum must lie in [-reach, reach].
    int64_t low =
        std::max(-axis.maxDifference, ceilDiv(-axis.reach - sum, axis.stride));
    int64_t high =
        std::min(axis.maxDifference, floorDiv(axis.reach - sum, axis.stride));
    // The first difference that is not 0 may be taken as positive.
    if (isZero)
      low = std::max<int64_t>(low, 0);
    for (int64_t d = low; d <= high; ++d) {
      if (--budget < 0)
        return true;
      int64_t next = sum + d * axis.stride;
      if (axis.divisor != 0 && next % axis.divisor != 0)
        continue;
      if (visit(index + 1, next, isZero && d == 0))
        return true;
    }
    return false;
  }

  static int64_t floorDiv(int64_t a, int64_t b) {
    return a / b - (a % b < 0 ? 1 : 0);
  }
  static int64_t ceilDiv(int64_t a, int64_t b) {
    return a / b + (a % b > 0 ? 1 : 0);
  }

  SmallVector<Axis> axes;
  /// Steps before an exotic layout counts as overlapping; fewer than the
  /// runtime takes, which judges the same layouts.
  int64_t budget = 1 << 12;
};
} // namespace

bool opgraph::graph::isSelfOverlapping(ArrayRef<int64_t> shape,
                                       ArrayRef<int64_t> strides) {
  std::optional<int64_t> span = getSpan(shape, strides);
  // No memory holds the longest spans; sums of two of them would overflow.
  if (!span || *span == 0 || *span > saturated / 4)
    return false;
  SmallVector<OverlapSearch::Axis> axes;
  for (auto [extent, stride] : llvm::zip_equal(shape, strides)) {
    if (extent == 1)
      continue;
    if (stride == 0)
      return true;
    axes.push_back({stride, extent - 1});
  }
  llvm::sort(axes,
             [](const auto &a, const auto &b) { return a.stride > b.stride; });
  return OverlapSearch(std::move(axes)).run();
}
