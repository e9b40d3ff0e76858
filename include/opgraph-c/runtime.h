/*===- opgraph-c/runtime.h - Loading and running compiled plans ----------===*/
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   */
/*===---------------------------------------------------------------------===*/
/*
 * The runtime loads a compiled plan (.ogplan) and executes it. It needs no
 * compiler. A plan file is code: load only files that you trust.
 *
 * An og_plan is immutable. It is counted by reference; every function here
 * may be called by several threads at once on one plan, and two threads may
 * execute it at once with different operands.
 */

#ifndef OPGRAPH_C_RUNTIME_H
#define OPGRAPH_C_RUNTIME_H

#include "opgraph-c/status.h"
#include "opgraph-c/types.h"

OG_BEGIN_DECLS

/** The runtime's version, for example "0.1.0". Static storage. */
OG_API const char *og_runtime_version(void);

/** The best code variant that this machine runs and OPGRAPH_CPU_TARGET allows:
 * "x86-64-v2", "x86-64-v3", "x86-64-v4", "x86-64-v4-bf16", or "none". Static
 * storage. */
OG_API const char *og_cpu_target(void);

/** How many workers an execution can use here: from the affinity mask and the
 * cgroup's CPU quota, or OPGRAPH_NUM_THREADS. At least 1. */
OG_API int32_t og_num_threads(void);

/**
 * How many CUDA devices the driver has. The driver (libcuda.so.1, or the file
 * that OPGRAPH_LIBCUDA names) is opened by the first call that needs it, and
 * what that finds stays so. OG_LIBRARY_MISSING: no driver; OG_UNAVAILABLE: it
 * does not start, or finds no device; OG_UNSUPPORTED: it is too old. `*count`
 * is 0 then.
 */
OG_API og_status og_cuda_device_count(int32_t *count);

/** The driver's version, 12040 for 12.4. Fails as og_cuda_device_count does. */
OG_API og_status og_cuda_driver_version(int32_t *version);

/**
 * The JSON description of CUDA device `ordinal`, as planning takes it
 * (og_plan_options.target), into `text` of `capacity` bytes, cut and terminated
 * by NUL. `*length` receives its whole length without the NUL. OG_UNSUPPORTED:
 * no such device; else as og_cuda_device_count.
 */
OG_API og_status og_cuda_describe(int32_t ordinal, char *text, size_t capacity,
                                  size_t *length);

/** A loaded plan. */
typedef struct og_plan og_plan;

/*===---------------------------------------------------------------------===*/
/* Loading, saving, life time                                                */
/*===---------------------------------------------------------------------===*/

/**
 * Loads a plan from `size` bytes at `data`, which are copied. On success
 * `*out` holds one reference, to be given back by og_plan_release.
 *
 * OG_DATA_LOSS: truncated, altered or inconsistent; OG_VERSION_MISMATCH: a
 * file of another format major or a newer host ABI; OG_UNSUPPORTED: no code
 * variant runs on this machine, or an import is not on the list;
 * OG_RESOURCE, OG_OUT_OF_MEMORY. `*out` is null on failure.
 */
OG_API og_status og_plan_load(const void *data, size_t size, og_plan **out);

/** As og_plan_load, but the bytes stay the caller's and must outlive the plan
 * unchanged. They are copied only when not aligned to 64 bytes. */
OG_API og_status og_plan_load_static(const void *data, size_t size,
                                     og_plan **out);

/** As og_plan_load, from a file. Also OG_IO_ERROR. */
OG_API og_status og_plan_load_file(const char *path, og_plan **out);

/** Takes one more reference. Null is ignored. */
OG_API void og_plan_retain(og_plan *plan);

/** Gives one reference back; the last one frees plan and code. No execution
 * of it may be running then. Null is ignored. */
OG_API void og_plan_release(og_plan *plan);

/** The file's bytes as loaded; `*data` stays valid while the plan lives. */
OG_API og_status og_plan_serialize(const og_plan *plan, const void **data,
                                   size_t *size);

/** Writes the plan to `path`: into a new file beside it, then renamed, so that
 * a half-written file never appears under that name. OG_IO_ERROR. */
OG_API og_status og_plan_save(const og_plan *plan, const char *path);

/*===---------------------------------------------------------------------===*/
/* Execution                                                                 */
/*===---------------------------------------------------------------------===*/

/** The alignment of a workspace on a CUDA device, in bytes. */
#define OG_DEVICE_WORKSPACE_ALIGNMENT 256

/** `ndim` of an og_buffer that is a bare address: shape and size unknown. */
#define OG_BARE_POINTER (-1)

