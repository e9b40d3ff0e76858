//===- TensorTypes.cpp - Between declarations and tensor types ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "lib/Graph/TensorTypes.h"
#include "lib/Support/CApi.h"
#include "lib/Support/Dtypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::lib;
using llvm::Twine;

/// Bytes a span of elements may have, so that every size fits in an int64_t.
/// Eight is the widest element.
static constexpr int64_t maxElements = INT64_MAX / 8;

/// Fails when the elements, or the span, of a layout overflow 63 bits of bytes.
/// Runs before any stride is derived from the extents.
static og_status checkSize(ArrayRef<int64_t> dims,
                           std::optional<ArrayRef<int64_t>> strides,
                           const Twine &what) {
  int64_t elements = 1, span = 1;
  bool overflow = false;
  for (auto [axis, extent] : llvm::enumerate(dims)) {
    if (ShapedType::isDynamic(extent))
      continue;
    overflow |=
        llvm::MulOverflow(elements, std::max<int64_t>(extent, 1), elements) ||
        elements > maxElements;
    if (!strides || ShapedType::isDynamic((*strides)[axis]))
      continue;
    int64_t reach = 0;
    overflow |= llvm::MulOverflow(std::max<int64_t>(extent - 1, 0),
                                  (*strides)[axis], reach) ||
                llvm::AddOverflow(span, reach, span) || span > maxElements;
    if (overflow)
      break;
  }
  if (!overflow)
    return OG_OK;
  return fail(OG_INVALID_VALUE,
              what + ": expected extents " + graph::printDims(dims) +
                  (strides ? " with their strides" : "") +
                  " to span less than 2^63 bytes, got an overflow");
}

og_status opgraph::lib::checkSpec(const TensorSpec &spec, const Twine &what) {
  // A result's extents may be inferred while its strides are declared.
  if (!spec.dims)
    return OG_OK;
  size_t rank = spec.dims->size();
  auto checkRank = [&](const char *field, size_t size) {
    if (size == rank)
      return OG_OK;
    return fail(OG_ATTRIBUTE_NOT_SET, what + ": expected as many " + field +
                                          " as extents (" + Twine(rank) +
                                          "), got " + Twine(size));
  };
  if (spec.strides)
    OG_TRY(checkRank("strides", spec.strides->size()));
  if (spec.order)
    OG_TRY(checkRank("entries of the order", spec.order->size()));
  if (!spec.symbols.empty())
    OG_TRY(checkRank("symbols", spec.symbols.size()));
  for (auto [axis, symbol] : llvm::enumerate(spec.symbols))
    if (!symbol.empty() && !ShapedType::isDynamic((*spec.dims)[axis]))
      return fail(OG_INVALID_VALUE, what +
                                        ": expected no symbol for the static "
                                        "extent of axis " +
                                        Twine(axis) + ", got '" + symbol + "'");
  std::optional<ArrayRef<int64_t>> strides;
  if (spec.strides)
    strides = *spec.strides;
  return checkSize(*spec.dims, strides, what);
}

/// The symbols of `dims`: the declared ones, and for dynamic axes without one a
/// name that belongs to this tensor alone.
static graph::Symbols makeSymbols(MLIRContext *context, ArrayRef<int64_t> dims,
                                  ArrayRef<StringAttr> known,
                                  const Twine &prefix) {
  graph::Symbols symbols(dims.size());
  for (auto [axis, extent] : llvm::enumerate(dims)) {
    if (!ShapedType::isDynamic(extent))
      continue;
    symbols[axis] = axis < known.size() ? known[axis] : StringAttr();
    if (!symbols[axis])
      symbols[axis] = StringAttr::get(context, prefix + "_" + Twine(axis));
  }
  return symbols;
}

static graph::Symbols declaredSymbols(MLIRContext *context,
                                      const TensorSpec &spec) {
  graph::Symbols symbols;
  for (const std::string &symbol : spec.symbols)
    symbols.push_back(symbol.empty() ? StringAttr()
                                     : StringAttr::get(context, symbol));
  return symbols;
}

