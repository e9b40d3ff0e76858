/*===- opgraph-c/compiler.h - Planning and compiling graphs --------------===*/
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   */
/*===---------------------------------------------------------------------===*/
/*
 * From a graph (opgraph-c/graph.h) to plans that run (opgraph-c/runtime.h):
 *
 *   og_graph_create_plans   ranks every plan; the graph is frozen from here
 *   og_graph_select, og_graph_deselect, og_graph_filter_behavior, ...
 *                           narrow the list (optional)
 *   og_graph_build          compiles the first plan that can be built
 *   og_graph_plan           the compiled plan
 *
 * Every function that takes a graph and returns a status gives
 * OG_INVALID_ARGUMENT for a null graph or a null `out`.
 *
 * Everything compiled is kept on the graph: building an entry twice with the
 * same variants gives the same og_plan.
 *
 * Environment: OPGRAPH_STRICT=1 makes an internal failure of one plan an error
 * of the call (OG_INTERNAL) instead of a reason to try the next plan.
 */

#ifndef OPGRAPH_C_COMPILER_H
#define OPGRAPH_C_COMPILER_H

#include "opgraph-c/graph.h"
#include "opgraph-c/runtime.h"
#include "opgraph-c/status.h"
#include "opgraph-c/types.h"

OG_BEGIN_DECLS

/** The compiler library's version, for example "0.1.0". Static storage. */
OG_API const char *opgraph_version(void);

/*===---------------------------------------------------------------------===*/
/* Compilers and bytes                                                       */
/*===---------------------------------------------------------------------===*/

/** Makes a compiler. Any number of threads may use one at the same time, each
 * with graphs of its own. */
OG_API og_status og_compiler_create(og_compiler **out);

/** Gives the compiler back; graphs made with it live on. Null is ignored. */
OG_API void og_compiler_release(og_compiler *compiler);

/** Identity of the compiler as recorded in plans. Static storage. */
OG_API const char *og_compiler_identity(void);

/** Bytes that a function hands to its caller; freed with og_bytes_release. */
typedef struct og_bytes og_bytes;
/** Null for null. A NUL follows the last byte. */
OG_API const char *og_bytes_data(const og_bytes *bytes);
/** How many bytes there are, without that NUL; 0 for null. */
OG_API size_t og_bytes_size(const og_bytes *bytes);
/** Frees `bytes` and what og_bytes_data gave. Null is ignored. */
OG_API void og_bytes_release(og_bytes *bytes);

/*===---------------------------------------------------------------------===*/
/* The plan list                                                             */
/*===---------------------------------------------------------------------===*/

/** Where the order of a plan list comes from. The peers' numbers. */
typedef enum og_heur_mode {
  OG_HEUR_A = 0,
  OG_HEUR_B = 1,
  OG_HEUR_FALLBACK = 2,
  OG_HEUR_OPENSOURCE = 3
} og_heur_mode;

/** Properties of a plan. The peers' numbers. */
typedef enum og_behavior_note {
  OG_NOTE_RUNTIME_COMPILATION = 1,
  OG_NOTE_REQUIRES_FILTER_INT8X32_REORDER = 2,
  OG_NOTE_REQUIRES_BIAS_INT8X32_REORDER = 3,
  OG_NOTE_SUPPORTS_CUDA_GRAPH_NATIVE_API = 4,
  OG_NOTE_CUBLASLT_DEPENDENCY = 5
} og_behavior_note;

/** Options of planning. All zero but struct_size is valid. */
typedef struct og_plan_options {
  /** sizeof(og_plan_options), set by the caller. */
  size_t struct_size;
  /** og_heur_mode values, in order; null means A, then FALLBACK. */
  const int32_t *modes;
  size_t num_modes;
  /** "host"; "cuda" or "cuda:N", a device of this machine; "sm_80" ...
   * "sm_120a"; or a device's description as JSON. Null takes OPGRAPH_DEVICE,
   * else "cuda" where there is a CUDA device and an engine takes the graph on
   * it, else, with a warning where there is a device, "host". */
  const char *target;
  /** Workers that one execution may use; 0 means as many as the machine has. */
  int32_t threads;
  /** 1: engines must keep within `max_workspace` bytes, or decline. */
  int32_t limit_workspace;
  int64_t max_workspace;
  /** 1: bars plans whose results may differ from one execution to the next. */
  int32_t deterministic;
} og_plan_options;

