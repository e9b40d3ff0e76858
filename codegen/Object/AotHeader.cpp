//===- AotHeader.cpp - C headers of plans in object files -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/Object/AotObject.h"
#include "codegen/PlanFile/PlanContents.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace opgraph;
using namespace opgraph::codegen;

/// `name` in capitals, with `_` for what no identifier holds.
static std::string toMacroName(StringRef name) {
  std::string result = name.upper();
  for (char &c : result)
    if (!isAlnum(c))
      c = '_';
  return result;
}

/// Text that cannot end the comment it stands in.
static std::string inComment(StringRef text) {
  std::string result;
  for (char c : text)
    result += isPrint(c) && c != '*' ? c : '_';
  return result;
}

/// Constants as they are, symbols by name, other expressions as `?`.
static void printDims(raw_ostream &os, ArrayRef<planfile::Expr> exprs,
                      const planfile::PlanContents &plan) {
  os << '[';
  interleaveComma(exprs, os, [&](const planfile::Expr &expr) {
    bool isSymbol = expr.tokens.size() == 1 &&
                    expr.tokens[0].op == planfile::ExprOp::Symbol &&
                    uint64_t(expr.tokens[0].value) < plan.symbols.size();
    if (std::optional<int64_t> value = expr.constant())
      os << *value;
    else if (isSymbol)
      os << inComment(plan.symbols[expr.tokens[0].value].name);
    else
      os << '?';
  });
  os << ']';
}

/// `value` as a C expression of type int64_t.
static std::string toLiteral(int64_t value) {
  if (value == INT64_MIN)
    return "(-INT64_C(9223372036854775807) - 1)";
  std::string digits = std::to_string(value < 0 ? -value : value);
  std::string literal = "INT64_C(" + digits + ")";
  return value < 0 ? "(-" + literal + ")" : literal;
}

/// A macro per operand: its uid.
static void printOperands(raw_ostream &os, StringRef prefix,
                          const planfile::PlanContents &plan) {
  os << "/* The operands' uids. */\n\n";
  StringSet<> used;
  for (const planfile::Operand &operand : plan.operands) {
    std::string name = (prefix + "_UID_" + toMacroName(operand.name)).str();
    while (!used.insert(name).second)
      name += "_";
    os << "/** " << inComment(operand.name) << ": "
       << (operand.isOutput  ? "output"
           : operand.byValue ? "input by value"
                             : "input")
       << ", " << og_dtype_name(operand.dtype) << ", extents ";
    printDims(os, operand.extents, plan);
    os << ", strides ";
    printDims(os, operand.strides, plan);
    os << " */\n#define " << name << " " << toLiteral(operand.uid) << "\n";
  }
  os << "\n";
}

static void printFunctions(raw_ostream &os, StringRef name, bool onCuda) {
  os << "/** Runs the plan; og_plan_execute says what it checks. */\n"
     << "og_status " << name
     << "_execute(const og_variant_pack *pack, void *stream);\n\n"
     << "/** Bytes of workspace that running on `pack` needs; `pack` may be\n"
     << " * null when no size depends on it. */\n"
     << "og_status " << name
     << "_workspace_size(const og_variant_pack *pack, size_t *out);\n\n"
     << "/** The loaded plan, for og_plan_operand and the like. It stays the\n"
     << " * object's own: do not release it. */\n"
     << "og_status " << name << "_describe(og_plan **out);\n\n"
     << "/** Does all lazy work for executing on `device`, which the first\n"
     << " * execution does otherwise"
     << (onCuda ? "; a stream that is capturing needs it before" : "")
     << ". */\n"
     << "static inline og_status " << name << "_prepare(og_device device) {\n"
     << "  og_plan *plan;\n"
     << "  og_status status = " << name << "_describe(&plan);\n"
     << "  return status == OG_OK ? og_plan_prepare(plan, device) : status;\n"
     << "}\n\n";
}

/// What a caller of a plan for a GPU must know.
static void printDeviceRules(raw_ostream &os) {
  os << "/* Operands and workspace (aligned to OG_DEVICE_WORKSPACE_ALIGNMENT)\n"
     << " * are memory of one CUDA device, by-value operands of the host;\n"
     << " * `stream` is a CUDA stream of that device's primary context, null\n"
     << " * for the default one. */\n\n";
}

Expected<std::string> opgraph::codegen::emitAotHeader(ArrayRef<uint8_t> plan,
                                                      StringRef name) {
  if (!isCIdentifier(name))
    return createStringError("object name '" + name +
                             "' is not a C identifier");
  planfile::PlanContents contents;
  std::string error;
  if (!planfile::readPlanFile(plan.data(), plan.size(), contents, error))
    return createStringError(error);
  std::string prefix = toMacroName(name);
  std::string text;
  raw_string_ostream os(text);
  os << "/* " << name << ".h - made by opgraph; engine "
     << inComment(contents.engineName) << ", target "
     << inComment(contents.target) << " */\n"
     << "#ifndef OPGRAPH_AOT_" << prefix << "_H\n"
     << "#define OPGRAPH_AOT_" << prefix << "_H\n\n"
     << "#include \"opgraph-c/runtime.h\"\n\n"
     << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  printOperands(os, prefix, contents);
  bool onCuda = contents.device == planfile::DeviceKind::Cuda;
  if (onCuda)
    printDeviceRules(os);
  printFunctions(os, name, onCuda);
  os << "#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
  return text;
}
