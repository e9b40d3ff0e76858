//===- LayoutTest.cpp - Strides, memory orders and spans ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/GraphDialect.h"
#include "mlir/IR/Builders.h"
#include <gtest/gtest.h>
#include <random>
#include <set>

using namespace mlir;
using namespace opgraph::graph;

namespace {

constexpr int64_t dynamic = ShapedType::kDynamic;

class LayoutTest : public ::testing::Test {
protected:
  LayoutTest() { context.loadDialect<GraphDialect>(); }

  RankedTensorType strided(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides) {
    return RankedTensorType::get(
        shape, f32,
        LayoutAttr::get(&context, strides, {}, {}, Reordering::NONE));
  }
  StringAttr name(StringRef text) { return StringAttr::get(&context, text); }

  MLIRContext context;
  Type f32 = Float32Type::get(&context);
};

TEST_F(LayoutTest, Orders) {
  EXPECT_EQ(rowMajorOrder(3), Dims({0, 1, 2}));
  EXPECT_EQ(rowMajorOrder(0), Dims());
  EXPECT_EQ(channelsLastOrder(4), Dims({0, 2, 3, 1}));
  EXPECT_EQ(channelsLastOrder(3), Dims({0, 2, 1}));
  EXPECT_EQ(channelsLastOrder(2), Dims({0, 1}));
}

TEST_F(LayoutTest, PackedStrides) {
  EXPECT_EQ(packedStrides({4, 8, 2}, rowMajorOrder(3)), Dims({16, 2, 1}));
  EXPECT_EQ(packedStrides({4, 32, 64, 64}, channelsLastOrder(4)),
            Dims({131072, 1, 2048, 32}));
  EXPECT_EQ(packedStrides({4, dynamic, 2}, rowMajorOrder(3)),
            Dims({dynamic, 2, 1}));
  // Extents of 0 count as 1.
  EXPECT_EQ(packedStrides({4, 0, 2}, rowMajorOrder(3)), Dims({2, 2, 1}));
  EXPECT_EQ(packedStrides({}, {}), Dims());
}

TEST_F(LayoutTest, PackedStridesSaturate) {
  int64_t huge = int64_t(1) << 40;
  Dims strides = packedStrides({2, huge, huge}, rowMajorOrder(3));
  EXPECT_EQ(getSpan({2, huge, huge}, strides), std::nullopt);
}

TEST_F(LayoutTest, StridesOfTypes) {
  EXPECT_EQ(getStrides(RankedTensorType::get({4, 8}, f32)), Dims({8, 1}));
  EXPECT_EQ(getStrides(strided({4, 8}, {16, 2})), Dims({16, 2}));
  auto channels = makePacked(&context, {dynamic, 3, 4, 5}, f32,
                             channelsLastOrder(4), {name("N"), {}, {}, {}});
  EXPECT_EQ(getStrides(channels), Dims({60, 1, 15, 3}));
  EXPECT_EQ(getMemoryOrder(channels), Dims({0, 2, 3, 1}));
}

TEST_F(LayoutTest, MemoryOrder) {
  EXPECT_EQ(getMemoryOrder(strided({4, 8}, {1, 4})), Dims({1, 0}));
  // Among equal strides an axis of extent 1 counts as slower.
  EXPECT_EQ(getMemoryOrder(strided({8, 1}, {1, 1})), Dims({1, 0}));
  EXPECT_EQ(getMemoryOrder(strided({1, 8}, {1, 1})), Dims({0, 1}));
  // Otherwise the earlier axis does.
  EXPECT_EQ(getMemoryOrder(strided({8, 8}, {0, 0})), Dims({0, 1}));
  // An unknown stride counts as the slowest.
  EXPECT_EQ(getMemoryOrder(strided({8, 8, 8}, {1, dynamic, 64})),
            Dims({1, 2, 0}));
}

TEST_F(LayoutTest, Packed) {
  EXPECT_TRUE(isPacked(RankedTensorType::get({4, 8}, f32)));
  EXPECT_TRUE(isPacked(strided({4, 8}, {1, 4})));
  EXPECT_TRUE(isPacked(strided({1, 8}, {77, 1})));
  EXPECT_TRUE(isPacked(strided({0, 8}, {77, 3})));
  EXPECT_FALSE(isPacked(strided({4, 8}, {16, 1})));
  EXPECT_FALSE(isPacked(strided({4, 8}, {0, 1})));
  EXPECT_FALSE(isPacked(strided({4, 8}, {dynamic, 1})));
}

TEST_F(LayoutTest, EqualLayoutsAreEqualTypes) {
  auto plain = RankedTensorType::get({4, 8}, f32);
  EXPECT_EQ(makeStrided({4, 8}, f32, {8, 1}, {}), plain);
  EXPECT_EQ(makePacked(&context, {4, 8}, f32, {0, 1}, {}), plain);
  EXPECT_EQ(makePacked(&context, {4, 8}, f32, {1, 0}, {}),
            strided({4, 8}, {1, 4}));
  Symbols symbols = {name("M"), {}};
  auto dynamicPlain = makePacked(&context, {dynamic, 8}, f32, {0, 1}, symbols);
  EXPECT_TRUE(getLayout(dynamicPlain).getStrides().empty());
  EXPECT_TRUE(getLayout(dynamicPlain).getOrder().empty());
  EXPECT_EQ(makeStrided({dynamic, 8}, f32, {8, 1}, symbols), dynamicPlain);
  EXPECT_EQ(getSymbols(dynamicPlain), symbols);
  // An unknown stride is not the packed one.
  EXPECT_NE(makeStrided({dynamic, 8}, f32, {dynamic, 1}, symbols),
            dynamicPlain);
}

TEST_F(LayoutTest, Span) {
  EXPECT_EQ(getSpan({4, 8}, {16, 2}), 1 + 3 * 16 + 7 * 2);
  EXPECT_EQ(getSpan({}, {}), 1);
  EXPECT_EQ(getSpan({4, 0}, {16, 2}), 0);
  EXPECT_EQ(getSpan({1}, {dynamic}), 1);
  EXPECT_EQ(getSpan({dynamic}, {1}), std::nullopt);
  EXPECT_EQ(getSpan({2, 2}, {INT64_MAX / 2, INT64_MAX / 2 + 1}), std::nullopt);
}

TEST_F(LayoutTest, SelfOverlap) {
  EXPECT_FALSE(isSelfOverlapping({4, 8}, {8, 1}));
  EXPECT_TRUE(isSelfOverlapping({4, 8}, {7, 1}));
  EXPECT_TRUE(isSelfOverlapping({4, 8}, {0, 1}));
  EXPECT_FALSE(isSelfOverlapping({1, 8}, {0, 1}));
  EXPECT_FALSE(isSelfOverlapping({0, 8}, {0, 0}));
  // Interleaved without sharing: {0, 2, 4} and {3, 5, 7}.
  EXPECT_FALSE(isSelfOverlapping({2, 3}, {3, 2}));
  EXPECT_TRUE(isSelfOverlapping({2, 4}, {6, 2}));
  EXPECT_FALSE(isSelfOverlapping({dynamic, 8}, {0, 1}));
  // Extents beyond what could be enumerated.
  int64_t huge = int64_t(1) << 30;
  EXPECT_FALSE(isSelfOverlapping({huge, huge}, {huge, 1}));
  EXPECT_TRUE(isSelfOverlapping({huge, huge}, {huge - 1, 1}));
}

/// Whether some address occurs twice, by enumeration.
bool overlapsByEnumeration(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides) {
  std::set<int64_t> seen;
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  for (int64_t linear = 0; linear < count; ++linear) {
    int64_t rest = linear, address = 0;
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      address += rest % shape[axis] * strides[axis];
      rest /= shape[axis];
    }
    if (!seen.insert(address).second)
      return true;
  }
  return false;
}