/**
 * Makes the ranked plan list (validates first) and freezes the graph.
 * `options` may be null. OG_GRAPH_NOT_SUPPORTED: every engine declined; the
 * text holds the table of reasons, and the graph is frozen all the same, so
 * that og_graph_explain can be asked. OG_INVALID_VALUE: also a mistake in
 * OPGRAPH_PLANS (docs/Planning.md). OG_FAILED_PRECONDITION: planned before.
 */
OG_API og_status og_graph_create_plans(og_graph *graph,
                                       const og_plan_options *options);

/**
 * Appends exactly one plan, by engine and knobs (validates and freezes when
 * that has not happened); knobs left out take the engine's defaults.
 * OG_NOT_FOUND: no such engine or knob; OG_GRAPH_NOT_SUPPORTED: the engine
 * declines the graph; OG_INVALID_VALUE: a knob value outside its range.
 * `options` (may be null) counts only on a graph without plans. `*index` (may
 * be null) receives the entry's position, an existing one for an equal plan.
 */
OG_API og_status og_graph_create_plan(og_graph *graph, int64_t engine_id,
                                      const og_knob *knobs, size_t num_knobs,
                                      const og_plan_options *options,
                                      int64_t *index);

/** As og_graph_create_plan, from an entry's identity as printed, or a shorter
 * form: "host.fused", "10100[TILE_M=6]". OG_PARSE_ERROR. */
OG_API og_status og_graph_create_plan_named(og_graph *graph,
                                            const char *identity,
                                            const og_plan_options *options,
                                            int64_t *index);

/** How many plans the list has; 0 before planning. */
OG_API int64_t og_graph_num_plans(const og_graph *graph);

/** State of an entry of the plan list. */
typedef enum og_plan_state {
  /** Not tried yet. */
  OG_PLAN_LISTED = 0,
  OG_PLAN_BUILT = 1,
  /** Tried, and it could not be built: see `reason`. */
  OG_PLAN_FAILED = 2
} og_plan_state;

/** An entry of the plan list. */
typedef struct og_plan_info {
  /** sizeof(og_plan_info), set by the caller. */
  size_t struct_size;
  int64_t engine_id;
  const char *engine_name;
  uint32_t engine_version;
  /** The og_heur_mode it was listed under; -1 for a pinned entry. */
  int32_t mode;
  /** Its one spelling: "host.fused:10100:v1[TILE_M=6,TILE_N=16]@host". */
  const char *identity;
  const og_knob *knobs;
  size_t num_knobs;
  int64_t predicted_time_ns;
  /** Bytes: of the compiled plan once built, before that the engine's bound;
   * -1 when the engine gives none. */
  int64_t workspace;
  /** og_behavior_note values. */
  const int32_t *behavior_notes;
  size_t num_behavior_notes;
  /** The peers' numerical_note values. */
  const int32_t *numerical_notes;
  size_t num_numerical_notes;
  /** 1 when a filter or og_graph_deselect barred it. */
  int32_t barred;
  /** An og_plan_state. */
  int32_t state;
  /** Why it was barred or failed; "" otherwise. */
  const char *reason;
  /** Bytes of shared memory of its blocks; -1 where that is not known before it
   * is built. */
  int64_t shared_memory;
} og_plan_info;

/** OG_OUT_OF_RANGE. Strings live as long as the graph is not changed. */
OG_API og_status og_graph_plan_info(og_graph *graph, int64_t index,
                                    og_plan_info *out);

/** The name of a knob type, e.g. "TILE_M"; null for an unknown number. */
OG_API const char *og_knob_name(int64_t type);
/** The number of a knob type by its name. OG_NOT_FOUND. */
OG_API og_status og_knob_type(const char *name, int64_t *type);

/*===---------------------------------------------------------------------===*/
/* Filters                                                                   */
/*                                                                           */
/* A barred entry stays in the list, with the reason in og_plan_info, and is */
/* never built. All fail with OG_FAILED_PRECONDITION before planning.        */
/*===---------------------------------------------------------------------===*/

