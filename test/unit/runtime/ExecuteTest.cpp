//===- ExecuteTest.cpp - What an execution accepts and refuses ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/unit/runtime/TestPlans.h"

#include <cmath>

using namespace opgraph::planfile;
using namespace opgraph::test;

namespace {

using Shape = std::vector<int64_t>;

/// A static plan of four values, and buffers for it.
class ExecuteTest : public ::testing::Test {
protected:
  og_status run(og_buffer first, og_buffer second) {
    return execute(plan, {first, second});
  }

  PlanPtr plan = load(makeScalePlan(4));
  alignas(64) float x[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  alignas(64) float y[16] = {};
  Shape four = {4};
};

TEST_F(ExecuteTest, RunsInAnyOrderAndIgnoresUnknownUids) {
  ASSERT_EQ(execute(plan, {makeBuffer(99, nullptr, four),
                           makeBuffer(2, y, four), makeBuffer(1, x, four)}),
            OG_OK)
      << og_last_error();
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(y[i], 2 * x[i]);
  EXPECT_EQ(y[4], 0);
}

TEST_F(ExecuteTest, BarePointersAreTrusted) {
  ASSERT_EQ(run(makePointer(1, x), makePointer(2, y)), OG_OK);
  EXPECT_EQ(y[3], 8);
}

TEST_F(ExecuteTest, RefusesMissingAndDuplicate) {
  expectStatus(execute(plan, {makeBuffer(1, x, four)}), OG_INVALID_VARIANT_PACK,
               {"output 'y' (uid 2)", "missing"});
  expectStatus(execute(plan, {makeBuffer(1, x, four), makeBuffer(1, x, four),
                              makeBuffer(2, y, four)}),
               OG_INVALID_VARIANT_PACK, {"two buffers", "'x'"});
}

TEST_F(ExecuteTest, RefusesNullMisalignedAndOtherDevice) {
  expectStatus(run(makeBuffer(1, nullptr, four), makeBuffer(2, y, four)),
               OG_INVALID_VARIANT_PACK, {"'x'", "null data", "4 elements"});
  const char *odd = reinterpret_cast<const char *>(x) + 2;
  expectStatus(run(makeBuffer(1, odd, four), makeBuffer(2, y, four)),
               OG_INVALID_VARIANT_PACK, {"'x'", "alignment to 4 bytes"});
  og_buffer gpu = makeBuffer(1, x, four);
  gpu.device = {OG_DEVICE_CUDA, 1};
  expectStatus(run(gpu, makeBuffer(2, y, four)), OG_INVALID_VARIANT_PACK,
               {"'x'", "device type 2 id 1", "the host"});
  gpu.device = {0, 0};
  EXPECT_EQ(run(gpu, makeBuffer(2, y, four)), OG_OK);
}

TEST_F(ExecuteTest, RefusesSmallBufferNamingBytes) {
  Shape three = {3}, two = {2};
  expectStatus(run(makeBuffer(1, x, three), makeBuffer(2, y, four)),
               OG_INVALID_VARIANT_PACK,
               {"'x'", "12 bytes", "[3]", "16 bytes", "[4]"});
  // Equal extents of a smaller type.
  expectStatus(run(makeBuffer(1, x, four, nullptr, OG_DTYPE_HALF),
                   makeBuffer(2, y, four)),
               OG_INVALID_VARIANT_PACK, {"8 bytes", "16 bytes"});
  expectStatus(run(makeBuffer(1, x, four, nullptr, og_dtype(77)),
                   makeBuffer(2, y, four)),
               OG_INVALID_VARIANT_PACK, {"unknown dtype 77"});
  // Fewer elements of a wider type have the bytes.
  EXPECT_EQ(run(makeBuffer(1, x, two, nullptr, OG_DTYPE_DOUBLE),
                makeBuffer(2, y, four)),
            OG_OK);
}

TEST_F(ExecuteTest, RedescribesDenseBuffers) {
  Shape matrix = {2, 2}, big = {9}, scalarLike = {1, 4, 1};
  Shape transposed = {1, 2}, gaps = {4, 1};
  for (const Shape *shape : {&matrix, &big, &scalarLike})
    EXPECT_EQ(run(makeBuffer(1, x, *shape), makeBuffer(2, y, four)), OG_OK)
        << og_last_error();
  EXPECT_EQ(run(makeBuffer(1, x, matrix, &transposed), makeBuffer(2, y, four)),
            OG_OK);
  EXPECT_EQ(y[1], 4);
  expectStatus(run(makeBuffer(1, x, matrix, &gaps), makeBuffer(2, y, four)),
               OG_INVALID_VARIANT_PACK, {"'x'", "[4, 1]", "dense"});
  Shape negative = {-4}, huge = {INT64_MAX, 4};
  expectStatus(run(makeBuffer(1, x, negative), makeBuffer(2, y, four)),
               OG_INVALID_VARIANT_PACK, {"extent is negative"});
  expectStatus(run(makeBuffer(1, x, huge), makeBuffer(2, y, four)),
               OG_INVALID_VARIANT_PACK, {"overflows"});
}

TEST_F(ExecuteTest, ExactRuleRefusesOwnStrides) {
  Shape two = {2};
  expectStatus(run(makeBuffer(1, x, four, &two), makeBuffer(2, y, four)),
               OG_INVALID_VARIANT_PACK, {"'x'", "strides [2]", "serves [1]"});
}

TEST_F(ExecuteTest, AnyRuleKeepsOwnStrides) {
  PlanContents contents = makeScalePlan(4);
  for (Operand &operand : contents.operands)
    operand.strideRule = OG_STRIDES_ANY;
  PlanPtr any = load(contents);
  Shape two = {2}, backwards = {-1}, zero = {0};
  ASSERT_EQ(execute(any, {makeBuffer(1, x, four, &two),
                          makeBuffer(2, y, four, &two)}),
            OG_OK)
      << og_last_error();
  EXPECT_EQ(y[2], 2 * x[2]);
  EXPECT_EQ(y[1], 0);
  ASSERT_EQ(execute(any, {makeBuffer(1, x + 3, four, &backwards),
                          makeBuffer(2, y, four)}),
            OG_OK)
      << og_last_error();
  EXPECT_EQ(y[0], 8);
  // Inputs may overlap themselves, outputs may not.
  EXPECT_EQ(
      execute(any, {makeBuffer(1, x, four, &zero), makeBuffer(2, y, four)}),
      OG_OK);
  for (const Shape *bad : {&zero, &backwards})
    expectStatus(
        execute(any, {makeBuffer(1, x, four), makeBuffer(2, y + 8, four, bad)}),
        OG_INVALID_VARIANT_PACK, {"output 'y'", "overlaps itself"});
  Shape overflow = {INT64_MAX / 2};
  expectStatus(
      execute(any, {makeBuffer(1, x, four, &overflow), makeBuffer(2, y, four)}),
      OG_INVALID_VARIANT_PACK, {"'x'", "overflows"});
}

TEST_F(ExecuteTest, UnitInnerRuleKeepsUnitAxis) {
  PlanContents contents = makeEmptyPlan();
  contents.operands = {makeOperand(1, "x", OG_DTYPE_FLOAT, {2, 3})};
  contents.operands[0].strideRule = OG_STRIDES_UNIT_INNER;
  contents.steps = {HostCall{Ret}};
  PlanPtr inner = load(contents);
  Shape shape = {2, 3}, padded = {5, 1}, turned = {1, 2};
  EXPECT_EQ(execute(inner, {makeBuffer(1, x, shape, &padded)}), OG_OK);
  expectStatus(execute(inner, {makeBuffer(1, x, shape, &turned)}),
               OG_INVALID_VARIANT_PACK, {"'x'", "[1, 2]", "unit stride"});
}

TEST_F(ExecuteTest, RefusesOverlaps) {
  expectStatus(run(makeBuffer(1, x, four), makeBuffer(2, x, four)),
               OG_INVALID_VARIANT_PACK,
               {"output 'y' (uid 2)", "same buffer", "'x' (uid 1)"});
  expectStatus(run(makeBuffer(1, x, four), makeBuffer(2, x + 3, four)),
               OG_INVALID_VARIANT_PACK, {"partly overlaps"});
  EXPECT_EQ(run(makeBuffer(1, x, four), makeBuffer(2, x + 4, four)), OG_OK);
}

TEST_F(ExecuteTest, ListedAliasIsExactOnly) {
  PlanContents contents = makeScalePlan(4);
  contents.aliases = {{0, 1}};
  for (Operand &operand : contents.operands)
    operand.strideRule = OG_STRIDES_ANY;
  PlanPtr inPlace = load(contents);
  EXPECT_EQ(execute(inPlace, {makeBuffer(1, x, four), makeBuffer(2, x, four)}),
            OG_OK)
      << og_last_error();
  EXPECT_EQ(x[1], 4);
  Shape two = {2};
  expectStatus(
      execute(inPlace, {makeBuffer(1, x, four), makeBuffer(2, x, four, &two)}),
      OG_INVALID_VARIANT_PACK, {"partly overlaps", "one layout"});
  expectStatus(
      execute(inPlace, {makeBuffer(1, x, four), makeBuffer(2, x + 1, four)}),
      OG_INVALID_VARIANT_PACK, {"partly overlaps"});
  // Interleaved, but no common byte.
  EXPECT_EQ(execute(inPlace, {makeBuffer(1, x, four, &two),
                              makeBuffer(2, x + 1, four, &two)}),
            OG_OK)
      << og_last_error();
}

TEST_F(ExecuteTest, RefusesOverlappingOutputs) {
  PlanContents contents = makeScalePlan(4);
  contents.operands.push_back(
      makeOperand(3, "z", OG_DTYPE_FLOAT, {4}, /*isOutput=*/true));
  PlanPtr two = load(contents);
  expectStatus(execute(two, {makeBuffer(1, x, four), makeBuffer(2, y, four),
                             makeBuffer(3, y, four)}),
               OG_INVALID_VARIANT_PACK, {"outputs 'y'", "'z'", "overlap"});
}

TEST_F(ExecuteTest, ZeroSizedOperandsNeedNoData) {
  PlanPtr empty = load(makeScalePlan(0));
  Shape zero = {0};
  EXPECT_EQ(execute(empty, {makeBuffer(1, nullptr, zero),
                            makeBuffer(2, nullptr, zero)}),
            OG_OK)
      << og_last_error();
  EXPECT_EQ(execute(empty, {makeBuffer(1, x, zero), makeBuffer(2, x, zero)}),
            OG_OK);
}

TEST_F(ExecuteTest, ByValueOperandsAreCopied) {
  PlanContents contents = makeScalePlan(4);
  Operand alpha = makeOperand(7, "alpha", OG_DTYPE_FLOAT, {1});
  alpha.byValue = true;
  float half = 0.5f;
  alpha.defaultValue.resize(4);
  std::memcpy(alpha.defaultValue.data(), &half, 4);
  contents.operands.insert(contents.operands.begin() + 1, alpha);
  contents.steps = {HostCall{ScaleBy}};
  PlanPtr scaled = load(contents);
  ASSERT_EQ(execute(scaled, {makeBuffer(1, x, four), makeBuffer(2, y, four)}),
            OG_OK)
      << og_last_error();
  EXPECT_EQ(y[3], 2.0f);
  // The value lies where the output goes: read before it is overwritten.
  y[0] = 3;
  ASSERT_EQ(execute(scaled, {makeBuffer(1, x, four), makeBuffer(2, y, four),
                             makePointer(7, y)}),
            OG_OK)
      << og_last_error();
  EXPECT_EQ(y[3], 12.0f);
  double wide = 3;
  Shape one = {1};
  expectStatus(
      execute(scaled, {makeBuffer(1, x, four), makeBuffer(2, y, four),
                       makeBuffer(7, &wide, one, nullptr, OG_DTYPE_DOUBLE)}),
      OG_INVALID_VARIANT_PACK, {"'alpha'", "64 bits", "expected 32"});
  expectStatus(execute(scaled, {makeBuffer(1, x, four), makeBuffer(2, y, four),
                                makePointer(7, nullptr)}),
               OG_INVALID_VARIANT_PACK, {"'alpha'", "null"});
}

TEST_F(ExecuteTest, ImportsAndImageRelocationsWork) {
  PlanContents contents = makeScalePlan(4);
  contents.steps = {HostCall{ExpFirst}};
  PlanPtr exponential = load(contents);
  ASSERT_EQ(
      execute(exponential, {makeBuffer(1, x, four), makeBuffer(2, y, four)}),
      OG_OK);
  EXPECT_EQ(y[0], std::exp(1.0f));
  contents.steps = {HostCall{JumpTable}};
  PlanPtr jump = load(contents);
  ASSERT_EQ(execute(jump, {makeBuffer(1, x, four), makeBuffer(2, y, four)}),
            OG_OK);
  EXPECT_EQ(y[3], 8.0f);
}

TEST_F(ExecuteTest, RefusesWrongCalls) {
  std::vector<og_buffer> buffers = {makeBuffer(1, x, four),
                                    makeBuffer(2, y, four)};
  Pack pack(buffers);
  expectStatus(og_plan_execute(nullptr, &pack, nullptr), OG_INVALID_ARGUMENT,
               {"plan is null"});
  expectStatus(og_plan_execute(plan.get(), nullptr, nullptr),
               OG_INVALID_ARGUMENT, {"pack is null"});
  expectStatus(og_plan_execute(plan.get(), &pack, x), OG_INVALID_ARGUMENT,
               {"stream must be null"});
  pack.struct_size = 8;
  expectStatus(og_plan_execute(plan.get(), &pack, nullptr), OG_INVALID_ARGUMENT,
               {"struct_size 8"});
  pack = Pack(buffers);
  buffers[0].struct_size = 0;
  expectStatus(og_plan_execute(plan.get(), &pack, nullptr), OG_INVALID_ARGUMENT,
               {"buffer has struct_size 0"});
  buffers[0].struct_size = sizeof(og_buffer);
  buffers[1].struct_size = sizeof(og_buffer) + 8;
  expectStatus(og_plan_execute(plan.get(), &pack, nullptr), OG_INVALID_ARGUMENT,
               {"buffer 1"});
  pack.buffers = nullptr;
  expectStatus(og_plan_execute(plan.get(), &pack, nullptr), OG_INVALID_ARGUMENT,
               {"null"});
}

/// A plan with a workspace: 64 shared bytes and 64 for each of two workers.
PlanContents makeWorkspacePlan() {
  PlanContents contents = makeEmptyPlan();
  contents.operands = {makeOperand(1, "bytes", OG_DTYPE_INT8, {192}, true)};
  contents.workspaceShared = 64;
  contents.workspacePrivate = 64;
  contents.maxWorkers = 2;
  contents.steps = {Fill{0, 192, 1}, Fill{64, 64, 2}, HostCall{CopyWorkspace}};
  return contents;
}

TEST_F(ExecuteTest, WorkspaceIsCheckedAndFilled) {
  PlanPtr filled = load(makeWorkspacePlan());
  alignas(64) uint8_t workspace[256], bytes[192];
  Shape shape = {192};
  std::vector<og_buffer> buffers = {makeBuffer(1, bytes, shape)};
  size_t size = 0;
  ASSERT_EQ(og_plan_workspace_size(filled.get(), nullptr, &size), OG_OK);
  EXPECT_EQ(size, 192u);
  ASSERT_EQ(execute(filled, buffers, workspace, 192), OG_OK) << og_last_error();
  EXPECT_EQ(bytes[0], 1);
  EXPECT_EQ(bytes[64], 2);
  EXPECT_EQ(bytes[128], 1);
  expectStatus(execute(filled, buffers), OG_INVALID_VARIANT_PACK,
               {"workspace is null", "192"});
  expectStatus(execute(filled, buffers, workspace, 191),
               OG_INVALID_VARIANT_PACK, {"191 bytes", "expected 192"});
  expectStatus(execute(filled, buffers, workspace + 32, 192),
               OG_INVALID_VARIANT_PACK, {"alignment to 64"});
  expectStatus(execute(filled, buffers, workspace, SIZE_MAX),
               OG_INVALID_VARIANT_PACK, {"address space"});
  buffers = {makeBuffer(1, workspace + 64, shape)};
  expectStatus(execute(filled, buffers, workspace, 192),
               OG_INVALID_VARIANT_PACK, {"overlaps operand 'bytes'"});
}

TEST_F(ExecuteTest, PoisonFillsElementsAndWorkspaceOnly) {
  setenv("OPGRAPH_DEBUG_POISON", "1", 1);
  PlanContents contents = makeEmptyPlan();
  contents.operands = {makeOperand(1, "x", OG_DTYPE_FLOAT, {2, 2}),
                       makeOperand(2, "y", OG_DTYPE_FLOAT, {2, 2}, true)};
  contents.operands[1].strides = {4, 2};
  contents.aliases = {{0, 1}};
  contents.steps = {HostCall{Ret}};
  contents.workspaceShared = 64;
  PlanPtr poisoned = load(contents);
  unsetenv("OPGRAPH_DEBUG_POISON");
  alignas(64) uint8_t workspace[128] = {};
  Shape shape = {2, 2}, strides = {4, 2};
  ASSERT_EQ(
      execute(poisoned,
              {makeBuffer(1, x, shape), makeBuffer(2, y, shape, &strides)},
              workspace, 100),
      OG_OK)
      << og_last_error();
  for (int i = 0; i < 16; ++i)
    EXPECT_EQ(std::isnan(y[i]), i == 0 || i == 2 || i == 4 || i == 6) << i;
  EXPECT_EQ(x[0], 1);
  EXPECT_EQ(workspace[99], 0xff);
  EXPECT_EQ(workspace[100], 0);
}

TEST_F(ExecuteTest, PoisonSparesInPlaceOutputs) {
  setenv("OPGRAPH_DEBUG_POISON", "1", 1);
  PlanContents contents = makeScalePlan(4);
  contents.aliases = {{0, 1}};
  PlanPtr inPlace = load(contents);
  unsetenv("OPGRAPH_DEBUG_POISON");
  ASSERT_EQ(execute(inPlace, {makeBuffer(1, x, four), makeBuffer(2, x, four)}),
            OG_OK);
  EXPECT_EQ(x[0], 2);
}

TEST_F(ExecuteTest, RaggedAndPackedStorage) {
  PlanContents contents = makeEmptyPlan();
  contents.operands = {makeOperand(1, "r", OG_DTYPE_FLOAT, {2, 8}),
                       makeOperand(2, "u", OG_DTYPE_FLOAT, {2, 8}),
                       makeOperand(3, "p", OG_DTYPE_INT4, {2, 4})};
  contents.operands[0].storage = OG_STORAGE_RAGGED;
  contents.operands[0].storageBytes = Expr(20);
  contents.operands[1].storage = OG_STORAGE_RAGGED;
  contents.operands[2].storage = OG_STORAGE_PACKED4;
  contents.steps = {HostCall{Ret}};
  PlanPtr stored = load(contents);
  Shape five = {5}, fourValues = {4}, one = {1}, bytes = {4}, three = {3};
  og_buffer unchecked = makeBuffer(2, y, one);
  og_buffer packed = makeBuffer(3, x + 8, bytes, nullptr, OG_DTYPE_UINT8);
  EXPECT_EQ(execute(stored, {makeBuffer(1, x, five), unchecked, packed}), OG_OK)
      << og_last_error();
  expectStatus(
      execute(stored, {makeBuffer(1, x, fourValues), unchecked, packed}),
      OG_INVALID_VARIANT_PACK, {"'r'", "16 bytes", "20 bytes"});
  packed.shape = three.data();
  expectStatus(execute(stored, {makeBuffer(1, x, five), unchecked, packed}),
               OG_INVALID_VARIANT_PACK, {"'p'", "3 bytes", "4 bytes"});
}

/// A plan that does nothing with a 4-bit operand of 4 rows of 8 elements.
static PlanContents makePackedPlan(og_stride_rule rule) {
  PlanContents contents = makeEmptyPlan();
  contents.operands = {makeOperand(1, "p", OG_DTYPE_FP4_E2M1, {4, 8}, true)};
  contents.operands[0].storage = OG_STORAGE_PACKED4;
  contents.operands[0].strideRule = rule;
  contents.steps = {HostCall{Ret}};
  return contents;
}

TEST_F(ExecuteTest, BytesStandForPairsOfPackedElements) {
  PlanPtr exact = load(makePackedPlan(OG_STRIDES_EXACT));
  PlanPtr any = load(makePackedPlan(OG_STRIDES_ANY));
  Shape halves = {4, 4}, flat = {16}, padded = {6, 1}, few = {4, 3};
  for (og_dtype dtype : {OG_DTYPE_UINT8, OG_DTYPE_INT8}) {
    EXPECT_EQ(execute(exact, {makeBuffer(1, y, halves, nullptr, dtype)}), OG_OK)
        << og_last_error();
    EXPECT_EQ(execute(exact, {makeBuffer(1, y, flat, nullptr, dtype)}), OG_OK)
        << og_last_error();
  }
  og_buffer rows = makeBuffer(1, y, halves, &padded, OG_DTYPE_UINT8);
  EXPECT_EQ(execute(any, {rows}), OG_OK) << og_last_error();
  expectStatus(execute(exact, {rows}), OG_INVALID_VARIANT_PACK,
               {"'p'", "strides [12, 1]", "serves [8, 1]"});
  expectStatus(execute(any, {makeBuffer(1, y, few, nullptr, OG_DTYPE_UINT8)}),
               OG_INVALID_VARIANT_PACK, {"'p'", "12 bytes", "16 bytes"});
  // Every second byte holds no pairs along the axis of stride 1.
  Shape gaps = {8, 2}, overflow = {INT64_MAX / 2 + 1, 1};
  for (const Shape *strides : {&gaps, &overflow})
    expectStatus(
        execute(any, {makeBuffer(1, y, halves, strides, OG_DTYPE_UINT8)}),
        OG_INVALID_VARIANT_PACK, {"'p'"});
  // A buffer of 4-bit elements, as DLPack describes it.
  Shape own = {4, 8}, wide = {10, 1};
  EXPECT_EQ(execute(any, {makeBuffer(1, y, own, &wide, OG_DTYPE_FP4_E2M1)}),
            OG_OK)
      << og_last_error();
}

TEST_F(ExecuteTest, PoisonSparesTheOtherHalfOfAByte) {
  setenv("OPGRAPH_DEBUG_POISON", "1", 1);
  PlanContents contents = makePackedPlan(OG_STRIDES_EXACT);
  contents.operands[0] = makeOperand(1, "p", OG_DTYPE_FP4_E2M1, {1, 1}, true);
  contents.operands[0].storage = OG_STORAGE_PACKED4;
  PlanPtr one = load(contents);
  unsetenv("OPGRAPH_DEBUG_POISON");
  alignas(4) unsigned char byte = 0x21;
  ASSERT_EQ(execute(one, {makePointer(1, &byte)}), OG_OK) << og_last_error();
  EXPECT_EQ(byte, 0x21);
}

} // namespace
