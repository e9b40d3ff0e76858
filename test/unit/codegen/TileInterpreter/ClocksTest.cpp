//===- ClocksTest.cpp - Happens-before of single bytes --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/Clocks.h"
#include "codegen/TileInterpreter/Memory.h"
#include "codegen/TileInterpreter/Sync.h"
#include "gtest/gtest.h"

using namespace opgraph::tile::interp;

namespace {
/// Two warps (components 0, 1), their copy queues (2, 3), a barrier (4).
struct Party2 {
  Knowledge knows[2] = {Knowledge(0, 5), Knowledge(0, 5)};
  LaneSync lanes[2];

  Accessor at(unsigned warp, uint32_t time, uint8_t lane,
              bool isAsync = false) {
    knows[warp].seen.raise(warp, time);
    Accessor by;
    by.knows = &knows[warp];
    by.stamp.component = warp;
    by.stamp.time = time;
    by.stamp.lane = lane;
    by.firstWarp = warp;
    by.firstQueue = 2 + warp;
    by.warps = 1;
    by.lanes = llvm::ArrayRef(&lanes[warp], 1);
    by.isAsync = isAsync;
    return by;
  }
};

TEST(ClocksTest, ReadNeedsTheWrite) {
  Party2 p;
  Shadow cell;
  EXPECT_FALSE(cell.isWritten());
  EXPECT_FALSE(cell.write(p.at(0, 1, 3)));
  EXPECT_TRUE(cell.isWritten());
  std::optional<ConflictReport> race = cell.read(p.at(1, 1, 3));
  ASSERT_TRUE(race);
  EXPECT_EQ(race->other.component, 0u);
  EXPECT_TRUE(race->otherIsWrite);
  p.knows[1].join(p.knows[0]);
  EXPECT_FALSE(cell.read(p.at(1, 2, 3)));
}

TEST(ClocksTest, WriteNeedsTheReads) {
  Party2 p;
  Shadow cell;
  EXPECT_FALSE(cell.write(p.at(0, 1, 0)));
  p.knows[1].join(p.knows[0]);
  EXPECT_FALSE(cell.read(p.at(1, 1, 0)));
  std::optional<ConflictReport> early = cell.write(p.at(0, 2, 0));
  ASSERT_TRUE(early);
  EXPECT_FALSE(early->otherIsWrite);
  p.knows[0].join(p.knows[1]);
  EXPECT_FALSE(cell.write(p.at(0, 3, 0)));
}

TEST(ClocksTest, LanesNeedASyncOfTheirWarp) {
  Party2 p;
  Shadow cell;
  EXPECT_FALSE(cell.write(p.at(0, 1, 3)));
  EXPECT_FALSE(cell.read(p.at(0, 2, 3)));
  EXPECT_TRUE(cell.read(p.at(0, 2, 4)));
  p.lanes[0].ordinary = 2;
  EXPECT_FALSE(cell.read(p.at(0, 3, 4)));
  // Read by lane 4 after the sync: lane 3 may not write yet.
  EXPECT_TRUE(cell.write(p.at(0, 4, 3)));
  p.lanes[0].ordinary = 4;
  EXPECT_FALSE(cell.write(p.at(0, 5, 3)));
}

TEST(ClocksTest, AsyncProxyNeedsTheFence) {
  Party2 p;
  Shadow cell;
  EXPECT_FALSE(cell.write(p.at(0, 1, 0)));
  std::optional<ConflictReport> unfenced = cell.read(p.at(0, 2, 0, true));
  ASSERT_TRUE(unfenced);
  EXPECT_EQ(unfenced->conflict, Conflict::Unfenced);
  p.knows[0].fenced.raise(0, 2);
  EXPECT_FALSE(cell.read(p.at(0, 3, 0, true)));
}

TEST(ClocksTest, AtomicsDoNotRace) {
  Party2 p;
  Shadow cell;
  Accessor first = p.at(0, 1, 0), second = p.at(1, 1, 0);
  first.stamp.isAtomic = second.stamp.isAtomic = true;
  EXPECT_FALSE(cell.write(first));
  EXPECT_FALSE(cell.write(second));
  EXPECT_TRUE(cell.read(p.at(0, 2, 0)));
}

TEST(SyncTest, PhaseNeedsArrivalsAndBytes) {
  Knowledge none(0, 5), first(0, 5);
  first.seen.raise(0, 7);
  Mbarrier barrier(4, 2, none);
  EXPECT_EQ(barrier.test(0), Mbarrier::WaitState::Blocked);
  // Bytes may come before they are expected.
  EXPECT_EQ(barrier.deliver(64), "");
  EXPECT_EQ(barrier.arrive(first, 1, 64), "");
  EXPECT_EQ(barrier.test(0), Mbarrier::WaitState::Blocked);
  EXPECT_EQ(barrier.arrive(none, 1), "");
  EXPECT_EQ(barrier.test(0), Mbarrier::WaitState::Pass);
  EXPECT_EQ(barrier.getPublished().seen[0], 7u);
  EXPECT_EQ(barrier.getPublished().seen[4], 1u);
  EXPECT_EQ(barrier.test(1), Mbarrier::WaitState::Blocked);
  EXPECT_EQ(barrier.test(2), Mbarrier::WaitState::Misused);
}

TEST(SyncTest, MisuseIsTold) {
  Knowledge none(0, 5);
  Mbarrier barrier(4, 2, none);
  EXPECT_NE(barrier.arrive(none, 3), "");
  EXPECT_NE(barrier.arrive(none, 1, 1 << 20), "");
}

TEST(SyncTest, PhasesDoNotMixWhatTheyPublish) {
  Knowledge none(0, 5), first(0, 5);
  first.seen.raise(0, 7);
  Mbarrier barrier(4, 1, none);
  EXPECT_EQ(barrier.arrive(first, 1), "");
  EXPECT_EQ(barrier.arrive(none, 1), "");
  EXPECT_EQ(barrier.getPublished().seen[0], 0u);
  EXPECT_EQ(barrier.getPublished().seen[4], 2u);
}

TEST(SyncTest, NamedBarrierCountsThreads) {
  Knowledge none(0, 5), first(0, 5);
  first.seen.raise(1, 3);
  NamedBarrier barrier(128, none);
  Misuse misuse;
  EXPECT_EQ(barrier.arrive(first, 64, misuse), 0);
  EXPECT_FALSE(barrier.isOver(0));
  EXPECT_EQ(barrier.arrive(none, 64, misuse), 0);
  EXPECT_TRUE(barrier.isOver(0));
  EXPECT_EQ(barrier.getPublished().seen[1], 3u);
  EXPECT_EQ(misuse, "");
  barrier.arrive(none, 256, misuse);
  EXPECT_NE(misuse, "");
}

//===----------------------------------------------------------------------===//
// Layouts: the chunks of 8 rows as TMA writes them
//===----------------------------------------------------------------------===//

SharedLayout swizzled(int64_t span) {
  SharedLayout layout;
  layout.format = Format::BF16;
  layout.rows = layout.planeRows = 16;
  layout.cols = 2 * span / 2;
  layout.span = span;
  return layout;
}

/// The 16-byte chunk, of its row, that chunk `c` of row `r` is at.
int64_t chunkOf(const SharedLayout &layout, int64_t r, int64_t c) {
  int64_t offset = layout.offset(r, c * 8);
  EXPECT_EQ(offset / layout.span, r);
  return offset % layout.span / 16;
}

TEST(SwizzleTest, Pattern128) {
  SharedLayout layout = swizzled(128);
  int64_t row3[] = {3, 2, 1, 0, 7, 6, 5, 4};
  int64_t row5[] = {5, 4, 7, 6, 1, 0, 3, 2};
  for (int64_t c = 0; c < 8; ++c) {
    EXPECT_EQ(chunkOf(layout, 0, c), c);
    EXPECT_EQ(chunkOf(layout, 3, c), row3[c]);
    EXPECT_EQ(chunkOf(layout, 11, c), row3[c]);
    EXPECT_EQ(chunkOf(layout, 5, c), row5[c]);
  }
}

TEST(SwizzleTest, Pattern64) {
  SharedLayout layout = swizzled(64);
  int64_t expected[8][4] = {{0, 1, 2, 3}, {0, 1, 2, 3}, {1, 0, 3, 2},
                            {1, 0, 3, 2}, {2, 3, 0, 1}, {2, 3, 0, 1},
                            {3, 2, 1, 0}, {3, 2, 1, 0}};
  for (int64_t r = 0; r < 16; ++r)
    for (int64_t c = 0; c < 4; ++c)
      EXPECT_EQ(chunkOf(layout, r, c), expected[r % 8][c]);
}

TEST(SwizzleTest, Pattern32) {
  SharedLayout layout = swizzled(32);
  for (int64_t r = 0; r < 16; ++r)
    for (int64_t c = 0; c < 2; ++c)
      EXPECT_EQ(chunkOf(layout, r, c), r % 8 < 4 ? c : 1 - c);
}

TEST(SwizzleTest, PlanesLieBehindEachOther) {
  SharedLayout layout = swizzled(128);
  EXPECT_EQ(layout.planes(), 2);
  EXPECT_EQ(layout.offset(0, 64), 16 * 128);
  EXPECT_EQ(layout.offset(1, 64), 16 * 128 + 128 + 16);
  EXPECT_EQ(layout.bytes(), 2 * 16 * 128);
  layout.planeRows = 32;
  EXPECT_EQ(layout.offset(0, 64), 32 * 128);
}

TEST(TensorMapTest, LocatesAndClips) {
  TensorMapModel map;
  map.format = Format::BF16;
  map.extents = {3, 10, 20};
  map.strides = {400, 40, 2};
  map.box = {2, 4, 8};
  EXPECT_EQ(map.boxRows(), 8);
  EXPECT_EQ(map.locate({0, 0, 0}, 0, 0), 0);
  EXPECT_EQ(map.locate({1, 8, 16}, 5, 3), 2 * 400 + 9 * 40 + 19 * 2);
  EXPECT_EQ(map.locate({1, 8, 16}, 5, 4), -1);
  EXPECT_EQ(map.locate({1, 8, 16}, 6, 0), -1);
  EXPECT_EQ(map.locate({2, 0, 0}, 4, 0), -1);
  EXPECT_EQ(map.locate({0, -1, 0}, 0, 0), -1);
  EXPECT_EQ(map.locate({0, -1, 0}, 1, 0), 0);
}
} // namespace
