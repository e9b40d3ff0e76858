//===- Passes.h - Passes that legalize graphs for the host -------*- C++ -*-==//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_HOST_PASSES_H
#define OPGRAPH_PASSES_LEGALIZE_HOST_PASSES_H

namespace opgraph {

/// Makes the passes of Passes.td known by name.
void registerHostLegalizePasses();

} // namespace opgraph

#endif // OPGRAPH_PASSES_LEGALIZE_HOST_PASSES_H