/** Bars entry `index`. OG_OUT_OF_RANGE. */
OG_API og_status og_graph_deselect(og_graph *graph, int64_t index);
/** Makes `index` the only entry that og_graph_build tries: a strict pin.
 * OG_OUT_OF_RANGE; OG_FAILED_PRECONDITION when it is barred. */
OG_API og_status og_graph_select(og_graph *graph, int64_t index);
/** Bars entries whose identity contains `text`. */
OG_API og_status og_graph_deselect_engines(og_graph *graph, const char *text);
/** Bars entries that need more than `bytes` of workspace, or do not say; builds
 * nothing. OG_INVALID_VALUE for a negative number. */
OG_API og_status og_graph_deselect_workspace(og_graph *graph, int64_t bytes);
/** Bars entries whose blocks are known to use more than `bytes` of shared
 * memory. OG_INVALID_VALUE for a negative number. */
OG_API og_status og_graph_deselect_shared_memory(og_graph *graph,
                                                 int64_t bytes);
/** Bars entries that lack (`select` 1) or have (`select` 0) the
 * og_behavior_note. OG_INVALID_VALUE for an unknown one. */
OG_API og_status og_graph_filter_behavior(og_graph *graph, int32_t note,
                                          int32_t select);
/** The same for one of the peers' numerical_note values. */
OG_API og_status og_graph_filter_numeric(og_graph *graph, int32_t note,
                                         int32_t select);

/*===---------------------------------------------------------------------===*/
/* Why and why not                                                           */
/*===---------------------------------------------------------------------===*/

/** An engine, and whether it takes the planned graph. */
typedef struct og_engine_info {
  /** sizeof(og_engine_info), set by the caller. */
  size_t struct_size;
  int64_t id;
  const char *name;
  uint32_t version;
  /** 1 when it accepts the graph; og_graph_explain says why not. */
  int32_t accepts;
  int32_t num_knobs;
} og_engine_info;

/** A knob of an engine for the planned graph. */
typedef struct og_knob_info {
  /** sizeof(og_knob_info), set by the caller. */
  size_t struct_size;
  int64_t type;
  /** The values that it takes, the others left at their defaults. */
  const int64_t *choices;
  size_t num_choices;
} og_knob_info;

/** How many engines there are, accepting or not; 0 before planning. */
OG_API int32_t og_graph_num_engines(og_graph *graph);
/** The index-th engine in order of id. OG_OUT_OF_RANGE;
 * OG_FAILED_PRECONDITION before planning. */
OG_API og_status og_graph_engine(og_graph *graph, int32_t index,
                                 og_engine_info *out);
/** The index-th knob of an engine. As above; OG_NOT_FOUND for an unknown id. */
OG_API og_status og_graph_engine_knob(og_graph *graph, int64_t engine_id,
                                      int32_t index, og_knob_info *out);

/** Formats of og_graph_explain. */
typedef enum og_explain_format {
  OG_EXPLAIN_TEXT = 0,
  OG_EXPLAIN_JSON = 1
} og_explain_format;

/**
 * Each engine's verdict on the planned graph: its plans, or what it declined
 * for (constraint, limit, actual value, nearest accepted change). Legal after
 * a planning that failed with OG_GRAPH_NOT_SUPPORTED; OG_FAILED_PRECONDITION
 * before planning. `*text` belongs to the graph, until the next call of this
 * function.
 */
OG_API og_status og_graph_explain(og_graph *graph, og_explain_format format,
                                  const char **text);

/*===---------------------------------------------------------------------===*/
/* Building                                                                  */
/*===---------------------------------------------------------------------===*/

/** Options of building. All zero but struct_size is valid. */
typedef struct og_build_options {
  /** sizeof(og_build_options), set by the caller. */
  size_t struct_size;
  /** Code variants, comma-separated: "x86-64-v2,x86-64-v3,x86-64-v4,
   * x86-64-v4-bf16", "all", or null for the best that this machine runs. */
  const char *variants;
  /** 1: a plan that cannot be built is an error; no other is tried. */
  int32_t no_fallback;
} og_build_options;

