/*===- StubDriver.c - The driver that cuDNN plans with, for tests --------===*/
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   */
/*===---------------------------------------------------------------------===*/
/*
 * cuDNN opens libcuda.so.1 itself and, to list configurations and finalise
 * plans, only needs its functions to be there: with these it does both without
 * a GPU. (The toolkit's stub, which answers all with an error, is enough for
 * lists alone.) Nothing can be executed.
 */

#define STUB_SUCCEEDS(name)                                                    \
  int name(void) { return 0; }

STUB_SUCCEEDS(cuCtxGetCurrent)
STUB_SUCCEEDS(cuCtxGetLimit)
STUB_SUCCEEDS(cuCtxPopCurrent)
STUB_SUCCEEDS(cuCtxPushCurrent)
STUB_SUCCEEDS(cuGetErrorName)
STUB_SUCCEEDS(cuGetErrorString)
STUB_SUCCEEDS(cuKernelGetAttribute)
STUB_SUCCEEDS(cuKernelSetAttribute)
STUB_SUCCEEDS(cuLaunchCooperativeKernel)
STUB_SUCCEEDS(cuLaunchKernel)
STUB_SUCCEEDS(cuLaunchKernelEx)
STUB_SUCCEEDS(cuLibraryLoadFromFile)
STUB_SUCCEEDS(cuLibraryUnload)
STUB_SUCCEEDS(cuLinkAddData)
STUB_SUCCEEDS(cuLinkComplete)
STUB_SUCCEEDS(cuLinkCreate)
STUB_SUCCEEDS(cuLinkDestroy)
STUB_SUCCEEDS(cuStreamGetCtx)

static char object;

int cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return 0;
}

int cuDeviceGetCount(int *count) {
  *count = 1;
  return 0;
}

int cuDriverGetVersion(int *version) {
  *version = 13000;
  return 0;
}

int cuLibraryGetKernel(void **kernel) {
  *kernel = &object;
  return 0;
}

int cuLibraryLoadData(void **library) {
  *library = &object;
  return 0;
}

int cuOccupancyMaxPotentialClusterSize(int *size) {
  *size = 8;
  return 0;
}
