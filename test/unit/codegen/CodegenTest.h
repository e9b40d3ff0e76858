//===- CodegenTest.h - Shared parts of the codegen tests --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_TEST_UNIT_CODEGEN_CODEGENTEST_H
#define OPGRAPH_TEST_UNIT_CODEGEN_CODEGENTEST_H

#include "codegen/Host/HostCodegen.h"
#include "codegen/PlanFile/FromIR.h"
#include "dialects/Plan/PlanDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "opgraph-c/runtime.h"
#include "gtest/gtest.h"

#include <string>
#include <vector>

namespace opgraph::test {

/// A context that can compile host modules.
class CodegenTest : public ::testing::Test {
protected:
  CodegenTest() : context(mlir::MLIRContext::Threading::DISABLED) {
    mlir::DialectRegistry registry;
    codegen::registerHostCodegenDialects(registry);
    context.appendDialectRegistry(registry);
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text) {
    return mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  }

  /// Compiles for the best variant that this machine runs.
  llvm::Expected<codegen::HostCode> compile(mlir::ModuleOp module) {
    codegen::HostOptions options;
    options.variants.push_back(og_cpu_target());
    options.verifyPasses = true;
    return codegen::compileHost(module, options);
  }

  /// Compiles, writes the plan file and loads it. Null, with a test failure,
  /// when a step fails. The caller releases the plan.
  og_plan *build(llvm::StringRef text);

  mlir::MLIRContext context;
};

/// A buffer of packed f32.
struct Buffer {
  Buffer(int64_t uid, std::vector<int64_t> shape)
      : uid(uid), shape(std::move(shape)) {
    int64_t count = 1;
    for (int64_t extent : this->shape)
      count *= extent;
    values.resize(count);
  }

  og_buffer get() {
    og_buffer buffer = {};
    buffer.struct_size = sizeof(buffer);
    buffer.uid = uid;
    buffer.data = values.data();
    buffer.dtype = OG_DTYPE_FLOAT;
    buffer.ndim = shape.size();
    buffer.shape = shape.data();
    buffer.device = {OG_DEVICE_HOST, 0};
    return buffer;
  }

  int64_t uid;
  std::vector<int64_t> shape;
  std::vector<float> values;
};

/// Runs `plan` on `buffers`, with a workspace of its size.
void execute(og_plan *plan, std::vector<og_buffer> buffers);

} // namespace opgraph::test

#endif // OPGRAPH_TEST_UNIT_CODEGEN_CODEGENTEST_H
