/*===- opgraph-c/types.h - Types shared by compiler and runtime ----------===*/
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   */
/*===---------------------------------------------------------------------===*/

#ifndef OPGRAPH_C_TYPES_H
#define OPGRAPH_C_TYPES_H

#include "opgraph-c/export.h"

#include <stddef.h>
#include <stdint.h>

OG_BEGIN_DECLS

/** Element types. The numbers are the peers' and part of the file format. */
typedef enum og_dtype {
  OG_DTYPE_NOT_SET = 0,
  OG_DTYPE_FLOAT = 1,
  OG_DTYPE_DOUBLE = 2,
  OG_DTYPE_HALF = 3,
  OG_DTYPE_INT8 = 4,
  OG_DTYPE_INT32 = 5,
  OG_DTYPE_INT8X4 = 6,
  OG_DTYPE_UINT8 = 7,
  OG_DTYPE_UINT8X4 = 8,
  OG_DTYPE_INT8X32 = 9,
  OG_DTYPE_BFLOAT16 = 10,
  OG_DTYPE_INT64 = 11,
  /** One byte per element: any non-zero byte read is true, 0 or 1 written. */
  OG_DTYPE_BOOLEAN = 12,
  OG_DTYPE_BYTE_BOOLEAN = 13,
  OG_DTYPE_FP8_E4M3 = 14,
  OG_DTYPE_FP8_E5M2 = 15,
  /** A compute type only; no tensor has it. */
  OG_DTYPE_FAST_FLOAT_FOR_FP8 = 16,
  OG_DTYPE_FP8_E8M0 = 17,
  OG_DTYPE_FP8_E5M3 = 18,
  /** Two elements per byte, the lower index in the low nibble. */
  OG_DTYPE_FP4_E2M1 = 19,
  /** Two elements per byte, the lower index in the low nibble. */
  OG_DTYPE_INT4 = 20,
  OG_DTYPE_COMPLEX_FP32 = 21,
  OG_DTYPE_COMPLEX_FP64 = 22
} og_dtype;

/** The name of a dtype, for example "BFLOAT16"; "UNKNOWN" for another number.
 * Static storage. */
OG_API const char *og_dtype_name(og_dtype dtype);

/** Bits one element takes in memory (8 for BOOLEAN, 4 for INT4); 0 for
 * NOT_SET, compute-only types and unknown numbers. */
OG_API int og_dtype_bits(og_dtype dtype);

/** Kinds of device, with DLPack's numbers. */
typedef enum og_device_type {
  OG_DEVICE_HOST = 1,
  OG_DEVICE_CUDA = 2,
  /** Page-locked host memory: the host reads and writes it as its own. */
  OG_DEVICE_CUDA_HOST = 3,
  OG_DEVICE_CUDA_MANAGED = 13
} og_device_type;

/** A device: its kind and its ordinal (0 for the host). */
typedef struct og_device {
  int32_t type;
  int32_t id;
} og_device;

/** One engine knob: its KnobType number and value. */
typedef struct og_knob {
  int64_t type;
  int64_t value;
} og_knob;

/** How the bytes of an operand's buffer follow from its declaration. */
typedef enum og_storage {
  /** The declared span. */
  OG_STORAGE_DENSE = 0,
  /** Packed sequences: the declared total when there is one, else unchecked. */
  OG_STORAGE_RAGGED = 1,
  /** A container of pages, as declared. */
  OG_STORAGE_PAGED = 2,
  /** Two 4-bit elements per byte. */
  OG_STORAGE_PACKED4 = 3
} og_storage;

/** Which strides a buffer of the declared extents may have. */
typedef enum og_stride_rule {
  /** The declared strides only. */
  OG_STRIDES_EXACT = 0,
  /** Any, but the axis whose declared stride is 1 keeps stride 1. */
  OG_STRIDES_UNIT_INNER = 1,
  /** Any. */
  OG_STRIDES_ANY = 2
} og_stride_rule;

/** The largest rank of an operand. */
#define OG_MAX_RANK 16

/** The largest alignment in bytes that an operand may promise. */
#define OG_MAX_ALIGNMENT 4096

/** Stands for an extent or stride that is known only at execution. */
#define OG_DYNAMIC INT64_MIN

OG_END_DECLS

#endif /* OPGRAPH_C_TYPES_H */