/**
 * What the caller binds to an operand. The declaration in the plan is the
 * contract, not this: equal extents keep their own strides if the plan serves
 * them; another dense buffer with enough bytes is read as declared. An operand
 * of 4-bit elements, two per byte, takes bytes (OG_DTYPE_UINT8 or INT8) with
 * half of the declared extent along the axis of stride 1 and strides in bytes,
 * or OG_DTYPE_FP4_E2M1 and INT4 with extents and strides in elements.
 */
typedef struct og_buffer {
  /** sizeof(og_buffer); the same in all buffers of one pack. */
  size_t struct_size;
  /** The operand's uid. A uid of no operand is ignored. */
  int64_t uid;
  /** Address of the element with index 0. Null only without elements. For a
   * by-value operand: host memory with the value, read during the call. */
  void *data;
  /** Element type, for the size of the buffer in bytes; OG_DTYPE_NOT_SET takes
   * the declared one. It need not equal the declared type. */
  int32_t dtype;
  /** Rank, or OG_BARE_POINTER. */
  int32_t ndim;
  /** `ndim` extents; may be null when ndim is 0 or OG_BARE_POINTER. */
  const int64_t *shape;
  /** `ndim` strides in elements of `dtype`; null means packed row-major. */
  const int64_t *strides;
  /** Where `data` lies; type 0 means where the plan runs, a negative ordinal
   * one that is not known. */
  og_device device;
} og_buffer;

/** Extents and strides of one operand for this call, instead of those it is
 * declared or bound with. */
typedef struct og_override {
  /** sizeof(og_override); the same in all overrides of one pack. */
  size_t struct_size;
  int64_t uid;
  int32_t ndim;
  const int64_t *shape;
  /** Strides in elements; null takes those that the plan derives. */
  const int64_t *strides;
} og_override;

/** Everything one execution reads and writes. */
typedef struct og_variant_pack {
  /** sizeof(og_variant_pack). */
  size_t struct_size;
  const og_buffer *buffers;
  size_t num_buffers;
  /** At least og_plan_workspace_size bytes, aligned to 64 (on a CUDA device to
   * OG_DEVICE_WORKSPACE_ALIGNMENT), overlapping no operand; contents are
   * garbage on entry and after. */
  void *workspace;
  size_t workspace_size;
  /** Only for plans with symbols; each one is honoured or refused. */
  const og_override *overrides;
  size_t num_overrides;
} og_variant_pack;

/**
 * Runs the plan on the operands and returns when it is done (host plans) or
 * enqueued on `stream` (device plans). `stream` must be null for a host plan.
 * Checks everything before it runs anything; allocates nothing.
 *
 * A plan for a CUDA device runs on the device that the operands are on, in its
 * primary context, whatever context is current. `stream` is a CUstream of that
 * context (a cudaStream_t is one), or 0, 1 or 2 with CUDA's meaning. A plan
 * that is not prepared for the device is prepared now: OG_NOT_PREPARED while
 * the stream is capturing. OG_UNAVAILABLE: the device reports a fault, of this
 * or an earlier kernel; the text names plan, kernel and launch shape.
 *
 * OG_INVALID_VARIANT_PACK, naming operand, expected and actual: an operand
 * missing or null, on another device, below its bytes, misaligned, with
 * strides that the plan does not serve, or overlapping another; a symbol
 * without value, with two values, or out of its range; workspace null, too
 * small, misaligned or overlapping. OG_INVALID_ARGUMENT: null plan or pack,
 * struct sizes, a stream for a host plan.
 */
OG_API og_status og_plan_execute(og_plan *plan, const og_variant_pack *pack,
                                 void *stream);

/**
 * Adds an execution to `graph`, a CUgraph (cudaGraph_t) without nodes, as a
 * chain of nodes that hold the pack's addresses; programmatic dependent launch
 * and OPGRAPH_DEBUG_POISON have no part in it. With `retain` the graph keeps
 * the plan alive, and so does what is instantiated from it; else the caller
 * must. For plans for a CUDA device, else OG_UNSUPPORTED. OG_INVALID_ARGUMENT:
 * the graph is not empty; else as og_plan_execute.
 */
OG_API og_status og_plan_populate_graph(og_plan *plan,
                                        const og_variant_pack *pack,
                                        void *graph, int32_t retain);

/** Writes the addresses and extents of another pack into a graph that
 * og_plan_populate_graph filled. OG_INVALID_ARGUMENT: it has other nodes than
 * this execution. */
OG_API og_status og_plan_update_graph(og_plan *plan,
                                      const og_variant_pack *pack, void *graph);

