/*===- StubCudnn.h - A cuDNN library without a GPU, for tests ------------===*/
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   */
/*===---------------------------------------------------------------------===*/
/*
 * A library that keeps what is set on descriptors and notes what is executed.
 * The environment variable OPGRAPH_STUB_CUDNN, read at each call, holds
 * settings, "version=91900,workspace=128": the version, the workspace that
 * plans need, the code that a call fails with (fail_finalize_<kind>,
 * fail_execute, fail_create, fail_check).
 */

#ifndef OPGRAPH_TEST_UNIT_RUNTIME_CUDNN_STUBCUDNN_H
#define OPGRAPH_TEST_UNIT_RUNTIME_CUDNN_STUBCUDNN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { STUB_CUDNN_MAX_DATA = 16 };

/* One execution. */
typedef struct stub_cudnn_execution {
  int64_t engine;
  /* 1 when the plan was made from its serialised form. */
  int restored;
  /* 1 when it was written into a CUDA graph, 2 when it updated one. */
  int graph;
  void *stream;
  void *workspace;
  int64_t num_data;
  int64_t uids[STUB_CUDNN_MAX_DATA];
  void *data[STUB_CUDNN_MAX_DATA];
} stub_cudnn_execution;

/* Forgets executions. */
void stub_cudnn_reset(void);
int stub_cudnn_num_executions(void);
/* Null beyond the last. */
const stub_cudnn_execution *stub_cudnn_execution_at(int index);
/* Descriptors, and handles, that were made and not destroyed. */
int stub_cudnn_live_descriptors(void);
int stub_cudnn_live_handles(void);
/* Calls of cudnnBackendSetAttribute that were taken. */
int stub_cudnn_num_attributes_set(void);

#ifdef __cplusplus
}
#endif

#endif /* OPGRAPH_TEST_UNIT_RUNTIME_CUDNN_STUBCUDNN_H */
