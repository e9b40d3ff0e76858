//===- DLPackTest.cpp - DLPack tensors as buffers -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/unit/runtime/TestPlans.h"

#include <dlpack/dlpack.h>

using namespace opgraph::test;

namespace {

class DLPackTest : public ::testing::Test {
protected:
  DLPackTest() {
    tensor.data = values;
    tensor.device = {kDLCPU, 0};
    tensor.ndim = 1;
    tensor.dtype = {kDLFloat, 32, 1};
    tensor.shape = shape;
    tensor.byte_offset = 8;
  }

  float values[8] = {0, 0, 1, 2, 3, 4};
  int64_t shape[1] = {4};
  int64_t strides[1] = {1};
  DLTensor tensor = {};
  og_buffer buffer = {};
};

TEST_F(DLPackTest, DescribesATensor) {
  tensor.strides = strides;
  ASSERT_EQ(og_buffer_from_dltensor(&tensor, 1, &buffer), OG_OK);
  EXPECT_EQ(buffer.data, values + 2);
  EXPECT_EQ(buffer.dtype, OG_DTYPE_FLOAT);
  EXPECT_EQ(buffer.shape, shape);
  EXPECT_EQ(buffer.strides, strides);
  EXPECT_EQ(buffer.device.type, OG_DEVICE_HOST);
  PlanPtr plan = load(makeScalePlan(4));
  float y[4];
  ASSERT_EQ(execute(plan, {buffer, makePointer(2, y)}), OG_OK);
  EXPECT_EQ(y[3], 8);
}

TEST_F(DLPackTest, KnowsTheDtypes) {
  struct {
    DLDataType type;
    og_dtype dtype;
  } cases[] = {{{kDLBfloat, 16, 1}, OG_DTYPE_BFLOAT16},
               {{kDLFloat, 16, 1}, OG_DTYPE_HALF},
               {{kDLFloat, 64, 1}, OG_DTYPE_DOUBLE},
               {{kDLInt, 64, 1}, OG_DTYPE_INT64},
               {{kDLInt, 8, 1}, OG_DTYPE_INT8},
               {{kDLUInt, 8, 1}, OG_DTYPE_UINT8},
               {{kDLBool, 8, 1}, OG_DTYPE_BOOLEAN},
               {{kDLFloat8_e4m3fn, 8, 1}, OG_DTYPE_FP8_E4M3},
               {{kDLFloat8_e5m2, 8, 1}, OG_DTYPE_FP8_E5M2},
               {{kDLFloat8_e8m0fnu, 8, 1}, OG_DTYPE_FP8_E8M0},
               {{kDLFloat4_e2m1fn, 4, 1}, OG_DTYPE_FP4_E2M1},
               {{kDLFloat4_e2m1fn, 4, 2}, OG_DTYPE_UINT8},
               {{kDLInt, 4, 1}, OG_DTYPE_INT4},
               {{kDLInt, 8, 4}, OG_DTYPE_INT8X4}};
  for (const auto &c : cases) {
    tensor.dtype = c.type;
    ASSERT_EQ(og_buffer_from_dltensor(&tensor, 1, &buffer), OG_OK);
    EXPECT_EQ(buffer.dtype, c.dtype);
    EXPECT_EQ(og_dtype_bits(c.dtype), c.type.bits * c.type.lanes);
  }
}

TEST_F(DLPackTest, RefusesByUid) {
  tensor.dtype.lanes = 4;
  expectStatus(og_buffer_from_dltensor(&tensor, 17, &buffer), OG_UNSUPPORTED,
               {"uid 17", "4 lanes"});
  tensor.dtype = {kDLInt, 16, 1};
  expectStatus(og_buffer_from_dltensor(&tensor, 17, &buffer), OG_UNSUPPORTED,
               {"16 bits"});
  tensor.dtype = {kDLFloat, 32, 1};
  tensor.device.device_type = kDLROCM;
  expectStatus(og_buffer_from_dltensor(&tensor, 17, &buffer), OG_UNSUPPORTED,
               {"device type 10"});
  tensor.device.device_type = kDLCPU;
  tensor.shape = nullptr;
  expectStatus(og_buffer_from_dltensor(&tensor, 17, &buffer),
               OG_INVALID_ARGUMENT, {"null shape"});
  expectStatus(og_buffer_from_dltensor(nullptr, 17, &buffer),
               OG_INVALID_ARGUMENT, {"tensor is null"});
}

TEST_F(DLPackTest, ManagedTensors) {
  DLManagedTensorVersioned managed = {};
  managed.version = {1, 0};
  managed.flags = DLPACK_FLAG_BITMASK_READ_ONLY;
  managed.dl_tensor = tensor;
  EXPECT_EQ(og_buffer_from_dlmanaged(&managed, 5, 0, &buffer), OG_OK);
  EXPECT_EQ(buffer.uid, 5);
  expectStatus(og_buffer_from_dlmanaged(&managed, 5, 1, &buffer),
               OG_INVALID_VARIANT_PACK, {"uid 5", "read-only"});
  managed.version.major = 2;
  expectStatus(og_buffer_from_dlmanaged(&managed, 5, 0, &buffer),
               OG_VERSION_MISMATCH, {"2.0"});
  managed.version.major = 1;
  managed.flags = DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
  managed.dl_tensor.dtype = {kDLFloat4_e2m1fn, 4, 1};
  expectStatus(og_buffer_from_dlmanaged(&managed, 5, 0, &buffer),
               OG_UNSUPPORTED, {"padded"});
  managed.flags = 0;
  EXPECT_EQ(og_buffer_from_dlmanaged(&managed, 5, 0, &buffer), OG_OK);
}

} // namespace
