//===- GenCpp.cpp - Typed methods of the C++ builder ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The output is included twice by opgraph/Graph.h: for the types (enums and
// option structs) and, inside class Graph, for the methods.
//===----------------------------------------------------------------------===//
#include "OpModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace opgraph::tblgen;
using llvm::StringRef;

static void emitEnum(const EnumModel &info, llvm::raw_ostream &os) {
  os << "/// " << info.summary << ".\nenum class " << info.name
     << " : int32_t {\n";
  for (const EnumCaseModel &c : info.cases)
    os << "  " << c.symbol << " = " << c.value << ",\n";
  os << "};\n\n";
}

static std::string cppType(const Model &model, const AttrModel &attr) {
  switch (attr.kind) {
  case AttrKind::I64:
    return "int64_t";
  case AttrKind::F64:
    return "double";
  case AttrKind::Unit:
  case AttrKind::Bool:
    return "bool";
  case AttrKind::String:
    return "std::string";
  case AttrKind::I64Array:
    return "std::vector<int64_t>";
  case AttrKind::Type:
    return "DataType";
  case AttrKind::Enum:
    return model.enums[attr.enumIndex].name;
  }
  return "";
}

/// Whether an absent value differs from every value, so that C++ needs an
/// optional: no default, and not a kind with a value for "not set".
static bool needsOptional(const AttrModel &attr) {
  return attr.optional && attr.defaultValue.empty() &&
         attr.kind != AttrKind::Unit && attr.kind != AttrKind::Type;
}

static std::string cppDefault(const Model &model, const AttrModel &attr) {
  if (attr.kind == AttrKind::Unit)
    return "false";
  if (attr.kind == AttrKind::Type)
    return "DataType::NotSet";
  if (attr.kind == AttrKind::Enum)
    return model.enums[attr.enumIndex].name + "::" + attr.defaultValue;
  if (attr.defaultValue == "inf" || attr.defaultValue == "-inf")
    return attr.defaultValue.substr(0, attr.defaultValue.size() - 3) +
           "std::numeric_limits<double>::infinity()";
  return attr.defaultValue;
}

static void emitOptions(const Model &model, const OpModel &op,
                        llvm::raw_ostream &os) {
  os << "/// Optional operands and attributes of Graph::" << toCamel(op.name)
     << ".\nstruct " << toPascal(op.name) << "Options {\n"
     << "  /// A label; empty takes the next \"" << op.name << ".<number>\".\n"
     << "  std::string name;\n";
  for (const OperandModel &operand : op.operands)
    if (operand.arity == Arity::Optional && !operand.implicit)
      os << "  Tensor " << toCamel(operand.name) << ";\n";
  for (const AttrModel &attr : op.attributes) {
    if (!attr.optional || attr.implicit)
      continue;
    if (needsOptional(attr))
      os << "  std::optional<" << cppType(model, attr) << "> "
         << toCamel(attr.name) << ";\n";
    else
      os << "  " << cppType(model, attr) << " " << toCamel(attr.name) << " = "
         << cppDefault(model, attr) << ";\n";
  }
  if (op.hasRegion)
    os << "  /// From Graph::endRegion; 0 for none.\n"
       << "  int32_t region = 0;\n";
  os << "  /// Tensors of Graph::tensor that become results, by result name.\n"
     << "  std::vector<std::pair<std::string, Tensor>> outputs;\n};\n\n";
  if (op.results.size() == 1)
    return;
  os << "/// Results of Graph::" << toCamel(op.name)
     << "; absent ones are not valid().\nstruct " << toPascal(op.name)
     << "Results {\n";
  for (const ResultModel &result : op.results)
    os << "  Tensor " << toCamel(result.name) << ";\n";
  os << "};\n\n";
}

static void emitMethod(const Model &model, const OpModel &op,
                       llvm::raw_ostream &os) {
  bool single = op.results.size() == 1;
  std::string pascal = toPascal(op.name);
  // The declaration: required operands, then required attributes, in order.
  os << "/// " << op.summary << ".\n"
     << (single ? std::string("Tensor") : pascal + "Results") << " "
     << toCamel(op.name) << "(";
  for (const OperandModel &operand : op.operands) {
    if (operand.implicit)
      continue;
    if (operand.arity == Arity::Required)
      os << "Tensor " << toCamel(operand.name) << ", ";
    if (operand.arity == Arity::Variadic)
      os << "const std::vector<Tensor> &" << toCamel(operand.name) << ", ";
  }
  for (const AttrModel &attr : op.attributes)
    if (!attr.optional)
      os << "const " << cppType(model, attr) << " &" << toCamel(attr.name)
         << ", ";
  os << "const " << pascal << "Options &options = {}) {\n"
     << "  OpCall call(\"" << op.name << "\", options.name);\n";
  for (const OperandModel &operand : op.operands)
    if (!operand.implicit)
      os << "  call.operand(\"" << operand.name << "\", "
         << (operand.arity == Arity::Optional ? "options." : "")
         << toCamel(operand.name)
         << (operand.arity == Arity::Optional ? ", true" : "") << ");\n";
  for (const AttrModel &attr : op.attributes)
    if (!attr.implicit)
      os << "  call.attribute(\"" << attr.name << "\", "
         << (attr.optional ? "options." : "") << toCamel(attr.name) << ");\n";
  if (op.hasRegion)
    os << "  call.region = options.region;\n";
  os << "  call.output(options.outputs);\n";
  if (single) {
    os << "  return addOp<1>(call)[0];\n}\n\n";
    return;
  }
  os << "  auto results = addOp<" << op.results.size()
     << ">(call);\n  return {";
  for (size_t i = 0; i < op.results.size(); ++i)
    os << (i ? ", " : "") << "results[" << i << "]";
  os << "};\n}\n\n";
}

bool opgraph::tblgen::emitTypedCpp(const llvm::RecordKeeper &records,
                                   llvm::raw_ostream &os) {
  Model model = readModel(records);
  os << "// Generated by opgraph-tblgen -gen-typed-cpp. Do not edit.\n"
     << "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
     << "#ifdef OPGRAPH_GRAPH_TYPES\n#undef OPGRAPH_GRAPH_TYPES\n\n";
  for (const EnumModel &info : model.enums)
    emitEnum(info, os);
  for (const OpModel &op : model.ops)
    emitOptions(model, op, os);
  os << "#endif // OPGRAPH_GRAPH_TYPES\n\n"
     << "#ifdef OPGRAPH_GRAPH_METHODS\n#undef OPGRAPH_GRAPH_METHODS\n\n";
  for (const OpModel &op : model.ops)
    emitMethod(model, op, os);
  os << "#endif // OPGRAPH_GRAPH_METHODS\n";
  return false;
}