/**
 * Builds the first entry that is not barred and can be built, and makes it the
 * candidate. An entry that fails with OG_UNSUPPORTED, OG_LIBRARY_MISSING or
 * OG_RESOURCE is recorded (og_plan_info.reason, and a note in the plan that is
 * built instead) and the next is tried; so is one with an internal failure,
 * logged once, unless OPGRAPH_STRICT=1. Plans first when that has not happened.
 * OG_GRAPH_NOT_SUPPORTED: none builds; the text lists all reasons.
 */
OG_API og_status og_graph_build(og_graph *graph,
                                const og_build_options *options);

/** Builds every entry that is not barred; the first built one becomes the
 * candidate. OG_GRAPH_NOT_SUPPORTED: none builds. With `no_fallback`, and for
 * an internal failure under OPGRAPH_STRICT=1, the first failure is returned and
 * the rest is left unbuilt. */
OG_API og_status og_graph_build_all(og_graph *graph,
                                    const og_build_options *options);

/** Builds entry `index` and makes it the candidate. OG_OUT_OF_RANGE;
 * OG_FAILED_PRECONDITION for a barred entry; what its build failed with. */
OG_API og_status og_graph_build_at(og_graph *graph, int64_t index,
                                   const og_build_options *options);

/** The candidate: the entry that runs; -1 before a build. */
OG_API int64_t og_graph_candidate(const og_graph *graph);

/** The compiled plan of entry `index`, or of the candidate for -1. `*out`
 * holds a reference of its own. OG_FAILED_PRECONDITION when not built. */
OG_API og_status og_graph_plan(og_graph *graph, int64_t index, og_plan **out);

/** One stage of the work done so far, with its time. */
typedef struct og_stage_time {
  /** sizeof(og_stage_time), set by the caller. */
  size_t struct_size;
  /** "parse", "validate", "prepare" and "rank" of the graph; of an entry
   * "legalize", "generate", its parts as "generate/<part>", "write", "load". */
  const char *stage;
  /** The entry it was done for; -1 for the whole graph. */
  int64_t plan;
  int64_t time_ns;
} og_stage_time;

/** How many stages have run; 0 for null. */
OG_API size_t og_graph_num_stages(const og_graph *graph);
/** The index-th of them, in the order in which they ended. OG_OUT_OF_RANGE. */
OG_API og_status og_graph_stage(og_graph *graph, size_t index,
                                og_stage_time *out);

/*===---------------------------------------------------------------------===*/
/* Looking inside, and ahead of time                                         */
/*===---------------------------------------------------------------------===*/

/** What og_graph_emit gives. */
typedef enum og_emit_kind {
  /** The legalised program before code generation, as .mlir text. */
  OG_EMIT_MLIR = 0,
  /** LLVM IR, assembler text and a relocatable object of one variant; of a plan
   * for a GPU there is no LLVM IR, its assembler text is PTX and its object a
   * cubin. */
  OG_EMIT_LLVM = 1,
  OG_EMIT_ASM = 2,
  OG_EMIT_OBJECT = 3,
  /** The plan file. */
  OG_EMIT_PLAN = 4,
  /** The code of a plan for a GPU: PTX text, or what an assembler makes of it.
   */
  OG_EMIT_PTX = 5,
  OG_EMIT_CUBIN = 6
} og_emit_kind;

/**
 * Compiles entry `index` (-1: the candidate, else the first not barred that can
 * be compiled) and gives one of its forms. LLVM, ASM and OBJECT take the first
 * of the options' variants. `*out` is to be released; null on failure.
 * OG_INVALID_ARGUMENT: no such kind; OG_UNSUPPORTED: a form that a plan for a
 * GPU or for the host does not have, or a cubin without an assembler; otherwise
 * as og_graph_build_at.
 */
OG_API og_status og_graph_emit(og_graph *graph, int64_t index,
                               og_emit_kind kind,
                               const og_build_options *options, og_bytes **out);

/**
 * Wraps a plan file (`size` bytes at `plan`, not loaded, so its code may be for
 * another CPU) in an ELF object whose C functions are <name>_execute,
 * <name>_workspace_size and <name>_describe, and writes the matching header.
 * `name` must be a C identifier. `*object` and `*header` are to be released.
 */
OG_API og_status og_aot_object(const void *plan, size_t size, const char *name,
                               og_bytes **object, og_bytes **header);

OG_END_DECLS

#endif /* OPGRAPH_C_COMPILER_H */
