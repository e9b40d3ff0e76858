//===- HostImportsTest.cpp - Every function and type on every variant -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// What an instruction set lacks becomes a call. Each must be on the closed
// list of imports: linking an image fails on any other.
//
//===----------------------------------------------------------------------===//

#include "CodegenTest.h"
#include "codegen/Host/TargetVariant.h"

#include <cmath>

using namespace opgraph;
using namespace opgraph::test;

namespace {

/// One statement: `$T` stands for the type, `$V` for a loaded value. It defines
/// `%r<n>` for `$R`.
std::string instantiate(std::string text, const std::string &type,
                        const std::string &value, const std::string &result) {
  for (auto &[from, to] : {std::pair<std::string, std::string>{"$T", type},
                           {"$V", value},
                           {"$R", result}})
    for (size_t at; (at = text.find(from)) != std::string::npos;)
      text.replace(at, from.size(), to);
  return text;
}

/// A module that applies each of `statements` to a value of x and stores the
/// result, of `resultType`, into y.
std::string moduleOf(const std::vector<std::string> &statements,
                     const std::string &type, const std::string &resultType) {
  std::string body;
  for (size_t i = 0; i < statements.size(); ++i) {
    std::string result = "%r" + std::to_string(i);
    body += "  " + instantiate(statements[i], type, "%v", result) + "\n";
    body += "  memref.store " + result + ", %y[%i] : memref<8x" + resultType +
            ">\n";
  }
  auto operand = [](std::string name, std::string role, std::string type) {
    return "  plan.operand \"" + name + "\" uid " +
           std::to_string(name == "x" ? 1 : 2) + " " + role + " " + type +
           " extents affine_map<() -> (8)> strides affine_map<() -> (1)>\n";
  };
  return "plan.program @g target \"host\" engine <1, \"e\", 1> {\n" +
         operand("x", "in", type) + operand("y", "out", resultType) +
         "  plan.host_call @opgraph_g\n}\n"
         "func.func @opgraph_g(%x: memref<8x" +
         type + ">, %y: memref<8x" + resultType +
         ">) attributes {opgraph.host_entry} {\n"
         "  %c0 = arith.constant 0 : index\n"
         "  %c1 = arith.constant 1 : index\n"
         "  %c8 = arith.constant 8 : index\n"
         "  scf.for %i = %c0 to %c8 step %c1 {\n"
         "  %v = memref.load %x[%i] : memref<8x" +
         type + ">\n" + body + "  }\n  return\n}\n";
}

class HostImportsTest : public CodegenTest {
protected:
  void compileAll(const std::vector<std::string> &statements,
                  const std::string &type, const std::string &resultType) {
    for (const std::string &statement : statements) {
      std::string text = moduleOf({statement}, type, resultType);
      mlir::OwningOpRef<mlir::ModuleOp> module = parse(text);
      ASSERT_TRUE(bool(module)) << text;
      codegen::HostOptions options;
      for (const codegen::TargetVariant &variant : codegen::targetVariants())
        options.variants.push_back(variant.name.str());
      auto code = codegen::compileHost(*module, options);
      EXPECT_TRUE(bool(code)) << statement << ", " << type << ": "
                              << (code ? "" : llvm::toString(code.takeError()));
    }
  }
};

TEST_F(HostImportsTest, FloatFunctions) {
  std::vector<std::string> statements;
  for (const char *name :
       {"absf",  "acos",  "acosh", "asin",  "asinh",     "atan",
        "atanh", "cbrt",  "ceil",  "cos",   "cosh",      "erf",
        "erfc",  "exp",   "exp2",  "expm1", "floor",     "log",
        "log10", "log1p", "log2",  "round", "roundeven", "rsqrt",
        "sin",   "sinh",  "sqrt",  "tan",   "tanh",      "trunc"})
    statements.push_back("$R = math." + std::string(name) + " $V : $T");
  for (const char *name : {"atan2", "copysign", "powf"})
    statements.push_back("$R = math." + std::string(name) + " $V, $V : $T");
  statements.push_back("$R = math.fma $V, $V, $V : $T");
  for (const char *name : {"remf", "maximumf", "minimumf", "maxnumf"})
    statements.push_back("$R = arith." + std::string(name) + " $V, $V : $T");
  compileAll(statements, "f32", "f32");
  compileAll(statements, "f64", "f64");
}

TEST_F(HostImportsTest, PowersOfConstants) {
  // LLVM would like exp10 here, which C99 lacks.
  for (const char *type : {"f32", "f64"})
    compileAll({"%b = arith.constant 10.0 : $T\n"
                "  $R = math.powf %b, $V : $T",
                "%b = arith.constant 2.0 : $T\n"
                "  $R = math.powf %b, $V : $T"},
               type, type);
}

TEST_F(HostImportsTest, SineAndCosineTogether) {
  compileAll({"%s = math.sin $V : $T\n  %c = math.cos $V : $T\n"
              "  $R = arith.divf %s, %c : $T"},
             "f32", "f32");
}

TEST_F(HostImportsTest, FloatConversions) {
  const std::string floats[] = {"f16", "bf16", "f32", "f64"};
  auto width = [](const std::string &type) {
    return type == "f64" ? 64 : type == "f32" ? 32 : 16;
  };
  for (const std::string &from : floats)
    for (const std::string &to : floats)
      if (width(from) != width(to))
        compileAll({std::string("$R = arith.") +
                    (width(from) < width(to) ? "extf" : "truncf") +
                    " $V : $T to " + to},
                   from, to);
}

TEST_F(HostImportsTest, IntegerConversions) {
  for (const char *integer : {"i8", "i32", "i64"})
    for (const char *number : {"f16", "f32", "f64"}) {
      compileAll({"$R = arith.sitofp $V : $T to " + std::string(number),
                  "$R = arith.uitofp $V : $T to " + std::string(number)},
                 integer, number);
      compileAll({"$R = arith.fptosi $V : $T to " + std::string(integer),
                  "$R = arith.fptoui $V : $T to " + std::string(integer)},
                 number, integer);
    }
}

TEST_F(HostImportsTest, IntegerArithmetic) {
  for (const char *type : {"i8", "i32", "i64"})
    compileAll({"$R = arith.divsi $V, $V : $T", "$R = arith.remui $V, $V : $T",
                "$R = arith.muli $V, $V : $T",
                "$R = arith.ceildivsi $V, $V : $T",
                "$R = arith.floordivsi $V, $V : $T", "$R = math.absi $V : $T",
                "$R = math.ctlz $V : $T", "$R = math.ctpop $V : $T"},
               type, type);
}

} // namespace
