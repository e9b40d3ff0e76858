//===- SpoiledPlan.h - Plans that break one rule ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_TEST_UNIT_RUNTIME_SPOILEDPLAN_H
#define OPGRAPH_TEST_UNIT_RUNTIME_SPOILEDPLAN_H

#include "test/unit/runtime/TestPlans.h"

#include <functional>

namespace opgraph::test {

/// One way to spoil a plan, and what the refusal must say.
struct Spoiled {
  const char *text;
  std::function<void(planfile::PlanContents &)> spoil;
};

class SpoiledPlanTest : public ::testing::TestWithParam<Spoiled> {
protected:
  void expectRefusal(planfile::PlanContents contents) const {
    GetParam().spoil(contents);
    expectRefused(contents, OG_DATA_LOSS, GetParam().text);
  }
};

} // namespace opgraph::test

#endif // OPGRAPH_TEST_UNIT_RUNTIME_SPOILEDPLAN_H
