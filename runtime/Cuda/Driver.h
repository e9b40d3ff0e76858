//===- Driver.h - The CUDA driver, opened at run time -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_CUDA_DRIVER_H
#define OPGRAPH_RUNTIME_CUDA_DRIVER_H

#include "opgraph-c/status.h"
#include "runtime/Cuda/Types.h"

#include <cstddef>

namespace opgraph::runtime::cuda {

/// The oldest driver that is served: it has cuLaunchKernelEx.
inline constexpr int minDriverVersion = 11080;

/// The entry points in use. (field, exported name, type).
#define OPGRAPH_CUDA_FUNCTIONS(X)                                              \
  X(init, "cuInit", int (*)(unsigned))                                         \
  X(driverGetVersion, "cuDriverGetVersion", int (*)(int *))                    \
  X(getErrorName, "cuGetErrorName", int (*)(int, const char **))               \
  X(getErrorString, "cuGetErrorString", int (*)(int, const char **))           \
  X(deviceGetCount, "cuDeviceGetCount", int (*)(int *))                        \
  X(deviceGet, "cuDeviceGet", int (*)(Device *, int))                          \
  X(deviceGetName, "cuDeviceGetName", int (*)(char *, int, Device))            \
  X(deviceGetAttribute, "cuDeviceGetAttribute", int (*)(int *, int, Device))   \
  X(deviceTotalMem, "cuDeviceTotalMem_v2", int (*)(size_t *, Device))          \
  X(primaryCtxRetain, "cuDevicePrimaryCtxRetain", int (*)(Context *, Device))  \
  X(ctxGetCurrent, "cuCtxGetCurrent", int (*)(Context *))                      \
  X(ctxPushCurrent, "cuCtxPushCurrent_v2", int (*)(Context))                   \
  X(ctxPopCurrent, "cuCtxPopCurrent_v2", int (*)(Context *))                   \
  X(ctxSynchronize, "cuCtxSynchronize", int (*)())                             \
  X(memAlloc, "cuMemAlloc_v2", int (*)(DevicePtr *, size_t))                   \
  X(memFree, "cuMemFree_v2", int (*)(DevicePtr))                               \
  X(memcpyHtoD, "cuMemcpyHtoD_v2", int (*)(DevicePtr, const void *, size_t))   \
  X(memcpyDtoH, "cuMemcpyDtoH_v2", int (*)(void *, DevicePtr, size_t))         \
  X(streamGetCtx, "cuStreamGetCtx", int (*)(Stream, Context *))                \
  X(streamIsCapturing, "cuStreamIsCapturing", int (*)(Stream, int *))          \
  X(streamSynchronize, "cuStreamSynchronize", int (*)(Stream))                 \
  X(exchangeCaptureMode, "cuThreadExchangeStreamCaptureMode", int (*)(int *))  \
  X(pointerGetAttributes, "cuPointerGetAttributes",                            \
    int (*)(unsigned, int *, void **, DevicePtr))                              \
  X(moduleLoadDataEx, "cuModuleLoadDataEx",                                    \
    int (*)(Module *, const void *, unsigned, int *, void **))                 \
  X(moduleUnload, "cuModuleUnload", int (*)(Module))                           \
  X(moduleGetFunction, "cuModuleGetFunction",                                  \
    int (*)(Function *, Module, const char *))                                 \
  X(funcGetAttribute, "cuFuncGetAttribute", int (*)(int *, int, Function))     \
  X(funcSetAttribute, "cuFuncSetAttribute", int (*)(Function, int, int))       \
  X(launchKernelEx, "cuLaunchKernelEx",                                        \
    int (*)(const LaunchConfig *, Function, void **, void **))                 \
  X(memsetD8Async, "cuMemsetD8Async",                                          \
    int (*)(DevicePtr, unsigned char, size_t, Stream))                         \
  X(memsetD2D8Async, "cuMemsetD2D8Async",                                      \
    int (*)(DevicePtr, size_t, unsigned char, size_t, size_t, Stream))

/// Entry points that a driver may lack: null then.
#define OPGRAPH_CUDA_OPTIONAL_FUNCTIONS(X)                                     \
  X(funcGetParamInfo, "cuFuncGetParamInfo",                                    \
    int (*)(Function, size_t, size_t *, size_t *))                             \
  X(graphGetRootNodes, "cuGraphGetRootNodes",                                  \
    int (*)(Graph, GraphNode *, size_t *))                                     \
  X(graphGetDependents, "cuGraphNodeGetDependentNodes",                        \
    int (*)(GraphNode, GraphNode *, size_t *))                                 \
  X(graphGetNodeType, "cuGraphNodeGetType", int (*)(GraphNode, int *))         \
  X(graphAddKernel, "cuGraphAddKernelNode_v2",                                 \
    int (*)(GraphNode *, Graph, const GraphNode *, size_t,                     \
            const KernelNode *))                                               \
  X(graphSetKernel, "cuGraphKernelNodeSetParams_v2",                           \
    int (*)(GraphNode, const KernelNode *))                                    \
  X(graphSetKernelAttribute, "cuGraphKernelNodeSetAttribute",                  \
    int (*)(GraphNode, int, const LaunchAttribute::Value *))                   \
  X(graphAddMemset, "cuGraphAddMemsetNode",                                    \
    int (*)(GraphNode *, Graph, const GraphNode *, size_t, const MemsetNode *, \
            Context))                                                          \
  X(graphSetMemset, "cuGraphMemsetNodeSetParams",                              \
    int (*)(GraphNode, const MemsetNode *))                                    \
  X(graphCreate, "cuGraphCreate", int (*)(Graph *, unsigned))                  \
  X(graphDestroy, "cuGraphDestroy", int (*)(Graph))                            \
  X(graphAddChild, "cuGraphAddChildGraphNode",                                 \
    int (*)(GraphNode *, Graph, const GraphNode *, size_t, Graph))             \
  X(graphGetChild, "cuGraphChildGraphNodeGetGraph",                            \
    int (*)(GraphNode, Graph *))                                               \
  X(userObjectCreate, "cuUserObjectCreate",                                    \
    int (*)(UserObject *, void *, void (*)(void *), unsigned, unsigned))       \
  X(graphRetainUserObject, "cuGraphRetainUserObject",                          \
    int (*)(Graph, UserObject, unsigned, unsigned))                            \
  X(tensorMapEncodeTiled, "cuTensorMapEncodeTiled",                            \
    int (*)(TensorMapBytes *, int, uint32_t, void *, const uint64_t *,         \
            const uint64_t *, const uint32_t *, const uint32_t *, int, int,    \
            int, int))                                                         \
  X(tensorMapEncodeIm2col, "cuTensorMapEncodeIm2col",                          \
    int (*)(TensorMapBytes *, int, uint32_t, void *, const uint64_t *,         \
            const uint64_t *, const int *, const int *, uint32_t, uint32_t,    \
            const uint32_t *, int, int, int, int))

/// The opened driver.
struct Driver {
  template <typename T>
  struct Pointer {
    using Type = T;
  };
#define OPGRAPH_DECLARE(field, name, ...) Pointer<__VA_ARGS__>::Type field;
  OPGRAPH_CUDA_FUNCTIONS(OPGRAPH_DECLARE)
  OPGRAPH_CUDA_OPTIONAL_FUNCTIONS(OPGRAPH_DECLARE)
#undef OPGRAPH_DECLARE
  /// As cuDriverGetVersion has it: 12040 for 12.4.
  int version = 0;
  int deviceCount = 0;
};

/// The driver, opened by the first call: `libcuda.so.1`, or the file that
/// OPGRAPH_LIBCUDA names. Records OG_LIBRARY_MISSING (none), OG_UNAVAILABLE (it
/// does not start; no device) or OG_UNSUPPORTED (too old), naming the version.
/// What the first call finds stays so.
og_status getDriver(const Driver **out);

/// The driver when getDriver has succeeded before; for the hot path.
const Driver &openedDriver();

/// Records an error "<what>: CUDA_ERROR_X (n): text" with the status that fits
/// the code. `what` is formatted as printf does.
[[gnu::format(printf, 3, 4)]] og_status
failCuda(const Driver &driver, int result, const char *what, ...);

/// The status of a driver's code.
og_status statusOf(int result);

/// For the text of a code that may be of work enqueued before; "" for others.
const char *faultHint(int result);

} // namespace opgraph::runtime::cuda

#endif // OPGRAPH_RUNTIME_CUDA_DRIVER_H
