//===- Values.cpp - Scalars and attributes that users give ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Storage.h"
#include "lib/Graph/GraphImpl.h"
#include "lib/Support/CApi.h"
#include "lib/Support/Dtypes.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace mlir;
using namespace opgraph::lib;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

int32_t opgraph::lib::defaultScalarDtype(const og_value &value) {
  if (value.kind == OG_VALUE_F64)
    return OG_DTYPE_FLOAT;
  if (value.kind == OG_VALUE_BOOL)
    return OG_DTYPE_BOOLEAN;
  return llvm::isInt<32>(value.i64) ? OG_DTYPE_INT32 : OG_DTYPE_INT64;
}

og_status opgraph::lib::readScalar(const og_value *value, const Twine &what,
                                   ScalarValue &out) {
  out = {};
  if (!value || value->kind == OG_VALUE_NONE)
    return OG_OK;
  if (value->kind != OG_VALUE_I64 && value->kind != OG_VALUE_F64 &&
      value->kind != OG_VALUE_BOOL)
    return fail(OG_INVALID_VALUE,
                what + ": expected an integer, a float or a bool, got kind " +
                    Twine(value->kind));
  out.kind = value->kind;
  out.f64 = value->kind == OG_VALUE_F64 ? value->f64 : 0;
  out.i64 = value->kind == OG_VALUE_F64    ? 0
            : value->kind == OG_VALUE_BOOL ? value->i64 != 0
                                           : value->i64;
  return OG_OK;
}

/// `value` in a type that lacks some of infinity, NaN, zero and sign, which no
/// conversion could express; null where it is not one of the type's.
static TypedAttr makeExactFloat(FloatType type, double value) {
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  for (unsigned code = 0; code < (1u << type.getWidth()); ++code) {
    llvm::APFloat candidate(semantics, llvm::APInt(type.getWidth(), code));
    FloatAttr attr = FloatAttr::get(type, candidate);
    double number = opgraph::graph::getElementValue(attr);
    if (std::isnan(value)
            ? std::isnan(number)
            : number == value && std::signbit(number) == std::signbit(value))
      return attr;
  }
  return {};
}

TypedAttr opgraph::lib::makeScalarAttr(Type type, const ScalarValue &value) {
  bool isFloat = value.kind == OG_VALUE_F64;
  if (auto floatType = dyn_cast<FloatType>(type)) {
    double number = isFloat ? value.f64 : double(value.i64);
    if (isa<Float8E8M0FNUType, Float4E2M1FNType>(type))
      return makeExactFloat(floatType, number);
    return FloatAttr::get(floatType, number);
  }
  auto integer = cast<IntegerType>(type);
  int64_t number = value.i64;
  if (isFloat) {
    if (std::trunc(value.f64) != value.f64 || std::fabs(value.f64) > 0x1p62)
      return {};
    number = int64_t(value.f64);
  }
  unsigned width = integer.getWidth();
  if (width == 1)
    return IntegerAttr::get(type, number != 0);
  bool fits = integer.isUnsigned() ? number >= 0 && llvm::isUIntN(width, number)
                                   : llvm::isIntN(width, number);
  if (!fits)
    return {};
  return IntegerAttr::get(type, llvm::APInt(width, number,
                                            /*isSigned=*/true,
                                            /*implicitTrunc=*/true));
}

