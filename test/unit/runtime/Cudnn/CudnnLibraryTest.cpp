//===- CudnnLibraryTest.cpp - The real library, without a GPU -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
///
/// \file
/// Operation graphs given to the library of this machine, for a device that is
/// only described, with a driver of a few functions in the place of CUDA's.
/// Left out where there is no library.
///
//===----------------------------------------------------------------------===//

#include "opgraph-c/cudnn.h"
#include "test/unit/runtime/Cudnn/TestCudnn.h"

#include <fstream>
#include <memory>
#include <sstream>

using namespace opgraph::planfile;
using namespace opgraph::runtime::cudnn;
using namespace opgraph::test;

namespace {

std::string readDevice() {
  std::ifstream file(OPGRAPH_SOURCE_DIR "/lib/Devices/h200.json");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

uint32_t addTensor(StepMaker &maker, uint64_t uid, uint64_t dtype,
                   std::vector<uint64_t> dims, std::vector<uint64_t> strides,
                   bool isVirtual = false) {
  uint32_t tensor = maker.add(KIND_TENSOR);
  maker.set(ATTR_TENSOR_UNIQUE_ID, TYPE_INT64, {uid});
  maker.set(ATTR_TENSOR_DATA_TYPE, TYPE_DATA_TYPE, {dtype});
  maker.set(ATTR_TENSOR_DIMENSIONS, TYPE_INT64, std::move(dims));
  maker.set(ATTR_TENSOR_STRIDES, TYPE_INT64, std::move(strides));
  maker.set(ATTR_TENSOR_BYTE_ALIGNMENT, TYPE_INT64, {16});
  if (isVirtual)
    maker.set(ATTR_TENSOR_IS_VIRTUAL, TYPE_BOOLEAN, {1});
  return tensor;
}

/// relu(a b) of 256 x 256 bf16 matrices.
CudnnExecute makeMatmulStep() {
  constexpr uint64_t bf16 = 9, f32 = 0;
  std::vector<uint64_t> dims = {1, 256, 256}, strides = {65536, 256, 1};
  StepMaker maker;
  uint64_t a = addTensor(maker, 1, bf16, dims, strides);
  uint64_t b = addTensor(maker, 2, bf16, dims, strides);
  uint64_t c = addTensor(maker, 3, f32, dims, strides, /*isVirtual=*/true);
  uint64_t y = addTensor(maker, 4, bf16, dims, strides);
  uint64_t matmul = maker.add(KIND_MATMUL);
  maker.set(ATTR_MATMUL_COMP_TYPE, TYPE_DATA_TYPE, {f32});
  uint64_t product = maker.add(KIND_OPERATION_MATMUL);
  maker.set(ATTR_OPERATION_MATMUL_ADESC, TYPE_BACKEND_DESCRIPTOR, {a});
  maker.set(ATTR_OPERATION_MATMUL_BDESC, TYPE_BACKEND_DESCRIPTOR, {b});
  maker.set(ATTR_OPERATION_MATMUL_CDESC, TYPE_BACKEND_DESCRIPTOR, {c});
  maker.set(ATTR_OPERATION_MATMUL_DESC, TYPE_BACKEND_DESCRIPTOR, {matmul});
  uint64_t relu = maker.add(KIND_POINTWISE);
  maker.set(ATTR_POINTWISE_MODE, TYPE_POINTWISE_MODE, {100});
  maker.set(ATTR_POINTWISE_MATH_PREC, TYPE_DATA_TYPE, {f32});
  uint64_t clipped = maker.add(KIND_OPERATION_POINTWISE);
  maker.set(ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, TYPE_BACKEND_DESCRIPTOR,
            {relu});
  maker.set(ATTR_OPERATION_POINTWISE_XDESC, TYPE_BACKEND_DESCRIPTOR, {c});
  maker.set(ATTR_OPERATION_POINTWISE_YDESC, TYPE_BACKEND_DESCRIPTOR, {y});
  maker.add(KIND_OPERATIONGRAPH);
  maker.set(ATTR_OPERATIONGRAPH_OPS, TYPE_BACKEND_DESCRIPTOR,
            {product, clipped});
  return maker.step;
}

class CudnnLibrary : public ::testing::Test {
protected:
  void SetUp() override {
    int32_t version = 0;
    if (og_cudnn_version(&version) != OG_OK)
      GTEST_SKIP() << og_last_error();
  }
  ~CudnnLibrary() override { og_cudnn_graph_destroy(graph); }

  /// Whether the library finds what it ranks and makes plans with.
  bool hasBlas() {
    size_t count = 0;
    return og_cudnn_graph_query(graph, 2, &count) != OG_LIBRARY_MISSING;
  }

  og_status create(const CudnnExecute &step) {
    og_cudnn_program program = programOf(step);
    return og_cudnn_graph_create(&program, -1, readDevice().c_str(), &graph);
  }

  og_cudnn_graph *graph = nullptr;
};

TEST_F(CudnnLibrary, ListsEnginesWithTheirKnobs) {
  ASSERT_EQ(create(makeMatmulStep()), OG_OK) << og_last_error();
  int64_t count = 0, usable = 0;
  ASSERT_EQ(og_cudnn_graph_num_engines(graph, &count), OG_OK);
  ASSERT_GT(count, 0);
  for (int64_t engine = 0; engine < count; ++engine) {
    og_cudnn_engine_info info = {};
    info.struct_size = sizeof(info);
    og_status status = og_cudnn_graph_engine(graph, engine, &info);
    if (status != OG_OK) {
      expectStatus(status, OG_UNSUPPORTED, {"cuDNN refuses the ENGINE"});
      continue;
    }
    ++usable;
    for (size_t i = 0; i < info.num_knobs; ++i) {
      EXPECT_LE(info.knobs[i].minimum, info.knobs[i].maximum);
      EXPECT_GT(info.knobs[i].stride, 0);
      EXPECT_TRUE(i == 0 || info.knobs[i - 1].type < info.knobs[i].type);
    }
  }
  EXPECT_GT(usable, 0);
}

TEST_F(CudnnLibrary, BuildsWhatTheHeuristicsList) {
  ASSERT_EQ(create(makeMatmulStep()), OG_OK) << og_last_error();
  if (!hasBlas())
    GTEST_SKIP() << og_last_error();
  for (int32_t mode : {3, 1, 2}) {
    size_t count = 0;
    ASSERT_EQ(og_cudnn_graph_query(graph, mode, &count), OG_OK)
        << og_last_error();
    ASSERT_GT(count, 0u) << "mode " << mode;
    og_cudnn_config config = {};
    config.struct_size = sizeof(config);
    ASSERT_EQ(og_cudnn_graph_config(graph, 0, &config), OG_OK);
    std::vector<og_knob> knobs(config.knobs, config.knobs + config.num_knobs);
    og_cudnn_plan plan = {};
    plan.struct_size = sizeof(plan);
    ASSERT_EQ(og_cudnn_graph_build(graph, config.engine, knobs.data(),
                                   knobs.size(), &plan),
              OG_OK)
        << og_last_error();
    EXPECT_EQ(plan.workspace, config.workspace);
    EXPECT_GT(plan.serialized_length, 100u);
    EXPECT_EQ(plan.serialized[0], '{');
  }
}

TEST_F(CudnnLibrary, NamesWhatItLacks) {
  ASSERT_EQ(create(makeMatmulStep()), OG_OK) << og_last_error();
  if (!hasBlas())
    GTEST_SKIP() << og_last_error();
  int64_t count = 0;
  og_cudnn_graph_num_engines(graph, &count);
  og_cudnn_config config = {};
  config.struct_size = sizeof(config);
  expectStatus(og_cudnn_graph_choose(graph, count, nullptr, 0, &config),
               OG_NOT_FOUND, {"has no engine " + std::to_string(count)});
  og_knob knob = {999, 1};
  size_t listed = 0;
  ASSERT_EQ(og_cudnn_graph_query(graph, 2, &listed), OG_OK);
  ASSERT_GT(listed, 0u);
  ASSERT_EQ(og_cudnn_graph_config(graph, 0, &config), OG_OK);
  expectStatus(og_cudnn_graph_choose(graph, config.engine, &knob, 1, &config),
               OG_NOT_FOUND, {"has no knob 999"});
}

TEST_F(CudnnLibrary, RefusesAGraphWithItsReason) {
  CudnnExecute step = makeMatmulStep();
  // The extents of b no longer meet a's.
  step.words[12] = 128;
  og_status status = create(step);
  EXPECT_EQ(status, OG_UNSUPPORTED);
  EXPECT_NE(std::string(og_last_error()).find("cuDNN refuses"),
            std::string::npos)
      << og_last_error();
}

} // namespace
