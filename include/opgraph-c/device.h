/*===- opgraph-c/device.h - Memory and drivers of devices ----------------===*/
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   */
/*===---------------------------------------------------------------------===*/
/*
 * Memory for tools, tests and examples that have no framework to give them any.
 * These calls allocate and wait: no part of an execution. Each works for the
 * host ({OG_DEVICE_HOST, 0}) too, so that callers need no case of their own.
 * They fail as og_cuda_device_count does where there is no such device.
 */

#ifndef OPGRAPH_C_DEVICE_H
#define OPGRAPH_C_DEVICE_H

#include "opgraph-c/status.h"
#include "opgraph-c/types.h"

OG_BEGIN_DECLS

/** Allocates `bytes`, aligned to 256; `*out` is null for 0 bytes. OG_RESOURCE
 * or OG_OUT_OF_MEMORY. */
OG_API og_status og_device_alloc(og_device device, size_t bytes, void **out);

/** Frees memory of og_device_alloc, when the device has done its work. Null is
 * ignored. */
OG_API og_status og_device_free(og_device device, void *memory);

/** Copies from memory of the host to the device's, and waits for it. */
OG_API og_status og_device_upload(og_device device, void *to, const void *from,
                                  size_t bytes);

/** Copies from the device's memory to the host's, after the work before it on
 * the default stream, and waits for it. */
OG_API og_status og_device_download(og_device device, void *to,
                                    const void *from, size_t bytes);

/** Waits for all work of the device. OG_UNAVAILABLE reports a fault of it. */
OG_API og_status og_device_synchronize(og_device device);

/** The newest PTX that a CUDA driver compiles: 86 (PTX 8.6) for its version
 * 12070 (CUDA 12.7), as og_cuda_driver_version has it. Asks no driver. */
OG_API int32_t og_cuda_newest_ptx(int32_t driver_version);

OG_END_DECLS

#endif /* OPGRAPH_C_DEVICE_H */