/// Adds a reordering, which the layout's helpers do not know.
static void addReordering(const TensorRecord &record, RankedTensorType &type) {
  if (!record.reordering)
    return;
  graph::LayoutAttr layout = graph::getLayout(type);
  ArrayRef<int64_t> strides, order;
  ArrayRef<StringAttr> symbols;
  if (layout) {
    strides = layout.getStrides();
    order = layout.getOrder();
    symbols = layout.getSymbols();
  }
  type = RankedTensorType::get(
      type.getShape(), type.getElementType(),
      graph::LayoutAttr::get(type.getContext(), strides, order, symbols,
                             *graph::symbolizeReordering(record.reordering)));
}

/// Fails where the elements cannot be stored in this layout.
static og_status checkStorage(RankedTensorType type, const Twine &what) {
  graph::LayoutAttr layout = graph::getLayout(type);
  std::string error = graph::findStorageError(
      type.getShape(), type.getElementType(), graph::getStrides(type),
      layout && !layout.getStrides().empty(), graph::getReordering(type));
  if (error.empty())
    return OG_OK;
  return fail(OG_INVALID_VALUE, what + ": " + error);
}

og_status opgraph::lib::makeTensorType(MLIRContext *context,
                                       const TensorRecord &record,
                                       og_tensor tensor, const Twine &what,
                                       Type defaultType,
                                       RankedTensorType &type) {
  const TensorSpec &spec = record.declared;
  Type elementType = spec.dtype ? toMlirType(context, spec.dtype) : defaultType;
  graph::Symbols symbols = makeSymbols(
      context, *spec.dims, declaredSymbols(context, spec), "t" + Twine(tensor));
  if (spec.strides)
    type = graph::makeStrided(*spec.dims, elementType, *spec.strides, symbols);
  else
    type = graph::makePacked(
        context, *spec.dims, elementType,
        spec.order ? *spec.order : graph::rowMajorOrder(spec.dims->size()),
        symbols);
  addReordering(record, type);
  return checkStorage(type, what);
}

og_status opgraph::lib::makeResultType(MLIRContext *context,
                                       const graph::ResultSpec &spec,
                                       const TensorRecord &record,
                                       const Twine &what,
                                       RankedTensorType &type) {
  if (!spec.dims)
    return fail(OG_ATTRIBUTE_NOT_SET, what + " has no extents");
  TensorSpec layout;
  layout.dims = spec.dims;
  layout.strides = spec.strides;
  layout.order = spec.order;
  OG_TRY(checkSpec(layout, what));
  graph::ResultSpec complete = spec;
  complete.symbols =
      makeSymbols(context, *spec.dims, spec.symbols, toSymbolName(record.name));
  type = graph::makeType(context, complete);
  addReordering(record, type);
  return checkStorage(type, what);
}

void opgraph::lib::declareSpec(MLIRContext *context, const TensorRecord &record,
                               og_tensor tensor, graph::ResultSpec &spec) {
  const TensorSpec &declared = record.declared;
  spec.dims = declared.dims;
  spec.symbols = declaredSymbols(context, declared);
  if (spec.dims)
    spec.symbols.resize(spec.dims->size());
  spec.strides = declared.strides;
  spec.order = declared.order;
  // A packed order of known extents is strides, which is how it is read back.
  if (spec.order && spec.dims && !ShapedType::isDynamicShape(*spec.dims)) {
    spec.strides = graph::packedStrides(*spec.dims, *spec.order);
    spec.order.reset();
  }
  if (declared.dtype)
    spec.elementType = toMlirType(context, declared.dtype);
  if (auto reordering = graph::symbolizeReordering(record.reordering))
    spec.reordering = *reordering;
}

TensorSpec opgraph::lib::resolveSpec(RankedTensorType type) {
  TensorSpec spec;
  spec.dtype = toDtype(type.getElementType());
  spec.dims.emplace(type.getShape());
  spec.strides = graph::getStrides(type);
  graph::Symbols symbols = graph::getSymbols(type);
  if (llvm::any_of(symbols, [](StringAttr name) { return bool(name); }))
    for (StringAttr symbol : symbols)
      spec.symbols.push_back(symbol ? symbol.str() : "");
  return spec;
}
