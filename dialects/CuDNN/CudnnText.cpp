//===- CudnnText.cpp - How descriptors are written ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/CuDNN/CudnnDialect.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace opgraph::cudnn;

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

namespace {
/// Prints one descriptor; what the table lacks is printed as numbers.
class DescriptorPrinter {
public:
  DescriptorPrinter(OpAsmPrinter &printer, DescriptorOp op)
      : printer(printer), op(op) {}

  void print();

private:
  void printRecord(const RecordView &record, const KindRow *kind);
  void printElement(const RecordView &record, const TypeRow *type, int64_t at);

  OpAsmPrinter &printer;
  DescriptorOp op;
};
} // namespace

void DescriptorPrinter::printElement(const RecordView &record,
                                     const TypeRow *type, int64_t at) {
  int64_t words = type ? type->words : 1, word = record.words[at * words];
  if (!type) {
    printer << word;
    return;
  }
  if (type->isEnum()) {
    std::string name = printedValue(*type, word);
    printer << (name.empty() ? std::to_string(word) : name);
    return;
  }
  switch (type->type) {
  case ValueType::BOOLEAN:
    if (word == 0 || word == 1)
      printer << (word ? "true" : "false");
    else
      printer << word;
    break;
  case ValueType::FLOAT:
    printer.printFloat(
        llvm::APFloat(llvm::bit_cast<float>(static_cast<uint32_t>(word))));
    break;
  case ValueType::DOUBLE:
    printer.printFloat(llvm::APFloat(llvm::bit_cast<double>(word)));
    break;
  case ValueType::FRACTION:
    printer << word << "/" << record.words[at * words + 1];
    break;
  case ValueType::BACKEND_DESCRIPTOR:
    if (word >= 0 && word < int64_t(op.getDescriptors().size()))
      printer << op.getDescriptors()[word];
    else
      printer << word;
    break;
  default:
    printer << word;
  }
}

void DescriptorPrinter::printRecord(const RecordView &record,
                                    const KindRow *kind) {
  const AttrRow *attr = kind ? findAttr(kind->kind, record.attr) : nullptr;
  const TypeRow *type = findType(record.type);
  printer << (attr ? printedName(*attr) : std::to_string(record.attr));
  if (!attr || !type || attr->type != type->type)
    printer << ": "
            << (type ? printedName(*type) : std::to_string(record.type));
  printer << " = ";
  bool isList = record.count != 1 || !attr || attr->most > 1;
  if (isList)
    printer << "[";
  for (int64_t i = 0; i < record.count; ++i) {
    if (i)
      printer << ", ";
    printElement(record, type, i);
  }
  if (isList)
    printer << "]";
}

void DescriptorPrinter::print() {
  const KindRow *kind = op.getRow();
  printer << " ";
  if (kind)
    printer << printedName(*kind);
  else
    printer << static_cast<int32_t>(op.getKind());
  printer << " {";
  llvm::interleaveComma(
      op.getRecordViews(), printer,
      [&](const RecordView &record) { printRecord(record, kind); });
  printer << "}";
  printer.printOptionalAttrDict(llvm::to_vector(op->getDiscardableAttrs()));
}

void DescriptorOp::print(OpAsmPrinter &printer) {
  DescriptorPrinter(printer, *this).print();
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {
/// Reads one descriptor.
class DescriptorParser {
public:
  DescriptorParser(OpAsmParser &parser, OperationState &state)
      : parser(parser), state(state) {}

  ParseResult parse();

private:
  ParseResult parseKind();
  ParseResult parseRecord();
  ParseResult parseElement(const TypeRow &type);
  ParseResult parseEnumerator(const TypeRow &type);
  ParseResult parseFloat(const TypeRow &type);
  ParseResult parseFraction();
  ParseResult parseDescriptor();

  OpAsmParser &parser;
  OperationState &state;
  const KindRow *kind = nullptr;
  SmallVector<int64_t> records;
  SmallVector<OpAsmParser::UnresolvedOperand> descriptors;
};
} // namespace

ParseResult DescriptorParser::parseKind() {
  llvm::SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  if (parser.parseKeyword(&name))
    return failure();
  kind = findKind(name);
  if (!kind)
    return parser.emitError(loc)
           << "there is no kind of descriptor '" << name << "'";
  return success();
}

ParseResult DescriptorParser::parseEnumerator(const TypeRow &type) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  std::string name;
  if (parser.parseKeywordOrString(&name))
    return failure();
  std::optional<int64_t> value = findValue(type, name);
  if (!value)
    return parser.emitError(loc)
           << printedName(type) << " has no value '" << name << "'";
  records.push_back(*value);
  return success();
}