ScalarValue opgraph::lib::readScalarAttr(Attribute attr) {
  ScalarValue result;
  if (auto number = dyn_cast_or_null<FloatAttr>(attr)) {
    result.kind = OG_VALUE_F64;
    result.f64 = opgraph::graph::getElementValue(number);
  } else if (auto integer = dyn_cast_or_null<IntegerAttr>(attr)) {
    bool isBool = integer.getType().isInteger(1);
    result.kind = isBool ? OG_VALUE_BOOL : OG_VALUE_I64;
    const llvm::APInt &bits = integer.getValue();
    result.i64 = isBool || integer.getType().isUnsignedInteger()
                     ? int64_t(bits.getZExtValue())
                     : bits.getSExtValue();
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static const char *kindText(AttributeKind kind) {
  switch (kind) {
  case AttributeKind::I64:
    return "an integer";
  case AttributeKind::F64:
    return "a float";
  case AttributeKind::Unit:
  case AttributeKind::Bool:
    return "a bool";
  case AttributeKind::String:
    return "a string";
  case AttributeKind::I64Array:
    return "an array of integers";
  case AttributeKind::Type:
    return "a dtype";
  case AttributeKind::Enum:
    return "a member of an enumeration";
  }
  return "";
}

/// The kinds of values that serve an attribute: exactly its own, and an integer
/// where that loses nothing.
static bool isKindAccepted(AttributeKind kind, int32_t given) {
  switch (kind) {
  case AttributeKind::I64:
    return given == OG_VALUE_I64;
  case AttributeKind::F64:
    return given == OG_VALUE_F64 || given == OG_VALUE_I64;
  case AttributeKind::Unit:
  case AttributeKind::Bool:
    return given == OG_VALUE_BOOL;
  case AttributeKind::String:
    return given == OG_VALUE_STRING;
  case AttributeKind::I64Array:
    return given == OG_VALUE_I64_ARRAY;
  case AttributeKind::Type:
    return given == OG_VALUE_DTYPE || given == OG_VALUE_I64;
  case AttributeKind::Enum:
    return given == OG_VALUE_STRING || given == OG_VALUE_I64;
  }
  return false;
}

static og_status readEnum(const AttributeInfo &info, const og_value &value,
                          const Twine &what, AttributeValue &out) {
  llvm::SmallVector<llvm::StringRef> names;
  for (const EnumCaseInfo &c : info.cases) {
    names.push_back(c.text);
    bool matches = value.kind == OG_VALUE_I64
                       ? value.i64 == c.value
                       : llvm::StringRef(value.string) == c.text ||
                             llvm::StringRef(value.string) == c.symbol;
    if (!matches)
      continue;
    out.i64 = c.value;
    out.string = c.text;
    return OG_OK;
  }
  // Number 0 is the peers' NOT_SET where it is no member.
  if (value.kind == OG_VALUE_I64 && value.i64 == 0)
    return fail(OG_ATTRIBUTE_NOT_SET, what + " is not set");
  std::string given = value.kind == OG_VALUE_I64
                          ? std::to_string(value.i64)
                          : "'" + std::string(value.string) + "'";
  return fail(OG_INVALID_VALUE, what + ": expected one of " +
                                    llvm::join(names, ", ") + ", got " + given);
}

og_status opgraph::lib::readAttribute(const AttributeInfo &info,
                                      const og_value &value, const Twine &what,
                                      AttributeValue &out) {
  out = {};
  out.info = &info;
  if (!isKindAccepted(info.kind, value.kind))
    return fail(OG_INVALID_VALUE, what + ": expected " + kindText(info.kind) +
                                      ", got a value of kind " +
                                      Twine(value.kind));
  bool lacksText = value.kind == OG_VALUE_STRING && !value.string;
  bool lacksArray =
      value.kind == OG_VALUE_I64_ARRAY && value.size && !value.array;
  if (lacksText || lacksArray)
    return fail(OG_INVALID_ARGUMENT, what + ": the value's pointer is null");
  out.kind = value.kind;
  out.i64 = value.i64;
  out.f64 = value.kind == OG_VALUE_I64 ? double(value.i64) : value.f64;
  if (info.kind == AttributeKind::Enum)
    return readEnum(info, value, what, out);
  if (value.kind == OG_VALUE_STRING)
    out.string = value.string;
  if (value.kind == OG_VALUE_I64_ARRAY)
    out.array.assign(value.array, value.array + value.size);
  if (info.kind != AttributeKind::Type)
    return OG_OK;
  bool isKnown = value.i64 == OG_DTYPE_NOT_SET ||
                 value.i64 == OG_DTYPE_FAST_FLOAT_FOR_FP8 ||
                 isElementDtype(value.i64);
  if (isKnown)
    return OG_OK;
  if (!isDtype(value.i64))
    return fail(OG_INVALID_VALUE,
                what + ": expected an og_dtype, got " + Twine(value.i64));
  return fail(OG_UNSUPPORTED, what + ": dtype " +
                                  og_dtype_name(og_dtype(value.i64)) +
                                  " is not supported");
}

Attribute opgraph::lib::makeAttribute(MLIRContext *context,
                                      const AttributeValue &value) {
  Builder builder(context);
  switch (value.info->kind) {
  case AttributeKind::I64:
    return builder.getI64IntegerAttr(value.i64);
  case AttributeKind::F64:
    return builder.getF64FloatAttr(value.f64);
  case AttributeKind::Unit:
    return value.i64 ? builder.getUnitAttr() : UnitAttr();
  case AttributeKind::Bool:
    return builder.getBoolAttr(value.i64 != 0);
  case AttributeKind::String:
    return builder.getStringAttr(value.string);
  case AttributeKind::I64Array:
    return builder.getDenseI64ArrayAttr(value.array);
  case AttributeKind::Type: {
    // The narrow accumulator is an attribute of its own (Materialize.cpp).
    if (value.i64 == OG_DTYPE_FAST_FLOAT_FOR_FP8)
      return TypeAttr::get(builder.getF32Type());
    Type type = toMlirType(context, value.i64);
    return type ? TypeAttr::get(type) : TypeAttr();
  }
  case AttributeKind::Enum:
    return value.info->makeEnum(context, value.i64);
  }
  return {};
}
