/*===- StubCuda.h - A CUDA driver without a GPU, for tests ---------------===*/
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   */
/*===---------------------------------------------------------------------===*/
/*
 * A library with the driver's exported names. It has two devices (compute
 * capability 9.0 and 8.0) whose memory is the host's, records calls, fails
 * where it is told to, and checks what the real driver would punish: a launch
 * in a context that is not current, a module load that a capture forbids.
 *
 * Set OPGRAPH_STUB_CUDA before it is opened: "devices=0,version=11040,init=100,
 * capability=75" (of device 0).
 *
 * Code is the 64 bytes of an ELF header, or the line "//stub", followed by
 * lines "kernel: size size ...", with the sizes of the parameters in bytes. A
 * kernel whose name contains "add" computes: its parameters are x, y, out
 * (addresses of f32) and a count (i32), and out = x + y. A cubin that an
 * assembler made is code too: its kernels have the parameters that it says, and
 * do nothing. OPGRAPH_STUB_CUDA_LOG names a file for a line per launch.
 */

#ifndef OPGRAPH_TEST_UNIT_RUNTIME_CUDA_STUBCUDA_H
#define OPGRAPH_TEST_UNIT_RUNTIME_CUDA_STUBCUDA_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { STUB_MAX_PARAMS = 16, STUB_PARAM_BYTES = 128 };

/** One launch, as it reached the driver. */
typedef struct stub_launch {
  char kernel[128];
  unsigned grid[3];
  unsigned block[3];
  unsigned cluster[3];
  unsigned shared;
  int dependent;
  int device;
  void *stream;
  int num_params;
  unsigned char params[STUB_MAX_PARAMS][STUB_PARAM_BYTES];
} stub_launch;

/** One memset: rows of `width` bytes, `pitch` apart. */
typedef struct stub_fill {
  unsigned long long address;
  size_t pitch, width, height;
  int value;
} stub_fill;

/** Forgets recorded calls and planned failures; modules and contexts stay. */
void stub_cuda_reset(void);
/** Makes the call number `after` (0 is the next) of a function, and all later
 * ones, return `result`; by exported name. */
void stub_cuda_fail(const char *function, int result, int after);
/** How often a function was called since the last reset. */
int stub_cuda_count(const char *function);

int stub_cuda_num_launches(void);
const stub_launch *stub_cuda_launch(int index);
int stub_cuda_num_fills(void);
const stub_fill *stub_cuda_fill(int index);

/** Memory of a device; of none where `device` is negative (host memory that the
 * driver knows). Freed with stub_cuda_free. */
void *stub_cuda_malloc(int device, size_t bytes, int managed);
void stub_cuda_free(void *memory);

/** A stream of a device's primary context, or of another one of that device. */
void *stub_cuda_stream(int device, int primary);
/** Capture in global mode: forbids module loads to threads in that mode. */
void stub_cuda_capture(void *stream, int capturing);
/** The primary context of a device, and the one current in this thread. */
void *stub_cuda_primary(int device);
void *stub_cuda_current(void);

/** An empty CUDA graph; running one does what its nodes say, in order; freeing
 * it gives back what it retains. */
void *stub_cuda_graph(void);
void stub_cuda_run_graph(void *graph);
void stub_cuda_free_graph(void *graph);
int stub_cuda_num_nodes(void *graph);

#ifdef __cplusplus
}
#endif

#endif /* OPGRAPH_TEST_UNIT_RUNTIME_CUDA_STUBCUDA_H */
