/*===- opgraph-c/host_abi.h - ABI between runtime and host code ----------===*/
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   */
/*===---------------------------------------------------------------------===*/
/*
 * What generated host code may rely on, and what it must look like. Code
 * generators are written against this header; users do not need it.
 *
 * Entry functions have the type og_host_entry. args[i], for operand i of the
 * plan, points to a descriptor
 *
 *   { void *allocated; void *aligned; int64_t offset;
 *     int64_t sizes[rank]; int64_t strides[rank]; }
 *
 * with allocated == aligned, offset == 0 and strides in elements of the
 * storage type. A by-value operand is such a descriptor over a private copy
 * of the value in host memory. args[number of operands] points to the
 * workspace's descriptor { ptr, ptr, 0, {bytes}, {1} }; ptr is aligned to
 * OG_WORKSPACE_ALIGNMENT, or null when bytes is 0.
 *
 * Workspace layout: [shared | worker 0 | worker 1 | ... ], every part a
 * multiple of OG_WORKSPACE_ALIGNMENT bytes, as many workers as the plan's
 * max_workers.
 */

#ifndef OPGRAPH_C_HOST_ABI_H
#define OPGRAPH_C_HOST_ABI_H

#include "opgraph-c/export.h"

#include <stddef.h>
#include <stdint.h>

OG_BEGIN_DECLS

/** The version of this ABI and of the list of imports. A plan records the one
 * it was built for; a loader takes plans of its own and lower versions. */
#define OG_HOST_ABI_VERSION 1

/** Alignment of the workspace and of each of its parts, in bytes. */
#define OG_WORKSPACE_ALIGNMENT 64

/** Page granularity of host image segments, in bytes. */
#define OG_IMAGE_PAGE 4096

/** An entry of a host image. */
typedef void (*og_host_entry)(void **args);

/** A parallel body: handles [begin, end) as `worker`. Two calls of one
 * opgraph_parallel_for that run at the same time have different workers. */
typedef void (*og_parallel_body)(void **args, int64_t begin, int64_t end,
                                 int64_t worker);

/**
 * The type of the import `opgraph_parallel_for`: runs `body` over disjoint
 * chunks that cover [0, count), 0 <= worker < max_workers of the plan, and
 * returns when all are done. A nested call runs on its caller, under the
 * caller's worker. Results must not depend on the chunks.
 */
typedef void (*og_parallel_for_fn)(og_parallel_body body, void **args,
                                   int64_t count);

/** How many names a host image may import. */
OG_API size_t og_host_import_count(void);

/** The i-th importable name in ascending order; null when i is out of range.
 * Static storage. */
OG_API const char *og_host_import_name(size_t index);

/** 1 when a host image may import `name`, else 0. */
OG_API int og_host_import_allowed(const char *name);

OG_END_DECLS

#endif /* OPGRAPH_C_HOST_ABI_H */
