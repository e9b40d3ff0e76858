//===- LayoutAttr.cpp - Syntax and checks of #graph.layout ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/GraphDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace opgraph::graph;

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

/// Parses `[1, 64]`, with `?` for kDynamic where `allowDynamic`.
static ParseResult parseIntegers(AsmParser &parser, bool allowDynamic,
                                 SmallVectorImpl<int64_t> &values) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        if (allowDynamic && succeeded(parser.parseOptionalQuestion())) {
          values.push_back(ShapedType::kDynamic);
          return success();
        }
        return parser.parseInteger(values.emplace_back());
      });
}

static ParseResult parseSymbols(AsmParser &parser,
                                SmallVectorImpl<StringAttr> &symbols) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        std::string name;
        if (parser.parseString(&name))
          return failure();
        symbols.push_back(StringAttr::get(parser.getContext(), name));
        return success();
      });
}

static ParseResult parseReordering(AsmParser &parser, Reordering &reordering) {
  StringRef name;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&name))
    return failure();
  std::optional<Reordering> value = symbolizeReordering(name);
  if (!value)
    return parser.emitError(loc, "unknown reordering '") << name << "'";
  reordering = *value;
  return success();
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  Dims strides, order;
  SmallVector<StringAttr> symbols;
  Reordering reordering = Reordering::NONE;
  SmallVector<StringRef, 4> seen;
  SMLoc start = parser.getCurrentLocation();

  auto parseField = [&]() -> ParseResult {
    StringRef field;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&field) || parser.parseEqual())
      return failure();
    if (llvm::is_contained(seen, field))
      return parser.emitError(loc, "field '") << field << "' is given twice";
    seen.push_back(field);
    if (field == "strides")
      return parseIntegers(parser, /*allowDynamic=*/true, strides);
    if (field == "order")
      return parseIntegers(parser, /*allowDynamic=*/false, order);
    if (field == "symbols")
      return parseSymbols(parser, symbols);
    if (field == "reordering")
      return parseReordering(parser, reordering);
    return parser.emitError(loc, "unknown field '")
           << field << "', expected strides, order, symbols or reordering";
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseField))
    return {};
  return LayoutAttr::getChecked([&] { return parser.emitError(start); },
                                parser.getContext(), ArrayRef<int64_t>(strides),
                                ArrayRef<int64_t>(order),
                                ArrayRef<StringAttr>(symbols), reordering);
}

void LayoutAttr::print(AsmPrinter &printer) const {
  StringRef separator = "";
  auto startField = [&](StringRef name) -> raw_ostream & {
    printer << separator << name << " = ";
    separator = ", ";
    return printer.getStream();
  };
  auto printList = [&](StringRef name, ArrayRef<int64_t> values) {
    if (values.empty())
      return;
    startField(name) << '[';
    llvm::interleaveComma(values, printer.getStream(), [&](int64_t value) {
      if (ShapedType::isDynamic(value))
        printer << '?';
      else
        printer << value;
    });
    printer << ']';
  };
  printer << '<';
  printList("strides", getStrides());
  printList("order", getOrder());
  if (!getSymbols().empty()) {
    startField("symbols") << '[';
    llvm::interleaveComma(getSymbols(), printer.getStream(),
                          [&](StringAttr name) { printer << name; });
    printer << ']';
  }
  if (getReordering() != Reordering::NONE)
    startField("reordering") << stringifyReordering(getReordering());
  printer << '>';
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

LogicalResult LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> strides,
                                 ArrayRef<int64_t> order,
                                 ArrayRef<StringAttr> symbols,
                                 Reordering reordering) {
  // layout_c2
  if (!strides.empty() && !order.empty())
    return emitError() << "expected strides or order, got both";
  // layout_c3
  for (auto [axis, stride] : llvm::enumerate(strides))
    if (stride < 0 && !ShapedType::isDynamic(stride))
      return emitError() << "expected stride of axis " << axis
                         << " to be at least 0, got " << stride;
  // layout_c4
  SmallVector<bool> seen(order.size(), false);
  for (int64_t axis : order) {
    if (axis < 0 || axis >= static_cast<int64_t>(order.size()) || seen[axis])
      return emitError() << "expected order to be a permutation of 0.."
                         << order.size() - 1 << ", got [" << order << "]";
    seen[axis] = true;
  }
  return success();
}

