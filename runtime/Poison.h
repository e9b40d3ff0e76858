//===- Poison.h - Making unwritten results visible --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_POISON_H
#define OPGRAPH_RUNTIME_POISON_H

#include "runtime/Binding.h"

namespace opgraph::runtime {

/// Fills the outputs' elements (never the gaps between them; not an output
/// that is an input's buffer too) and the whole workspace with one-bits: NaN
/// in every float type.
void poisonOutputs(const og_plan &plan, const Frame &frame,
                   const og_variant_pack &pack);

} // namespace opgraph::runtime

#endif // OPGRAPH_RUNTIME_POISON_H
