//===- DefaultDevice.h - Where no device is named ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_LIB_COMPILER_DEFAULTDEVICE_H
#define OPGRAPH_LIB_COMPILER_DEFAULTDEVICE_H

#include "lib/Compiler/PlanState.h"

namespace opgraph::lib {

/// Plans the graph as `request`, which may have a pin, says. Where there is no
/// plan on a CUDA device that nobody named, plans for the host from now on,
/// with a warning; the outcome then also has what the device's engines said.
planning::PlanOutcome planOrFallBack(GraphImpl &graph,
                                     planning::PlanRequest request);

/// Makes `state` plan for the host instead.
void fallBack(PlanState &state);

} // namespace opgraph::lib

#endif // OPGRAPH_LIB_COMPILER_DEFAULTDEVICE_H
