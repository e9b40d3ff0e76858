//===- GenPython.cpp - Table and methods of the Python builder ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The output is opgraph/_ops.py: data (OPS, ENUMS) that the package's general
// op call reads, and a mixin with one method per operation. Operations whose
// peers' signature is not the regular one are overridden by hand there.
//===----------------------------------------------------------------------===//
#include "OpModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace opgraph::tblgen;
using llvm::StringRef;

static StringRef kindText(AttrKind kind) {
  switch (kind) {
  case AttrKind::I64:
    return "int";
  case AttrKind::F64:
    return "float";
  case AttrKind::Unit:
  case AttrKind::Bool:
    return "bool";
  case AttrKind::String:
    return "str";
  case AttrKind::I64Array:
    return "ints";
  case AttrKind::Type:
    return "dtype";
  case AttrKind::Enum:
    return "enum";
  }
  return "";
}

static StringRef arityText(Arity arity) {
  switch (arity) {
  case Arity::Required:
    return "required";
  case Arity::Optional:
    return "optional";
  case Arity::Variadic:
    return "variadic";
  }
  return "";
}

/// A default as a Python expression.
static std::string pythonDefault(const AttrModel &attr) {
  if (attr.defaultValue.empty())
    return "None";
  if (attr.kind == AttrKind::Enum)
    return "\"" + attr.defaultValue + "\"";
  if (attr.defaultValue == "inf" || attr.defaultValue == "-inf")
    return "float(\"" + attr.defaultValue + "\")";
  if (attr.kind == AttrKind::Bool)
    return attr.defaultValue == "true" ? "True" : "False";
  return attr.defaultValue;
}

static void emitTable(const Model &model, llvm::raw_ostream &os) {
  os << "#: Enumerations: name -> {peers' member: (text in .mlir, value)}.\n"
     << "ENUMS = {\n";
  for (const EnumModel &info : model.enums) {
    os << "    \"" << info.name << "\": {\n";
    for (const EnumCaseModel &c : info.cases)
      os << "        \"" << c.symbol << "\": (\"" << c.text << "\", " << c.value
         << "),\n";
    os << "    },\n";
  }
  os << "}\n\n\n#: Operations by name.\nOPS = {\n";
  for (const OpModel &op : model.ops) {
    os << "    \"" << op.name << "\": Op(\n        \"" << op.name << "\",\n"
       << "        (";
    for (const OperandModel &operand : op.operands)
      os << "Operand(\"" << operand.name << "\", \"" << operand.port << "\", \""
         << arityText(operand.arity) << "\"), ";
    os << "),\n        (";
    for (const ResultModel &result : op.results)
      os << "OpResult(\"" << result.name << "\", \"" << result.port << "\", "
         << (result.optional ? "True" : "False") << "), ";
    os << "),\n        (\n";
    for (const AttrModel &attr : op.attributes) {
      os << "            Attribute(\"" << attr.name << "\", \""
         << kindText(attr.kind) << "\", " << (attr.optional ? "False" : "True")
         << ", " << pythonDefault(attr) << ", ";
      if (attr.enumIndex < 0)
        os << "None";
      else
        os << "\"" << model.enums[attr.enumIndex].name << "\"";
      os << "),\n";
    }
    os << "        ),\n    ),\n";
  }
  os << "}\n";
}

/// The regular signature (reference, section 5.1): tensors, then the attributes
/// that the peers take by position, then keywords.
static void emitMethod(const OpModel &op, llvm::raw_ostream &os) {
  static const llvm::StringSet<> positional = {
      "relu",      "relu_backward",  "leaky_relu", "leaky_relu_backward",
      "swish",     "swish_backward", "gen_index",  "reshape",
      "transpose", "reduction"};
  bool byPosition = positional.contains(op.name);
  os << "    def " << op.name << "(self";
  // Tensors keep the definition's order; what follows an optional one gets a
  // default too, and the general op call reports it when it is missing.
  bool optional = false;
  for (const OperandModel &operand : op.operands) {
    if (operand.implicit)
      continue;
    optional |= operand.arity == Arity::Optional;
    os << ", " << operand.name << (optional ? "=None" : "");
  }
  for (const AttrModel &attr : op.attributes)
    if (!attr.optional)
      os << ", " << attr.name << (optional ? "=None" : "");
  if (!byPosition)
    os << ", *";
  bool computes = false;
  for (const AttrModel &attr : op.attributes) {
    if (attr.name == "compute_type")
      computes = true;
    else if (attr.optional && !attr.implicit)
      os << ", " << attr.name << "=None";
  }
  os << ", name=\"\"" << (computes ? ", compute_data_type=None" : "")
     << "):\n        \"\"\"" << op.summary << ".\"\"\"\n"
     << "        return self._op(\"" << op.name << "\", {";
  for (const OperandModel &operand : op.operands)
    if (!operand.implicit)
      os << "\"" << operand.name << "\": " << operand.name << ", ";
  os << "}, {";
  for (const AttrModel &attr : op.attributes)
    if (attr.name != "compute_type" && !attr.implicit)
      os << "\"" << attr.name << "\": " << attr.name << ", ";
  os << "}, name" << (computes ? ", compute_data_type" : "") << ")\n\n";
}

bool opgraph::tblgen::emitTypedPython(const llvm::RecordKeeper &records,
                                      llvm::raw_ostream &os) {
  Model model = readModel(records);
  os << "# Generated by opgraph-tblgen -gen-typed-python. Do not edit.\n"
     << "# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
     << "\"\"\"The operations: what the builder is told, and a method "
        "each.\"\"\"\n\n"
     << "from typing import NamedTuple, Optional, Tuple\n\n\n"
     << "class Operand(NamedTuple):\n    name: str\n    port: str\n"
     << "    arity: str  # required, optional or variadic\n\n\n"
     << "class OpResult(NamedTuple):\n    name: str\n    port: str\n"
     << "    optional: bool\n\n\n"
     << "class Attribute(NamedTuple):\n    name: str\n"
     << "    kind: str  # int, float, bool, str, ints, dtype or enum\n"
     << "    required: bool\n    default: object\n"
     << "    enum: Optional[str]  # a key of ENUMS\n\n\n"
     << "class Op(NamedTuple):\n    name: str\n"
     << "    operands: Tuple[Operand, ...]\n    results: Tuple[OpResult, ...]\n"
     << "    attributes: Tuple[Attribute, ...]\n\n\n";
  emitTable(model, os);
  os << "\n\nclass OpMethods:\n"
     << "    \"\"\"One method per operation, over ``self._op(op, operands, "
        "attributes,\n    name, compute_data_type=None)``.\"\"\"\n\n";
  for (const OpModel &op : model.ops)
    emitMethod(op, os);
  return false;
}
