//===- DriverTypesTest.cpp - Our declarations against cuda.h --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
///
/// \file
/// Built where a CUDA toolkit is installed. Everything is checked by the
/// compiler.
///
//===----------------------------------------------------------------------===//

#include "runtime/Cuda/Types.h"

#include <cstddef>
#include <cuda.h>

#include "gtest/gtest.h"

using namespace opgraph::runtime;

#define OPGRAPH_SAME(ours, theirs)                                             \
  static_assert(int(cuda::ours) == int(theirs), #ours " is not " #theirs)

OPGRAPH_SAME(Success, CUDA_SUCCESS);
OPGRAPH_SAME(ErrorInvalidValue, CUDA_ERROR_INVALID_VALUE);
OPGRAPH_SAME(ErrorOutOfMemory, CUDA_ERROR_OUT_OF_MEMORY);
OPGRAPH_SAME(ErrorDeviceUnavailable, CUDA_ERROR_DEVICE_UNAVAILABLE);
OPGRAPH_SAME(ErrorNoDevice, CUDA_ERROR_NO_DEVICE);
OPGRAPH_SAME(ErrorInvalidDevice, CUDA_ERROR_INVALID_DEVICE);
OPGRAPH_SAME(ErrorInvalidImage, CUDA_ERROR_INVALID_IMAGE);
OPGRAPH_SAME(ErrorInvalidContext, CUDA_ERROR_INVALID_CONTEXT);
OPGRAPH_SAME(ErrorNoBinaryForGpu, CUDA_ERROR_NO_BINARY_FOR_GPU);
OPGRAPH_SAME(ErrorInvalidPtx, CUDA_ERROR_INVALID_PTX);
OPGRAPH_SAME(ErrorJitCompilerNotFound, CUDA_ERROR_JIT_COMPILER_NOT_FOUND);
OPGRAPH_SAME(ErrorUnsupportedPtxVersion, CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
OPGRAPH_SAME(ErrorInvalidHandle, CUDA_ERROR_INVALID_HANDLE);
OPGRAPH_SAME(ErrorNotFound, CUDA_ERROR_NOT_FOUND);
OPGRAPH_SAME(ErrorLaunchOutOfResources, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
OPGRAPH_SAME(ErrorSystemDriverMismatch, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH);
OPGRAPH_SAME(ErrorStreamCaptureImplicit, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);

#define OPGRAPH_DEVICE(ours, theirs)                                           \
  OPGRAPH_SAME(Device##ours, CU_DEVICE_ATTRIBUTE_##theirs)
OPGRAPH_DEVICE(MaxThreadsPerBlock, MAX_THREADS_PER_BLOCK);
OPGRAPH_DEVICE(MaxBlockDimX, MAX_BLOCK_DIM_X);
OPGRAPH_DEVICE(MaxBlockDimY, MAX_BLOCK_DIM_Y);
OPGRAPH_DEVICE(MaxBlockDimZ, MAX_BLOCK_DIM_Z);
OPGRAPH_DEVICE(MaxGridDimX, MAX_GRID_DIM_X);
OPGRAPH_DEVICE(MaxGridDimY, MAX_GRID_DIM_Y);
OPGRAPH_DEVICE(MaxGridDimZ, MAX_GRID_DIM_Z);
OPGRAPH_DEVICE(MaxSharedPerBlock, MAX_SHARED_MEMORY_PER_BLOCK);
OPGRAPH_DEVICE(WarpSize, WARP_SIZE);
OPGRAPH_DEVICE(MaxRegistersPerBlock, MAX_REGISTERS_PER_BLOCK);
OPGRAPH_DEVICE(ClockRate, CLOCK_RATE);
OPGRAPH_DEVICE(MultiprocessorCount, MULTIPROCESSOR_COUNT);
OPGRAPH_DEVICE(PciDeviceId, PCI_DEVICE_ID);
OPGRAPH_DEVICE(TccDriver, TCC_DRIVER);
OPGRAPH_DEVICE(MemoryClockRate, MEMORY_CLOCK_RATE);
OPGRAPH_DEVICE(MemoryBusWidth, GLOBAL_MEMORY_BUS_WIDTH);
OPGRAPH_DEVICE(L2CacheSize, L2_CACHE_SIZE);
OPGRAPH_DEVICE(MaxThreadsPerSm, MAX_THREADS_PER_MULTIPROCESSOR);
OPGRAPH_DEVICE(ComputeMajor, COMPUTE_CAPABILITY_MAJOR);
OPGRAPH_DEVICE(ComputeMinor, COMPUTE_CAPABILITY_MINOR);
OPGRAPH_DEVICE(MaxRegistersPerSm, MAX_REGISTERS_PER_MULTIPROCESSOR);
OPGRAPH_DEVICE(CooperativeLaunch, COOPERATIVE_LAUNCH);
OPGRAPH_DEVICE(MaxSharedPerBlockOptin, MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
OPGRAPH_DEVICE(MaxBlocksPerSm, MAX_BLOCKS_PER_MULTIPROCESSOR);
OPGRAPH_DEVICE(ReservedSharedPerBlock, RESERVED_SHARED_MEMORY_PER_BLOCK);

OPGRAPH_SAME(FunctionMaxThreadsPerBlock,
             CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
OPGRAPH_SAME(FunctionSharedSize, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
OPGRAPH_SAME(FunctionNumRegisters, CU_FUNC_ATTRIBUTE_NUM_REGS);
OPGRAPH_SAME(FunctionMaxDynamicShared,
             CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
OPGRAPH_SAME(FunctionNonPortableCluster,
             CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);
OPGRAPH_SAME(PointerMemoryType, CU_POINTER_ATTRIBUTE_MEMORY_TYPE);
OPGRAPH_SAME(PointerIsManaged, CU_POINTER_ATTRIBUTE_IS_MANAGED);
OPGRAPH_SAME(PointerDeviceOrdinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL);
OPGRAPH_SAME(MemoryHost, CU_MEMORYTYPE_HOST);
OPGRAPH_SAME(MemoryDevice, CU_MEMORYTYPE_DEVICE);
OPGRAPH_SAME(CaptureRelaxed, CU_STREAM_CAPTURE_MODE_RELAXED);
OPGRAPH_SAME(CaptureNone, CU_STREAM_CAPTURE_STATUS_NONE);
OPGRAPH_SAME(JitErrorLogBuffer, CU_JIT_ERROR_LOG_BUFFER);
OPGRAPH_SAME(JitErrorLogBufferSize, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
OPGRAPH_SAME(LaunchAttribute::ClusterDimension,
             CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
OPGRAPH_SAME(LaunchAttribute::StreamSerialization,
             CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
OPGRAPH_SAME(MapUInt8, CU_TENSOR_MAP_DATA_TYPE_UINT8);
OPGRAPH_SAME(MapInt32, CU_TENSOR_MAP_DATA_TYPE_INT32);
OPGRAPH_SAME(MapInt64, CU_TENSOR_MAP_DATA_TYPE_INT64);
OPGRAPH_SAME(MapFloat16, CU_TENSOR_MAP_DATA_TYPE_FLOAT16);
OPGRAPH_SAME(MapFloat32, CU_TENSOR_MAP_DATA_TYPE_FLOAT32);
OPGRAPH_SAME(MapFloat64, CU_TENSOR_MAP_DATA_TYPE_FLOAT64);
OPGRAPH_SAME(MapBFloat16, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16);
OPGRAPH_SAME(InterleaveNone, CU_TENSOR_MAP_INTERLEAVE_NONE);
OPGRAPH_SAME(Promote128, CU_TENSOR_MAP_L2_PROMOTION_L2_128B);
OPGRAPH_SAME(FillZero, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
OPGRAPH_SAME(FillNan, CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA);
// The plan file's swizzles are the driver's.
static_assert(CU_TENSOR_MAP_SWIZZLE_NONE == 0 &&
              CU_TENSOR_MAP_SWIZZLE_32B == 1 &&
              CU_TENSOR_MAP_SWIZZLE_64B == 2 &&
              CU_TENSOR_MAP_SWIZZLE_128B == 3);

static_assert(sizeof(cuda::TensorMapBytes) == sizeof(CUtensorMap) &&
              alignof(cuda::TensorMapBytes) == alignof(CUtensorMap));
static_assert(sizeof(cuda::DevicePtr) == sizeof(CUdeviceptr));
static_assert(sizeof(cuda::LaunchAttribute) == sizeof(CUlaunchAttribute));
static_assert(offsetof(cuda::LaunchAttribute, value) ==
              offsetof(CUlaunchAttribute, value));
static_assert(sizeof(cuda::LaunchConfig) == sizeof(CUlaunchConfig));
static_assert(offsetof(cuda::LaunchConfig, sharedBytes) ==
              offsetof(CUlaunchConfig, sharedMemBytes));
static_assert(offsetof(cuda::LaunchConfig, stream) ==
              offsetof(CUlaunchConfig, hStream));
static_assert(offsetof(cuda::LaunchConfig, attributes) ==
              offsetof(CUlaunchConfig, attrs));
static_assert(offsetof(cuda::LaunchConfig, numAttributes) ==
              offsetof(CUlaunchConfig, numAttrs));
static_assert(sizeof(cuda::KernelNode) == sizeof(CUDA_KERNEL_NODE_PARAMS_v2));
static_assert(offsetof(cuda::KernelNode, params) ==
              offsetof(CUDA_KERNEL_NODE_PARAMS_v2, kernelParams));
static_assert(offsetof(cuda::KernelNode, context) ==
              offsetof(CUDA_KERNEL_NODE_PARAMS_v2, ctx));
static_assert(sizeof(cuda::MemsetNode) == sizeof(CUDA_MEMSET_NODE_PARAMS));
static_assert(offsetof(cuda::MemsetNode, elementBytes) ==
              offsetof(CUDA_MEMSET_NODE_PARAMS, elementSize));
static_assert(offsetof(cuda::MemsetNode, width) ==
              offsetof(CUDA_MEMSET_NODE_PARAMS, width));
OPGRAPH_SAME(NodeKernel, CU_GRAPH_NODE_TYPE_KERNEL);
OPGRAPH_SAME(NodeMemset, CU_GRAPH_NODE_TYPE_MEMSET);
OPGRAPH_SAME(UserObjectNoSync, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
OPGRAPH_SAME(RetainMove, CU_GRAPH_USER_OBJECT_MOVE);

namespace {

TEST(DriverTypes, AreTheToolkits) {
  CUlaunchAttributeValue value = {};
  value.clusterDim.x = 1;
  value.clusterDim.y = 2;
  value.clusterDim.z = 3;
  const auto &ours = reinterpret_cast<cuda::LaunchAttribute::Value &>(value);
  EXPECT_EQ(ours.cluster.y, 2u);
  EXPECT_EQ(ours.cluster.z, 3u);
  value.programmaticStreamSerializationAllowed = 1;
  EXPECT_EQ(ours.flag, 1);
  EXPECT_TRUE(cuda::isSpecialStream(CU_STREAM_LEGACY));
  EXPECT_TRUE(cuda::isSpecialStream(CU_STREAM_PER_THREAD));
}

} // namespace
