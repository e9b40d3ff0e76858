//===- SchedulesTest.cpp - Interleavings, replayed and compared -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/Interpreter.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace opgraph::tile;
using namespace opgraph::tile::interp;

namespace {
class SchedulesTest : public ::testing::Test {
protected:
  SchedulesTest() { context.loadDialect<TileDialect>(); }

  Report run(llvm::StringRef text, const Options &options = {}) {
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    if (!module)
      return {};
    Launch launch;
    launch.buffers.push_back({"y", std::vector<uint8_t>(4)});
    Argument argument;
    argument.kind = Argument::Kind::Pointer;
    launch.arguments.push_back(argument);
    FailureOr<Report> report =
        interpret(*module->getOps<KernelOp>().begin(), launch, options);
    EXPECT_TRUE(succeeded(report));
    return succeeded(report) ? *report : Report();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

/// Two warps; `meet` stands in each after its first write.
std::string pair(llvm::StringRef writer, llvm::StringRef reader) {
  return ("tile.kernel @k(%yp: !tile.ptr<i32, align 4>) warps(2) "
          "targets [sm_90a] {\n"
          "  %y = tile.view %yp : !tile.ptr<i32, align 4> -> "
          "!tile.view<1xi32, strides [1], align 4>\n"
          "  %s = tile.shared : !tile.shared<1xi32>\n"
          "  %b = tile.barrier : !tile.barrier<64>\n"
          "  %m = tile.semaphore : !tile.semaphore<1>\n"
          "  %c0 = arith.constant 0 : i32\n"
          "  %c7 = arith.constant 7 : i32\n"
          "  tile.role @writer warps(0) {\n"
          "    tile.store_scalar %c7, %s[%c0] : i32, !tile.shared<1xi32>\n" +
          writer +
          "  }\n"
          "  tile.role @reader warps(1) {\n" +
          reader +
          "    %v = tile.load_scalar %s[%c0] : !tile.shared<1xi32> -> i32\n"
          "    tile.store_scalar %v, %y[%c0] : i32, "
          "!tile.view<1xi32, strides [1], align 4>\n"
          "  }\n"
          "}\n")
      .str();
}

constexpr llvm::StringLiteral sync = "    tile.barrier_sync %b : "
                                     "!tile.barrier<64>\n";

TEST_F(SchedulesTest, CleanKernelGivesItsNumbers) {
  Report report = run(pair(sync, sync));
  EXPECT_TRUE(report.faults.empty());
  ASSERT_EQ(report.outputs.size(), 1u);
  EXPECT_EQ(report.outputs[0], (std::vector<uint8_t>{7, 0, 0, 0}));
  EXPECT_GT(report.steps, 0u);
}

TEST_F(SchedulesTest, RaceIsFoundByMostSchedules) {
  // Alone, each schedule sees a race or (the reader first) unwritten memory.
  unsigned found = 0;
  for (uint64_t seed = 0; seed < 8; ++seed) {
    Options options;
    options.seed = seed;
    options.schedules = 1;
    Report report = run(pair("", ""), options);
    found += !report.faults.empty();
  }
  EXPECT_GE(found, 6u);
}

TEST_F(SchedulesTest, ArrivalPublishesWhatWasBefore) {
  std::string fill = "    tile.fill %m : !tile.semaphore<1>\n";
  std::string await = "    tile.await %m : !tile.semaphore<1>\n";
  EXPECT_TRUE(run(pair(fill, await)).faults.empty());
  std::string relaxed = "    tile.fill %m order relaxed : !tile.semaphore<1>\n";
  Report report = run(pair(relaxed, await));
  ASSERT_EQ(report.faults.size(), 1u);
  EXPECT_EQ(report.faults[0].kind, FaultKind::Race);
}

TEST_F(SchedulesTest, SeedReplays) {
  std::string text = pair("", "");
  Report first = run(text), second = run(text);
  ASSERT_EQ(first.faults.size(), 1u);
  ASSERT_EQ(second.faults.size(), 1u);
  EXPECT_EQ(first.faults[0].text, second.faults[0].text);
  EXPECT_EQ(first.faults[0].schedule, second.faults[0].schedule);
  EXPECT_EQ(first.steps, second.steps);
}

TEST_F(SchedulesTest, EndlessLoopHitsTheLimit) {
  std::string loop = "    scf.while : () -> () {\n"
                     "      %t = arith.constant true\n"
                     "      scf.condition(%t)\n"
                     "    } do {\n"
                     "      scf.yield\n"
                     "    }\n";
  Options options;
  options.maxSteps = 1000;
  Report report = run(pair(loop + sync.str(), sync), options);
  ASSERT_EQ(report.faults.size(), 1u);
  EXPECT_EQ(report.faults[0].kind, FaultKind::StepLimit);
}

TEST_F(SchedulesTest, LaunchMustFit) {
  module = parseSourceString<ModuleOp>(pair(sync, sync), &context);
  ScopedDiagnosticHandler silent(&context, [](Diagnostic &) {});
  EXPECT_TRUE(failed(interpret(*module->getOps<KernelOp>().begin(), Launch())));
}
} // namespace
