//===- FallThroughTest.cpp - What follows when a plan does not build ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Planning/FallThrough.h"
#include "gtest/gtest.h"

using namespace opgraph::planning;

TEST(FallThrough, TheSetIsClosed) {
  for (int status = OG_OK; status <= OG_PARSE_ERROR; ++status) {
    bool expected = status == OG_UNSUPPORTED || status == OG_LIBRARY_MISSING ||
                    status == OG_RESOURCE;
    EXPECT_EQ(mayFallThrough(static_cast<og_status>(status)), expected)
        << status;
  }
}

TEST(FallThrough, StrictFailsOnDefects) {
  EXPECT_EQ(afterBuild(OG_OK, true), NextStep::Use);
  EXPECT_EQ(afterBuild(OG_UNSUPPORTED, true), NextStep::TryNext);
  EXPECT_EQ(afterBuild(OG_INTERNAL, true), NextStep::Fail);
  EXPECT_EQ(afterBuild(OG_INTERNAL, false), NextStep::RecordAndTryNext);
  EXPECT_EQ(afterBuild(OG_IO_ERROR, false), NextStep::Fail);
}