/**
 * The workspace that an execution needs, in bytes. `pack` (may be null) gives
 * symbols their values, from its buffers' shapes and its overrides; data
 * pointers and workspace are not looked at. Symbols that it leaves out take
 * their default; OG_ATTRIBUTE_NOT_SET when one has none and the size depends
 * on it.
 */
OG_API og_status og_plan_workspace_size(const og_plan *plan,
                                        const og_variant_pack *pack,
                                        size_t *out);

/** Does all lazy work for executing on `device`: starts the thread pool, or
 * opens the CUDA driver and loads the code into the device's primary context
 * (legal while a stream is capturing). OG_UNSUPPORTED when the plan is for
 * another kind of device, has no code for this one, or needs more than it has;
 * OG_RESOURCE when its memory is exhausted; else as og_cuda_device_count. */
OG_API og_status og_plan_prepare(og_plan *plan, og_device device);

/*===---------------------------------------------------------------------===*/
/* What a plan says of itself. Strings and arrays live as long as the plan.  */
/*===---------------------------------------------------------------------===*/

/** An operand's declaration. */
typedef struct og_operand_info {
  /** sizeof(og_operand_info), set by the caller. */
  size_t struct_size;
  int64_t uid;
  const char *name;
  /** An og_dtype. */
  int32_t dtype;
  int32_t ndim;
  /** Declared extents and strides; OG_DYNAMIC where only execution tells. */
  const int64_t *shape;
  const int64_t *strides;
  int32_t is_output;
  int32_t by_value;
  /** A by-value operand that may be left out. */
  int32_t has_default;
  /** Promised alignment of the address, in bytes. */
  uint32_t alignment;
  /** An og_storage. */
  int32_t storage;
  /** An og_stride_rule. */
  int32_t stride_rule;
} og_operand_info;

/** A symbol of a dynamic plan. */
typedef struct og_symbol_info {
  /** sizeof(og_symbol_info), set by the caller. */
  size_t struct_size;
  const char *name;
  /** The operand and axis that give it its value. */
  int64_t uid;
  int32_t axis;
  /** 1 when it is the stride of that axis, 0 when the extent. */
  int32_t is_stride;
  int64_t min;
  int64_t max;
  /** Its values are multiples of this. */
  int64_t divisor;
  /** Its value without an override; OG_DYNAMIC when there is none, and the
   * bound buffer's shape gives the value. */
  int64_t default_value;
} og_symbol_info;

/** A kernel in one code variant of a plan for a CUDA device. */
typedef struct og_kernel_info {
  /** sizeof(og_kernel_info), set by the caller. */
  size_t struct_size;
  const char *name;
  /** Threads of a block; blocks of a cluster by axis, 1 without clusters. */
  uint32_t threads;
  uint32_t cluster[3];
  /** Bytes of shared memory that the launch asks for, and that the code has. */
  uint32_t dynamic_shared;
  uint32_t static_shared;
  /** Registers of a thread, and bytes that it keeps in memory. */
  uint32_t registers;
  uint32_t spill_stores;
  uint32_t spill_loads;
  uint32_t stack_bytes;
  /** Blocks that one multiprocessor holds; 0 when not known. */
  uint32_t blocks_per_sm;
} og_kernel_info;

/** Accessors. For a null plan they give "", 0 or OG_INVALID_ARGUMENT. */
OG_API const char *og_plan_name(const og_plan *plan);
/** Identity of the compiler that built the plan. */
OG_API const char *og_plan_compiler(const og_plan *plan);
/** The planning target, for example "host". */
OG_API const char *og_plan_target(const og_plan *plan);
/** The code variant in use, for example "x86-64-v3" or "sm_90a"; "" when the
 * plan calls no code, or is prepared for no CUDA device yet. */
OG_API const char *og_plan_variant(const og_plan *plan);
/** The og_device_type that the plan runs on: OG_DEVICE_HOST or OG_DEVICE_CUDA.
 */
OG_API int32_t og_plan_device_type(const og_plan *plan);
/** The graph as MLIR text; "" when the file has none. */
OG_API const char *og_plan_source(const og_plan *plan);
OG_API int64_t og_plan_engine_id(const og_plan *plan);
OG_API const char *og_plan_engine_name(const og_plan *plan);
OG_API uint32_t og_plan_engine_version(const og_plan *plan);
OG_API int32_t og_plan_max_workers(const og_plan *plan);
/** Major * 1000 + minor of the file's format. */
OG_API int32_t og_plan_format_version(const og_plan *plan);
/** 1 when some extent or stride is known only at execution. */
OG_API int32_t og_plan_is_dynamic(const og_plan *plan);

