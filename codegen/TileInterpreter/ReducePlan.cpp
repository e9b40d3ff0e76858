//===- ReducePlan.cpp - In which order elements are combined --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/ReducePlan.h"

using namespace mlir;
using namespace opgraph::tile;
using namespace opgraph::tile::interp;

namespace {
/// A factor, or a part of one that a block cuts.
struct Digit {
  Owner owner;
  int64_t extent;
  /// Distance of its values along the axis.
  int64_t weight;
  bool isReduced;
};
} // namespace

static bool reaches(ReduceLevel level, Owner owner) {
  switch (owner) {
  case Owner::Register:
    return true;
  case Owner::Lane:
    return level != ReduceLevel::thread;
  case Owner::Warp:
    return level == ReduceLevel::group;
  }
  return false;
}

/// Least significant first.
static FailureOr<SmallVector<Digit>>
getDigits(ArrayRef<Factor> factors, ReduceLevel level, int64_t block) {
  SmallVector<Digit> digits;
  int64_t weight = 1;
  for (const Factor &factor : llvm::reverse(factors)) {
    bool reached = reaches(level, factor.owner);
    int64_t below = factor.extent;
    if (block > 0)
      below = weight >= block ? 1 : std::min(below, block / weight);
    if (block > 0 && weight < block && block % weight != 0)
      return failure();
    if (factor.extent % below != 0)
      return failure();
    digits.push_back({factor.owner, below, weight, reached});
    if (below < factor.extent)
      digits.push_back(
          {factor.owner, factor.extent / below, weight * below, false});
    weight *= factor.extent;
  }
  return digits;
}

FailureOr<ReducePlan> ReducePlan::get(ArrayRef<Factor> factors,
                                      ReduceLevel level, int64_t block) {
  FailureOr<SmallVector<Digit>> digits = getDigits(factors, level, block);
  if (failed(digits))
    return failure();
  ReducePlan plan;
  auto extentOf = [&](const Digit &digit) -> int64_t & {
    if (!digit.isReduced)
      return plan.results;
    switch (digit.owner) {
    case Owner::Register:
      return plan.registers;
    case Owner::Lane:
      return plan.lanes;
    case Owner::Warp:
      return plan.warps;
    }
    return plan.results;
  };
  int64_t total = 1;
  for (const Digit &digit : *digits) {
    extentOf(digit) *= digit.extent;
    total *= digit.extent;
  }
  plan.elements.resize(total);
  for (int64_t index = 0; index < total; ++index) {
    // Result, warp, lane and register number of the element.
    int64_t result = 0, number[3] = {}, resultUnit = 1, unit[3] = {1, 1, 1};
    for (const Digit &digit : *digits) {
      int64_t value = index / digit.weight % digit.extent;
      auto owner = size_t(digit.owner);
      int64_t &to = digit.isReduced ? number[owner] : result;
      int64_t &by = digit.isReduced ? unit[owner] : resultUnit;
      to += value * by;
      by *= digit.extent;
    }
    int64_t at =
        ((result * plan.warps + number[size_t(Owner::Warp)]) * plan.lanes +
         number[size_t(Owner::Lane)]) *
            plan.registers +
        number[size_t(Owner::Register)];
    plan.elements[at] = int32_t(index);
  }
  return plan;
}
