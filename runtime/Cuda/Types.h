//===- Types.h - The CUDA driver's types, as we declare them ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
///
/// \file
/// The part of the driver API's ABI that the runtime uses, so that building it
/// needs no CUDA toolkit. DriverTypesTest.cpp compares layouts and numbers with
/// cuda.h where a toolkit is installed.
///
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_CUDA_TYPES_H
#define OPGRAPH_RUNTIME_CUDA_TYPES_H

#include <cstddef>
#include <cstdint>

namespace opgraph::runtime::cuda {

using Device = int;
using DevicePtr = unsigned long long;
using Context = struct ContextTag *;
using Module = struct ModuleTag *;
using Function = struct FunctionTag *;
using Stream = struct StreamTag *;
using Graph = struct GraphTag *;
using GraphNode = struct GraphNodeTag *;
using UserObject = struct UserObjectTag *;

/// CUresult: the codes that are told apart here.
enum Result : int {
  Success = 0,
  ErrorInvalidValue = 1,
  ErrorOutOfMemory = 2,
  ErrorDeviceUnavailable = 46,
  ErrorNoDevice = 100,
  ErrorInvalidDevice = 101,
  ErrorInvalidImage = 200,
  ErrorInvalidContext = 201,
  ErrorNoBinaryForGpu = 209,
  ErrorInvalidPtx = 218,
  ErrorJitCompilerNotFound = 221,
  ErrorUnsupportedPtxVersion = 222,
  ErrorInvalidHandle = 400,
  ErrorNotFound = 500,
  ErrorLaunchOutOfResources = 701,
  ErrorSystemDriverMismatch = 803,
  ErrorStreamCaptureImplicit = 906
};

enum DeviceAttribute : int {
  DeviceMaxThreadsPerBlock = 1,
  DeviceMaxBlockDimX = 2,
  DeviceMaxBlockDimY = 3,
  DeviceMaxBlockDimZ = 4,
  DeviceMaxGridDimX = 5,
  DeviceMaxGridDimY = 6,
  DeviceMaxGridDimZ = 7,
  DeviceMaxSharedPerBlock = 8,
  DeviceWarpSize = 10,
  DeviceMaxRegistersPerBlock = 12,
  DeviceClockRate = 13,
  DeviceMultiprocessorCount = 16,
  DevicePciDeviceId = 34,
  DeviceTccDriver = 35,
  DeviceMemoryClockRate = 36,
  DeviceMemoryBusWidth = 37,
  DeviceL2CacheSize = 38,
  DeviceMaxThreadsPerSm = 39,
  DeviceComputeMajor = 75,
  DeviceComputeMinor = 76,
  DeviceMaxRegistersPerSm = 82,
  DeviceCooperativeLaunch = 95,
  DeviceMaxSharedPerBlockOptin = 97,
  DeviceMaxBlocksPerSm = 106,
  DeviceReservedSharedPerBlock = 111
};

enum FunctionAttribute : int {
  FunctionMaxThreadsPerBlock = 0,
  FunctionSharedSize = 1,
  FunctionNumRegisters = 4,
  FunctionMaxDynamicShared = 8,
  FunctionNonPortableCluster = 14
};

enum PointerAttribute : int {
  PointerMemoryType = 2,
  PointerIsManaged = 8,
  PointerDeviceOrdinal = 9
};

enum MemoryType : unsigned { MemoryHost = 1, MemoryDevice = 2 };

enum CaptureMode : int { CaptureRelaxed = 2 };
enum CaptureStatus : int { CaptureNone = 0 };

enum JitOption : int { JitErrorLogBuffer = 5, JitErrorLogBufferSize = 6 };

/// CUlaunchAttribute.
struct LaunchAttribute {
  enum Id : int { ClusterDimension = 4, StreamSerialization = 6 };
  union Value {
    char pad[64];
    struct {
      unsigned x, y, z;
    } cluster;
    int flag;
    void *alignment;
  };
  Id id;
  char pad[4];
  Value value;
};

/// CUlaunchConfig.
struct LaunchConfig {
  unsigned gridX, gridY, gridZ;
  unsigned blockX, blockY, blockZ;
  unsigned sharedBytes;
  Stream stream;
  LaunchAttribute *attributes;
  unsigned numAttributes;
};

/// CUDA_KERNEL_NODE_PARAMS_v2.
struct KernelNode {
  Function function;
  unsigned gridX, gridY, gridZ;
  unsigned blockX, blockY, blockZ;
  unsigned sharedBytes;
  void **params;
  void **extra;
  void *kernel;
  Context context;
};

/// CUDA_MEMSET_NODE_PARAMS.
struct MemsetNode {
  DevicePtr address;
  size_t pitch;
  unsigned value;
  unsigned elementBytes;
  size_t width;
  size_t height;
};

enum NodeType : int { NodeKernel = 0, NodeMemset = 2, NodeGraph = 4 };
enum UserObjectFlag : unsigned { UserObjectNoSync = 1 };
enum RetainFlag : unsigned { RetainMove = 1 };

/// CUtensorMap.
struct alignas(128) TensorMapBytes {
  uint64_t opaque[16];
};

enum TensorMapDtype : int {
  MapUInt8 = 0,
  MapInt32 = 3,
  MapInt64 = 5,
  MapFloat16 = 6,
  MapFloat32 = 7,
  MapFloat64 = 8,
  MapBFloat16 = 9
};
enum TensorMapInterleave : int { InterleaveNone = 0 };
enum TensorMapPromotion : int { Promote128 = 2 };
enum TensorMapFill : int { FillZero = 0, FillNan = 1 };

/// Streams that are no handles; they belong to the current context.
inline bool isSpecialStream(const void *stream) {
  return reinterpret_cast<uintptr_t>(stream) <= 2;
}

} // namespace opgraph::runtime::cuda

#endif // OPGRAPH_RUNTIME_CUDA_TYPES_H
