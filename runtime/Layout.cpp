//===- Layout.cpp - Extents, strides and the bytes they touch -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Layout.h"

#include "opgraph-c/types.h"

using namespace opgraph::runtime;

void opgraph::runtime::packedStrides(const int64_t *extents, size_t rank,
                                     int64_t *strides) {
  int64_t stride = 1;
  for (size_t i = rank; i-- > 0;) {
    strides[i] = stride;
    // An overflowing product is found by computeSpan; here it must only not
    // be undefined.
    int64_t extent = extents[i] > 1 ? extents[i] : 1;
    if (__builtin_mul_overflow(stride, extent, &stride))
      stride = INT64_MAX;
  }
}

const char *opgraph::runtime::computeSpan(const LayoutView &layout,
                                          Span &span) {
  span = Span();
  int64_t elements = 1;
  bool empty = false;
  for (uint32_t i = 0; i < layout.rank; ++i) {
    if (layout.extents[i] < 0)
      return "an extent is negative";
    if (layout.extents[i] == 0)
      empty = true;
  }
  if (empty)
    return nullptr;
  // Highest and lowest element offsets; a packed layout needs only the count.
  int64_t low = 0, high = 0;
  for (uint32_t i = 0; i < layout.rank; ++i) {
    if (__builtin_mul_overflow(elements, layout.extents[i], &elements) ||
        elements > maxSpanBytes)
      return "the number of elements overflows";
    if (!layout.strides)
      continue;
    int64_t reach;
    if (__builtin_mul_overflow(layout.extents[i] - 1, layout.strides[i],
                               &reach))
      return "extent times stride overflows";
    int64_t &side = reach < 0 ? low : high;
    if (__builtin_add_overflow(side, reach, &side))
      return "extent times stride overflows";
  }
  if (!layout.strides)
    high = elements - 1;
  int64_t limit = maxSpanBytes / (layout.bits ? layout.bits : 1);
  if (high >= limit || low <= -limit)
    return "extent times stride overflows";
  int64_t bits = layout.bits;
  span.elements = elements;
  span.highByte = ((high + 1) * bits + 7) / 8;
  span.lowByte = -((-low * bits + 7) / 8);
  return nullptr;
}

bool opgraph::runtime::isDense(const LayoutView &layout) {
  if (!layout.strides)
    return true;
  for (uint32_t i = 0; i < layout.rank; ++i)
    if (layout.extents[i] == 0)
      return true;
  uint64_t used = 0;
  int64_t expected = 1;
  for (uint32_t step = 0; step < layout.rank; ++step) {
    uint32_t found = layout.rank;
    for (uint32_t i = 0; i < layout.rank && found == layout.rank; ++i)
      if (!(used >> i & 1) && layout.extents[i] > 1 &&
          layout.strides[i] == expected)
        found = i;
    if (found == layout.rank)
      break;
    used |= uint64_t(1) << found;
    if (__builtin_mul_overflow(expected, layout.extents[found], &expected))
      return false;
  }
  for (uint32_t i = 0; i < layout.rank; ++i)
    if (!(used >> i & 1) && layout.extents[i] > 1)
      return false;
  return true;
}

bool opgraph::runtime::sameLayout(const LayoutView &a, const LayoutView &b) {
  if (a.bits != b.bits)
    return false;
  uint32_t i = 0, j = 0;
  while (true) {
    while (i < a.rank && a.extents[i] == 1)
      ++i;
    while (j < b.rank && b.extents[j] == 1)
      ++j;
    if (i == a.rank || j == b.rank)
      return i == a.rank && j == b.rank;
    if (a.extents[i] != b.extents[j] || a.strides[i] != b.strides[j])
      return false;
    ++i;
    ++j;
  }
}

/// Whether each stride exceeds what the smaller ones span: enough for elements
/// to have addresses of their own, and true of nearly every layout that has.
static bool isNested(const LayoutView &layout) {
  // Take axes in ascending order of stride, keeping what they span so far.
  uint64_t used = 0;
  int64_t reach = 0;
  for (uint32_t step = 0; step < layout.rank; ++step) {
    uint32_t least = layout.rank;
    for (uint32_t i = 0; i < layout.rank; ++i)
      if (!(used >> i & 1) && layout.extents[i] > 1 &&
          (least == layout.rank || layout.strides[i] < layout.strides[least]))
        least = i;
    if (least == layout.rank)
      return true;
    used |= uint64_t(1) << least;
    if (layout.strides[least] <= reach)
      return false;
    // computeSpan has bounded the sum.
    reach += (layout.extents[least] - 1) * layout.strides[least];
  }
  return true;
}

