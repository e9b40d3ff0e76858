//===- LibdeviceTest.cpp - Functions of libdevice in kernels --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/NVPTX/Libdevice.h"
#include "Variable.h"
#include "codegen/NVPTX/Ptx.h"
#include "dialects/Tile/TileDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace opgraph;
using namespace opgraph::codegen;
using opgraph::test::Variable;
using testing::HasSubstr;
using testing::Not;

namespace {

/// The PTX of a kernel that calls `function` of a double.
llvm::Expected<std::string> compile(const std::string &function) {
  mlir::MLIRContext context;
  context.loadDialect<mlir::LLVM::LLVMDialect, mlir::NVVM::NVVMDialect>();
  std::string text = "llvm.func @" + function + R"((f64) -> f64
llvm.func @opgraph_k(%p: !llvm.ptr<1>)
    attributes {nvvm.kernel, nvvm.reqntid = array<i32: 32>} {
  %x = llvm.load %p : !llvm.ptr<1> -> f64
  %y = llvm.call @)" +
                     function + R"((%x) : (f64) -> f64
  llvm.store %y, %p : f64, !llvm.ptr<1>
  llvm.return
})";
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  return emitPtx(*module, tile::getTargetInfo(tile::Target::sm_90a));
}

TEST(LibdeviceTest, LinksOnlyWhatIsCalled) {
  if (!findLibdevice())
    GTEST_SKIP() << "no libdevice";
  llvm::Expected<std::string> ptx = compile("__nv_exp");
  ASSERT_TRUE(bool(ptx)) << llvm::toString(ptx.takeError());
  EXPECT_THAT(*ptx, HasSubstr("fma.rn.f64"));
  EXPECT_THAT(*ptx, HasSubstr(".target sm_90a"));
  // Nothing of the library is left but what was inlined.
  EXPECT_THAT(*ptx, Not(HasSubstr("__nv_")));
  EXPECT_THAT(*ptx, Not(HasSubstr("__nvvm_reflect")));
  EXPECT_THAT(*ptx, Not(HasSubstr(".func")));
}

TEST(LibdeviceTest, AFunctionThatItLacksIsAnError) {
  if (!findLibdevice())
    GTEST_SKIP() << "no libdevice";
  llvm::Expected<std::string> ptx = compile("__nv_nonsense");
  ASSERT_FALSE(bool(ptx));
  EXPECT_THAT(llvm::toString(ptx.takeError()),
              HasSubstr("has no function __nv_nonsense"));
}

TEST(LibdeviceTest, AMissingLibraryIsNamed) {
  auto compileWith = [](const char *library) {
    Variable given("OPGRAPH_LIBDEVICE", library);
    return compile("__nv_exp");
  };
  llvm::Expected<std::string> none = compileWith("none");
  llvm::Expected<std::string> absent = compileWith("/nowhere/libdevice.bc");
  llvm::Expected<std::string> foreign = compileWith("/proc/self/exe");
  ASSERT_FALSE(bool(none));
  EXPECT_THAT(llvm::toString(none.takeError()),
              HasSubstr("__nv_exp needs libdevice.10.bc"));
  ASSERT_FALSE(bool(absent));
  EXPECT_THAT(llvm::toString(absent.takeError()),
              HasSubstr("cannot read /nowhere/libdevice.bc"));
  ASSERT_FALSE(bool(foreign));
  EXPECT_THAT(llvm::toString(foreign.takeError()), HasSubstr("cannot read"));
}

TEST(LibdeviceTest, LlvmsFatalErrorsAreReturned) {
  // No such libcall on a GPU: LLVM ends the process by itself.
  mlir::MLIRContext context;
  context.loadDialect<mlir::LLVM::LLVMDialect, mlir::NVVM::NVVMDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(R"(
llvm.func @opgraph_k(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %x = llvm.load %p : !llvm.ptr<1> -> f64
  %y = llvm.intr.pow(%x, %x) : (f64, f64) -> f64
  llvm.store %y, %p : f64, !llvm.ptr<1>
  llvm.return
})",
                                                        &context);
  auto ptx = emitPtx(*module, tile::getTargetInfo(tile::Target::sm_90a));
  ASSERT_FALSE(bool(ptx));
  EXPECT_THAT(llvm::toString(ptx.takeError()), HasSubstr("LLVM failed"));
}

} // namespace
