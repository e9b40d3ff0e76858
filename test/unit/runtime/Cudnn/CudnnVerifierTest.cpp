//===- CudnnVerifierTest.cpp - Damaged cuDNN steps ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/unit/runtime/Cudnn/TestCudnn.h"

using namespace opgraph::planfile;
using namespace opgraph::runtime::cudnn;
using namespace opgraph::test;

namespace {

/// Loads makeCudnnPlan after `change` of its step; the loader must refuse it.
template <typename Change>
void expectCorrupt(Change &&change, const std::vector<std::string> &texts) {
  PlanContents contents = makeCudnnPlan();
  change(stepOf(contents));
  std::vector<uint8_t> bytes = write(contents);
  og_plan *plan = nullptr;
  expectStatus(og_plan_load(bytes.data(), bytes.size(), &plan), OG_DATA_LOSS,
               texts);
  EXPECT_EQ(plan, nullptr);
}

TEST(CudnnVerifier, Kinds) {
  expectCorrupt([](CudnnExecute &step) { step.kinds.clear(); },
                {"step 0", "0 descriptors"});
  expectCorrupt([](CudnnExecute &step) { step.kinds[0] = 4711; },
                {"descriptor 0 is of kind 4711"});
  expectCorrupt([](CudnnExecute &step) { step.kinds[0] = KIND_ENGINE; },
                {"descriptor 0 is of kind 2, which no program has"});
  expectCorrupt([](CudnnExecute &step) { step.kinds.push_back(KIND_MATMUL); },
                {"is a OPERATIONGRAPH: the last one, and no other"});
}

TEST(CudnnVerifier, Records) {
  expectCorrupt([](CudnnExecute &step) { step.records[0].descriptor = 9; },
                {"record 0 is of descriptor 9 of 4"});
  expectCorrupt([](CudnnExecute &step) { step.records[0].descriptor = 1; },
                {"out of order"});
  expectCorrupt([](CudnnExecute &step) { step.records[0].attribute = 4711; },
                {"sets attribute 4711 of a TENSOR"});
  expectCorrupt([](CudnnExecute &step) { step.records[0].type = TYPE_FLOAT; },
                {"TENSOR_UNIQUE_ID of descriptor 0 has type 4, expected 3"});
  expectCorrupt([](CudnnExecute &step) { step.records[0].type = UINT32_MAX; },
                {"TENSOR_UNIQUE_ID of descriptor 0 has type"});
  expectCorrupt([](CudnnExecute &step) { step.records[0].count = 2; },
                {"has 2 elements, expected 1 to 1"});
  expectCorrupt([](CudnnExecute &step) { step.records[0].first = 1u << 31; },
                {"TENSOR_UNIQUE_ID of descriptor 0 takes words"});
}

TEST(CudnnVerifier, References) {
  // The words of the reshape's x, and of the graph's list.
  expectCorrupt([](CudnnExecute &step) { step.words[10] = 2; },
                {"is descriptor 2, which is made later"});
  expectCorrupt([](CudnnExecute &step) { step.words[10] = uint64_t(1) << 40; },
                {"which is made later"});
  expectCorrupt([](CudnnExecute &step) { step.words[12] = 1; },
                {"OPERATIONGRAPH_OPS of descriptor 3 is a TENSOR"});
}

TEST(CudnnVerifier, Data) {
  expectCorrupt([](CudnnExecute &step) { step.uids.pop_back(); },
                {"step 0 has 2 uids and 3 arguments"});
  expectCorrupt([](CudnnExecute &step) { step.uids[2] = 21; },
                {"gives the data of uid 21 twice"});
  expectCorrupt([](CudnnExecute &step) { step.args[0].index = 9; },
                {"argument 0 names operand 9 of 3"});
  expectCorrupt(
      [](CudnnExecute &step) { step.args[0].kind = ArgKind::TensorMap; },
      {"argument 0 is of kind 5"});
  expectCorrupt([](CudnnExecute &step) { step.workspace = 32; },
                {"128 bytes from byte 32 of the workspace"});
  expectCorrupt([](CudnnExecute &step) { step.bytes = uint64_t(1) << 60; },
                {"of the workspace"});
  expectCorrupt([](CudnnExecute &step) { step.serialized = {1}; },
                {"serialised plan of no version"});
  expectCorrupt([](CudnnExecute &step) { step.knobs.resize(65); },
                {"65 knobs"});
}

TEST(CudnnVerifier, AHostPlanHasNoSuchStep) {
  PlanContents contents = makeCudnnPlan();
  contents.device = DeviceKind::Host;
  contents.target = "host";
  std::vector<uint8_t> bytes = write(contents);
  og_plan *plan = nullptr;
  expectStatus(og_plan_load(bytes.data(), bytes.size(), &plan), OG_DATA_LOSS,
               {"a host plan executes cuDNN"});
}

TEST(CudnnVerifier, TheFileKeepsTheStep) {
  PlanContents contents = makeSerializedPlan(), read;
  std::vector<uint8_t> bytes = write(contents);
  std::string error;
  ASSERT_TRUE(readPlanFile(bytes.data(), bytes.size(), read, error)) << error;
  const CudnnExecute &expected = stepOf(contents), &actual = stepOf(read);
  EXPECT_EQ(actual.kinds, expected.kinds);
  EXPECT_EQ(actual.words, expected.words);
  EXPECT_EQ(actual.records.size(), expected.records.size());
  EXPECT_EQ(actual.uids, expected.uids);
  EXPECT_EQ(actual.engine, 7);
  ASSERT_EQ(actual.knobs.size(), 1u);
  EXPECT_EQ(actual.knobs[0].value, 3);
  EXPECT_EQ(actual.args[2].expr, Expr(4));
  EXPECT_EQ(actual.workspace, 64u);
  EXPECT_EQ(actual.bytes, 128u);
  EXPECT_EQ(actual.library, 91900u);
  EXPECT_EQ(actual.serialized, expected.serialized);
  EXPECT_EQ(write(read), bytes);
}

} // namespace
