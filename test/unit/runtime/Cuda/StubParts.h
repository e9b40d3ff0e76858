/*===- StubParts.h - What the files of the stub driver share -------------===*/
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   */
/*===---------------------------------------------------------------------===*/
#ifndef OPGRAPH_TEST_UNIT_RUNTIME_CUDA_STUBPARTS_H
#define OPGRAPH_TEST_UNIT_RUNTIME_CUDA_STUBPARTS_H

#include "StubCuda.h"

typedef unsigned long long DevicePtr;

typedef struct Context {
  int device;
  int retained;
} Context;

typedef struct Kernel {
  char name[128];
  int num_params;
  size_t sizes[STUB_MAX_PARAMS];
  int max_shared;
  Context *context;
} Kernel;

/* Counts a call; what it is to fail with. */
int stub_enter(const char *function);

/* Does what the kernel's name says. */
void stub_compute(const Kernel *function, void **params);

#define STUB_ENTER()                                                           \
  do {                                                                         \
    int planned = stub_enter(__func__);                                        \
    if (planned)                                                               \
      return planned;                                                          \
  } while (0)

#endif /* OPGRAPH_TEST_UNIT_RUNTIME_CUDA_STUBPARTS_H */
