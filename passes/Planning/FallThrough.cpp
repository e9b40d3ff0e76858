//===- FallThrough.cpp - What follows when a plan does not build ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Planning/FallThrough.h"

using namespace opgraph::planning;

bool opgraph::planning::mayFallThrough(og_status status) {
  return status == OG_UNSUPPORTED || status == OG_LIBRARY_MISSING ||
         status == OG_RESOURCE;
}

NextStep opgraph::planning::afterBuild(og_status status, bool isStrict) {
  if (status == OG_OK)
    return NextStep::Use;
  if (mayFallThrough(status))
    return NextStep::TryNext;
  if (status == OG_INTERNAL && !isStrict)
    return NextStep::RecordAndTryNext;
  return NextStep::Fail;
}