OG_API size_t og_plan_num_knobs(const og_plan *plan);
OG_API og_status og_plan_knob(const og_plan *plan, size_t index, og_knob *out);
OG_API size_t og_plan_num_notes(const og_plan *plan);
/** Null when `index` is out of range. */
OG_API const char *og_plan_note(const og_plan *plan, size_t index);
/** Variants in the file, runnable here or not. */
OG_API size_t og_plan_num_variants(const og_plan *plan);
/** Null when `index` is out of range. */
OG_API const char *og_plan_variant_name(const og_plan *plan, size_t index);
/** How many kernels the plan launches; the same in every variant. */
OG_API size_t og_plan_num_kernels(const og_plan *plan);
/** The index-th kernel as variant number `variant` has it. OG_OUT_OF_RANGE. */
OG_API og_status og_plan_kernel(const og_plan *plan, size_t variant,
                                size_t index, og_kernel_info *out);
OG_API size_t og_plan_num_operands(const og_plan *plan);
/** The index-th operand, in the order of the graph's arguments, then results.
 * OG_OUT_OF_RANGE. */
OG_API og_status og_plan_operand(const og_plan *plan, size_t index,
                                 og_operand_info *out);
/** The index of the operand with `uid`. OG_NOT_FOUND. */
OG_API og_status og_plan_find_operand(const og_plan *plan, int64_t uid,
                                      size_t *index);
OG_API size_t og_plan_num_symbols(const og_plan *plan);
OG_API og_status og_plan_symbol(const og_plan *plan, size_t index,
                                og_symbol_info *out);
OG_API size_t og_plan_num_aliases(const og_plan *plan);
/** The uids of an input and an output that may be one buffer. */
OG_API og_status og_plan_alias(const og_plan *plan, size_t index,
                               int64_t *input_uid, int64_t *output_uid);

/*===---------------------------------------------------------------------===*/
/* DLPack                                                                    */
/*===---------------------------------------------------------------------===*/

struct DLManagedTensorVersioned;

/**
 * Describes the DLPack tensor at `tensor`, a `const DLTensor *` (dlpack.h gives
 * that struct no tag to declare here), as the buffer of operand `uid`. `*out`
 * points into its shape and strides, which must outlive it. OG_UNSUPPORTED for
 * a dtype without a number here (vector lanes other than the packed ones
 * included) or a device of another kind; OG_INVALID_ARGUMENT for null.
 */
OG_API og_status og_buffer_from_dltensor(const void *tensor, int64_t uid,
                                         og_buffer *out);

/** As og_buffer_from_dltensor; refuses another DLPack major version, and a
 * read-only tensor when `will_write` is not 0. */
OG_API og_status
og_buffer_from_dlmanaged(const struct DLManagedTensorVersioned *tensor,
                         int64_t uid, int will_write, og_buffer *out);

/*===---------------------------------------------------------------------===*/
/* Block scales                                                              */
/*===---------------------------------------------------------------------===*/

/**
 * Writes one matrix of one-byte scales in the layout of reordering F8_128x4:
 * the scale of row r and column c goes to byte
 * ((r / 128) * ceil(columns / 4) + c / 4) * 512
 *     + (r % 32) * 16 + (r / 32 % 4) * 4 + c % 4
 * of `tiles`; rows and columns are padded with zero bytes to multiples of 128
 * and 4. Columns count along the blocks of the data. Strides are in bytes.
 * OG_INVALID_ARGUMENT: null, a negative extent, `tiles_size` too small.
 */
OG_API og_status og_pack_scales_128x4(const void *scales, int64_t rows,
                                      int64_t columns, int64_t row_stride,
                                      int64_t column_stride, void *tiles,
                                      size_t tiles_size);

/** The inverse, without the padding. */
OG_API og_status og_unpack_scales_128x4(const void *tiles, size_t tiles_size,
                                        int64_t rows, int64_t columns,
                                        int64_t row_stride,
                                        int64_t column_stride, void *scales);

/*===---------------------------------------------------------------------===*/
/* Plans inside object files                                                 */
/*===---------------------------------------------------------------------===*/

/**
 * What the functions of an ahead-of-time object call. `*slot` is null at
 * first; the first call loads the plan from the embedded bytes and keeps it
 * there, whichever thread wins. A failed load is tried again next time.
 */
OG_API og_status og_aot_execute(void **slot, const void *bytes, size_t size,
                                const og_variant_pack *pack, void *stream);
OG_API og_status og_aot_workspace_size(void **slot, const void *bytes,
                                       size_t size, const og_variant_pack *pack,
                                       size_t *out);
/** Gives the plan, which stays the slot's: do not release it. */
OG_API og_status og_aot_describe(void **slot, const void *bytes, size_t size,
                                 og_plan **out);

OG_END_DECLS

#endif /* OPGRAPH_C_RUNTIME_H */