TEST_F(LayoutTest, SelfOverlapAgreesWithEnumeration) {
  std::mt19937 random(7);
  int overlapping = 0;
  for (int round = 0; round < 3000; ++round) {
    Dims shape, strides;
    int64_t rank = 1 + random() % 4;
    for (int64_t axis = 0; axis < rank; ++axis) {
      shape.push_back(1 + random() % 5);
      strides.push_back(random() % 24);
    }
    bool expected = overlapsByEnumeration(shape, strides);
    overlapping += expected;
    ASSERT_EQ(isSelfOverlapping(shape, strides), expected)
        << printDims(shape) << " strides " << printDims(strides);
  }
  // Both answers were tried.
  EXPECT_GT(overlapping, 300);
  EXPECT_LT(overlapping, 2700);
}

TEST_F(LayoutTest, StorageBits) {
  EXPECT_EQ(getStorageBits(IntegerType::get(&context, 1)), 8u);
  EXPECT_EQ(getStorageBits(Float8E5M2Type::get(&context)), 8u);
  EXPECT_EQ(getStorageBits(BFloat16Type::get(&context)), 16u);
  EXPECT_EQ(getStorageBits(IntegerType::get(&context, 64)), 64u);
  EXPECT_EQ(getStorageBits(Float8E8M0FNUType::get(&context)), 8u);
  EXPECT_EQ(getStorageBits(IntegerType::get(&context, 4)), 4u);
  EXPECT_TRUE(isPackedInHalves(Float4E2M1FNType::get(&context)));
  EXPECT_FALSE(isPackedInHalves(IntegerType::get(&context, 1)));
}

