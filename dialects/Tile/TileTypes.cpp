//===- TileTypes.cpp - Types of tile: text --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Tile/TileDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph::tile;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// `, name` of the words that may end a type, each at most once.
static ParseResult
parseWords(AsmParser &parser,
           ArrayRef<std::pair<StringRef, function_ref<ParseResult()>>> words) {
  SmallVector<StringRef> seen;
  while (succeeded(parser.parseOptionalComma())) {
    StringRef word;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&word))
      return failure();
    const auto *found =
        llvm::find_if(words, [&](const auto &w) { return w.first == word; });
    if (found == words.end() || llvm::is_contained(seen, word)) {
      InFlightDiagnostic error = parser.emitError(loc, "expected one of ");
      llvm::interleaveComma(words, error,
                            [&](const auto &w) { error << w.first; });
      return error << ", each at most once, got " << word;
    }
    seen.push_back(found->first);
    if (found->second())
      return failure();
  }
  return success();
}

static ParseResult parseFlag(bool &flag) {
  flag = true;
  return success();
}

static ParseResult parsePtrBody(AsmParser &parser, Type &elementType,
                                int64_t &align, bool &readonly) {
  align = 1;
  readonly = false;
  return failure(
      parser.parseType(elementType) ||
      parseWords(parser, {{"align", [&] { return parser.parseInteger(align); }},
                          {"readonly", [&] { return parseFlag(readonly); }}}));
}

static void printAlignment(AsmPrinter &printer, int64_t align, bool readonly) {
  if (align != 1)
    printer << ", align " << align;
  if (readonly)
    printer << ", readonly";
}

static void printPtrBody(AsmPrinter &printer, Type elementType, int64_t align,
                         bool readonly) {
  printer << elementType;
  printAlignment(printer, align, readonly);
}

/// `?`, `?:8` or a number. `found` says whether there was one.
static ParseResult parseDivisible(AsmParser &parser, int64_t &value,
                                  int64_t &divisor, bool &found) {
  divisor = 1;
  found = true;
  if (succeeded(parser.parseOptionalQuestion())) {
    value = ShapedType::kDynamic;
    if (succeeded(parser.parseOptionalColon()))
      return parser.parseInteger(divisor);
    return success();
  }
  OptionalParseResult number = parser.parseOptionalInteger(value);
  found = number.has_value();
  return found ? *number : success();
}

static void printDivisible(AsmPrinter &printer, int64_t value,
                           int64_t divisor) {
  if (!ShapedType::isDynamic(value)) {
    printer << value;
    return;
  }
  printer << '?';
  if (divisor != 1)
    printer << ':' << divisor;
}

static ParseResult parseViewBody(AsmParser &parser, SmallVector<int64_t> &shape,
                                 SmallVector<int64_t> &extentDivisors,
                                 Type &elementType,
                                 SmallVector<int64_t> &strides,
                                 SmallVector<int64_t> &strideDivisors,
                                 int64_t &align, bool &readonly) {
  align = 1;
  readonly = false;
  int64_t value, divisor;
  bool found;
  while (true) {
    if (parseDivisible(parser, value, divisor, found))
      return failure();
    if (!found)
      break;
    shape.push_back(value);
    extentDivisors.push_back(divisor);
    if (parser.parseXInDimensionList())
      return failure();
  }
  auto parseStride = [&]() -> ParseResult {
    if (parseDivisible(parser, value, divisor, found))
      return failure();
    if (!found)
      return parser.emitError(parser.getCurrentLocation(),
                              "expected a stride: a number or '?'");
    strides.push_back(value);
    strideDivisors.push_back(divisor);
    return success();
  };
  return failure(
      parser.parseType(elementType) || parser.parseComma() ||
      parser.parseKeyword("strides") ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     parseStride) ||
      parseWords(parser, {{"align", [&] { return parser.parseInteger(align); }},
                          {"readonly", [&] { return parseFlag(readonly); }}}));
}

static void printViewBody(AsmPrinter &printer, ArrayRef<int64_t> shape,
                          ArrayRef<int64_t> extentDivisors, Type elementType,
                          ArrayRef<int64_t> strides,
                          ArrayRef<int64_t> strideDivisors, int64_t align,
                          bool readonly) {
  for (auto [extent, divisor] : llvm::zip_equal(shape, extentDivisors)) {
    printDivisible(printer, extent, divisor);
    printer << 'x';
  }
  printer << elementType << ", strides [";
  llvm::interleaveComma(
      llvm::zip_equal(strides, strideDivisors), printer, [&](auto pair) {
        printDivisible(printer, std::get<0>(pair), std::get<1>(pair));
      });
  printer << ']';
  printAlignment(printer, align, readonly);
}

