//===- OpModel.cpp - Reading operations from TableGen records -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "OpModel.h"
#include "mlir/TableGen/EnumInfo.h"
#include "mlir/TableGen/Operator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"

using namespace opgraph::tblgen;
using llvm::Record;
using llvm::StringRef;
namespace tg = mlir::tblgen;

std::string opgraph::tblgen::toPascal(StringRef name) {
  std::string result;
  bool upper = true;
  bool allCaps = name == name.upper();
  for (char c : name) {
    if (c == '_') {
      upper = true;
      continue;
    }
    result += upper ? llvm::toUpper(c) : (allCaps ? llvm::toLower(c) : c);
    upper = false;
  }
  return result;
}

std::string opgraph::tblgen::toCamel(StringRef name) {
  std::string result = toPascal(name);
  result[0] = llvm::toLower(result[0]);
  return result;
}

/// Whether users add this op: constants come from scalars, and the graph and
/// its terminator are the builder's own.
static bool isUserOp(const Record *record) {
  return record->isSubClassOf("Graph_Op") &&
         record->getValueAsString("opName") != "constant";
}

static int findEnum(Model &model, const tg::Attribute &attr) {
  const Record *info = attr.getDef().getValueAsDef("enum");
  tg::EnumInfo enumInfo(info);
  for (auto [index, known] : llvm::enumerate(model.enums))
    if (known.name == enumInfo.getEnumClassName())
      return index;
  EnumModel result;
  result.name = enumInfo.getEnumClassName();
  result.attrName = attr.getDef().getValueAsString("cppClassName");
  result.summary = enumInfo.getSummary();
  for (const tg::EnumCase &enumCase : enumInfo.getAllCases())
    result.cases.push_back({enumCase.getStr().str(), enumCase.getSymbol().str(),
                            enumCase.getValue()});
  model.enums.push_back(std::move(result));
  return model.enums.size() - 1;
}

/// The C++ text of a default as the generators use it.
static std::string normaliseDefault(StringRef text) {
  if (text.contains("infinity"))
    return text.trim().starts_with("-") ? "-inf" : "inf";
  size_t colon = text.rfind("::");
  return (colon == StringRef::npos ? text : text.drop_front(colon + 2)).str();
}

static AttrModel readAttribute(Model &model, const Record *op, StringRef name,
                               const tg::Attribute &attr) {
  AttrModel result;
  result.name = name;
  result.optional = attr.isOptional() || attr.hasDefaultValue();
  result.implicit = name == "ragged_multipliers";
  if (attr.hasDefaultValue())
    result.defaultValue = normaliseDefault(attr.getDefaultValue());
  tg::Attribute base = attr.getBaseAttr();
  if (base.getDef().isSubClassOf("EnumAttr")) {
    result.kind = AttrKind::Enum;
    result.enumIndex = findEnum(model, base);
    return result;
  }
  StringRef storage = base.getStorageType();
  storage = storage.drop_front(storage.rfind("::") + 2);
  StringRef value = base.getReturnType();
  if (storage == "UnitAttr") {
    result.kind = AttrKind::Unit;
    result.optional = true;
    result.defaultValue.clear();
  } else if (storage == "IntegerAttr" && value == "uint64_t") {
    result.kind = AttrKind::I64;
  } else if (storage == "FloatAttr") {
    result.kind = AttrKind::F64;
  } else if (storage == "BoolAttr") {
    result.kind = AttrKind::Bool;
  } else if (storage == "StringAttr") {
    result.kind = AttrKind::String;
  } else if (storage == "DenseI64ArrayAttr") {
    result.kind = AttrKind::I64Array;
  } else if (storage == "TypeAttr") {
    result.kind = AttrKind::Type;
  } else {
    llvm::PrintFatalError(op->getLoc(), "attribute '" + name +
                                            "' has no generator for " +
                                            base.getStorageType());
  }
  return result;
}

/// Whether the builder makes this operand from regions and ragged tensors.
static bool isImplicitOperand(StringRef name, bool hasRegion) {
  return name.starts_with("ragged_offset_") ||
         (hasRegion && name == "captures");
}

static OpModel readOp(Model &model, const Record *record) {
  tg::Operator op(record);
  OpModel result;
  result.name = record->getValueAsString("opName");
  result.className = op.getCppClassName();
  result.summary = op.getSummary().trim();
  result.group = record->getValueAsString("docGroup");
  result.sizedOperands =
      op.getTrait("::mlir::OpTrait::AttrSizedOperandSegments");
  result.sizedResults = op.getTrait("::mlir::OpTrait::AttrSizedResultSegments");
  result.hasRegion = op.getNumRegions() != 0;
  auto operandPorts = record->getValueAsListOfStrings("operandPorts");
  auto resultPorts = record->getValueAsListOfStrings("resultPorts");
  for (int i = 0; i < op.getNumOperands(); ++i) {
    const tg::NamedTypeConstraint &operand = op.getOperand(i);
    if (size_t(i) >= operandPorts.size())
      llvm::PrintFatalError(record->getLoc(),
                            "operand '" + operand.name + "' has no port");
    Arity arity = operand.isOptional()   ? Arity::Optional
                  : operand.isVariadic() ? Arity::Variadic
                                         : Arity::Required;
    result.operands.push_back(
        {operand.name.str(), operandPorts[i].str(), arity,
         isImplicitOperand(operand.name, result.hasRegion)});
  }
  for (int i = 0; i < op.getNumResults(); ++i) {
    const tg::NamedTypeConstraint &value = op.getResult(i);
    if (size_t(i) >= resultPorts.size())
      llvm::PrintFatalError(record->getLoc(),
                            "result '" + value.name + "' has no port");
    result.results.push_back(
        {value.name.str(), resultPorts[i].str(), value.isOptional()});
  }
  for (const tg::NamedAttribute &attr : op.getAttributes())
    if (!attr.attr.isDerivedAttr())
      result.attributes.push_back(
          readAttribute(model, record, attr.name, attr.attr));
  return result;
}

Model opgraph::tblgen::readModel(const llvm::RecordKeeper &records) {
  Model model;
  for (const Record *record : records.getAllDerivedDefinitions("Op"))
    if (isUserOp(record))
      model.ops.push_back(readOp(model, record));
  llvm::sort(model.ops, [](const OpModel &a, const OpModel &b) {
    return a.name < b.name;
  });
  return model;
}