TEST_F(LayoutTest, ElementTypes) {
  for (Type type : {Type(Float8E8M0FNUType::get(&context)),
                    Type(Float4E2M1FNType::get(&context)),
                    Type(IntegerType::get(&context, 4))}) {
    EXPECT_TRUE(isElementType(type));
    EXPECT_FALSE(isComputeType(type));
  }
  EXPECT_FALSE(
      isElementType(IntegerType::get(&context, 4, IntegerType::Unsigned)));
  EXPECT_FALSE(isElementType(IntegerType::get(&context, 16)));
}

TEST_F(LayoutTest, StorageErrors) {
  Type half = Float4E2M1FNType::get(&context);
  Type byte = IntegerType::get(&context, 8);
  auto error = [](ArrayRef<int64_t> shape, Type type, ArrayRef<int64_t> strides,
                  bool isExplicit = true,
                  Reordering reordering = Reordering::NONE) {
    return findStorageError(shape, type, strides, isExplicit, reordering);
  };
  constexpr int64_t unknown = ShapedType::kDynamic;
  EXPECT_EQ(error({4, 8}, half, {8, 1}), "");
  EXPECT_EQ(error({8, 1}, half, {1, 1}), "");
  EXPECT_EQ(error({1}, half, {7}), "");
  EXPECT_EQ(error({}, half, {}), "");
  EXPECT_EQ(error({unknown, 3, 8}, half, {24, 8, 1}), "");
  // Strides that follow from extents are multiples of the even one.
  EXPECT_EQ(error({2, unknown, 8}, half, {unknown, 8, 1}, false), "");
  EXPECT_NE(error({2, unknown, 8}, half, {unknown, 8, 1}, true), "");
  EXPECT_NE(error({8, 2}, half, {1, 1}), "");
  EXPECT_NE(error({4, 7}, half, {8, 1}), "");
  EXPECT_EQ(error({4, 7}, byte, {8, 1}), "");
  auto scales = Reordering::F8_128x4;
  EXPECT_EQ(error({128, 4}, byte, {4, 1}, true, scales), "");
  EXPECT_EQ(error({4, 128}, byte, {1, 4}, true, scales), "");
  EXPECT_EQ(error({0, 4}, byte, {4, 1}, true, scales), "");
  EXPECT_EQ(error({4, 128}, byte, {128, 1}, true, scales), "");
  EXPECT_NE(error({6, 128}, byte, {128, 1}, true, scales), "");
  EXPECT_NE(error({4, 128}, byte, {256, 1}, true, scales), "");
  EXPECT_NE(error({128, 4}, byte, {5, 1}, true, scales), "");
  EXPECT_NE(error({128, 4}, half, {4, 1}, true, scales), "");
}

TEST_F(LayoutTest, ScaleAxes) {
  auto type = RankedTensorType::get(
      {2, 8, 256}, Float8E8M0FNUType::get(&context),
      LayoutAttr::get(&context, {2048, 1, 8}, {}, {}, Reordering::F8_128x4));
  ScaleAxes axes = getScaleAxes(type);
  EXPECT_EQ(axes.rowAxis, 2);
  EXPECT_EQ(axes.columnAxis, 1);
  EXPECT_EQ(axes.rows, 256);
  EXPECT_EQ(axes.columns, 8);
  EXPECT_EQ(getReordering(type), Reordering::F8_128x4);
  // Row-major strides mean rows on the first of the two axes where they can.
  auto columnAxis = [&](ArrayRef<int64_t> shape) {
    return getScaleAxes(
               RankedTensorType::get(
                   shape, IntegerType::get(&context, 8),
                   LayoutAttr::get(&context, {}, {}, {}, Reordering::F8_128x4)))
        .columnAxis;
  };
  EXPECT_EQ(columnAxis({8, 256}), 0);
  EXPECT_EQ(columnAxis({128, 256}), 1);
}

} // namespace
