//===- HostErrorTest.cpp - Failures of host code generation ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CodegenTest.h"
#include "codegen/Host/Recovery.h"
#include "llvm/Support/ErrorHandling.h"

using namespace opgraph;
using namespace opgraph::test;

namespace {

/// Compiles modules around one statement of an entry.
class HostErrorTest : public CodegenTest {
protected:
  /// The error's text; empty when the module compiles.
  std::string errorOf(const std::string &statements,
                      const std::string &globals = "") {
    std::string text = R"(
plan.program @g target "host" engine <10000, "host.reference", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8)>
      strides affine_map<() -> (1)>
  plan.operand "y" uid 2 out f32 extents affine_map<() -> (8)>
      strides affine_map<() -> (1)>
  plan.host_call @opgraph_g
}
)" + globals + R"(
func.func @opgraph_g(%x: memref<8xf32>, %y: memref<8xf32>)
    attributes {opgraph.host_entry} {
  %c0 = arith.constant 0 : index
  %v = memref.load %x[%c0] : memref<8xf32>
)" + statements + R"(
  return
}
)";
    mlir::OwningOpRef<mlir::ModuleOp> module = parse(text);
    if (!module)
      return "the module does not parse";
    auto code = compile(*module);
    if (code)
      return "";
    return llvm::toString(code.takeError());
  }

  void expectCompilesAgain() {
    EXPECT_EQ(errorOf("memref.store %v, %y[%c0] : memref<8xf32>"), "");
  }
};

void expectContains(const std::string &text, const std::string &part) {
  EXPECT_NE(text.find(part), std::string::npos) << "in: " << text;
}

TEST_F(HostErrorTest, RecoversFromAFatalError) {
  // No x86 instruction matches: LLVM reports a fatal error.
  expectContains(
      errorOf("%r = llvm.call_intrinsic \"llvm.nvvm.read.ptx.sreg.tid.x\"() : "
              "() -> i32\n"
              "%f = arith.sitofp %r : i32 to f32\n"
              "memref.store %f, %y[%c0] : memref<8xf32>"),
      "LLVM failed: ");
  expectCompilesAgain();
}

TEST_F(HostErrorTest, RecoversFromAnErrorDiagnostic) {
  expectContains(
      errorOf("llvm.inline_asm has_side_effects \"no such instruction\", \"\" "
              ": () -> ()"),
      "code generation failed: ");
  expectCompilesAgain();
}

TEST_F(HostErrorTest, FatalErrorsNest) {
  llvm::Error error = codegen::recoverFatalErrors([] {
    llvm::Error inner = codegen::recoverFatalErrors(
        []() -> llvm::Error { llvm::report_fatal_error("inner"); });
    EXPECT_EQ(llvm::toString(std::move(inner)), "LLVM failed: inner");
    return llvm::Error::success();
  });
  EXPECT_FALSE(bool(error));
}

TEST_F(HostErrorTest, RefusesImportsOffTheList) {
  expectContains(
      errorOf("func.call @puts() : () -> ()", "func.func private @puts()"),
      "imports 'puts'");
  expectCompilesAgain();
}

TEST_F(HostErrorTest, RefusesWritableData) {
  expectContains(errorOf("%a = llvm.mlir.addressof @state : !llvm.ptr\n"
                         "%s = llvm.load volatile %a : !llvm.ptr -> f32\n"
                         "llvm.store volatile %v, %a : f32, !llvm.ptr",
                         "llvm.mlir.global internal @state(1.0 : f32) : f32"),
                 "writable data");
}

TEST_F(HostErrorTest, RefusesThreadLocalData) {
  // JITLink knows no relocation of thread-local storage.
  expectContains(
      errorOf("%a = llvm.mlir.addressof @state : !llvm.ptr\n"
              "llvm.store volatile %v, %a : f32, !llvm.ptr",
              "llvm.mlir.global internal thread_local @state(1.0 : f32) : "
              "f32"),
      "TLS");
}

TEST_F(HostErrorTest, NamesTemporariesWithoutABound) {
  expectContains(errorOf("%n = arith.fptosi %v : f32 to i64\n"
                         "%i = arith.index_cast %n : i64 to index\n"
                         "%t = memref.alloc(%i) : memref<?xf32>\n"
                         "memref.store %v, %t[%c0] : memref<?xf32>"),
                 "no bound of its extent at axis 0");
}

TEST_F(HostErrorTest, NamesUnknownVariants) {
  mlir::OwningOpRef<mlir::ModuleOp> module = parse("module {}");
  codegen::HostOptions options;
  options.variants = {"x86-64-v9"};
  auto code = codegen::compileHost(*module, options);
  EXPECT_EQ(llvm::toString(code.takeError()),
            "unknown code variant 'x86-64-v9'");
}

} // namespace