ParseResult DescriptorParser::parseFloat(const TypeRow &type) {
  APFloat value(APFloat::IEEEdouble());
  if (parser.parseFloat(APFloat::IEEEdouble(), value))
    return failure();
  double number = value.convertToDouble();
  records.push_back(type.type == ValueType::DOUBLE
                        ? llvm::bit_cast<int64_t>(number)
                        : llvm::bit_cast<uint32_t>(static_cast<float>(number)));
  return success();
}

ParseResult DescriptorParser::parseFraction() {
  int64_t numerator, denominator;
  if (parser.parseInteger(numerator) || parser.parseSlash() ||
      parser.parseInteger(denominator))
    return failure();
  records.append({numerator, denominator});
  return success();
}

ParseResult DescriptorParser::parseDescriptor() {
  records.push_back(static_cast<int64_t>(descriptors.size()));
  return parser.parseOperand(descriptors.emplace_back());
}

ParseResult DescriptorParser::parseElement(const TypeRow &type) {
  if (type.isEnum())
    return parseEnumerator(type);
  switch (type.type) {
  case ValueType::FLOAT:
  case ValueType::DOUBLE:
    return parseFloat(type);
  case ValueType::FRACTION:
    return parseFraction();
  case ValueType::BACKEND_DESCRIPTOR:
    return parseDescriptor();
  case ValueType::BOOLEAN: {
    bool isTrue = succeeded(parser.parseOptionalKeyword("true"));
    records.push_back(isTrue);
    return isTrue ? success() : parser.parseKeyword("false");
  }
  default:
    return parser.parseInteger(records.emplace_back());
  }
}

ParseResult DescriptorParser::parseRecord() {
  llvm::SMLoc loc = parser.getCurrentLocation();
  StringRef name, typeName;
  if (parser.parseKeyword(&name))
    return failure();
  const AttrRow *attr = findAttr(kind->kind, name);
  if (!attr)
    return parser.emitError(loc)
           << printedName(*kind) << " has no attribute '" << name << "'";
  const TypeRow *type = findType(static_cast<int64_t>(attr->type));
  if (succeeded(parser.parseOptionalColon())) {
    loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&typeName))
      return failure();
    type = findType(typeName);
    if (!type)
      return parser.emitError(loc) << "there is no type '" << typeName << "'";
  }
  if (parser.parseEqual())
    return failure();
  size_t begin = records.size();
  records.append(
      {static_cast<int64_t>(attr->attr), static_cast<int64_t>(type->type), 0});
  if (succeeded(parser.parseOptionalLSquare())) {
    if (parser.parseCommaSeparatedList([&] { return parseElement(*type); }) ||
        parser.parseRSquare())
      return failure();
  } else if (parseElement(*type)) {
    return failure();
  }
  records[begin + 2] = (records.size() - begin - 3) / type->words;
  return success();
}

ParseResult DescriptorParser::parse() {
  if (parseKind() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces,
                                     [&] { return parseRecord(); }) ||
      parser.parseOptionalAttrDict(state.attributes))
    return failure();
  mlir::Builder &builder = parser.getBuilder();
  auto type = DescriptorType::get(builder.getContext());
  auto &properties = state.getOrAddProperties<DescriptorOp::Properties>();
  properties.kind = builder.getI32IntegerAttr(static_cast<int32_t>(kind->kind));
  properties.records = builder.getDenseI64ArrayAttr(records);
  state.addTypes(type);
  return parser.resolveOperands(descriptors, type, state.operands);
}

ParseResult DescriptorOp::parse(OpAsmParser &parser, OperationState &state) {
  return DescriptorParser(parser, state).parse();
}
