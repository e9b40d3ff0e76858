//===- PlanAlignment.h - What FlatBuffers' verifier leaves out --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_PLANALIGNMENT_H
#define OPGRAPH_RUNTIME_PLANALIGNMENT_H

#include "runtime/plan_generated.h"

#include <cstdint>
#include <type_traits>

namespace opgraph::planfile {

/// True when the structs of a vector lie at addresses that their type allows.
/// An empty vector has none, and FlatBuffers does not align it.
template <typename T>
bool isAligned(const flatbuffers::Vector<const T *> *vector) {
  return !vector || vector->size() == 0 ||
         reinterpret_cast<uintptr_t>(vector->Data()) % alignof(T) == 0;
}

/// As isAligned, for numbers.
template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
bool isAligned(const flatbuffers::Vector<T> *vector) {
  return !vector || vector->size() == 0 ||
         reinterpret_cast<uintptr_t>(vector->Data()) % alignof(T) == 0;
}

/// As isAligned, for all that a step holds.
inline bool isAligned(const fb::CudnnExecute &step) {
  return isAligned(step.kinds()) && isAligned(step.records()) &&
         isAligned(step.words()) && isAligned(step.knobs()) &&
         isAligned(step.uids()) && isAligned(step.args());
}

/// As isAligned, for one struct of a table.
inline bool isAligned(const fb::LaunchArg *argument) {
  return reinterpret_cast<uintptr_t>(argument) % alignof(fb::LaunchArg) == 0;
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
  for (const fb::Step *step : *plan.steps()) {
    if (const fb::Launch *launch = step->body_as_Launch())
      if (!isAligned(launch->args()))
        return false;
    if (const fb::CudnnExecute *execute = step->body_as_CudnnExecute())
      if (!isAligned(*execute))
        return false;
  }
  if (plan.tensor_maps())
    for (const fb::TensorMap *map : *plan.tensor_maps())
      if (!isAligned(map->base()))
        return false;
  return true;
}

} // namespace opgraph::planfile

#endif // OPGRAPH_RUNTIME_PLANALIGNMENT_H