namespace {

/// Decides whether sum(c_k * step_k) + w = target has a solution with c_k in
/// [low_k, high_k] and w in [wordLow, wordHigh]. Steps are tried from the
/// greatest down; what the rest can reach leaves few c_k to try.
class OverlapSearch {
public:
  void addAxes(const LayoutView &layout, int sign) {
    int64_t bytes = layout.bits / 8;
    for (uint32_t i = 0; i < layout.rank; ++i) {
      // The stride of an axis of one element may be anything.
      if (layout.extents[i] == 1 || layout.strides[i] == 0)
        continue;
      int64_t step = layout.strides[i] * bytes * sign;
      int64_t reach = layout.extents[i] - 1;
      if (step > 0)
        add(step, 0, reach);
      else
        add(-step, -reach, 0);
    }
  }

  bool solve(int64_t target, int64_t wordLow, int64_t wordHigh) {
    restLow[count] = wordLow;
    restHigh[count] = wordHigh;
    for (unsigned k = count; k-- > 0;) {
      restLow[k] = restLow[k + 1] + terms[k].low * terms[k].step;
      restHigh[k] = restHigh[k + 1] + terms[k].high * terms[k].step;
    }
    return search(0, target);
  }

  /// Whether two elements of `layout`, whose strides are positive, share an
  /// address: their differences along each axis, not all 0, then sum to 0.
  bool solveSelf(const LayoutView &layout) {
    for (uint32_t i = 0; i < layout.rank; ++i)
      if (layout.extents[i] > 1)
        add(layout.strides[i], 1 - layout.extents[i], layout.extents[i] - 1);
    for (unsigned k = count; k-- > 0;) {
      restLow[k] = restLow[k + 1] + terms[k].low * terms[k].step;
      restHigh[k] = restHigh[k + 1] + terms[k].high * terms[k].step;
    }
    budget = 1 << 16;
    // `k` is the first axis of another index, where the difference counts up.
    for (unsigned k = 0; k < count; ++k)
      for (int64_t c = 1;
           c <= terms[k].high && c <= restHigh[k + 1] / terms[k].step; ++c)
        if (search(k + 1, -c * terms[k].step))
          return true;
    return false;
  }

private:
  struct Term {
    int64_t step, low, high;
  };

  /// Inserts in descending order of step, merging equal ones.
  void add(int64_t step, int64_t low, int64_t high) {
    unsigned at = 0;
    while (at < count && terms[at].step > step)
      ++at;
    if (at < count && terms[at].step == step) {
      terms[at].low += low;
      terms[at].high += high;
      return;
    }
    for (unsigned k = count; k > at; --k)
      terms[k] = terms[k - 1];
    terms[at] = {step, low, high};
    ++count;
  }

  static int64_t floorDiv(int64_t a, int64_t b) { return a / b - (a % b < 0); }

  bool search(unsigned k, int64_t target) {
    if (budget == 0)
      return true;
    --budget;
    if (target < restLow[k] || target > restHigh[k])
      return false;
    if (k == count)
      return true;
    const Term &term = terms[k];
    int64_t first = -floorDiv(restHigh[k + 1] - target, term.step);
    int64_t last = floorDiv(target - restLow[k + 1], term.step);
    first = first < term.low ? term.low : first;
    last = last > term.high ? term.high : last;
    for (int64_t c = first; c <= last; ++c)
      if (search(k + 1, target - c * term.step))
        return true;
    return false;
  }

  Term terms[2 * OG_MAX_RANK];
  int64_t restLow[2 * OG_MAX_RANK + 1] = {};
  int64_t restHigh[2 * OG_MAX_RANK + 1] = {};
  unsigned count = 0;
  unsigned budget = 4096;
};

} // namespace

bool opgraph::runtime::isInjective(const LayoutView &layout) {
  for (uint32_t i = 0; i < layout.rank; ++i)
    if (layout.extents[i] == 0)
      return true;
  if (isNested(layout))
    return true;
  for (uint32_t i = 0; i < layout.rank; ++i) {
    if (layout.extents[i] == 1)
      continue;
    if (layout.strides[i] <= 0)
      return false;
    for (uint32_t j = 0; j < i; ++j)
      if (layout.extents[j] > 1 && layout.strides[j] == layout.strides[i])
        return false;
  }
  return !OverlapSearch().solveSelf(layout);
}

bool opgraph::runtime::mayOverlap(const LayoutView &a, uintptr_t addressA,
                                  const Span &spanA, const LayoutView &b,
                                  uintptr_t addressB, const Span &spanB) {
  if (spanA.elements == 0 || spanB.elements == 0)
    return false;
  if (addressA + spanA.highByte <= addressB + spanB.lowByte ||
      addressB + spanB.highByte <= addressA + spanA.lowByte)
    return false;
  if (a.bits % 8 || b.bits % 8)
    return true;
  OverlapSearch search;
  search.addAxes(a, 1);
  search.addAxes(b, -1);
  return search.solve(static_cast<int64_t>(addressB - addressA),
                      -int64_t(b.bits / 8 - 1), a.bits / 8 - 1);
}
