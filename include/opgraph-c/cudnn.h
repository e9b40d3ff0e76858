/*===- opgraph-c/cudnn.h - cuDNN, asked about operation graphs -----------===*/
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   */
/*===---------------------------------------------------------------------===*/
/*
 * The library is opened at run time, by the first call that needs it, from the
 * first of these places that has it (og_cudnn_describe prints them):
 *
 *   1. the file, or folder, that OPGRAPH_CUDNN names: no other place then
 *   2. where the loader finds libcudnn.so.9: loaded already, LD_LIBRARY_PATH,
 *      the system's cache
 *   3. nvidia/cudnn/lib of the site-packages that this library lies in, and of
 *      the virtual environment VIRTUAL_ENV (the wheel nvidia-cudnn-cu13)
 *   4. lib64 and lib of CUDA_HOME, CUDA_PATH and /usr/local/cuda
 *
 * The first that opens is taken, also where it is refused for its version: it
 * must be of major version 9, and 9.8 or later.
 *
 * Numbers of descriptors, attributes, types, knobs and notes are the library's
 * own (opgraph's table of them is cudnn.def).
 */

#ifndef OPGRAPH_C_CUDNN_H
#define OPGRAPH_C_CUDNN_H

#include "opgraph-c/status.h"
#include "opgraph-c/types.h"

OG_BEGIN_DECLS

/** The library's version, 91900 for 9.19.0. OG_LIBRARY_MISSING (none, or a stub
 * of it), OG_UNSUPPORTED (another major version, too old), OG_VERSION_MISMATCH
 * (parts of several versions); og_last_error names paths and versions. */
OG_API og_status og_cudnn_version(int32_t *version);

/** Writes up to `capacity` bytes of text, its end included, about the library
 * in use, or why there is none, and where it was looked for; `*length` becomes
 * the text's length. */
OG_API og_status og_cudnn_describe(char *text, size_t capacity, size_t *length);

/** An attribute of descriptor number `descriptor` of a program. Its `count`
 * elements begin at `words[first]`: one word each, two for a fraction.
 * Integers, enumerators and booleans are numbers, floats their bits,
 * descriptors their numbers in the program. */
typedef struct og_cudnn_record {
  uint32_t descriptor;
  uint32_t attribute;
  uint32_t type;
  uint32_t count;
  uint32_t first;
} og_cudnn_record;

/** An operation graph: its descriptors in the order of their making, the graph
 * itself last, and their attributes in the same order. */
typedef struct og_cudnn_program {
  /** sizeof(og_cudnn_program), set by the caller. */
  size_t struct_size;
  const uint32_t *kinds;
  size_t num_kinds;
  const og_cudnn_record *records;
  size_t num_records;
  const uint64_t *words;
  size_t num_words;
} og_cudnn_program;

/** A finalised operation graph. One thread at a time may use it. */
typedef struct og_cudnn_graph og_cudnn_graph;

/** Finalises `program` for the CUDA device `ordinal`, or, where that is
 * negative, for the device that `device_json` describes (og_cuda_describe):
 * without a device the library knows fewer engines. OG_UNSUPPORTED carries the
 * library's own text. */
OG_API og_status og_cudnn_graph_create(const og_cudnn_program *program,
                                       int32_t ordinal, const char *device_json,
                                       og_cudnn_graph **out);
/** Null is ignored. */
OG_API void og_cudnn_graph_destroy(og_cudnn_graph *graph);

/** How many engines the library has for the graph: 0 to that are their
 * numbers, some of which may refuse it. */
OG_API og_status og_cudnn_graph_num_engines(og_cudnn_graph *graph,
                                            int64_t *count);

/** A setting of an engine and the values that it takes. */
typedef struct og_cudnn_knob {
  int64_t type;
  int64_t minimum;
  int64_t maximum;
  int64_t stride;
} og_cudnn_knob;

/** What og_cudnn_graph_engine tells; its arrays live until the graph's next
 * call. */
typedef struct og_cudnn_engine_info {
  /** sizeof(og_cudnn_engine_info), set by the caller. */
  size_t struct_size;
  const og_cudnn_knob *knobs;
  size_t num_knobs;
  const int32_t *numerical_notes;
  size_t num_numerical_notes;
  const int32_t *behavior_notes;
  size_t num_behavior_notes;
} og_cudnn_engine_info;

/** OG_UNSUPPORTED, with the library's text, where the engine refuses the graph;
 * OG_NOT_FOUND for an engine that the library lacks. */
OG_API og_status og_cudnn_graph_engine(og_cudnn_graph *graph, int64_t engine,
                                       og_cudnn_engine_info *out);

/** A setting of an engine; its arrays live until the graph's next call. */
typedef struct og_cudnn_config {
  /** sizeof(og_cudnn_config), set by the caller. */
  size_t struct_size;
  int64_t engine;
  /** By increasing type. Knobs that are not listed have the library's choice.
   */
  const og_knob *knobs;
  size_t num_knobs;
  /** Bytes. */
  int64_t workspace;
  /** Bytes of one block; -1 where the library does not tell. */
  int64_t shared_memory;
  const int32_t *numerical_notes;
  size_t num_numerical_notes;
  const int32_t *behavior_notes;
  size_t num_behavior_notes;
} og_cudnn_config;

/** Asks the library's heuristics; `mode` is its number (1 B, 2 FALLBACK, 3 A).
 * Answers `*count` configurations, best first. */
OG_API og_status og_cudnn_graph_query(og_cudnn_graph *graph, int32_t mode,
                                      size_t *count);

/** One of the last query's. */
OG_API og_status og_cudnn_graph_config(og_cudnn_graph *graph, size_t index,
                                       og_cudnn_config *out);

/** The configuration with these knobs. OG_NOT_FOUND for an engine or knob that
 * the library lacks, OG_INVALID_VALUE for a value that the knob does not take,
 * OG_UNSUPPORTED for an engine that refuses. */
OG_API og_status og_cudnn_graph_choose(og_cudnn_graph *graph, int64_t engine,
                                       const og_knob *knobs, size_t num_knobs,
                                       og_cudnn_config *out);

/** A finalised plan in the library's own form, for files; it lives until the
 * graph's next call. */
typedef struct og_cudnn_plan {
  /** sizeof(og_cudnn_plan), set by the caller. */
  size_t struct_size;
  int64_t workspace;
  const char *serialized;
  size_t serialized_length;
  int32_t version;
} og_cudnn_plan;

/** Finalises the plan of a configuration. Needs the graph's device: compiles
 * kernels, which may take seconds. */
OG_API og_status og_cudnn_graph_build(og_cudnn_graph *graph, int64_t engine,
                                      const og_knob *knobs, size_t num_knobs,
                                      og_cudnn_plan *out);

OG_END_DECLS

#endif /* OPGRAPH_C_CUDNN_H */
