//===- OwnersTest.cpp - Fragments as PTX draws them -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expected places are the formulas of the PTX manual, typed in by hand.
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/Owners.h"
#include "codegen/TileInterpreter/ReducePlan.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace opgraph::tile;
using namespace opgraph::tile::interp;

namespace {
class OwnersTest : public ::testing::Test {
protected:
  OwnersTest() { context.loadDialect<TileDialect>(); }

  RegType parse(llvm::StringRef text) {
    return cast<RegType>(parseType(text, &context));
  }
  OwnerTable table(llvm::StringRef text) {
    FailureOr<OwnerTable> made = OwnerTable::get(parse(text));
    EXPECT_TRUE(succeeded(made));
    return std::move(*made);
  }

  MLIRContext context;
};

/// wgmma's accumulator m64nN: warp w has rows 16 w to 16 w + 15; of these,
/// register d holds row lane / 4 + 8 * (d / 2 % 2) and column
/// 8 * (d / 4) + 2 * (lane % 4) + d % 2.
TEST_F(OwnersTest, WarpgroupAccumulator) {
  OwnerTable owners = table("!tile.reg<64x32xf32, #tile.acc>");
  EXPECT_EQ(owners.getWarps(), 4);
  EXPECT_EQ(owners.getRegisters(), 16);
  for (int warp = 0; warp < 4; ++warp)
    for (int lane = 0; lane < 32; ++lane)
      for (int d = 0; d < 16; ++d) {
        int row = 16 * warp + lane / 4 + 8 * (d / 2 % 2);
        int col = 8 * (d / 4) + 2 * (lane % 4) + d % 2;
        OwnerPart part = owners.at(row, col);
        EXPECT_EQ(part.warp, warp);
        EXPECT_EQ(part.lane, lane);
        EXPECT_EQ(part.reg, d);
      }
}

/// mma.sync's accumulator m16n8: c0, c1 in row lane / 4, c2, c3 8 below.
TEST_F(OwnersTest, WarpAccumulator) {
  OwnerTable owners = table("!tile.reg<16x8xf32, #tile.acc<warps = [1, 1]>>");
  for (int lane = 0; lane < 32; ++lane)
    for (int c = 0; c < 4; ++c) {
      OwnerPart part =
          owners.at(lane / 4 + 8 * (c / 2), 2 * (lane % 4) + c % 2);
      EXPECT_EQ(part.lane, lane);
      EXPECT_EQ(part.reg, c);
    }
}

/// A row statistic of an accumulator is on the four lanes of its row.
TEST_F(OwnersTest, RowStatisticsAreReplicated) {
  OwnerTable owners = table("!tile.reg<64x1xf32, #tile.acc>");
  EXPECT_TRUE(owners.isLaneReplicated());
  EXPECT_EQ(owners.warpCopies().size(), 1u);
  EXPECT_EQ(owners.at(13, 0).lane, 20);
  OwnerTable one =
      table("!tile.reg<1x1xf32, #tile.blocked<vector = 1, lanes = [1, 32], "
            "warps = [1, 4]>>");
  EXPECT_EQ(one.warpCopies().size(), 4u);
}

/// Columns: registers of a vector, then lanes, then warps, then registers.
TEST_F(OwnersTest, Blocked) {
  OwnerTable owners =
      table("!tile.reg<1x1024xf32, #tile.blocked<vector = 4, lanes = [1, 32], "
            "warps = [1, 4]>>");
  for (int c = 0; c < 1024; ++c) {
    OwnerPart part = owners.at(0, c);
    EXPECT_EQ(part.warp, c / 128 % 4);
    EXPECT_EQ(part.lane, c / 4 % 32);
    EXPECT_EQ(part.reg, c % 4 + c / 512 * 4);
  }
}

TEST_F(OwnersTest, ReduceOrder) {
  RegType type = parse("!tile.reg<1x1024xf32, #tile.blocked<vector = 4, "
                       "lanes = [1, 32], warps = [1, 4]>>");
  FailureOr<SmallVector<Factor>> factors = factorsOf(type, 1);
  ASSERT_TRUE(succeeded(factors));
  FailureOr<ReducePlan> all =
      ReducePlan::get(*factors, ReduceLevel::group, /*block=*/0);
  ASSERT_TRUE(succeeded(all));
  EXPECT_EQ(all->results, 1);
  EXPECT_EQ(all->warps, 4);
  EXPECT_EQ(all->lanes, 32);
  EXPECT_EQ(all->registers, 8);
  EXPECT_EQ(all->at(0, 2, 5, 6), 512 + 2 * 128 + 5 * 4 + 2);

  FailureOr<ReducePlan> lanes =
      ReducePlan::get(*factors, ReduceLevel::thread, /*block=*/0);
  ASSERT_TRUE(succeeded(lanes));
  EXPECT_EQ(lanes->results, 128);
  EXPECT_EQ(lanes->registers, 8);

  // Runs of 16 are four lanes of four registers.
  FailureOr<ReducePlan> blocks =
      ReducePlan::get(*factors, ReduceLevel::warp, /*block=*/16);
  ASSERT_TRUE(succeeded(blocks));
  EXPECT_EQ(blocks->results, 64);
  EXPECT_EQ(blocks->lanes, 4);
  EXPECT_EQ(blocks->at(1, 0, 1, 0), 20);
  EXPECT_TRUE(failed(ReducePlan::get(*factors, ReduceLevel::warp, 24)));
}
} // namespace