/// Sizes stay below 2^60 bits, so that sums of a few never overflow and a plan
/// file can hold them.
static constexpr int64_t sizeLimit = int64_t(1) << 60;

/// Whether the elements, and the bits from the first to the last, stay below
/// the limit, as far as is known before run time.
static bool isSmallEnough(ArrayRef<int64_t> shape, std::optional<int64_t> span,
                          unsigned elementBits) {
  int64_t count = 1, bits;
  for (int64_t extent : shape)
    if (!ShapedType::isDynamic(extent) &&
        (llvm::MulOverflow(count, extent, count) || count >= sizeLimit))
      return llvm::is_contained(shape, 0);
  return span && !llvm::MulOverflow<int64_t>(*span, elementBits, bits) &&
         bits < sizeLimit;
}

/// Extents and strides as far as they are static: a span computed from them is
/// a lower bound of the one at run time.
static std::optional<int64_t> getLeastSpan(ArrayRef<int64_t> shape,
                                           ArrayRef<int64_t> strides) {
  Dims leastShape(shape), leastStrides(strides);
  for (auto [extent, stride] : llvm::zip_equal(leastShape, leastStrides)) {
    if (ShapedType::isDynamic(extent))
      extent = 1;
    if (ShapedType::isDynamic(stride))
      stride = 0;
  }
  return getSpan(leastShape, leastStrides);
}

LogicalResult
LayoutAttr::verifyEncoding(ArrayRef<int64_t> shape, Type elementType,
                           function_ref<InFlightDiagnostic()> emitError) const {
  // MLIR's parser asks even when it found no element type, and said so.
  if (!elementType)
    return failure();
  // layout_c7
  if (shape.size() > maxRank)
    return emitError() << "expected a rank of at most " << maxRank << ", got "
                       << shape.size();

  // layout_c1
  auto checkRank = [&](StringRef what, size_t size) -> LogicalResult {
    if (size == 0 || size == shape.size())
      return success();
    return emitError() << "expected " << what << " of #graph.layout to have "
                       << shape.size() << " entries, one per axis, got "
                       << size;
  };
  if (failed(checkRank("strides", getStrides().size())) ||
      failed(checkRank("order", getOrder().size())) ||
      failed(checkRank("symbols", getSymbols().size())))
    return failure();

  // layout_c5
  for (auto [axis, extent] : llvm::enumerate(shape)) {
    StringRef symbol =
        getSymbols().empty() ? "" : getSymbols()[axis].getValue();
    if (ShapedType::isDynamic(extent) && symbol.empty())
      return emitError() << "expected a symbol for the dynamic extent of axis "
                         << axis << ", got none";
    if (!ShapedType::isDynamic(extent) && !symbol.empty())
      return emitError() << "expected no symbol for the static extent of axis "
                         << axis << " (" << extent << "), got '" << symbol
                         << "'";
  }

  // layout_c6
  Dims order =
      getOrder().empty() ? rowMajorOrder(shape.size()) : Dims(getOrder());
  Dims strides =
      getStrides().empty() ? packedStrides(shape, order) : Dims(getStrides());
  std::optional<int64_t> span = getLeastSpan(shape, strides);
  if (elementType.isIntOrFloat() &&
      !isSmallEnough(shape, span, getStorageBits(elementType)))
    return emitError() << "expected the elements of " << printDims(shape)
                       << " with strides [" << strides
                       << "] to span less than 2^60 bits, got more";

  // layout_c8 and layout_c9
  std::string error = findStorageError(shape, elementType, strides,
                                       !getStrides().empty(), getReordering());
  if (!error.empty())
    return emitError() << error;
  return success();
}
