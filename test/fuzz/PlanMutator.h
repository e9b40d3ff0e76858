//===- PlanMutator.h - Structured mutations of plans ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_TEST_FUZZ_PLANMUTATOR_H
#define OPGRAPH_TEST_FUZZ_PLANMUTATOR_H

#include "codegen/PlanFile/PlanContents.h"

namespace opgraph::fuzz {

/// A plan that loads and uses every table of the format.
planfile::PlanContents makeSeedPlan(unsigned seed);

/// Changes one to three things of a plan, mostly by a little.
void mutatePlan(planfile::PlanContents &contents, unsigned seed);

} // namespace opgraph::fuzz

#endif // OPGRAPH_TEST_FUZZ_PLANMUTATOR_H