static ParseResult parseShape(AsmParser &parser, SmallVector<int64_t> &shape,
                              Type &elementType) {
  return failure(parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
                 parser.parseType(elementType));
}

static void printShape(AsmPrinter &printer, ArrayRef<int64_t> shape,
                       Type elementType) {
  for (int64_t extent : shape)
    printer << extent << 'x';
  printer << elementType;
}

/// A word that sets the swizzle.
static std::pair<StringRef, Swizzle> kSwizzles[] = {{"sw32", Swizzle::sw32},
                                                    {"sw64", Swizzle::sw64},
                                                    {"sw128", Swizzle::sw128}};

static ParseResult parseTensorMapBody(AsmParser &parser,
                                      SmallVector<int64_t> &box,
                                      Type &elementType, Swizzle &swizzle,
                                      bool &im2col, bool &inMemory) {
  swizzle = Swizzle::none;
  im2col = inMemory = false;
  auto set = [&](unsigned index) -> ParseResult {
    swizzle = kSwizzles[index].second;
    return success();
  };
  return failure(
      parseShape(parser, box, elementType) ||
      parseWords(parser, {{"sw32", [&] { return set(0); }},
                          {"sw64", [&] { return set(1); }},
                          {"sw128", [&] { return set(2); }},
                          {"im2col", [&] { return parseFlag(im2col); }},
                          {"in_memory", [&] { return parseFlag(inMemory); }}}));
}

static void printSwizzle(AsmPrinter &printer, Swizzle swizzle) {
  if (swizzle != Swizzle::none)
    printer << ", " << stringifySwizzle(swizzle);
}

static void printTensorMapBody(AsmPrinter &printer, ArrayRef<int64_t> box,
                               Type elementType, Swizzle swizzle, bool im2col,
                               bool inMemory) {
  printShape(printer, box, elementType);
  printSwizzle(printer, swizzle);
  if (im2col)
    printer << ", im2col";
  if (inMemory)
    printer << ", in_memory";
}

static ParseResult parseSharedBody(AsmParser &parser,
                                   SmallVector<int64_t> &shape,
                                   Type &elementType, Swizzle &swizzle,
                                   int64_t &planeRows, int64_t &pad,
                                   bool &peer) {
  swizzle = Swizzle::none;
  planeRows = pad = 0;
  peer = false;
  auto set = [&](unsigned index) -> ParseResult {
    swizzle = kSwizzles[index].second;
    return success();
  };
  return failure(
      parseShape(parser, shape, elementType) ||
      parseWords(parser, {{"sw32", [&] { return set(0); }},
                          {"sw64", [&] { return set(1); }},
                          {"sw128", [&] { return set(2); }},
                          {"plane_rows",
                           [&] { return parser.parseInteger(planeRows); }},
                          {"pad", [&] { return parser.parseInteger(pad); }},
                          {"peer", [&] { return parseFlag(peer); }}}));
}

static void printSharedBody(AsmPrinter &printer, ArrayRef<int64_t> shape,
                            Type elementType, Swizzle swizzle,
                            int64_t planeRows, int64_t pad, bool peer) {
  printShape(printer, shape, elementType);
  printSwizzle(printer, swizzle);
  if (planeRows)
    printer << ", plane_rows " << planeRows;
  if (pad)
    printer << ", pad " << pad;
  if (peer)
    printer << ", peer";
}

static ParseResult parseRegShape(AsmParser &parser, int64_t &rows,
                                 int64_t &cols, Type &elementType) {
  SmallVector<int64_t> shape;
  SMLoc loc = parser.getCurrentLocation();
  if (parseShape(parser, shape, elementType))
    return failure();
  if (shape.size() != 2)
    return parser.emitError(loc, "expected rows x columns of a register tile, "
                                 "got ")
           << shape.size() << " extents";
  rows = shape[0];
  cols = shape[1];
  return success();
}

static void printRegShape(AsmPrinter &printer, int64_t rows, int64_t cols,
                          Type elementType) {
  printShape(printer, {rows, cols}, elementType);
}

#define GET_TYPEDEF_CLASSES
#include "dialects/Tile/TileTypes.cpp.inc"

void TileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/Tile/TileTypes.cpp.inc"
      >();
}
