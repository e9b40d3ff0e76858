//===- PlanAlignment.h - What FlatBuffers' verifier leaves out --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_PLANALIGNMENT_H
#define OPGRAPH_RUNTIME_PLANALIGNMENT_H

#include "runtime/plan_generated.h"

#include <cstdint>

namespace opgraph::planfile {

/// True when the structs of a vector lie at addresses that their type allows.
/// An empty vector has none, and FlatBuffers does not align it.
template <typename T>
bool isAligned(const flatbuffers::Vector<const T *> *vector) {
  return !vector || vector->size() == 0 ||
         reinterpret_cast<uintptr_t>(vector->Data()) % alignof(T) == 0;
}

/// FlatBuffers' verifier bounds vectors of structs but does not check their
/// alignment, which reading them in place relies on. `plan` has passed it.
inline bool structsAreAligned(const fb::Plan &plan) {
  if (!isAligned(plan.knobs()) || !isAligned(plan.aliases()) ||
      !isAligned(plan.tokens()) || !isAligned(plan.exprs()))
    return false;
  if (plan.variants())
    for (const fb::Variant *variant : *plan.variants())
      if (!isAligned(variant->relocations()))
        return false;
  return true;
}

} // namespace opgraph::planfile

#endif // OPGRAPH_RUNTIME_PLANALIGNMENT_H
