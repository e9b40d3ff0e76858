//===- LayoutTest.cpp - Spans and overlaps against brute force ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Layout.h"

#include "gtest/gtest.h"

#include <map>
#include <random>
#include <vector>

using namespace opgraph::runtime;

namespace {

struct Random {
  std::vector<int64_t> extents, strides;
  unsigned bits = 32;

  LayoutView view() const {
    return {extents.data(), strides.data(), uint32_t(extents.size()), bits};
  }

  /// Byte offsets of all elements, with how many lie there.
  std::map<int64_t, int> offsets() const {
    std::map<int64_t, int> result = {{0, 1}};
    for (size_t i = 0; i < extents.size(); ++i) {
      std::map<int64_t, int> next;
      for (auto [offset, count] : result)
        for (int64_t k = 0; k < extents[i]; ++k)
          next[offset + k * strides[i] * bits / 8] += count;
      result = std::move(next);
    }
    return result;
  }
};

Random makeRandom(std::mt19937 &engine, bool positive) {
  Random layout;
  size_t rank = engine() % 4;
  for (size_t i = 0; i < rank; ++i) {
    layout.extents.push_back(engine() % 5);
    int64_t stride = engine() % 13;
    layout.strides.push_back(positive ? stride : stride - 4);
  }
  layout.bits = 8u << engine() % 4;
  return layout;
}

TEST(Layout, SpanMatchesBruteForce) {
  std::mt19937 engine(1);
  for (int round = 0; round < 3000; ++round) {
    Random layout = makeRandom(engine, false);
    Span span;
    ASSERT_EQ(computeSpan(layout.view(), span), nullptr);
    std::map<int64_t, int> offsets = layout.offsets();
    if (offsets.empty()) {
      EXPECT_EQ(span.elements, 0);
      continue;
    }
    EXPECT_EQ(span.lowByte, offsets.begin()->first);
    EXPECT_EQ(span.highByte, offsets.rbegin()->first + layout.bits / 8);
  }
}

TEST(Layout, InjectiveAndDenseMatchBruteForce) {
  std::mt19937 engine(2);
  for (int round = 0; round < 5000; ++round) {
    Random layout = makeRandom(engine, true);
    std::map<int64_t, int> offsets = layout.offsets();
    bool overlaps = false;
    for (auto [offset, count] : offsets)
      overlaps |= count > 1;
    EXPECT_EQ(isInjective(layout.view()), !overlaps);
    Span span;
    computeSpan(layout.view(), span);
    bool dense = !overlaps && span.elements * layout.bits / 8 ==
                                  span.highByte - span.lowByte;
    EXPECT_EQ(isDense(layout.view()), dense);
    if (dense) {
      EXPECT_TRUE(isInjective(layout.view()));
    }
  }
}

TEST(Layout, OverlapMatchesBruteForce) {
  std::mt19937 engine(3);
  int overlapping = 0, interleaved = 0;
  for (int round = 0; round < 20000; ++round) {
    Random a = makeRandom(engine, false), b = makeRandom(engine, false);
    uintptr_t addressA = 100000, addressB = addressA + engine() % 160 - 80;
    Span spanA, spanB;
    computeSpan(a.view(), spanA);
    computeSpan(b.view(), spanB);
    std::map<int64_t, int> bytes;
    for (auto [offset, count] : a.offsets())
      for (unsigned k = 0; k < a.bits / 8; ++k)
        bytes[addressA + offset + k] = 1;
    bool expected = false;
    for (auto [offset, count] : b.offsets())
      for (unsigned k = 0; k < b.bits / 8; ++k)
        expected |= bytes.count(addressB + offset + k) != 0;
    bool actual =
        mayOverlap(a.view(), addressA, spanA, b.view(), addressB, spanB);
    ASSERT_EQ(actual, expected) << round;
    ASSERT_EQ(mayOverlap(b.view(), addressB, spanB, a.view(), addressA, spanA),
              expected);
    overlapping += expected;
    interleaved += !expected && spanA.elements && spanB.elements &&
                   addressA + spanA.lowByte < addressB + spanB.highByte &&
                   addressB + spanB.lowByte < addressA + spanA.highByte;
  }
  // The rounds have met both kinds.
  EXPECT_GT(overlapping, 100);
  EXPECT_GT(interleaved, 100);
}

TEST(Layout, OverflowIsFound) {
  int64_t extents[] = {int64_t(1) << 31, int64_t(1) << 31, int64_t(1) << 31};
  int64_t strides[] = {1, 1, 1};
  Span span;
  EXPECT_NE(computeSpan({extents, nullptr, 3, 8}, span), nullptr);
  EXPECT_NE(computeSpan({extents, strides, 3, 8}, span), nullptr);
  strides[0] = int64_t(1) << 40;
  EXPECT_NE(computeSpan({extents, strides, 1, 8}, span), nullptr);
  strides[0] = int64_t(1) << 20;
  EXPECT_EQ(computeSpan({extents, strides, 1, 8}, span), nullptr);
  EXPECT_EQ(span.highByte, (((int64_t(1) << 31) - 1) << 20) + 1);
}

TEST(Layout, StrideOfUnitAxisMayBeAnything) {
  int64_t extents[] = {1, 4}, strides[] = {INT64_MAX, 2};
  LayoutView view{extents, strides, 2, 32};
  Span span;
  ASSERT_EQ(computeSpan(view, span), nullptr);
  EXPECT_EQ(span.highByte, 28);
  EXPECT_FALSE(mayOverlap(view, 64, span, view, 68, span));
  EXPECT_TRUE(mayOverlap(view, 64, span, view, 72, span));
}

TEST(Layout, SameLayoutIgnoresUnitAxes) {
  int64_t a[] = {1, 4, 8}, aStrides[] = {77, 8, 1};
  int64_t b[] = {4, 1, 8}, bStrides[] = {8, 3, 1};
  EXPECT_TRUE(sameLayout({a, aStrides, 3, 32}, {b, bStrides, 3, 32}));
  EXPECT_FALSE(sameLayout({a, aStrides, 3, 32}, {b, bStrides, 3, 16}));
  bStrides[0] = 16;
  EXPECT_FALSE(sameLayout({a, aStrides, 3, 32}, {b, bStrides, 3, 32}));
  EXPECT_FALSE(sameLayout({a, aStrides, 2, 32}, {b, bStrides, 3, 32}));
}

} // namespace
