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
  /* Of a cubin that an assembler made: it does nothing here. */
  int is_real;
  Context *context;
} Kernel;

/* Whether an image is a cubin that an assembler made, and its kernels; -1 where
 * there are more, or of more parameters, than the stub keeps. */
int stub_is_cubin(const void *image);
int stub_read_cubin(const void *image, Kernel *kernels, int most);

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
